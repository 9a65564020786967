/* Monitor commands for places in the recording: goto, gaps, exceptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "frames.h"
#include "interrupted.h"
#include "monitor.h"
#include "recording/event-walk.h"
#include "recording/lane.h"
#include "recording/level-names.h"
#include "recording/window.h"
#include "server.h"
#include "snapshot/symbols.h"
#include "stepless.h"
#include "together.h"
#include "util/search.h"

/* Lines that one listing has at most.  */
#define LINES_MAX 50

/* Make execution stand at POSITION.  The protocol has no way to tell GDB.  */
static void
go_to (const struct monitor_call *call, uint64_t position)
{
  struct client *c = call->client;
  frames_leave (c);
  c->position = position < c->target->last ? position : c->target->last;
  c->watch_stop = false;
  c->moved = true;
  together_follow (c);
  monitor_show_place (call);
  if (!c->refreshes)
    monitor_print (call, "%s, which makes no step then.\n",
		   c->is_lldb ? "LLDB sees it with the next \"thread step-inst\""
		   : "GDB sees it with the next \"stepi\"");
}

/* The same for the beginning, or the END; of all cores.  */
static void
go_to_bound (const struct monitor_call *call, bool end)
{
  go_to (call, end ? call->client->target->last : 0);
  together_begin (call->client, end);
}

/* The first step of the stretch in which the last timestamp that is not after
   WANTED was in force; false: there is none.  */
static bool
find_timestamp (struct target *t, uint64_t wanted, uint64_t *step)
{
  /* Timestamps grow: the last step at or before WANTED, then the first with the
     same one.  */
  uint64_t last, value, there;
  TB_LOWER_BOUND (last, t->steps, !tb_recording_timestamp (t->recording, last, &value)
				  || value <= wanted);
  if (last-- == 0 || !tb_recording_timestamp (t->recording, last, &there))
    return false;
  TB_LOWER_BOUND (*step, last, !tb_recording_timestamp (t->recording, *step, &value)
			       || value < there);
  return true;
}

static bool
go_to_timestamp (const struct monitor_call *call, uint64_t timestamp)
{
  uint64_t step;
  if (find_timestamp (call->client->target, timestamp, &step))
    go_to (call, step);
  else
    monitor_print (call, "No timestamp at or before %" PRIu64 " is in the trace "
		   "of %s.\n", timestamp, call->client->target->name);
  return true;
}

/* Go to the time that the client of another core is at.  */
static bool
go_to_core (const struct monitor_call *call, const char *name)
{
  const struct server *server = call->client->server;
  for (size_t i = 0; i < server->targets->count; i++)
    {
      struct target *other = &server->targets->items[i];
      uint64_t timestamp, position;
      if (strcmp (other->name, name) != 0 || other == call->client->target)
	continue;
      if (!server_position (server, other, &position))
	monitor_print (call, "No GDB is connected to %s.\n", name);
      else if (!tb_recording_timestamp (other->recording, position, &timestamp))
	monitor_print (call, "%s has no timestamp where it is.\n", name);
      else
	go_to_timestamp (call, timestamp);
      return true;
    }
  monitor_print (call, "No other core is named \"%.100s\"; \"monitor cores\" "
		 "lists them.\n", name);
  return true;
}

/* Is EVENT of KIND?  Exceptions come without their returns.  */
static bool
is_kind (const struct tb_event *event, enum tb_event_kind kind)
{
  return event->kind == kind;
}

/* Find the event of KIND that lies before the first step after POSITION, or
   BACKWARD before the last step that is not after it.  */
static bool
find_event (struct client *c, enum tb_event_kind kind, bool backward,
	    uint64_t position, uint64_t *step)
{
  struct tb_recording *r = c->target->recording;
  size_t number = tb_recording_windows (r) != 0 ? tb_recording_window_at (r, position) : 0;
  /* How many there are may change when one of them is read.  */
  for (; number < tb_recording_windows (r); number += backward ? (size_t) -1 : 1)
    {
      const struct tb_window *w = tb_recording_window (r, number);
      if (w == NULL || !client_poll (c))
	return false;
      for (size_t n = 0; n < w->nevents; n++)
	{
	  const struct tb_event *e = &w->events[backward ? w->nevents - 1 - n
							  : n];
	  if (is_kind (e, kind)
	      && (backward ? e->step < position : e->step > position))
	    {
	      *step = e->step;
	      return true;
	    }
	}
      if (backward && number == 0)
	break;
    }
  return false;
}

static bool
go_to_event (const struct monitor_call *call, bool backward,
	     const char *what)
{
  enum tb_event_kind kind;
  uint64_t step;
  if (strcmp (what, "exception") == 0)
    kind = TB_EVENT_EXCEPTION;
  else if (strcmp (what, "return") == 0)
    kind = TB_EVENT_EXCEPTION_RETURN;
  else if (strcmp (what, "gap") == 0)
    kind = TB_EVENT_GAP;
  else
    return false;
  uint64_t from = client_position (call->client), last = call->client->target->last;
  bool found = find_event (call->client, kind, backward, from, &step);
  /* Where the PC behind the last step is not known execution does not go there.  */
  if (found && !backward && step > last && from >= last)
    monitor_print (call, "There is no later %s in the trace but the one behind its last step, "
		   "where execution stands.\n", what);
  else if (found)
    go_to (call, step);
  else
    monitor_print (call, "There is no %s %s in the trace.\n",
		   backward ? "earlier" : "later", what);
  return true;
}

/* Go to where the task with NUMBER went on last before the position.  */
static bool
go_to_task (const struct monitor_call *call, uint64_t number)
{
  size_t n, at = SIZE_MAX;
  const struct tb_task_slice *slices
    = tb_tasks_slices (target_tasks (call->client->target), &n);
  for (size_t i = 0; i < n; i++)
    if (slices[i].task == number && number != 0
	&& slices[i].step < client_position (call->client))
      at = i;
  if (at != SIZE_MAX)
    go_to (call, slices[at].step);
  else
    monitor_print (call, "No task %" PRIu64 " goes on before here; \"monitor tasks\" "
		   "lists them.\n", number);
  return true;
}

/* GDB has no frame without a PC; where the end has none its state is to be had
   elsewhere.  */
static void
tell_open_end (const struct monitor_call *call)
{
  const struct target *t = call->client->target;
  if (t->last < t->steps)
    monitor_print (call, "Where the core went behind step %" PRIu64 " is not known, so "
		   "GDB cannot be shown the end; tracebridge-convert "
		   "--why=end:REGISTER says what is known there.\n", t->last);
}

static bool
goto_place (const struct monitor_call *call)
{
  const struct target *t = call->client->target;
  const char *what = call->count > 1 ? call->words[1] : "";
  uint64_t number;
  if (call->count == 3)
    {
      if (strcmp (what, "timestamp") == 0)
	return monitor_number (call->words[2], &number)
	       && go_to_timestamp (call, number);
      if (strcmp (what, "task") == 0)
	return monitor_number (call->words[2], &number) && go_to_task (call, number);
      if (strcmp (what, "core") == 0)
	return go_to_core (call, call->words[2]);
      if (strcmp (what, "next") == 0 || strcmp (what, "previous") == 0)
	return go_to_event (call, *what == 'p', call->words[2]);
      return false;
    }
  if (call->count != 2)
    return false;
  if (strcmp (what, "start") == 0)
    go_to_bound (call, false);
  else if (strcmp (what, "end") == 0)
    {
      go_to_bound (call, true);
      tell_open_end (call);
    }
  else if (!monitor_number (what, &number))
    return false;
  else if (number > t->last)
    {
      monitor_print (call, "The last step is %" PRIu64 ".\n", t->last);
      tell_open_end (call);
    }
  else
    go_to (call, number);
  return true;
}

static bool
reset (const struct monitor_call *call)
{
  /* As probes have it; nothing runs on its own here.  */
  const char *what = call->count > 1 ? call->words[1] : "halt";
  if (call->count > 2
      || (strcmp (what, "halt") != 0 && strcmp (what, "init") != 0
	  && strcmp (what, "run") != 0))
    return false;
  go_to_bound (call, false);
  return true;
}

static bool
halt (const struct monitor_call *call)
{
  if (call->count != 1)
    return false;
  monitor_show_place (call);
  return true;
}

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
      struct tb_event beside;
      monitor_print (call, ", over before step %" PRIu64, over);
      /* Trace of the A profile has no events of returns; the steps beside tell it.  */
      if (!target_profile (c->target)->is_m
	  && tb_recording_events (c->target->recording, over, over, &beside, 1) == 0
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
  struct tb_event events[16];
  struct tb_step step;
  size_t count = tb_recording_events (r, number, number, events, 16);
  bool from = number > 0 && count <= 16, to = count <= 16, behind = false;
  for (size_t i = 0; i < count && i < 16; i++)
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
      if (!is_kind (e, kind) && !(returns && is_kind (e, TB_EVENT_EXCEPTION_RETURN)))
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

const struct monitor_verb verbs_goto[] = {
  { "goto", "STEP|start|end|timestamp TIME|core NAME|task N"
    "|next|previous exception|return|gap",
    "Move execution to a step, to a time (that of another core's GDB too), to "
    "where a task went on last, or to an event.", goto_place },
  { "reset", "[halt|init|run]", "Move execution to the first step, as \"goto start\" does.",
    reset },
  { "halt", "", "Tell where execution stands; it always does.", halt },
  { "gaps", "[STEP]", "List where the trace does not tell what ran.", gaps },
  { "exceptions", "[STEP]", "List exceptions, what they interrupt and run, and returns from them.",
    exceptions },
  { NULL, NULL, NULL, NULL }
};
