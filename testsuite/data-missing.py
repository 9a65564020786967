#!/usr/bin/env python3
# A judge: of what data trace leaves unknown, how much could an instruction have told?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: data-missing.py CONVERTER SNAPSHOT FIRST
#
# SNAPSHOT has one source of 32 bits.  Of r0 to r12, sp and lr before each step from FIRST on that are not
# known this counts: "untouched", of registers that no instruction of the trace reads or writes; "unread",
# values that no instruction reads before it is written again or the trace ends; "read", values that one
# does, and "readers" are the opcodes of the instructions that read these; and the share that is known of
# what is known or "read".  What an instruction reads and writes is told by --debug=ir.  What exceptions
# read and write does not count, and a register that modes have each for themselves is taken for one.

import bisect
import collections
import json
import re
import subprocess
import sys

NAMES = ["r%d" % i for i in range(13)] + ["sp", "lr"]
# Operations that compute no value: all their operands are read.
READERS = ("NZ", "CV_", "C_", "STORE", "CONDITION", "TARGET")


def lines(*words):
    return subprocess.run([sys.argv[1], "--quiet", *words, sys.argv[2]], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def main():
    first = int(sys.argv[3])
    reads, writes = ({name: [] for name in NAMES} for _ in range(2))
    opcodes, step = {}, None
    for line in lines("--debug=ir"):
        head = re.match(r"step (\d+), .*opcode (\w+)", line)
        if head:
            step = int(head.group(1))
            opcodes[step] = head.group(2)
        words = line.replace(",", " ").split()
        if head or step is None or not line.startswith("  "):
            continue
        reader = words[0].startswith(READERS)
        for i, word in enumerate(words[1:]):
            if word in NAMES:
                (reads if reader or i > 0 else writes)[word].append(step)
    count, readers = collections.Counter(), collections.Counter()
    for line in lines("--format=registers"):
        fields = line.split()
        if not fields or fields[0].startswith("#") or int(fields[0]) < first:
            continue
        step, told = int(fields[0]), {f.split("=")[0] for f in fields[2:]}
        for name in NAMES:
            count["pairs"] += 1
            if name in told:
                continue
            count["missing"] += 1
            at = bisect.bisect_left(reads[name], step)
            over = bisect.bisect_left(writes[name], step)
            read = reads[name][at] if at < len(reads[name]) else None
            if not reads[name] and not writes[name]:
                count["untouched"] += 1
            elif read is not None and (over == len(writes[name]) or read <= writes[name][over]):
                count["read"] += 1
                readers[opcodes[read]] += 1
            else:
                count["unread"] += 1
    known = count["pairs"] - count["missing"]
    print(json.dumps({**{key: count[key] for key in ("pairs", "missing", "untouched", "unread", "read")},
                      "readers": dict(readers), "share": round(known / max(known + count["read"], 1), 4)}))


main()
