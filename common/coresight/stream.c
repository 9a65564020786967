/* One trace source's bytes, taken out of a trace buffer.  See stream.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Frames are those of frame.h.  */

#include "config.h"
#include "coresight/stream.h"

#include <stdlib.h>
#include <string.h>

#include "coresight/frame.h"
#include "util/number.h"

/* Bytes taken out at a time.  A peek costs little, but not nothing.  */
#define CHUNK 2048

/* How far to look for a full synchronisation packet: TPIUs send one every few
   frames to every few thousand bytes.  */
#define NEAR_MAX 65536

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
  struct tb_frame_reader in;
  uint8_t id;
  bool raw;			/* No frames: all bytes are ours.  */
  bool mine[256];		/* By ID: its bytes are ours.  */

  uint64_t next;		/* The frame (raw: byte) to take next.  */
  uint8_t current;		/* The ID in force there.  */

  /* Ready are VIEW[AT] .. VIEW[END - 1].  For frames VIEW is BYTES and INDEX
     has each byte's place in the buffer; raw bytes start at VIEW_OFFSET.  */
  const uint8_t *view;
  size_t at, end;
  bool exhausted;		/* Nothing comes after END ...  */
  bool broken;			/* ... but what is behind a break at NEXT.  */
  uint64_t view_offset;
  uint64_t base;		/* Which of the stream's bytes VIEW[0] is.  */
  size_t nframes;

  /* A run of a frame is stored with what comes behind it.  */
  uint8_t bytes[CHUNK + TB_STREAM_LOOKAHEAD + 2 * TB_FRAME];
  uint64_t index[CHUNK + TB_STREAM_LOOKAHEAD + TB_FRAME];
  struct frame_mark frames[CHUNK + TB_STREAM_LOOKAHEAD + TB_FRAME];
};

/* Where the stream's bytes begin and end in VIEW has changed: drop the frames
   that are wholly consumed.  */
static void
drop_frames (struct tb_stream *s)
{
  size_t i = s->nframes;
  /* Few bytes are left most often.  */
  if (s->at < s->end && i > 0)
    for (i--; i > 0 && s->frames[i].first > s->base; i--)
      continue;
  s->nframes -= i;
  memmove (s->frames, s->frames + i, s->nframes * sizeof *s->frames);
}

/* Pass over frames from NEXT on that have no byte of the stream's ID, which is
   not the one in force, *CURRENT.  Goes no further than the run.  Returns the
   frame that needs a closer look.  */
static uint64_t
skip_frames (const struct tb_stream *s, uint64_t next, uint8_t *current)
{
  const uint64_t even = 0xff * TB_FRAME_EVEN_BITS;
  const uint64_t own = (uint8_t) (s->id << 1 | 1) * TB_FRAME_EVEN_BITS;

  if (next < s->in.run_start || next >= s->in.run_end || s->in.buffer->joined)
    return next;
  const uint8_t *frame = s->in.run + (next - s->in.run_start), *named = NULL;
  const uint8_t *end = frame + (s->in.run_end - next) / TB_FRAME * TB_FRAME;
  for (; frame < end; frame += TB_FRAME)
    {
      uint64_t low = tb_number_64 (frame), high = tb_number_64 (frame + 8);
      if (((low | high) & TB_FRAME_EVEN_BITS) == 0)
	continue;
      /* Is an even byte the own ID, or as in synchronisation packets?  */
      if (tb_frame_may_sync (low, high)
	  || (((((low & even) ^ own) - TB_FRAME_EVEN_BITS)
	       | (((high & even) ^ own) - TB_FRAME_EVEN_BITS))
	      & TB_FRAME_EVEN_BITS << 15) != 0)
	break;
      named = frame;
    }
  if (named != NULL)
    {
      unsigned ids = tb_frame_ids (tb_number_64 (named))
		     | tb_frame_ids (tb_number_64 (named + 8)) << 4;
      *current = named[2 * (31 - __builtin_clz (ids))] >> 1;
    }
  return s->in.run_start + (uint64_t) (frame - s->in.run);
}

/* Where DATA of a frame that is at AT go, all that are MINE.  */
struct taking
{
  struct tb_frame_data data;
  uint64_t at;
  const bool *mine;
  uint8_t *bytes;
  uint64_t *index;
  unsigned count;
};

static inline void
take_mine (void *to, unsigned from, unsigned end, uint8_t id)
{
  struct taking *taking = to;
  if (!taking->mine[id])
    return;
  tb_frame_put_data (taking->bytes + taking->count, taking->data, from);
  tb_frame_put_places (taking->index + taking->count, taking->at + from);
  taking->count += end - from;
}

/* Append those bytes of FRAME, which is at AT, that are of the stream's ID;
   *CURRENT is the ID in force.  PLACE has where each is; NULL: one after the
   other.  Returns the new end.  */
static size_t
take_split (struct tb_stream *s, size_t end, const uint8_t *frame,
	    uint64_t at, const uint64_t *place, uint8_t *current)
{
  uint8_t before = *current;
  uint64_t *index = s->index + end;
  struct taking taking = { .data = tb_frame_data (frame), .at = place == NULL ? at : 0,
			   .mine = s->mine, .bytes = s->bytes + end, .index = index };

  tb_frame_walk (frame, current, take_mine, &taking);
  for (unsigned i = 0; place != NULL && i < taking.count; i++)
    index[i] = place[index[i]];
  if (taking.count > 0)
    s->frames[s->nframes++]
      = (struct frame_mark) { at, s->base + end, before };
  return end + taking.count;
}

/* Append the frames from NEXT on that have no ID byte, as far as they lie in the run and
   there is room, to what ends at *END: all their bytes are of the ID in force, CURRENT, which
   is the stream's.  Returns the frame that needs a closer look.  */
static uint64_t
take_plain_frames (struct tb_stream *s, uint64_t next, uint8_t current, size_t *end)
{
  if (next < s->in.run_start || next >= s->in.run_end)
    return next;
  const uint8_t *frame = s->in.run + (next - s->in.run_start);
  const uint8_t *stop = frame + (s->in.run_end - next) / TB_FRAME * TB_FRAME;
  /* Places of their own, as bytes might be stored over those in S, for all that compilers
     know.  */
  struct frame_mark *mark = s->frames + s->nframes;
  uint8_t *bytes = s->bytes + *end;
  uint64_t *index = s->index + *end;
  uint64_t first = s->base + *end;
  const uint8_t *full = s->bytes + CHUNK;
  for (; frame < stop && bytes < full && tb_frame_is_plain (frame); frame += TB_FRAME)
    {
      mark->offset = next;
      mark->first = first;
      mark++->id = current;
      tb_frame_put_data (bytes, tb_frame_data (frame), 0);
      tb_frame_put_places (index, next);
      next += TB_FRAME;
      first += TB_FRAME_DATA;
      bytes += TB_FRAME_DATA;
      index += TB_FRAME_DATA;
    }
  s->nframes = (size_t) (mark - s->frames);
  *end = (size_t) (bytes - s->bytes);
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
  while (end < CHUNK && s->in.size - next >= TB_FRAME)
    {
      next = s->mine[current] ? take_plain_frames (s, next, current, &end)
	     : skip_frames (s, next, &current);
      if (end >= CHUNK || s->in.size - next < TB_FRAME)
	break;
      uint8_t spare[TB_FRAME];
      const uint8_t *frame = tb_frame_at (&s->in, next, spare);
      uint64_t low = tb_number_64 (frame);
      uint64_t high = tb_number_64 (frame + 8);
      if (!tb_frame_has_sync (&s->in, low, high))
	{
	  end = take_split (s, end, frame, next, NULL, &current);
	  next += TB_FRAME;
	  continue;
	}
      struct tb_frame_collected whole;
      uint64_t after = next;
      enum tb_frame_piece piece = tb_frame_collect (&s->in, &after, &whole);
      if (piece == TB_FRAME_BROKEN)
	{
	  s->broken = true;
	  break;
	}
      if (piece == TB_FRAME_WHOLE)
	end = take_split (s, end, whole.bytes, whole.place[0], whole.place,
			  &current);
      next = after;
    }
  s->end = end;
  s->current = current;
  s->next = next;
  /* What is left of a frame has no byte 15: its bytes are not known.  */
  s->exhausted = s->broken || s->in.size - next < TB_FRAME;
}

/* Where the first break behind OFFSET, which is in the run, is in what is taken out at once;
   or else the end.  */
static uint64_t
next_break (const struct tb_stream *s, uint64_t offset)
{
  const struct tb_trace_buffer *buffer = s->in.buffer;
  uint64_t at = s->in.run_end;
  for (size_t i = s->in.span + 1; buffer->fresh != NULL && i < buffer->nspans; i++)
    {
      if (buffer->fresh[i])
	return at;
      if (at - offset >= CHUNK)
	break;
      at += buffer->spans[i].size;
    }
  return s->in.size;
}

static void
fill_raw (struct tb_stream *s)
{
  uint64_t offset = s->view_offset + s->at;
  s->base += s->at;
  s->view_offset = offset;
  s->at = 0;
  s->end = 0;
  if (offset < s->in.size)
    {
      if (offset < s->in.run_start || offset >= s->in.run_end)
	tb_frame_find_run (&s->in, offset);
      uint64_t stop = next_break (s, offset);
      size_t part = s->in.run_end - offset;
      if (part >= 2 * TB_STREAM_LOOKAHEAD || s->in.run_end == stop)
	s->view = s->in.run + (offset - s->in.run_start);
      else
	{
	  /* Near the end of a file: join it with the next ones.  */
	  part = stop - offset < CHUNK ? stop - offset : CHUNK;
	  tb_frame_copy (&s->in, offset, s->bytes, part);
	  s->view = s->bytes;
	}
      s->end = part;
      s->broken = offset + part == stop && stop < s->in.size;
    }
  s->exhausted = s->broken || offset + s->end == s->in.size;
}

/* The interface.  */

struct tb_stream *
tb_stream_open (const struct tb_trace_buffer *buffer, unsigned id)
{
  struct tb_stream *s = malloc (sizeof *s);
  if (s == NULL)
    return NULL;
  s->id = (uint8_t) id;
  s->raw = id == TB_ID_NONE;
  memset (s->mine, 0, sizeof s->mine);
  if (!s->raw)
    s->mine[id] = true;
  if (buffer->joined)
    memset (s->mine + 1, true, TB_LAST_SOURCE_ID);
  tb_frame_reader_init (&s->in, buffer, !s->raw);
  tb_stream_seek (s, &(struct tb_stream_place) { 0, 0, TB_FRAME_ID_UNKNOWN });
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

bool
tb_stream_pass_break (struct tb_stream *stream)
{
  size_t length;
  bool last;
  struct tb_frame_collected syncs;
  /* After a seek it has not been seen yet.  */
  tb_stream_peek (stream, &length, &last);
  if (!stream->broken || length > 0)
    return false;
  if (!stream->raw)
    tb_frame_collect (&stream->in, &stream->next, &syncs);
  stream->current = TB_FRAME_ID_UNKNOWN;
  stream->broken = stream->exhausted = false;
  return true;
}

uint64_t
tb_stream_index (const struct tb_stream *stream, size_t ahead)
{
  size_t i = stream->at + ahead;
  if (stream->raw)
    return stream->view_offset + i;
  return tb_frame_physical (&stream->in, i < stream->end ? stream->index[i]
					   : stream->next);
}

const uint64_t *
tb_stream_indexes (const struct tb_stream *stream)
{
  return stream->raw || stream->in.blocks ? NULL : stream->index + stream->at;
}

bool
tb_stream_in_sequence (const struct tb_stream *stream)
{
  return stream->raw;
}

void
tb_stream_tell (const struct tb_stream *stream, struct tb_stream_place *place)
{
  memset (place, 0, sizeof *place);
  if (stream->raw)
    {
      place->offset = stream->view_offset + stream->at;
      place->skip = stream->broken && stream->at == stream->end;	/* It is to come.  */
      place->id = TB_FRAME_ID_UNKNOWN;
      return;
    }
  if (stream->at == stream->end)
    {
      place->offset = tb_frame_physical (&stream->in, stream->next);
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
  place->offset = tb_frame_physical (&stream->in, stream->frames[low].offset);
  place->skip = (uint16_t) (here - stream->frames[low].first);
  place->id = stream->frames[low].id;
}

uint64_t
tb_stream_tell_next (struct tb_stream *stream, struct tb_stream_place *place)
{
  size_t length;
  bool last;

  tb_stream_peek (stream, &length, &last);
  tb_stream_tell (stream, place);
  return tb_stream_index (stream, 0);
}

void
tb_stream_seek (struct tb_stream *stream, const struct tb_stream_place *place)
{
  uint64_t offset = tb_frame_logical (&stream->in, place->offset);
  if (offset < stream->in.start)
    offset = stream->in.start;
  stream->next = offset < stream->in.size ? offset : stream->in.size;
  stream->current = place->id;
  stream->view = stream->bytes;
  stream->at = stream->end = 0;
  stream->view_offset = stream->next;
  stream->base = 0;
  stream->nframes = 0;
  stream->exhausted = stream->broken = stream->raw && place->skip > 0;
  if (!stream->raw && place->skip > 0)
    {
      size_t length;
      bool last;
      tb_stream_peek (stream, &length, &last);
      tb_stream_consume (stream, place->skip < length ? place->skip : length);
    }
}

/* The ID in force at logical offset FRAME, which begins one, by the frames before
   it; GUESS if none within reach says.  */
static uint8_t
id_before (struct tb_frame_reader *in, uint64_t frame, uint8_t guess)
{
  uint64_t stop = frame > NEAR_MAX ? frame - NEAR_MAX : 0;
  uint8_t spare[TB_FRAME];
  while (frame >= stop + TB_FRAME)
    {
      frame -= TB_FRAME;
      const uint8_t *bytes = tb_frame_at (in, frame, spare);
      if (tb_frame_has_sync (in, tb_number_64 (bytes),
			     tb_number_64 (bytes + 8)))
	return TB_FRAME_ID_UNKNOWN;
      for (int i = TB_FRAME - 2; i >= 0; i -= 2)
	if (bytes[i] & 1)
	  return bytes[i] >> 1;
    }
  return stop > 0 ? guess : TB_FRAME_ID_UNKNOWN;
}

/* The same for a trace port, whose frames are counted from a synchronisation
   packet on.  */
static uint8_t
id_before_port (struct tb_frame_reader *in, uint64_t frame, uint8_t guess)
{
  uint64_t next = in->start;
  uint8_t current = TB_FRAME_ID_UNKNOWN;
  if (frame > NEAR_MAX)
    {
      current = guess;
      if (!tb_frame_find_sync (in, frame - NEAR_MAX, frame, &next))
	return guess;
    }
  while (next < frame && in->size - next >= TB_FRAME)
    {
      struct tb_frame_collected whole;
      struct tb_frame_byte bytes[TB_FRAME_DATA];
      enum tb_frame_piece piece = tb_frame_collect (in, &next, &whole);
      if (piece == TB_FRAME_WHOLE)
	tb_frame_split (whole.bytes, &current, bytes);
      else if (piece == TB_FRAME_BROKEN)
	current = TB_FRAME_ID_UNKNOWN;
    }
  return current;
}

void
tb_stream_near (const struct tb_trace_buffer *buffer, unsigned id,
		uint64_t offset, struct tb_stream_place *place)
{
  struct tb_frame_reader in;
  bool raw = id == TB_ID_NONE;
  memset (place, 0, sizeof *place);
  place->id = TB_FRAME_ID_UNKNOWN;
  tb_frame_reader_init (&in, buffer, !raw);
  uint64_t from = tb_frame_logical (&in, offset), frame;
  if (from > in.size)
    from = in.size;
  if (raw)
    frame = from;
  else
    {
      frame = (from + TB_FRAME - 1) / TB_FRAME * TB_FRAME;
      if (in.port && from <= in.start)
	frame = in.start;
      else if (in.port)
	tb_frame_find_sync (&in, from, from + NEAR_MAX, &frame);
      if (in.size < TB_FRAME || frame > in.size - TB_FRAME)
	frame = in.size;
      else
	place->id = in.port ? id_before_port (&in, frame, (uint8_t) id)
			    : id_before (&in, frame, (uint8_t) id);
    }
  place->offset = tb_frame_physical (&in, frame);
}
