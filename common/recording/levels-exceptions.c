/* Levels: exceptions and their ends.  See levels.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/levels-walk.h"
#include "recording/levels-tasks.h"
#include "recording/tasks-find.h"

#include <string.h>

#include "arm/flow/flow.h"
#include "snapshot/m-frame.h"

/* Is exception level number ENTRY - 1 (ENTRY 0: one before the recording) the only one
   that is open?  */
static bool
is_outermost (const struct tb_level_walk *w, size_t entry)
{
  while (entry > 1)
    if (w->open.open[--entry - 1].exception)
      return false;
  return true;
}

/* The branch that WAITING is about led to ADDRESS, before STEP.  */
void
tb_levels_waited (struct tb_level_walk *w, const struct waiting *waiting,
		  uint64_t step, uint64_t address)
{
  if (address == waiting->end.next)
    return;
  w->waited = waiting->end;
  w->last = &w->waited;
  w->last_step = waiting->step;
  w->taken = true;
  tb_levels_arrive (w, step, address, tb_levels_function (w, address));
}

void
tb_levels_leave (struct tb_level_walk *w, uint64_t step, uint64_t address,
		 const struct tb_function *function)
{
  size_t count = w->open.count, entry = tb_open_exception (&w->open);
  uint64_t resume = address;
  struct waiting waiting = { .at = 0 };
  bool waits = false;
  w->taken = w->leaving = false;
  if (entry != 0)
    {
      uint64_t back = w->open.open[entry - 1].back;
      /* It goes on where it was interrupted if that is not told; and what changed
	 where it goes on within the function handled a fault.  */
      if (back == TB_BACK_NONE
	  || (function != NULL && entry > 1
	      && level (w, entry - 2)->function == function))
	resume = back;
      waits = w->nwaiting > 0
	      && w->waiting[w->nwaiting - 1].at == entry - 1;
      if (waits)
	waiting = w->waiting[w->nwaiting - 1];
    }
  if ((w->finder != NULL || w->user->tasks != NULL) && is_outermost (w, entry)
      && (w->finder != NULL ? tb_finder_switch : tb_levels_switch)
	   (w, entry, step, address, waits ? &waiting : NULL))
    return;
  size_t at = tb_open_leave (&w->open, resume, 0);
  /* To another thread: what runs there was called by nobody the trace shows.  */
  w->open.count = count;
  tb_levels_close (w, at != 0 ? at - 1 : 0, step,
		   at != 0 ? TB_LEVEL_LEFT : TB_LEVEL_LOST);
  if (at != 0 && waits)
    tb_levels_waited (w, &waiting, step, address);
}

/* EVENT follows the innermost exception: *BACK is where that would have gone on, and
   *TOLD whether the trace says so.  */
static void
chain (struct tb_level_walk *w, const struct tb_event *event, uint64_t *back,
       bool *told)
{
  size_t entry = tb_open_exception (&w->open);
  w->taken = w->leaving = false;
  *back = entry != 0 ? w->open.open[entry - 1].back : TB_BACK_NONE;
  *told = entry != 0 && w->open.open[entry - 1].told;
  if (entry == 0)
    return;
  bool waits = w->nwaiting > 0 && w->waiting[w->nwaiting - 1].at == entry - 1;
  w->chained = true;
  w->chained_asked = level (w, entry - 1)->asked;
  w->chained_first = level (w, entry - 1)->first;
  w->chained_handed = !w->chained_asked ? UINT64_MAX
		      : level (w, entry - 1)->handed != UINT64_MAX
		      ? level (w, entry - 1)->handed : event->step;
  tb_levels_close (w, entry - 1, event->step, TB_LEVEL_LEFT);
  /* What waits there waits for the one that follows.  */
  w->nwaiting += waits;
}

/* May the last run have ended with a branch that was taken?  */
static bool
may_have_branched (const struct tb_level_walk *w)
{
  return w->last != NULL && (w->taken || w->untold)
	 && (w->last->kind == TB_FLOW_BRANCH
	     || w->last->kind == TB_FLOW_INDIRECT);
}

/* Is E, which ends with a branch, one of T32 that may return from an exception?  */
static bool
is_return (const struct tb_run_end *e)
{
  return e->sub == TB_SUB_V7RETURN || e->sub == TB_SUB_RETURN;
}

/* Does BACK, where an exception of the M profile is told to return to, say that another one was
   over right before?  Trace has the address for it at which a core in lockup stands; but a handler
   in which the core locked up has not returned.  */
static bool
is_chained (const struct tb_level_walk *w, uint64_t back)
{
  return tb_m_is_exc_return (back)
	 || (tb_m_is_lockup (back) && may_have_branched (w) && is_return (w->last));
}

/* Where execution goes on behind EVENT, an exception that does not tell.  *WAITS:
   where the branch before leads to is told by where that is.  */
static uint64_t
find_back (struct tb_level_walk *w, const struct tb_event *event, bool *waits,
	   bool *told)
{
  const struct tb_run_end *e = w->last;
  size_t entry = tb_open_exception (&w->open);
  uint64_t back = TB_BACK_NONE;
  bool branch = may_have_branched (w);
  /* An exception that is over is followed by this one.  */
  if (w->leaving
      || (branch && entry != 0
	  && (e->sub == TB_SUB_ERET || (w->is_m && w->open.count == entry + 1 && is_return (e)))))
    chain (w, event, &back, told);
  else if (branch && e->kind == TB_FLOW_BRANCH
	   && (w->taken || !e->conditional))
    {
      back = e->target;
      *told = w->taken = true;
      tb_levels_arrive (w, event->step, back, tb_levels_function (w, back));
    }
  else if (branch)
    *waits = true;
  else if (e != NULL)
    /* Or, if that did not fault, at the next one.  */
    back = e->last;
  return back;
}

void
tb_levels_exception (struct tb_level_walk *w, const struct tb_event *event)
{
  bool told = !(event->flags & TB_EXCEPTION_NO_RETURN), waits = false;
  uint64_t back = event->address;
  bool chained = w->is_m && told && is_chained (w, back);
  bool asked = w->is_m && (event->exception == TB_SVCALL || event->exception == TB_PENDSV);
  w->chained = false;
  if (event->flags & TB_EXCEPTION_TAIL_CHAIN || chained)
    chain (w, event, &back, &told);
  else if (told)
    {
      /* Where it returns to tells whether a branch before it was taken.  */
      const struct tb_run_end *e = w->last;
      w->taken |= may_have_branched (w) && back != e->next && back != e->last;
      tb_levels_arrive (w, event->step, back, tb_levels_function (w, back));
    }
  else
    back = find_back (w, event, &waits, &told);
  struct waiting branch = { .at = w->open.count, .step = w->last_step };
  if (waits)
    branch.end = *w->last;
  w->taken = false;
  /* On the M profile none interrupts itself: that one is over.  */
  for (size_t i = w->open.count; w->is_m && i > 0; i--)
    if (level (w, i - 1)->kind == TB_LEVEL_EXCEPTION
	&& level (w, i - 1)->number == event->exception
	&& event->exception != TB_EXCEPTION_UNKNOWN)
      tb_levels_close (w, i - 1, event->step, TB_LEVEL_LOST);
  if (w->open.count == 0 && w->user->tasks != NULL)
    tb_levels_root (w, event->step);
  tb_levels_open (w, &(struct tb_open_call) { .step = event->step, .back = back,
					      .exception = true,
					      .told = told },
		  &(struct tb_level) { .step = event->step,
				       .kind = TB_LEVEL_EXCEPTION,
				       .number = event->exception,
				       .first = w->chained ? w->chained_first
						: event->exception,
				       .asked = asked
						|| (w->chained && w->chained_asked),
				       .handed = w->chained ? w->chained_handed : UINT64_MAX,
				       .taken = event->taken }, event->step);
  if (waits && branch.at == w->open.count - 1)
    {
      if (w->nwaiting == WAITING_MOST)
	memmove (w->waiting, w->waiting + 1,
		 --w->nwaiting * sizeof w->waiting[0]);
      w->waiting[w->nwaiting++] = branch;
    }
}
