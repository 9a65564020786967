/* Frames of trace ports and buffers: the bytes of each source, however they are read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the format, one that says where the buffer's second file
   begins, the buffer.  */

#include "config.h"
#include "fuzz.h"

#include "coresight/stream.h"

/* Read what STREAM has, at most MOST bytes at a time; WANT, if it is not NULL, is what must
   come.  Returns how many bytes came; GOT, if it is not NULL, has room for them.  */
static size_t
read_all (struct tb_stream *stream, size_t most, uint8_t *got, const uint8_t *want, size_t room)
{
  size_t count = 0, length;
  bool last;
  for (;;)
    {
      const uint8_t *bytes = tb_stream_peek (stream, &length, &last);
      MUST (last || length >= TB_STREAM_LOOKAHEAD);
      if (length == 0)
	{
	  if (!tb_stream_pass_break (stream))
	    return count;
	  continue;
	}
      size_t n = length < most ? length : most;
      MUST (count + n <= room);
      MUST (tb_stream_index (stream, n - 1) >= tb_stream_index (stream, 0));
      if (got != NULL)
	memcpy (got + count, bytes, n);
      MUST (want == NULL || memcmp (want + count, bytes, n) == 0);
      tb_stream_consume (stream, n);
      count += n;
    }
}

/* Read the bytes of ID in one go, in pieces, and once more from some places in them.  */
static void
check_id (const struct tb_trace_buffer *buffer, unsigned id, uint8_t *bytes)
{
  struct tb_stream *s = tb_stream_open (buffer, id);
  MUST (s != NULL);
  struct tb_stream_place start, place;
  tb_stream_tell (s, &start);
  size_t room = (size_t) buffer->size;
  size_t count = read_all (s, SIZE_MAX, bytes, NULL, room);
  tb_stream_seek (s, &start);
  size_t at = 0, length;
  bool last;
  for (size_t part = 1; at < count; part = part * 2 + 1)
    {
      tb_stream_peek (s, &length, &last);
      if (length == 0)
	{
	  MUST (tb_stream_pass_break (s));
	  continue;
	}
      size_t n = length < part ? length : part;
      tb_stream_consume (s, n);
      at += n;
      tb_stream_tell (s, &place);
      size_t rest = read_all (s, 1 + part % 7, NULL, bytes + at, room - at);
      MUST (rest == count - at);
      tb_stream_seek (s, &place);
    }
  for (unsigned i = 0; i < 4; i++)
    {
      tb_stream_near (buffer, id, buffer->size * i / 3, &place);
      tb_stream_seek (s, &place);
      read_all (s, SIZE_MAX, NULL, NULL, room);
    }
  tb_stream_close (s);
}

FUZZ_TARGET (frames)
{
  static const enum tb_buffer_format formats[] = {
    TB_FORMAT_CORESIGHT, TB_FORMAT_TPIU, TB_FORMAT_DSTREAM
  };
  struct fuzz_reader in = { data, data + size };
  unsigned kind = fuzz_u8 (&in), cut = fuzz_u8 (&in);
  size_t rest = SIZE_MAX;
  const uint8_t *trace = fuzz_bytes (&in, &rest);
  if (cut > rest)
    cut = (unsigned) rest;
  struct tb_span spans[2] = { { trace, cut }, { trace + cut, rest - cut } };
  const bool fresh[2] = { false, kind & 16 };
  size_t first = cut == 0, n = (cut > 0) + (rest > cut);
  struct tb_trace_buffer buffer = {
    .id = "buffer0", .name = "b", .format = formats[kind % 3], .format_name = "",
    .spans = spans + first, .nspans = n, .size = rest,
    .fresh = kind & 8 ? fresh + first : NULL, .joined = kind & 32
  };
  uint64_t counts[TB_TRACE_IDS], syncs;
  tb_stream_census (&buffer, counts, &syncs);
  uint8_t *bytes = malloc (rest + 1);
  MUST (bytes != NULL);
  unsigned ids = 0;
  for (unsigned id = 1; id <= TB_LAST_SOURCE_ID && ids < 3; id++)
    if (counts[id] > 0)
      {
	MUST (counts[id] <= rest);
	check_id (&buffer, id, bytes);
	ids++;
      }
  check_id (&buffer, kind % 5 + 1, bytes);
  free (bytes);
  return 0;
}
