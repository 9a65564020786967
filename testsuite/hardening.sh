#!/bin/sh
# Are the programs built with what makes bugs in them hard to use?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

command -v readelf >/dev/null || { echo "SKIP: readelf is missing"; exit 77; }
for flag in stack-protector-strong FORTIFY_SOURCE=3 now; do
  grep -Eq "^(CFLAGS|LDFLAGS) = .*$flag" Makefile \
    || { echo "SKIP: the compiler or the options of configure do without $flag"; exit 77; }
done

status=0
# expect PROGRAM WHAT PATTERN OPTION: what readelf says with OPTION has PATTERN.
expect () {
  if readelf -W "$4" "$1" | grep -Eq "$3"; then
    echo "PASS: $1: $2"
  else
    echo "FAIL: $1: expected $2"
    status=1
  fi
}
for program in ../converter/tracebridge-convert ../gdbstub/tracebridge-gdbstub \
    ../maker/tracebridge-snapshot; do
  expect $program "relocations that are read-only" 'BIND_NOW|FLAGS.*NOW' -d
  expect $program "relocations that are read-only" GNU_RELRO -l
  expect $program "a stack without code" 'GNU_STACK .* RW ' -l
  expect $program "guarded stack frames" __stack_chk_fail --dyn-syms
  expect $program "fortified functions" '_chk(@|$)' --dyn-syms
done
exit $status
