/* Cores of which the DWT alone tells.  See sparse.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "sparse.h"

#include "recording/lane.h"

/* Is there trace of instructions of STREAM's core, or, where that is not told, of any?  */
static bool
has_recording (struct job *job, const struct tb_session_stream *stream)
{
  const struct tb_session *s = &job->session;
  for (size_t i = 0; i < s->nstreams; i++)
    if (job_has_steps (job, &s->streams[i])
	&& (stream->core->device == NULL || s->streams[i].core == stream->core))
      return true;
  return false;
}

bool
sparse_each (struct job *job, bool in_time,
	     bool (*take) (void *context, const struct tb_session_stream *stream,
			   struct tb_sparse *sparse, const struct tb_software *software),
	     void *context)
{
  struct tb_session *s = &job->session;
  bool ok = true;
  for (size_t i = 0; i < s->nstreams && ok; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (stream->protocol == NULL || !stream->protocol->software
	  || !job_wants (job, stream) || has_recording (job, stream))
	continue;
      struct tb_decoder *decoder = tb_lane_decoder (s, stream, job->diag);
      if (decoder == NULL)
	continue;
      struct tb_software software = { 0 };
      struct tb_sparse sparse = { 0 };
      ok = tb_lane_read (&software, decoder, s, stream, job->diag)
	   && tb_sparse_make (&sparse, &software, in_time)
	   && take (context, stream, &sparse, &software);
      tb_sparse_fini (&sparse);
      tb_software_fini (&software);
      job_judge (job, stream, &decoder->stats);
      tb_decoder_close (decoder);
    }
  return ok;
}
