/* --format=frames: the frames of trace buffers, as they are taken apart.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Two columns, apart by a tab: the byte of the buffer at which the frame begins; and its
   bytes, behind the ID that each run of them belongs to.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <string.h>

#include "coresight/frame.h"
#include "coresight/stream.h"
#include "util/number.h"

static void
put_frame (struct tb_buffer *text, const uint8_t *frame, uint8_t *current)
{
  struct tb_frame_byte bytes[TB_FRAME_DATA];
  unsigned n = tb_frame_split (frame, current, bytes);
  for (unsigned i = 0; i < n; i++)
    {
      uint8_t id = bytes[i].id;
      const char *lead = i > 0 ? " " : "";
      if (i == 0 || id != bytes[i - 1].id)
	{
	  if (id == TB_FRAME_ID_UNKNOWN)
	    tb_buffer_printf (text, "%s-:", lead);
	  else
	    tb_buffer_printf (text, "%s0x%02x:", lead, id);
	}
      tb_buffer_printf (text, " %02x", bytes[i].value);
    }
  tb_buffer_append (text, "\n", 1);
}

/* What is not a frame.  */
static void
put_piece (struct tb_buffer *text, enum tb_frame_piece piece,
	   const struct tb_frame_collected *frame)
{
  switch (piece)
    {
    case TB_FRAME_WHOLE:
      break;
    case TB_FRAME_SYNCS:
    case TB_FRAME_BROKEN:
      tb_buffer_printf (text, "%sfull synchronisation, %" PRIu64 " packet%s%s\n",
			frame->partial ? "part of a frame, dropped; " : "",
			frame->syncs, frame->syncs == 1 ? "" : "s",
			piece == TB_FRAME_BROKEN
			? ": trace of another time follows" : "");
      break;
    case TB_FRAME_END:
      tb_buffer_printf (text, "less than a frame, then the end\n");
      break;
    }
}

static enum tb_status
put_frames (const struct tb_trace_buffer *buffer, struct tb_outfile *out)
{
  struct tb_frame_reader in;
  struct tb_buffer text = { 0 };
  tb_frame_reader_init (&in, buffer, true);
  uint8_t current = TB_FRAME_ID_UNKNOWN;
  uint64_t next = in.start;
  enum tb_status status = TB_OK;
  if (in.start > 0)
    tb_buffer_printf (&text, "0\t%" PRIu64 " bytes before the first whole frame\n",
		      in.start);
  while (in.size - next >= TB_FRAME && status == TB_OK)
    {
      uint8_t spare[TB_FRAME];
      const uint8_t *frame = tb_frame_at (&in, next, spare);
      struct tb_frame_collected whole;
      uint64_t place = next;
      enum tb_frame_piece piece = TB_FRAME_WHOLE;
      if (tb_frame_has_sync (&in, tb_number_64 (frame),
			     tb_number_64 (frame + 8)))
	{
	  piece = tb_frame_collect (&in, &next, &whole);
	  frame = whole.bytes;
	  if (piece == TB_FRAME_WHOLE)
	    place = whole.place[0];
	}
      else
	next += TB_FRAME;
      tb_buffer_printf (&text, "%" PRIu64 "\t", tb_frame_physical (&in, place));
      if (piece == TB_FRAME_WHOLE)
	put_frame (&text, frame, &current);
      else
	put_piece (&text, piece, &whole);
      if (piece == TB_FRAME_BROKEN)
	current = TB_FRAME_ID_UNKNOWN;
      status = tb_outfile_put (out, &text, false);
    }
  if (next < in.size)
    tb_buffer_printf (&text, "%" PRIu64 "\t%" PRIu64 " bytes, less than a frame\n",
		      tb_frame_physical (&in, next), in.size - next);
  if (status == TB_OK)
    status = tb_outfile_put (out, &text, true);
  tb_buffer_fini (&text);
  return status;
}

/* Does the user want BUFFER, by its name or by a source or core that is traced into
   it?  */
static bool
wants_buffer (const struct job *job, const struct tb_trace_buffer *buffer)
{
  const struct options *o = job->options;
  if (o->shared.source == NULL && o->shared.core == NULL)
    return o->shared.buffer == NULL || strcmp (buffer->name, o->shared.buffer) == 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (stream->buffer == buffer && stream->facts == NULL
	  && job_wants (job, stream))
	return true;
    }
  return false;
}

enum tb_status
list_frames (struct job *job, struct tb_outfile *out)
{
  const struct tb_snapshot *snapshot = &job->session.snapshot;
  bool named = snapshot->nbuffers > 1 && job->options->shared.buffer == NULL;
  size_t listed = 0;
  for (size_t b = 0; b < snapshot->nbuffers; b++)
    {
      const struct tb_trace_buffer *buffer = &snapshot->buffers[b];
      if (!wants_buffer (job, buffer))
	continue;
      if (buffer->format == TB_FORMAT_SOURCE_DATA)
	{
	  tb_warning (job->diag, "%s: %s has no frames (its format is source_data): "
		      "all of its bytes are one source's; it is left out",
		      job->input, buffer->name);
	  continue;
	}
      if (named)
	fprintf (tb_outfile_stream (out), "# buffer %s\n", buffer->name);
      listed++;
      if (buffer->size == 0)
	tb_warning (job->diag, "%s: %s is empty: it has no frames", job->input, buffer->name);
      enum tb_status status = put_frames (buffer, out);
      if (status == TB_ERR_MEMORY)
	tb_error (job->diag, "%s: no memory", job->input);
      if (status != TB_OK)
	return status;
    }
  if (listed > 0)
    return TB_OK;
  tb_error (job->diag, "%s: expected a trace buffer with CoreSight frames, found none",
	    job->input);
  return TB_ERR_INPUT;
}
