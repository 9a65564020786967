/* Extents.  See extents.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/extents.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

void
tb_extents_fini (struct tb_extents *r)
{
  free (r->items);
  *r = (struct tb_extents) { NULL, 0, 0 };
}

static uint64_t
last_of (const struct tb_extent *range)
{
  return range->address + (range->length - 1);
}

/* The last of LENGTH addresses from ADDRESS on.  */
static uint64_t
last_address (uint64_t address, uint64_t length)
{
  return length - 1 > UINT64_MAX - address ? UINT64_MAX
	 : address + (length - 1);
}

/* The first range that ends at ADDRESS or behind it.  */
static size_t
find (const struct tb_extents *r, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, r->count, last_of (&r->items[low]) < address);
  return low;
}

bool
tb_extents_add (struct tb_extents *r, uint64_t address, uint64_t length)
{
  uint64_t last = last_address (address, length);
  /* Those that overlap it or touch it become one with it.  */
  size_t begin = find (r, address != 0 ? address - 1 : 0), end = begin;
  for (; end < r->count
	 && (last == UINT64_MAX || r->items[end].address <= last + 1); end++)
    {
      if (r->items[end].address < address)
	address = r->items[end].address;
      if (last_of (&r->items[end]) > last)
	last = last_of (&r->items[end]);
    }
  if (begin == end)
    {
      bool ok = TB_GROW (r->items, r->room, r->count, 1);
      if (!ok)
	return false;
    }
  memmove (r->items + begin + 1, r->items + end,
	   (r->count - end) * sizeof *r->items);
  r->count -= end - begin;
  r->count++;
  /* All of 64 bits: one byte less.  */
  length = last - address == UINT64_MAX ? UINT64_MAX : last - address + 1;
  r->items[begin] = (struct tb_extent) { address, length };
  return true;
}

bool
tb_extents_hit (const struct tb_extents *r, uint64_t address, uint64_t length)
{
  if (r == NULL || r->count == 0)
    return false;
  size_t at = find (r, address);
  return at < r->count
	 && r->items[at].address <= last_address (address, length);
}

bool
tb_extents_hold (const struct tb_extents *r, uint64_t address, uint64_t length)
{
  if (r == NULL || r->count == 0)
    return false;
  size_t at = find (r, address);
  return at < r->count && r->items[at].address <= address
	 && last_of (&r->items[at]) >= last_address (address, length);
}
