/* How often each instruction ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_COUNTS_H
#define TB_CONVERTER_COUNTS_H

#include "recording/recording.h"

/* Code from START up to, not including, END, all of which ran COUNT times.  */
struct count
{
  uint64_t start, end;
  uint64_t count;
};

struct counts
{
  struct count *list;		/* In order of address, disjoint.  */
  size_t size;
};

/* Count what ran in RECORDING, whatever the address space.  False: no memory.
   The cost is one of ranges.  */
bool counts_make (struct counts *counts, struct tb_recording *recording);
void counts_fini (struct counts *counts);

/* The place in LIST of the first that ends behind ADDRESS.  */
size_t counts_from (const struct counts *counts, uint64_t address);

/* How often the instruction at ADDRESS ran.  */
uint64_t counts_at (const struct counts *counts, uint64_t address);

#endif /* TB_CONVERTER_COUNTS_H */
