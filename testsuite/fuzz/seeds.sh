#!/bin/sh
# Make inputs that fuzz targets begin with, beside those that are kept here.
# usage: seeds.sh SOURCE_DIRECTORY
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# They are put into seeds/TARGET in the current folder.

set -u
top=$(cd "$1" && pwd)
# The samples are seeds, too.
here=$top/testsuite/fuzz sample=$top/testsuite/samples/crash-o0
mkdir -p seeds/elf seeds/snapshot seeds/sysfs seeds/perf seeds/etmv4 seeds/v7
mkdir -p seeds/tfile seeds/crash seeds/core seeds/unpack seeds/frames seeds/software
mkdir -p seeds/agent seeds/packet seeds/code seeds/guess seeds/index seeds/dwarf
cp "$sample/program.elf" seeds/elf/
# "FOLDER NAME...": the files as fuzz-folder.h has them.
as_files ()
{
  (cd "$1" && shift && for f; do printf '@@%s\n' "$f" && cat "$f" && echo; done)
}
# shellcheck disable=SC2046
as_files "$sample" $(cd "$sample" && echo *.ini *.bin) > seeds/snapshot/mtb
# What Linux would have of A64 code (nop; b.eq; nop; b) and its trace.
rm -rf linux && mkdir -p linux/in
ini () { file=linux/in/$1.ini; shift; printf '%s\n' "$@" > "$file"; }
ini snapshot '[snapshot]' version=1.0 '[device_list]' device0=cpu.ini device1=etm.ini \
  '[trace]' metadata=trace.ini
ini cpu '[device]' name=cpu class=core type=ARMv8-A '[dump0]' file=code.bin address=0x1000
ini etm '[device]' name=etm class=trace_source type=ETM4 '[regs]' TRCTRACEIDR=0x10 \
  TRCCONFIGR=1 TRCIDR0=0x28000ea1 TRCIDR1=0x4100f403 TRCIDR2=0x488 TRCIDR8=0
ini_trace ()
{
  ini trace '[trace_buffers]' buffers=buffer0 '[buffer0]' name=etb file=trace.bin \
    "format=$1" '[core_trace_sources]' cpu=etm '[source_buffers]' etm=etb
}
ini_trace source_data
printf '\37 \3\325\140\0\0\124\37 \3\325\375\377\377\27' > linux/in/code.bin
printf '\0\0\0\0\0\0\0\0\0\0\0\0\200\1\0\202\0\10\0\0\61\366\367\367\366\367\367' \
  > linux/in/trace.bin
for version in 0 1 2
do
  python3 "$top/testsuite/perfdata.py" linux/in "seeds/perf/version$version" linux/root \
    version=$version
done
# The same bytes in frames.
ini_trace coresight
printf '\041\000\000\000\000\000\000\000\000\000\000\000\000\200\000\200' > linux/in/trace.bin
printf '\041\000\202\000\010\000\000\061\366\367\366\366\366\367\366\340' >> linux/in/trace.bin
for kind in zephyr1 zephyr3 log a64 mynewt; do
  python3 "$top/testsuite/crashdump.py" "$kind" "$sample" "seeds/crash/$kind"
done
for kind in arm bare arm+no-tdesc; do
  python3 "$top/testsuite/tracefile.py" "$kind" "seeds/tfile/$kind"
done
# With the program that tells where Zephyr's threads are.
python3 "$top/testsuite/crashdump.py" table - linux/program.elf
for kind in threads threads+no-kernel threads+circle; do
  python3 "$top/testsuite/crashdump.py" "zephyr3+no-trace+$kind" "$sample" linux/dump
  as_files linux dump program.elf > "seeds/crash/$kind"
done
# Logs: the lines of a test, and a short one in other forms.
mkdir -p seeds/tarmac
sed -n 's/^ *{ "\([0-9]* [^"]*\)",.*/\1/p' "$top/testsuite/unit/decode/test-tarmac-line.c" \
  > seeds/tarmac/lines
python3 "$top/testsuite/dialects.py" es "$here/seeds/tarmac/it" seeds/tarmac/es
gzip -nc "$here/seeds/tarmac/it" > seeds/tarmac/gzip
python3 "$top/testsuite/perfdata.py" linux/in seeds/perf/thread linux/root thread
for form in 1 2; do
  python3 "$top/testsuite/perfdata.py" linux/in "seeds/perf/zstd$form" linux/root "zstd=$form"
done
for kind in hwid times=2 forks=1:2 buildid=00112233; do
  python3 "$top/testsuite/perfdata.py" linux/in "seeds/perf/$kind" linux/root "$kind"
done
python3 "$top/testsuite/sysfs.py" linux/in linux/sysfs
{ printf '\0\0' && cat linux/in/trace.bin; } > seeds/frames/start
for trace in no-trace random=1; do
  python3 "$top/testsuite/corefile.py" "--$trace" "$sample" "seeds/core/$trace"
done
# As a file, and as what a compressed file has.
{ printf '\3' && printf 'some text, some text' | gzip -c; } > seeds/unpack/gzip
for kind in 0 1 2; do
  printf '\%s\1\377\377\0tic 1 ES (00000100:00000000) O svc: NOP' "$kind" \
    > "seeds/unpack/$kind"
done
# shellcheck disable=SC2046
for missing in linux/none linux/sysfs/etm0/trcidr/*
do
  rm -f "$missing"
  as_files linux/sysfs $(cd linux/sysfs && find . -type f | sed 's,^./,,' | sort) \
    > "seeds/sysfs/without-$(basename "$missing")"
done
# The images of memory of a Linux that crashed, as core files, and a folder of perf's with such a
# file as its copy of the kernel.
for kind in vmcore split; do
  rm -rf linux/crashed && cp -R linux/sysfs linux/crashed && rm -f linux/crashed/tmc_etr0.bin
  python3 "$top/testsuite/ramdump.py" linux/crashed/vmcore linux/in/trace.bin "$kind"
  # shellcheck disable=SC2046
  as_files linux/crashed $(cd linux/crashed && find . -type f | sed 's,^./,,' | sort) \
    > "seeds/sysfs/$kind"
done
rm -rf linux/perf && python3 "$top/testsuite/perfdata.py" linux/in linux/perf linux/root dir=3
mkdir linux/perf/kcore_dir && mv linux/crashed/vmcore linux/perf/kcore_dir/kcore
cp -R linux/root/code linux/perf/code
# shellcheck disable=SC2046
as_files linux/perf $(cd linux/perf && find . -type f | sed 's,^./,,' | sort) > seeds/perf/parts
# Threads that move between CPUs, by the contexts in the trace, and by when they ran.
for which in contexts=1 contexts=0; do
  rm -rf linux/moving && mkdir linux/moving
  python3 "$top/testsuite/migrating.py" linux/moving/data linux/moving 1 switches=all clock \
    stops=9 "$which"
  # shellcheck disable=SC2046
  as_files linux/moving $(cd linux/moving && find . -type f | sed 's,^./,,' | sort) \
    > "seeds/perf/$which"
done
# Code from 0x1000 on (A64: nop; b.eq; nop; b; T32: nop; b), then synchronisation, an address
# with its context, atoms.
a64='\37 \3\325\140\0\0\124\37 \3\325\375\377\377\27%048d' t32='\0\277\375\347%060d'
sync='\0\0\0\0\0\0\0\0\0\0\0\200\1\1\0\4'
# shellcheck disable=SC2059
for kind in etmv4 guess; do
  printf "\\0$a64$sync\\202\\0\\10\\0\\0\\61\\367\\366\\367\\366\\225\\0\\2\\1" 0 > seeds/$kind/a64
  printf "\\1$t32$sync\\203\\0\\20\\0\\0\\41\\367\\367\\6\\40" 0 > seeds/$kind/t32
done
# shellcheck disable=SC2059
printf "\\3$a64$sync\\202\\0\\10\\0\\0\\61\\367\\366\\12\\367" 0 > seeds/etmv4/ete
printf '\0%064d\0\0\0\0\0\200\10\0\20\0\0\51\204\210\220' 0 > seeds/v7/start
printf '\42\1\42\2\2\47' > seeds/agent/add
printf '+$g#67\3$m0,4}\3#fd' > seeds/packet/some

# Synchronisation, packets of software, a timestamp.
printf '\0\0\0\0\0\0\200\1A\3ABCD\300\201\3\160' > seeds/software/itm
printf '\1\377\377\377\377\377\377\377\377\377\377\360\3\301\144\206' \
  > seeds/software/stm
printf '\0\4\3%032d\37 \3\325\140\0\0\124\37 \3\325\375\377\377\27aaba' 0 \
  > seeds/code/a64
printf '\2\4\3%032d\1 \2\60\1\104\375\347pG\0\277\1\276aaba\200a' 0 \
  > seeds/code/t32
{ printf '\2' && tail -c +2 seeds/v7/start; } > seeds/guess/v7
printf '\2\40\0\1\60\0\2' > seeds/index/stream
printf '\1\40\0\1' > seeds/index/source
printf '\0\5\20\0\1ab\7\100\0\2abc' > seeds/dwarf/some
# Numbers of 8 bytes: segments at 0 and 0x2000, a note of 64 bytes (its headers' place and its
# entry, moved by 0x5000), and one file that is mapped there; then the note alone, and the files.
mkdir -p seeds/loaded
python3 - seeds/loaded <<'END'
import struct, sys
segments = struct.pack("<8Q", 0, 0, 128, 0x1100, 0x40, 0x2040, 64, 256)
vector = struct.pack("<8Q", 3, 0x5040, 9, 0x6000, 6, 4096, 0, 0)
files = struct.pack("<5Q", 1, 4096, 0x5000, 0x6000, 0) + b"/bin/p\0"
small = struct.pack("<5I", 1, 4096, 0x5000, 0x6000, 0) + b"p\0"
for name, head, notes in (("both", 16 << 1 | 1, vector + files), ("vector", 16 << 1 | 1, vector),
                          ("files", 1, files), ("small", 0, small)):
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(bytes([head]) + segments + notes)
END
# Metadata in the first page of the trace in the second one: valid, 64 words, 32 bytes at 0x2000.
mkdir -p seeds/ramdump
{
  printf '\0\20%08d\0\0\1\0\1\0\0\0\100\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0' 0
  printf '\20\40\0\0\0\0\0\0\60\40\0\0\0\0\0\0\0\40\0\0\0\0\0\0\0\40\0\0\0\0\0\0'
  printf '%056d\0\20%0128d' 0 0
} > seeds/ramdump/two-pages
