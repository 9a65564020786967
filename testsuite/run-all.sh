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

# What an earlier run left must not count.
rm -rf "$build"/testsuite/*.trs "$build"/testsuite/*/*.trs "$build"/testsuite/dejagnu

# Python is that of the packages.  It is started some thousand times; where another one comes first
# in PATH by a script that looks for its version, each start takes ten times as long.
mkdir -p "$build/testsuite/python"
for python in /usr/bin/python3 "$(command -v python3)"; do
  if test -x "$python"; then
    ln -sf "$python" "$build/testsuite/python/python3"
    break
  fi
done
PATH=$build/testsuite/python:$PATH
# What Python compiles is kept in the build: package.sh copies the sources meanwhile.
PYTHONPYCACHEPREFIX=$build/testsuite/python/cache
export PATH PYTHONPYCACHEPREFIX

# In a build with sanitizers random tests have fewer rounds (testsuite/unit/support/rounds.h), and
# what compares with the truth compares less (tb_sample in testsuite/lib/tracebridge.exp).
TB_SANITIZERS=$(sed -n 's/^enable_sanitizers = //p' "$build/testsuite/Makefile")
export TB_SANITIZERS
# So does "./bootstrap check" of what takes long; "./bootstrap check-all" leaves nothing out.
TB_SAMPLED=yes
test "${TB_WHOLE-}" != yes || TB_SAMPLED=
export TB_SAMPLED

# First only build: what does not build has no result, and that is a failure.
# The tests' own code takes longer to optimize than it runs; that of the programs and of the
# library, which they call, is built as configured.  Fortified functions need an optimizer.
flags=$(sed -n 's/^CFLAGS = //p' "$build/testsuite/Makefile")
flags="$flags -O0 -U_FORTIFY_SOURCE"
unbuilt=
make -C "$build/testsuite" -k -j"$jobs" check TESTS= DEJATOOL= CFLAGS="$flags" \
  || unbuilt='FAIL: building the tests'
# The tests of TESTS run beside those of DejaGnu: no processor waits for the longest of them.
# A shell has what it starts in the background ignore ^C, which tests send.
# shellcheck disable=SC2016
tests=$(make -s -C "$build/testsuite" --eval='list-of-tests:; @echo $(TESTS)' list-of-tests)
test -n "$tests" || unbuilt="$unbuilt${unbuilt:+
}FAIL: no list of the tests of make check"
for test in $tests; do rm -f "$build/testsuite/$test.log"; done
# shellcheck disable=SC2086
env --default-signal=INT sh "$top/testsuite/run-dejagnu.sh" "$build" "$top" "$jobs" $tests
status=0
for test in $tests; do
  test -f "$build/testsuite/$test.trs" || unbuilt="$unbuilt${unbuilt:+
}FAIL: $test: no result"
done
sh "$top/testsuite/summary.sh" "$build/testsuite" "$unbuilt" || status=1
exit $status
