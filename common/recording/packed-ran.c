/* Addresses that ran, packed.  See packed-ran.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/packed-ran.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/varint.h"

static void
put_number (struct tb_buffer *code, uint64_t value)
{
  uint8_t bytes[TB_VARINT_MOST];
  tb_buffer_append (code, bytes, tb_varint_write (bytes, value));
}

bool
tb_packed_ran_copy (struct tb_packed_ran *packed, const struct tb_packed_ran *from)
{
  uint8_t *bytes = malloc ((size_t) from->size + 1);
  if (bytes == NULL)
    return false;
  if (from->size != 0)
    memcpy (bytes, from->bytes, from->size);
  *packed = (struct tb_packed_ran) { bytes, from->size };
  return true;
}

/* Pack RAN, as tb_ran_merge leaves it.  */
static bool
pack (struct tb_packed_ran *packed, const struct tb_ran *ran)
{
  struct tb_buffer code = { 0 };
  uint64_t before = 0;
  for (size_t i = 0; i < ran->count; i++)
    {
      put_number (&code, ran->items[i].first - before);
      put_number (&code, ran->items[i].last - ran->items[i].first);
      before = ran->items[i].last;
    }
  const struct tb_packed_ran made = { code.data, (uint32_t) code.size };
  bool ok = !code.failed && code.size <= UINT32_MAX
	    && tb_packed_ran_copy (packed, &made);
  tb_buffer_fini (&code);
  return ok;
}

bool
tb_packed_ran_next (struct tb_packed_ran_cursor *c, struct tb_visit_range *range)
{
  if (c->at == c->end)
    return false;
  range->first = c->before + tb_varint_get (&c->at);
  range->last = c->before = range->first + tb_varint_get (&c->at);
  return true;
}

bool
tb_packed_ran_valid (const uint8_t *bytes, size_t size)
{
  const uint8_t *at = bytes, *end = size != 0 ? bytes + size : bytes;
  uint64_t before = 0;
  while (at < end)
    {
      uint64_t distance, length;
      if (!tb_varint_check (&at, end, &distance)
	  || !tb_varint_check (&at, end, &length)
	  || distance > UINT64_MAX - before || length > UINT64_MAX - before - distance)
	return false;
      before += distance + length;
    }
  return true;
}

bool
tb_packed_ran_has (const struct tb_packed_ran *packed, const struct tb_ran *ran)
{
  struct tb_packed_ran_cursor cursor = tb_packed_ran_begin (packed);
  struct tb_visit_range range;
  bool has_range = false;
  for (size_t i = 0; i < ran->count; i++)
    {
      while (!has_range || range.last < ran->items[i].first)
	if (!(has_range = tb_packed_ran_next (&cursor, &range)))
	  return false;
      if (ran->items[i].first < range.first || ran->items[i].last > range.last)
	return false;
    }
  return true;
}

/* Take the gaps between the ranges of RAN, the smallest first, for ranges, too, until there
   are few.  */
static void
make_few (struct tb_ran *ran)
{
  for (uint64_t gap = 64; ran->count > TB_PACKED_RAN_FEW; gap *= 2)
    {
      size_t kept = 0;
      for (size_t i = 1; i < ran->count; i++)
	if (ran->items[i].first - ran->items[kept].last > gap)
	  ran->items[++kept] = ran->items[i];
	else
	  ran->items[kept].last = ran->items[i].last;
      ran->count = kept + 1;
    }
}

/* Append what PACKED has to RAN.  */
static bool
unpack (const struct tb_packed_ran *packed, struct tb_ran *ran)
{
  struct tb_packed_ran_cursor cursor = tb_packed_ran_begin (packed);
  struct tb_visit_range range;
  while (tb_packed_ran_next (&cursor, &range))
    if (!tb_ran_append (ran, range.first, range.last))
      return false;
  return true;
}

bool
tb_packed_ran_join (struct tb_packed_ran *into, const struct tb_packed_ran *more)
{
  struct tb_packed_ran joined = { NULL, 0 };
  bool ok = true;
  if (into->bytes != NULL && more->bytes != NULL)
    {
      struct tb_ran ran = { 0 };
      ok = unpack (into, &ran) && unpack (more, &ran);
      tb_ran_merge (&ran);
      make_few (&ran);
      ok = ok && pack (&joined, &ran);
      free (ran.items);
    }
  free (into->bytes);
  *into = joined;
  return ok;
}

bool
tb_gather_pack (struct tb_gather *g, bool few, struct tb_packed_ran *packed)
{
  tb_ran_merge (&g->ran);
  if (few)
    make_few (&g->ran);
  bool ok = pack (packed, &g->ran);
  tb_gather_forget (g);
  return ok;
}

void
tb_gather_forget (struct tb_gather *g)
{
  g->ran.count = 0;
  memset (g->recent, 0, sizeof g->recent);
}
