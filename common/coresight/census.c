/* How many bytes of each source a trace buffer has.  See stream.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coresight/stream.h"

#include <string.h>

#include "coresight/frame.h"
#include "util/number.h"

void
tb_stream_census (const struct tb_trace_buffer *buffer,
		  uint64_t counts[TB_TRACE_IDS], uint64_t *full_syncs)
{
  memset (counts, 0, TB_TRACE_IDS * sizeof *counts);
  if (full_syncs != NULL)
    *full_syncs = 0;
  struct tb_frame_reader in;
  tb_frame_reader_init (&in, buffer, true);
  uint8_t current = TB_FRAME_ID_UNKNOWN;
  uint64_t next = in.start;
  while (in.size - next >= TB_FRAME)
    {
      uint8_t spare[TB_FRAME];
      const uint8_t *frame = tb_frame_at (&in, next, spare);
      struct tb_frame_collected whole;
      if (tb_frame_has_sync (&in, tb_number_64 (frame),
			     tb_number_64 (frame + 8)))
	{
	  enum tb_frame_piece piece = tb_frame_collect (&in, &next, &whole);
	  if (full_syncs != NULL)
	    *full_syncs += whole.syncs;
	  if (piece == TB_FRAME_BROKEN)
	    current = TB_FRAME_ID_UNKNOWN;
	  if (piece != TB_FRAME_WHOLE)
	    continue;
	  frame = whole.bytes;
	}
      else
	next += TB_FRAME;
      if (tb_frame_is_plain (frame))
	{
	  if (current != TB_FRAME_ID_UNKNOWN)
	    counts[current] += TB_FRAME_DATA;
	  continue;
	}
      struct tb_frame_byte bytes[TB_FRAME_DATA];
      unsigned n = tb_frame_split (frame, &current, bytes);
      for (unsigned i = 0; i < n; i++)
	if (bytes[i].id != TB_FRAME_ID_UNKNOWN)
	  counts[bytes[i].id]++;
    }
}

unsigned
tb_stream_rest (const struct tb_trace_buffer *buffer)
{
  unsigned rest = (unsigned) (buffer->size % TB_FRAME);
  if (buffer->format != TB_FORMAT_CORESIGHT || rest == 0)
    return 0;
  struct tb_frame_reader in;
  tb_frame_reader_init (&in, buffer, true);
  return in.port ? 0 : rest;
}
