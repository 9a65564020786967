#!/bin/sh
# Build the fuzz targets and run each for some seconds.
# usage: fuzz.sh SOURCE_DIRECTORY BUILD_DIRECTORY SECONDS [TARGET...]
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# Targets are fuzz-TARGET.c here; without any all are run.  What is built, and what was found
# to be worth keeping, lies in BUILD_DIRECTORY/fuzz; an input that breaks something is
# fuzz/found-TARGET-..., and "fuzz/fuzz-TARGET FILE" runs it again.  Each target is told with
# how long it ran, how many inputs it took, in all and a second, and how many edges of the
# code they reached.  FUZZ_CC is the compiler: clang, or AFL++'s afl-clang-fast, for which
# the programs are only built (afl-fuzz -i seeds/TARGET -o out -- fuzz/fuzz-TARGET).

set -u
top=$(cd "$1" && pwd) build=$2 seconds=$3
shift 3
cc=${FUZZ_CC:-clang}
mkdir -p "$build/fuzz" && cd "$build/fuzz" || exit 1

cat > try.c <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput (const uint8_t *d, size_t n);
int LLVMFuzzerTestOneInput (const uint8_t *d, size_t n) { return n > 0 && d[0] > 255; }
END
if ! $cc -fsanitize=fuzzer,address try.c -o try >/dev/null 2>&1; then
  echo "SKIP: fuzz: $cc has no fuzzer (Debian packages clang and libclang-rt-dev)"
  exit 77
fi

flags="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
test -f config.status \
  || "$top/configure" -q CC="$cc" CFLAGS="$flags -fsanitize=fuzzer-no-link" >configure.log 2>&1 \
  || { tail configure.log; exit 1; }
make -s -j"${JOBS:-2}" -C common libtracebridge.a >make.log 2>&1 \
  && make -s -j"${JOBS:-2}" -C gdbstub libgdbstub.a >>make.log 2>&1 \
  && make -s -j"${JOBS:-2}" -C converter >>make.log 2>&1 \
  || { tail make.log; exit 1; }
libs=$(sed -n 's/^LIBS = //p' common/Makefile)

here=$top/testsuite/fuzz
sh "$here/seeds.sh" "$top"

status=0
test $# -gt 0 || set -- $(cd "$here" && ls fuzz-*.c | sed 's/^fuzz-//;s/\.c$//')
for target
do
  # The converter is no library: all its parts are taken, main under another name.
  parts=gdbstub/libgdbstub.a folder=gdbstub wrap='' run=''
  case $target in
    convert-options)
      objcopy --redefine-sym main=convert_main converter/convert.o convert-main.o
      parts="convert-main.o $(find converter -name '*.o' ! -name convert.o)"
      folder=converter ;;
  esac
  case $target in
    *-options) wrap=-Wl,--wrap=exit,--wrap=fclose run='-close_fd_mask=3 -detect_leaks=0' ;;
  esac
  # shellcheck disable=SC2086
  $cc $flags -fsanitize=fuzzer $wrap -I. -I"$top/common" -I"$top/$folder" \
    -I"$top/testsuite/unit/support" -I"$top/testsuite/unit/decode" \
    -DFUZZ_SAMPLES="\"$top/testsuite/samples\"" "$here/fuzz-$target.c" $parts \
    common/libtracebridge.a $libs -o "fuzz-$target" || { status=1; continue; }
  case $cc in *afl*) continue ;; esac
  seeds=
  for folder in "seeds/$target" "$here/seeds/$target"; do
    test ! -d "$folder" || seeds="$seeds $folder"
  done
  mkdir -p "kept-$target"
  # shellcheck disable=SC2086
  if "./fuzz-$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2500 \
       -max_len=20000 -print_funcs=0 $run -artifact_prefix="found-$target-" "kept-$target" $seeds \
       </dev/null >"$target.log" 2>&1
  then
    echo "PASS: fuzz-$target: $(awk '
      /DONE/ { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
      /^Done/ { runs = $2; seconds = $5 }
      END { printf "%d s, %d inputs, %d a second, %d edges", seconds, runs,
	    runs / (seconds > 0 ? seconds : 1), edges }' "$target.log")"
  else
    echo "FAIL: fuzz-$target"
    grep -E 'ERROR|runtime error|SUMMARY|Test unit written' "$target.log" | head
    status=1
  fi
done
exit $status
