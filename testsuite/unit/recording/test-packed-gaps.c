/* Packed gaps: what is joined has all of both, in their places, and bytes that are none are
   refused; the elements of one gap are one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "recording/packed-gaps.h"

#define MOST 100

struct list
{
  struct tb_gap items[MOST];
  size_t count;
};

static void
note (struct tb_gaps_noted *noted, unsigned kind, unsigned reason, uint64_t step, uint64_t first)
{
  const struct tb_element e = { .kind = (uint8_t) kind, .reason = (uint8_t) reason };
  CHECK (tb_gaps_note (noted, &e, step, first));
}

static void
read_all (const struct tb_packed_gaps *packed, uint64_t step, struct list *list)
{
  struct tb_packed_gaps_cursor cursor = tb_packed_gaps_begin (packed, step);
  list->count = 0;
  while (list->count < MOST && tb_packed_gaps_next (&cursor, &list->items[list->count]))
    list->count++;
}

static void
check_gaps (const struct tb_packed_gaps *packed, uint64_t step, const struct tb_gap *want,
	    size_t count)
{
  struct list got;
  read_all (packed, step, &got);
  if (!CHECK_INT (got.count, count))
    return;
  for (size_t i = 0; i < count; i++)
    {
      CHECK_INT (got.items[i].step, want[i].step);
      CHECK_INT (got.items[i].fault, want[i].fault);
    }
}

/* Which elements are a gap, and which are one.  */
static void
test_note (void)
{
  struct tb_gaps_noted noted = { .open = false };
  struct tb_packed_gaps first = { NULL, 0 }, second = { NULL, 0 };
  /* Nothing is missing before the first step.  */
  note (&noted, TB_ELEMENT_NO_SYNC, TB_REASON_BAD_IMAGE, 0, 0);
  note (&noted, TB_ELEMENT_NO_SYNC, TB_REASON_OVERFLOW, 5, 0);
  /* The first reason is that of the gap, ...  */
  note (&noted, TB_ELEMENT_NO_SYNC, TB_REASON_BAD_IMAGE, 5, 0);
  /* ... unless an event is between.  */
  note (&noted, TB_ELEMENT_CONTEXT, 0, 5, 0);
  note (&noted, TB_ELEMENT_NO_SYNC, TB_REASON_BAD_IMAGE, 5, 0);
  note (&noted, TB_ELEMENT_EVENT, 0, 300, 0);
  note (&noted, TB_ELEMENT_Q, 0, 300, 0);
  note (&noted, TB_ELEMENT_EVENT, 0, 300, 0);
  note (&noted, TB_ELEMENT_NO_SYNC, TB_REASON_BAD_IMAGE, 300, 0);
  tb_gaps_end_piece (&noted, &first);
  static const struct tb_gap want[] = {
    { 5, false }, { 5, true }, { 300, false }, { 300, true }, { 100000, true }, { 100300, false }
  };
  check_gaps (&first, 0, want, 4);
  note (&noted, TB_ELEMENT_NO_CODE, TB_REASON_BAD_IMAGE, 100000, 99990);
  note (&noted, TB_ELEMENT_TRACE_ON, 0, 100300, 99990);
  tb_gaps_end_piece (&noted, &second);
  check_gaps (&second, 99990, want + 4, 2);
  CHECK (tb_packed_gaps_valid (second.bytes, second.size, 310));
  CHECK (!tb_packed_gaps_valid (second.bytes, second.size, 309));
  for (size_t size = 0; size < second.size; size++)
    {
      bool whole = size == 0 || !(second.bytes[size - 1] & 128);
      CHECK_INT (tb_packed_gaps_valid (second.bytes, size, UINT64_MAX), whole);
    }
  struct tb_packed_gaps copy = { NULL, 0 }, none = { NULL, 0 };
  CHECK (tb_packed_gaps_copy (&copy, &first));
  CHECK (tb_packed_gaps_join (&copy, &none, 99990));
  check_gaps (&copy, 0, want, 4);
  CHECK (tb_packed_gaps_join (&copy, &second, 99990));
  check_gaps (&copy, 0, want, 6);
  /* What there was none of has the others, as they stand.  */
  CHECK (tb_packed_gaps_join (&none, &second, 990));
  check_gaps (&none, 99000, want + 4, 2);
  free (copy.bytes);
  free (none.bytes);
  CHECK (tb_packed_gaps_copy (&none, &(struct tb_packed_gaps) { NULL, 0 }));
  CHECK (none.bytes == NULL);
  free (first.bytes);
  free (second.bytes);
}

int
main (void)
{
  test_note ();
  static const uint8_t too_long[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f };
  CHECK (!tb_packed_gaps_valid (too_long, sizeof too_long, UINT64_MAX));
  CHECK (tb_packed_gaps_valid (NULL, 0, 0));
  return check_done ();
}
