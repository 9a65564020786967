/* What --help says of the options that several programs have alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_OPTIONS_HELP_H
#define TB_OPTIONS_HELP_H

/* What INPUT may be.  */
#define TB_HELP_INPUT \
  "INPUT is a snapshot directory or its snapshot.ini, an ELF core file, a core\n" \
  "dump of Zephyr (or the lines of a console with one) or of Mynewt, a folder\n" \
  "with trace buffers of Linux and the sysfs files of its trace units, a perf.data\n" \
  "with trace of CoreSight, a trace file of GDB, or a Tarmac log of a simulator\n" \
  "(which may be compressed by gzip, xz or zstd).  Of those that are a file, - is\n" \
  "standard input, and a FIFO is read to its end.\n"

/* Which of it is read.  */
#define TB_HELP_CHOICE \
  "      --core=NAME        this core only\n" \
  "      --source=NAME      this trace source only\n" \
  "      --buffer=NAME      this trace buffer only\n"

/* Of --elf, and --accept-elf.  */
#define TB_HELP_ELF_CONTEXT \
  "                         FILE@context:ID, @vmid:ID, @vmid:ID,context:ID: code\n" \
  "                         of the context that trace names so\n" \
  "      --accept-elf       use it all the same\n"

/* Of the bytes of a trace buffer.  */
#define TB_HELP_FORMATS \
  "                         raw         the bytes of one source\n" \
  "                         coresight   frames\n" \
  "                         tpiu        frames from a trace port\n" \
  "                         dstream     the blocks of a DSTREAM\n"

/* What INPUT does not say itself.  */
#define TB_HELP_READING \
  "      --core-type=NAME   what kind of core a core file, a trace file, a folder\n" \
  "                         of Linux, a perf.data or the bytes of a trace\n" \
  "                         buffer alone are of (Cortex-M33 ...);\n" \
  "                         without it what the program of --elf was built for\n" \
  "      --recordings=LIST  what recordings of a perf.data are of: cpus (else it is\n" \
  "                         these), threads: on all CPUs, joined by time\n" \
  "      --sysroot=FOLDER   where the files are that a perf.data has maps of\n" \
  "      --mtb=BASE,POSITION,MASTER[@CORE]\n" \
  "                         registers of the MTB whose packets are in RAM, of a\n" \
  "                         core file or a snapshot without trace; without it\n" \
  "                         packets are looked for there.  Once for each core\n" \
  "      --raw-trace=FILE[@CORE]\n" \
  "                         beside an input without trace, as core files mostly\n" \
  "                         are: the bytes of a trace buffer, as they were read out\n" \
  "                         of an ETB or a probe, the oldest first (a ring from the\n" \
  "                         write pointer on: RWP); what sent them is worked out,\n" \
  "                         and of which core.  May be given several times\n" \
  "      --raw-format=WORD  what those have, of all or one for each in their order;\n" \
  "                         else it is worked out:\n" \
  TB_HELP_FORMATS \
  "      --protocol=TYPE    what sends the trace of which nothing is told: etmv3,\n" \
  "                         ptm, etmv4, ete, mtb, itm or stm\n" \
  "      --timestamp-frequency=HZ\n" \
  "                         how many timestamps there are a second (else as the\n" \
  "                         snapshot's [timestamp] or an STM's registers say)\n" \
  "      --local-frequency=HZ\n" \
  "                         an ITM's local clock never counts more ticks a\n" \
  "                         second: its times narrow those of the system\n" \
  "      --core-frequency=HZ\n" \
  "                         a core never runs more cycles a second: the cycle\n" \
  "                         counts of its trace narrow the times of its steps\n" \
  "      --itm-aligned      the trace of ITMs begins with a whole packet, and was\n" \
  "                         kept from their reset on; else it is decoded from its\n" \
  "                         first synchronisation packet on\n" \
  "      --allow-outside    follow paths that leave the snapshot's directory\n"

/* How fine the index of --index is.  */
#define TB_HELP_INDEX_BLOCK \
  "      --index-block=SIZE bytes of trace that the index tells of together\n" \
  "                         (default 64K): with fewer it is larger, and less is\n" \
  "                         decoded to find a place\n"

#endif /* TB_OPTIONS_HELP_H */
