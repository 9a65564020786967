/* --trace and --trace-file.  See trace.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/tdesc.h"
#include "frame/export-trace.h"
#include "json.h"
#include "names.h"
#include "tfile.h"

/* All that is made on the way to one trace file.  */
struct tracing
{
  struct job *job;
  const struct tb_session_core *core;
  const struct tb_session_stream *stream;
  struct tb_recording *recording;
  struct tb_symbols *symbols;
  struct tb_variables *variables;
  struct tb_state *state;
  struct tb_moments *moments;
  struct tb_visits *visits;
  struct tb_accesses *accesses;
  struct tb_experiment experiment;
  struct tb_definitions definitions;
  struct tb_lane lane;		/* If one of them needs it.  */
};

static void
close_tracing (struct tracing *t)
{
  tb_definitions_fini (&t->definitions);
  tb_lane_fini (&t->lane);
  tb_experiment_fini (&t->experiment);
  tb_accesses_free (t->accesses);
  tb_visits_free (t->visits);
  tb_moments_free (t->moments);
  job_close_state (t->job, t->state);
  tb_variables_free (t->variables);
  tb_symbols_free (t->symbols);
}

static enum tb_status
no_memory (const struct tracing *t)
{
  tb_error (t->job->diag, "%s: no memory", t->job->input);
  return TB_ERR_MEMORY;
}

static enum tb_status
open_tracing (struct tracing *t, const struct tb_tdesc *tdesc)
{
  const struct tb_profile *profile = tb_recording_profile (t->recording);
  t->symbols = job_symbols (t->job, t->core);
  if (t->symbols == NULL)
    return TB_ERR_INPUT;
  t->variables = tb_variables_new (t->symbols, profile->has_a64 ? 8 : 4);
  t->state = job_state_open (t->job, t->core, t->stream, t->recording);
  if (t->state == NULL)
    return TB_ERR_MEMORY;
  t->moments = tb_moments_new (t->state, t->recording, tdesc);
  t->visits = tb_visits_new (t->recording);
  t->accesses = tb_accesses_new (t->state, t->recording,
				 t->job->options->choose.from);
  t->experiment.buffer_size = UINT64_MAX;
  /* The last frames count, unless the first ones are asked for.  */
  t->experiment.circular = t->job->options->choose.first == 0;
  if (t->variables == NULL || t->moments == NULL || t->visits == NULL
      || t->accesses == NULL
      || !tb_tracepoint_set_init (&t->experiment.set))
    return no_memory (t);
  t->definitions.set = &t->experiment.set;
  return TB_OK;
}

/* Is NEEDS true of one of the requests?  */
static bool
any_request (const struct tracing *t,
	     bool (*needs) (const struct tb_request *request))
{
  const struct trace_options *traces = &t->job->options->traces;
  for (size_t i = 0; i < traces->count; i++)
    {
      const struct trace_option *o = &traces->items[i];
      if (!o->is_file && needs (&o->request))
	return true;
      for (size_t k = 0; o->is_file && k < o->file.count; k++)
	if (o->file.lines[k].is_request && needs (&o->file.lines[k].request))
	  return true;
    }
  return false;
}

/* Is anything asked for for which registers or memory must be known everywhere?  */
static bool
needs_state (const struct tracing *t, bool defined)
{
  const struct tb_tracepoint_set *set = &t->experiment.set;
  if (!defined && any_request (t, tb_request_needs_state))
    return true;
  for (size_t i = 0; i < set->count && defined; i++)
    if (set->items[i].enabled && tb_tracepoint_reads (&set->items[i]))
      return true;
  return false;
}

/* The PC behind the last step, if it is known.  */
static bool
end_pc (const struct tracing *t, uint64_t *pc)
{
  struct tb_moment end;
  if (!tb_moment_find (t->moments, tb_recording_steps (t->recording), &end))
    return false;
  *pc = end.pc;
  return true;
}

static enum tb_status
define_all (struct tracing *t, const struct tb_tdesc *tdesc)
{
  const struct options *o = t->job->options;
  bool said = any_request (t, tb_request_needs_lane);
  if (said
      && !tb_lane_make (&t->lane, &t->job->session, t->stream, t->recording,
			tb_state_halt (t->state) == TB_HALT_USED, NULL, NULL, t->job->diag))
    return no_memory (t);
  struct tb_define_input in = {
    .tdesc = tdesc, .symbols = t->symbols,
    .variables = t->variables, .svd = t->job->session.svd,
    .diag = t->job->diag,
    .trace = { .recording = t->recording, .accesses = t->accesses,
	       .state = t->state, .symbols = t->symbols, .lane = &t->lane,
	       .from = o->choose.from, .end = o->choose.to }
  };
  in.trace.end_known = end_pc (t, &in.trace.end_pc);
  for (size_t i = 0; i < o->traces.count; i++)
    {
      const struct trace_option *option = &o->traces.items[i];
      if (!(option->is_file
	    ? tb_define_file (&t->definitions, &option->file, &in)
	    : tb_define_request (&t->definitions, &option->request, &in)))
	return TB_ERR_INPUT;
    }
  return TB_OK;
}

static enum tb_status
run (struct tracing *t, const struct tb_stage *stage,
     const struct tb_tdesc *tdesc)
{
  const struct options *o = t->job->options;
  struct tb_experiment *e = &t->experiment;
  struct tb_experiment_input in = {
    .recording = t->recording, .visits = t->visits, .stage = *stage,
    .first = o->choose.from, .end = o->choose.to,
    .register_bytes = tdesc->size
  };
  in.end_known = end_pc (t, &in.end_pc);
  tb_experiment_run (e, &in);
  switch (e->end)
    {
    case TB_EXPERIMENT_FAILED:
      tb_error (t->job->diag, "%s: tracepoint %u (%s): %s", t->job->input,
		e->end_tracepoint,
		t->definitions.items[e->end_tracepoint - 1].name,
		tb_agent_text (e->error));
      return TB_ERR_INPUT;
    case TB_EXPERIMENT_NO_MEMORY: case TB_EXPERIMENT_INTERRUPTED:
      return no_memory (t);
    default:
      return TB_OK;
    }
}

/* What all tracepoints of one number came to.  */
struct totals
{
  uint64_t hits, unknown, first_unknown;
  uint64_t things;		/* Of what software said, those that made the hits.  */
};

static struct totals
totals_of (const struct tracing *t, size_t number)
{
  const struct tb_tracepoint_set *set = &t->experiment.set;
  struct totals all = { .first_unknown = UINT64_MAX };
  for (size_t i = t->definitions.items[number].first;
       i < set->count && set->items[i].number == number + 1; i++)
    {
      const struct tb_tracepoint *one = &set->items[i];
      all.hits += one->hits;
      all.things += one->things;
      all.unknown += one->unknown;
      if (one->unknown != 0 && one->first_unknown < all.first_unknown)
	all.first_unknown = one->first_unknown;
    }
  return all;
}

static void
report_json (const struct tracing *t,
	     const struct tb_export_trace_summary *made, const char *path)
{
  fputs ("{\"output\":", stdout);
  json_string (path, stdout);
  fputs (",\"core\":", stdout);
  json_string (t->core->device != NULL ? t->core->device->name : "", stdout);
  printf (",\"instructions\":%" PRIu64 ",\"frames\":%" PRIu64
	  ",\"masked\":%" PRIu64 ",\"bare\":%" PRIu64 ",\"left_out\":%" PRIu64
	  ",\"not_chosen\":%" PRIu64 ",\"moved\":%zu,\"tracepoints\":[",
	  tb_recording_steps (t->recording), made->frames, made->masked,
	  made->bare, made->skipped + made->crowded,
	  made->begin + made->behind, made->moved);
  for (size_t i = 0; i < t->definitions.count; i++)
    {
      struct totals all = totals_of (t, i);
      printf ("%s{\"number\":%zu,\"location\":", i > 0 ? "," : "", i + 1);
      json_string (t->definitions.items[i].name, stdout);
      printf (",\"hits\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"unknown\":%"
	      PRIu64, all.hits, made->counts[i], all.unknown);
      if (all.unknown != 0)
	printf (",\"first_unknown\":%" PRIu64, all.first_unknown);
      if (t->definitions.items[i].of_said)
	printf (",\"things\":%" PRIu64 ",\"unplaced\":%" PRIu64, all.things,
		t->definitions.items[i].unplaced);
      printf (",\"unknown_writes\":%" PRIu64 ",\"gaps\":%" PRIu64 "}",
	      t->definitions.items[i].missed, t->definitions.items[i].gaps);
    }
  char ends[200];
  tfile_ends (t->stream, t->state, ends, sizeof ends);
  fputs ("],\"halt\":", stdout);
  json_string (ends, stdout);
  fputs ("}\n", stdout);
}

static const char *
plural (uint64_t count)
{
  return count == 1 ? "" : "s";
}

static void
report_one (const struct tracing *t, size_t i, uint64_t frames)
{
  struct totals all = totals_of (t, i);
  printf ("  tracepoint %zu: %s: %" PRIu64 " hit%s, %" PRIu64 " frame%s", i + 1,
	  t->definitions.items[i].name, all.hits, plural (all.hits), frames,
	  plural (frames));
  /* Before one step there is one hit.  */
  if (all.things > all.hits)
    printf ("; %" PRIu64 " things were said there", all.things);
  if (t->definitions.items[i].unplaced != 0)
    printf ("; %" PRIu64 " more %s said at no known step", t->definitions.items[i].unplaced,
	    t->definitions.items[i].unplaced == 1 ? "was" : "were");
  if (!t->experiment.set.items[t->definitions.items[i].first].enabled)
    printf ("; it is disabled");
  if (all.unknown != 0)
    printf ("; at %" PRIu64 " more place%s its condition needs what is not known "
	    "(the first is step %" PRIu64 ")", all.unknown,
	    plural (all.unknown), all.first_unknown);
  if (t->definitions.items[i].missed != 0)
    printf ("; %" PRIu64 " write%s %s that are not known may be more",
	    t->definitions.items[i].missed, plural (t->definitions.items[i].missed),
	    t->definitions.items[i].missed_values ? "of values" : "to addresses");
  if (t->definitions.items[i].gaps != 0)
    printf ("; %" PRIu64 " gap%s in the trace may hide more",
	    t->definitions.items[i].gaps,
	    plural (t->definitions.items[i].gaps));
  if (t->definitions.items[i].at_end)
    printf ("; one more at the end of the trace, where the PC is not known, has no frame");
  puts ("");
}

/* What was found.  A batch keeps warnings alone.  */
static void
report (const struct tracing *t, const struct tb_export_trace_summary *made,
	const char *path)
{
  const struct options *o = t->job->options;
  uint64_t unknown = 0, first = UINT64_MAX;
  for (size_t i = 0; i < t->definitions.count; i++)
    {
      struct totals all = totals_of (t, i);
      unknown += all.unknown;
      if (all.first_unknown < first)
	first = all.first_unknown;
    }
  bool quiet = o->quiet || strcmp (path, "-") == 0;
  if (unknown != 0 && (quiet || o->json))
    tb_warning (t->job->diag, "%s: conditions need what is not known at %" PRIu64
		" place%s, which are no hits (the first is step %" PRIu64 ")",
		t->job->input, unknown, plural (unknown), first);
  if (quiet)
    return;
  if (o->json)
    {
      report_json (t, made, path);
      return;
    }
  char ends[200];
  tfile_ends (t->stream, t->state, ends, sizeof ends);
  printf ("%s: %" PRIu64 " frame%s of %s by %zu tracepoint%s; %s.\n", path,
	  made->frames, plural (made->frames),
	  t->core->device != NULL ? t->core->device->name : "-",
	  t->definitions.count, plural (t->definitions.count), ends);
  for (size_t i = 0; i < t->definitions.count; i++)
    report_one (t, i, made->counts[i]);
  tfile_moved (made->moved);
  if (made->begin != 0 && o->choose.last == 0)
    printf ("  %" PRIu64 " earlier frames were left out; --first, --last, --from "
	    "and --to choose others.\n", made->begin);
  if (made->skipped != 0)
    printf ("  %" PRIu64 " frame%s left out: registers not known.\n",
	    made->skipped, made->skipped == 1 ? " was" : "s were");
  if (made->crowded != 0)
    printf ("  %" PRIu64 " frame%s left out: without registers, at other "
	    "addresses than their tracepoint's.\n", made->crowded,
	    made->crowded == 1 ? " was" : "s were");
  if (made->masked != 0)
    printf ("  %" PRIu64 " frame%s unknown registers: %s 0xbad00bad, and "
	    "$unknown_registers tells which.\n", made->masked,
	    made->masked == 1 ? " has" : "s have",
	    made->masked == 1 ? "it shows" : "they show");
}

/* The first step whose registers and memory are asked for.  */
static uint64_t
first_wanted (const struct tracing *t)
{
  const struct tb_experiment *e = &t->experiment;
  struct tb_choose_options choose = t->job->options->choose;
  choose.from = 0;
  choose.to = UINT64_MAX;
  struct tb_choice choice = tb_choose_steps (e->count, &choose);
  return choice.begin < e->count ? e->frames[choice.begin].step
				 : tb_recording_steps (t->recording);
}

static enum tb_status
export (struct tracing *t, const struct tb_stage *stage,
	struct tb_export_options *wanted, const char *path)
{
  struct tb_collect_range *ranges;
  struct tb_export_trace_summary made = { .counts = NULL };
  struct tb_choose_options choose = wanted->choose;
  choose.from = 0;
  choose.to = UINT64_MAX;
  struct tb_choice choice = tb_choose_steps (t->experiment.count, &choose);
  enum tfile_ram ram;
  uint64_t last = choice.end > choice.begin
		  ? t->experiment.frames[choice.end - 1].step : 0;
  enum tb_status status
    = tfile_ranges (t->job, t->core, t->state, last, choice.end - choice.begin,
		    false, &wanted->collect, &ranges, &ram);
  if (status == TB_OK)
    status = tb_export_trace (t->state, t->recording, &t->experiment, stage,
			      &t->definitions, wanted, path, &made,
			      t->job->diag);
  progress_clear (&t->job->progress);
  if (status == TB_OK)
    {
      report (t, &made, path);
      if (!t->job->options->quiet && !t->job->options->json
	  && strcmp (path, "-") != 0)
	tfile_report_ram (ram);
    }
  free (made.counts);
  free (ranges);
  return status;
}

enum tb_status
trace_export (struct job *job, const struct tb_session_core *core,
	      const struct tb_session_stream *stream,
	      struct tb_recording *recording,
	      struct tb_export_options *wanted, const char *path)
{
  struct tracing t = { .job = job, .core = core, .stream = stream,
		       .recording = recording };
  uint64_t from = job->options->choose.from;
  /* What begins behind the end has no hits, which is told with the reason.  */
  if (from != 0 && from != tb_recording_steps (recording))
    job_choose (job, stream, recording);
  enum tb_status status = open_tracing (&t, wanted->tdesc);
  if (status == TB_OK)
    tb_moments_set_tasks (t.moments, wanted->collect.tasks,
			  wanted->collect.tasks_context);
  const struct tb_stage stage = { .moments = t.moments };
  bool prepared = false;
  if (status == TB_OK && needs_state (&t, false))
    {
      prepared = true;
      if (!job_state_prepare (job, core, t.state, from))
	status = TB_ERR_MEMORY;
    }
  if (status == TB_OK)
    status = define_all (&t, wanted->tdesc);
  if (status == TB_OK && tb_variables_no_memory (t.variables))
    status = no_memory (&t);
  if (status == TB_OK && !prepared && needs_state (&t, true))
    {
      prepared = true;
      if (!job_state_prepare (job, core, t.state, from))
	status = TB_ERR_MEMORY;
    }
  if (status == TB_OK)
    status = run (&t, &stage, wanted->tdesc);
  if (status == TB_OK && !prepared
      && !job_state_prepare (job, core, t.state, first_wanted (&t)))
    status = TB_ERR_MEMORY;
  if (status == TB_OK)
    status = export (&t, &stage, wanted, path);
  close_tracing (&t);
  return status;
}
