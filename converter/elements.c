/* --format=elements and --format=summary: what the trace says.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A section a trace ID, in ascending order within a buffer; buffers in the
   snapshot's order, each under its name where there are several; then, under its core's
   name, what of several buffers is one recording.  */

#include "config.h"
#include "convert.h"

#include <stdlib.h>

static int
by_id (const void *a, const void *b)
{
  const struct tb_session_stream *x = *(const struct tb_session_stream *const *)
				      a;
  const struct tb_session_stream *y = *(const struct tb_session_stream *const *)
				      b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The streams of BUFFER (NULL: of no buffer) that the user wants, sorted;
   returns how many.  */
static size_t
choose (struct job *job, const struct tb_trace_buffer *buffer,
	const struct tb_session_stream **chosen)
{
  size_t n = 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      /* A log is no buffer of the snapshot; nor are parts of several.  */
      const struct tb_trace_buffer *its
	= stream->facts == NULL && stream->stitched == NULL ? stream->buffer : NULL;
      if (its != buffer || !job_wants (job, stream))
	continue;
      if (stream->protocol != NULL)
	chosen[n++] = stream;
    }
  qsort (chosen, n, sizeof *chosen, by_id);
  return n;
}

enum tb_status
list_streams (struct job *job, struct tb_outfile *out,
	      enum tb_status (*put) (struct job *job,
				     const struct tb_session_stream *,
				     struct tb_outfile *out))
{
  const struct tb_snapshot *snapshot = &job->session.snapshot;
  const struct tb_session_stream **chosen
    = calloc (job->session.nstreams + 1, sizeof *chosen);
  if (chosen == NULL)
    {
      tb_error (job->diag, "%s: no memory", job->input);
      return TB_ERR_MEMORY;
    }
  enum tb_status status = TB_OK;
  bool named = snapshot->nbuffers > 1 && job->options->shared.buffer == NULL;
  for (size_t b = 0; b <= snapshot->nbuffers && status == TB_OK; b++)
    {
      const struct tb_trace_buffer *buffer
	= b < snapshot->nbuffers ? &snapshot->buffers[b] : NULL;
      size_t n = choose (job, buffer, chosen);
      /* What is of no one buffer is a core's.  */
      if (named && n > 0 && chosen[0]->stitched == NULL)
	fprintf (tb_outfile_stream (out), "# buffer %s\n",
		 buffer != NULL ? buffer->name : "-");
      for (size_t i = 0; i < n && status == TB_OK; i++)
	{
	  if (chosen[i]->stitched != NULL)
	    fprintf (tb_outfile_stream (out), "# core %s\n", chosen[i]->core->device->name);
	  status = put (job, chosen[i], out);
	}
    }
  if (status == TB_OK && !job_found_packets (job))
    status = TB_ERR_INPUT;
  free (chosen);
  return status;
}

static enum tb_status
put_elements (struct job *job, const struct tb_session_stream *stream,
	      struct tb_outfile *out)
{
  enum tb_status status = list_trace (job, stream, true, out);
  return status == TB_OK ? job_check_end (job, stream) : status;
}

static enum tb_status
put_sum (struct job *job, const struct tb_session_stream *stream,
	 struct tb_outfile *out)
{
  enum tb_status status = list_trace (job, stream, false, out);
  return status == TB_OK ? job_check_end (job, stream) : status;
}

enum tb_status
list_elements (struct job *job, struct tb_outfile *out)
{
  return job->options->sessions ? list_sessions (job, true, out)
				: list_streams (job, out, put_elements);
}

enum tb_status
list_summary (struct job *job, struct tb_outfile *out)
{
  if (job->options->sessions)
    return list_sessions (job, false, out);
  enum tb_status status = list_streams (job, out, put_sum);
  /* A summary is of instructions.  That there is none of them is true where the trace
     tells of none; but not an answer where all of their code is missing.  */
  if (status == TB_OK && job->instructions == 0)
    job->no_steps = job_lacks_code (job);
  return status;
}
