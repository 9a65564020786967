#!/bin/sh
# Check that the opcodes of scenarios are the instructions that stand beside them.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

exec python3 "$srcdir/opcodes.py" "$srcdir"/unit/state/scenarios/*.scenario
