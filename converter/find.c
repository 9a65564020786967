/* --find: places in the trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Three columns, apart by tabs: the step that the place lies before ("-" in software's
   trace, which has none), the byte in the buffer, the element.  JSON has an object for each
   place in each source, CSV a line for each element.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>

#include "decode/element-stats.h"
#include "decode/element-text.h"
#include "json.h"
#include "recording/find.h"

struct finding
{
  struct job *job;
  const struct tb_session_stream *stream;
  const char *place;		/* That is looked for.  */
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

/* Write HIT, whose element is TEXT, as an object.  */
static void
put_json (const struct finding *f, const struct tb_find_hit *hit, const char *text)
{
  FILE *out = tb_outfile_stream (f->out);
  fputs (f->found ? ",{" : "{", out);
  if (!f->no_steps)
    fprintf (out, "\"step\":%" PRIu64 ",", hit->step);
  fprintf (out, "\"byte\":%" PRIu64 ",\"kind\":\"%s\",\"element\":", hit->element.index,
	   tb_element_kind_name (hit->element.kind));
  json_string (text, out);
  fputc ('}', out);
}

/* The same as a line.  */
static void
put_csv (const struct finding *f, const struct tb_find_hit *hit, const char *text)
{
  FILE *out = tb_outfile_stream (f->out);
  csv_field (out, f->stream->source->name);
  fputc (',', out);
  csv_field (out, f->stream->buffer != NULL ? f->stream->buffer->name : "");
  fputc (',', out);
  csv_field (out, f->place);
  fputc (',', out);
  if (!f->no_steps)
    fprintf (out, "%" PRIu64, hit->step);
  fprintf (out, ",%" PRIu64 ",%s,", hit->element.index,
	   tb_element_kind_name (hit->element.kind));
  csv_field (out, text);
  fputs ("\r\n", out);
}

static void
put_line (const struct finding *f, const struct tb_find_hit *hit, const char *text)
{
  FILE *out = tb_outfile_stream (f->out);
  if (f->no_steps)
    fputc ('-', out);
  else
    fprintf (out, "%" PRIu64, hit->step);
  fprintf (out, "\t%" PRIu64 "\t%s\n", hit->element.index, text);
}

static bool
put_hit (void *context, const struct tb_find_hit *hit)
{
  struct finding *f = context;
  const struct options *o = f->job->options;
  struct tb_buffer text = { 0 };
  tb_element_text (&text, &hit->element);
  if (text.size > 0 && text.data[text.size - 1] == '\n')
    text.size--;
  tb_buffer_append (&text, "", 1);
  f->no_memory |= text.failed;
  bool ok = !text.failed;
  if (ok)
    (o->json ? put_json : o->csv ? put_csv : put_line) (f, hit, (const char *) text.data);
  f->found = true;
  tb_buffer_fini (&text);
  return ok && tb_outfile_check (f->out) == TB_OK;
}

/* PLACE is looked for now: nothing was found of it yet.  */
static void
begin_place (struct finding *f, const char *place)
{
  FILE *out = tb_outfile_stream (f->out);
  f->place = place;
  f->found = false;
  if (!f->job->options->json)
    return;
  fputs (f->job->told_any ? ",{\"source\":" : "{\"source\":", out);
  json_string (f->stream->source->name, out);
  if (f->stream->buffer != NULL)
    {
      fputs (",\"buffer\":", out);
      json_string (f->stream->buffer->name, out);
    }
  fputs (",\"place\":", out);
  json_string (place, out);
  fputs (",\"found\":[", out);
  f->job->told_any = true;
}

static void
end_place (const struct finding *f)
{
  if (f->job->options->json)
    fputs ("]}", tb_outfile_stream (f->out));
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
put_source (struct searched *searched, const struct options *o,
	    const struct tb_session_stream *stream, struct tb_outfile *out)
{
  struct tb_buffer *sources = &searched->sources;
  uint64_t bytes = stream->buffer != NULL ? stream->buffer->size : UINT64_MAX;
  if (bytes > searched->bytes)
    searched->bytes = bytes;
  size_t lead = sources->size > 0 ? 2 : 0, before = sources->size;
  append_source (sources, lead > 0 ? ", " : "", stream);
  if (!sources->failed && !o->json && !o->csv)
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
  struct finding finding = { .job = job, .stream = stream, .out = out,
			     .no_memory = start == NULL, .no_steps = true };
  put_source (searched, o, stream, out);
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i].query, .take = put_hit, .context = &finding };
      decoder->restore (decoder, start);
      begin_place (&finding, o->finds[i].text);
      tb_software_find (decoder, &find);
      end_place (&finding);
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
  put_source (searched, o, stream, out);
  struct finding finding = { .job = job, .stream = stream, .out = out };
  for (size_t i = 0; i < o->nfinds && !finding.no_memory; i++)
    {
      struct tb_find find = { .query = o->finds[i].query, .take = put_hit,
			      .context = &finding };
      begin_place (&finding, o->finds[i].text);
      finding.no_memory
	|= tb_recording_find (recording, &find) == TB_SEARCH_NO_MEMORY;
      end_place (&finding);
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
  job->told_any = false;
  if (o->json)
    {
      fputs ("{\"input\":", tb_outfile_stream (out));
      json_string (job->input, tb_outfile_stream (out));
      fputs (",\"finds\":[", tb_outfile_stream (out));
    }
  else if (o->csv)
    fputs ("source,buffer,place,step,byte,kind,element\r\n", tb_outfile_stream (out));
  enum tb_status status = searched.found != NULL ? find_in_all (job, &searched, out)
			  : TB_ERR_MEMORY;
  if (o->json)
    fputs ("]}\n", tb_outfile_stream (out));
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
