/* The threads of Zephyr that did not run when its core was dumped.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The kernel keeps a list of its threads; where things are in it is a table in the program
   (CONFIG_DEBUG_THREAD_INFO), for debuggers.  A thread of the M profile that waits has the
   frame of an exception on its stack, and R4 to R11 in its structure.

   Sources: Zephyr, subsys/debug/thread_info.c (the table), include/zephyr/arch/arm/thread.h
   (struct _callee_saved), scripts/coredump/gdbstubs; OpenOCD, src/rtos/zephyr.c.  */

#ifndef TB_SNAPSHOT_ZEPHYR_THREADS_H
#define TB_SNAPSHOT_ZEPHYR_THREADS_H

#include "snapshot/maker.h"

/* Is the ELF file PATH a program with that table?  */
bool tb_zephyr_has_table (const char *path);

/* What is known of the kernel.  */
struct tb_zephyr
{
  const char *path;		/* Of the dump, for messages.  */
  const char *program;		/* The file with the table; NULL: there is none.  */
  const uint8_t *kernel;	/* SIZE bytes of _kernel; NULL: as its memory has it.  */
  size_t size;
};

/* Add to MAKER a core of TYPE for each thread of ZEPHYR that did not run, with its registers and
   the memory of CORE, which has all that the dump has.  What is left out is told.  */
void tb_zephyr_threads (struct tb_maker *maker, size_t core, const char *type,
			const struct tb_zephyr *zephyr);

#endif /* TB_SNAPSHOT_ZEPHYR_THREADS_H */
