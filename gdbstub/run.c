/* Moving through the recording.  See run.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets", "vCont packet", "Reverse Execution", "Stop Reply
   Packets"; details as GDB 13.1 needs them:
   - A breakpoint is reported on arrival at its address, in either direction, and so
     never at the position where execution starts.
   - For Arm, GDB takes a watchpoint to be reported before the access is made: it
     removes the watchpoint, steps once more the same way, and compares the
     values.  So forward the position of the access is reported, backward the one
     behind it.
   - At an end of the recording the reason is "replaylog".  After a step over a
     breakpoint (which GDB leaves out where execution stands) or a watchpoint, GDB 13
     does not notice then that the step is over, and the next command hangs, quit
     too: such a step ends with signal 0, which GDB shows as "stopped", and with the
     text of the other.
   - LLDB 14 does not know that reason, and goes on stepping for ever where a step does
     not move, but for a signal that stops.  */

#include "config.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handlers.h"
#include "registers.h"
#include "software.h"

#define SIGNAL_NONE 0
#define SIGNAL_INTERRUPT 2
#define SIGNAL_TRAP 5

struct motion
{
  struct client *client;
  bool backward;
  enum run_extent extent;
  struct tb_visit_range range;	/* GO_RANGE  */
  bool elsewhere;		/* See handlers_elsewhere.  */
  /* What is set.  */
  struct tb_visit_range *breaks;
  struct tb_watch_range *watches;
  const struct breakpoint **which;
  size_t nbreaks, nwatches;
};

void
reply_stop (struct client *c, unsigned signal, const char *reason)
{
  tb_buffer_clear (&c->reply);
  reply_printf (c, "T%02x%sthread:1;", signal, reason);
  append_pc (c, &c->reply);
}

static void
stop_at (struct client *c, uint64_t position, const char *reason)
{
  c->position = position;
  reply_stop (c, SIGNAL_TRAP, reason);
}

/* Arrive at POSITION: is a breakpoint there?  */
static void
arrive (struct client *c, uint64_t position)
{
  c->position = position;
  const struct tb_moment *moment = client_moment (c);
  const struct breakpoint *b = NULL;
  const char *reason = "", *why = NULL;
  if (moment != NULL && c->moment_has_pc)
    b = breakpoint_hit (c, moment->pc, position, &why);
  if (why != NULL)
    client_console (c, "The condition of the breakpoint at 0x%" PRIx64
		    " has no known outcome here: %s.\n", b->address, why);
  if (b == NULL)
    ;
  else if (b->kind == BREAK_SOFTWARE && c->wants_swbreak)
    reason = "swbreak:;";
  else if (b->kind == BREAK_HARDWARE && c->wants_hwbreak)
    reason = "hwbreak:;";
  stop_at (c, position, reason);
}

/* May this step at the end be one over a breakpoint or watchpoint?  GDB does not tell,
   but makes no step over a breakpoint where one is inserted.  */
static bool
may_step_over (struct motion *m)
{
  struct client *c = m->client;
  const struct tb_moment *moment = client_moment (c);
  if (m->backward || m->extent == GO_ON || moment == NULL)
    return false;
  if (c->watch_stop && !c->watch_backward && c->watch_position == c->position)
    return true;
  for (size_t i = 0; i < m->nbreaks; i++)
    if (m->breaks[i].first == moment->pc)
      return false;
  return true;
}

/* The last one that the recording reaches the given way.  */
static void
stop_at_end (struct motion *m)
{
  struct client *c = m->client;
  if (!c->is_lldb && may_step_over (m))
    {
      client_console (c, "No more reverse-execution history.\n");
      c->position = c->target->last;
      reply_stop (c, SIGNAL_NONE, "");
      return;
    }
  c->position = m->backward ? 0 : c->target->last;
  reply_stop (c, c->is_lldb ? SIGNAL_INTERRUPT : SIGNAL_TRAP,
	      m->backward ? "replaylog:begin;" : "replaylog:end;");
  if (c->is_lldb)
    {
      const char *text = m->backward ? "beginning of the recording"
			 : "end of the recording";
      reply_text (c, "description:");
      tb_hex_append (&c->reply, text, strlen (text));
      reply_text (c, ";");
    }
}

/* The search did not come to its end.  */
static void
give_up (struct client *c, enum tb_search why)
{
  if (why == TB_SEARCH_NO_MEMORY)
    client_console (c, "There is no memory for the search.\n");
  reply_stop (c, SIGNAL_INTERRUPT, "");
}

/* Say what may have been missed between the steps FIRST and END - 1.  */
static void
tell_unknown (struct motion *m, uint64_t first,
	      const struct tb_access_found *found)
{
  struct client *c = m->client;
  uint64_t known = tb_accesses_first (c->target->accesses);
  if (first < known && !c->narrow_said)
    {
      client_console (c, "Watchpoints do not look at steps before %" PRIu64
		      ".\n", known);
      c->narrow_said = true;
    }
  const struct { uint64_t count; const char *text; } missed[] = {
    { found->unknown_stores, "stores to addresses that are not known" },
    { found->unknown_loads, "loads from addresses that are not known" },
    { found->unknown_steps, "instructions whose accesses are not known" }
  };
  for (size_t i = 0; i < sizeof missed / sizeof missed[0]; i++)
    if (missed[i].count != 0)
      client_console (c, "On the way %" PRIu64 " %s were passed over; any of "
		      "them may have been to what is watched.\n",
		      missed[i].count, missed[i].text);
  if (found->gaps != 0)
    client_console (c, "Gaps in the trace were passed over (%" PRIu64 "); what "
		    "ran there may have accessed what is watched.\n",
		    found->gaps);
}

/* Where a search for watched accesses begins: not with one that was reported
   just now.  */
static uint64_t
watch_from (const struct motion *m)
{
  const struct client *c = m->client;
  bool again = c->watch_stop && c->watch_backward == m->backward
	       && c->watch_position == c->position;
  if (!again)
    return c->position;
  return m->backward ? c->position - 1 : c->position + 1;
}

/* Is a byte of what B watches not known at POSITION?  False of more than can be looked
   at here.  */
static bool
is_dark (struct target *t, const struct breakpoint *b, uint64_t position)
{
  uint8_t bytes[256], origins[256];
  struct tb_moment moment;
  bool has_pc;
  if (b->length > sizeof bytes
      || !target_moment (t, position, &moment, &has_pc))
    return false;
  target_memory (t, &moment, b->address, bytes, origins, (size_t) b->length);
  return memchr (origins, TB_UNKNOWN, (size_t) b->length) != NULL;
}

/* M came from where it stands to a store to what is watched, after (or backward,
   before) which it would stand at TO.  GDB 13 takes a value that cannot be read for
   the same as one that could not be read before, and goes on without a word.  So
   where that is the case, stop there by no reason that GDB knows, and say why; true:
   that was done.  */
static bool
stop_in_the_dark (struct motion *m, const struct tb_access_found *found,
		  uint64_t to)
{
  struct client *c = m->client;
  struct target *t = c->target;
  if (to > t->last)
    return false;
  for (size_t i = 0; i < m->nwatches; i++)
    {
      const struct breakpoint *b = m->which[i];
      if (found->address < b->address
	  || found->address - b->address >= b->length)
	continue;
      if (b->kind != WATCH_WRITE || !is_dark (t, b, to)
	  || !is_dark (t, b, c->position))
	return false;
    }
  client_console (c, "Step %" PRIu64 " stores to 0x%" PRIx64 ", which is watched; "
		  "execution stops there although the value is not known.\n",
		  found->step, found->address);
  c->watch_stop = false;
  c->position = to;
  reply_stop (c, SIGNAL_NONE, "");
  return true;
}

/* Look for a watched access among the steps FIRST to END - 1; true when the reply
   is made.  */
static bool
stop_at_watch (struct motion *m, uint64_t first, uint64_t end)
{
  struct client *c = m->client;
  struct target *t = c->target;
  struct tb_access_found found;
  if (m->nwatches == 0 || first >= end)
    return false;
  if (!target_prepare_accesses (t))
    {
      give_up (c, TB_SEARCH_NO_MEMORY);
      return true;
    }
  tb_accesses_set_poll (t->accesses, client_poll, c);
  enum tb_search result
    = m->backward ? tb_accesses_previous (t->accesses, m->watches, m->nwatches,
					  end, first, &found)
		  : tb_accesses_next (t->accesses, m->watches, m->nwatches,
				      first, end, &found);
  if (result == TB_SEARCH_NONE || result == TB_SEARCH_FOUND)
    tell_unknown (m, result == TB_SEARCH_FOUND ? found.step : first, &found);
  if (result == TB_SEARCH_NONE)
    return false;
  if (result != TB_SEARCH_FOUND)
    {
      give_up (c, result);
      return true;
    }
  if (stop_in_the_dark (m, &found, m->backward ? found.step : found.step + 1))
    return true;
  static const char *const names[] = {
    [WATCH_WRITE] = "watch", [WATCH_READ] = "rwatch", [WATCH_ACCESS] = "awatch"
  };
  char reason[64];
  snprintf (reason, sizeof reason, "%s:%" PRIx64 ";",
	    names[m->which[found.watch]->kind], found.address);
  stop_at (c, m->backward ? found.step + 1 : found.step, reason);
  c->watch_stop = true;
  c->watch_backward = m->backward;
  c->watch_position = c->position;
  return true;
}

/* Look for a PC among the positions that M passes through on from FROM, as far as
   LIMIT; *POSITION is the one found.  */
static enum tb_search
search (struct motion *m, const struct tb_visit_query *q, uint64_t from,
	uint64_t limit, uint64_t *position)
{
  struct client *c = m->client;
  struct target *t = c->target;
  if (!q->outside && q->count == 0)
    return TB_SEARCH_NONE;
  if (!target_prepare_visits (t))
    return TB_SEARCH_NO_MEMORY;
  tb_visits_set_poll (t->visits, client_poll, c);
  if (m->backward)
    return tb_visits_previous (t->visits, q, from, limit, position);
  uint64_t behind = limit < t->steps ? limit + 1 : t->steps, end;
  enum tb_search found = tb_visits_next (t->visits, q, from + 1, behind,
					 position);
  /* The moment after the last step has a PC too.  */
  if (found != TB_SEARCH_NONE || from >= t->last || limit < t->last
      || !target_end_pc (t, &end))
    return found;
  bool inside = false;
  for (size_t i = 0; i < q->count; i++)
    inside |= q->ranges[i].first <= end && end <= q->ranges[i].last;
  if (inside == q->outside)
    return TB_SEARCH_NONE;
  *position = t->last;
  return TB_SEARCH_FOUND;
}

bool
position_pc (struct target *t, uint64_t position, uint64_t *pc)
{
  struct tb_step step;
  if (tb_recording_read (t->recording, position, &step, 1) != 1)
    return target_end_pc (t, pc);
  *pc = step.pc;
  return true;
}

/* Does a breakpoint stop execution at POSITION, where there is one?  */
static bool
stops_here (struct client *c, uint64_t position)
{
  uint64_t pc;
  const char *why;
  return !position_pc (c->target, position, &pc)
	 || breakpoint_hit (c, pc, position, &why) != NULL;
}

/* The same for breakpoints, passing over those whose conditions do not hold;
   nothing behind LIMIT is of interest.  */
static enum tb_search
search_breakpoint (struct motion *m, uint64_t limit, uint64_t *position)
{
  const struct tb_visit_query stops = { m->breaks, m->nbreaks, false };
  uint64_t from = m->client->position;
  for (unsigned n = 1;; n++)
    {
      enum tb_search found = search (m, &stops, from, limit, position);
      if (found != TB_SEARCH_FOUND || stops_here (m->client, *position))
	return found;
      if (n % 64 == 0 && !client_poll (m->client))
	return TB_SEARCH_STOPPED;
      from = *position;
    }
}

/* Find the position where the step that M is, or the steps in its range, end, were it
   not for what is set; handlers that interrupt them may pass.  */
static enum tb_search
find_leave (struct motion *m, uint64_t *position)
{
  struct client *c = m->client;
  const struct tb_visit_query outside = { &m->range, 1, true };
  uint64_t pc, from = c->position, limit = m->backward ? 0 : UINT64_MAX;
  if (m->extent == GO_STEP)
    {
      *position = handlers_pass (c, from, m->backward,
				 m->backward ? from - 1 : from + 1);
      return TB_SEARCH_FOUND;
    }
  for (;;)
    {
      uint64_t at;
      enum tb_search found = search (m, &outside, from, limit, &at);
      if (found != TB_SEARCH_FOUND)
	return found;
      *position = handlers_pass (c, c->position, m->backward, at);
      if (*position == at || !position_pc (c->target, *position, &pc)
	  || pc < m->range.first || pc > m->range.last)
	return TB_SEARCH_FOUND;
      from = *position;
    }
}

/* Find the position where M stops but for watchpoints; false when none does
   before the end.  */
static enum tb_search
find_stop (struct motion *m, uint64_t *position)
{
  struct client *c = m->client;
  uint64_t limit = m->backward ? 0 : UINT64_MAX;
  enum tb_search leaves = TB_SEARCH_NONE;
  if (m->extent != GO_ON)
    {
      leaves = find_leave (m, &limit);
      if (leaves != TB_SEARCH_FOUND && leaves != TB_SEARCH_NONE)
	return leaves;
      if (leaves == TB_SEARCH_NONE)
	limit = m->backward ? 0 : UINT64_MAX;
      /* No breakpoint is between two neighbours.  */
      else if (limit == (m->backward ? c->position - 1 : c->position + 1))
	{
	  *position = limit;
	  return leaves;
	}
    }
  enum tb_search found = search_breakpoint (m, limit, position);
  if (found != TB_SEARCH_FOUND && found != TB_SEARCH_NONE)
    return found;
  uint64_t back;
  m->elsewhere = !m->backward && m->extent == GO_ON
		 && handlers_elsewhere (c, m->breaks, m->nbreaks, &back)
		 && (found == TB_SEARCH_NONE || back < *position);
  if (m->elsewhere)
    {
      *position = back;
      return TB_SEARCH_FOUND;
    }
  if (leaves == TB_SEARCH_FOUND
      && (found == TB_SEARCH_NONE
	  || (m->backward ? limit > *position : limit < *position)))
    *position = limit;
  return leaves == TB_SEARCH_FOUND ? leaves : found;
}

static void
move (struct motion *m)
{
  struct client *c = m->client;
  struct target *t = c->target;
  if (m->backward ? c->position == 0 : c->position >= t->last)
    {
      stop_at_end (m);
      return;
    }
  uint64_t position;
  enum tb_search found = find_stop (m, &position);
  if (found != TB_SEARCH_FOUND && found != TB_SEARCH_NONE)
    {
      give_up (c, found);
      return;
    }
  /* Which steps are made, or unmade, on the way there?  */
  uint64_t to = found == TB_SEARCH_FOUND ? position
		: m->backward ? 0 : t->steps;
  bool watched = m->backward ? stop_at_watch (m, to, watch_from (m))
			     : stop_at_watch (m, watch_from (m), to);
  if (watched)
    return;
  c->watch_stop = false;
  if (found == TB_SEARCH_FOUND && m->elsewhere)
    {
      client_console (c, "The handler is over, but what it interrupted goes on "
		      "elsewhere.\n");
      c->position = position;
      reply_stop (c, SIGNAL_NONE, "");
    }
  else if (found == TB_SEARCH_FOUND)
    arrive (c, position);
  else
    stop_at_end (m);
}

void
run_go (struct client *c, bool backward, enum run_extent extent,
	struct tb_visit_range range)
{
  struct motion m = { .client = c, .backward = backward, .extent = extent,
		      .range = range };
  uint64_t from = c->position;
  client_tell_made_up (c);
  /* Execution has no trace frame.  */
  c->frame = -1;
  size_t room = c->nbreakpoints + 1;
  m.breaks = calloc (room, sizeof *m.breaks);
  m.watches = calloc (room, sizeof *m.watches);
  m.which = calloc (room, sizeof *m.which);
  if (m.breaks == NULL || m.watches == NULL || m.which == NULL)
    give_up (c, TB_SEARCH_NO_MEMORY);
  else
    {
      m.nbreaks = breakpoint_ranges (c, m.breaks);
      m.nwatches = watch_ranges (c, m.watches, m.which);
      move (&m);
      software_tell (c, from);
    }
  free (m.breaks);
  free (m.watches);
  free (m.which);
}
