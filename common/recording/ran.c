/* Addresses that ran.  See ran.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/ran.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

bool
tb_ran_append (struct tb_ran *ran, uint64_t first, uint64_t last)
{
  bool ok = TB_GROW (ran->items, ran->capacity, ran->count, 1);
  if (ok)
    ran->items[ran->count++] = (struct tb_visit_range) { first, last };
  return ok;
}

size_t
tb_ran_at (const struct tb_ran *ran, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, ran->count, ran->items[low].last < address);
  return low;
}

bool
tb_ran_insert (struct tb_ran *ran, uint64_t first, uint64_t last)
{
  /* Those that it touches melt into it.  */
  size_t from = tb_ran_at (ran, first != 0 ? first - 1 : 0), to = from;
  while (to < ran->count
	 && (last == UINT64_MAX || ran->items[to].first <= last + 1))
    to++;
  if (from == to)
    {
      if (!tb_ran_append (ran, 0, 0))
	return false;
      memmove (ran->items + from + 1, ran->items + from,
	       (ran->count - 1 - from) * sizeof *ran->items);
      ran->items[from] = (struct tb_visit_range) { first, last };
      return true;
    }
  struct tb_visit_range *piece = &ran->items[from];
  if (first < piece->first)
    piece->first = first;
  if (last < ran->items[to - 1].last)
    last = ran->items[to - 1].last;
  piece->last = last;
  memmove (piece + 1, ran->items + to,
	   (ran->count - to) * sizeof *ran->items);
  ran->count -= to - from - 1;
  return true;
}

static int
by_first (const void *a, const void *b)
{
  const struct tb_visit_range *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

void
tb_ran_merge (struct tb_ran *ran)
{
  if (ran->count == 0)
    return;
  qsort (ran->items, ran->count, sizeof *ran->items, by_first);
  size_t kept = 0;
  for (size_t i = 1; i < ran->count; i++)
    {
      struct tb_visit_range *last = &ran->items[kept];
      const struct tb_visit_range *next = &ran->items[i];
      if (last->last == UINT64_MAX || next->first <= last->last + 1)
	{
	  if (next->last > last->last)
	    last->last = next->last;
	}
      else
	ran->items[++kept] = *next;
    }
  ran->count = kept + 1;
}
