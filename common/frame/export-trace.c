/* Export of the frames of tracepoints.  See export-trace.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/export-trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/tdesc.h"
#include "frame/kept.h"
#include "frame/moved.h"

/* How often progress is told, in frames.  */
#define PROGRESS_EVERY 1024

/* What a frame's tracepoint collects; more than that is left out.  */
#define WANTED_MAX 1024

/* Longer sources, actions and conditions do not fit a line of a trace file.  */
#define SOURCE_MOST 400
#define ACTION_MOST 900

/* Frames are filled up to one size unless they then take more than this.  */
#define SAME_SIZE_MOST ((uint64_t) 64 << 20)

struct wanted
{
  struct tb_collect_range ranges[WANTED_MAX];
  size_t count;
};

static void
add_wanted (void *data, uint64_t address, uint64_t length)
{
  struct wanted *w = data;
  if (w->count < WANTED_MAX)
    w->ranges[w->count++] = (struct tb_collect_range) {
      address, length < TB_COLLECT_MOST ? length : TB_COLLECT_MOST
    };
}

enum tb_collected
tb_collect_traced (struct tb_collector *collector, struct tb_experiment *e,
		   const struct tb_stage *stage,
		   const struct tb_trace_frame *f,
		   const struct tb_collect_range *always, size_t nalways,
		   struct tb_frame *frame, struct tb_collect_info *info)
{
  struct wanted wanted = { .count = 0 };
  for (size_t i = 0; i < nalways; i++)
    add_wanted (&wanted, always[i].address, always[i].length);
  tb_experiment_collect (e, stage, f, add_wanted, &wanted);
  tb_collector_want (collector, wanted.ranges, wanted.count);
  enum tb_collected made = tb_collect (collector, f->step, frame, info);
  tb_collector_want (collector, NULL, 0);
  for (size_t i = 0; i < e->set.nvariables; i++)
    {
      const struct tb_trace_variable *v = &e->set.variables[i];
      const struct tb_value *value = tb_experiment_value (e, f, v);
      if (v->own == 0 && value->mask == UINT64_MAX)
	tb_frame_variable (frame, v->number, (int64_t) value->bits);
    }
  return made;
}

struct trace_export
{
  struct tb_experiment *e;
  const struct tb_stage *stage;
  const struct tb_definitions *definitions;
  const struct tb_export_options *options;
  struct tb_export_trace_summary *summary;
  struct tb_kept kept;
};

/* GDB takes the PC of a frame without registers from its tracepoint: F's is that.  */
static bool
can_be_bare (const struct trace_export *x, const struct tb_trace_frame *f)
{
  const struct tb_tracepoint *t = &x->e->set.items[f->tracepoint];
  return f->pc == t->address && t->steps == 0
	 && !x->definitions->items[t->number - 1].several;
}

static enum tb_status
keep_frame (struct trace_export *x, struct tb_collector *collector, size_t number,
	    struct tb_frame *frame)
{
  struct tb_export_trace_summary *s = x->summary;
  const struct tb_trace_frame *f = tb_experiment_frame (x->e, number);
  unsigned tracepoint = x->e->set.items[f->tracepoint].number;
  struct tb_collect_info info;
  const struct tb_collect_options *collect = &x->options->collect;
  enum tb_collected what
    = tb_collect_traced (collector, x->e, x->stage, f, collect->ranges,
			 collect->nranges, frame, &info);
  if (what == TB_COLLECTED_SKIP)
    s->skipped++;
  else if (what == TB_COLLECTED_BARE && !can_be_bare (x, f))
    s->crowded++;
  else if (what != TB_COLLECTED_NO_PC)
    {
      s->frames++;
      s->counts[tracepoint - 1]++;
      s->bare += what == TB_COLLECTED_BARE;
      s->masked += what == TB_COLLECTED && info.unknown != 0;
      return tb_keep (&x->kept, frame, f->step, tracepoint);
    }
  return TB_OK;
}

static enum tb_status
keep_all (struct trace_export *x, struct tb_collector *collector)
{
  const struct tb_export_options *o = x->options;
  struct tb_choose_options choose = o->choose;
  choose.from = 0;
  choose.to = UINT64_MAX;
  struct tb_choice choice = tb_choose_steps (x->e->count, &choose);
  struct tb_frame frame = { 0 };
  enum tb_status status = TB_OK;
  x->summary->begin = x->e->dropped + choice.begin;
  x->summary->behind = x->e->count - choice.end;
  for (uint64_t i = choice.begin; i < choice.end && status == TB_OK; i++)
    {
      status = keep_frame (x, collector, (size_t) i, &frame);
      uint64_t done = i - choice.begin + 1;
      if (o->progress != NULL && done % PROGRESS_EVERY == 0
	  && !o->progress (o->context, done, choice.end - choice.begin))
	{
	  tb_error (x->kept.diag, "%s: stopped", x->kept.path);
	  status = TB_ERR_IO;
	}
    }
  tb_frame_fini (&frame);
  return status;
}

static bool
is_stepping (const char *command)
{
  return strncmp (command, "while-stepping", 14) == 0
	 || strncmp (command, "stepping", 8) == 0
	 || strncmp (command, "ws ", 3) == 0;
}

/* The actions of T as texts, to be freed, at *NEXT; false: no memory.  Sets PARTIAL
   where one does not fit.  */
static bool
put_actions (const struct tb_tracepoint *t, struct tb_tracepoint_def *def,
	     char ***next)
{
  def->actions = (const char *const *) *next;
  for (size_t i = 0; i < t->nactions; i++)
    {
      struct tb_buffer text = { 0 };
      tb_action_write (&text, &t->actions[i]);
      tb_buffer_append (&text, "", 1);
      if (text.failed)
	{
	  tb_buffer_fini (&text);
	  return false;
	}
      if (text.size > ACTION_MOST)
	{
	  def->partial = true;
	  tb_buffer_fini (&text);
	  continue;
	}
      *(*next)++ = (char *) text.data;
      def->nactions++;
    }
  return true;
}

/* Make DEF of what has number NUMBER + 1; its commands go to *COMMANDS, its actions to
   *ACTIONS.  */
static bool
define (const struct trace_export *x, size_t number, struct tb_tracepoint_def *def,
	const char ***commands, char ***actions)
{
  const struct tb_defined *defined = &x->definitions->items[number];
  const struct tb_tracepoint *t = &x->e->set.items[defined->first];
  bool fits = t->condition.length <= SOURCE_MOST;
  *def = (struct tb_tracepoint_def) {
    .number = (unsigned) number + 1, .address = t->address,
    .collect = *commands, .pass = t->pass, .disabled = !t->enabled,
    .partial = defined->several || t->listed || !fits,
    .code = fits ? t->condition.code : NULL,
    .code_length = t->condition.length
  };
  uint64_t first = UINT64_MAX;
  for (const struct tb_tracepoint *same = t;
       same < x->e->set.items + x->e->set.count && same->number == t->number;
       same++)
    {
      def->hits += same->hits;
      /* Of moments at several places it has the place of the first one.  */
      if (same->listed && same->nmoments > 0 && same->moments[0] < first)
	{
	  first = same->moments[0];
	  def->address = same->address;
	}
    }
  for (size_t i = 0; i < t->nsources; i++)
    {
      const struct tb_source *source = &t->sources[i];
      if (source->kind == TB_SOURCE_AT || strlen (source->text) > SOURCE_MOST)
	continue;
      if (source->kind == TB_SOURCE_CONDITION)
	{
	  def->condition = source->text;
	  continue;
	}
      *(*commands)++ = source->text;
      def->ncollect++;
      if (is_stepping (source->text))
	def->steps = strtoull (strchr (source->text, ' ') != NULL
			       ? strchr (source->text, ' ') : "", NULL, 10);
    }
  return put_actions (t, def, actions);
}

/* GDB takes tracepoints of one address, with the same steps, pass count and condition
   as text, for one, and no longer finds the frames of any by its number then.  So each
   but the first of such gets a condition that always holds, its number, in a place of
   NUMBERS.  */
static void
tell_apart (struct tb_tracepoint_def *defs, size_t count, char (*numbers)[12])
{
  for (size_t i = 1; i < count; i++)
    {
      const struct tb_tracepoint_def *d = &defs[i];
      size_t j = 0;
      while (j < i && (defs[j].address != d->address
		       || defs[j].steps != d->steps || defs[j].pass != d->pass
		       || strcmp (defs[j].condition != NULL
				  ? defs[j].condition : "",
				  d->condition != NULL ? d->condition : "")))
	j++;
      if (j < i)
	{
	  snprintf (numbers[i], sizeof numbers[i], "%u", d->number);
	  defs[i].condition = numbers[i];
	}
    }
}

/* Why there are no more frames.  */
static bool
stop_note (const struct tb_experiment *e, char *text, size_t size)
{
  const struct tb_tracepoint *first;
  uint64_t unknown = tb_experiment_unknown (e, &first);
  if (unknown != 0)
    snprintf (text, size, "conditions needed what is not known at %" PRIu64
	      " places, first at step %" PRIu64, unknown,
	      first->first_unknown);
  else if (e->end == TB_EXPERIMENT_PASSED)
    snprintf (text, size, "pass count of tracepoint %u", e->end_tracepoint);
  else
    snprintf (text, size, "end of the trace");
  return unknown != 0;
}

static enum tb_status
write_file (struct trace_export *x, struct tb_recording *recording)
{
  const struct tb_tdesc *tdesc = x->options->tdesc;
  const struct tb_tracepoint_set *set = &x->e->set;
  size_t ndefs = x->definitions->count, nsources = 0, nactions = 0;
  bool alone = true;
  for (size_t i = 0; i < set->count; i++)
    {
      nsources += set->items[i].nsources;
      nactions += set->items[i].nactions;
      alone = alone && set->items[i].steps == 0;
    }
  for (size_t i = 0; i < ndefs; i++)
    alone = alone && !x->definitions->items[i].several;
  struct tb_tracepoint_def *defs = calloc (ndefs + 1, sizeof *defs);
  struct tb_tsv_def *variables = calloc (set->nvariables + 1,
					 sizeof *variables);
  const char **commands = calloc (nsources + 1, sizeof *commands);
  char **actions = calloc (nactions + 1, sizeof *actions);
  char (*numbers)[12] = calloc (ndefs + 1, sizeof *numbers);
  enum tb_status status = TB_OK;
  bool ok = defs != NULL && variables != NULL && commands != NULL
	    && actions != NULL && numbers != NULL;
  const char **next_command = commands;
  char **next_action = actions;
  for (size_t i = 0; i < ndefs && ok; i++)
    ok = define (x, i, &defs[i], &next_command, &next_action);
  if (!ok)
    status = tb_kept_no_memory (&x->kept);
  else
    {
      char note[120];
      tell_apart (defs, ndefs, numbers);
      for (size_t i = 0; i < set->nvariables; i++)
	variables[i] = (struct tb_tsv_def) {
	  set->variables[i].number, set->variables[i].name,
	  set->variables[i].initial
	};
      const struct tb_tracefile_header header = {
	.register_bytes = tdesc->size,
	.tdesc = tdesc->text, .frames = x->summary->frames,
	.created = x->e->dropped + x->e->count,
	.stop_is_error = stop_note (x->e, note, sizeof note),
	.stop_note = note, .notes = x->options->notes,
	.start = x->options->start, .stop = x->options->stop, .tracepoints = defs,
	.ntracepoints = ndefs, .variables = variables,
	.nvariables = set->nvariables
      };
      /* "tfind pc" compares the addresses of tracepoints.  */
      alone = alone
	      && x->kept.longest * (uint64_t) x->kept.count <= SAME_SIZE_MOST;
      status = tb_kept_write (&x->kept, x->options->form, &header, alone,
			      &x->summary->bytes);
      x->summary->moved = tb_count_moved (recording, &x->kept, defs, ndefs);
    }
  for (size_t i = 0; i < nactions && actions != NULL; i++)
    free (actions[i]);
  free (actions);
  free (defs);
  free (variables);
  free (commands);
  free (numbers);
  return status;
}

enum tb_status
tb_export_trace (struct tb_state *state, struct tb_recording *recording,
		 struct tb_experiment *experiment,
		 const struct tb_stage *stage,
		 const struct tb_definitions *definitions,
		 const struct tb_export_options *options, const char *path,
		 struct tb_export_trace_summary *summary, struct tb_diag *diag)
{
  struct trace_export x = {
    .e = experiment, .stage = stage, .definitions = definitions,
    .options = options, .summary = summary,
    .kept = { .path = path, .diag = diag }
  };
  *summary = (struct tb_export_trace_summary) { .frames = 0 };
  summary->counts = calloc (definitions->count + 1, sizeof *summary->counts);
  struct tb_collector *collector
    = tb_collector_new (state, recording, options->tdesc, &options->collect);
  enum tb_status status = summary->counts == NULL || collector == NULL
			  ? tb_kept_no_memory (&x.kept)
			  : keep_all (&x, collector);
  tb_collector_free (collector);
  if (status == TB_OK && tb_state_no_memory (state))
    status = tb_kept_no_memory (&x.kept);
  if (status == TB_OK)
    status = write_file (&x, recording);
  tb_kept_fini (&x.kept);
  return status;
}
