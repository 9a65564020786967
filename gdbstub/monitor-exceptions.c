/* Monitor commands for what the trace has between steps: gaps, exceptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>

#include "interrupted.h"
#include "monitor.h"
#include "recording/event-walk.h"
#include "recording/lane.h"
#include "recording/level-names.h"
#include "snapshot/symbols.h"
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
    case TB_REASON_BAD_PACKET: return "bytes that are no packet";
    case TB_REASON_BAD_IMAGE: return "the code cannot have run as traced";
    case TB_REASON_RESET: return "a break in the trace buffer";
    case TB_REASON_PAUSED: return "tracing was stopped and restarted";
    case TB_REASON_NONE: case TB_REASON_INIT: case TB_REASON_BEGIN: break;
    }
  return e->address != 0 ? "code that is not in the snapshot"
			 : "trace was off or filtered";
}

/* Print ADDRESS with the function that it is in.  */
static void
show_code (const struct monitor_call *call, const struct tb_symbols *symbols,
	   uint64_t address)
{
  const struct tb_function *f
    = symbols != NULL ? tb_symbols_function_at (symbols, address) : NULL;
  monitor_print (call, "0x%" PRIx64, address);
  if (f != NULL)
    monitor_print (call, " (%s)", f->name);
}

/* What happens at one step; more than these are not looked at.  */
#define BESIDE_MOST 16

/* Did step NUMBER run right behind the one before it?  */
static bool
is_unbroken (struct tb_recording *r, uint64_t number)
{
  struct tb_event events[BESIDE_MOST];
  size_t count = tb_recording_events (r, number, number, events, BESIDE_MOST);
  bool broken = count > BESIDE_MOST;
  for (size_t i = 0; i < count && !broken; i++)
    broken = events[i].kind == TB_EVENT_GAP || events[i].kind == TB_EVENT_EXCEPTION;
  return !broken;
}

/* From which exception level to which the exception E was taken, where the trace states both.  */
static void
show_levels (const struct monitor_call *call, const struct tb_event *e)
{
  struct tb_recording *r = call->client->target->recording;
  struct tb_event events[BESIDE_MOST], before, now;
  size_t count = tb_recording_events (r, e->step, e->step, events, BESIDE_MOST);
  if (target_profile (call->client->target)->is_m || e->step == 0 || count > BESIDE_MOST
      || !tb_recording_context (r, e->step - 1, &before))
    return;
  bool taken = false, other = false, stated = false;
  now = before;
  for (size_t i = 0; i < count && !other; i++)
    {
      bool same = events[i].kind == TB_EVENT_EXCEPTION && events[i].index == e->index;
      other = (taken && events[i].kind == TB_EVENT_EXCEPTION) || events[i].kind == TB_EVENT_GAP;
      taken |= same;
      stated |= taken && events[i].kind == TB_EVENT_CONTEXT;
      if (events[i].kind == TB_EVENT_CONTEXT)
	*(taken ? &now : &before) = events[i];
      if (same)
	now = before;
    }
  /* Of one in whose place the next came it may not be stated.  */
  if (taken && (stated || !other) && before.el != TB_EL_UNKNOWN && now.el != TB_EL_UNKNOWN)
    monitor_print (call, ", from EL%u to EL%u", before.el, now.el);
}

/* Where the handler of the exception E begins, and when what it interrupted went on.  */
static void
show_handler (const struct monitor_call *call, const struct tb_symbols *symbols,
	      const struct tb_event *e)
{
  struct client *c = call->client;
  struct tb_step step;
  uint64_t first, over;
  /* Another one may have been taken before it ran.  */
  if (tb_recording_read (c->target->recording, e->step, &step, 1) == 1)
    {
      monitor_print (call, ", runs ");
      show_code (call, symbols, step.pc);
    }
  const struct tb_open_exceptions *all = interrupted_find (c);
  if (all != NULL
      && tb_open_exceptions_outermost (all, e->step, e->step, UINT64_MAX, &first,
				       &over))
    {
      monitor_print (call, ", over before step %" PRIu64, over);
      /* Trace of the A profile has no events of returns; the steps beside tell it.  */
      if (!target_profile (c->target)->is_m && is_unbroken (c->target->recording, over)
	  && tb_recording_read (c->target->recording, over - 1, &step, 1) == 1)
	{
	  monitor_print (call, " by a return from ");
	  show_code (call, symbols, step.pc);
	  if (tb_recording_read (c->target->recording, over, &step, 1) == 1)
	    {
	      monitor_print (call, " to ");
	      show_code (call, symbols, step.pc);
	    }
	}
    }
}

/* A return from an exception before STEP: from where to where.  Only the steps beside it tell that,
   and only where nothing else stands between them.  */
static void
show_return (const struct monitor_call *call, const struct tb_symbols *symbols, uint64_t number)
{
  struct tb_recording *r = call->client->target->recording;
  struct tb_event events[BESIDE_MOST];
  struct tb_step step;
  size_t count = tb_recording_events (r, number, number, events, BESIDE_MOST);
  bool from = number > 0 && count <= BESIDE_MOST, to = count <= BESIDE_MOST, behind = false;
  for (size_t i = 0; i < count && i < BESIDE_MOST; i++)
    {
      bool returns = events[i].kind == TB_EVENT_EXCEPTION_RETURN;
      bool between = events[i].kind == TB_EVENT_GAP || events[i].kind == TB_EVENT_EXCEPTION
		     || (returns && behind);
      from &= behind || !between;
      to &= !behind || !between;
      behind |= returns;
    }
  monitor_print (call, "before step %" PRIu64 ": return", number);
  if (from && tb_recording_read (r, number - 1, &step, 1) == 1)
    {
      monitor_print (call, " from ");
      show_code (call, symbols, step.pc);
    }
  if (to && tb_recording_read (r, number, &step, 1) == 1)
    {
      monitor_print (call, " to ");
      show_code (call, symbols, step.pc);
    }
  monitor_print (call, "\n");
}

static void
show_event (const struct monitor_call *call, const struct tb_symbols *symbols,
	    const struct tb_event *e)
{
  if (e->kind == TB_EVENT_GAP && e->address != 0)
    monitor_print (call, "before step %" PRIu64 ": %s (0x%" PRIx64
		   "), trace byte %" PRIu64 "\n", e->step, gap_text (e),
		   e->address, e->index);
  else if (e->kind == TB_EVENT_GAP)
    monitor_print (call, "before step %" PRIu64 ": %s, trace byte %" PRIu64
		   "\n", e->step, gap_text (e), e->index);
  else if (e->kind == TB_EVENT_EXCEPTION_RETURN)
    show_return (call, symbols, e->step);
  else
    {
      monitor_print (call, "before step %" PRIu64 ": exception ", e->step);
      if (e->exception == TB_EXCEPTION_UNKNOWN)
	monitor_print (call, "(number not told)");
      else
	monitor_print (call, "%u", e->exception);
      struct tb_buffer name = { 0 };
      if (tb_exception_put_name (&name, e->exception, e->taken,
				 target_profile (call->client->target)))
	monitor_print (call, " (%.*s)", (int) name.size, (const char *) name.data);
      tb_buffer_fini (&name);
      show_levels (call, e);
      if (!(e->flags & TB_EXCEPTION_NO_RETURN))
	{
	  monitor_print (call, ", to return to ");
	  show_code (call, symbols, e->address);
	}
      show_handler (call, symbols, e);
      monitor_print (call, "\n");
    }
}

/* List the events of KIND (and RETURNS) from a step on, with the names of SYMBOLS.  */
static bool
list_events (const struct monitor_call *call, const struct tb_symbols *symbols,
	     enum tb_event_kind kind, bool returns, uint64_t all)
{
  struct client *c = call->client;
  uint64_t from = 0;
  if (call->count > 2
      || (call->count == 2 && !monitor_number (call->words[1], &from)))
    return false;
  unsigned lines = 0;
  struct tb_event_walk walk = tb_event_walk_from (c->target->recording, from);
  const struct tb_window *polled = NULL;
  for (const struct tb_event *e; all != 0 && (e = tb_event_next (&walk)) != NULL;)
    {
      if (walk.window != polled && !client_poll (c))
	break;
      polled = walk.window;
      if (e->kind != kind && !(returns && e->kind == TB_EVENT_EXCEPTION_RETURN))
	continue;
      if (lines == LINES_MAX)
	{
	  monitor_print (call, "More follow: \"monitor %s %" PRIu64 "\".\n",
			 call->words[0], e->step);
	  return true;
	}
      show_event (call, symbols, e);
      lines++;
    }
  if (lines == 0)
    monitor_print (call, "There are none.\n");
  return true;
}

static bool
gaps (const struct monitor_call *call)
{
  const struct tb_recording_info *info
    = tb_recording_info (call->client->target->recording);
  return list_events (call, NULL, TB_EVENT_GAP, false, info->gaps);
}

static bool
exceptions (const struct monitor_call *call)
{
  const struct target *t = call->client->target;
  if (t->steps == 0 && tb_lane_possible (t->session, t->core))
    return stepless_exceptions (call);
  return list_events (call, target_symbols (call->client->target),
		      TB_EVENT_EXCEPTION, true, UINT64_MAX);
}

const struct monitor_verb verbs_exceptions[] = {
  { "gaps", "[STEP]", "List where the trace does not tell what ran.", gaps },
  { "exceptions", "[STEP]", "List exceptions, what they interrupt and run, and returns from them.",
    exceptions },
  { NULL, NULL, NULL, NULL }
};
