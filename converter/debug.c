/* --debug: micro-operations and values of steps, and slices of tasks, for developers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>

#include "recording/open-calls.h"
#include "recording/tasks.h"
#include "state/explain/dump.h"

/* Write the slices of the tasks of RECORDING that state works with.  */
static enum tb_status
put_tasks (struct tb_recording *recording, FILE *out)
{
  struct tb_tasks *tasks = tb_tasks_new (recording, NULL);
  size_t count;
  const struct tb_task_slice *slices = tb_tasks_resumes (tasks, &count);
  /* One alone is not switched.  */
  for (const struct tb_task_slice *s = slices; count > 1 && s < slices + count; s++)
    {
      fprintf (out, "slice %" PRIu64 ", task %u", s->step, s->task);
      if (s->begin != TB_BACK_NONE)
	fprintf (out, ", from 0x%" PRIx64, s->begin);
      if (s->suspended != UINT64_MAX)
	fprintf (out, ", suspended at 0x%" PRIx64 " before %" PRIu64, s->address, s->suspended);
      fprintf (out, "%s%s\n", s->open ? ", open" : "", s->guessed ? ", guessed" : "");
    }
  enum tb_status status = tasks != NULL ? TB_OK : TB_ERR_MEMORY;
  tb_tasks_free (tasks);
  return status;
}

/* Write the steps of STREAM that are wanted.  */
static enum tb_status
put_stream (struct job *job, const struct tb_session_stream *stream, FILE *out)
{
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  if (job->options->debug & DEBUG_TASKS && put_tasks (recording, out) != TB_OK)
    {
      tb_recording_close (recording);
      return TB_ERR_MEMORY;
    }
  if ((job->options->debug & ~(unsigned) DEBUG_TASKS) == 0)
    {
      tb_recording_close (recording);
      return TB_OK;
    }
  struct tb_state *state = job_state (job, stream->core, stream, recording);
  struct tb_choice choice = job_choose (job, stream, recording);
  enum tb_status status = state != NULL ? TB_OK : TB_ERR_MEMORY;
  for (uint64_t at = choice.begin; at < choice.end && status == TB_OK; at++)
    {
      struct tb_buffer text = { 0 };
      if (tb_dump_step (&text, state, at, job->options->debug))
	fwrite (text.data, 1, text.size, out);
      else
	status = TB_ERR_MEMORY;
      tb_buffer_fini (&text);
    }
  tb_state_close (state);
  tb_recording_close (recording);
  return status;
}

enum tb_status
list_debug (struct job *job, struct tb_outfile *out)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      {
	fprintf (tb_outfile_stream (out), "source %s\n",
		 job->session.streams[i].source->name);
	status = put_stream (job, &job->session.streams[i], tb_outfile_stream (out));
      }
  return status;
}
