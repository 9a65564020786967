#!/usr/bin/env python3
# A judge: are the loads and stores of a recorded run known, and as they truly were?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: accesses.py ACCESSES REGISTERS CHANGES FIRST
#
# ACCESSES is what generator/data-case.c wrote of the truth; REGISTERS and CHANGES are what
# --format=registers and --changes list: the memory that a step touches, as it was before, and what
# the step wrote.  An access is known where all its bytes are listed at its step, of a load with
# what was there, of a store with what was written; a load from a device, which holds nothing, where
# the register that it changes is.  Accesses from step FIRST on count for the shares; all are checked.

import json
import sys


def bytes_of(address, size, value):
    return {address + i: value >> 8 * i & 0xff for i in range(size)}


def listed(name, new):
    """Of each step the bytes that are known of what it touches: before it, or (NEW) behind it."""
    steps = {}
    with open(name) as lines:
        for line in lines:
            # Most fields are registers, which stand before memory.
            at = line.find(" m:")
            if at < 0 or line.startswith("#"):
                continue
            known = {}
            for field in line[at:].split():
                what, _, value = field.partition("=")
                if not what.startswith("m:") or what.endswith("~"):
                    continue
                value = value.split("->")[1] if new else value
                _, address, size = what.split(":")
                if value != "?" and address != "?":
                    known.update(bytes_of(int(address, 16), int(size), int(value, 16)))
            if known:
                steps[int(line.split(None, 1)[0])] = known
    return steps


def loaded(name):
    """Of each step what it made of the registers that it changed, as far as that is known."""
    steps = {}
    with open(name) as lines:
        for line in lines:
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                now = [field.split("->")[1] for field in fields[2:] if "->" in field and field[:2] != "m:"]
                steps[int(fields[0])] = [int(value, 16) for value in now if value != "?"]
    return steps


def main():
    first = int(sys.argv[4])
    found = {"l": listed(sys.argv[2], False), "s": listed(sys.argv[3], True)}
    registers = loaded(sys.argv[3])
    count, known, wrong, missed = dict.fromkeys("lsd", 0), dict.fromkeys("lsd", 0), [], []
    with open(sys.argv[1]) as lines:
        truth = [line.split() for line in lines]
    # What an instruction stores at one place twice is there as it was last.
    last = {}
    for step, kind, address, size, value in truth:
        last.setdefault((int(step), kind), {}).update(bytes_of(int(address, 16), int(size), int(value, 16)))
    for step, kind, address, size, value in truth:
        step, address, size, value = int(step), int(address, 16), int(size), int(value, 16)
        here = found[kind].get(step, {}) if kind != "d" else {}
        want = last[step, kind]
        there = [a for a in range(address, address + size) if a in here]
        if any(here[a] != want[a] for a in there):
            wrong.append("step %d, %s of 0x%x" % (step, {"l": "load", "s": "store"}[kind], address))
        if step < first:
            continue
        count[kind] += 1
        if len(there) == size or (kind == "d" and any(value == r & (1 << 8 * size) - 1
                                                      for r in registers.get(step, []))):
            known[kind] += 1
        elif len(missed) < 8:
            missed.append("%d %s %x" % (step, kind, address))
    every = sum(count.values())
    print(json.dumps(dict(loads=count["l"], stores=count["s"], device_loads=count["d"], known_loads=known["l"],
                          known_stores=known["s"], known_device_loads=known["d"],
                          share=round(sum(known.values()) / every, 4) if every else 1.0,
                          wrong=len(wrong), first_wrong=wrong[:8], first_unknown=missed)))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: accesses.py ACCESSES REGISTERS CHANGES FIRST")
    sys.exit(main())
