/* --sessions: the buffers of a snapshot as one trace unit's captures, one after
   the other.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Every buffer is read with the sources of the first one, in the order of their
   sections in the snapshot's trace metadata: that is what a snapshot means that
   gives the later captures of a source names of their own, or none.  A section a
   trace ID, with a line "B session=" before each buffer but the first, where
   decoding starts anew.  */

#include "config.h"
#include "convert.h"

#include "decode/element-text.h"
#include "util/fnv.h"

/* Of one section.  */
struct session_listing
{
  struct job *job;
  struct tb_outfile *out;
  bool elements;		/* Not only their sum.  */
  struct tb_buffer text;
  struct tb_element_sum sum;
};

/* The buffer whose section comes next in the file after line LINE; NULL: none
   does.  */
static const struct tb_trace_buffer *
next_buffer (const struct tb_snapshot *snapshot, unsigned line)
{
  const struct tb_trace_buffer *next = NULL;
  for (size_t b = 0; b < snapshot->nbuffers; b++)
    if (snapshot->buffers[b].line > line
	&& (next == NULL || snapshot->buffers[b].line < next->line))
      next = &snapshot->buffers[b];
  return next;
}

static void
put (struct session_listing *l, const struct tb_element *element)
{
  if (l->elements)
    list_element (&l->text, element, l->job->options->positions, false);
}

/* Read the buffer of STREAM; not FIRST: after another one.  */
static enum tb_status
list_buffer (struct session_listing *l, const struct tb_session_stream *stream,
	     bool first)
{
  struct tb_decoder *decoder = tb_session_decoder (&l->job->session, stream,
						   l->job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  bool begins = !first;
  struct tb_element some[512];
  enum tb_status status = TB_OK;
  size_t n;
  while (status == TB_OK
	 && (n = decoder->read (decoder, some,
				sizeof some / sizeof some[0])) > 0)
    {
      if (begins)
	{
	  /* The trace of another session is a reason of its own.  */
	  struct tb_element reset = { .index = some[0].index,
				      .kind = TB_ELEMENT_NO_SYNC,
				      .reason = TB_REASON_RESET };
	  if (some[0].kind == TB_ELEMENT_NO_SYNC)
	    some[0].reason = TB_REASON_RESET;
	  else
	    put (l, &reset);
	  begins = false;
	}
      for (size_t i = 0; i < n; i++)
	{
	  tb_element_sum_add (&l->sum, &some[i], decoder->follow);
	  put (l, &some[i]);
	}
      status = tb_outfile_put (l->out, &l->text, false);
    }
  if (tb_decoder_no_memory (decoder))
    {
      tb_error (l->job->diag, "%s: no memory to decode %s", l->job->input,
		stream->source->name);
      status = TB_ERR_MEMORY;
    }
  job_judge (l->job, stream, &decoder->stats);
  tb_decoder_close (decoder);
  return status;
}

/* The section of STREAM, which is of the first buffer.  */
static enum tb_status
list_source (struct job *job, const struct tb_session_stream *stream,
	     bool elements, struct tb_outfile *out)
{
  const struct tb_snapshot *snapshot = &job->session.snapshot;
  struct session_listing l = { .job = job, .out = out, .elements = elements,
		       .sum = TB_ELEMENT_SUM_START };
  if (elements)
    list_stream_head (&l.text, stream);
  enum tb_status status = TB_OK;
  for (const struct tb_trace_buffer *buffer = stream->buffer;
       buffer != NULL && status == TB_OK;
       buffer = next_buffer (snapshot, buffer->line))
    {
      struct tb_session_stream session = *stream;
      bool first = buffer == stream->buffer;
      session.buffer = buffer;
      if (!first && elements)
	tb_buffer_printf (&l.text, "B session=%s\n", buffer->name);
      status = list_buffer (&l, &session, first);
    }
  tb_element_sum_text (&l.text, stream->id, &l.sum);
  if (status == TB_OK)
    status = tb_outfile_put (l.out, &l.text, true);
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  tb_buffer_fini (&l.text);
  return status;
}

/* Sources of buffers after FIRST that are not those of it, by type and trace ID,
   are not listed: say so.  */
static void
report_others (struct job *job, const struct tb_trace_buffer *first)
{
  const struct tb_session *s = &job->session;
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *later = &s->streams[i];
      bool known = later->buffer == NULL || later->buffer == first;
      for (size_t j = 0; j < s->nstreams && !known; j++)
	known = s->streams[j].buffer == first
		&& s->streams[j].id == later->id
		&& s->streams[j].protocol == later->protocol;
      if (!known)
	tb_warning (job->diag, "%s: --sessions reads all buffers with the sources "
		    "of the first one, %s; the trace of %s in %s is left out",
		    job->input, first->name,
		    later->source->name, later->buffer->name);
    }
}

enum tb_status
list_sessions (struct job *job, bool elements, struct tb_outfile *out)
{
  const struct tb_session *s = &job->session;
  const struct tb_trace_buffer *first = next_buffer (&s->snapshot, 0);
  enum tb_status status = TB_OK;
  size_t shown = 0;
  /* By trace ID; those without one come last.  */
  for (unsigned id = 0; id <= TB_ID_NONE; id++)
    for (size_t i = 0; i < s->nstreams && status == TB_OK; i++)
      {
	const struct tb_session_stream *stream = &s->streams[i];
	if (stream->id != id || first == NULL || stream->buffer != first
	    || stream->protocol == NULL || !job_wants (job, stream))
	  continue;
	status = list_source (job, stream, elements, out);
	shown++;
      }
  if (status == TB_OK && !job_found_packets (job))
    status = TB_ERR_INPUT;
  if (shown > 0 && job->options->shared.core == NULL && job->options->shared.source == NULL)
    report_others (job, first);
  return status;
}
