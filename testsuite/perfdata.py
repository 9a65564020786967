#!/usr/bin/env python3
"""Write a perf.data of a snapshot: perfdata.py SNAPSHOT FILE SYSROOT [OPTION...]

  thread       one buffer, of a thread; else one for each CPU
  threads=N    a buffer for each of so many threads
  units=N      each trace unit so many times
  version=N    of the metadata, 0 to 2; else 1
  damage=WHAT  cut, size, info, pipe: what is wrong with the file

The layout is that of tools/perf/Documentation/perf.data-file-format.txt and
tools/perf/util/cs-etm.h of Linux.  The memory of the first core are files in SYSROOT, which the
records map.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inifile  # noqa: E402

MMAP2, AUX, FINISHED, AUXTRACE_INFO, AUXTRACE = 10, 11, 68, 70, 71
ETMV3 = ["ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR"]
ETMV4 = ["TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0", "TRCIDR1", "TRCIDR2", "TRCIDR8",
         "TRCAUTHSTATUS"]
ATTR_SIZE = 128
PAGE = 4096
EVENT = 5			# Its number.
# What is in a sample, and that it ends all records of the kernel's.
SAMPLE = 1 << 16 | 1 << 7 | 1 << 2 | 1 << 1
SAMPLE_ALL = 1 << 18


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sampled(kind, body, cpu=0, misc=0):
    """A record of the kernel's, with what ends each of them: thread, time, CPU, event."""
    return record(kind, body + struct.pack("<IIQIIQ", 77, 77, 1000, cpu, 0, EVENT), misc)


def unit_words(cpu, parts, version):
    """The metadata of one trace unit; none for units of software's trace."""
    regs = {re.sub(r"\(.*", "", key).upper(): int(value, 0)
            for key, value in parts.get("regs", {}).items()}
    kind = parts["device"]["type"].upper()
    if kind.startswith(("STM", "ITM")):
        return None
    if kind.startswith("ETE"):
        magic, names = 0x5050505050505050, ETMV4 + ["TRCDEVARCH"]
    elif kind.startswith("ETM4"):
        magic, names = 0x4040404040404040, ETMV4
    else:
        magic, names = 0x3030303030303030, ETMV3
    words = [regs.get(name, 0) for name in names]
    return [magic, cpu] + ([len(words)] if version > 0 else []) + words


def traces(source):
    """The format and the bytes of the first buffer."""
    for name, lines in inifile.read(os.path.join(source, "snapshot.ini")):
        for path in inifile.keys_of(lines).values() if name == "trace" else []:
            for part, some in inifile.read(os.path.join(source, path)):
                keys = inifile.keys_of(some)
                if part.startswith("buffer") and "file" in keys:
                    with open(os.path.join(source, keys["file"]), "rb") as file:
                        return keys.get("format", "coresight"), file.read()
    raise SystemExit(f"{source}: no buffer")


def aux(index, cpu, data):
    """The records of one buffer, in three pieces, the last one first."""
    third = len(data) // 48 * 16
    pieces = [(0, data[:third]), (third, data[third:2 * third]),
              (2 * third, data[2 * third:])]
    text = b""
    for offset, piece in [pieces[2], pieces[0], pieces[1]]:
        # perf rounds sizes up to eight bytes.
        text += record(AUXTRACE, struct.pack("<QQQIIII", len(piece), offset, 0, index,
                                             0xffffffff if cpu is not None else 77,
                                             0xffffffff if cpu is None else cpu, 0)) + piece
    return text


def main(source, out, sysroot, *options):
    options = dict(option.partition("=")[::2] for option in options)
    version = int(options.get("version", "1"))
    damage = options.get("damage", "")
    units, maps = [], []
    for parts, dumps in inifile.devices(source):
        kind = parts["device"]["class"].lower()
        if kind == "core" and not maps:
            for dump in dumps:
                data = inifile.contents(source, dump)
                if not data:
                    continue
                name = f"/code/{parts['device']['name']}-{len(maps)}"
                os.makedirs(sysroot + "/code", exist_ok=True)
                with open(sysroot + name, "wb") as file:
                    file.write(b"\0" * PAGE + data)
                maps.append((int(dump["address"], 0), len(data), name))
        elif kind == "trace_source":
            words = unit_words(len(units), parts, version)
            units += [words] if words is not None else []
    units *= int(options.get("units", "1"))
    form, trace = traces(source)
    words = [version, 8 << 32 | len(units), 0] + sum(units, [])
    if damage == "info":
        words[1] += 1
    data = record(AUXTRACE_INFO, struct.pack("<II", 3, 0)
                  + struct.pack(f"<{len(words)}Q", *words))
    for address, size, name in maps:
        padded = name.encode() + b"\0" * (8 - len(name) % 8)
        for _ in range(2):	# Two processes have it.
            data += sampled(MMAP2, struct.pack("<IIQQQIIQQII", 77, 77, address, size, PAGE, 8,
                                              1, 1, 0, 5, 2) + padded, 0, 2)
    single = "thread" in options or "threads" in options or form == "source_data"
    for cpu in range(1 if single else len(units)):
        data += sampled(AUX, struct.pack("<QQQ", 0, len(trace),
                                         0x100 * (form == "source_data")), cpu)
    if "thread" in options or "threads" in options:
        for thread in range(int(options.get("threads", "1"))):
            data += aux(thread, None, trace)
    else:
        for cpu in range(1 if single else len(units)):
            data += aux(cpu, cpu, trace)
    data += record(FINISHED, b"")
    attr = struct.pack("<IIQQQQQIIQQ", 8, ATTR_SIZE, 0, 1, SAMPLE, 4, SAMPLE_ALL, 1, 0, 0, 0)
    attr += b"\0" * (ATTR_SIZE - len(attr)) + struct.pack("<QQ", 104, 8)
    at = 104 + 8 + len(attr)
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attr), 112, len(attr), at,
                                     len(data), 0, 0) + b"\0" * 32
    whole = bytearray(head + struct.pack("<Q", EVENT) + attr + data)
    if damage == "cut":
        whole = whole[:-len(trace) // 2]
    elif damage == "size":
        whole[at + 6:at + 8] = b"\1\0"
    elif damage == "pipe":
        whole[8] = 16
    with open(out, "wb") as file:
        file.write(whole)


main(*sys.argv[1:])
