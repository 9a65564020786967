/* A few ranges of addresses, merged where they touch.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_RANGES_H
#define TB_FRAME_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses FIRST to LAST, both included: a range may end at the highest
   address there is.  */
struct tb_range
{
  uint64_t first, last;
  unsigned priority;		/* 0 matters most.  */
};

/* Zero-initialise before use.  */
struct tb_ranges
{
  struct tb_range *items;
  size_t count, capacity;
};

void tb_ranges_fini (struct tb_ranges *ranges);

/* Forget all, keep the memory.  */
void tb_ranges_clear (struct tb_ranges *ranges);

/* Add a range; false, and nothing added, when there is no memory.  */
bool tb_ranges_add (struct tb_ranges *ranges, uint64_t first, uint64_t last,
		    unsigned priority);

/* Make of all ranges disjoint ones that do not touch, in the order of their
   priority (that of the most important part), then of their addresses.  */
void tb_ranges_merge (struct tb_ranges *ranges);

#endif /* TB_FRAME_RANGES_H */
