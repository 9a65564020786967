/* --format=packets: the packets of each source, as its decoder reads them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Four columns, apart by tabs: the byte of the buffer at which the packet begins, its
   source's trace ID, the type, the fields.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>

struct packet_listing
{
  struct tb_packet_taker taker;
  const struct tb_session_stream *stream;
  struct tb_buffer text;
  /* Bytes without synchronisation that come in several pieces.  */
  uint64_t skipped, skipped_index;
};

/* Append the columns before the fields.  */
static void
put_columns (struct packet_listing *l, uint64_t index, const char *type)
{
  unsigned id = l->stream->id;
  tb_buffer_printf (&l->text, "%" PRIu64 "\t", index);
  if (id != TB_ID_NONE)
    tb_buffer_printf (&l->text, "0x%02x\t%s", id, type);
  else
    tb_buffer_printf (&l->text, "-\t%s", type);
}

static void
put_skipped (struct packet_listing *l)
{
  if (l->skipped == 0)
    return;
  put_columns (l, l->skipped_index, "not synchronised");
  tb_buffer_printf (&l->text, "\tbytes=%" PRIu64 "\n", l->skipped);
  l->skipped = 0;
}

/* Append bytes that are of no whole packet.  */
static void
put_bits (struct tb_buffer *text, uint64_t bits)
{
  tb_buffer_printf (text, "\tbytes=%" PRIu64 "%s", bits / 8,
		    bits % 8 != 0 ? ".5" : "");
}

static void
take (struct tb_packet_taker *taker, const struct tb_packet_note *note)
{
  struct packet_listing *l = (struct packet_listing *) taker;
  const struct tb_protocol *protocol = l->stream->protocol;
  unsigned types = protocol->npacket_types;
  if (note->type == types + TB_PACKET_SKIPPED)
    {
      if (l->skipped == 0)
	l->skipped_index = note->index;
      l->skipped += note->bits / 8;
      return;
    }
  put_skipped (l);
  put_columns (l, note->index, note->type < types
			       ? protocol->packet_names[note->type]
			       : "cut off by the end of the trace");
  if (note->type >= types)
    put_bits (&l->text, note->bits);
  else if (note->packet != NULL)
    {
      size_t before = l->text.size;
      protocol->packet_text (&l->text, note->type, note->packet);
      /* Fields begin with a space.  */
      if (l->text.size > before && !l->text.failed)
	l->text.data[before] = '\t';
    }
  tb_buffer_append (&l->text, "\n", 1);
}

/* Read all of DECODER.  */
static enum tb_status
read_packets (struct packet_listing *l, struct tb_decoder *decoder,
	      struct tb_outfile *out)
{
  /* So few that not much text is made at a time.  */
  struct tb_element some[64];
  enum tb_status status = TB_OK;
  while (status == TB_OK
	 && decoder->read (decoder, some, sizeof some / sizeof some[0]) > 0)
    status = tb_outfile_put (out, &l->text, false);
  put_skipped (l);
  if (status == TB_OK)
    status = tb_outfile_put (out, &l->text, true);
  return tb_decoder_no_memory (decoder) ? TB_ERR_MEMORY : status;
}

/* Are packets of a CPU written?  */
static bool
wants_cpu (const struct job *job)
{
  const struct tb_session *session = &job->session;
  for (size_t i = 0; i < session->nstreams; i++)
    if (session->streams[i].stitched == NULL && job_wants (job, &session->streams[i]))
      return true;
  return false;
}

static enum tb_status
put_packets (struct job *job, const struct tb_session_stream *stream,
	     struct tb_outfile *out)
{
  struct packet_listing l = { .taker.take = take, .stream = stream };
  if (stream->protocol->packet_text == NULL)
    {
      tb_warning (job->diag, "%s: %s is a log, which has lines and no packets; it is "
		  "left out", job->input, stream->source->name);
      return TB_OK;
    }
  if (stream->stitched != NULL)
    {
      if (wants_cpu (job))
	return TB_OK;		/* They are listed as the CPUs'.  */
      tb_error (job->diag, "%s: expected --recordings=cpus for packets, found threads, which "
		"have none of their own", job->input);
      return TB_ERR_INPUT;
    }
  struct tb_decoder *decoder = tb_session_decoder (&job->session, stream,
						   job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  struct tb_packet_count *counts
    = calloc (stream->protocol->npacket_types + 1, sizeof *counts);
  enum tb_status status = TB_ERR_MEMORY;
  list_stream_head (&l.text, stream);
  if (counts != NULL)
    {
      decoder->packet_counts = counts;
      decoder->packet_taker = &l.taker;
      status = read_packets (&l, decoder, out);
    }
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  job_judge (job, stream, &decoder->stats);
  tb_decoder_close (decoder);
  tb_buffer_fini (&l.text);
  free (counts);
  return status;
}

enum tb_status
list_packets (struct job *job, struct tb_outfile *out)
{
  bool decoded = false, data = false;
  for (size_t i = 0; i < job->session.nstreams; i++)
    if (job_wants (job, &job->session.streams[i]))
      {
	decoded |= job->session.streams[i].protocol != NULL;
	data |= job->session.streams[i].data;
      }
  enum tb_status status = decoded || !data ? list_streams (job, out, put_packets) : TB_OK;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (!stream->data || stream->buffer == NULL || !job_wants (job, stream))
	continue;
      enum tb_status listed = list_data_stream (job, stream, out);
      if (status == TB_OK)
	status = listed;
    }
  return status;
}
