/* The system's time in a recording.  See stamps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/stamps.h"

#include <stdlib.h>

#include "recording/window.h"
#include "util/search.h"

bool
tb_stamps_read (struct tb_stamps *s, struct tb_recording *recording)
{
  for (size_t i = 0; i < tb_recording_windows (recording); i++)
    {
      const struct tb_window *window = tb_recording_window (recording, i);
      if (window == NULL)
	return false;
      for (size_t k = 0; k < window->nevents; k++)
	{
	  const struct tb_event *e = &window->events[k];
	  void *items = s->items;
	  if (e->kind != TB_EVENT_TIMESTAMP || e->value == 0)
	    continue;
	  if (s->count > 0 && e->value < s->items[s->count - 1].time)
	    {
	      s->count = 0;
	      return true;
	    }
	  if (!tb_grow (&items, &s->capacity, s->count, 1, sizeof *s->items))
	    return false;
	  s->items = items;
	  s->items[s->count++] = (struct tb_stamp) { e->step, e->value };
	}
    }
  return true;
}

void
tb_stamps_fini (struct tb_stamps *stamps)
{
  free (stamps->items);
  *stamps = (struct tb_stamps) { .count = 0 };
}

size_t
tb_stamps_before (const struct tb_stamps *s, uint64_t time)
{
  size_t low;
  TB_LOWER_BOUND (low, s->count, s->items[low].time < time);
  return low;
}

double
tb_stamps_time (const struct tb_stamps *s, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, s->count, s->items[low].step <= step);
  if (low == 0)
    return (double) s->items[0].time;
  const struct tb_stamp *before = &s->items[low - 1];
  if (low == s->count)
    return (double) before->time;
  const struct tb_stamp *next = before + 1;
  return (double) before->time
	 + (double) (next->time - before->time) * (double) (step - before->step)
	   / (double) (next->step - before->step);
}
