#!/bin/sh
# Run the DejaGnu tests of a build, several files at once, and beside them TESTs of make check.
# usage: run-dejagnu.sh BUILD_DIRECTORY SOURCE_DIRECTORY JOBS [TEST...]
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# Each file of tests has a run of its own: BUILD_DIRECTORY/testsuite/dejagnu/NAME has its
# results, its log and what it writes.

set -u
build=$(cd "$1/testsuite" && pwd) || exit 1
source=$(cd "$2/testsuite" && pwd) || exit 1
jobs=$3
shift 3

rm -rf "$build/dejagnu"
mkdir "$build/dejagnu" || exit 1

# Those that take long first, so that none is left over at the end.  A TEST that takes long is run
# by itself, of the others each fourth one after the other: with sanitizers one row of all takes
# longer than all the rest beside it.  NAME.log is what make calls its result.
long= row1= row2= row3= row4=
for test in "$@"; do
  case $test in
    faults/faults.sh | analysis.sh | package.sh | slurm.sh) long="$long make:$test.log" ;;
    *)
      set -- "$row2" "$row3" "$row4" "$row1,$test.log"
      row1=$1 row2=$2 row3=$3 row4=$4 ;;
  esac
done
rows=
for row in "$row1" "$row2" "$row3" "$row4"; do rows="$rows${row:+ make:${row#,}}"; done
cd "$source" || exit 1
first='tracebridge.convert/frames.exp tracebridge.convert/history.exp tracebridge.stub/hostile.exp
tracebridge.convert/badinput.exp tracebridge.convert/score-data.exp tracebridge.stub/stepping.exp
tracebridge.convert/random-kernels.exp tracebridge.convert/together.exp
tracebridge.convert/index.exp tracebridge.convert/batch.exp tracebridge.convert/plain-reader.exp
tracebridge.convert/parts.exp tracebridge.convert/why.exp tracebridge.convert/levels.exp
tracebridge.convert/data-doubt.exp tracebridge.stub/ahead.exp tracebridge.convert/trace.exp
tracebridge.gdb/lines.exp tracebridge.stub/task-threads.exp tracebridge.convert/score.exp
tracebridge.gdb/memory.exp tracebridge.convert/tarmac.exp tracebridge.convert/corefile.exp
tracebridge.convert/doubt.exp tracebridge.convert/perf-processes.exp tracebridge.stub/threads.exp
tracebridge.stub/handlers.exp tracebridge.stub/causes.exp tracebridge.convert/wrong-elf.exp
tracebridge.gdb/expressions.exp tracebridge.convert/limits.exp tracebridge.convert/dialects.exp
tracebridge.stub/corpus.exp tracebridge.convert/crashdump.exp tracebridge.gdb/places.exp
tracebridge.stub/stories.exp tracebridge.convert/report.exp tracebridge.gdb/locals.exp
tracebridge.samples/regenerate.exp tracebridge.convert/perf-threads.exp tracebridge.stub/perf.exp
tracebridge.convert/guess.exp tracebridge.convert/software.exp tracebridge.convert/coverage.exp
tracebridge.convert/beside.exp tracebridge.samples/documents.exp tracebridge.stub/stdio.exp
tracebridge.stub/watches.exp tracebridge.stub/tstart.exp tracebridge.stub/leaving.exp
tracebridge.stub/unknown.exp tracebridge.stub/software.exp'
files=
# shellcheck disable=SC2086
for file in $(printf '%s\n' $first tracebridge.*/*.exp | awk '!seen[$0]++'); do
  # How the samples are made, what documents and messages say, how front ends use GDB and what
  # the commands in GDB make of its values has nothing to do with how the programs were built.  Of
  # what compares with the truth, the code runs in the files that are left: those of stepping,
  # levels and doubts in tasks.exp, threads.exp and parts.exp, for example.
  case ${TB_SANITIZERS-}:$file in
    yes:*/regenerate.exp | yes:*/documents.exp | yes:*/neutral.exp | yes:*/words.exp \
      | yes:*/newcomer.exp | yes:*/together.exp | yes:*/ide.exp | yes:*/dap.exp | yes:*/demo.exp \
      | yes:*/commands.exp | yes:*/moved.exp | yes:*/board.exp | yes:*/places.exp \
      | yes:*/locals.exp | yes:*/memory.exp | yes:*/ctf.exp | yes:*/lines.exp \
      | yes:*/expressions.exp | yes:*/frames.exp | yes:*/score-data.exp | yes:*/levels.exp \
      | yes:*/plain-reader.exp | yes:*/doubt.exp | yes:*/wrong-elf.exp | yes:*/batch.exp \
      | yes:*convert/tasks.exp | yes:*/perf-processes.exp | yes:*stub/perf.exp \
      | yes:*/causes.exp | yes:*/stepping.exp | yes:*/handlers.exp | yes:*/task-threads.exp \
      | yes:*/assume.exp | yes:*/score.exp | yes:*/score-a64.exp | yes:*/score-assumed.exp \
      | yes:*/random-kernels.exp | yes:*stub/corpus.exp | yes:*gdb/corpus.exp \
      | yes:*/watches.exp | yes:*/unknown.exp | yes:*/learned.exp | yes:*/mi.exp \
      | yes:*gdb/samples.exp)
      echo "$file: left to the plain build"
      continue ;;
  esac
  files="$files $file"
done

# Who talks to GDB mostly waits: one more than there are processors keeps these busy.
# shellcheck disable=SC2086
printf '%s\n' $long $rows $files | xargs -P "$((jobs + 1))" -n 1 sh -c '
  build=$0 source=$1 file=$2
  cd "$build" || exit 1
  # spent FILE: the processor time of all that ended, of programs and of the kernel for them.
  spent () {
    times >"$1"
    { read -r own; read -r user kernel; } <"$1"
    user_s=${user#*m} kernel_s=${kernel#*m}
    seconds=$((60 * (${user%%m*} + ${kernel%%m*}) + ${user_s%%.*} + ${kernel_s%%.*}))
    echo "$((seconds / 60)) min $((seconds % 60)) s of processor time"
  }
  case $file in
    make:*)
      tests=$(echo "${file#make:}" | tr , " ")
      make -k $tests
      case $tests in
        *" "*) tests="$(echo "$tests" | wc -w) tests of make check" ;;
        *) tests=${tests%.log} ;;
      esac
      spent "$build/dejagnu/times-$$" >"$build/dejagnu/spent-$$"
      echo "$tests: $(cat "$build/dejagnu/spent-$$")"
      exit 0 ;;
  esac
  name=$(echo "${file%.exp}" | tr / .)
  mkdir "$build/dejagnu/$name"
  TB_SCRATCH=$build/dejagnu/$name/scratch runtest --tool tracebridge --srcdir "$source" \
    --objdir "$build" --outdir "$build/dejagnu/$name" "$file" >"$build/dejagnu/$name/output" 2>&1
  spent "$build/dejagnu/$name/times" >"$build/dejagnu/$name/spent"
  echo "$file: $(grep -c "^PASS" "$build/dejagnu/$name/tracebridge.sum") passed," \
    "$(cat "$build/dejagnu/$name/spent")"
  grep -E "^(FAIL|ERROR|UNRESOLVED|UNSUPPORTED)" "$build/dejagnu/$name/tracebridge.sum"
  grep -E "^(sampled|left to the plain build): " "$build/dejagnu/$name/output" | sed "s,^,$file: ,"
  exit 0' "$build" "$source"
