/* One axis of time for what several sources tell.  See axis.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/axis.h"

#include <stdlib.h>
#include <string.h>

bool
tb_axis_add (struct tb_axis *axis, unsigned lane, const struct tb_when *when,
	     bool has_step, uint64_t place, const char *text)
{
  if (!TB_GROW (axis->items, axis->capacity, axis->count, 1))
    return false;
  axis->items[axis->count] = (struct tb_axis_item) {
    .when = *when, .place = place, .number = axis->count,
    .text = axis->text.size, .lane = lane, .has_step = has_step
  };
  axis->count++;
  tb_buffer_append (&axis->text, text, strlen (text) + 1);
  return !axis->text.failed;
}

/* What came before another thing of its lane was there no later than that.  */
static void
find_keys (struct tb_axis_item *items, size_t count)
{
  uint64_t latest = UINT64_MAX;
  for (size_t i = count; i-- > 0;)
    {
      struct tb_when *when = &items[i].when;
      if (when->to && when->latest < latest)
	latest = when->latest;
      else if (latest != UINT64_MAX)
	{
	  when->to = true;
	  when->latest = latest;
	}
      items[i].key = latest;
    }
}

static int
by_key (const void *a, const void *b)
{
  const struct tb_axis_item *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

void
tb_axis_order (struct tb_axis *axis)
{
  for (size_t i = 0, end; i < axis->count; i = end)
    {
      for (end = i + 1; end < axis->count
			&& axis->items[end].lane == axis->items[i].lane;)
	end++;
      find_keys (axis->items + i, end - i);
    }
  if (axis->count > 0)
    qsort (axis->items, axis->count, sizeof *axis->items, by_key);
}

void
tb_axis_fini (struct tb_axis *axis)
{
  free (axis->items);
  tb_buffer_fini (&axis->text);
  *axis = (struct tb_axis) { .count = 0 };
}
