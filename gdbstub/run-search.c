/* Where a motion ends.  See motion.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "motion.h"

#include <inttypes.h>

#include "clock.h"
#include "handlers.h"
#include "missed.h"
#include "run.h"

/* A search that takes longer than this tells how far it is.  */
#define PROGRESS_MS 5000

static uint64_t
visits_reached (const struct motion *m)
{
  return tb_visits_reached (m->client->target->visits);
}

bool
motion_go_on (void *context)
{
  struct motion *m = context;
  uint64_t now = now_ms ();
  if (m->told == 0)
    m->told = now;
  if (now - m->told >= PROGRESS_MS)
    {
      m->told = now;
      client_console (m->client, "Looking: step %" PRIu64 " of %" PRIu64 ".\n",
		      m->reached (m), m->client->target->steps);
    }
  return client_poll (m->client);
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
  m->reached = visits_reached;
  tb_visits_set_poll (t->visits, motion_go_on, m);
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

/* Does a breakpoint of C stop execution at POSITION, where there is one?  */
static bool
stops_here (struct client *c, uint64_t position)
{
  uint64_t pc;
  const char *why;
  return !position_pc (c->target, position, &pc)
	 || breakpoint_hit (c, pc, position, &why) != NULL;
}

bool
motion_breaks_at (const struct motion *m, uint64_t position)
{
  uint64_t pc;
  if (!position_pc (m->client->target, position, &pc))
    return false;
  for (size_t i = 0; i < m->nbreaks; i++)
    if (m->breaks[i].first <= pc && pc <= m->breaks[i].last)
      return stops_here (m->client, position);
  return false;
}

/* The same for breakpoints, passing over those whose conditions do not hold;
   nothing behind LIMIT is of interest.  */
static enum tb_search
search_breakpoint (struct motion *m, uint64_t limit, uint64_t *position)
{
  const struct tb_visit_query stops = { m->breaks, m->nbreaks, false };
  uint64_t from = m->from;
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
  uint64_t pc, from = m->waits ? m->begin : m->from, limit = m->limit;
  if (m->waits && m->backward)
    {
      *position = from;
      return TB_SEARCH_FOUND;
    }
  /* It goes on where the recording ends.  */
  if (!m->backward && from >= c->target->last)
    return TB_SEARCH_NONE;
  if (m->extent == GO_STEP)
    {
      *position = handlers_pass (c, from, m->backward,
				 m->backward ? from - 1 : from + 1, &m->other, &m->passed);
      return TB_SEARCH_FOUND;
    }
  for (;;)
    {
      uint64_t at;
      enum tb_search found = search (m, &outside, from, limit, &at);
      if (found != TB_SEARCH_FOUND)
	return found;
      *position = handlers_pass (c, from, m->backward, at, &m->other, &m->passed);
      if (*position == at || m->other || !position_pc (c->target, *position, &pc)
	  || pc < m->range.first || pc > m->range.last)
	return TB_SEARCH_FOUND;
      from = *position;
    }
}

/* The last call before POSITION that goes on behind where LR leads to there, into *CALL.  */
static bool
search_call (struct motion *m, uint64_t position, uint64_t *call)
{
  struct tb_moment moment;
  struct tb_step step;
  bool has_pc;
  if (!target_moment (m->client->target, position, &moment, &has_pc)
      || !tb_moment_whole (&moment.values[TB_LR], 4))
    return false;
  uint64_t back = moment.values[TB_LR].bits & ~UINT64_C (1);
  struct tb_visit_range ranges[] = { { back - 4, back - 4 }, { back - 2, back - 2 } };
  const struct tb_visit_query query = { ranges, 2, false };
  return search (m, &query, position, m->limit, call) == TB_SEARCH_FOUND
	 && tb_recording_read (m->client->target->recording, *call, &step, 1) == 1
	 && step.pc + step.size == back;
}

/* Backward, the call of a function at whose first instruction GDB has a breakpoint with an
   odd address, into *POSITION.  Code in assembler has the Thumb bit in its functions'
   DW_AT_low_pc (GNU as 2.39; libgcc's division for cores without it), so GDB 13 goes out of
   such a function by a breakpoint at which it never finds itself.  */
static bool
search_odd (struct motion *m, uint64_t *position)
{
  const struct client *c = m->client;
  bool found = false;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    {
      const struct breakpoint *b = &c->breakpoints[i];
      struct tb_visit_range range = { b->address, b->address };
      const struct tb_visit_query query = { &range, 1, false };
      uint64_t first, call;
      if (!b->odd || search (m, &query, m->from, m->limit, &first) != TB_SEARCH_FOUND
	  || !search_call (m, first, &call) || (found && call < *position))
	continue;
      *position = call;
      found = true;
    }
  return found;
}

/* Is what stops at POSITION such a breakpoint?  */
static bool
is_odd (const struct client *c, uint64_t position)
{
  uint64_t pc;
  bool odd = false, other = false;
  if (!position_pc (c->target, position, &pc))
    return false;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].address == pc && c->breakpoints[i].kind < WATCH_WRITE)
      *(c->breakpoints[i].odd ? &odd : &other) = true;
  return odd && !other;
}

/* Backward, the last of what GDB would miss.  */
static enum missed
find_missed_entry (struct motion *m, uint64_t *position)
{
  struct client *c = m->client;
  uint64_t at;
  enum missed found = MISSED_NOTHING;
  if (missed_entry (c, m->breaks, m->nbreaks, position))
    found = MISSED_FAULT;
  if (search_odd (m, &at) && (found == MISSED_NOTHING || at > *position))
    {
      *position = at;
      found = MISSED_ODD;
    }
  if (missed_vector (c, m->breaks, m->nbreaks, &at)
      && (found == MISSED_NOTHING || at > *position))
    {
      *position = at;
      found = MISSED_VECTOR;
    }
  return found;
}

/* Find where M, which goes on, is to stop for what GDB would miss; see missed.h.  */
static enum missed
find_missed (struct motion *m, uint64_t *position)
{
  if (m->backward)
    return find_missed_entry (m, position);
  return missed_return (m->client, m->breaks, m->nbreaks, position) ? MISSED_RETURN
	 : MISSED_NOTHING;
}

enum tb_search
motion_find_stop (struct motion *m, uint64_t *position)
{
  struct client *c = m->client;
  uint64_t limit = m->limit;
  enum tb_search leaves = TB_SEARCH_NONE;
  /* Where it has just begun GDB makes no step over a breakpoint: it goes on from the address
     that it was told (GDB 13.1, infcmd.c, run_command_1).  */
  if (m->anew && m->extent == GO_ON && !m->backward && motion_breaks_at (m, m->from))
    {
      *position = m->from;
      return TB_SEARCH_FOUND;
    }
  if (m->extent != GO_ON)
    {
      leaves = find_leave (m, &limit);
      if (leaves != TB_SEARCH_FOUND && leaves != TB_SEARCH_NONE)
	return leaves;
      if (leaves == TB_SEARCH_NONE)
	limit = m->limit;
      /* No breakpoint is between two neighbours.  */
      else if (limit == (m->backward ? m->from - 1 : m->from + 1))
	{
	  *position = limit;
	  return leaves;
	}
    }
  enum tb_search found = search_breakpoint (m, limit, position);
  if (found != TB_SEARCH_FOUND && found != TB_SEARCH_NONE)
    return found;
  uint64_t back = 0;
  m->elsewhere = !m->backward && m->extent == GO_ON && !m->follows
		 ? handlers_elsewhere (c, m->breaks, m->nbreaks, &back) : HANDLER_NOT_OVER;
  if (found == TB_SEARCH_FOUND
      && (back > *position || (back == *position && m->elsewhere == HANDLER_ELSEWHERE)))
    m->elsewhere = HANDLER_NOT_OVER;
  if (m->elsewhere != HANDLER_NOT_OVER)
    {
      *position = back;
      return TB_SEARCH_FOUND;
    }
  m->missed = m->extent == GO_ON && !m->follows ? find_missed (m, &back) : MISSED_NOTHING;
  if (found != TB_SEARCH_NONE && !is_odd (c, *position)
      && (m->backward ? back <= *position : back > *position))
    m->missed = MISSED_NOTHING;
  if (m->missed != MISSED_NOTHING)
    {
      *position = back;
      return TB_SEARCH_FOUND;
    }
  if (leaves == TB_SEARCH_FOUND
      && (found == TB_SEARCH_NONE
	  || (m->backward ? limit > *position : limit < *position)))
    *position = limit;
  m->other = m->other && *position == limit;
  return leaves == TB_SEARCH_FOUND ? leaves : found;
}
