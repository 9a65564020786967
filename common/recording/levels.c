/* Levels.  See levels.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/levels-walk.h"
#include "recording/levels-tasks.h"

#include "arm/flow/flow.h"
#include "decode/exception.h"
#include "recording/stack-code.h"
#include "recording/window.h"

/* Deeper than that no program goes that returns; all is forgotten then.  */
#define DEPTH_MOST 65536

const struct tb_function *
tb_levels_function (const struct tb_level_walk *w, uint64_t address)
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
find_sp (struct tb_level_walk *w, uint64_t step, uint64_t *sp)
{
  w->asked = true;
  return w->user->sp != NULL && w->user->sp (w->user->sp_context, step, sp);
}

static enum tb_same
same_sp (const void *context, uint64_t a, uint64_t b)
{
  struct tb_level_walk *w = (struct tb_level_walk *) context;
  uint64_t x, y;
  if (a == b)
    return TB_SAME;
  if (!find_sp (w, a - 1, &x) || !find_sp (w, b - 1, &y))
    return TB_SAME_UNSURE;
  return x == y ? TB_SAME : TB_SAME_NOT;
}

void
tb_levels_close (struct tb_level_walk *w, size_t count, uint64_t step,
		 enum tb_level_end end)
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

void
tb_levels_open (struct tb_level_walk *w, const struct tb_open_call *call,
		const struct tb_level *made, uint64_t step)
{
  if (w->open.count == DEPTH_MOST)
    tb_levels_close (w, 0, step, TB_LEVEL_LOST);
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
			 step))
    w->stopped = true;
}

/* Code of FUNCTION, at ADDRESS, runs in place of that of the innermost level, from
   STEP on.  JUMPED: by a branch.  */
static void
take_over (struct tb_level_walk *w, uint64_t step, uint64_t address,
	   const struct tb_function *function, bool jumped,
	   enum tb_level_end end)
{
  const struct tb_open_call call = w->open.open[w->open.count - 1];
  const struct tb_level old = *top (w);
  bool tail = jumped && function != NULL && function->address == address;
  tb_levels_close (w, w->open.count - 1, step, end);
  tb_levels_open (w, &call, &(struct tb_level) {
		    .function = function, .address = address, .step = step,
		    .kind = tail ? TB_LEVEL_TAIL : TB_LEVEL_PART,
		    .replaced = old.function, .stack = old.stack, .mark = old.mark
		  }, step);
}

/* The number of the innermost level that nothing leaves by a return or a jump, plus 1:
   an exception's or a task's; 0: there is none.  */
static size_t
bottom (const struct tb_level_walk *w)
{
  size_t at = tb_open_exception (&w->open);
  return at == 0 && w->open.count > 0 && level (w, 0)->kind == TB_LEVEL_TASK
	 ? 1 : at;
}

/* The code of FUNCTION at ADDRESS runs from STEP on, whatever led to it: its level
   is the innermost one then.  */
static void
settle (struct tb_level_walk *w, uint64_t step, uint64_t address,
	const struct tb_function *function)
{
  if (w->open.count == 0 && w->user->tasks != NULL)
    tb_levels_root (w, step);
  struct tb_level *l = w->open.count > 0 ? top (w) : NULL;
  if (l != NULL && l->kind != TB_LEVEL_EXCEPTION && l->kind != TB_LEVEL_TASK)
    {
      if (l->function != function)
	take_over (w, step, address, function, false, TB_LEVEL_REPLACED);
      return;
    }
  bool handler = l != NULL && !l->ran && l->kind == TB_LEVEL_EXCEPTION;
  if (l != NULL)
    l->ran = true;
  tb_levels_open (w, &(struct tb_open_call) { .step = step, .back = TB_BACK_NONE },
		  &(struct tb_level) {
		    .function = function, .address = handler ? address : 0,
		    .step = step,
		    .kind = handler ? TB_LEVEL_HANDLER : TB_LEVEL_BASE
		  }, step);
}

/* The last run ended with a call, to ADDRESS.  */
static void
enter_call (struct tb_level_walk *w, uint64_t step, uint64_t address,
	    const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  uint64_t back = e->sub == TB_SUB_LINK ? e->next : e->back;
  if (w->open.count > 0)
    top (w)->stack = 0;
  bool stays = function != NULL || e->function != NULL
	       ? function == e->function && address != function->address
	       : address == back;
  if (stays)
    {
      if (w->open.count > 0)
	top (w)->local = back;
      return;
    }
  tb_levels_open (w, &(struct tb_open_call) { .step = step, .back = back,
					      .sp = sp_before (step) },
		  &(struct tb_level) { .function = function, .address = address,
				       .step = step, .kind = TB_LEVEL_CALL }, step);
}

/* Is level number AT known to be over before STEP?  Stacks grow down: what was
   entered below the stack pointer is.  */
static bool
is_over (struct tb_level_walk *w, size_t at, uint64_t step)
{
  uint64_t sp, entered;
  return w->user->sp != NULL && w->open.open[at].sp != 0
	 && find_sp (w, step, &sp)
	 && find_sp (w, w->open.open[at].sp - 1, &entered) && entered < sp;
}

/* Execution goes on in FUNCTION, where no open call returns to: in a caller whose
   level is open, or in what is not known.  */
static void
go_elsewhere (struct tb_level_walk *w, uint64_t step,
	      const struct tb_function *function)
{
  size_t outer = bottom (w);
  for (size_t at = w->open.count - 1; at > outer && function != NULL; at--)
    if (level (w, at - 1)->function == function && !is_over (w, at - 1, step))
      {
	tb_levels_close (w, at, step, TB_LEVEL_RETURNED);
	return;
      }
  tb_levels_close (w, outer, step, TB_LEVEL_RETURNED);
}

/* The last run ended with an indirect branch to ADDRESS, which is no call and no
   return of one that is open.  */
static void
jump (struct tb_level_walk *w, uint64_t step, uint64_t address,
      const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  bool returns = e->sub == TB_SUB_RETURN || e->sub == TB_SUB_V7RETURN;
  size_t entry = tb_open_exception (&w->open);
  if (w->open.count == bottom (w))
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
    tb_levels_leave (w, step, address, function);
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
    tb_levels_leave (w, step, address, function);
  else
    go_elsewhere (w, step, function);
}

/* The last run ended with an indirect branch to ADDRESS that is no call.  */
static void
go_back (struct tb_level_walk *w, uint64_t step, uint64_t address,
	 const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  bool returns = e->sub == TB_SUB_RETURN || e->sub == TB_SUB_V7RETURN;
  unsigned stack = w->open.count > 0 ? top (w)->stack : 0;
  if (stack & TB_SP_REPLACED && tb_levels_swap (w, step, address))
    return;
  if (returns && w->finder != NULL)
    tb_finder_returns (w, address);
  size_t at = tb_open_returns (&w->open, address, 0);
  /* Not from the innermost call: from which one the stack pointer may tell; a
     jump within a function may come to where an outer one of the same goes on.  */
  if (at != 0 && at != w->open.count)
    at = !returns && function == e->function && function != NULL ? 0
	 : tb_open_returns (&w->open, address, sp_before (step));
  bool innermost = at != 0 && at == w->open.count;
  if (at != 0)
    tb_levels_close (w, at - 1, step, TB_LEVEL_RETURNED);
  else
    jump (w, step, address, function);
  if (innermost && stack & TB_SP_SAVED && w->open.count > 0)
    top (w)->mark = address;
}

void
tb_levels_arrive (struct tb_level_walk *w, uint64_t step, uint64_t address,
		  const struct tb_function *function)
{
  const struct tb_run_end *e = w->last;
  if (w->leaving)
    {
      tb_levels_leave (w, step, address, function);
      return;
    }
  if (!w->taken)
    return;
  w->taken = false;
  if (e->sub == TB_SUB_LINK || e->back != TB_BACK_NONE)
    enter_call (w, step, address, function);
  else if (e->sub == TB_SUB_ERET)
    tb_levels_leave (w, step, address, function);
  else if (e->kind == TB_FLOW_INDIRECT)
    go_back (w, step, address, function);
  else if (e->kind == TB_FLOW_BRANCH && function != e->function
	   && w->open.count > bottom (w))
    take_over (w, step, address, function, true, TB_LEVEL_REPLACED);
}

/* Nothing tells what is open from STEP on.  */
static void
lose_all (struct tb_level_walk *w, uint64_t step)
{
  tb_levels_close (w, 0, step, TB_LEVEL_LOST);
  w->taken = w->leaving = false;
  w->last = NULL;
  if (w->finder != NULL)
    tb_finder_gap (w, step);
  while (w->sleepers->count > 0)
    tb_levels_forget (w, w->sleepers->count - 1);
}

static void
take_event (struct tb_level_walk *w, const struct tb_event *event)
{
  switch (event->kind)
    {
    case TB_EVENT_EXCEPTION:
      /* What is open stays so, and a branch that ends at it arrives at what runs next.  */
      if (tb_exception_enters ((enum tb_exception) event->taken))
	tb_levels_exception (w, event);
      break;
    case TB_EVENT_EXCEPTION_RETURN:
      w->leaving = true;
      break;
    case TB_EVENT_GAP:
      lose_all (w, event->step);
      break;
    default:
      break;
    }
}

/* RUN, cut where it comes to another function.  */
static void
take_run (struct tb_level_walk *w, const struct tb_run *run)
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
	tb_levels_arrive (w, part.step, part.start, e->function);
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
	  struct tb_level *l = top (w);
	  w->last = e;
	  if (e->stack & (TB_SP_KEPT | TB_SP_REPLACED))
	    l->stack &= TB_SP_SAVED;
	  l->stack |= e->stack;
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
walk_window (struct tb_level_walk *w, size_t number)
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

/* For USER, or for FINDER.  */
static bool
walk (struct tb_recording *recording, const struct tb_symbols *symbols,
      const struct tb_level_user *user, struct tb_task_finder *finder)
{
  struct tb_sleepers sleepers = { .items = NULL };
  struct tb_level_walk w = { .recording = recording, .user = user,
			     .sleepers = &sleepers, .finder = finder };
  size_t named = 0;
  if (symbols != NULL)
    tb_symbols_functions (symbols, &named);
  w.symbols = named != 0 ? symbols : NULL;
  w.is_m = tb_recording_profile (recording)->is_m;
  w.ends = tb_run_ends_new (recording, w.symbols);
  w.stopped = w.ends == NULL;
  tb_open_init (&w.open, DEPTH_MOST, sizeof (struct tb_level), same_sp, &w);
  if (finder != NULL && !w.stopped)
    tb_finder_gap (&w, 0);
  for (size_t i = 0; i < tb_recording_windows (recording) && !w.stopped; i++)
    walk_window (&w, i);
  if (finder != NULL && !w.stopped)
    tb_finder_end (&w);
  if (!w.stopped)
    tb_levels_close (&w, 0, tb_recording_steps (recording), TB_LEVEL_LOST);
  bool ok = !w.stopped;
  tb_levels_tasks_fini (&w);
  tb_open_fini (&w.open);
  tb_run_ends_free (w.ends);
  return ok;
}

bool
tb_levels_walk (struct tb_recording *recording,
		const struct tb_symbols *symbols,
		const struct tb_level_user *user)
{
  return walk (recording, symbols, user, NULL);
}

bool
tb_levels_find_tasks (struct tb_recording *recording,
		      const struct tb_symbols *symbols,
		      struct tb_task_finder *finder)
{
  static const struct tb_level_user nobody = { .open = NULL };
  return walk (recording, symbols, &nobody, finder);
}
