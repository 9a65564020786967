/* Monitor commands about trace runs: run.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "experiment.h"
#include "frames.h"
#include "monitor.h"
#include "threads.h"

static void
show_tracepoint (const struct monitor_call *call,
		 const struct tb_tracepoint *t)
{
  monitor_print (call, "tracepoint %u at 0x%" PRIx64 ": %" PRIu64 " hits",
		 t->number, t->address, t->hits);
  if (t->unknown != 0)
    monitor_print (call, "; at %" PRIu64 " more places, from step %" PRIu64
		   " on, it is not known whether its condition holds",
		   t->unknown, t->first_unknown);
  monitor_print (call, ".\n");
}

/* The places where conditions could not be told.  */
static void
show_undecided (const struct monitor_call *call, const struct tb_experiment *e)
{
  const struct tb_tracepoint *first;
  uint64_t all = tb_experiment_unknown (e, &first);
  if (all == 0)
    monitor_print (call, "All values that conditions needed were known.\n");
  for (size_t i = 0; i < e->nundecided; i++)
    monitor_print (call, "before step %" PRIu64 ": tracepoint %u\n",
		   e->undecided[i].step,
		   e->set.items[e->undecided[i].tracepoint].number);
  if (all > e->nundecided)
    monitor_print (call, "and %" PRIu64 " more.\n", all - e->nundecided);
}

/* run [restore|undecided]  */
static bool
run (const struct monitor_call *call)
{
  struct client *c = call->client;
  bool restore = call->count == 2 && strcmp (call->words[1], "restore") == 0;
  bool undecided = call->count == 2
		   && strcmp (call->words[1], "undecided") == 0;
  if (call->count != 1 && !restore && !undecided)
    return false;
  if (restore)
    {
      if (c->frame >= 0)
	monitor_print (call, "GDB still looks at a frame of the run that ends: type "
		       "\"tfind none\".\n");
      for (size_t i = 0; i < c->nthreads; i++)
	experiment_free (threads_target (c, i));
      frames_outdated (c);
      frames_leave (c);
      client_forget (c);
    }
  const struct tb_experiment *e = experiment_of (c);
  if (e == NULL)
    monitor_print (call, "Every position is a trace frame, of tracepoint %u: %"
		   PRIu64 " frames.\n", c->run_number,
		   frames_count (c));
  else if (undecided)
    show_undecided (call, e);
  else
    {
      monitor_print (call, "The run that GDB made has %" PRIu64 " trace frames.\n",
		     frames_count (c));
      for (size_t k = 0; k < c->nthreads; k++)
	{
	  const struct experiment *x = threads_target (c, k)->experiment;
	  if (x != NULL && c->nthreads > 1)
	    monitor_print (call, "%s, %zu of them:\n", threads_target (c, k)->name,
			   x->trace.count);
	  for (size_t i = 0; x != NULL && i < x->trace.set.count; i++)
	    show_tracepoint (call, &x->trace.set.items[i]);
	}
    }
  return true;
}

const struct monitor_verb verbs_trace[] = {
  { "run", "[restore|undecided]", "Tell what the trace frames are, get back the "
    "run in which every position is one, or list the places where conditions "
    "needed what is not known.", run },
  { NULL, NULL, NULL, NULL }
};
