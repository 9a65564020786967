#!/usr/bin/env python3
# A judge: which share of the registers of a recorded run of 32 bits is known from a step on?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: known-after.py CASE REGISTERS FIRST
#
# CASE has truth.bin.xz, as cases of the corpus do; REGISTERS is what --format=registers lists.
# Counted are r0 to r12, sp, lr and the four flags together, of each step from FIRST on.

import json
import lzma
import struct
import sys

NAMES = ["r%d" % i for i in range(13)] + ["sp", "lr"]
IN_TRACE = 128


def main():
    data = lzma.open(sys.argv[1] + "/truth.bin.xz").read()
    size, count = struct.unpack_from("<I", data, 12)[0], struct.unpack_from("<Q", data, 16)[0]
    steps = [struct.unpack_from("<IIBBH15III", data, 32 + i * size) for i in range(count)]
    steps = [s for s in steps if s[3] & IN_TRACE]
    known = wrong = total = 0
    with open(sys.argv[2]) as lines:
        for line in lines:
            fields = line.split()
            if not fields or fields[0].startswith("#") or int(fields[0]) < int(sys.argv[3]):
                continue
            told = dict(f.split("=") for f in fields[2:] if "=" in f and not f.startswith("m:"))
            truth = dict(zip(NAMES, steps[int(fields[0])][5:20]), nzcv=steps[int(fields[0])][20] >> 28)
            total += len(truth)
            here = [int(told[name], 16) == value for name, value in truth.items() if name in told]
            known += sum(here)
            wrong += len(here) - sum(here)
    print(json.dumps({"share": round(known / total, 4) if total else 0, "wrong": wrong}))


main()
