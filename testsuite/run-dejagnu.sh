#!/bin/sh
# Run the DejaGnu tests of a build, several files at once.
# usage: run-dejagnu.sh BUILD_DIRECTORY SOURCE_DIRECTORY JOBS
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# Each file of tests has a run of its own: BUILD_DIRECTORY/testsuite/dejagnu/NAME has its
# results, its log and what it writes.

set -u
build=$(cd "$1/testsuite" && pwd) || exit 1
source=$(cd "$2/testsuite" && pwd) || exit 1
jobs=$3

# Tests that take long compare less in a build with sanitizers (tb_sample).
TB_SANITIZERS=$(sed -n 's/^enable_sanitizers = //p' "$build/Makefile")
export TB_SANITIZERS

rm -rf "$build/dejagnu"
mkdir "$build/dejagnu" || exit 1

# Those that take long first, so that none is left over at the end.
cd "$source" || exit 1
files='tracebridge.convert/frames.exp tracebridge.convert/trace.exp
tracebridge.convert/score-data.exp tracebridge.stub/ahead.exp tracebridge.convert/together.exp
tracebridge.convert/batch.exp tracebridge.convert/corefile.exp tracebridge.convert/tarmac.exp
tracebridge.convert/dialects.exp tracebridge.stub/stepping.exp
tracebridge.stub/hostile.exp tracebridge.gdb/lines.exp tracebridge.stub/corpus.exp'
for file in tracebridge.*/*.exp; do
  # How the samples are made has nothing to do with how the programs were built.
  case $TB_SANITIZERS:$file in
    yes:*/regenerate.exp) echo "$file: left to the plain build"; continue ;;
  esac
  case " $(echo $files) " in *" $file "*) ;; *) files="$files $file" ;; esac
done

# Who talks to GDB mostly waits: one more than there are processors keeps these busy.
# shellcheck disable=SC2086
printf '%s\n' $files | xargs -P "$((jobs + 1))" -n 1 sh -c '
  build=$0 source=$1 file=$2
  name=$(echo "${file%.exp}" | tr / .)
  mkdir "$build/dejagnu/$name"
  cd "$build" || exit 1
  TB_SCRATCH=$build/dejagnu/$name/scratch runtest --tool tracebridge --srcdir "$source" \
    --objdir "$build" --outdir "$build/dejagnu/$name" "$file" >"$build/dejagnu/$name/output" 2>&1
  times >"$build/dejagnu/$name/times"
  echo "$file: $(grep -c "^PASS" "$build/dejagnu/$name/tracebridge.sum") passed," \
    "$(sed -n "2s/\([0-9]*\)m\([0-9]*\)[^ ]* .*/\1 min \2 s/p" \
	 "$build/dejagnu/$name/times") of processor time"
  grep -E "^(FAIL|ERROR|UNRESOLVED|UNSUPPORTED)" "$build/dejagnu/$name/tracebridge.sum"
  exit 0' "$build" "$source"
