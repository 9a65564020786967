/* --find: places in the trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Three columns, apart by tabs: the step that the place lies before ("-" in software's
   trace, which has none), the byte in the buffer, the element.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>

#include "decode/element-text.h"
#include "recording/find.h"

struct finding
{
  struct tb_outfile *out;
  bool no_memory;
  bool no_steps;
};

static bool
put_hit (void *context, const struct tb_find_hit *hit)
{
  struct finding *finding = context;
  struct tb_buffer text = { 0 };
  if (finding->no_steps)
    tb_buffer_append (&text, "-", 1);
  else
    tb_buffer_printf (&text, "%" PRIu64, hit->step);
  tb_buffer_printf (&text, "\t%" PRIu64 "\t", hit->element.index);
  size_t before = text.size;
  tb_element_text (&text, &hit->element);
  if (text.size == before)
    tb_buffer_append (&text, "\n", 1);
  finding->no_memory |= text.failed;
  bool ok = !text.failed
	    && tb_outfile_write (finding->out, text.data, text.size) == TB_OK;
  tb_buffer_fini (&text);
  return ok;
}

static void
put_source (const struct tb_session_stream *stream, struct tb_outfile *out)
{
  fprintf (tb_outfile_stream (out), "# source %s%s%s\n", stream->source->name,
	   stream->buffer != NULL ? " in " : "",
	   stream->buffer != NULL ? stream->buffer->name : "");
}

/* What software said is read from its begin for each place.  */
static enum tb_status
find_in_software (struct job *job, const struct tb_session_stream *stream,
		  struct tb_outfile *out)
{
  const struct options *o = job->options;
  struct tb_decoder *decoder = tb_session_decoder (&job->session, stream, job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  void *start = decoder->save (decoder);
  struct finding finding = { .out = out, .no_memory = start == NULL, .no_steps = true };
  put_source (stream, out);
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i], .take = put_hit, .context = &finding };
      decoder->restore (decoder, start);
      tb_software_find (decoder, &find);
    }
  free (start);
  tb_decoder_close (decoder);
  return finding.no_memory ? TB_ERR_MEMORY : tb_outfile_check (out);
}

static enum tb_status
find_in (struct job *job, const struct tb_session_stream *stream,
	 struct tb_outfile *out)
{
  const struct options *o = job->options;
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  put_source (stream, out);
  struct finding finding = { .out = out };
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i], .take = put_hit,
			      .context = &finding };
      finding.no_memory
	|= tb_recording_find (recording, &find) == TB_SEARCH_NO_MEMORY;
      tb_note (job->diag, "%s: of %zu parts of the trace of %s, %zu were decoded to "
	       "find it", job->input, find.parts, stream->source->name, find.decoded);
    }
  enum tb_status status = tb_outfile_check (out);
  if (status == TB_OK && finding.no_memory)
    status = TB_ERR_MEMORY;
  enum tb_status closed = job_close_recording (job, recording);
  return status != TB_OK ? status : closed;
}

enum tb_status
list_find (struct job *job, struct tb_outfile *out)
{
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      bool software = job_wants (job, stream) && stream->protocol != NULL
		      && stream->protocol->software;
      if (!job_has_steps (job, stream) && !software)
	continue;
      if (stream->facts != NULL)
	{
	  tb_error (job->diag, "%s: %s is a log, in which --find finds nothing; expected "
		    "hardware trace", job->input, stream->source->name);
	  return TB_ERR_INPUT;
	}
      enum tb_status status = software ? find_in_software (job, stream, out)
			      : find_in (job, stream, out);
      if (status != TB_OK)
	return status;
    }
  return TB_OK;
}
