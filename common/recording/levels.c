/* Levels.  See levels.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/levels.h"

#include <string.h>

#include "arm/flow.h"
#include "recording/open-calls.h"
#include "recording/run-ends.h"
#include "recording/window.h"

/* Deeper than that no program goes that returns; all is forgotten then.  */
#define DEPTH_MOST 65536

/* So many exceptions can be open whose return address is not told and that came
   behind an indirect branch.  */
#define WAITING_MOST 32

#define EXC_RETURN_LEAST UINT32_C (0xff000000)

/* A branch that was taken before an exception, to where it is not told.  */
struct waiting
{
  size_t at;			/* The exception's level.  */
  struct tb_run_end end;
  uint64_t step;
};

struct walk
{
  struct tb_recording *recording;
  const struct tb_symbols *symbols;
  const struct tb_level_user *user;
  struct tb_run_ends *ends;
  struct tb_open_calls open;	/* With a struct tb_level each.  */
  bool is_m;
  const struct tb_run_end *last;	/* Of the run before, if there is one */
  uint64_t last_step;		/* that ends there */
  bool taken;			/* with a branch that was taken,  */
  bool untold;			/* or with what may be one.  */
  bool leaving;			/* An exception returned; it is not yet known
				   where to.  */
  struct waiting waiting[WAITING_MOST];
  size_t nwaiting;
  bool stopped;			/* By the user, or without memory.  */
  struct tb_run_end waited;	/* Of one of these, that goes on.  */
  bool asked;			/* Something was asked of the recording: the window
				   may be gone.  */
};

static struct tb_level *
level (const struct walk *w, size_t at)
{
  return tb_open_extra (&w->open, at);
}

static struct tb_level *
top (const struct walk *w)
{
  return level (w, w->open.count - 1);
}

static const struct tb_function *
function_at (const struct walk *w, uint64_t address)
{
  return w->symbols != NULL ? tb_symbols_function_at (w->symbols, address)
			    : NULL;
}

/* Names for stack pointers: those before a step.  */
static uint64_t
sp_before (uint64_t step)
{
  return step + 1;
}

static bool
find_sp (struct walk *w, uint64_t step, uint64_t *sp)
{
  w->asked = true;
  return w->user->sp != NULL && w->user->sp (w->user->sp_context, step, sp);
}

static enum tb_same
same_sp (const void *context, uint64_t a, uint64_t b)
{
  struct walk *w = (struct walk *) context;
  uint64_t x, y;
  if (a == b)
    return TB_SAME;
  if (!find_sp (w, a - 1, &x) || !find_sp (w, b - 1, &y))
    return TB_SAME_UNSURE;
  return x == y ? TB_SAME : TB_SAME_NOT;
}

/* Close all but the COUNT outermost levels before STEP: the innermost one by END,
   what is around it is left, or lost.  */
static void
close_to (struct walk *w, size_t count, uint64_t step, enum tb_level_end end)
{
  const struct tb_level_user *user = w->user;
  w->asked = true;
  while (w->open.count > count)
    {
      if (user->close != NULL && !w->stopped
	  && !user->close (user->context, level (w, 0), w->open.count, step,
			   end, w->last_step))
	w->stopped = true;
      w->open.count--;
      if (end == TB_LEVEL_RETURNED)
	end = TB_LEVEL_LEFT;
    }
  while (w->nwaiting > 0 && w->waiting[w->nwaiting - 1].at >= count)
    w->nwaiting--;
}

/* Open LEVEL before its first step.  CALL: when, and what ends it.  */
static void
open_level (struct walk *w, const struct tb_open_call *call,
	    const struct tb_level *made)
{
  if (w->open.count == DEPTH_MOST)
    close_to (w, 0, made->step, TB_LEVEL_LOST);
  struct tb_level *l = tb_open_push (&w->open, call);
  if (l == NULL)
    {
      w->stopped = true;
      return;
    }
  *l = *made;
  w->asked = true;
  if (w->user->open != NULL && !w->stopped
      && !w->user->open (w->user->context, level (w, 0), w->open.count,
			 made->step))
    w->stopped = true;
}

/* Code of FUNCTION, at ADDRESS, runs in place of that of the innermost level, from
   STEP on.  JUMPED: by a branch.  */
static void
take_over (struct walk *w, uint64_t step, uint64_t address,
	   const struct tb_function *function, bool jumped,
	   enum tb_level_end end)
{
  const struct tb_open_call call = w->open.open[w->open.count - 1];
  const struct tb_level old = *top (w);
  bool tail = jumped && function != NULL && function->address == address;
  close_to (w, w->open.count - 1, step, end);
  open_level (w, &call, &(struct tb_level) {
		.function = function, .address = address, .step = step,
		.kind = tail ? TB_LEVEL_TAIL : TB_LEVEL_PART,
		.replaced = old.function
	      });
}

/* The code of FUNCTION at ADDRESS runs from STEP on, whatever led to it: its level
   is the innermost one then.  */
static void
settle (struct walk *w, uint64_t step, uint64_t address,
	const struct tb_function *function)
{
  struct tb_level *l = w->open.count > 0 ? top (w) : NULL;
  if (l != NULL && l->kind != TB_LEVEL_EXCEPTION)
    {
      if (l->function != function)
	take_over (w, step, address, function, false, TB_LEVEL_REPLACED);
      return;
    }
  bool handler = l != NULL && !l->ran;
  if (l != NULL)
    l->ran = true;
  open_level (w, &(struct tb_open_call) { .step = step, .back = TB_BACK_NONE },
	      &(struct tb_level) {
		.function = function, .address = handler ? address : 0,
		.step = step,
		.kind = handler ? TB_LEVEL_HANDLER : TB_LEVEL_BASE
	      });
}

static void arrive (struct walk *w, uint64_t step, uint64_t address,
		    const struct tb_function *function);

/* The last run ended with a call, to ADDRESS.  */
static void
enter_call (struct walk *w, uint64_t step, uint64_t address,
	    const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  uint64_t back = e->sub == TB_SUB_LINK ? e->next : e->back;
  bool stays = function != NULL || e->function != NULL
	       ? function == e->function && address != function->address
	       : address == back;
  if (stays)
    {
      if (w->open.count > 0)
	top (w)->local = back;
      return;
    }
  open_level (w, &(struct tb_open_call) { .step = step, .back = back,
					  .sp = sp_before (step) },
	      &(struct tb_level) { .function = function, .address = address,
				   .step = step, .kind = TB_LEVEL_CALL });
}

/* An exception is over, before STEP; execution goes on at ADDRESS.  */
static void
leave (struct walk *w, uint64_t step, uint64_t address,
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
  size_t at = tb_open_leave (&w->open, resume, 0);
  /* To another thread: what runs there was called by nobody the trace shows.  */
  w->open.count = count;
  close_to (w, at != 0 ? at - 1 : 0, step,
	    at != 0 ? TB_LEVEL_LEFT : TB_LEVEL_LOST);
  if (at != 0 && waits && address != waiting.end.next)
    {
      w->waited = waiting.end;
      w->last = &w->waited;
      w->last_step = waiting.step;
      w->taken = true;
      arrive (w, step, address, function);
    }
}

/* Is level number AT known to be over before STEP?  Stacks grow down: what was
   entered below the stack pointer is.  */
static bool
is_over (struct walk *w, size_t at, uint64_t step)
{
  uint64_t sp, entered;
  return w->user->sp != NULL && w->open.open[at].sp != 0
	 && find_sp (w, step, &sp)
	 && find_sp (w, w->open.open[at].sp - 1, &entered) && entered < sp;
}

/* Execution goes on in FUNCTION, where no open call returns to: in a caller whose
   level is open, or in what is not known.  */
static void
go_elsewhere (struct walk *w, uint64_t step,
	      const struct tb_function *function)
{
  size_t outer = tb_open_exception (&w->open);
  for (size_t at = w->open.count - 1; at > outer && function != NULL; at--)
    if (level (w, at - 1)->function == function && !is_over (w, at - 1, step))
      {
	close_to (w, at, step, TB_LEVEL_RETURNED);
	return;
      }
  close_to (w, outer, step, TB_LEVEL_RETURNED);
}

/* The last run ended with an indirect branch to ADDRESS, which is no call and no
   return of one that is open.  */
static void
jump (struct walk *w, uint64_t step, uint64_t address,
      const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  bool returns = e->sub == TB_SUB_RETURN || e->sub == TB_SUB_V7RETURN;
  size_t entry = tb_open_exception (&w->open);
  if (w->open.count == entry)
    return;
  struct tb_level *l = top (w);
  if (l->local != 0 && l->local == address)
    {
      l->local = 0;
      return;
    }
  bool stays = function == e->function;
  /* The M profile returns from exceptions by instructions that return from
     functions, too; a log may not say so.  */
  bool leaves = w->is_m && returns && entry != 0;
  bool handler = w->open.count == entry + 1;
  uint64_t back = entry != 0 ? w->open.open[entry - 1].back : 0;
  if (leaves && (back == TB_BACK_NONE ? handler
					: address - back <= TB_BACK_OVER))
    leave (w, step, address, function);
  else if (!stays && function != NULL && function->address == address)
    take_over (w, step, address, function, true, TB_LEVEL_REPLACED);
  else if (!returns && (stays || w->symbols == NULL))
    return;
  else if (!stays && l->replaced != NULL && l->replaced == function
	   && !is_over (w, w->open.count - 1, step))
    take_over (w, step, address, function, true, TB_LEVEL_RETURNED);
  else if (stays && w->open.open[w->open.count - 1].back != TB_BACK_NONE
	   && function != NULL)
    return;
  else if (leaves && handler)
    leave (w, step, address, function);
  else
    go_elsewhere (w, step, function);
}

/* The last run ended with an indirect branch to ADDRESS that is no call.  */
static void
go_back (struct walk *w, uint64_t step, uint64_t address,
	 const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  bool returns = e->sub == TB_SUB_RETURN || e->sub == TB_SUB_V7RETURN;
  size_t at = tb_open_returns (&w->open, address, 0);
  /* Not from the innermost call: from which one the stack pointer may tell; a
     jump within a function may come to where an outer one of the same goes on.  */
  if (at != 0 && at != w->open.count)
    at = !returns && function == e->function && function != NULL ? 0
	 : tb_open_returns (&w->open, address, sp_before (step));
  if (at != 0)
    close_to (w, at - 1, step, TB_LEVEL_RETURNED);
  else
    jump (w, step, address, function);
}

/* Execution goes on at ADDRESS, in FUNCTION, before STEP, by what came before.  */
static void
arrive (struct walk *w, uint64_t step, uint64_t address,
	const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  if (w->leaving)
    {
      leave (w, step, address, function);
      return;
    }
  if (!w->taken)
    return;
  w->taken = false;
  if (e->sub == TB_SUB_LINK || e->back != TB_BACK_NONE)
    enter_call (w, step, address, function);
  else if (e->sub == TB_SUB_ERET)
    leave (w, step, address, function);
  else if (e->kind == TB_FLOW_INDIRECT)
    go_back (w, step, address, function);
  else if (e->kind == TB_FLOW_BRANCH && function != e->function
	   && w->open.count > tb_open_exception (&w->open))
    take_over (w, step, address, function, true, TB_LEVEL_REPLACED);
}

/* EVENT follows the innermost exception: *BACK is where that would have gone on.  */
static void
chain (struct walk *w, const struct tb_event *event, uint64_t *back)
{
  size_t entry = tb_open_exception (&w->open);
  w->taken = w->leaving = false;
  *back = entry != 0 ? w->open.open[entry - 1].back : TB_BACK_NONE;
  if (entry == 0)
    return;
  bool waits = w->nwaiting > 0 && w->waiting[w->nwaiting - 1].at == entry - 1;
  close_to (w, entry - 1, event->step, TB_LEVEL_LEFT);
  /* What waits there waits for the one that follows.  */
  w->nwaiting += waits;
}

/* May the last run have ended with a branch that was taken?  */
static bool
may_have_branched (const struct walk *w)
{
  return w->last != NULL && (w->taken || w->untold)
	 && (w->last->kind == TB_FLOW_BRANCH
	     || w->last->kind == TB_FLOW_INDIRECT);
}

/* Where execution goes on behind EVENT, an exception that does not tell.  *WAITS:
   where the branch before leads to is told by where that is.  */
static uint64_t
find_back (struct walk *w, const struct tb_event *event, bool *waits)
{
  const struct tb_run_end *e = w->last;
  size_t entry = tb_open_exception (&w->open);
  uint64_t back = TB_BACK_NONE;
  bool branch = may_have_branched (w);
  /* An exception that is over is followed by this one.  */
  if (w->leaving
      || (branch && entry != 0
	  && (e->sub == TB_SUB_ERET
	      || (w->is_m && w->open.count == entry + 1
		  && (e->sub == TB_SUB_V7RETURN || e->sub == TB_SUB_RETURN)))))
    chain (w, event, &back);
  else if (branch && e->kind == TB_FLOW_BRANCH
	   && (w->taken || !e->conditional))
    {
      back = e->target;
      w->taken = true;
      arrive (w, event->step, back, function_at (w, back));
    }
  else if (branch)
    *waits = true;
  else if (e != NULL)
    /* Or, if that did not fault, at the next one.  */
    back = e->last;
  return back;
}

static void
take_exception (struct walk *w, const struct tb_event *event)
{
  bool told = !(event->flags & TB_EXCEPTION_NO_RETURN), waits = false;
  uint64_t back = event->address;
  /* On the M profile no code is there: it is an EXC_RETURN (DDI 0403, B1.5.8).  */
  bool chained = w->is_m && told && back >= EXC_RETURN_LEAST;
  if (event->flags & TB_EXCEPTION_TAIL_CHAIN || chained)
    chain (w, event, &back);
  else if (told)
    {
      /* Where it returns to tells whether a branch before it was taken.  */
      const struct tb_run_end *e = w->last;
      w->taken |= may_have_branched (w) && back != e->next && back != e->last;
      arrive (w, event->step, back, function_at (w, back));
    }
  else
    back = find_back (w, event, &waits);
  struct waiting branch = { .at = w->open.count, .step = w->last_step };
  if (waits)
    branch.end = *w->last;
  w->taken = false;
  /* On the M profile none interrupts itself: that one is over.  */
  for (size_t i = w->open.count; w->is_m && i > 0; i--)
    if (level (w, i - 1)->kind == TB_LEVEL_EXCEPTION
	&& level (w, i - 1)->number == event->exception
	&& event->exception != TB_EXCEPTION_UNKNOWN)
      close_to (w, i - 1, event->step, TB_LEVEL_LOST);
  open_level (w, &(struct tb_open_call) { .step = event->step, .back = back,
					  .exception = true },
	      &(struct tb_level) { .step = event->step,
				   .kind = TB_LEVEL_EXCEPTION,
				   .number = event->exception });
  if (waits && branch.at == w->open.count - 1)
    {
      if (w->nwaiting == WAITING_MOST)
	memmove (w->waiting, w->waiting + 1,
		 --w->nwaiting * sizeof w->waiting[0]);
      w->waiting[w->nwaiting++] = branch;
    }
}

static void
take_event (struct walk *w, const struct tb_event *event)
{
  switch (event->kind)
    {
    case TB_EVENT_EXCEPTION:
      take_exception (w, event);
      break;
    case TB_EVENT_EXCEPTION_RETURN:
      w->leaving = true;
      break;
    case TB_EVENT_GAP:
      close_to (w, 0, event->step, TB_LEVEL_LOST);
      w->taken = w->leaving = false;
      w->last = NULL;
      break;
    default:
      break;
    }
}

/* RUN, cut where it comes to another function.  */
static void
take_run (struct walk *w, const struct tb_run *run)
{
  const struct tb_level_user *user = w->user;
  struct tb_run part = *run;
  for (bool first = true; !w->stopped; first = false)
    {
      const struct tb_run_end *e = tb_run_ends_find (w->ends, &part, &w->last,
						     &w->asked);
      if (e == NULL)
	{
	  w->stopped = true;
	  return;
	}
      if (first && (w->taken || w->leaving))
	arrive (w, part.step, part.start, e->function);
      settle (w, part.step, part.start, e->function);
      if (w->stopped)
	return;
      bool whole = e->part == 0 || e->part >= part.count;
      uint32_t count = whole ? part.count : e->part;
      if (user->ran != NULL
	  && !user->ran (user->context, level (w, 0), w->open.count,
			 part.step, part.start, count))
	w->stopped = true;
      top (w)->ran = true;
      if (whole)
	{
	  w->last = e;
	  break;
	}
      part.step += count;
      part.start = e->part_end;
      part.count -= count;
    }
  w->last_step = part.step + part.count - 1;
  w->taken = (part.last_flags & TB_STEP_TAKEN) != 0;
  w->untold = !(part.last_flags & (TB_STEP_TAKEN | TB_STEP_NOT_TAKEN));
}

static void
walk_window (struct walk *w, size_t number)
{
  const struct tb_window *window = tb_recording_window (w->recording, number);
  size_t event = 0, run = 0;
  w->asked = false;
  while (window != NULL && !w->stopped)
    {
      if (event < window->nevents
	  && (run == window->nruns
	      || window->events[event].step <= window->runs[run].step))
	{
	  const struct tb_event taken = window->events[event++];
	  take_event (w, &taken);
	}
      else if (run < window->nruns)
	take_run (w, &window->runs[run++]);
      else
	return;
      if (w->asked)
	window = tb_recording_window (w->recording, number);
      w->asked = false;
    }
  w->stopped = true;
}

bool
tb_levels_walk (struct tb_recording *recording,
		const struct tb_symbols *symbols,
		const struct tb_level_user *user)
{
  struct walk w = { .recording = recording, .user = user };
  size_t named = 0;
  if (symbols != NULL)
    tb_symbols_functions (symbols, &named);
  w.symbols = named != 0 ? symbols : NULL;
  w.is_m = tb_recording_profile (recording)->is_m;
  w.ends = tb_run_ends_new (recording, w.symbols);
  w.stopped = w.ends == NULL;
  tb_open_init (&w.open, DEPTH_MOST, sizeof (struct tb_level), same_sp, &w);
  for (size_t i = 0; i < tb_recording_windows (recording) && !w.stopped; i++)
    walk_window (&w, i);
  if (!w.stopped)
    close_to (&w, 0, tb_recording_steps (recording), TB_LEVEL_LOST);
  bool ok = !w.stopped;
  tb_open_fini (&w.open);
  tb_run_ends_free (w.ends);
  return ok;
}
