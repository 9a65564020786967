/* The frames of a trace buffer, one at a time.  See frame.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coresight/frame.h"

#include <string.h>

#include "util/number.h"

void
tb_frame_find_run (struct tb_frame_reader *in, uint64_t offset)
{
  uint64_t place = tb_frame_physical (in, offset), start = in->span_start;
  /* Buffers are read forwards, and may have very many spans.  */
  while (place < start)
    start -= in->buffer->spans[--in->span].size;
  while (place - start >= in->buffer->spans[in->span].size)
    start += in->buffer->spans[in->span++].size;
  const struct tb_span *span = &in->buffer->spans[in->span];
  uint64_t end = start + span->size;
  in->span_start = start;
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

struct splitting
{
  uint8_t data[TB_FRAME];
  struct tb_frame_byte *to;
};

static inline void
take_run (void *context, unsigned from, unsigned end, uint8_t id)
{
  struct splitting *s = context;
  for (; from < end; from++)
    *s->to++ = (struct tb_frame_byte) { s->data[from], id, (uint8_t) from };
}

unsigned
tb_frame_split (const uint8_t *frame, uint8_t *current,
		struct tb_frame_byte bytes[TB_FRAME_DATA])
{
  struct splitting s = { .to = bytes };
  tb_frame_put_data (s.data, tb_frame_data (frame), 0);
  tb_frame_walk (frame, current, take_run, &s);
  return (unsigned) (s.to - bytes);
}

/* Synchronisation packets.  */

/* Are the bytes at OFFSET these LENGTH ones?  */
static bool
are (struct tb_frame_reader *in, uint64_t offset, const char *bytes,
     unsigned length)
{
  uint8_t found[TB_FULL_SYNC];
  if (offset > in->size || in->size - offset < length)
    return false;
  tb_frame_copy (in, offset, found, length);
  return memcmp (found, bytes, length) == 0;
}

static bool
is_full_sync (struct tb_frame_reader *in, uint64_t offset)
{
  return are (in, offset, "\xff\xff\xff\x7f", TB_FULL_SYNC);
}

static bool
is_half_sync (struct tb_frame_reader *in, uint64_t offset)
{
  return are (in, offset, "\xff\x7f", TB_HALF_SYNC);
}

/* How many full synchronisation packets follow each other from OFFSET on.  */
static uint64_t
count_syncs (struct tb_frame_reader *in, uint64_t offset)
{
  uint64_t n = 0;
  while (is_full_sync (in, offset + n * TB_FULL_SYNC))
    n++;
  return n;
}

bool
tb_frame_find_sync (struct tb_frame_reader *in, uint64_t from, uint64_t to,
		    uint64_t *found)
{
  uint64_t end = to < in->size ? to + (TB_FULL_SYNC - 1) : in->size;
  if (end > in->size)
    end = in->size;
  for (uint64_t at = from; at < end;)
    {
      if (at < in->run_start || at >= in->run_end)
	tb_frame_find_run (in, at);
      uint64_t stop = in->run_end < end ? in->run_end : end;
      const uint8_t *run = in->run + (at - in->run_start);
      const uint8_t *last = memchr (run, 0x7f, stop - at);
      if (last == NULL)
	{
	  at = stop;
	  continue;
	}
      at += (size_t) (last - run) + 1;
      /* Most have another byte before them.  */
      if (last > run && last[-1] != 0xff)
	continue;
      if (at >= from + TB_FULL_SYNC && is_full_sync (in, at - TB_FULL_SYNC))
	{
	  *found = at - TB_FULL_SYNC;
	  return true;
	}
    }
  return false;
}

enum tb_frame_piece
tb_frame_collect (struct tb_frame_reader *in, uint64_t *next,
		  struct tb_frame_collected *frame)
{
  uint64_t at = *next;
  unsigned n = 0;
  frame->syncs = 0;
  frame->partial = false;
  /* After lost bytes the packet may have been taken for the end of the frame
     before.  */
  if (in->port && at > in->start && is_full_sync (in, at - 1))
    at--;
  for (; n < TB_FRAME; at += 2)
    {
      if (in->size - at < 2)
	{
	  *next = in->size;
	  return TB_FRAME_END;
	}
      if (in->port && is_full_sync (in, at + 1))
	at++;
      if (is_full_sync (in, at))
	{
	  frame->syncs = count_syncs (in, at);
	  frame->partial = n > 0;
	  /* In memory they take the place of frames.  */
	  if (!in->port)
	    frame->syncs -= frame->syncs % TB_FRAME_BREAK;
	  *next = at + frame->syncs * TB_FULL_SYNC;
	  return frame->syncs < TB_FRAME_BREAK
		 || in->buffer->format != TB_FORMAT_CORESIGHT
		 ? TB_FRAME_SYNCS : TB_FRAME_BROKEN;
	}
      if (in->port && is_half_sync (in, at))
	continue;
      tb_frame_copy (in, at, frame->bytes + n, 2);
      frame->place[n] = at;
      frame->place[n + 1] = at + 1;
      n += 2;
    }
  *next = at;
  return TB_FRAME_WHOLE;
}

/* What a buffer is.  */

/* How far to look for the first full synchronisation packet: a TPIU sends one
   at least every 4096 frames, if a counter of its own makes it ...  */
#define LOOK 65536
/* ... and where the frames seem to be none, however far apart they are.  */
#define LOOK_FAR (UINT64_C (16) << 20)
/* Guessing reads this many bytes of the buffer.  */
#define SAMPLE 4096

/* Frames in a sample, and those that cannot be frames.  */
struct sample
{
  unsigned frames, wrong;
};

/* FRAME has an ID that is reserved (D4.2.2).  */
static bool
is_wrong (const uint8_t *frame)
{
  for (unsigned i = 0; i < TB_FRAME; i += 2)
    {
      uint8_t id = frame[i] >> 1;
      if ((frame[i] & 1) && id >= 0x70 && id != 0x7b && id != 0x7d)
	return true;
    }
  return false;
}

/* Look at the frames from IN->start up to END as IN would take them.  */
static struct sample
look (struct tb_frame_reader *in, uint64_t end)
{
  struct sample sample = { 0, 0 };
  uint64_t next = in->start;
  while (next < end && in->size - next >= TB_FRAME)
    {
      struct tb_frame_collected frame;
      enum tb_frame_piece piece = TB_FRAME_WHOLE;
      sample.frames++;
      if (next >= in->run_start && next < in->run_end && in->run_end - next >= TB_FRAME
	  && tb_frame_is_plain (in->run + (next - in->run_start)))
	{
	  /* It is neither wrong nor synchronisation.  */
	  next += TB_FRAME;
	  continue;
	}
      tb_frame_copy (in, next, frame.bytes, TB_FRAME);
      if (tb_frame_has_sync (in, tb_number_64 (frame.bytes),
			     tb_number_64 (frame.bytes + 8)))
	piece = tb_frame_collect (in, &next, &frame);
      else
	next += TB_FRAME;
      sample.wrong += piece == TB_FRAME_WHOLE ? is_wrong (frame.bytes)
		      : piece != TB_FRAME_END && frame.partial;
    }
  return sample;
}

/* The first full synchronisation packet before TO that is no break as they are
   in memory.  */
static bool
find_port_sync (struct tb_frame_reader *in, uint64_t to, uint64_t *found)
{
  uint64_t from = 0;
  while (tb_frame_find_sync (in, from, to, found))
    {
      uint64_t n = count_syncs (in, *found);
      if (n % TB_FRAME_BREAK != 0 || *found % TB_FRAME != 0)
	return true;
      from = *found + n * TB_FULL_SYNC;
    }
  return false;
}

/* The first whole frame where a full synchronisation packet at SYNC ends the
   last one before it: what is before it is the rest of another.  */
static uint64_t
first_frame (struct tb_frame_reader *in, uint64_t sync)
{
  uint64_t pairs = 0, at = sync % 2;
  for (; at < sync; at += 2)
    pairs += !is_half_sync (in, at);
  pairs %= TB_FRAME / 2;
  for (at = sync % 2; pairs > 0; at += 2)
    pairs -= !is_half_sync (in, at);
  return at;
}

void
tb_frame_reader_init (struct tb_frame_reader *in,
		      const struct tb_trace_buffer *buffer, bool framed)
{
  *in = (struct tb_frame_reader) { .buffer = buffer };
  in->blocks = framed && buffer->format == TB_FORMAT_DSTREAM;
  in->size = tb_frame_logical (in, buffer->size);
  if (!framed)
    return;
  uint64_t sync;
  bool named = buffer->format != TB_FORMAT_CORESIGHT;
  struct sample memory = look (in, SAMPLE);
  if (!find_port_sync (in, LOOK, &sync)
      && (memory.wrong <= memory.frames / 8
	  || !find_port_sync (in, LOOK_FAR, &sync)))
    {
      in->port = named;
      return;
    }
  /* Memory that is not trace has such packets too: the number INT_MAX looks so.
     Those of a port let the frames make more sense than without.  */
  memory = look (in, sync + SAMPLE);
  in->port = true;
  in->start = first_frame (in, sync);
  struct sample port = look (in, sync + SAMPLE);
  if (!named && (port.wrong >= memory.wrong || port.wrong > port.frames / 8))
    {
      in->port = false;
      in->start = 0;
    }
}
