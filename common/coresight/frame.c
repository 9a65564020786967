/* The frames of a trace buffer, one at a time.  See frame.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coresight/frame.h"

#include <string.h>

void
tb_frame_reader_init (struct tb_frame_reader *in,
		      const struct tb_trace_buffer *buffer, bool blocks)
{
  *in = (struct tb_frame_reader) { .buffer = buffer, .blocks = blocks };
  in->size = tb_frame_logical (in, buffer->size);
}

void
tb_frame_find_run (struct tb_frame_reader *in, uint64_t offset)
{
  uint64_t place = tb_frame_physical (in, offset), start = 0;
  const struct tb_span *span = in->buffer->spans;
  while (place - start >= span->size)
    start += (span++)->size;
  uint64_t end = start + span->size;
  if (in->blocks)
    {
      uint64_t block = place / TB_FRAME_BLOCK * TB_FRAME_BLOCK;
      if (start < block)
	{
	  in->run = span->data + (block - start);
	  start = block;
	}
      else
	in->run = span->data;
      if (end > block + TB_FRAME_BLOCK_DATA)
	end = block + TB_FRAME_BLOCK_DATA;
      in->run_start = tb_frame_logical (in, start);
      in->run_end = in->run_start + (end - start);
      return;
    }
  in->run = span->data;
  in->run_start = start;
  in->run_end = end;
}

void
tb_frame_copy (struct tb_frame_reader *in, uint64_t offset, uint8_t *to,
	       size_t length)
{
  while (length > 0)
    {
      if (offset < in->run_start || offset >= in->run_end)
	tb_frame_find_run (in, offset);
      size_t part = in->run_end - offset;
      if (part > length)
	part = length;
      memcpy (to, in->run + (offset - in->run_start), part);
      to += part;
      offset += part;
      length -= part;
    }
}

unsigned
tb_frame_split (const uint8_t *frame, uint8_t *current,
		struct tb_frame_byte bytes[TB_FRAME_DATA])
{
  uint8_t id = *current, aux = frame[15];
  unsigned n = 0;
  for (unsigned i = 0; i < TB_FRAME; i += 2)
    {
      bool bit = aux >> (i / 2) & 1;
      uint8_t after = id;
      if ((frame[i] & 1) == 0)
	bytes[n++] = (struct tb_frame_byte) { frame[i] | bit, id, i };
      else
	{
	  after = frame[i] >> 1;
	  if (!bit)
	    id = after;
	}
      if (i + 1 < TB_FRAME_DATA)
	bytes[n++] = (struct tb_frame_byte) { frame[i + 1], id, i + 1 };
      id = after;
    }
  *current = id;
  return n;
}
