/* Crash dumps that real-time kernels write: registers of what failed, and memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Zephyr's core dump is a header, then blocks: A, registers; T, the kernel's data, by which other
   threads are found (zephyr-threads.h); M, memory.  A console has it as lines of hexadecimal
   digits behind "#CD:".  Mynewt's is a header, then parts with a type, a length and a number:
   registers, the hash of the image, memory.

   The registers are those before the exception; the memory is what it was when code that ran
   behind it dumped it.

   Sources: Zephyr, include/zephyr/debug/coredump.h, arch/arm/core/cortex_m/coredump.c (blocks
   A of versions 1 to 3) and arch/arm64/core/coredump.c (1 and 2),
   subsys/debug/coredump/coredump_backend_logging.c; Mynewt, sys/coredump, and
   kernel/os/src/arch/cortex_m*.  */

#ifndef TB_SNAPSHOT_CRASH_DUMP_H
#define TB_SNAPSHOT_CRASH_DUMP_H

#include "snapshot/snapshot.h"

enum tb_crash
{
  TB_CRASH_NONE,		/* No such file, or of no Arm core.  */
  TB_CRASH_ZEPHYR_M,		/* Of the M profile.  */
  TB_CRASH_ZEPHYR_A64,
  TB_CRASH_MYNEWT
};

/* What the file PATH is; *IS_LOG, if that is not NULL: in lines of a console.  */
enum tb_crash tb_crash_kind (const char *path, bool *is_log);

/* Has the file PATH, a dump in lines of a console, what ends the last one?  */
bool tb_crash_is_whole (const char *path);

/* What messages call such a file.  */
const char *tb_crash_name (enum tb_crash kind);

/* Read PATH as a snapshot of a core of TYPE, without trace; and of Zephyr's other threads, if the
   ELF file PROGRAM (NULL: there is none) says where they are.  Where the file ends before a part
   does, what there is of it counts, and a warning says so.  Of several dumps in a log the last
   one counts.  Anything but TB_OK: DIAG was told why; the snapshot is to be closed in any
   case.  */
enum tb_status tb_crash_read (struct tb_snapshot *snapshot, const char *path,
			      const char *type, const char *program,
			      struct tb_diag *diag);

#endif /* TB_SNAPSHOT_CRASH_DUMP_H */
