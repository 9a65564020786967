/* The walk over levels: a stack for each task.  See levels-tasks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/levels-tasks.h"

#include <stdlib.h>
#include <string.h>

#include "recording/stack-code.h"
#include "util/column.h"

/* So many tasks at most wait at a time; of more the first one is forgotten.  */
#define SLEEPERS_MOST 1024

void
tb_levels_forget (struct tb_level_walk *w, size_t at)
{
  struct tb_sleepers *s = w->sleepers;
  free (s->items[at].open);
  free (s->items[at].levels);
  memmove (&s->items[at], &s->items[at + 1],
	   (--s->count - at) * sizeof *s->items);
}

void
tb_levels_tasks_fini (struct tb_level_walk *w)
{
  while (w->sleepers->count > 0)
    tb_levels_forget (w, w->sleepers->count - 1);
  free (w->sleepers->items);
  w->sleepers->items = NULL;
}

struct tb_sleeper *
tb_levels_sleep (struct tb_level_walk *w, size_t count)
{
  struct tb_sleepers *s = w->sleepers;
  if (s->running == 0)
    return NULL;
  if (s->count == SLEEPERS_MOST)
    tb_levels_forget (w, 0);
  bool ok = TB_GROW (s->items, s->room, s->count, 1);
  struct tb_sleeper made = { .task = s->running, .pc = TB_BACK_NONE,
			     .count = count };
  made.open = ok ? malloc (count * sizeof *made.open + 1) : NULL;
  made.levels = ok ? malloc (count * sizeof *made.levels + 1) : NULL;
  if (made.open == NULL || made.levels == NULL)
    {
      free (made.open);
      free (made.levels);
      w->stopped = true;
      return NULL;
    }
  if (count > 0)
    {
      memcpy (made.open, w->open.open, count * sizeof *made.open);
      memcpy (made.levels, level (w, 0), count * sizeof *made.levels);
    }
  s->items[s->count] = made;
  return &s->items[s->count++];
}

void
tb_levels_wake (struct tb_level_walk *w, const struct tb_sleeper *sleeper,
		size_t count, uint64_t step)
{
  for (size_t i = 0; i < count && !w->stopped; i++)
    {
      struct tb_level made = sleeper->levels[i];
      made.resumed = true;
      made.data = NULL;
      tb_levels_open (w, &sleeper->open[i], &made, step);
    }
}

void
tb_levels_root (struct tb_level_walk *w, uint64_t step)
{
  const struct tb_task_slice *slice = tb_tasks_at (w->user->tasks, step);
  if (w->open.count > 0 || slice == NULL || slice->task == 0)
    return;
  w->sleepers->running = slice->task;
  tb_levels_open (w, &(struct tb_open_call) { .step = step,
					      .back = TB_BACK_NONE },
		  &(struct tb_level) {
		    .step = step, .kind = TB_LEVEL_TASK,
		    .number = (uint16_t) slice->task,
		    .task = tb_tasks_get (w->user->tasks, slice->task)
		  }, step);
}

bool
tb_levels_switch (struct tb_level_walk *w, size_t entry, uint64_t step,
		  uint64_t address, const struct waiting *waiting)
{
  struct tb_sleepers *s = w->sleepers;
  const struct tb_task_slice *slice = tb_tasks_at (w->user->tasks, step);
  if (slice == NULL || slice->step != step
      || (slice->task == s->running && w->open.count > 0))
    return false;
  bool interrupted = entry != 0 && level (w, 0)->kind == TB_LEVEL_TASK;
  tb_levels_close (w, interrupted ? entry - 1 : 0, step,
		   interrupted ? TB_LEVEL_LEFT : TB_LEVEL_LOST);
  struct tb_sleeper *old = interrupted ? tb_levels_sleep (w, entry - 1) : NULL;
  if (old != NULL && waiting != NULL)
    {
      old->waiting = *waiting;
      old->waits = true;
    }
  tb_levels_close (w, 0, step, TB_LEVEL_SUSPENDED);
  s->running = slice->task;
  for (size_t i = s->count; i-- > 0 && !w->stopped;)
    if (s->items[i].task == slice->task)
      {
	tb_levels_wake (w, &s->items[i], s->items[i].count, step);
	if (s->items[i].waits)
	  tb_levels_waited (w, &s->items[i].waiting, step, address);
	tb_levels_forget (w, i);
	break;
      }
  return true;
}

/* The innermost level, which did not store the stack pointer, goes on at ADDRESS with one that
   was stored before: find out what SWAP is.  What is left may go on behind the last function
   that saved it (setjmp); where one further out did, it may itself go on (longjmp).  */
static void
find_mark (const struct tb_level_walk *w, uint64_t address, struct tb_swap *swap)
{
  for (size_t at = w->open.count; at-- > 0 && !swap->same;)
    {
      uint64_t mark = level (w, at)->mark;
      bool here = mark == address && at + 2 < w->open.count;
      if (mark == 0 || (swap->known && !here))
	continue;
      swap->levels = at + 1;
      swap->pc = mark;
      swap->known = true;
      swap->same = here;
    }
}

bool
tb_levels_swap (struct tb_level_walk *w, uint64_t step, uint64_t address)
{
  if (tb_open_exception (&w->open) != 0 || (w->finder == NULL && w->user->tasks == NULL))
    return false;
  struct tb_level *l = top (w);
  struct tb_swap swap = { .pc = TB_BACK_NONE, .step = l->step };
  uint64_t back = w->open.open[w->open.count - 1].back;
  if (l->stack & TB_SP_SAVED)
    {
      swap.levels = w->open.count - 1;
      swap.pc = back;
      swap.known = true;
    }
  /* That is a return to the caller, whatever was done to the stack pointer before.  */
  else if (back == address)
    return false;
  else
    find_mark (w, address, &swap);
  if (w->finder == NULL)
    return tb_levels_switch (w, swap.levels + 1, step, address, NULL);
  tb_finder_swap (w, &swap, step, address);
  return true;
}
