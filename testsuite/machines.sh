#!/bin/sh
# Build for another machine and run the unit tests there: i386 (32 bits) and s390x (the
# byte order is the other one).
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -eu

usage () {
  cat <<'USAGE'
Usage: testsuite/machines.sh MACHINE [TEST...]
Build tracebridge for MACHINE (i386, s390x, armhf or another architecture of Debian) in the
folder build-MACHINE, and run all unit tests, or the TESTs, by qemu-user (those for i386
on x86-64 by the processor).

The cross compiler and qemu-user are installed where they are missing.  The libraries of
the other machine are unpacked into build-MACHINE/root; nothing else is touched.
Environment: JOBS; CONFIGURE_OPTIONS; CCACHE=ccache; TB_SHARED, the recorded runs.
USAGE
}

case ${1-} in
  --help | -h) usage; exit 0 ;;
  '' | -*) usage >&2; exit 2 ;;
esac
machine=$1
shift
case $machine in
  i386) host=i686-linux-gnu qemu=i386 ;;
  s390x) host=s390x-linux-gnu qemu=s390x ;;
  armhf) host=arm-linux-gnueabihf qemu=arm ;;
  arm64) host=aarch64-linux-gnu qemu=aarch64 ;;
  *) host=$machine-linux-gnu qemu=$machine ;;
esac

cd "$(dirname "$0")/.."
top=$(pwd)
build=$top/build-$machine
root=$build/root
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p "$build"

missing=
command -v $host-gcc >/dev/null || missing="$missing gcc-$host libc6-dev-$machine-cross"
command -v qemu-$qemu >/dev/null || missing="$missing qemu-user"
if test -n "$missing"; then
  echo "machines.sh: installing these Debian packages:$missing"
  apt-get update -q
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi

# The other machine's libraries, as packages says, by an apt with lists of its own: dpkg of
# this machine does not get to know another architecture.
if ! test -f "$root/complete"; then
  apt=$build/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root"
  : > "$apt/status"
  apt () {
    apt-get -q -o APT::Architecture="$machine" -o APT::Architectures::="$machine" \
      -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
      -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1 "$@"
  }
  apt update || echo "machines.sh: not all lists of packages could be read; going on" >&2
  # shellcheck disable=SC2046
  apt install -y --no-install-recommends --download-only \
    $(sed -n 's/^\(lib[^ ]*\) *\(library\|build\):.*/\1/p' packages)
  for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$root"
  done
  rm -r "$apt"
  touch "$root/complete"
fi

test -f configure || autoreconf -i
cd "$build"
# shellcheck disable=SC2086
test -f config.status || "$top/configure" --host=$host ${CONFIGURE_OPTIONS---enable-werror} \
  CC="${CCACHE-} $host-gcc --sysroot=$root" PKG_CONFIG=false
make -s -j"$jobs"
tests=${*:-$(sed -n 's/^check_PROGRAMS += //p' "$top/testsuite/Makefile.am" | tr '\n' ' ')}

# A processor that is both runs it itself.
run="qemu-$qemu -L $root"
if test $machine = i386 && "$root/lib/ld-linux.so.2" --version >/dev/null 2>&1; then
  libraries=$root/lib/$machine-linux-gnu:$root/usr/lib/$machine-linux-gnu
  run="$root/lib/ld-linux.so.2 --library-path $libraries"
fi
make -s -C testsuite -j"$jobs" check TESTS="$tests" check_PROGRAMS="$tests" DEJATOOL= \
  check_DATA= LOG_COMPILER="$run"
