/* ELF core files: registers and memory of a program that stopped.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: the System V ABI, "Program Header" (PT_NOTE, PT_LOAD); the layouts of notes are
   those of Linux (include/uapi/linux/elfcore.h, arch/arm and arch/arm64 elf.h), which GDB's
   generate-core-file writes for bare metal as well.  NuttX has them, too, but calls the owner of a
   note by the name of the task that it is of (sched/misc/coredump.c); its memory is dumped by
   code that runs behind the moment of the registers.  */

#ifndef TB_SNAPSHOT_CORE_FILE_H
#define TB_SNAPSHOT_CORE_FILE_H

#include <stdbool.h>

#include "snapshot/snapshot.h"

/* What the ELF file PATH is.  */
enum tb_core_file
{
  TB_CORE_FILE_NONE,		/* No core file of an Arm program.  */
  TB_CORE_FILE_A32,		/* Of AArch32, whatever the profile.  */
  TB_CORE_FILE_A64
};
enum tb_core_file tb_core_file_kind (const char *path);

/* Read the core file PATH, of cores of TYPE, as a snapshot without trace: a core for each
   thread, all of which have its segments as their memory.  Where the file ends before a segment
   does, what there is of it counts, and a warning says so.  Anything but TB_OK: DIAG was told why;
   the snapshot is to be closed in any case.  */
enum tb_status tb_core_file_read (struct tb_snapshot *snapshot, const char *path,
				  const char *type, bool is_m, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_CORE_FILE_H */
