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
    steps = [s for s in struct.iter_unpack("<IIBBH15III", data[32:32 + count * size]) if s[3] & IN_TRACE]
    known = wrong = total = 0
    with open(sys.argv[2]) as lines:
        for line in lines:
            fields = line.split()
            if not fields or fields[0].startswith("#") or int(fields[0]) < int(sys.argv[3]):
                continue
            step = steps[int(fields[0])]
            truth = dict(zip(NAMES, step[5:20]), nzcv=step[20] >> 28)
            total += len(truth)
            for field in fields[2:]:
                name, _, value = field.partition("=")
                if name in truth:
                    right = int(value, 16) == truth[name]
                    known += right
                    wrong += not right
    print(json.dumps({"share": round(known / total, 4) if total else 0, "wrong": wrong}))


main()
