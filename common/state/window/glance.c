/* Glances: answers from the steps around the one that is asked for.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Who looks at one moment of a long trace would wait for a window to be worked out, a quarter
   of a million steps, and where that is near what is known for those in between.  Most of
   what is known there follows from what is near; so some thousand steps are worked out first,
   as a window of their own.  All that they say is certain as that of any window.  A glance
   changes nothing of the whole: where it would, where it contradicts itself, and with
   assumptions and explanations, the window is asked.  */

#include "config.h"
#include "state/window/windows-kept.h"

/* Steps before and behind the one that is asked for.  */
static uint64_t
around (const struct tb_state *home)
{
  return home->options.glance != 0 ? home->options.glance : TB_STATE_GLANCE;
}

static void
forget (struct tb_glance *glance)
{
  tb_state_close (glance->state);
  *glance = (struct tb_glance) { NULL, 0, 0 };
}

void
tb_glances_forget (struct tb_windows *w)
{
  for (size_t i = 0; i < TB_GLANCES; i++)
    forget (&w->glances.kept[i]);
}

/* Is nothing known of window NUMBER yet, and is a part of it much smaller?  */
static bool
is_new (const struct tb_state *home, size_t number)
{
  const struct tb_windows *w = home->windows;
  const struct tb_window_slot *slot = &w->slots[number];
  return number != 0 && slot->state == NULL && slot->solves == 0
	 && slot->start[0] == NULL && w->size / 4 >= around (home);
}

static bool
holds (const struct tb_state *s, uint64_t step)
{
  return s->base <= step && step - s->base < s->steps;
}

/* Work out the steps around STEP, of window NUMBER.  NULL: they say nothing, or too
   much.  */
static struct tb_state *
work_out (struct tb_state *home, size_t number, uint64_t step)
{
  struct tb_windows *w = home->windows;
  struct tb_diag silent = { 0 };
  uint64_t steps, first = tb_windows_first (w, number, &steps);
  uint64_t reach = around (home);
  uint64_t from = step - first > reach ? step - reach : first;
  uint64_t end = first + steps - step > reach ? step + reach : first + steps;
  struct tb_state *s = tb_state_make (home->recording, &home->options, from, end - from);
  if (s == NULL)
    return NULL;
  s->glance = true;
  tb_windows_give_borders (w, number, s);
  for (unsigned i = 0; i < 2; i++)
    {
      struct tb_border **none[] = { from != first ? &s->before[i] : NULL,
				    end != first + steps ? &s->after[i] : NULL };
      for (unsigned k = 0; k < 2; k++)
	if (none[k] != NULL)
	  {
	    tb_border_unref (*none[k]);
	    *none[k] = NULL;
	  }
    }
  bool more = true;
  if (tb_state_work (s, home, &more, &silent) && !more && !s->graph.conflict
      && s->steps != 0)
    {
      tb_state_freeze (s);
      return s;
    }
  tb_state_close (s);
  /* It showed something of the whole.  */
  if (more && !tb_windows_begin_again (home))
    tb_recording_lacks_memory (home->recording);
  return NULL;
}

struct tb_state *
tb_glance_at (struct tb_state *home, size_t number, uint64_t step)
{
  struct tb_windows *w = home->windows;
  if (step >= w->total || home->options.assume != 0
      || home->options.start != 0 || w->start != 0 || home->options.explain
      || home->options.makers || home->log != NULL)
    return NULL;
  if (w->slots[number].state != NULL && tb_windows_is_behind (w, number))
    {
      w->slots[number].used = ++w->clock;
      w->glances.wanted = number + 1;
      return w->slots[number].state;
    }
  if (!is_new (home, number))
    return NULL;
  struct tb_glance *oldest = &w->glances.kept[0];
  for (size_t i = 0; i < TB_GLANCES; i++)
    {
      struct tb_glance *glance = &w->glances.kept[i];
      if (glance->state != NULL && holds (glance->state, step))
	{
	  glance->used = ++w->clock;
	  w->glances.wanted = number + 1;
	  return glance->state;
	}
      if (glance->used < oldest->used)
	oldest = glance;
    }
  struct tb_state *s = work_out (home, number, step);
  if (s == NULL)
    return NULL;
  forget (oldest);
  *oldest = (struct tb_glance) { s, number, ++w->clock };
  w->glances.wanted = number + 1;
  return s;
}

bool
tb_state_glance (struct tb_state *s, bool on)
{
  bool before = s->windows != NULL && s->windows->glances.on;
  if (s->windows != NULL)
    s->windows->glances.on = on;
  return before;
}

bool
tb_state_glanced (struct tb_state *s, uint64_t step)
{
  struct tb_windows *w = s->windows;
  if (w == NULL || step >= w->total)
    return false;
  if (w->glances.wanted != 0)
    {
      size_t number = w->glances.wanted - 1;
      uint64_t steps, first = tb_windows_first (w, number, &steps);
      if (first <= step && step - first < steps && w->slots[number].state != NULL
	  && tb_windows_is_behind (w, number))
	return true;
    }
  for (size_t i = 0; i < TB_GLANCES; i++)
    {
      const struct tb_glance *glance = &w->glances.kept[i];
      if (glance->state != NULL && holds (glance->state, step) && is_new (s, glance->number))
	return true;
    }
  return false;
}

bool
tb_state_catch_up (struct tb_state *s)
{
  struct tb_windows *w = s->windows;
  if (w == NULL || w->glances.wanted == 0)
    return false;
  uint64_t steps, first = tb_windows_first (w, w->glances.wanted - 1, &steps);
  w->glances.on = false;
  if (w->poll.go_on == NULL)
    tb_windows_at (s, first);
  else if (!tb_state_ready (s, first))
    return true;
  w->glances.wanted = 0;
  return true;
}
