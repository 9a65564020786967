/* What data trace tells of the steps of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A window has what came in its part of the trace, which may be of steps before it:
   what comes late is looked for in the windows behind, within a bound that does not
   depend on where windows end.  */

#include "config.h"
#include "recording/recording-internal.h"

#include <stdlib.h>

#include "util/buffer.h"

/* What element E tells, AT being the state after it; false: of nothing here.  */
static bool
transfer_of (struct tb_transfer *t, const struct tb_element *e,
	     const struct tb_window_start *at)
{
  bool exception = e->flags & (TB_DATA_PUSHED | TB_DATA_POPPED);
  uint64_t back = (uint64_t) e->u.data.back + !exception;
  if (e->flags & TB_DATA_UNTIED || back > at->step || back > TB_TRANSFER_LATE)
    return false;
  *t = (struct tb_transfer) {
    .step = at->step - back, .index = e->index, .late_index = e->index,
    .entry = e->u.data.entry,
    .by = e->flags & TB_DATA_PUSHED ? TB_BY_ENTRY
	  : e->flags & TB_DATA_POPPED ? TB_BY_RETURN : TB_BY_STEP,
    .part = e->u.data.part, .failed = e->flags & TB_DATA_FAILED,
    .big_endian = e->flags & TB_DATA_BIG_ENDIAN,
    .doubtful = e->flags & TB_DATA_SUPPRESSED
  };
  if (e->kind == TB_ELEMENT_DATA_ADDRESS)
    {
      t->address = (uint32_t) e->u.data.value;
      t->address_bits = e->u.data.bits;
      t->relative = e->u.data.sent < e->u.data.bits;
    }
  else
    {
      t->value = (uint32_t) e->u.data.value;
      t->done = e->u.data.sent != 0
		&& !(e->flags & (TB_DATA_FAILED | TB_DATA_NOT_TRACED | TB_DATA_SUPPRESSED));
      t->has_value = !(e->flags & (TB_DATA_NOT_TRACED | TB_DATA_SUPPRESSED));
    }
  return true;
}

static bool
same_part (const struct tb_transfer *x, const struct tb_transfer *y)
{
  return x->step == y->step && x->by == y->by && x->entry == y->entry
	 && x->part == y->part;
}

/* Add to TO what FROM tells of the same part.  */
static void
merge (struct tb_transfer *to, const struct tb_transfer *from)
{
  if (from->address_bits > to->address_bits)
    {
      to->address = from->address;
      to->address_bits = from->address_bits;
      to->relative = from->relative;
      to->big_endian = from->big_endian;
    }
  if (from->has_value)
    {
      to->value = from->value;
      to->has_value = true;
    }
  if (from->index < to->index)
    to->index = from->index;
  if (from->late_index > to->late_index)
    to->late_index = from->late_index;
  to->failed |= from->failed;
  to->done |= from->done;
  to->doubtful |= from->doubtful;
}

bool
tb_window_add_transfer (struct tb_window *w, const struct tb_element *e,
			const struct tb_window_start *at)
{
  struct tb_transfer t;
  if (!transfer_of (&t, e, at))
    return true;
  if (w->ntransfers > 0 && same_part (&w->transfers[w->ntransfers - 1], &t))
    {
      merge (&w->transfers[w->ntransfers - 1], &t);
      return true;
    }
  bool ok = TB_GROW (w->transfers, w->transfer_capacity, w->ntransfers, 1);
  if (ok)
    w->transfers[w->ntransfers++] = t;
  return ok;
}

static int
compare (const void *a, const void *b)
{
  const struct tb_transfer *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->by != y->by)
    return x->by < y->by ? -1 : 1;
  if (x->entry != y->entry)
    return x->entry < y->entry ? -1 : 1;
  return (x->part > y->part) - (x->part < y->part);
}

/* Each part once.  */
static size_t
put_together (struct tb_transfer *items, size_t count)
{
  size_t n = 0;
  if (count > 0)
    qsort (items, count, sizeof *items, compare);
  for (size_t i = 0; i < count; i++)
    if (n > 0 && same_part (&items[n - 1], &items[i]))
      merge (&items[n - 1], &items[i]);
    else
      items[n++] = items[i];
  return n;
}

bool
tb_recording_transfers (struct tb_recording *r, uint64_t first, uint64_t end,
			struct tb_transfer **transfers, size_t *count)
{
  void *items = NULL;
  size_t n = 0, room = 0;
  bool ok = true;
  *transfers = NULL;
  *count = 0;
  if (r->decoder == NULL || !r->decoder->has_data || first >= end)
    return true;
  size_t number = tb_recording_window_at (r, first);
  /* Those of an exception may stand at the end of the window before.  */
  while (number > 0 && tb_recording_window_step (r, number) >= first)
    number--;
  for (; ok && number < tb_recording_windows (r)
	 && tb_recording_window_step (r, number) <= end + TB_TRANSFER_LATE;
       number++)
    {
      const struct tb_window *w = tb_recording_window (r, number);
      ok = w != NULL;
      for (size_t i = 0; ok && i < w->ntransfers; i++)
	{
	  const struct tb_transfer *t = &w->transfers[i];
	  if (t->step < first || t->step >= end)
	    continue;
	  ok = tb_grow (&items, &room, n, 1, sizeof *t);
	  if (ok)
	    ((struct tb_transfer *) items)[n++] = *t;
	}
    }
  if (!ok)
    {
      free (items);
      return false;
    }
  *transfers = items;
  *count = put_together (items, n);
  return true;
}
