/* Frames of a trace buffer that are put together, and what must come out of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_STREAM_FRAMES_H
#define TB_UNIT_STREAM_FRAMES_H

#include <stdlib.h>

#include "check.h"
#include "coresight/stream.h"

#define MOST 20000

/* What a stream must deliver.  */
struct want
{
  uint8_t id, value;
  uint64_t index;
};

/* A trace buffer being put together.  */
struct built
{
  uint8_t bytes[2 * MOST];
  size_t size;
  struct want want[MOST];
  size_t nwant;
};

static uint32_t seed = 12345;

static inline unsigned
random_below (unsigned limit)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % limit;
}

/* Expect the bytes of ID in BUFFER to be those of WANT, through peeks and
   consumes of random sizes, and at the places that WANT has.  */
static inline void
check_stream (const struct tb_trace_buffer *buffer, unsigned id,
	      const struct want *want, size_t nwant)
{
  struct tb_stream *s = tb_stream_open (buffer, id);
  size_t n = 0, length;
  bool last = false;
  if (!CHECK (s != NULL))
    return;
  for (;;)
    {
      const uint8_t *bytes = tb_stream_peek (s, &length, &last);
      if (!CHECK (last || length >= TB_STREAM_LOOKAHEAD) || length == 0)
	break;
      size_t use = 1 + random_below (length < 100 ? length : 100);
      for (size_t i = 0; i < use; i++)
	{
	  while (n < nwant && id != TB_ID_NONE && want[n].id != id)
	    n++;
	  if (!CHECK (n < nwant) || !CHECK_INT (bytes[i], want[n].value)
	      || !CHECK_INT (tb_stream_index (s, i), want[n].index))
	    {
	      fprintf (stderr, "ID %#x, byte %zu\n", id, n);
	      tb_stream_close (s);
	      return;
	    }
	  n++;
	}
      tb_stream_consume (s, use);
    }
  while (n < nwant && id != TB_ID_NONE && want[n].id != id)
    n++;
  CHECK (last);
  CHECK_INT (n, nwant);
  tb_stream_close (s);
}

static inline struct tb_trace_buffer
one_span (const struct tb_span *span, enum tb_buffer_format format)
{
  return (struct tb_trace_buffer) { .id = "buffer0", .name = "b",
				    .format = format, .spans = span,
				    .nspans = 1, .size = span->size };
}

/* Frames written by a formatter of our own, with every liberty that the
   specification gives it.  */

enum syncs { NO_SYNCS, FULL_SYNCS, HALF_SYNCS };

/* Put synchronisation packets into what B has: full ones between frames, half ones
   anywhere.  */
static inline void
add_half_syncs (struct built *b)
{
  static struct built old;
  static size_t moved[2 * MOST];
  old = *b;
  b->size = 0;
  for (size_t i = 0; i < old.size; i += 2)
    {
      /* Not between the two halves of a full one.  */
      bool inside = i >= 2 && old.bytes[i - 2] == 0xff
		    && old.bytes[i - 1] == 0xff;
      for (unsigned n = random_below (8); !inside && n > 5; n--)
	{
	  b->bytes[b->size++] = 0xff;
	  b->bytes[b->size++] = 0x7f;
	}
      for (size_t j = i; j < i + 2; j++)
	{
	  moved[j] = b->size;
	  b->bytes[b->size++] = old.bytes[j];
	}
    }
  for (size_t i = 0; i < b->nwant; i++)
    b->want[i].index = moved[b->want[i].index];
}

/* Drop the first bytes of what B has, whatever they are.  */
static inline void
cut_start (struct built *b, size_t cut)
{
  size_t n = 0;
  memmove (b->bytes, b->bytes + cut, b->size - cut);
  b->size -= cut;
  for (size_t i = 0; i < b->nwant; i++)
    if (b->want[i].index >= cut)
      {
	b->want[n] = b->want[i];
	b->want[n++].index -= cut;
      }
  b->nwant = n;
}

static inline void
build_frames (struct built *b, size_t nbytes, enum syncs syncs)
{
  static const uint8_t ids[] = { 0x10, 0x11, 0x6f, 0x01 };
  uint8_t current = 0xff;
  b->size = b->nwant = 0;
  /* What is to be formatted: runs of bytes of an ID.  */
  static uint8_t id[MOST];
  for (size_t i = 0; i < nbytes;)
    {
      uint8_t owner = ids[random_below (sizeof ids)];
      size_t run = random_below (4) == 0 ? random_below (60) + 1
					 : random_below (4) + 1;
      for (; run > 0 && i < nbytes; run--)
	id[i++] = owner;
    }
  size_t next = 0;
  while (next < nbytes)
    {
      for (unsigned n = 0;
	   syncs != NO_SYNCS && n < 3 && (b->size == 0 || random_below (3) == 0);
	   n++)
	{
	  memcpy (b->bytes + b->size, "\xff\xff\xff\x7f", 4);
	  b->size += 4;
	}
      uint8_t *frame = b->bytes + b->size;
      memset (frame, 0, 16);
      for (unsigned i = 0; i < 15; i += 2)
	{
	  bool delayed = false;
	  if (next == nbytes)
	    {
	      if (current != 0)
		frame[i] = 0x01, current = 0;
	      continue;
	    }
	  uint8_t old = current;
	  bool is_id = true;
	  if (current != id[next])
	    frame[i] = id[next] << 1 | 1, current = old = id[next];
	  else if (i < 14 && next + 1 < nbytes && id[next + 1] != current)
	    {
	      frame[i] = id[next + 1] << 1 | 1;
	      current = id[next + 1];
	      delayed = true;
	    }
	  else if (i < 14 && random_below (16) == 0)
	    {
	      /* An ID without data: it is changed again in the next pair.  */
	      frame[i] = 0x22 << 1 | 1;
	      current = 0x22;
	      delayed = true;
	    }
	  else
	    {
	      uint8_t value = random_below (256);
	      frame[i] = value & 0xfe;
	      frame[15] |= (value & 1) << (i / 2);
	      b->want[b->nwant++] = (struct want) { id[next++], value,
						    b->size + i };
	      is_id = false;
	    }
	  if (delayed)
	    frame[15] |= 1 << (i / 2);
	  if (i == 14)
	    continue;
	  /* The odd byte, of the ID in force.  */
	  if (next < nbytes && (is_id || id[next] == current)
	      && (!is_id || id[next] == old))
	    {
	      uint8_t value = random_below (256);
	      frame[i + 1] = value;
	      b->want[b->nwant++] = (struct want) { id[next++], value,
						    b->size + i + 1 };
	    }
	  else
	    {
	      /* Nothing fits: a byte of whoever it is.  */
	      b->want[b->nwant++] = (struct want) { is_id ? old : current, 0,
						    b->size + i + 1 };
	    }
	}
      b->size += 16;
    }
  if (syncs == HALF_SYNCS)
    add_half_syncs (b);
}

/* Every place of a stream, told and sought, gives the rest of it.  WANT may be
   NULL.  */
static inline void
check_places (const struct tb_trace_buffer *buffer, unsigned id,
	      const struct want *want, size_t nwant)
{
  struct tb_stream *s = tb_stream_open (buffer, id);
  struct tb_stream *other = tb_stream_open (buffer, id);
  size_t n = 0, length;
  bool last;
  if (!CHECK (s != NULL && other != NULL))
    return;
  for (;;)
    {
      struct tb_stream_place place, again;
      const uint8_t *rest;
      size_t rest_length;
      tb_stream_tell (s, &place);
      tb_stream_seek (other, &place);
      tb_stream_tell (other, &again);
      rest = tb_stream_peek (other, &rest_length, &last);
      const uint8_t *bytes = tb_stream_peek (s, &length, &last);
      size_t both = length < rest_length ? length : rest_length;
      if (!CHECK (both > 0 || length == rest_length)
	  || !CHECK (memcmp (bytes, rest, both) == 0)
	  || !CHECK (tb_stream_index (s, 0) == tb_stream_index (other, 0))
	  || !CHECK (place.offset == again.offset && place.skip == again.skip))
	break;
      if (length == 0)
	break;
      while (n < nwant && id != TB_ID_NONE && want[n].id != id)
	n++;
      if (want != NULL && !CHECK_INT (bytes[0], want[n].value))
	break;
      n++;
      tb_stream_consume (s, 1);
    }
  tb_stream_close (s);
  tb_stream_close (other);
}

#endif /* TB_UNIT_STREAM_FRAMES_H */
