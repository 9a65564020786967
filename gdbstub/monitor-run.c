/* Monitor commands about the recording: where, goto, gaps, exceptions, coverage,
   cores, unknown.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "monitor.h"
#include "options.h"
#include "recording/window.h"
#include "server.h"

/* Lines that one listing has at most.  */
#define LINES_MAX 50

/* Steps that "coverage" looks at.  */
#define SAMPLES 200

static const char *
core_type (const struct target *t)
{
  return target_profile (t)->name;
}

/* Names of the registers in the bits of MASK, as far as they fit.  */
static void
name_registers (const struct target *t, uint64_t mask, char *text,
		size_t room)
{
  size_t count, used = 0;
  const struct tb_reg_info *regs = tb_regs (target_profile (t), &count);
  const struct tb_tdesc_layout *layout = tb_moments_layout (t->moments);
  *text = 0;
  for (unsigned i = 0; i < layout->count && used < room; i++)
    if (mask >> i & 1)
      used += (size_t) snprintf (text + used, room - used, " %s",
				 regs[layout->slots[i].reg].name);
}

static const char *
halt_text (const struct target *t)
{
  if (t->steps == 0)
    return "There is no trace: this is the state at the halt.";
  switch (tb_state_halt (t->state))
    {
    case TB_HALT_USED:
      return "The trace ends at the halt.";
    case TB_HALT_ELSEWHERE:
      return "The trace ends before the halt, whose registers and RAM do not "
	     "count.";
    case TB_HALT_CONTRADICTED:
      return "The registers and RAM at the halt contradict the trace and do not "
	     "count.";
    case TB_HALT_NONE:
      break;
    }
  return "The snapshot has no registers of the halt.";
}

/* Where the cursor is.  */
static void
show_place (const struct monitor_call *call)
{
  struct client *c = call->client;
  const struct target *t = c->target;
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    {
      monitor_print (call, "There is no memory to work out the state.\n");
      return;
    }
  if (moment->at_end)
    monitor_print (call, "%s: the end, after %" PRIu64 " steps", t->name,
		   t->steps);
  else
    monitor_print (call, "%s: before step %" PRIu64 " of 0 to %" PRIu64,
		   t->name, moment->number, t->steps - 1);
  if (c->frame >= 0)
    monitor_print (call, " (trace frame %" PRId64 ")", c->frame);
  if (c->moment_has_pc)
    monitor_print (call, ", PC 0x%" PRIx64, moment->pc);
  int64_t value;
  if (tb_moment_variable (t->moments, moment, TB_VAR_TIMESTAMP, &value))
    monitor_print (call, ", timestamp %" PRIu64, (uint64_t) value);
  if (tb_moment_variable (t->moments, moment, TB_VAR_CYCLES, &value))
    monitor_print (call, ", cycle %" PRIu64, (uint64_t) value);
  if (tb_moment_variable (t->moments, moment, TB_VAR_EXCEPTION, &value)
      && value != 0)
    monitor_print (call, ", exception %" PRId64, value);
  monitor_print (call, ".\n");
}

static bool
where (const struct monitor_call *call)
{
  struct client *c = call->client;
  const struct target *t = c->target;
  if (call->count != 1)
    return false;
  show_place (call);
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    return true;
  char names[400];
  if (moment->unknown == 0)
    monitor_print (call, "All registers are known here.\n");
  else
    {
      name_registers (t, moment->unknown, names, sizeof names);
      monitor_print (call, "Not, or not wholly, known here:%s.\n", names);
    }
  if (moment->assumed != 0)
    {
      name_registers (t, moment->assumed, names, sizeof names);
      monitor_print (call, "Only under an assumption:%s.\n", names);
    }
  monitor_print (call, "%s\n", halt_text (t));
  if (t->window_start != 0)
    monitor_print (call, "Registers and memory are worked out from step %" PRIu64
		   " on (--window).\n", t->window_start);
  return true;
}

/* Make execution stand at POSITION.  */
static void
go_to (const struct monitor_call *call, uint64_t position)
{
  struct client *c = call->client;
  c->frame = -1;
  c->position = position < c->target->last ? position : c->target->last;
  c->watch_stop = false;
  show_place (call);
  monitor_print (call, "Type \"maintenance flush register-cache\" for GDB to see "
		 "it.\n");
}

/* The first step of the stretch in which the last timestamp that is not after
   WANTED was in force; false: there is none.  */
static bool
find_timestamp (struct target *t, uint64_t wanted, uint64_t *step)
{
  /* Timestamps grow: the last step at or before WANTED, then the first with the
     same one.  */
  uint64_t low = 0, high = t->steps, at = 0, value, there;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      if (!tb_recording_timestamp (t->recording, middle, &value)
	  || value <= wanted)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0 || !tb_recording_timestamp (t->recording, low - 1, &there))
    return false;
  for (high = low - 1; at < high;)
    {
      uint64_t middle = at + (high - at) / 2;
      if (tb_recording_timestamp (t->recording, middle, &value)
	  && value >= there)
	high = middle;
      else
	at = middle + 1;
    }
  *step = at;
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
      const struct client *client = server_client (server, other);
      uint64_t timestamp;
      if (strcmp (other->name, name) != 0 || other == call->client->target)
	continue;
      if (client == NULL)
	monitor_print (call, "No GDB is connected to %s.\n", name);
      else if (!tb_recording_timestamp (other->recording,
					client_position (client), &timestamp))
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
  size_t count = tb_recording_windows (r);
  size_t number = count != 0 ? tb_recording_window_at (r, position) : 0;
  for (; number < count; number += backward ? (size_t) -1 : 1)
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
  if (find_event (call->client, kind, backward,
		  client_position (call->client), &step))
    go_to (call, step);
  else
    monitor_print (call, "There is no %s %s in the trace.\n",
		   backward ? "earlier" : "later", what);
  return true;
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
      if (strcmp (what, "core") == 0)
	return go_to_core (call, call->words[2]);
      if (strcmp (what, "next") == 0 || strcmp (what, "previous") == 0)
	return go_to_event (call, *what == 'p', call->words[2]);
      return false;
    }
  if (call->count != 2)
    return false;
  if (strcmp (what, "start") == 0)
    go_to (call, 0);
  else if (strcmp (what, "end") == 0)
    go_to (call, t->last);
  else if (!monitor_number (what, &number))
    return false;
  else if (number > t->last)
    monitor_print (call, "The last step is %" PRIu64 ".\n", t->last);
  else
    go_to (call, number);
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

static void
show_event (const struct monitor_call *call, const struct tb_event *e)
{
  if (e->kind == TB_EVENT_GAP && e->address != 0)
    monitor_print (call, "before step %" PRIu64 ": %s (0x%" PRIx64
		   "), trace byte %" PRIu64 "\n", e->step, gap_text (e),
		   e->address, e->index);
  else if (e->kind == TB_EVENT_GAP)
    monitor_print (call, "before step %" PRIu64 ": %s, trace byte %" PRIu64
		   "\n", e->step, gap_text (e), e->index);
  else if (e->kind == TB_EVENT_EXCEPTION_RETURN)
    monitor_print (call, "before step %" PRIu64 ": return\n", e->step);
  else
    {
      monitor_print (call, "before step %" PRIu64 ": exception ", e->step);
      if (e->exception == TB_EXCEPTION_UNKNOWN)
	monitor_print (call, "(number not told)");
      else
	monitor_print (call, "%u", e->exception);
      if (!(e->flags & TB_EXCEPTION_NO_RETURN))
	monitor_print (call, ", to return to 0x%" PRIx64, e->address);
      monitor_print (call, "\n");
    }
}

/* List the events of KIND (and RETURNS) from a step on.  */
static bool
list_events (const struct monitor_call *call, enum tb_event_kind kind,
	     bool returns, uint64_t all)
{
  struct client *c = call->client;
  struct tb_recording *r = c->target->recording;
  uint64_t from = 0;
  if (call->count > 2
      || (call->count == 2 && !monitor_number (call->words[1], &from)))
    return false;
  unsigned lines = 0;
  size_t count = tb_recording_windows (r);
  for (size_t n = count != 0 ? tb_recording_window_at (r, from) : 0;
       n < count && all != 0; n++)
    {
      const struct tb_window *w = tb_recording_window (r, n);
      if (w == NULL || !client_poll (c))
	break;
      for (size_t i = 0; i < w->nevents; i++)
	{
	  const struct tb_event *e = &w->events[i];
	  if (e->step < from
	      || !(is_kind (e, kind)
		   || (returns && is_kind (e, TB_EVENT_EXCEPTION_RETURN))))
	    continue;
	  if (lines == LINES_MAX)
	    {
	      monitor_print (call, "More follow: \"monitor %s %" PRIu64 "\".\n",
			     call->words[0], e->step);
	      return true;
	    }
	  show_event (call, e);
	  lines++;
	}
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
  return list_events (call, TB_EVENT_GAP, false, info->gaps);
}

static bool
exceptions (const struct monitor_call *call)
{
  return list_events (call, TB_EVENT_EXCEPTION, true, UINT64_MAX);
}

/* How many registers are known at steps spread over the recording?  */
static void
cover_registers (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  uint64_t from = t->window_start, span = t->steps - from;
  uint64_t samples = span < SAMPLES ? span : SAMPLES, known = 0, all = 0;
  for (uint64_t i = 0; i < samples; i++)
    {
      struct tb_moment moment;
      bool has_pc;
      if (!target_moment (t, from + span * i / samples, &moment, &has_pc))
	return;
      const struct tb_tdesc_layout *layout = tb_moments_layout (t->moments);
      all += layout->count;
      for (unsigned j = 0; j < layout->count; j++)
	known += !(moment.unknown >> j & 1);
    }
  if (all != 0)
    monitor_print (call, "Registers known at %" PRIu64 " steps spread from step "
		   "%" PRIu64 " on: %" PRIu64 "%%.\n", samples, from,
		   100 * known / all);
}

static bool
coverage (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  const struct tb_recording_info *info = tb_recording_info (t->recording);
  if (call->count != 1)
    return false;
  if (t->steps == 0)
    {
      monitor_print (call, "There is no trace.\n");
      return true;
    }
  if (!target_prepare_visits (t))
    {
      monitor_print (call, "There is no memory to find out.\n");
      return true;
    }
  for (size_t i = 0; i < tb_recording_windows (t->recording); i++)
    {
      uint64_t step = tb_recording_window_step (t->recording, i);
      if (!client_poll (c))
	break;
      if (step < t->steps)
	tb_visits_see (t->visits, step);
    }
  struct tb_visits_coverage found;
  tb_visits_coverage (t->visits, &found);
  monitor_print (call, "%" PRIu64 " steps in %" PRIu64 " ranges, %" PRIu64
		 " exceptions, %" PRIu64 " gaps.\n", info->steps, info->ranges,
		 info->exceptions, info->gaps);
  monitor_print (call, "%" PRIu64 " bytes of code ran, in %zu pieces.\n",
		 found.bytes, found.pieces);
  cover_registers (call);
  return true;
}

static bool
cores (const struct monitor_call *call)
{
  const struct server *s = call->client->server;
  if (call->count != 1)
    return false;
  for (size_t i = 0; i < s->targets->count; i++)
    {
      const struct target *t = &s->targets->items[i];
      const struct client *client = server_client (s, t);
      monitor_print (call, "%c %s (%s)%s%s: ",
		     t == call->client->target ? '*' : ' ', t->name,
		     core_type (t), s->stdio ? "" : " at ",
		     s->stdio ? "" : s->listeners[i].name);
      if (t->stream == NULL)
	monitor_print (call, "no trace");
      else
	monitor_print (call, "%" PRIu64 " steps of %s", t->steps,
		       t->stream->source->name);
      uint64_t timestamp;
      if (client != NULL)
	{
	  monitor_print (call, "; a GDB is at step %" PRIu64,
			 client_position (client));
	  if (tb_recording_timestamp (t->recording, client_position (client),
				      &timestamp))
	    monitor_print (call, ", timestamp %" PRIu64, timestamp);
	}
      monitor_print (call, ".\n");
    }
  return true;
}

static bool
unknown (const struct monitor_call *call)
{
  struct client *c = call->client;
  if (call->count > 2
      || (call->count == 2 && !policy_parse (call->words[1], &c->policy)))
    return false;
  static const char *const texts[] = {
    [UNKNOWN_AUTO] = "as \"exact\" where the ELF file has call frame "
		     "information, else as \"navigable\"",
    [UNKNOWN_EXACT] = "all are <unavailable>",
    [UNKNOWN_NAVIGABLE] = "0xbad00bad in SP, LR, the frame pointer and the status "
			  "register, the others <unavailable>"
  };
  monitor_print (call, "Registers that are not known: %s (%s).\n",
		 policy_name (c->policy), texts[c->policy]);
  if (call->count == 2)
    monitor_print (call, "Type \"maintenance flush register-cache\" for GDB to "
		   "see it.\n");
  return true;
}

/* assume [NAME on|off]  */
static bool
assume (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  if (call->count == 3)
    {
      unsigned bit = assumption_parse (call->words[1]);
      bool on = strcmp (call->words[2], "on") == 0;
      if (bit == 0 || (!on && strcmp (call->words[2], "off") != 0))
	return false;
      target_assume (t, on ? t->assume | bit : t->assume & ~bit);
      client_forget (c);
    }
  else if (call->count != 1)
    return false;
  for (unsigned i = 0; assumption_name (i) != NULL; i++)
    monitor_print (call, "%s: %s\n", assumption_name (i),
		   t->assume & assumption_parse (assumption_name (i)) ? "on"
								       : "off");
  if (call->count == 3)
    monitor_print (call, "Type \"maintenance flush register-cache\" for GDB to "
		   "see it.\n");
  return true;
}

const struct monitor_verb verbs_run[] = {
  { "where", "", "Tell the step, the time, and what is known there.", where },
  { "goto", "STEP|start|end|timestamp TIME|core NAME"
    "|next|previous exception|return|gap",
    "Move execution to a step, to a time (that of another core's GDB too), or to "
    "an event.", goto_place },
  { "gaps", "[STEP]", "List where the trace does not tell what ran.", gaps },
  { "exceptions", "[STEP]", "List exceptions and returns from them.",
    exceptions },
  { "coverage", "", "Tell how much ran, and how much of the registers is known.",
    coverage },
  { "cores", "", "List the cores, where they are served, and who is there.",
    cores },
  { "unknown", "[auto|exact|navigable]",
    "Tell or set what registers that are not known show.", unknown },
  { "assume", "[aapcs|halt|constants on|off]",
    "Tell or set what is assumed; $assumed_registers has what follows.", assume },
  { NULL, NULL, NULL, NULL }
};
