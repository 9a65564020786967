#!/usr/bin/env python3
"""Write what Linux would have of a snapshot: sysfs.py SNAPSHOT FOLDER [MISSING...]

In FOLDER are the folders of the trace units, as below /sys/bus/coresight/devices, but for
the files MISSING ("trcidr/trcidr0"), and the buffer as read from /dev/tmc_etr0; beside it, in
FOLDER.elf, the code of the first core.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import elffile  # noqa: E402
import inifile  # noqa: E402

FILES = {"TRCCONFIGR": "mgmt/trcconfig", "TRCTRACEIDR": "mgmt/trctraceid",
         "TRCAUTHSTATUS": "mgmt/trcauthstatus", "TRCDEVARCH": "mgmt/trcdevarch",
         "ETMCR": "mgmt/etmcr", "ETMIDR": "mgmt/etmidr", "ETMCCER": "mgmt/etmccer",
         "ETMTRACEIDR": "mgmt/etmtraceidr", "STMTCSR": "mgmt/tcsr"}


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def main(source, folder, *missing):
    units, code, a64 = 0, None, True
    for parts, dumps in inifile.devices(source):
        kind = parts["device"]["class"].lower()
        if kind == "core" and code is None:
            code = [(int(dump["address"], 0), inifile.contents(source, dump))
                    for dump in dumps]
        if kind != "trace_source":
            continue
        type_ = parts["device"]["type"].upper()
        a64 &= not type_.startswith(("P", "ETM3"))
        name = "stm0" if type_.startswith("STM") else \
            ("ptm" if type_.startswith("P") else "etm") + str(units)
        if name != "stm0":
            put(f"{folder}/{name}/cpu", b"%d\n" % units)
            units += 1
        os.makedirs(f"{folder}/{name}/mgmt", exist_ok=True)
        for key, value in parts.get("regs", {}).items():
            reg = re.sub(r"\(.*", "", key).upper()
            file = FILES.get(reg)
            if re.fullmatch(r"TRCIDR\d+", reg):
                file = f"trcidr/{reg.lower()}"
            if file and file not in missing:
                put(f"{folder}/{name}/{file}", b"%#x\n" % int(value, 0))
    put(f"{folder}/tmc_etr0/mgmt/rwp", b"0x0\n")
    for name, lines in inifile.read(os.path.join(source, "snapshot.ini")):
        for path in inifile.keys_of(lines).values() if name == "trace" else []:
            for part, some in inifile.read(os.path.join(source, path)):
                if part == "buffer0":
                    with open(os.path.join(source, inifile.keys_of(some)["file"]), "rb") as file:
                        put(f"{folder}/tmc_etr0.bin", file.read())
    put(folder + ".elf", elffile.image([one for one in code if one[1]], a64))


main(*sys.argv[1:])
