#!/bin/sh
# The tour that "./bootstrap demo" gives: convert the sample snapshot, then walk through its
# trace with GDB, from the crash back to its cause.
# usage: demo.sh CONVERTER SOURCE_DIRECTORY
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -eu
converter=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
top=$(cd "$2" && pwd)
gdb=${GDB_MULTIARCH:-gdb-multiarch}
sample=testsuite/samples/crash-m0

# In a folder of its own, which looks like the source tree where the tour needs it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$top/testsuite" testsuite

tell () { echo; printf '# %s\n' "$@"; echo; }

tell "A data logger with a Cortex-M0+ has crashed.  A debug probe saved a snapshot: the" \
     "registers, flash, RAM, and 2 KiB of the Micro Trace Buffer (MTB).  The MTB holds" \
     "where the program branched, from and to, and nothing else."
echo "\$ tracebridge-convert --list $sample"
"$converter" --list $sample

tell "tracebridge replays the branches over the snapshot: every instruction that ran, and" \
     "what registers and memory held before it.  As a trace file for GDB:"
echo "\$ tracebridge-convert -o crash.tfile $sample"
"$converter" -o crash.tfile $sample
last=$("$converter" --format=summary $sample | sed -n 's/.* insns=\([0-9]*\) .*/\1/p')

# The script for GDB: remarks, and commands, each of them shown as if typed.
quote () { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
say () {
  printf 'echo \\n\n'
  for line in "$@"; do printf 'echo # %s\\n\n' "$(quote "$line")"; done
  printf 'echo \\n\n'
}
run () {
  for command in "$@"; do
    printf 'echo (gdb) %s\\n\n%s\n' "$(quote "$command")" "$command"
  done
}

{
  printf '%s\n' "set confirm off" "set width 0" "set height 0" "set style enabled off"
  run "target tfile crash.tfile" "directory testsuite/firmware"
  say "A frame is the moment before one instruction, and memory and registers are as they" \
      "were then.  The last frame is the halt."
  run "tstatus" "tfind $last" "backtrace"
  say "It stopped in the HardFault handler.  The core has stacked r0 to r3, r12, lr, the return" \
      "address and xpsr; this is the instruction that faulted:"
  run "x/8xw frame" "x/i frame[6]"
  say "put_char was given a report that is not in the RAM of this chip (0x20000000 to" \
      "0x20000fff); batch_drain had it from batch.sink."
  run "frame 4" "list 28,33"
  say "Back in time: the first instruction of the handler, and the one before it."
  run "tfind 0" "tfind pc HardFault_Handler" "tfind -" "x/i \$pc" "info registers"
  say "Nobody sets batch.sink but the initialization.  Its value looks as if a sample had been" \
      "put there.  So go through all samples stored in the trace, for one that was" \
      "stored at the address of batch.sink.  (The store is the code of batch.c, line 20.)"
  run "tfind 0" "info line batch.c:20" "set \$store = \$_"
  cat <<'EOF'
echo (gdb) while $trace_frame != -1 && sample != (void *) &batch.sink\n
echo \ >tfind pc $store\n
echo \ >end\n
tfind pc $store
while $trace_frame != -1 && sample != (void *) &batch.sink
  tfind pc $store
end
EOF
  say "There it is, and so many instructions before the halt:"
  run "print $last - \$trace_frame"
  say "What is about to happen here, and who called?"
  run "frame" "backtrace" "list 12,22" "print sample - batch->slot"
  say "A batch has slots 0 to 7; this is number 8, and sink stands behind the slots.  The" \
      "test for a full batch (line 14) is wrong by one.  And what will be stored there?"
  run "print channel" "print value" "print/x value << 16 | channel"
  say "The pointer that put_char was given.  On to the first of the two stores:"
  run "tfind" "tfind" "x/i \$pc" "tdump"
  say "What GDB shows is certain.  A register that is not known reads 0xbad00bad and has its" \
      "bit set in \$unknown_registers; memory that is not known is <unavailable>."
  run "print/x \$unknown_registers" "print \$step"
} > tour.gdb

tell "Now GDB, with the program's symbols:"
echo "\$ gdb-multiarch $sample/program.elf"
"$gdb" -q -nx -batch $sample/program.elf -x tour.gdb 2>&1 | awk '
  # A tracepoint for each address that ran: two lines each.
  /^Tracepoint [0-9]+ at / { tracepoints++; next }
  /^Created tracepoint / { next }
  tracepoints {
    print "(... " tracepoints " tracepoints, one for each address that ran)"
    tracepoints = 0
  }
  { print }'
