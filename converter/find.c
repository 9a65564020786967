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
  bool found;
};

/* What all sources were searched for.  */
struct searched
{
  struct tb_buffer sources;	/* Their names.  */
  bool *found;			/* For each place: it was found in some.  */
  uint64_t bytes;		/* Of the largest buffer; UINT64_MAX: not known.  */
};

static bool
put_hit (void *context, const struct tb_find_hit *hit)
{
  struct finding *finding = context;
  struct tb_buffer text = { 0 };
  finding->found = true;
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

/* Append the name of STREAM and of its buffer to TEXT, behind LEAD.  */
static void
append_source (struct tb_buffer *text, const char *lead, const struct tb_session_stream *stream)
{
  tb_buffer_printf (text, "%s%s", lead, stream->source->name);
  if (stream->buffer != NULL)
    tb_buffer_printf (text, " in %s", stream->buffer->name);
}

/* Begin with STREAM.  */
static void
put_source (struct searched *searched, const struct tb_session_stream *stream,
	    struct tb_outfile *out)
{
  struct tb_buffer *sources = &searched->sources;
  uint64_t bytes = stream->buffer != NULL ? stream->buffer->size : UINT64_MAX;
  if (bytes > searched->bytes)
    searched->bytes = bytes;
  size_t lead = sources->size > 0 ? 2 : 0, before = sources->size;
  append_source (sources, lead > 0 ? ", " : "", stream);
  if (!sources->failed)
    fprintf (tb_outfile_stream (out), "# source %.*s\n", (int) (sources->size - before - lead),
	     (const char *) sources->data + before + lead);
}

/* What software said is read from its begin for each place.  */
static enum tb_status
find_in_software (struct job *job, const struct tb_session_stream *stream,
		  struct searched *searched, struct tb_outfile *out)
{
  const struct options *o = job->options;
  struct tb_decoder *decoder = tb_session_decoder (&job->session, stream, job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  void *start = decoder->save (decoder);
  struct finding finding = { .out = out, .no_memory = start == NULL, .no_steps = true };
  put_source (searched, stream, out);
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i].query, .take = put_hit, .context = &finding };
      decoder->restore (decoder, start);
      finding.found = false;
      tb_software_find (decoder, &find);
      searched->found[i] |= finding.found;
    }
  free (start);
  tb_decoder_close (decoder);
  return finding.no_memory ? TB_ERR_MEMORY : tb_outfile_check (out);
}

static enum tb_status
find_in (struct job *job, const struct tb_session_stream *stream,
	 struct searched *searched, struct tb_outfile *out)
{
  const struct options *o = job->options;
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  put_source (searched, stream, out);
  struct finding finding = { .out = out };
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i].query, .take = put_hit,
			      .context = &finding };
      finding.found = false;
      finding.no_memory
	|= tb_recording_find (recording, &find) == TB_SEARCH_NO_MEMORY;
      searched->found[i] |= finding.found;
      tb_note (job->diag, "%s: of %zu parts of the trace of %s, %zu were decoded to "
	       "find it", job->input, find.parts, stream->source->name, find.decoded);
    }
  enum tb_status status = tb_outfile_check (out);
  if (status == TB_OK && finding.no_memory)
    status = TB_ERR_MEMORY;
  enum tb_status closed = job_close_recording (job, recording);
  return status != TB_OK ? status : closed;
}

static enum tb_status
find_in_all (struct job *job, struct searched *searched, struct tb_outfile *out)
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
		    "hardware trace (--format=elements lists exceptions of a log, "
		    "--format=timeline when they were)", job->input, stream->source->name);
	  return TB_ERR_INPUT;
	}
      enum tb_status status = software ? find_in_software (job, stream, searched, out)
			      : find_in (job, stream, searched, out);
      if (status != TB_OK)
	return status;
    }
  return searched->sources.failed ? TB_ERR_MEMORY : TB_OK;
}

enum tb_status
list_find (struct job *job, struct tb_outfile *out)
{
  const struct options *o = job->options;
  struct searched searched = { .found = calloc (o->nfinds, sizeof *searched.found) };
  enum tb_status status = searched.found != NULL ? find_in_all (job, &searched, out)
			  : TB_ERR_MEMORY;
  bool any = false;
  for (size_t i = 0; i < o->nfinds && status == TB_OK && searched.sources.size > 0; i++)
    {
      any |= searched.found[i];
      if (!searched.found[i])
	tb_warning (job->diag, "%s: --find=%s: there is none in the trace of %.*s", job->input,
		    o->finds[i].text, (int) searched.sources.size,
		    (const char *) searched.sources.data);
      else if (o->finds[i].query.what == TB_FIND_BYTE
	       && o->finds[i].query.value >= searched.bytes)
	tb_warning (job->diag, "%s: --find=%s: there is no such byte: %" PRIu64 " is the last one; "
		    "what lies before it is shown", job->input, o->finds[i].text,
		    searched.bytes - 1);
    }
  job->found = any;
  job->no_steps |= status == TB_OK && searched.sources.size > 0 && !any;
  tb_buffer_fini (&searched.sources);
  free (searched.found);
  return status;
}
