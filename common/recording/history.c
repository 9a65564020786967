/* The history of calls.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/history.h"

#include <stdlib.h>

#include "recording/window.h"
#include "util/buffer.h"

/* Deeper than that no program goes that returns; what is below is forgotten.  */
#define DEPTH_MOST 65536

/* So many calls at once are given up by a jump at most.  */
#define SEARCH_MOST 1024

/* How the instruction that ends a run goes on.  */
struct ending
{
  uint64_t start, end;		/* The run; START 1: free.  */
  uint64_t next;		/* Behind its last instruction.  */
  uint8_t space, isa;
  uint8_t kind, sub;		/* Of struct tb_flow.  */
};

#define ENDINGS 4096		/* A power of two.  */

struct open
{
  uint64_t resume;		/* Where execution goes on when it is over.  */
  bool exception;
};

struct walk
{
  struct tb_recording *recording;
  bool (*take) (void *context, const struct tb_history_event *event);
  void *context;
  struct ending *endings;	/* By hash; a collision replaces.  */
  struct open *stack;
  size_t depth, room;
  struct ending last;		/* Of the run before, if it ended with a branch
				   that was taken: */
  bool taken;
  bool leaving;			/* An exception returned; it is not yet known
				   where to.  */
  bool stopped;			/* By TAKE, or without memory.  */
};

static void
tell_event (struct walk *w, const struct tb_history_event *event)
{
  if (!w->stopped && !w->take (w->context, event))
    w->stopped = true;
}

static void
tell (struct walk *w, unsigned kind, uint64_t step, uint64_t address,
      unsigned number, bool returns)
{
  const struct tb_history_event event = {
    .step = step, .address = address, .number = (uint16_t) number,
    .kind = (uint8_t) kind, .returns = returns, .depth = w->depth
  };
  tell_event (w, &event);
}

/* Execution goes on behind an exception, one that the trace shows or not.  */
static void
tell_exception_return (struct walk *w, bool known, uint64_t step,
		       uint64_t address)
{
  const struct tb_history_event event = {
    .step = step, .address = address,
    .kind = known ? TB_HISTORY_RETURN : TB_HISTORY_JUMP, .returns = true,
    .exception = true, .depth = w->depth
  };
  tell_event (w, &event);
}

static void
push (struct walk *w, uint64_t resume, bool exception)
{
  void *stack = w->stack;
  if (w->depth == DEPTH_MOST)
    w->depth = 0;
  if (!tb_grow (&stack, &w->room, w->depth, 1, sizeof *w->stack))
    {
      w->stopped = true;
      return;
    }
  w->stack = stack;
  w->stack[w->depth++] = (struct open) { resume, exception };
}

/* The depth at which what resumes at ADDRESS was opened, plus 1; 0: none was.
   Calls are looked for up to the exception around them.  */
static size_t
find (const struct walk *w, uint64_t address, bool exception)
{
  for (size_t i = w->depth, n = 0; i > 0 && n < SEARCH_MOST; i--, n++)
    {
      const struct open *o = &w->stack[i - 1];
      if (o->exception == exception && o->resume == address)
	return i;
      if (o->exception && !exception)
	return 0;
    }
  return 0;
}

/* An exception is over; execution goes on at ADDRESS.  */
static void
leave_exception (struct walk *w, uint64_t step, uint64_t address)
{
  size_t at = find (w, address, true);
  for (size_t i = w->depth; at == 0 && i > 0; i--)
    if (w->stack[i - 1].exception && w->stack[i - 1].resume == UINT64_MAX)
      at = i;
  w->taken = w->leaving = false;
  /* Without the exception in the trace, or into another thread: what runs there
     was called by nobody the trace shows.  */
  w->depth = at != 0 ? at - 1 : 0;
  tell_exception_return (w, at != 0, step, address);
}

/* Execution goes on at ADDRESS, before STEP, by what came before.  */
static void
arrive (struct walk *w, uint64_t step, uint64_t address)
{
  const struct ending *e = &w->last;
  size_t at;
  if (w->leaving)
    {
      leave_exception (w, step, address);
      return;
    }
  if (!w->taken)
    return;
  w->taken = false;
  if (e->sub == TB_SUB_LINK)
    {
      push (w, e->next, false);
      tell (w, TB_HISTORY_CALL, step, address, 0, false);
      return;
    }
  bool eret = e->sub == TB_SUB_ERET;
  if (e->kind == TB_FLOW_INDIRECT && (at = find (w, address, eret)) != 0)
    {
      w->depth = at - 1;
      if (eret)
	tell_exception_return (w, true, step, address);
      else
	tell (w, TB_HISTORY_RETURN, step, address, 0, true);
      return;
    }
  if (eret)
    {
      /* To another context: whose calls those are is not known.  */
      w->depth = 0;
      tell_exception_return (w, false, step, address);
      return;
    }
  tell (w, TB_HISTORY_JUMP, step, address, 0,
	e->sub == TB_SUB_RETURN || e->sub == TB_SUB_V7RETURN);
}

static void
take_exception (struct walk *w, const struct tb_event *event)
{
  uint64_t resume = event->flags & TB_EXCEPTION_NO_RETURN ? UINT64_MAX
							  : event->address;
  if (resume != UINT64_MAX || w->leaving)
    arrive (w, event->step, resume);
  w->taken = false;
  if (event->flags & TB_EXCEPTION_TAIL_CHAIN)
    /* It takes the place of the one before.  */
    for (size_t i = w->depth; i > 0; i--)
      if (w->stack[i - 1].exception)
	{
	  resume = w->stack[i - 1].resume;
	  w->depth = i - 1;
	  tell_exception_return (w, true, event->step, resume);
	  break;
	}
  push (w, resume, true);
  tell (w, TB_HISTORY_EXCEPTION, event->step, event->address,
	event->exception, false);
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
      w->depth = 0;
      w->taken = w->leaving = false;
      tell (w, TB_HISTORY_LOST, event->step, event->address, 0, false);
      break;
    default:
      break;
    }
}

/* How RUN of WINDOW ends; looked at once for each piece of code.  */
static const struct ending *
ending_of (struct walk *w, const struct tb_window *window,
	   const struct tb_run *run)
{
  uint64_t hash = (run->start * UINT64_C (0x9e3779b97f4a7c15)) ^ run->end;
  struct ending *e = &w->endings[(hash ^ hash >> 29) & (ENDINGS - 1)];
  if (e->start == run->start && e->end == run->end && e->space == run->space
      && e->isa == run->isa)
    return e;
  const struct tb_profile *profile = tb_recording_profile (w->recording);
  struct tb_step step = { .size = 0 };
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  tb_window_read (window, tb_recording_memmap (w->recording),
		  run->step + run->count - 1, &step, 1);
  /* Flow has the first halfword of T32 in the upper half.  */
  uint32_t t32 = step.size == 2 ? step.opcode << 16 : step.opcode;
  if (step.size != 0)
    switch (run->isa)
      {
      case TB_ISA_A64: tb_flow_a64 (&flow, step.opcode, step.pc); break;
      case TB_ISA_A32: tb_flow_a32 (&flow, step.opcode, step.pc, profile); break;
      case TB_ISA_T32:
	tb_flow_t32 (&flow, t32, step.pc, false, profile);
	break;
      case TB_ISA_T32EE:
	tb_flow_t32ee (&flow, t32, step.pc, false, profile);
	break;
      default: break;
      }
  *e = (struct ending) { .start = run->start, .end = run->end,
			 .next = step.pc + step.size, .space = run->space,
			 .isa = run->isa, .kind = flow.kind, .sub = flow.sub };
  return e;
}

static void
walk_window (struct walk *w, const struct tb_window *window)
{
  size_t event = 0;
  for (size_t i = 0; i < window->nruns && !w->stopped; i++)
    {
      const struct tb_run *run = &window->runs[i];
      for (; event < window->nevents
	     && window->events[event].step <= run->step; event++)
	take_event (w, &window->events[event]);
      arrive (w, run->step, run->start);
      struct tb_history_event ran = {
	.step = run->step, .address = run->start, .count = run->count,
	.kind = TB_HISTORY_RUN, .space = run->space, .depth = w->depth
      };
      tell_event (w, &ran);
      w->last = *ending_of (w, window, run);
      w->taken = (run->last_flags & TB_STEP_TAKEN) != 0;
    }
  for (; event < window->nevents && !w->stopped; event++)
    take_event (w, &window->events[event]);
}

bool
tb_history_walk (struct tb_recording *recording,
		 bool (*take) (void *context,
			       const struct tb_history_event *event),
		 void *context)
{
  struct walk w = { .recording = recording, .take = take, .context = context };
  w.endings = calloc (ENDINGS, sizeof *w.endings);
  w.stopped = w.endings == NULL;
  for (size_t i = 0; i < ENDINGS && !w.stopped; i++)
    w.endings[i].start = 1;
  for (size_t i = 0; i < tb_recording_windows (recording) && !w.stopped; i++)
    {
      const struct tb_window *window = tb_recording_window (recording, i);
      if (window == NULL)
	w.stopped = true;
      else
	walk_window (&w, window);
    }
  free (w.endings);
  free (w.stack);
  return !w.stopped;
}
