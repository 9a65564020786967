#!/bin/sh
# Run all tests of a build and end with the line "N passed, N failed, N skipped".
# usage: run-all.sh BUILD_DIRECTORY SOURCE_DIRECTORY JOBS
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -u
build=$1 top=$2 jobs=$3

# Real captures and recorded runs, where they lie beside the project.
if test -z "${TB_SHARED-}" && test -d "$top/../shared/corpus"; then
  TB_SHARED=$(cd "$top/../shared" && pwd)
  export TB_SHARED
fi

# An error in making the tests must not pass for "nothing failed".
make -C "$build/testsuite" -k -j"$jobs" check
status=$?
sh "$top/testsuite/summary.sh" "$build/testsuite" || status=1
exit $status
