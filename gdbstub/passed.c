/* What a motion came by without knowing whether it is what is watched.  See motion.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "motion.h"

#include <inttypes.h>

#include "client.h"
#include "state/answer/likely.h"
#include "target.h"

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
    client_console (c, "Likely it is the store of step %" PRIu64 ": it is through the pointer at "
		    "0x%" PRIx64 ", which later is known to point there", last.step,
		    last.pointer);
  else
    client_console (c, "Likely it is the store of step %" PRIu64 ": it is to one of the "
		    "addresses from 0x%" PRIx64 " to 0x%" PRIx64, last.step, last.low, last.high);
  client_console (c, ".  \"tfind %" PRIu64 "\" shows it, \"monitor goto %" PRIu64
		  "\" goes to it.\n", last.step, last.step);
}

void
motion_tell_unknown (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  const struct tb_access_found *found = &e->found;
  if (!e->looked)
    return;
  uint64_t known = tb_accesses_first (c->target->accesses);
  if (e->first < known && !c->narrow_said)
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
  if (m->backward && found->unknown_stores != 0)
    tell_likely (m, e);
  if (found->gaps != 0)
    client_console (c, "Gaps in the trace were passed over (%" PRIu64 "); what "
		    "ran there may have accessed what is watched.\n",
		    found->gaps);
}
