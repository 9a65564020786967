/* The windows of a trace.  See windows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/windows-kept.h"

#include <stdlib.h>
#include <string.h>

#include "state/window/a64.h"

/* More windows than this are made larger instead.  */
#define WINDOWS_MOST (UINT64_C (1) << 20)

uint64_t
tb_windows_size (const struct tb_state_options *options, uint64_t total)
{
  uint64_t size = options->window != 0 ? options->window : TB_STATE_WINDOW;
  uint64_t least = total / WINDOWS_MOST + 1;
  return size < least ? least : size;
}

uint64_t
tb_windows_first (const struct tb_windows *w, size_t number, uint64_t *steps)
{
  uint64_t end = w->total - number * w->size;
  *steps = end < w->size ? end : w->size;
  return end - *steps;
}

bool
tb_state_no_memory (const struct tb_state *s)
{
  if (tb_recording_no_memory (s->recording) || s->graph.failed)
    return true;
  const struct tb_state *others[] = { s->derived, s->assumed, s->variants };
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (others[i] != NULL && tb_state_no_memory (others[i]))
      return true;
  const struct tb_windows *w = s->windows;
  for (size_t i = 1; w != NULL && i < w->count; i++)
    if (w->slots[i].state != NULL && tb_state_no_memory (w->slots[i].state))
      return true;
  return false;
}

static void
forget_borders (struct tb_window_slot *slot)
{
  for (unsigned i = 0; i < 2; i++)
    {
      tb_border_unref (slot->start[i]);
      tb_border_unref (slot->end[i]);
      slot->start[i] = slot->end[i] = NULL;
    }
  tb_relied_fini (&slot->relied);
  slot->version++;
}

void
tb_windows_evict (struct tb_windows *w, size_t number)
{
  struct tb_window_slot *slot = &w->slots[number];
  if (number != 0)
    {
      if (slot->state != NULL && tb_state_no_memory (slot->state))
	tb_recording_lacks_memory (slot->state->recording);
      tb_state_close (slot->state);
    }
  slot->state = NULL;
  w->current = NULL;
  w->bytes -= slot->bytes;
  slot->bytes = 0;
}

static void
replace (struct tb_window_slot *slot, struct tb_border **old, struct tb_border *border)
{
  if (tb_border_same (*old, border))
    tb_border_unref (border);
  else
    {
      slot->version++;
      tb_border_unref (*old);
      *old = border;
    }
}

/* Window SLOT was solved, and is STATE now.  Keep what it relies on; *LESS: it told its
   neighbours what it assumed, and has given some of that up.  False: no memory.  */
static bool
take_relied (struct tb_windows *w, struct tb_window_slot *slot, const struct tb_state *state,
	     bool *less)
{
  struct tb_relied now;
  *less = false;
  bool ok = tb_relied_read (&now, state->assumed, state)
	    && (slot->start[1] == NULL
		|| tb_relied_give_up (&w->given_up, &slot->relied, &now, less));
  tb_relied_fini (&slot->relied);
  slot->relied = now;
  return ok;
}

/* Keep what STATE knows at its ends.  */
static bool
take_borders (const struct tb_windows *w, struct tb_window_slot *slot, struct tb_state *state)
{
  for (unsigned i = 0; i < 2; i++)
    {
      struct tb_state *s = i == 0 ? state
			   : w->gave_up < TB_WINDOWS_GAVE_UP ? state->assumed : NULL;
      struct tb_border *start = NULL, *end = NULL;
      if (s != NULL)
	{
	  start = tb_state_border (s, false);
	  end = tb_state_border (s, true);
	  if (start == NULL || end == NULL)
	    {
	      tb_border_unref (start);
	      tb_border_unref (end);
	      return false;
	    }
	}
      replace (slot, &slot->start[i], start);
      replace (slot, &slot->end[i], end);
    }
  return true;
}

static size_t
state_bytes (const struct tb_state *s)
{
  size_t bytes = sizeof *s + s->templates_room * sizeof *s->templates
		 + s->uops_room * sizeof *s->uops
		 + s->changes_room * sizeof *s->changes
		 + s->ncheckpoints * s->checkpoint_size
		 + s->owners.room * sizeof *s->owners.items
		 + s->steps * sizeof *s->info + tb_graph_bytes (&s->graph)
		 + s->facts.pairs.room * sizeof *s->facts.pairs.items
		 + tb_memory_bytes (&s->memory) + tb_walk_bytes (&s->walk);
  if (s->a64 != NULL)
    bytes += sizeof *s->a64;
  return s->assumed != NULL ? bytes + state_bytes (s->assumed) : bytes;
}

void
tb_windows_give_borders (const struct tb_windows *w, size_t number,
			 struct tb_state *state)
{
  for (unsigned i = 0; i < 2; i++)
    {
      struct tb_border *before = NULL, *after = NULL;
      if (number + 1 < w->count)
	{
	  const struct tb_window_slot *earlier = &w->slots[number + 1];
	  before = earlier->end[earlier->end[i] != NULL ? i : 0];
	}
      if (number > 0)
	{
	  const struct tb_window_slot *later = &w->slots[number - 1];
	  after = later->start[later->start[i] != NULL ? i : 0];
	}
      tb_border_ref (before);
      tb_border_ref (after);
      tb_border_unref (state->before[i]);
      tb_border_unref (state->after[i]);
      state->before[i] = before;
      state->after[i] = after;
    }
}

bool
tb_windows_begin_again (struct tb_state *home)
{
  struct tb_windows *w = home->windows;
  struct tb_diag silent = { 0 };
  bool more = true;
  tb_windows_drop_aside (w);
  w->begun++;
  tb_glances_forget (w);
  tb_windows_drop_next (w);
  for (size_t i = 0; i < w->count; i++)
    {
      if (i != 0)
	tb_windows_evict (w, i);
      forget_borders (&w->slots[i]);
      w->slots[i].solves = 0;
    }
  tb_windows_give_borders (w, 0, home);
  if (home->options.trust != NULL && !tb_state_find_trust (home))
    return false;
  for (unsigned i = 0; more && i < TB_WINDOWS_BEGUN; i++)
    if (!tb_state_work (home, home, &more, &silent))
      return false;
  if (!take_relied (w, &w->slots[0], home, &more) || !take_borders (w, &w->slots[0], home))
    return false;
  if (!home->options.explain)
    tb_state_freeze (home);
  return true;
}

/* Window NUMBER to be solved: as it is kept, or a new one; also that if it is begun already, or
   if POLL is not NULL, so that what is kept stays where that is given up.  NULL: no memory, or
   given up.  */
static struct tb_state *
take (struct tb_state *home, size_t number, struct tb_poll *poll)
{
  struct tb_windows *w = home->windows;
  struct tb_state *kept = w->slots[number].state;
  if (number == 0)
    return kept;
  struct tb_state *next = tb_windows_take_next (home, number);
  if (next != NULL)
    {
      next->options.poll = poll;
      return next;
    }
  if (kept != NULL && poll == NULL)
    return kept;
  struct tb_state_options options = home->options;
  options.poll = poll;
  uint64_t steps, base = tb_windows_first (w, number, &steps);
  return tb_state_make (home->recording, &options, base, steps);
}

void
tb_windows_work (struct tb_state *home, size_t number, struct tb_poll *poll,
		 struct tb_diag *diag, struct tb_window_work *work)
{
  struct tb_state *s = take (home, number, poll);
  *work = (struct tb_window_work) { s, false, false };
  if (s == NULL)
    return;
  tb_windows_give_borders (home->windows, number, s);
  work->ok = tb_state_work (s, home, &work->more, diag);
  s->options.poll = NULL;
}

/* The same, aside if nobody waits for it.  False: it rests.  */
static bool
work_anyhow (struct tb_state *home, size_t number, struct tb_diag *diag,
	     struct tb_window_work *work)
{
  const struct tb_windows *w = home->windows;
  bool asks = number != 0 && w->ahead && w->poll.go_on != NULL && !tb_windows_has_turn (w);
  if (asks || tb_windows_is_aside (home, number))
    return tb_windows_work_aside (home, number, asks, diag, work);
  tb_windows_work (home, number, NULL, diag, work);
  return true;
}

/* Let go of S, which is not kept.  */
static void
drop (const struct tb_windows *w, struct tb_state *s)
{
  if (!tb_windows_stopped (w) && tb_state_no_memory (s))
    tb_recording_lacks_memory (s->recording);
  tb_state_close (s);
}

/* Work window NUMBER out until nothing begins again.  False: no memory, or given up.  */
static bool
work_out (struct tb_state *home, size_t number, struct tb_diag *diag)
{
  struct tb_windows *w = home->windows;
  struct tb_window_slot *slot = &w->slots[number];
  bool more = true;
  while (more)
    {
      struct tb_window_work work;
      if (!work_anyhow (home, number, diag, &work) || work.state == NULL)
	return false;
      struct tb_state *s = work.state;
      bool ok = work.ok, less = false;
      more = work.more;
      /* All begin again for what was assumed: what that showed to be wrong stays so.  */
      if (ok && more && s->assumed != NULL)
	ok = take_relied (w, slot, s, &less);
      w->gave_up += less;
      if (s != slot->state && (!ok || more))
	drop (w, s);
      else if (s != slot->state)
	{
	  tb_windows_evict (w, number);
	  slot->state = s;
	}
      if (ok && (!more || tb_windows_begin_again (home)))
	continue;
      if (number != 0 && !tb_windows_stopped (w))
	tb_windows_evict (w, number);
      return false;
    }
  return true;
}

/* Solve window NUMBER.  False: no memory, or given up.  */
static bool
solve (struct tb_state *home, size_t number, struct tb_diag *diag)
{
  struct tb_windows *w = home->windows;
  struct tb_window_slot *slot = &w->slots[number];
  bool less = true;
  w->current = NULL;
  while (less)
    {
      if (!work_out (home, number, diag) || !take_relied (w, slot, slot->state, &less))
	return false;
      w->gave_up += less;
      if (less && !tb_windows_begin_again (home))
	return false;
    }
  slot->solves++;
  if (!take_borders (w, slot, slot->state))
    return false;
  if (!home->options.explain)
    tb_state_freeze (slot->state);
  if (number != 0)
    {
      w->bytes -= slot->bytes;
      slot->bytes = state_bytes (slot->state);
      w->bytes += slot->bytes;
    }
  return true;
}

/* The bytes that HOME keeps beside its last window, and its variants beside theirs.  */
static size_t
kept_bytes (const struct tb_state *home)
{
  size_t bytes = home->windows->bytes;
  /* A variant is in the list itself.  */
  if (home->origin == NULL)
    for (const struct tb_state *v = home->variants; v != NULL; v = v->variants)
      bytes += v->windows != NULL ? v->windows->bytes : 0;
  return bytes;
}

/* Let go of those that were not asked for for the longest time, but not of
   KEEP.  */
static void
make_room (struct tb_state *home, size_t keep)
{
  struct tb_windows *w = home->windows;
  while (kept_bytes (home) > w->budget)
    {
      size_t oldest = 0;
      for (size_t i = 1; i < w->count; i++)
	if (w->slots[i].state != NULL && i != keep
	    && (oldest == 0 || w->slots[i].used < w->slots[oldest].used))
	  oldest = i;
      if (oldest == 0)
	return;
      tb_windows_evict (w, oldest);
    }
}

struct tb_state *
tb_windows_get (struct tb_state *home, size_t number, struct tb_diag *diag)
{
  struct tb_windows *w = home->windows;
  struct tb_window_slot *slot = &w->slots[number];
  if (number != w->asked)
    {
      w->back = number > w->asked;
      w->in_row = (w->back ? number - w->asked : w->asked - number) == 1;
      w->asked = number;
    }
  if ((slot->state == NULL || tb_windows_is_behind (w, number))
      && !solve (home, number, diag))
    return NULL;
  slot->used = ++w->clock;
  make_room (home, number);
  w->current = slot->state;
  return slot->state;
}

bool
tb_windows_new (struct tb_state *home)
{
  struct tb_windows *w = calloc (1, sizeof *w);
  if (w == NULL)
    return false;
  home->windows = w;
  home->options.given_up = &w->given_up;
  w->total = tb_recording_steps (home->recording);
  w->size = tb_windows_size (&home->options, w->total);
  w->count = (size_t) ((w->total + w->size - 1) / w->size);
  w->budget = home->options.memory != 0 ? home->options.memory
	      : TB_STATE_MEMORY;
  w->slots = calloc (w->count, sizeof *w->slots);
  if (w->slots == NULL)
    return false;
  w->slots[0].state = home;
  w->slots[0].solves = 1;
  /* What it lost is lost elsewhere, too; then it may lose more.  */
  struct tb_diag silent = { 0 };
  bool more = false, others = false;
  if (!tb_windows_lose (home, home, &more)
      || !tb_state_share_code (home, home, &others)
      || (more && (!tb_state_find_trust (home)
		   || !tb_state_work (home, home, &more, &silent))))
    return false;
  return take_relied (w, &w->slots[0], home, &more) && take_borders (w, &w->slots[0], home);
}

void
tb_windows_free (struct tb_windows *w)
{
  if (w == NULL)
    return;
  tb_windows_free_aside (w);
  for (size_t i = 0; w->slots != NULL && i < w->count; i++)
    {
      tb_windows_evict (w, i);
      forget_borders (&w->slots[i]);
    }
  tb_glances_forget (w);
  tb_windows_free_next (w);
  free (w->given_up.items);
  free (w->slots);
  free (w);
}

size_t
tb_windows_number (const struct tb_windows *w, uint64_t step)
{
  return step >= w->total ? 0 : (size_t) ((w->total - 1 - step) / w->size);
}

struct tb_state *
tb_windows_reach (struct tb_state *home, size_t number)
{
  struct tb_windows *w = home->windows;
  struct tb_diag silent = { 0 };
  size_t later = number;
  while (later > 0 && w->slots[later - 1].start[0] == NULL)
    later--;
  bool far = (number - later) * w->size >= TB_WINDOWS_REACH;
  if (w->slots[number].state == NULL && !far)
    for (; later < number; later++)
      if (tb_windows_get (home, later, &silent) == NULL)
	return NULL;
  return tb_windows_get (home, number, &silent);
}

struct tb_state *
tb_windows_at (struct tb_state *home, uint64_t step)
{
  struct tb_windows *w = home->windows;
  if (w == NULL)
    return home;
  struct tb_state *s = w->current;
  if (s != NULL && step - s->base < s->steps)
    return s;
  size_t number = tb_windows_number (w, step);
  s = w->glances.on ? tb_glance_at (home, number, step) : NULL;
  if (s == NULL)
    s = tb_windows_reach (home, number);
  if (s != NULL)
    return s;
  tb_recording_lacks_memory (home->recording);
  return home;
}
