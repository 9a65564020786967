#!/bin/sh
# How fast data trace is decoded: recorded runs, encoded by the generator.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: bench-data.sh SHARED [OPTION...]     in testsuite/ of a build; options of bench-data
#
# Each case is made into ETMv3 trace with addresses and values, with addresses, with values
# and without data (generator/data-case.c), in a temporary directory.

set -e
export TB_SHARED="$1"
shift
cases="p19-etm3-m3-fsm p31-etm3-m3-sort-long p22-etm3-a7-list"
work=$(mktemp -d "${TMPDIR:-/tmp}/bench-data-XXXXXX")
trap 'rm -rf "$work"' EXIT
list=
for case in $cases; do
  if [ ! -d "$TB_SHARED/corpus/cases/$case" ]; then
    echo "$case is not in $TB_SHARED/corpus/cases and is left out"
    continue
  fi
  for kinds in av a v -; do
    folder=$work/$case-$kinds
    cp -r "$TB_SHARED/corpus/cases/$case" "$folder"
    chmod -R u+w "$folder"
    ./data-case "$case" "$folder" "$kinds"
    {
      printf '[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu_0.ini\ndevice1=etm_0.ini\n'
      printf '[trace]\nmetadata=trace.ini\n'
    } > "$folder/snapshot.ini"
    list="$list $folder"
  done
done
# Names of temporary directories have no blanks.
./bench-data "$@" $list
