#!/bin/sh
# Do two builds of the distribution have the same bytes, and is it the same when it is made again?
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# "make check-reproducible": run by hand, as it builds everything twice.

set -u

usage () {
  cat <<'USAGE'
Usage: reproducible.sh BUILD_DIRECTORY
Make the distribution in BUILD_DIRECTORY, build it in two folders of other names at other times
with another locale, time zone and umask, and compare what was built byte by byte; make the
distribution again of the second and compare the archives; then convert a sample and run some
unit tests there.  Environment: CC, CFLAGS, JOBS (2).
USAGE
}

case ${1-} in '') usage >&2; exit 2 ;; --help | -h) usage; exit 0 ;; esac
build=$(cd "$1" && pwd) || exit 2
jobs=${JOBS:-2}
work=$(mktemp -d "${TMPDIR:-/tmp}/tb-reproducible-XXXXXX") || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# What was kept of another build proves nothing.
CCACHE_DISABLE=1
export CCACHE_DISABLE
status=0

result () {
  echo "$1: $2"
  test "$1" = PASS || status=1
}

same () {
  if cmp "$1" "$2" >"$work/differs" 2>&1; then
    result PASS "$3"
  else
    result FAIL "$3: $(cat "$work/differs")"
  fi
}

# distribution FOLDER: make it there; sets archive.
distribution () {
  make -s -C "$1" dist >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
  archive=$(ls "$1"/tracebridge-*.tar.xz) || exit 1
}

# one FOLDER: build the distribution below FOLDER; sets top and where.
one () {
  mkdir -p "$1"
  tar -C "$1" -xf "$work/first.tar.xz" || exit 1
  top=$(ls -d "$1"/tracebridge-*) where=$1/$2
  mkdir "$where"
  (cd "$where" && "$top/configure" -q ${CC:+CC="$CC"} ${CFLAGS:+CFLAGS="$CFLAGS"} \
    && make -s -j"$jobs") >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
}

distribution "$build"
mv "$archive" "$work/first.tar.xz"
umask 022
LC_ALL=C TZ=UTC one "$work/a" build
first=$where
umask 077
LC_ALL=C.UTF-8 TZ=Asia/Tokyo one "$work/another-name" objects
umask 022

for name in converter/tracebridge-convert gdbstub/tracebridge-gdbstub maker/tracebridge-snapshot \
    common/libtracebridge.a gdbstub/libgdbstub.a; do
  test -f "$first/$name" || { result FAIL "$name was not built"; continue; }
  same "$first/$name" "$where/$name" "$name has the same bytes"
  if grep -q -F -e "$work" "$first/$name"; then
    result FAIL "$name: expected no name of the folder in which it was built"
  fi
done

distribution "$where"
same "$work/first.tar.xz" "$archive" "the distribution has the same bytes, made again of itself"

cd "$where" || exit 1
if converter/tracebridge-convert --format=summary -o "$work/summary" \
    "$top/testsuite/samples/crash-m0" && grep -q 'insns=2263 ' "$work/summary"; then
  result PASS "what was built converts a sample"
else
  result FAIL "what was built: expected insns=2263: $(cat "$work/summary")"
fi
tests='test-diag test-ini test-snapshot test-etmv4-packets test-stream test-tracefile'
if make -s -C testsuite check TESTS="$tests" check_PROGRAMS="$tests" DEJATOOL= >"$work/log" 2>&1
then
  result PASS "its unit tests pass: $tests"
else
  result FAIL "its unit tests: $(grep -E '^(FAIL|ERROR)' "$work/log" | paste -s -d ' ')"
fi
exit $status
