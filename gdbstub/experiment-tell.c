/* What GDB's user is told of a run of tracepoints.  See experiment.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>

#include "server.h"

/* Say how far the run E of C's core looked through the recording, and why no further.  A pass
   count ends the whole run, as on a live target, but of several cores that core's alone.  */
static void
tell_end (struct client *c, const struct tb_experiment *e)
{
  const char *of = c->nthreads > 1 ? " of " : "", *core = c->nthreads > 1 ? c->target->name : "";
  char reach[48] = "";
  if (e->count > 0)
    snprintf (reach, sizeof reach, " up to step %" PRIu64,
	      tb_experiment_frame (e, e->count - 1)->step);
  switch (e->end)
    {
    case TB_EXPERIMENT_PASSED:
      client_console (c, "The pass count of tracepoint %u ended the run%s%s: the recording was "
		      "looked through%s,\nand what any tracepoint would collect behind that is "
		      "not among the frames (\"passcount 0 %u\" takes the count away): ",
		      e->end_tracepoint, of, core, reach, e->end_tracepoint);
      break;
    case TB_EXPERIMENT_FULL:
      client_console (c, "The trace buffer is full: the recording%s%s was looked through%s: ",
		      of, core, reach);
      break;
    case TB_EXPERIMENT_FAILED:
      client_console (c, "An expression of tracepoint %u ended the run%s%s (%s): the recording "
		      "was looked through%s: ", e->end_tracepoint, of, core,
		      tb_agent_text (e->error), reach);
      break;
    case TB_EXPERIMENT_INTERRUPTED: case TB_EXPERIMENT_NO_MEMORY:
      client_console (c, "%s ended the run%s%s: the recording was looked through%s: ",
		      e->end == TB_EXPERIMENT_NO_MEMORY ? "Want of memory" : "An interrupt", of,
		      core, reach);
      break;
    case TB_EXPERIMENT_NOT_RUN: case TB_EXPERIMENT_DONE:
      client_console (c, "The recording%s%s was looked through: ", of, core);
      break;
    }
}

void
experiment_tell (struct client *c, const struct tb_experiment *e)
{
  for (size_t i = 0; i < e->set.count; i++)
    {
      const struct tb_tracepoint *t = &e->set.items[i];
      if (t->unknown != 0)
	client_console (c, "Tracepoint %u: at %" PRIu64 " places its condition "
			"needs what is not known there (the first is step %"
			PRIu64 "); these are not among its %" PRIu64 " hits.  "
			"\"monitor run undecided\" lists them.\n",
			t->number, t->unknown, t->first_unknown, t->hits);
    }
  if (c->server->quiet)
    return;
  tell_end (c, e);
  client_console (c, "%zu trace frame%s of %" PRIu64
		  " bytes in all.  Type \"tstop\", then look at them with \"tfind\".\n",
		  e->count, e->count == 1 ? "" : "s", e->usage);
}
