/* Monitor commands that move execution: goto, reset; and halt, which says where it stands.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "frames.h"
#include "interrupted.h"
#include "kernels.h"
#include "monitor.h"
#include "recording/window.h"
#include "server.h"
#include "snapshot/symbols.h"
#include "together.h"
#include "util/search.h"

/* Make execution stand at POSITION.  The protocol has no way to tell GDB.  */
static void
go_to (const struct monitor_call *call, uint64_t position)
{
  struct client *c = call->client;
  uint64_t stood = c->position;
  frames_leave (c);
  c->position = position < c->target->last ? position : c->target->last;
  c->moved = true;
  if (c->is_lldb)
    {
      monitor_show_place (call);
      c->goes = true;
      c->goes_to_bound = false;
      c->goes_to = c->position;
      c->position = stood;
      monitor_print (call, "LLDB goes there with the next \"thread step-inst\", which makes no "
		     "step then; until then all that\nis shown is of step %" PRIu64 ".\n", stood);
      return;
    }
  c->watch_stop = false;
  together_follow (c);
  monitor_show_place (call);
  if (!c->refreshes)
    monitor_print (call, "GDB sees it with the next \"stepi\", which makes no step then.\n");
}

/* Where C stands, or goes.  */
static uint64_t
place (const struct client *c)
{
  return c->goes ? c->goes_to : client_position (c);
}

/* The same for the beginning, or the END; of all cores.  */
static void
go_to_bound (const struct monitor_call *call, bool end)
{
  go_to (call, end ? call->client->target->last : 0);
  call->client->goes_to_bound = call->client->goes;
  if (!call->client->goes)
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

/* Find the event of KIND that lies before the first step after POSITION, or
   BACKWARD before the last step that is not after it.  */
static enum tb_search
find_event (struct client *c, enum tb_event_kind kind, bool backward,
	    uint64_t position, uint64_t *step)
{
  struct tb_recording *r = c->target->recording;
  size_t number = tb_recording_windows (r) != 0 ? tb_recording_window_at (r, position) : 0;
  /* How many there are may change when one of them is read.  */
  for (; number < tb_recording_windows (r); number += backward ? (size_t) -1 : 1)
    {
      const struct tb_window *w = tb_recording_window (r, number);
      if (w == NULL)
	return TB_SEARCH_NO_MEMORY;
      if (!client_poll (c))
	return TB_SEARCH_STOPPED;
      for (size_t n = 0; n < w->nevents; n++)
	{
	  const struct tb_event *e = &w->events[backward ? w->nevents - 1 - n
							  : n];
	  if (e->kind == kind
	      && (backward ? e->step < position : e->step > position))
	    {
	      *step = e->step;
	      return TB_SEARCH_FOUND;
	    }
	}
      if (backward && number == 0)
	break;
    }
  return TB_SEARCH_NONE;
}

/* Find a return from an exception as find_event does.  Trace of the A profile has no events of
   them: the steps beside tell it.  */
static enum tb_search
find_exception_return (struct client *c, bool backward, uint64_t position, uint64_t *step)
{
  if (target_profile (c->target)->is_m)
    return find_event (c, TB_EVENT_EXCEPTION_RETURN, backward, position, step);
  const struct tb_open_exceptions *all = interrupted_find (c);
  if (all == NULL)
    return client_poll (c) ? TB_SEARCH_NO_MEMORY : TB_SEARCH_STOPPED;
  return tb_open_exceptions_return (all, position, backward, step) ? TB_SEARCH_FOUND
								   : TB_SEARCH_NONE;
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
  uint64_t from = place (call->client), last = call->client->target->last;
  enum tb_search found = kind == TB_EVENT_EXCEPTION_RETURN
			 ? find_exception_return (call->client, backward, from, &step)
			 : find_event (call->client, kind, backward, from, &step);
  /* Where the PC behind the last step is not known execution does not go there.  */
  if (found == TB_SEARCH_STOPPED)
    monitor_print (call, "Interrupted: execution stands where it did.\n");
  else if (found == TB_SEARCH_NO_MEMORY)
    monitor_print (call, "There is no memory to look for it.\n");
  else if (found == TB_SEARCH_FOUND && !backward && step > last && from >= last)
    monitor_print (call, "There is no later %s in the trace but the one behind its last step, "
		   "where execution stands.\n", what);
  else if (found == TB_SEARCH_FOUND)
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
	&& slices[i].step < place (call->client))
      at = i;
  if (at != SIZE_MAX)
    go_to (call, slices[at].step);
  else
    monitor_print (call, "No task %" PRIu64 " goes on before here; \"monitor tasks\" "
		   "lists them.\n", number);
  return true;
}

/* Is task NUMBER of T called NAME, by the function that it runs or by the kernel?  */
static bool
is_called (struct target *t, unsigned number, const char *name)
{
  const struct tb_task *task = tb_tasks_get (target_tasks (t), number);
  const char *title = kernels_title (t, number);
  return (title != NULL && strcmp (title, name) == 0)
	 || (task->function != NULL && strcmp (task->function->name, name) == 0);
}

/* Go to where the task that WORD names or has the number of went on last.  */
static bool
go_to_named_task (const struct monitor_call *call, const char *word)
{
  struct target *t = call->client->target;
  uint64_t number = 0;
  if (monitor_number (word, &number))
    return go_to_task (call, number);
  size_t count = tb_tasks_count (target_tasks (t));
  for (unsigned i = 1; i <= count; i++)
    if (is_called (t, i, word))
      {
	if (number != 0)
	  {
	    monitor_print (call, "Tasks %" PRIu64 " and %u are both called \"%.100s\": say which "
			   "by its number.\n", number, i, word);
	    return true;
	  }
	number = i;
      }
  if (number != 0)
    return go_to_task (call, number);
  monitor_print (call, "No task is called \"%.100s\"; \"monitor tasks\" lists them.\n", word);
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
	return go_to_named_task (call, call->words[2]);
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

const struct monitor_verb verbs_goto[] = {
  { "goto", "STEP|start|end|timestamp TIME|core NAME|task N|task NAME"
    "|next|previous exception|return|gap",
    "Move execution to a step, to a time (that of another core's GDB too), to "
    "where a task went on last, or to an event.", goto_place },
  { "reset", "[halt|init|run]", "Move execution to the first step, as \"goto start\" does.",
    reset },
  { "halt", "", "Tell where execution stands; it always does.", halt },
  { NULL, NULL, NULL, NULL }
};
