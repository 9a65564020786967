#!/usr/bin/env python3
# A judge: how much of what data trace can tell at all is known?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: data-bound.py PROGRAM CASE FOLDER REGISTERS FIRST
#
# PROGRAM is data-bound, FOLDER what data-case made of CASE, its truth packed; REGISTERS is what
# --format=registers lists of it.
# Of r0 to r12, sp, lr and the four flags together before each step from FIRST on, "pairs", this counts
# those that are "known"; those that are "unknowable", as another run has the same trace with each address
# and value of it and other values there; what is "known" of those that are not unknowable, "share"; and
# "luck": what is known although it is unknowable by this trace, so that something else must have told it
# ("where": the first of these).

import json
import subprocess
import sys

NAMES = ["r%d" % i for i in range(13)] + ["sp", "lr", "nzcv"]


def main():
    program, name, folder, listing, first = sys.argv[1:6]
    out = subprocess.run([program, name, folder], check=True, text=True, stdout=subprocess.PIPE).stdout
    masks = [int(line.split()[1], 16) for line in out.splitlines()]
    pairs = known = unknowable = luck = 0
    by_name, open_names, where = {}, {}, []
    with open(listing) as lines:
        for line in lines:
            fields = line.split()
            if not fields or fields[0].startswith("#") or int(fields[0]) < int(first):
                continue
            step, told = int(fields[0]), {f.split("=")[0] for f in fields[2:]}
            for bit, register in enumerate(NAMES):
                cannot, has = masks[step] >> bit & 1, register in told
                pairs += 1
                known += has
                unknowable += cannot
                if cannot:
                    by_name[register] = by_name.get(register, 0) + 1
                if cannot and has:
                    luck += 1
                    where = where or [step, register]
                if not cannot and not has:
                    open_names[register] = open_names.get(register, 0) + 1
    print(json.dumps({"pairs": pairs, "known": known, "unknowable": unknowable, "luck": luck,
                      "where": where, "bound": round(1 - unknowable / max(pairs, 1), 4),
                      "share": round(known / max(pairs - unknowable, 1), 4),
                      "unknowable_by": by_name, "open_by": open_names}))


main()
