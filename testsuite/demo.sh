#!/bin/sh
# The tour that "./bootstrap demo" gives: convert the sample snapshot, walk through its
# trace with GDB.
# usage: demo.sh CONVERTER SOURCE_DIRECTORY
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -eu
converter=$1 top=$2
sample=$top/testsuite/samples/crash-m0
gdb=${GDB_MULTIARCH:-gdb-multiarch}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
script=$folder/tour.gdb

# A remark of the guide; then commands, shown as if typed.
tell () { echo; printf '%s\n' "$@" | sed 's/^/# /'; }
shell () { echo; echo "\$ $1"; }

tell "A small Cortex-M0+ data logger has crashed.  The debug probe saved a snapshot:" \
     "registers, flash, RAM, and the 2 KiB of its Micro Trace Buffer (MTB), which" \
     "hold the source and destination of the latest branches and nothing else."
shell "tracebridge-convert --list testsuite/samples/crash-m0"
(cd "$top" && "$converter" --list testsuite/samples/crash-m0)

tell "From these branches and the snapshot, every instruction that ran and what is" \
     "known of registers and memory before it, as a trace file for GDB:"
shell "tracebridge-convert -o crash.tfile testsuite/samples/crash-m0"
"$converter" -o "$folder/crash.tfile" "$sample"
last=$("$converter" --format=summary "$sample" | sed -n 's/.* insns=\([0-9]*\) .*/\1/p')

# The script for GDB: remarks and commands, each shown before it runs.
quote () { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
say () {
  printf 'echo \\n\n' >> "$script"
  for line in "$@"; do printf 'echo # %s\\n\n' "$(quote "$line")" >> "$script"; done
}
run () {
  for command in "$@"; do
    printf 'echo (gdb) %s\\n\n%s\n' "$(quote "$command")" "$command" >> "$script"
  done
}
quiet () { printf '%s\n' "$@" >> "$script"; }

quiet "set confirm off" "set width 0" "set height 0" "set style enabled off" \
      "directory $top/testsuite/firmware"

say "Each frame of the trace file is the moment before one instruction; frame $last," \
    "the last one, is the halt."
run "tstatus" "tfind $last"
say "It stopped in the handler of a HardFault.  What led there?"
run "backtrace"
say "put_char was given a report that is no address of this chip's RAM.  It came from" \
    "the pointer \"sink\" of the batch, down in main's call of batch_drain."
run "frame 2" "print report" "info symbol report_sample"

say "Back to where it began: the last instruction before the handler."
quiet "tfind 0"
run "tfind pc HardFault_Handler" "tfind -" "x/i \$pc" "info registers"

say "Who wrote that pointer?  The trace is long; we look at the moments in which" \
    "batch_put is about to store a sample, for the one whose address is &batch.sink."
quiet "tfind 0" "info line batch.c:21" "set \$store = \$_"
run "print &batch.sink" "tfind pc \$store"
quiet "while \$trace_frame != -1 && sample != (struct sample *) &batch.sink" \
      "tfind pc \$store" "end"
say "Here.  The culprit, long before the crash:"
run "frame" "list" "backtrace" "print sample - batch->slot"
say "Slot 8 of eight slots, 0 to 7: the test for a full batch is wrong by one.  What" \
    "did it store, and in which order?"
run "info registers r1 r2 r3" "x/2i \$pc" "tfind" "tfind"
say "Every value that GDB shows is certain.  What is not known has its bit set in" \
    "\$unknown_registers, and unknown memory is <unavailable>."
run "print/x \$unknown_registers" "print \$step"

shell "gdb-multiarch testsuite/samples/crash-m0/program.elf -ex 'target tfile crash.tfile'"
"$gdb" -q -nx -batch "$sample/program.elf" -ex "target tfile $folder/crash.tfile" -x "$script" 2>&1
