#!/usr/bin/env python3
"""Print the options of tracebridge-snapshot for the parts of a snapshot, a line each:
parts.py SNAPSHOT FOLDER [--no-format]

Dumps that begin inside of their files are cut out into FOLDER.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inifile import key_of, read  # noqa: E402

FORMATS = {"source_data": "raw", "dstream_coresight": "dstream"}


def device(source, path, folder):
    """The options for the core in PATH; none for a trace unit."""
    parts = read(os.path.join(source, path))
    keys = dict(key_of(line) for name, lines in parts if name == "device" for line in lines)
    if keys.get("class", "").lower() != "core":
        return []
    options = [f"--core={keys['name']}={keys['type']}"]
    for name, lines in parts:
        found = [key_of(line) for line in lines]
        if name == "regs":
            for key, value in found:
                if key:
                    options.append(f"--registers={key.split('(')[0]}={value}")
        if not name.startswith("dump"):
            continue
        dump = dict(found)
        whole = os.path.join(source, dump["file"].strip('"'))
        if not os.path.exists(whole):
            continue
        if "offset" in dump or "length" in dump:
            start = int(dump.get("offset", "0"), 0)
            with open(whole, "rb") as file:
                file.seek(start)
                data = file.read(int(dump["length"], 0) if "length" in dump else -1)
            whole = os.path.join(folder, f"{keys['name']}-{name}.bin")
            with open(whole, "wb") as file:
                file.write(data)
        space = "," + dump["space"] if dump.get("space") else ""
        options.append(f"--ram={dump['address']}{space}@{whole}")
    return options


def main(source, folder, *rest):
    os.makedirs(folder, exist_ok=True)
    options = []
    for name, lines in read(os.path.join(source, "snapshot.ini")):
        for line in lines:
            key, value = key_of(line)
            if name == "device_list" and key:
                options += device(source, value, folder)
            if name == "trace" and key == "metadata":
                trace = read(os.path.join(source, value))
                for part, some in trace:
                    keys = dict(key_of(entry) for entry in some)
                    if part.startswith("buffer") and "file" in keys:
                        options.append("--trace=" + os.path.join(source, keys["file"]))
                        form = keys.get("format", "coresight")
                        if not rest:
                            options.append("--format=" + FORMATS.get(form, form))
    print("\n".join(options))


main(*sys.argv[1:])
