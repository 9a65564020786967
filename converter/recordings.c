/* The recordings of an input.  See recordings.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recordings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/buffer.h"

enum tb_status
recordings_find (struct job *job, struct found **found, size_t *count)
{
  *count = 0;
  *found = calloc (job->session.nstreams + 1, sizeof **found);
  if (*found == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (!job_wants (job, stream) || stream->protocol == NULL)
	continue;
      struct tb_recording *recording = job_recording (job, stream);
      if (recording == NULL)
	return TB_ERR_MEMORY;
      job_judge (job, stream, tb_recording_stats (recording));
      if (tb_recording_steps (recording) == 0)
	job_close_recording (job, recording);
      else
	(*found)[(*count)++] = (struct found) { stream, recording };
    }
  return TB_OK;
}

void
recordings_free (const struct job *job, struct found *found, size_t count)
{
  for (size_t i = 0; i < count; i++)
    job_close_recording (job, found[i].recording);
  free (found);
}

enum tb_status
recordings_refuse (struct job *job, const struct found *found, size_t count,
		   const char *why)
{
  struct tb_buffer text = { 0 };
  for (size_t i = 0; i < count; i++)
    tb_buffer_printf (&text, "%s  --source=%s%s%s%s%s  %" PRIu64
		      " instructions", i > 0 ? "\n" : "", found[i].stream->source->name,
		      found[i].stream->buffer != NULL ? " --buffer=" : "",
		      found[i].stream->buffer != NULL
		      ? found[i].stream->buffer->name : "",
		      found[i].stream->core->device != NULL ? "  of core "
							     : "",
		      found[i].stream->core->device != NULL
		      ? found[i].stream->core->device->name : "",
		      tb_recording_steps (found[i].recording));
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    tb_error (job->diag, "%s: %zu recordings, but %s:\n%s", job->input, count, why,
	      (const char *) text.data);
  tb_buffer_fini (&text);
  return TB_ERR_INPUT;
}
