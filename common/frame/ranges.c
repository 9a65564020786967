/* A few ranges of addresses.  See ranges.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/ranges.h"

#include <stdlib.h>

#include "util/buffer.h"

void
tb_ranges_fini (struct tb_ranges *ranges)
{
  free (ranges->items);
  *ranges = (struct tb_ranges) { 0 };
}

void
tb_ranges_clear (struct tb_ranges *ranges)
{
  ranges->count = 0;
}

bool
tb_ranges_add (struct tb_ranges *ranges, uint64_t first, uint64_t last,
	       unsigned priority)
{
  if (!TB_GROW (ranges->items, ranges->capacity, ranges->count, 1))
    return false;
  ranges->items[ranges->count++] = (struct tb_range) { first, last, priority };
  return true;
}

static int
by_address (const void *left, const void *right)
{
  const struct tb_range *a = left, *b = right;
  return (a->first > b->first) - (a->first < b->first);
}

static int
by_priority (const void *left, const void *right)
{
  const struct tb_range *a = left, *b = right;
  if (a->priority != b->priority)
    return a->priority < b->priority ? -1 : 1;
  return by_address (left, right);
}

void
tb_ranges_merge (struct tb_ranges *ranges)
{
  if (ranges->count < 2)
    return;
  struct tb_range *items = ranges->items;
  qsort (items, ranges->count, sizeof *items, by_address);
  size_t kept = 0;
  for (size_t i = 1; i < ranges->count; i++)
    {
      struct tb_range *to = &items[kept];
      /* They touch when the next one begins right after, or earlier; LAST may
	 be the highest address, with nothing after it.  */
      if (items[i].first <= to->last || items[i].first - 1 == to->last)
	{
	  if (items[i].last > to->last)
	    to->last = items[i].last;
	  if (items[i].priority < to->priority)
	    to->priority = items[i].priority;
	}
      else
	items[++kept] = items[i];
    }
  ranges->count = kept + 1;
  qsort (items, ranges->count, sizeof *items, by_priority);
}
