/* What a motion came by without knowing whether it is what is watched, and what it never came by.
   See motion.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "motion.h"

#include <inttypes.h>
#include <stdlib.h>

#include "client.h"
#include "frames.h"
#include "recording/event-steps.h"
#include "snapshot/symbols.h"
#include "state/answer/likely.h"
#include "target.h"
#include "threads.h"

/* In so many steps gaps are looked for.  */
#define GAPS_STEPS_MOST (UINT64_C (1) << 20)

/* Breakpoints of which it is told that nothing ran there.  */
#define NEVER_MOST 4

/* Of the stores that M came by without knowing where to they were, tell which one likely
   was to what is watched.  */
static void
tell_likely (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  struct target *t = c->target;
  struct tb_likely likely, last = { .step = 0 };
  bool any = false;
  for (size_t i = 0; i < m->nwatches; i++)
    if (m->watches[i].stores
	&& tb_likely_store (t->state, m->watches[i].address, m->watches[i].length, m->look,
			    e->first, &likely)
	&& (!any || likely.step > last.step))
      {
	last = likely;
	any = true;
      }
  if (!any)
    return;
  if (last.through)
    threads_say (c, "Likely it is the store of step %" PRIu64 ": it is through the pointer at "
		 "0x%" PRIx64 ", which later is known to point there", last.step, last.pointer);
  else
    threads_say (c, "Likely it is the store of step %" PRIu64 ": it is to one of the "
		 "addresses from 0x%" PRIx64 " to 0x%" PRIx64, last.step, last.low, last.high);
  uint64_t frame;
  client_console (c, ".  ");
  if (!c->is_lldb && frames_find (c, last.step, &frame))
    client_console (c, "\"tfind %" PRIu64 "\" shows it, ", frame);
  client_console (c, "\"monitor goto %" PRIu64 "\" goes to it.\n", last.step);
}

/* Tell of gaps between where M began and E: a step goes over them as if nothing had run there.  */
static void
tell_gaps (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  struct target *t = c->target;
  uint64_t to = e->kind == MOTION_AT_END ? (m->backward ? 0 : t->last) : e->position;
  uint64_t low = m->backward ? to : m->from, high = m->backward ? m->from : to;
  if (e->kind == MOTION_FAILED || low >= high || high - low > GAPS_STEPS_MOST
      || tb_recording_info (t->recording)->gaps == 0)
    return;
  uint64_t *steps = tb_event_steps (t->recording, low, high, TB_EVENT_GAP), count = 0;
  while (steps != NULL && steps[count] != UINT64_MAX)
    count++;
  if (count == 1)
    threads_say (c, "A gap in the trace was passed over, before step %" PRIu64
		 "; what ran there is not known.\n", steps[0]);
  else if (count > 1)
    threads_say (c, "%" PRIu64 " gaps in the trace were passed over, the first before step %" PRIu64
		 ", the last before\nstep %" PRIu64 "; what ran there is not known.\n", count,
		 steps[0], steps[count - 1]);
  free (steps);
}

void
motion_tell_unknown (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  const struct tb_access_found *found = &e->found;
  if (!e->looked || found->gaps == 0)
    tell_gaps (m, e);
  if (!e->looked)
    return;
  uint64_t known = tb_accesses_first (c->target->accesses);
  if (e->first < known && !c->narrow_said)
    {
      threads_say (c, "Watchpoints do not look at steps before %" PRIu64 ".\n", known);
      c->narrow_said = true;
    }
  const struct { uint64_t count; const char *text; } missed[] = {
    { found->unknown_stores, "stores to addresses that are not known" },
    { found->unknown_loads, "loads from addresses that are not known" },
    { found->unknown_steps, "instructions whose accesses are not known" }
  };
  for (size_t i = 0; i < sizeof missed / sizeof missed[0]; i++)
    if (missed[i].count != 0)
      threads_say (c, "On the way %" PRIu64 " %s were passed over; any of "
		   "them may have been to what is watched.\n",
		   missed[i].count, missed[i].text);
  if (m->backward && found->unknown_stores != 0)
    tell_likely (m, e);
  if (found->gaps != 0)
    threads_say (c, "Gaps in the trace were passed over (%" PRIu64 "); what "
		 "ran there may have accessed what is watched.\n", found->gaps);
}

void
motion_tell_interrupted (const struct motion *m, enum tb_search why)
{
  const struct client *c = m->client;
  if (why != TB_SEARCH_NO_MEMORY && m->reached != NULL)
    threads_say (m->client, "Interrupted: the search has looked through the steps from %"
		 PRIu64 " %s to %" PRIu64 ", and execution stands where it was.\n",
		 c->position, m->backward ? "back" : "on", m->reached (m));
}

void
motion_tell_never (const struct motion *m)
{
  struct client *c = m->client;
  const struct tb_symbols *symbols = target_symbols (c->target);
  unsigned count = 0;
  uint64_t pc;
  bool has_pc = position_pc (c->target, m->from, &pc);
  for (size_t i = 0; i < c->nbreakpoints; i++)
    {
      const struct breakpoint *b = &c->breakpoints[i];
      /* It does not stop where execution stands, nor where its condition does not hold.  */
      if (b->kind >= WATCH_WRITE || b->nconditions != 0 || !has_pc || b->address == pc)
	continue;
      if (count++ == NEVER_MOST)
	break;
      const struct tb_function *f
	= symbols != NULL ? tb_symbols_function_at (symbols, b->address) : NULL;
      threads_say (c, "No step of the recording is at the breakpoint at 0x%" PRIx64 "%s%s%s: "
		   "execution went from the first step to the last.\n", b->address,
		   f != NULL ? " (" : "", f != NULL ? f->name : "", f != NULL ? ")" : "");
    }
}
