/* Working out the state, with the input's name in front of what is said of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

struct place
{
  const struct job *job;
  const struct tb_session_core *core;
};

static void
say_place (void *context, enum tb_severity severity, const char *message)
{
  const struct place *place = context;
  tb_report (place->job->diag, severity, "%s: core %s: %s", place->job->input,
	     place->core->device != NULL ? place->core->device->name : "-",
	     message);
}

/* The first step that is asked for.  */
static uint64_t
first_step (const struct job *job, struct tb_recording *recording)
{
  const struct options *o = job->options;
  uint64_t steps = tb_recording_steps (recording);
  struct tb_choose_options choose = o->choose;
  if (o->nwhys != 0)
    {
      uint64_t least = o->whys[0].step;
      for (size_t i = 1; i < o->nwhys; i++)
	if (o->whys[i].step < least)
	  least = o->whys[i].step;
      return least < steps ? least : steps;
    }
  if (!(o->format->traits & TRAIT_FRAMES))
    choose.frames = UINT64_MAX;
  return tb_choose_steps (steps, &choose).begin;
}

/* What may be kept of what was worked out.  */
static size_t
memory_kept (const struct options *o)
{
  if (o->shared.memory == 0)
    return 0;
  /* Other inputs have the rest of it.  */
  uint64_t limit = o->shared.memory / (o->batch.directory != NULL ? o->shared.jobs : 1);
  return tb_state_memory_within (limit);
}

/* As job_state_open; DIAG is told.  */
static struct tb_state *
open_state (struct job *job, const struct tb_session_core *core,
	    const struct tb_session_stream *stream,
	    struct tb_recording *recording, struct tb_diag *diag)
{
  struct tb_state_options options = { .core = core->device,
				      .assume = job->options->shared.assume,
				      .doubt = job->options->shared.doubt,
				      .start = job->options->shared.start,
				      .initial = core->initial,
				      .ninitial = core->ninitial,
				      .functions = core->functions,
				      .nfunctions = core->nfunctions,
				      .objects = core->objects,
				      .nobjects = core->nobjects,
				      .volatiles = &core->volatiles,
				      .privates = &core->privates };
  options.shared = tb_session_shared (&job->session, core, diag);
  if (options.shared == NULL)
    return NULL;
  if (stream == NULL)
    options.space = job->options->shared.space;
  else if (job->options->shared.space != TB_SPACE_ANY)
    tb_warning (diag, "--space is for cores without trace: that of %s says itself "
		"which spaces it ran in", stream->source->name);
  if (stream != NULL)
    {
      if (tb_session_trace_ram (stream, &options.trace_ram, &options.trace_ram_length) != TB_OK)
	{
	  tb_error (diag, "no memory");
	  return NULL;
	}
      options.source = stream->facts == NULL ? stream->source : NULL;
    }
  options.window = job->options->shared.window;
  options.memory = memory_kept (job->options);
  /* Inputs of a batch have a process each.  */
  if (job->options->batch.directory == NULL)
    options.jobs = job->options->shared.jobs;
  options.makers = job->options->format->traits & TRAIT_MAKERS;
  return tb_state_open (recording, &options, diag);
}

struct tb_state *
job_state_open (struct job *job, const struct tb_session_core *core,
		const struct tb_session_stream *stream,
		struct tb_recording *recording)
{
  struct place place = { job, core };
  struct tb_diag diag = { .report = say_place, .context = &place };
  return open_state (job, core, stream, recording, &diag);
}

struct tb_state *
job_state_quiet (struct job *job, const struct tb_session_core *core,
		 const struct tb_session_stream *stream,
		 struct tb_recording *recording)
{
  struct tb_diag diag = { .report = NULL };
  return open_state (job, core, stream, recording, &diag);
}

bool
job_state_prepare (struct job *job, const struct tb_session_core *core,
		   struct tb_state *state, uint64_t first)
{
  struct place place = { job, core };
  struct tb_diag diag = { .report = say_place, .context = &place };
  if (tb_state_prepare (state, first, NULL, NULL, &diag))
    return true;
  tb_error (&diag, "no memory");
  return false;
}

struct tb_state *
job_state (struct job *job, const struct tb_session_core *core,
	   const struct tb_session_stream *stream,
	   struct tb_recording *recording)
{
  struct tb_state *state = job_state_open (job, core, stream, recording);
  if (state != NULL
      && !job_state_prepare (job, core, state, first_step (job, recording)))
    {
      tb_state_close (state);
      return NULL;
    }
  return state;
}
