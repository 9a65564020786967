/* Which step made which access.  See owners.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.
*/

#include "config.h"
#include "state/window/owners.h"

#include <stdlib.h>

#include "util/buffer.h"
#include "util/search.h"

/* Who asks for one step after the other finds the next one among so many.  */
#define NEAR 16

void
tb_owners_fini (struct tb_owners *o)
{
  free (o->items);
  *o = (struct tb_owners) { NULL, 0, 0, 0 };
}

bool
tb_owners_add (struct tb_owners *o, size_t end, uint64_t i, bool own)
{
  if (end <= o->count)
    return true;
  if (i > UINT32_MAX / 2 - 1
      || !TB_GROW (o->items, o->room, o->count, end - o->count))
    return false;
  while (o->count < end)
    o->items[o->count++] = 2 * (uint32_t) i + own;
  return true;
}

void
tb_owners_fit (struct tb_owners *o)
{
  if (o->count != 0)
    TB_FIT (o->items, o->room, o->count);
}

uint32_t
tb_owners_first (struct tb_owners *o, uint64_t i, uint32_t *end)
{
  uint32_t own = 2 * (uint32_t) i + 1;
  size_t at = o->at, most;
  if (at > o->count || (at > 0 && o->items[at - 1] >= own))
    at = 0;
  most = at < o->count && o->count - at > NEAR ? at + NEAR : o->count;
  while (at < most && o->items[at] < own)
    at++;
  if (at < o->count && o->items[at] < own)
    TB_LOWER_BOUND (at, o->count, o->items[at] < own);
  size_t behind = at;
  while (behind < o->count && o->items[behind] == own)
    behind++;
  o->at = at;
  *end = (uint32_t) behind;
  return (uint32_t) at;
}
