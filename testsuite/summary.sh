#!/bin/sh
# Add up the results of the unit tests and of DejaGnu; list what was skipped and what
# failed; end with the line "N passed, N failed, N skipped".
# usage: summary.sh BUILD_DIRECTORY_OF_THE_TESTS [RESULT]
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# RESULT is one more result ("FAIL: NAME").  Exit status 1 if anything failed or nothing ran.

set -u
cd "$1" || exit 1

{
  test -z "${2-}" || echo "$2"
  # Each unit test leaves NAME.trs.
  for result in *.trs */*.trs; do
    test -f "$result" || continue
    name=${result%.trs} why=
    # The last that a test said when it was skipped, before its result.
    if grep -q '^:test-result: SKIP' "$result"; then
      why=": $(tail -n 2 "$name.log" | head -n 1 | tr '|&\\' '   ')"
    fi
    sed -n "s|^:test-result: \([A-Z]*\).*|\1: $name$why|p" "$result"
  done
  # Each file of DejaGnu tests leaves a folder.
  test -d dejagnu || echo 'FAIL: DejaGnu did not run'
  for folder in dejagnu/*/; do
    sum=${folder}tracebridge.sum
    grep -E '^(PASS|FAIL|XFAIL|XPASS|KFAIL|KPASS|UNSUPPORTED|UNTESTED|UNRESOLVED|ERROR): ' \
      "$sum" 2>/dev/null
    # A run that was cut short has no summary.
    grep -q '=== tracebridge Summary ===' "$sum" 2>/dev/null \
      || echo "FAIL: $folder: DejaGnu did not finish"
  done
} | awk '
  { name = substr ($0, index ($0, ":") + 2) }
  /^(PASS|XFAIL|KFAIL):/ { passed++; next }
  /^(SKIP|UNSUPPORTED|UNTESTED):/ { skipped++; skips = skips "  " name "\n"; next }
  { failed++; fails = fails "  " name "\n" }
  END {
    if (skipped) printf "\nSkipped:\n%s", skips
    if (failed) printf "\nFailed:\n%s", fails
    printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
  }'
