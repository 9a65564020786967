/* Monitor commands for what the trace has between steps: gaps, exceptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "interrupted.h"
#include "monitor.h"
#include "recording/event-walk.h"
#include "recording/lane.h"
#include "recording/level-names.h"
#include "recording/task-standing.h"
#include "snapshot/m-frame.h"
#include "snapshot/variables.h"
#include "state/effect.h"
#include "stepless.h"

/* Lines that one listing has at most.  */
#define LINES_MAX 50

static const char *
gap_text (const struct tb_event *e)
{
  switch ((enum tb_reason) e->reason)
    {
    case TB_REASON_OVERFLOW: return "the trace unit lost data";
    case TB_REASON_DEBUG: return "trace went on after debug state";
    case TB_REASON_DISCARD: return "the trace unit discarded data";
    case TB_REASON_BAD_PACKET: return "bytes that are no packet, or one that does not fit";
    case TB_REASON_BAD_IMAGE: return "the code cannot have run as traced";
    case TB_REASON_RESET: return "a break in the trace buffer";
    case TB_REASON_PAUSED: return "tracing was stopped and restarted";
    case TB_REASON_NONE: case TB_REASON_INIT: case TB_REASON_BEGIN: break;
    }
  return e->address != 0 ? "code that is not in the snapshot"
			 : "trace was off or filtered";
}

/* Print ADDRESS with the function that it is of, also one that is inlined there.  */
static void
show_code (const struct monitor_call *call, struct tb_variables *variables,
	   uint64_t address)
{
  const char *function
    = variables != NULL ? tb_variables_function (variables, address) : NULL;
  monitor_print (call, "0x%" PRIx64, address);
  if (function != NULL)
    monitor_print (call, " (%s)", function);
}

/* What happens at one step; more than these are not looked at.  */
#define BESIDE_MOST 16

/* What lies between two steps, of which one event is looked at.  */
struct beside
{
  struct tb_event events[BESIDE_MOST];
  size_t count, at;
};

/* Does EVENT break the path from one step to the next?  */
static bool
is_break (const struct tb_event *event)
{
  return event->kind == TB_EVENT_GAP || event->kind == TB_EVENT_EXCEPTION
	 || event->kind == TB_EVENT_EXCEPTION_RETURN;
}

/* What lies before step NUMBER; false: more than is looked at.  */
static bool
read_beside (struct tb_recording *r, uint64_t number, struct beside *beside)
{
  beside->count = tb_recording_events (r, number, number, beside->events, BESIDE_MOST);
  beside->at = 0;
  return beside->count <= BESIDE_MOST;
}

/* Is there a break before the event that is looked at, or BEHIND it?  */
static bool
has_break (const struct beside *beside, bool behind)
{
  bool found = false;
  for (size_t i = behind ? beside->at + 1 : 0; i < (behind ? beside->count : beside->at); i++)
    found |= is_break (&beside->events[i]);
  return found;
}

/* Did step NUMBER run right behind the one before it?  */
static bool
is_unbroken (struct tb_recording *r, uint64_t number)
{
  struct beside beside;
  bool broken = !read_beside (r, number, &beside);
  for (size_t i = 0; !broken && i < beside.count; i++)
    broken = is_break (&beside.events[i]) && beside.events[i].kind != TB_EVENT_EXCEPTION_RETURN;
  return !broken;
}

/* Is a return from an exception the first thing before step NUMBER that breaks the path?  *LAST: it
   is the last one, too.  */
static bool
is_returned (struct tb_recording *r, uint64_t number, bool *last)
{
  struct beside beside;
  if (!read_beside (r, number, &beside))
    return false;
  while (beside.at < beside.count && !is_break (&beside.events[beside.at]))
    beside.at++;
  *last = !has_break (&beside, true);
  return beside.at < beside.count && beside.events[beside.at].kind == TB_EVENT_EXCEPTION_RETURN;
}

/* Was E, an exception of T, taken right where another one returned?  Some traces tell EXC_RETURN as
   where it returns to.  */
static bool
is_chained (const struct target *t, const struct tb_event *e)
{
  bool told = !(e->flags & TB_EXCEPTION_NO_RETURN);
  return target_profile (t)->is_m
	 && (e->flags & TB_EXCEPTION_TAIL_CHAIN || (told && tb_m_is_exc_return (e->address)));
}

/* Is E, an exception of T, told to return to where a core in lockup stands?  Trace of ETMv4 says so
   of exceptions that follow another one, too, and logs of it have no more.  */
static bool
of_lockup (const struct target *t, const struct tb_event *e)
{
  return target_profile (t)->is_m && !(e->flags & TB_EXCEPTION_NO_RETURN)
	 && tb_m_is_lockup (e->address);
}

/* Is where E, an exception of T, returns to told?  Of the M profile some traces have 0 there, where
   the vectors are, or no address of code at all, if it follows another exception.  */
static bool
tells_return (const struct target *t, const struct tb_event *e)
{
  return !(e->flags & TB_EXCEPTION_NO_RETURN)
	 && !(target_profile (t)->is_m && (e->address == 0 || tb_m_is_never_code (e->address)));
}

/* Does step NUMBER of T run elsewhere than where E, an exception, tells that it returns to?  */
static bool
is_elsewhere (const struct target *t, uint64_t number, const struct tb_event *e)
{
  struct tb_step step;
  return tells_return (t, e)
	 && tb_recording_read (t->recording, number, &step, 1) == 1
	 && (step.pc | 1) != (e->address | 1);
}

/* The task of T that goes on at step OVER, before which a handler is over that interrupted another
   task at step FIRST; NULL: the same task goes on, or that is not known, or nobody has listed the
   tasks yet, as is done where they are threads.  */
static const struct tb_task *
other_task (const struct target *t, uint64_t first, uint64_t over)
{
  const struct tb_task_slice *from = tb_tasks_at (t->tasks, first);
  const struct tb_task_slice *to = tb_tasks_at (t->tasks, over);
  if (from == NULL || to == NULL || from->task == 0 || to->task == 0 || from->task == to->task)
    return NULL;
  return to->step == over && !to->open && !to->guessed ? tb_tasks_get (t->tasks, to->task) : NULL;
}

/* From which exception level to which the exception was taken that BESIDE looks at, where the trace
   states both.  */
static void
show_levels (const struct monitor_call *call, const struct beside *beside)
{
  struct tb_recording *r = call->client->target->recording;
  const struct tb_event *e = &beside->events[beside->at];
  struct tb_event before, now;
  if (target_profile (call->client->target)->is_m || e->step == 0
      || !tb_recording_context (r, e->step - 1, &before))
    return;
  bool other = false, stated = false;
  for (size_t i = 0; i < beside->at; i++)
    {
      other |= beside->events[i].kind == TB_EVENT_GAP;
      if (beside->events[i].kind == TB_EVENT_CONTEXT)
	before = beside->events[i];
    }
  now = before;
  for (size_t i = beside->at + 1; i < beside->count && !other; i++)
    {
      other = beside->events[i].kind == TB_EVENT_EXCEPTION
	      || beside->events[i].kind == TB_EVENT_GAP;
      if (beside->events[i].kind == TB_EVENT_CONTEXT)
	{
	  now = beside->events[i];
	  stated = true;
	}
    }
  /* Of one in whose place the next came it may not be stated.  */
  if ((stated || !other) && before.el != TB_EL_UNKNOWN && now.el != TB_EL_UNKNOWN)
    monitor_print (call, ", from EL%u to EL%u", before.el, now.el);
}

/* The mode of A32 that PSR has; NULL: not all of that is known (DDI 0406C, B1.3.1).  */
static const char *
mode_name (const struct tb_value *psr)
{
  enum { MODE = 0x1f, A32 = 0x10 };
  static const char *const names[A32] = {
    "usr", "fiq", "irq", "svc", [6] = "mon", "abt", [10] = "hyp", "und", [15] = "sys"
  };
  return (psr->mask & MODE) == MODE && (psr->bits & A32) ? names[psr->bits & (MODE ^ A32)] : NULL;
}

/* From which mode of A32 to which, where both are known: no trace states it, but the registers
   may.  */
static void
show_modes (const struct monitor_call *call, const struct beside *beside)
{
  struct target *t = call->client->target;
  uint64_t step = beside->events[beside->at].step;
  struct tb_step steps[2];
  struct tb_value before[TB_NREGS_MAX], now[TB_NREGS_MAX];
  if (target_profile (t)->is_m || t->state == NULL || step == 0 || has_break (beside, false)
      || has_break (beside, true) || tb_recording_read (t->recording, step - 1, steps, 2) != 2
      || steps[0].isa == TB_ISA_A64 || steps[1].isa == TB_ISA_A64)
    return;
  tb_state_after (t->state, step - 1, before);
  tb_state_registers (t->state, step, now);
  const char *from = mode_name (&before[TB_PSR]), *to = mode_name (&now[TB_PSR]);
  bool assumed = before[TB_PSR].origin == TB_ASSUMED || now[TB_PSR].origin == TB_ASSUMED;
  if (from != NULL && to != NULL)
    monitor_print (call, ", from %s to %s mode%s", from, to, assumed ? " (assumed)" : "");
}

/* When the handler of the exception E was over, as OVER says.  */
static void
show_over (const struct monitor_call *call, struct tb_variables *variables,
	   const struct tb_event *e, const struct tb_exception_over *over)
{
  const struct target *t = call->client->target;
  struct tb_step step;
  bool last;
  if (!over->left)
    {
      /* Behind a gap nobody knows; a return tells, which is not that before which it was taken.  */
      if (over->innermost && over->over > e->step
	  && is_returned (t->recording, over->over, &last))
	{
	  const struct tb_task *task = last ? other_task (t, e->step, over->over) : NULL;
	  char *name = task != NULL ? tb_task_name (task) : NULL;
	  monitor_print (call, ", over before step %" PRIu64, over->over);
	  if (name != NULL)
	    monitor_print (call, ", where %s goes on", name);
	  else if (last && is_elsewhere (t, over->over, e))
	    monitor_print (call, ", where something else goes on");
	  free (name);
	}
      return;
    }
  monitor_print (call, ", over before step %" PRIu64, over->over);
  /* Trace of the A profile has no events of returns; the steps beside tell it.  */
  if (!target_profile (t)->is_m && is_unbroken (t->recording, over->over)
      && tb_recording_read (t->recording, over->over - 1, &step, 1) == 1)
    {
      monitor_print (call, " by a return from ");
      show_code (call, variables, step.pc);
      if (tb_recording_read (t->recording, over->over, &step, 1) == 1)
	{
	  monitor_print (call, " to ");
	  show_code (call, variables, step.pc);
	}
    }
}

/* Where the handler of the exception that BESIDE looks at begins, and when it was over.  */
static void
show_handler (const struct monitor_call *call, struct tb_variables *variables,
	      const struct beside *beside)
{
  struct client *c = call->client;
  uint64_t number = beside->events[beside->at].step;
  struct tb_exception_over over[BESIDE_MOST];
  struct tb_step step;
  size_t before = 0, taken = 0;
  /* Another one may have been taken before it ran.  */
  if (!has_break (beside, true) && tb_recording_read (c->target->recording, number, &step, 1) == 1)
    {
      monitor_print (call, ", runs ");
      show_code (call, variables, step.pc);
    }
  for (size_t i = 0; i < beside->count; i++)
    {
      bool entry = beside->events[i].kind == TB_EVENT_EXCEPTION
		   && tb_exception_enters ((enum tb_exception) beside->events[i].taken);
      before += i < beside->at && entry;
      taken += entry;
    }
  const struct tb_open_exceptions *all = interrupted_find (c);
  if (all != NULL && tb_open_exceptions_taken (all, number, over, BESIDE_MOST) == taken)
    show_over (call, variables, &beside->events[beside->at], &over[before]);
}

/* The return from an exception that BESIDE looks at: from where to where.  Only the steps beside it
   tell that, and only where nothing else stands between them.  Where the next exception is taken
   right behind it, nothing is returned to.  */
static void
show_return (const struct monitor_call *call, struct tb_variables *variables,
	     const struct beside *beside)
{
  struct tb_recording *r = call->client->target->recording;
  uint64_t number = beside->events[beside->at].step;
  struct tb_step step;
  if (number > 0 && !has_break (beside, false)
      && tb_recording_read (r, number - 1, &step, 1) == 1)
    {
      monitor_print (call, " from ");
      show_code (call, variables, step.pc);
    }
  const struct tb_event *next = &beside->events[beside->at + 1];
  if (beside->at + 1 < beside->count && next->kind == TB_EVENT_EXCEPTION
      && is_chained (call->client->target, next))
    monitor_print (call, " right into the next exception");
  if (!has_break (beside, true) && tb_recording_read (r, number, &step, 1) == 1)
    {
      monitor_print (call, " to ");
      show_code (call, variables, step.pc);
    }
}

/* E is the event of number AT before its step.  */
static void
show_event (const struct monitor_call *call, struct tb_variables *variables,
	    const struct tb_event *e, size_t at)
{
  struct beside beside;
  bool all = read_beside (call->client->target->recording, e->step, &beside) && at < beside.count;
  beside.at = at;
  if (e->kind == TB_EVENT_GAP && e->address != 0)
    monitor_print (call, "before step %" PRIu64 ": %s (0x%" PRIx64
		   "), trace byte %" PRIu64 "\n", e->step, gap_text (e),
		   e->address, e->index);
  else if (e->kind == TB_EVENT_GAP)
    monitor_print (call, "before step %" PRIu64 ": %s, trace byte %" PRIu64
		   "\n", e->step, gap_text (e), e->index);
  else if (e->kind == TB_EVENT_EXCEPTION_RETURN)
    {
      monitor_print (call, "before step %" PRIu64 ": return", e->step);
      if (all)
	show_return (call, variables, &beside);
      monitor_print (call, "\n");
    }
  else
    {
      monitor_print (call, "before step %" PRIu64 ": exception", e->step);
      bool enters = tb_exception_enters ((enum tb_exception) e->taken);
      if (e->exception != TB_EXCEPTION_UNKNOWN)
	monitor_print (call, " %u", e->exception);
      else if (enters)
	monitor_print (call, " (number not told)");
      struct tb_buffer name = { 0 };
      if (tb_exception_put_name (&name, e->exception, e->taken,
				 target_profile (call->client->target)))
	monitor_print (call, " (%.*s)", (int) name.size, (const char *) name.data);
      tb_buffer_fini (&name);
      if (all)
	{
	  show_levels (call, &beside);
	  show_modes (call, &beside);
	}
      if (!enters)
	monitor_print (call, ", without an entry");
      else if (is_chained (call->client->target, e))
	monitor_print (call, ", right where another one returned");
      else if (of_lockup (call->client->target, e))
	monitor_print (call, ", out of a lockup, or right where another one returned");
      if (enters && tells_return (call->client->target, e))
	{
	  monitor_print (call, ", to return to ");
	  show_code (call, variables, e->address);
	}
      if (all && enters)
	show_handler (call, variables, &beside);
      monitor_print (call, "\n");
    }
}

/* An event that is to be listed, of number AT before its step.  */
struct listed
{
  struct tb_event event;
  size_t at;
};

/* Find the first MOST events of KIND (and RETURNS) from step FROM on; returns how many, SIZE_MAX
   after a message, and in *STOP before which step the client interrupted, or UINT64_MAX.  To show
   one may need all of the recording, and takes the window away that a walk is in.  */
static size_t
find_events (const struct monitor_call *call, enum tb_event_kind kind, bool returns,
	     uint64_t from, struct listed *found, size_t most, uint64_t *stop)
{
  struct client *c = call->client;
  struct tb_event_walk walk = tb_event_walk_from (c->target->recording, from);
  const struct tb_window *polled = NULL;
  size_t count = 0;
  *stop = UINT64_MAX;
  for (const struct tb_event *e; count < most && (e = tb_event_next (&walk)) != NULL;)
    {
      if (walk.window != polled && !client_poll (c))
	{
	  *stop = e->step;
	  break;
	}
      polled = walk.window;
      if (e->kind == kind || (returns && e->kind == TB_EVENT_EXCEPTION_RETURN))
	found[count++] = (struct listed) { *e, walk.given - 1 };
    }
  if (walk.failed)
    monitor_print (call, "There is no memory to look through all of the trace.\n");
  return walk.failed && count == 0 ? SIZE_MAX : count;
}

/* List the events of KIND (and RETURNS) from a step on, with the names of functions by VARIABLES;
   if there is ANY in the trace.  */
static bool
list_events (const struct monitor_call *call, struct tb_variables *variables,
	     enum tb_event_kind kind, bool returns, bool any)
{
  struct client *c = call->client;
  struct listed found[LINES_MAX + 1];
  uint64_t from = 0, stop = UINT64_MAX;
  if (call->count > 2
      || (call->count == 2 && !monitor_number (call->words[1], &from)))
    return false;
  size_t count = any ? find_events (call, kind, returns, from, found, LINES_MAX + 1, &stop) : 0;
  if (count == SIZE_MAX)
    return true;
  for (size_t i = 0; i < count && i < LINES_MAX && !c->interrupted; i++)
    {
      show_event (call, variables, &found[i].event, found[i].at);
      if (!client_poll (c))
	stop = found[i].event.step;
    }
  if (c->interrupted)
    monitor_print (call, "Interrupted before step %" PRIu64 ".\n", stop);
  else if (count > LINES_MAX)
    monitor_print (call, "More follow: \"monitor %s %" PRIu64 "\".\n",
		   call->words[0], found[LINES_MAX].event.step);
  else if (count == 0)
    monitor_print (call, "There are none.\n");
  return true;
}

static bool
gaps (const struct monitor_call *call)
{
  const struct tb_recording_info *info
    = tb_recording_info (call->client->target->recording);
  return list_events (call, NULL, TB_EVENT_GAP, false, info->gaps != 0);
}

static bool
exceptions (const struct monitor_call *call)
{
  const struct target *t = call->client->target;
  if (t->steps == 0 && tb_lane_possible (t->session, t->core))
    return stepless_exceptions (call);
  return list_events (call, target_variables (call->client->target),
		      TB_EVENT_EXCEPTION, true, true);
}

const struct monitor_verb verbs_exceptions[] = {
  { "gaps", "[STEP]", "List where the trace does not tell what ran.", gaps },
  { "exceptions", "[STEP]", "List exceptions, what they interrupt and run, and returns from them.",
    exceptions },
  { NULL, NULL, NULL, NULL }
};
