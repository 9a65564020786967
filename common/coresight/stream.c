/* One trace source's bytes, taken out of a trace buffer.  See stream.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm CoreSight Architecture Specification (IHI 0029), chapter D4:
   sixteen bytes a frame; an even byte with bit 0 set is a new ID, else data
   whose bit 0 is the matching bit of byte 15; an odd byte is data.  For a new
   ID the bit of byte 15 says that the odd byte after it still belongs to the
   ID before.  */

#include "config.h"
#include "coresight/stream.h"

#include <stdlib.h>
#include <string.h>

#define FRAME 16
#define FRAME_DATA 15		/* The most data bytes in a frame.  */

/* Before the first ID of a buffer nobody owns the bytes.  */
#define ID_UNKNOWN 0xff

/* DSTREAM: blocks of this size, the last bytes of which are a footer.  Seen
   in captures of Arm DSTREAM probes.  */
#define BLOCK 512
#define BLOCK_DATA 504

/* Bytes taken out at a time.  A peek costs little, but not nothing.  */
#define CHUNK 2048

/* A frame that gave bytes of our ID.  */
struct frame_mark
{
  uint64_t offset;		/* Logical, see below.  */
  uint64_t first;		/* Which of the stream's bytes is its first.  */
  uint8_t id;			/* In force where the frame starts.  */
};

/* Offsets are logical: they count the bytes that are no DSTREAM footers.  */
struct tb_stream
{
  const struct tb_trace_buffer *buffer;
  uint64_t size;		/* Of the buffer.  */
  uint8_t id;
  bool raw;			/* No frames: all bytes are ours.  */
  bool blocks;			/* DSTREAM.  */

  /* A stretch of the buffer that lies in one piece in memory.  */
  const uint8_t *run;
  uint64_t run_start, run_end;

  uint64_t next;		/* The frame (raw: byte) to take next.  */
  uint8_t current;		/* The ID in force there.  */

  /* Ready are VIEW[AT] .. VIEW[END - 1].  For frames VIEW is BYTES and INDEX
     has each byte's place in the buffer; raw bytes start at VIEW_OFFSET.  */
  const uint8_t *view;
  size_t at, end;
  bool exhausted;		/* Nothing comes after END.  */
  uint64_t view_offset;
  uint64_t base;		/* Which of the stream's bytes VIEW[0] is.  */
  size_t nframes;

  uint8_t bytes[CHUNK + TB_STREAM_LOOKAHEAD + FRAME];
  uint64_t index[CHUNK + TB_STREAM_LOOKAHEAD + FRAME];
  struct frame_mark frames[CHUNK + TB_STREAM_LOOKAHEAD + FRAME];
};

/* Logical offsets and places in the buffer.  */

static uint64_t
physical (const struct tb_stream *s, uint64_t offset)
{
  return s->blocks ? offset / BLOCK_DATA * BLOCK + offset % BLOCK_DATA
		   : offset;
}

static uint64_t
logical (const struct tb_stream *s, uint64_t place)
{
  if (!s->blocks)
    return place;
  uint64_t rest = place % BLOCK;
  return place / BLOCK * BLOCK_DATA + (rest < BLOCK_DATA ? rest : BLOCK_DATA);
}

/* Let the run be the one with OFFSET, which lies in the buffer.  */
static void
find_run (struct tb_stream *s, uint64_t offset)
{
  uint64_t place = physical (s, offset), start = 0;
  const struct tb_span *span = s->buffer->spans;
  while (place - start >= span->size)
    start += (span++)->size;
  uint64_t end = start + span->size;
  if (s->blocks)
    {
      uint64_t block = place / BLOCK * BLOCK;
      if (start < block)
	{
	  s->run = span->data + (block - start);
	  start = block;
	}
      else
	s->run = span->data;
      if (end > block + BLOCK_DATA)
	end = block + BLOCK_DATA;
      s->run_start = logical (s, start);
      s->run_end = s->run_start + (end - start);
      return;
    }
  s->run = span->data;
  s->run_start = start;
  s->run_end = end;
}

/* Copy LENGTH bytes from OFFSET, all of which lie in the buffer.  */
static void
copy_bytes (struct tb_stream *s, uint64_t offset, uint8_t *to, size_t length)
{
  while (length > 0)
    {
      if (offset < s->run_start || offset >= s->run_end)
	find_run (s, offset);
      size_t part = s->run_end - offset;
      if (part > length)
	part = length;
      memcpy (to, s->run + (offset - s->run_start), part);
      to += part;
      offset += part;
      length -= part;
    }
}

/* The frame at OFFSET, which lies in the buffer; in SPARE if it does not lie
   in one piece.  */
static inline const uint8_t *
frame_at (struct tb_stream *s, uint64_t offset, uint8_t spare[FRAME])
{
  if (offset < s->run_start || offset >= s->run_end)
    find_run (s, offset);
  if (s->run_end - offset >= FRAME)
    return s->run + (offset - s->run_start);
  copy_bytes (s, offset, spare, FRAME);
  return spare;
}

/* Frames.  */

static inline uint64_t
load64 (const uint8_t *p)
{
  return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16
	 | (uint64_t) p[3] << 24 | (uint64_t) p[4] << 32
	 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48
	 | (uint64_t) p[7] << 56;
}

static inline void
store64 (uint8_t *p, uint64_t value)
{
  for (int i = 0; i < 8; i++)
    p[i] = value >> (8 * i);
}

/* Bit 0 of the even bytes: set in an ID byte.  */
#define EVEN_BITS UINT64_C (0x0001000100010001)

/* A full synchronisation packet, which stands between frames where a TPIU
   formatted the trace for a port; no frame begins so, 0x7f being no ID.  */
static inline bool
is_full_sync (const uint8_t *p)
{
  return (uint32_t) load64 (p) == UINT32_C (0x7fffffff);
}

/* Four bits to bit 0 of bytes 0, 2, 4 and 6.  */
static inline uint64_t
spread (unsigned bits)
{
  return (uint64_t) ((bits & 1) | (bits & 2) << 15)
	 | (uint64_t) ((bits & 4) >> 2 | (bits & 8) << 13) << 32;
}

/* One data byte of a frame.  */
struct frame_byte
{
  uint8_t value, id, place;
};

/* Take FRAME apart; *CURRENT is the ID in force before and after.  Returns the
   number of data bytes.  */
static unsigned
split_frame (const uint8_t *frame, uint8_t *current,
	     struct frame_byte bytes[FRAME_DATA])
{
  uint8_t id = *current, aux = frame[15];
  unsigned n = 0;
  for (unsigned i = 0; i < FRAME; i += 2)
    {
      bool bit = aux >> (i / 2) & 1;
      uint8_t after = id;
      if ((frame[i] & 1) == 0)
	bytes[n++] = (struct frame_byte) { frame[i] | bit, id, i };
      else
	{
	  after = frame[i] >> 1;
	  if (!bit)
	    id = after;
	}
      if (i + 1 < FRAME_DATA)
	bytes[n++] = (struct frame_byte) { frame[i + 1], id, i + 1 };
      id = after;
    }
  *current = id;
  return n;
}

/* Where the stream's bytes begin and end in VIEW has changed: drop the frames
   that are wholly consumed.  */
static void
drop_frames (struct tb_stream *s)
{
  size_t i = 0;
  while (i + 1 < s->nframes && s->frames[i + 1].first <= s->base)
    i++;
  if (s->at == s->end)
    i = s->nframes;
  s->nframes -= i;
  memmove (s->frames, s->frames + i, s->nframes * sizeof *s->frames);
}

/* Pass over frames from NEXT on that have no byte of the stream's ID, which is
   not the one in force, *CURRENT.  Goes no further than the run.  Returns the
   frame that needs a closer look.  */
static uint64_t
skip_frames (const struct tb_stream *s, uint64_t next, uint8_t *current)
{
  const uint8_t id_byte = s->id << 1 | 1;

  while (next >= s->run_start && next < s->run_end
	 && s->run_end - next >= FRAME)
    {
      const uint8_t *frame = s->run + (next - s->run_start);
      if (((load64 (frame) | load64 (frame + 8)) & EVEN_BITS) != 0)
	{
	  uint8_t newest = *current;
	  bool look = is_full_sync (frame);
	  for (unsigned i = 0; i < FRAME; i += 2)
	    if (frame[i] & 1)
	      {
		look |= frame[i] == id_byte;
		newest = frame[i] >> 1;
	      }
	  if (look)
	    break;
	  *current = newest;
	}
      next += FRAME;
    }
  return next;
}

static void
fill_frames (struct tb_stream *s)
{
  size_t keep = s->end - s->at;
  memmove (s->bytes, s->bytes + s->at, keep);
  memmove (s->index, s->index + s->at, keep * sizeof *s->index);
  s->base += s->at;
  drop_frames (s);
  s->at = 0;
  s->view = s->bytes;
  size_t end = keep;
  uint8_t current = s->current;
  uint64_t next = s->next;
  while (end < CHUNK && s->size - next >= FRAME)
    {
      if (current != s->id)
	{
	  next = skip_frames (s, next, &current);
	  if (s->size - next < FRAME)
	    break;
	}
      uint8_t spare[FRAME];
      const uint8_t *frame = frame_at (s, next, spare);
      uint64_t low = load64 (frame), high = load64 (frame + 8);
      if (((low | high) & EVEN_BITS) == 0)
	{
	  if (current == s->id)
	    {
	      s->frames[s->nframes++]
		= (struct frame_mark) { next, s->base + end, current };
	      store64 (s->bytes + end, low | spread (frame[15]));
	      store64 (s->bytes + end + 8, high | spread (frame[15] >> 4));
	      for (unsigned i = 0; i < FRAME; i++)
		s->index[end + i] = next + i;
	      end += FRAME_DATA;
	    }
	  next += FRAME;
	  continue;
	}
      if (is_full_sync (frame))
	{
	  next += 4;
	  continue;
	}
      struct frame_byte bytes[FRAME_DATA];
      uint8_t before = current;
      size_t first = end;
      unsigned n = split_frame (frame, &current, bytes);
      for (unsigned i = 0; i < n; i++)
	if (bytes[i].id == s->id)
	  {
	    s->bytes[end] = bytes[i].value;
	    s->index[end++] = next + bytes[i].place;
	  }
      if (end > first)
	s->frames[s->nframes++]
	  = (struct frame_mark) { next, s->base + first, before };
      next += FRAME;
    }
  s->end = end;
  s->current = current;
  s->next = next;
  /* What is left of a frame has no byte 15: its bytes are not known.  */
  s->exhausted = s->size - next < FRAME;
}

static void
fill_raw (struct tb_stream *s)
{
  uint64_t offset = s->view_offset + s->at;
  s->base += s->at;
  s->view_offset = offset;
  s->at = 0;
  s->end = 0;
  if (offset < s->size)
    {
      if (offset < s->run_start || offset >= s->run_end)
	find_run (s, offset);
      size_t part = s->run_end - offset;
      if (part >= 2 * TB_STREAM_LOOKAHEAD || s->run_end == s->size)
	s->view = s->run + (offset - s->run_start);
      else
	{
	  /* Near the end of a file: join it with the next ones.  */
	  part = s->size - offset < CHUNK ? s->size - offset : CHUNK;
	  copy_bytes (s, offset, s->bytes, part);
	  s->view = s->bytes;
	}
      s->end = part;
    }
  s->exhausted = offset + s->end == s->size;
}

/* The interface.  */

struct tb_stream *
tb_stream_open (const struct tb_trace_buffer *buffer, unsigned id)
{
  struct tb_stream *s = malloc (sizeof *s);
  if (s == NULL)
    return NULL;
  s->buffer = buffer;
  s->id = id;
  s->raw = id == TB_ID_NONE;
  s->blocks = buffer->format == TB_FORMAT_DSTREAM && !s->raw;
  s->size = logical (s, buffer->size);
  s->run = NULL;
  s->run_start = s->run_end = 0;
  tb_stream_seek (s, &(struct tb_stream_place) { 0, 0, ID_UNKNOWN });
  return s;
}

void
tb_stream_close (struct tb_stream *stream)
{
  free (stream);
}

const uint8_t *
tb_stream_peek (struct tb_stream *stream, size_t *length, bool *last)
{
  if (stream->end - stream->at < TB_STREAM_LOOKAHEAD && !stream->exhausted)
    {
      if (stream->raw)
	fill_raw (stream);
      else
	fill_frames (stream);
    }
  *length = stream->end - stream->at;
  *last = stream->exhausted;
  return stream->view + stream->at;
}

void
tb_stream_consume (struct tb_stream *stream, size_t count)
{
  stream->at += count;
}

uint64_t
tb_stream_index (const struct tb_stream *stream, size_t ahead)
{
  size_t i = stream->at + ahead;
  if (stream->raw)
    return stream->view_offset + i;
  return physical (stream, i < stream->end ? stream->index[i]
					   : stream->next);
}

void
tb_stream_tell (const struct tb_stream *stream, struct tb_stream_place *place)
{
  memset (place, 0, sizeof *place);
  if (stream->raw)
    {
      place->offset = stream->view_offset + stream->at;
      place->id = ID_UNKNOWN;
      return;
    }
  if (stream->at == stream->end)
    {
      place->offset = physical (stream, stream->next);
      place->id = stream->current;
      return;
    }
  uint64_t here = stream->base + stream->at;
  size_t low = 0, high = stream->nframes;
  while (high - low > 1)
    {
      size_t middle = (low + high) / 2;
      if (stream->frames[middle].first <= here)
	low = middle;
      else
	high = middle;
    }
  place->offset = physical (stream, stream->frames[low].offset);
  place->skip = here - stream->frames[low].first;
  place->id = stream->frames[low].id;
}

void
tb_stream_seek (struct tb_stream *stream, const struct tb_stream_place *place)
{
  uint64_t offset = logical (stream, place->offset);
  stream->next = offset < stream->size ? offset : stream->size;
  stream->current = place->id;
  stream->view = stream->bytes;
  stream->at = stream->end = 0;
  stream->view_offset = stream->next;
  stream->base = 0;
  stream->nframes = 0;
  stream->exhausted = false;
  if (place->skip > 0)
    {
      size_t length;
      bool last;
      tb_stream_peek (stream, &length, &last);
      tb_stream_consume (stream, place->skip < length ? place->skip : length);
    }
}

void
tb_stream_census (const struct tb_trace_buffer *buffer,
		  uint64_t counts[TB_TRACE_IDS], uint64_t *full_syncs)
{
  memset (counts, 0, TB_TRACE_IDS * sizeof *counts);
  if (full_syncs != NULL)
    *full_syncs = 0;
  struct tb_stream *s = tb_stream_open (buffer, 0);
  if (s == NULL)
    return;
  uint8_t current = ID_UNKNOWN;
  uint64_t next = 0;
  while (s->size - next >= FRAME)
    {
      uint8_t spare[FRAME];
      const uint8_t *frame = frame_at (s, next, spare);
      if (is_full_sync (frame))
	{
	  if (full_syncs != NULL)
	    ++*full_syncs;
	  next += 4;
	  continue;
	}
      next += FRAME;
      if (((load64 (frame) | load64 (frame + 8)) & EVEN_BITS) == 0)
	{
	  if (current != ID_UNKNOWN)
	    counts[current] += FRAME_DATA;
	  continue;
	}
      struct frame_byte bytes[FRAME_DATA];
      unsigned n = split_frame (frame, &current, bytes);
      for (unsigned i = 0; i < n; i++)
	if (bytes[i].id != ID_UNKNOWN)
	  counts[bytes[i].id]++;
    }
  tb_stream_close (s);
}
