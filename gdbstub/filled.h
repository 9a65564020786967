/* What was filled of the memory that GDB has read, and that GDB has not marked since.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The project's commands for GDB ask of each value that is shown whether it is known.  What
   was filled and is then not asked for stands somewhere where nobody marks it, and has to be
   told.  */

#ifndef TB_GDBSTUB_FILLED_H
#define TB_GDBSTUB_FILLED_H

#include <stddef.h>
#include <stdint.h>

#define FILLED_RUNS 64

struct filled_run
{
  uint64_t first, last;
};

/* Disjoint runs of bytes.  Of what does not fit it is forgotten where it was, and it is
   never taken back: rather too much is told.  */
struct filled
{
  struct filled_run runs[FILLED_RUNS];
  size_t count;
  uint64_t more, lowest;	/* How many bytes did not fit, and the lowest of them.  */
};

/* The byte at ADDRESS was filled.  */
void filled_add (struct filled *filled, uint64_t address);

/* GDB marks the byte at ADDRESS as not known.  */
void filled_drop (struct filled *filled, uint64_t address);

/* How many bytes there are; *FIRST: the lowest address of them, if any.  */
uint64_t filled_bytes (const struct filled *filled, uint64_t *first);

#endif /* TB_GDBSTUB_FILLED_H */
