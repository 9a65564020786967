#!/usr/bin/env python3
"""Copy a snapshot without its trace units: nounits.py SNAPSHOT OUT

What is left are cores, memory and the bytes of the trace buffers; who sent them, and with
which settings, is to be worked out.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inifile import key_of, read  # noqa: E402


def keep(out, parts):
    with open(out, "w", encoding="latin-1") as file:
        for name, lines in parts:
            if name:
                file.write(f"[{name}]\n")
            file.writelines(line + "\n" for line in lines)


def is_unit(path):
    for name, lines in read(path):
        for line in lines if name == "device" else []:
            key, value = key_of(line)
            if key == "class":
                return value.lower() == "trace_source"
    return False


def main(source, out):
    os.makedirs(out)
    gone = {"snapshot.ini"}
    parts = []
    for name, lines in read(os.path.join(source, "snapshot.ini")):
        kept = []
        for line in lines:
            key, value = key_of(line)
            if name == "device_list" and key and is_unit(os.path.join(source, value)):
                gone.add(value)
            else:
                kept.append(line)
            if name == "trace" and key == "metadata":
                trace = [(part, some) for part, some in read(os.path.join(source, value))
                         if part not in ("core_trace_sources", "source_buffers")]
                keep(os.path.join(out, value), trace)
                gone.add(value)
        if name != "clusters":
            parts.append((name, kept))
    keep(os.path.join(out, "snapshot.ini"), parts)
    for entry in os.listdir(source):
        if entry not in gone:
            os.symlink(os.path.abspath(os.path.join(source, entry)),
                       os.path.join(out, entry))


main(*sys.argv[1:])
