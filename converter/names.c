/* The names of a core's code.  See names.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "names.h"

#include <string.h>

#include "recording/programs.h"
#include "recording/tasks.h"

struct tb_symbols *
job_symbols (struct job *job, const struct tb_session_core *core)
{
  const struct tb_session_options *o = &job->options->shared.session;
  struct tb_symbols *symbols = tb_symbols_new ();
  if (symbols == NULL)
    tb_error (job->diag, "%s: no memory", job->input);
  for (size_t i = 0; i < o->nelves && symbols != NULL; i++)
    {
      const struct tb_session_elf *elf = &o->elves[i];
      if (elf->core != NULL
	  && (core->device == NULL
	      || strcmp (elf->core, core->device->name) != 0))
	continue;
      if (tb_symbols_add (symbols, elf->path,
			  tb_session_elf_bias (&job->session, elf->path), job->diag) != TB_OK)
	{
	  tb_symbols_free (symbols);
	  symbols = NULL;
	}
    }
  if (symbols != NULL && !tb_programs_add (symbols, core->device, job->diag))
    {
      tb_error (job->diag, "%s: no memory", job->input);
      tb_symbols_free (symbols);
      symbols = NULL;
    }
  return symbols;
}

const struct tb_tasks *
job_find_tasks (void *found)
{
  struct found_tasks *f = found;
  if (f->symbols == NULL)
    f->symbols = job_symbols (f->job, f->core);
  if (f->tasks == NULL && f->symbols != NULL)
    f->tasks = tb_tasks_new (f->recording, f->symbols);
  return f->tasks;
}

void
job_forget_tasks (struct found_tasks *found)
{
  tb_tasks_free (found->tasks);
  tb_symbols_free (found->symbols);
}

/* What a state is made of.  */
struct source
{
  struct job *job;
  const struct tb_session_stream *stream;
  struct tb_recording *recording;
};

static struct tb_state *
open_state (void *context)
{
  const struct source *s = context;
  return job_state_quiet (s->job, s->stream->core, s->stream, s->recording);
}

/* The one of STREAM.  */
static enum tb_status
write_one (struct job *job, const struct tb_session_stream *stream,
	   bool several, FILE *out, bool levels,
	   enum tb_status (*write) (struct job *job,
				    const struct named_recording *named,
				    FILE *out))
{
  const struct tb_device *device = stream->core->device;
  struct named_recording named = {
    .stream = stream, .core = device != NULL ? device->name : "",
    .several = several, .symbols = job_symbols (job, stream->core)
  };
  enum tb_status status = TB_ERR_MEMORY;
  if (named.symbols == NULL)
    return TB_ERR_INPUT;
  named.recording = job_recording (job, stream);
  if (named.recording != NULL)
    {
      struct source source = { job, stream, named.recording };
      struct tb_level_sp sp = { .recording = named.recording,
				.open = open_state, .context = &source };
      named.sp = &sp;
      job_judge (job, stream, tb_recording_stats (named.recording));
      if (levels)
	named.tasks = tb_tasks_new (named.recording, named.symbols);
      if (!levels || named.tasks != NULL)
	status = write (job, &named, out);
      tb_tasks_free (named.tasks);
      tb_level_sp_fini (&sp);
      if (status == TB_OK && tb_symbols_no_memory (named.symbols))
	status = TB_ERR_MEMORY;
      job_close_recording (job, named.recording);
    }
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  tb_symbols_free (named.symbols);
  return status;
}

enum tb_status
job_each_named (struct job *job, FILE *out, bool levels,
		enum tb_status (*write) (struct job *job,
					 const struct named_recording *named,
					 FILE *out))
{
  enum tb_status status = TB_OK;
  size_t wanted = 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    wanted += job_has_steps (job, &job->session.streams[i]);
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      status = write_one (job, &job->session.streams[i], wanted > 1,
			  out, levels, write);
  return status;
}
