/* Where gaps stand in a piece of a trace, packed.  See packed-gaps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/packed-gaps.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/varint.h"

bool
tb_packed_gaps_copy (struct tb_packed_gaps *packed, const struct tb_packed_gaps *from)
{
  uint8_t *bytes = NULL;
  if (from->size != 0)
    {
      bytes = malloc (from->size);
      if (bytes == NULL)
	return false;
      memcpy (bytes, from->bytes, from->size);
    }
  *packed = (struct tb_packed_gaps) { bytes, from->size };
  return true;
}

bool
tb_packed_gaps_next (struct tb_packed_gaps_cursor *c, struct tb_gap *gap)
{
  if (c->at == c->end)
    return false;
  uint64_t number = tb_varint_get (&c->at);
  c->step += number / 2;
  *gap = (struct tb_gap) { c->step, number % 2 != 0 };
  return true;
}

bool
tb_packed_gaps_valid (const uint8_t *bytes, size_t size, uint64_t steps)
{
  const uint8_t *at = bytes, *end = size != 0 ? bytes + size : bytes;
  while (at < end)
    {
      uint64_t number;
      if (!tb_varint_check (&at, end, &number) || number / 2 > steps)
	return false;
      steps -= number / 2;
    }
  return true;
}

bool
tb_packed_gaps_join (struct tb_packed_gaps *into, const struct tb_packed_gaps *more,
		     uint64_t distance)
{
  if (more->size == 0)
    return true;
  struct tb_packed_gaps_cursor cursor = tb_packed_gaps_begin (into, 0);
  struct tb_gap gap;
  while (tb_packed_gaps_next (&cursor, &gap))
    continue;
  /* The first one of MORE is counted from the last one of INTO.  */
  const uint8_t *rest = more->bytes;
  uint64_t number = tb_varint_get (&rest) + 2 * (distance - cursor.step);
  size_t left = more->size - (size_t) (rest - more->bytes);
  uint8_t first[TB_VARINT_MOST];
  size_t n = tb_varint_write (first, number);
  if (left + n > UINT32_MAX - into->size)
    return false;
  uint8_t *bytes = realloc (into->bytes, into->size + n + left);
  if (bytes == NULL)
    return false;
  memcpy (bytes + into->size, first, n);
  if (left != 0)
    memcpy (bytes + into->size + n, rest, left);
  *into = (struct tb_packed_gaps) { bytes, (uint32_t) (into->size + n + left) };
  return true;
}

/* A gap lies before step STEP.  */
static bool
append (struct tb_gaps_noted *noted, uint64_t step, uint64_t first, bool fault)
{
  struct tb_packed_gaps *p = &noted->packed;
  void *items = p->bytes;
  if (p->size > UINT32_MAX - TB_VARINT_MOST
      || !tb_grow (&items, &noted->room, p->size, TB_VARINT_MOST, 1))
    return false;
  p->bytes = items;
  p->size += (uint32_t) tb_varint_write (p->bytes + p->size,
					 2 * (step - first - noted->last) + fault);
  noted->last = step - first;
  return true;
}

bool
tb_gaps_note (struct tb_gaps_noted *noted, const struct tb_element *e, uint64_t step,
	      uint64_t first)
{
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_NO_SYNC:
    case TB_ELEMENT_TRACE_ON:
    case TB_ELEMENT_NO_CODE:
    case TB_ELEMENT_Q:
      {
	if (step == 0)
	  return true;
	bool fault = e->reason == TB_REASON_BAD_IMAGE;
	bool same = noted->open && noted->step == step;
	bool news = !same || (fault && noted->reason == TB_REASON_NONE);
	if (!same || noted->reason == TB_REASON_NONE)
	  noted->reason = e->reason;
	noted->open = true;
	noted->step = step;
	return !news || append (noted, step, first, fault);
      }
    case TB_ELEMENT_CYCLES:
      noted->open &= (e->flags & TB_CYCLES_BESIDE) != 0;
      return true;
    case TB_ELEMENT_TIMESTAMP:
    case TB_ELEMENT_CONTEXT:
    case TB_ELEMENT_EXCEPTION:
    case TB_ELEMENT_EXCEPTION_RETURN:
      noted->open = false;
      return true;
    default:
      return true;
    }
}

void
tb_gaps_end_piece (struct tb_gaps_noted *noted, struct tb_packed_gaps *packed)
{
  free (packed->bytes);
  *packed = noted->packed;
  noted->packed = (struct tb_packed_gaps) { NULL, 0 };
  noted->room = 0;
  noted->last = 0;
}
