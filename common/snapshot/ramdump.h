/* Trace that Linux left in memory when it crashed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Linux (since 6.16), Documentation/trace/coresight/panic.rst and struct
   tmc_crash_metadata of drivers/hwtracing/coresight/coresight-tmc.h: at a panic, or by
   firmware at a reset by the watchdog, the registers of an ETR or ETF are put into a
   reserved region of memory, with where the trace is and a CRC of each.  What was dumped of
   that memory has both: a core file of the kernel (vmcore), or an image of RAM whose name
   tells where it was.  */

#ifndef TB_SNAPSHOT_RAMDUMP_H
#define TB_SNAPSHOT_RAMDUMP_H

#include "snapshot/maker.h"

/* A piece of memory by physical address.  */
struct tb_ramdump_piece
{
  uint64_t address;
  const uint8_t *data;
  uint64_t length;
};

/* Memory that was dumped.  Zero-initialise; tb_ramdump_fini frees it.  */
struct tb_ramdump
{
  struct tb_ramdump_piece *pieces;
  size_t count, capacity;
};

/* Is the file NAME in FOLDER an image of memory: named "vmcore..." and a core file, be it
   compressed, or named "...@0xADDRESS" or "...@0xADDRESS.bin"?  */
bool tb_ramdump_is_file (const char *folder, const char *name);

/* Add what the file PATH has, which is one by tb_ramdump_is_file.  MAKER keeps the file, and an
   error.  */
void tb_ramdump_add (struct tb_ramdump *ram, struct tb_maker *maker, const char *path);

/* Make a buffer of MAKER of each sink's trace in RAM, called "crash_tmc0" and so on, oldest byte
   first; PATH is what RAM is called in messages.  What is no whole trace, by its CRC or because
   memory of it is missing, is left out with a warning.  The numbers of the buffers go into
   BUFFERS, of MOST; returns how many.  */
size_t tb_ramdump_buffers (const struct tb_ramdump *ram, struct tb_maker *maker,
			   const char *path, size_t *buffers, size_t most);

void tb_ramdump_fini (struct tb_ramdump *ram);

#endif /* TB_SNAPSHOT_RAMDUMP_H */
