/* --format=packets of the data stream of an ETMv4: where it synchronises, and what the
   packet behind that is.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The columns are those of packets.c.  What the packets are called is known, how long they are is
   not (data-headers.h): the bytes up to the next synchronisation are counted.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>

#include "coresight/stream.h"
#include "decode/data-stream.h"

struct data_listing
{
  unsigned id;
  struct tb_buffer text;
  struct tb_data_stream_sync sync;
  uint64_t indexes[TB_DATA_STREAM_SYNC_BYTES];	/* Of the last bytes, by NUMBER.  */
  uint64_t number;		/* Of all bytes so far.  */
  uint64_t skipped, skipped_index;	/* Bytes that are not told apart.  */
  unsigned header;		/* Bytes of one that were read, behind a synchronisation.  */
  uint8_t first;		/* Its first byte, at ...  */
  uint64_t first_index;		/* ... this one.  */
  bool synchronised;
};

static void
put_columns (struct data_listing *l, uint64_t index, const char *type)
{
  tb_buffer_printf (&l->text, "%" PRIu64 "\t", index);
  if (l->id != TB_ID_NONE)
    tb_buffer_printf (&l->text, "0x%02x\t%s", l->id, type);
  else
    tb_buffer_printf (&l->text, "-\t%s", type);
}

/* Write what was skipped but for the last FEWER bytes.  */
static void
put_skipped (struct data_listing *l, uint64_t fewer)
{
  if (l->skipped > fewer)
    {
      put_columns (l, l->skipped_index,
		   l->synchronised ? "lengths not known" : "not synchronised");
      tb_buffer_printf (&l->text, "\tbytes=%" PRIu64 "\n", l->skipped - fewer);
    }
  l->skipped = 0;
}

/* The first packet behind a synchronisation begins with FIRST, and then NEXT.  */
static void
put_header (struct data_listing *l, uint8_t next)
{
  put_columns (l, l->first_index, tb_data_stream_name (l->first, next));
  if (l->first == 0)
    tb_buffer_printf (&l->text, "\theader=0x00%02x\n", next);
  else
    tb_buffer_printf (&l->text, "\theader=0x%02x\n", l->first);
  l->header = 0;
}

static void
take (struct data_listing *l, uint8_t byte, uint64_t index)
{
  l->indexes[l->number++ % TB_DATA_STREAM_SYNC_BYTES] = index;
  if (tb_data_stream_synchronised (&l->sync, byte))
    {
      put_skipped (l, TB_DATA_STREAM_SYNC_BYTES - 1);
      put_columns (l, l->indexes[l->number % TB_DATA_STREAM_SYNC_BYTES], TB_DATA_STREAM_SYNC);
      tb_buffer_append (&l->text, "\n", 1);
      l->synchronised = true;
      l->header = 1;
      return;
    }
  if (l->header == 1)
    {
      l->first = byte;
      l->first_index = index;
      if (byte == 0)
	l->header = 2;
      else
	put_header (l, 0);
    }
  /* A synchronisation may follow at once.  */
  else if (l->header == 2 && byte == 0)
    l->header = 0;
  else if (l->header == 2)
    put_header (l, byte);
  if (l->skipped++ == 0)
    l->skipped_index = index;
}

/* Trace ended here.  */
static void
part (struct data_listing *l)
{
  put_skipped (l, 0);
  l->sync.zeros = l->header = 0;
  l->synchronised = false;
}

enum tb_status
list_data_stream (struct job *job, const struct tb_session_stream *stream, struct tb_outfile *out)
{
  struct data_listing l = { .id = stream->id };
  bool framed = tb_buffer_is_framed (stream->buffer);
  struct tb_stream *bytes = tb_stream_open (stream->buffer, framed ? stream->id : TB_ID_NONE);
  enum tb_status status = bytes != NULL ? TB_OK : TB_ERR_MEMORY;
  size_t length;
  bool last;
  if (job->session.snapshot.nbuffers > 1 && job->options->shared.buffer == NULL)
    tb_buffer_printf (&l.text, "# buffer %s\n", stream->buffer->name);
  list_stream_head (&l.text, stream);
  while (status == TB_OK)
    {
      const uint8_t *some = tb_stream_peek (bytes, &length, &last);
      if (length == 0 && !tb_stream_pass_break (bytes))
	break;
      if (length == 0)
	part (&l);
      for (size_t i = 0; i < length; i++)
	take (&l, some[i], tb_stream_index (bytes, i));
      tb_stream_consume (bytes, length);
      status = tb_outfile_put (out, &l.text, false);
    }
  part (&l);
  if (status == TB_OK)
    status = tb_outfile_put (out, &l.text, true);
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  if (bytes != NULL)
    tb_stream_close (bytes);
  tb_buffer_fini (&l.text);
  return status;
}
