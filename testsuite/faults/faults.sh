#!/bin/sh
# Let allocations of the programs fail, one at a time: see allocations.py.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

exec python3 "$srcdir/faults/allocations.py" --jobs=2 "$srcdir/.." .. ./failing.so
