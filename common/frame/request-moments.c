/* Moments of events.  See request-moments.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-moments.h"

#include <stdlib.h>
#include <string.h>

#include "recording/history.h"
#include "recording/window.h"
#include "util/buffer.h"

/* So many calls can be interrupted before their first instruction at a time; of
   more, the first ones are lost.  */
#define HELD_MOST 32

struct listing
{
  enum tb_request_kind kind;
  const struct tb_request_subject *subject;
  const struct tb_request_trace *trace;
  struct tb_request_moments *moments;
  enum tb_listed status;
  bool ended;			/* The end is reached.  */
};

/* STEP is one, if it is asked for; they come in order.  False: no more.  */
static bool
add (struct listing *l, uint64_t step)
{
  struct tb_request_moments *m = l->moments;
  if (step >= l->trace->end)
    {
      l->ended = true;
      return false;
    }
  if (step < l->trace->from
      || (m->count > 0 && m->items[m->count - 1] >= step))
    return true;
  void *items = m->items;
  if (m->count == TB_REQUEST_MOMENTS_MAX)
    l->status = TB_LISTED_TOO_MANY;
  else if (!tb_grow (&items, &m->capacity, m->count, 1, sizeof *m->items))
    l->status = TB_LISTED_NO_MEMORY;
  m->items = items;
  if (l->status != TB_LISTED)
    return false;
  m->items[m->count++] = step;
  return true;
}

/* Branches that are taken in WINDOW: each ends a run.  */
static bool
add_branches (struct listing *l, const struct tb_window *window)
{
  for (size_t i = 0; i < window->nruns; i++)
    if ((window->runs[i].last_flags & TB_STEP_TAKEN)
	&& !add (l, window->runs[i].step + window->runs[i].count - 1))
      return false;
  return true;
}

/* Before step 0 there is nothing that a gap could be behind.  */
static bool
add_events (struct listing *l, const struct tb_window *window)
{
  bool gaps = l->kind == TB_REQUEST_GAPS;
  for (size_t i = 0; i < window->nevents; i++)
    {
      const struct tb_event *e = &window->events[i];
      if (e->kind == (gaps ? TB_EVENT_GAP : TB_EVENT_EXCEPTION)
	  && !(gaps && e->step == 0) && !add (l, e->step))
	return false;
    }
  return true;
}

static void
list_windows (struct listing *l)
{
  struct tb_recording *r = l->trace->recording;
  /* Events before the first step may stand at the end of the window before.  */
  size_t number = tb_recording_window_at (r, l->trace->from);
  while (number > 0 && tb_recording_window_step (r, number) >= l->trace->from)
    number--;
  for (; number < tb_recording_windows (r); number++)
    {
      const struct tb_window *window = tb_recording_window (r, number);
      if (window == NULL)
	{
	  l->status = TB_LISTED_NO_MEMORY;
	  return;
	}
      if (l->kind == TB_REQUEST_BRANCHES ? !add_branches (l, window)
					 : !add_events (l, window))
	return;
    }
}

/* Is ADDRESS where one of the functions begins (ENTRY), or in one?  */
static bool
is_subject (const struct listing *l, uint64_t address, bool entry)
{
  const struct tb_request_subject *s = l->subject;
  for (size_t i = 0; i < s->nfunctions; i++)
    if (entry ? s->functions[i]->address == address
	: s->functions[i]->address <= address && address < s->functions[i]->end)
      return true;
  return s->nfunctions == 0;
}

/* The PC of STEP, which exists.  */
static uint64_t
pc_of (const struct listing *l, uint64_t step)
{
  struct tb_step found = { .pc = 0 };
  tb_recording_read (l->trace->recording, step, &found, 1);
  return found.pc;
}

/* While history is walked nothing may be asked of the recording, so that calls come
   first, and what may be a tail call is looked at later.  */
struct candidates
{
  struct listing *l;
  struct candidate
  {
    uint64_t step, address;
    bool jump;
  } *items;
  size_t count, capacity;
  /* Exceptions came before the first instruction of what was called; its calls
     come when they are over, the last one first.  */
  struct candidate held[HELD_MOST];
  size_t nheld;
};

static bool
add_candidate (struct candidates *c, uint64_t step, uint64_t address,
	       bool jump)
{
  void *items = c->items;
  if (c->count == TB_REQUEST_MOMENTS_MAX)
    c->l->status = TB_LISTED_TOO_MANY;
  else if (!tb_grow (&items, &c->capacity, c->count, 1, sizeof *c->items))
    c->l->status = TB_LISTED_NO_MEMORY;
  c->items = items;
  if (c->l->status != TB_LISTED)
    return false;
  c->items[c->count++] = (struct candidate) { step, address, jump };
  return true;
}

/* An exception comes before the first instruction of the last call, perhaps.  */
static void
hold (struct candidates *c, const struct tb_history_event *exception)
{
  const struct candidate *last = c->count > 0 ? &c->items[c->count - 1] : NULL;
  if (last == NULL || last->step != exception->step
      || last->address != exception->address)
    return;
  if (c->nheld == HELD_MOST)
    memmove (c->held, c->held + 1, --c->nheld * sizeof c->held[0]);
  c->held[c->nheld++] = *last;
  c->count--;
}

/* Calls, and jumps to where a function begins, which are calls if they come from
   another one.  */
static bool
take_call (void *context, const struct tb_history_event *event)
{
  struct candidates *c = context;
  const struct tb_symbols *symbols = c->l->trace->symbols;
  bool jump = event->kind == TB_HISTORY_JUMP && !event->returns;
  if (event->step >= c->l->trace->end)
    return !(c->l->ended = true);
  if (event->kind == TB_HISTORY_EXCEPTION)
    hold (c, event);
  if (event->kind == TB_HISTORY_LOST)
    c->nheld = 0;
  if (event->exception && c->nheld > 0
      && c->held[c->nheld - 1].address == event->address)
    {
      c->nheld--;
      return add_candidate (c, event->step, event->address,
			    c->held[c->nheld].jump);
    }
  if ((event->kind != TB_HISTORY_CALL && !jump)
      || !is_subject (c->l, event->address, true))
    return true;
  if (jump)
    {
      const struct tb_function *to
	= tb_symbols_function_at (symbols, event->address);
      if (to == NULL || to->address != event->address)
	return true;
    }
  return add_candidate (c, event->step, event->address, jump);
}

/* What returns is the instruction before.  */
static bool
take_return (void *context, const struct tb_history_event *event)
{
  struct candidates *c = context;
  bool returns = !event->exception
		 && (event->kind == TB_HISTORY_RETURN
		     || (event->kind == TB_HISTORY_JUMP && event->returns));
  if (event->step > c->l->trace->end)
    return !(c->l->ended = true);
  return !returns || event->step == 0
	 || add_candidate (c, event->step - 1, 0, false);
}

/* Does CANDIDATE, a jump to where a function begins, come out of another one?  */
static bool
is_tail_call (const struct listing *l, const struct candidate *candidate)
{
  const struct tb_symbols *symbols = l->trace->symbols;
  return candidate->step > 0
	 && tb_symbols_function_at (symbols, candidate->address)
	    != tb_symbols_function_at (symbols, pc_of (l, candidate->step - 1));
}

static void
list_history (struct listing *l)
{
  struct candidates c = { .l = l };
  bool calls = l->kind == TB_REQUEST_CALLS;
  if (!tb_history_walk (l->trace->recording, calls ? take_call : take_return,
			&c)
      && l->status == TB_LISTED && !l->ended)
    l->status = TB_LISTED_NO_MEMORY;
  for (size_t i = 0; i < c.count && l->status == TB_LISTED; i++)
    {
      const struct candidate *one = &c.items[i];
      if (one->step < l->trace->from
	  || (one->jump && !is_tail_call (l, one))
	  || (!calls && l->subject->nfunctions != 0
	      && !is_subject (l, pc_of (l, one->step), false)))
	continue;
      if (!add (l, one->step))
	break;
    }
  free (c.items);
}

static void
list_writes (struct listing *l)
{
  const struct tb_watch_range watch = {
    .address = l->subject->address, .length = l->subject->length,
    .stores = true
  };
  uint64_t steps = tb_recording_steps (l->trace->recording);
  uint64_t end = l->trace->end < steps ? l->trace->end : steps;
  for (uint64_t at = l->trace->from; at < end;)
    {
      struct tb_access_found found;
      enum tb_search result = tb_accesses_next (l->trace->accesses, &watch, 1,
						at, end, &found);
      if (result == TB_SEARCH_NO_MEMORY)
	l->status = TB_LISTED_NO_MEMORY;
      else
	l->moments->unknown += found.unknown_stores + found.unknown_steps;
      if (result != TB_SEARCH_FOUND || !add (l, found.step))
	return;
      at = found.step + 1;
    }
}

enum tb_listed
tb_request_list (enum tb_request_kind kind,
		 const struct tb_request_subject *subject,
		 const struct tb_request_trace *trace,
		 struct tb_request_moments *moments)
{
  struct listing l = { .kind = kind, .subject = subject, .trace = trace,
		       .moments = moments };
  switch (kind)
    {
    case TB_REQUEST_CALLS: case TB_REQUEST_RETURNS:
      list_history (&l);
      break;
    case TB_REQUEST_WRITES:
      list_writes (&l);
      break;
    default:
      list_windows (&l);
      break;
    }
  return l.status;
}
