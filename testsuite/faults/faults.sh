#!/bin/sh
# Faults: allocations of the programs fail, one at a time, calls of the kernel do, files turn
# bad, and what is around is odd.  See the scripts.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

# "./bootstrap check" lets one allocation of every third place fail, not two of each.
few=
test "${TB_SAMPLED-}" != yes || few=--first

status=0
python3 "$srcdir/faults/files.py" "$srcdir/.." .. || status=1
python3 "$srcdir/faults/calls.py" --jobs=2 "$srcdir/.." .. || status=1
python3 "$srcdir/faults/allocations.py" --jobs=2 $few "$srcdir/.." .. ./failing.so || status=1
python3 "$srcdir/faults/surroundings.py" "$srcdir/.." .. ./odd.so || status=1
exit $status
