/* Tests of the frame deformatter: coresight/stream.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

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

static unsigned
random_below (unsigned limit)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % limit;
}

/* Expect the bytes of ID in BUFFER to be those of WANT, through peeks and
   consumes of random sizes, and at the places that WANT has.  */
static void
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

static struct tb_trace_buffer
one_span (const struct tb_span *span, enum tb_buffer_format format)
{
  return (struct tb_trace_buffer) { .id = "buffer0", .name = "b",
				    .format = format, .spans = span,
				    .nspans = 1, .size = span->size };
}

/* Frames written by hand.  */

#define X 0

static const struct
{
  const char *name;
  uint8_t frames[40];
  size_t size;
  unsigned id;
  uint8_t want[32];
  size_t nwant;
} by_hand[] =
{
  { "one ID, low bits from byte 15",
    { 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xa2 }, 16, 0x10,
    /* Aux 0xa2: bits of bytes 2, 10 and 14.  */
    { 1, 3, 3, 4, 5, 6, 7, 8, 9, 11, 11, 12, 13, 15 }, 14 },
  { "an ID change at once",
    { 0x21, 1, 2, 3, 0x41, 5, 6, 7, 0x21, 9, 10, 11, 12, 13, 14, 0 }, 16, 0x20,
    { 5, 6, 7 }, 3 },
  { "an ID change after the next byte",
    { 0x21, 1, 2, 3, 0x41, 5, 6, 7, 0x21, 9, 10, 11, 12, 13, 14, 0x14 }, 16,
    0x20, { 6, 7, 9 }, 3 },
  { "two changes with no data between: the first ID gets nothing",
    { 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x41, 13, 0x01, 0x40 }, 16,
    0x20, { X }, 0 },
  { "... and the byte between is the old ID's",
    { 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x41, 13, 0x01, 0x40 }, 16,
    0x10, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13 }, 12 },
  { "a change in byte 14 holds from the next frame on",
    { 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0x41, 0,
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x01, 0 }, 32, 0x20,
    { 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, 14 },
  { "padding is nobody's",
    { 0x01, 0, 0, 0, 0, 0, 0, 0, 0x41, 9, 0x01, 0, 0, 0, 0, 0 }, 16, 0x20,
    { 9 }, 1 },
  { "before the first ID nobody owns the bytes",
    { 2, 1, 2, 3, 0x41, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0 }, 16, 0x20,
    { 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 }, 10 },
  { "an incomplete frame at the end has no byte 15",
    { 0x41, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 16, 17, 18 }, 19,
    0x20, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 }, 14 },
  { "half synchronisation within and between frames",
    { 0xff, 0xff, 0xff, 0x7f, 0xff, 0x7f,
      0x41, 1, 2, 3, 0xff, 0x7f, 0xff, 0x7f, 4, 0xff, 0xff, 0x7f, 6, 7, 8, 9,
      10, 11, 12, 13, 0xff, 0x7f, 0x01, 0 }, 30, 0x20,
    { 1, 2, 3, 4, 0xff, 6, 7, 8, 9, 10, 11, 12, 13 }, 13 },
  { "a frame before the first full synchronisation, at an odd place",
    { 0x55, 0xff, 0x7f, 0xaa,
      0x41, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x80,
      0xff, 0xff, 0xff, 0x7f,
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0 }, 40, 0x20,
    { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15 }, 14 },
  { "full synchronisation between frames",
    { 0xff, 0xff, 0xff, 0x7f,
      0x41, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0x01, 0,
      0xff, 0xff, 0xff, 0x7f }, 24, 0x20,
    { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 }, 13 },
  { "no frame at all", { 0x41, 1, 2 }, 3, 0x20, { X }, 0 },
};

static void
test_by_hand (void)
{
  for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++)
    {
      struct tb_span span = { by_hand[i].frames, by_hand[i].size };
      struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
      struct tb_stream *s = tb_stream_open (&buffer, by_hand[i].id);
      size_t length = 0;
      bool last = false;
      if (!CHECK (s != NULL))
	continue;
      const uint8_t *bytes = tb_stream_peek (s, &length, &last);
      bool same = CHECK (last) && CHECK_INT (length, by_hand[i].nwant)
		  && CHECK (length == 0
			    || memcmp (bytes, by_hand[i].want, length) == 0);
      if (!same)
	fprintf (stderr, "%s\n", by_hand[i].name);
      tb_stream_close (s);
    }
}

/* Frames written by a formatter of our own, with every liberty that the
   specification gives it.  */

enum syncs { NO_SYNCS, FULL_SYNCS, HALF_SYNCS };

/* Put synchronisation packets into what B has: full ones between frames, half ones
   anywhere.  */
static void
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
static void
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

static void
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
static void
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

static void
check_census (const struct tb_trace_buffer *buffer, const struct built *b)
{
  uint64_t counts[TB_TRACE_IDS], want[TB_TRACE_IDS] = { 0 }, syncs;
  tb_stream_census (buffer, counts, &syncs);
  for (size_t i = 0; i < b->nwant; i++)
    want[b->want[i].id]++;
  for (int id = 1; id < TB_TRACE_IDS; id++)
    CHECK_INT (counts[id], want[id]);
}

static void
test_formatter (void)
{
  static struct built b;
  for (int round = 0; round < 30; round++)
    {
      build_frames (&b, 20 + random_below (round % 3 == 2 ? 3000 : 5000),
		    round % 3);
      struct tb_span span = { b.bytes, b.size };
      struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
      static const unsigned ids[] = { 0x10, 0x11, 0x6f, 0x01, 0x22 };
      for (int i = 0; i < 5; i++)
	check_stream (&buffer, ids[i], b.want, b.nwant);
      check_stream (&buffer, 0x33, b.want, b.nwant);
      check_census (&buffer, &b);
      if (round < 6)
	check_places (&buffer, 0x10, b.want, b.nwant);

      /* The same in several files, cut anywhere.  */
      struct tb_span parts[40];
      size_t nparts = 0, at = 0;
      while (at < b.size)
	{
	  size_t part = 1 + random_below (nparts % 2 ? 5 : 600);
	  if (part > b.size - at || nparts == 39)
	    part = b.size - at;
	  parts[nparts++] = (struct tb_span) { b.bytes + at, part };
	  at += part;
	}
      buffer.spans = parts;
      buffer.nspans = nparts;
      check_stream (&buffer, 0x10, b.want, b.nwant);
      check_stream (&buffer, 0x11, b.want, b.nwant);
      if (round < 2)
	check_places (&buffer, 0x11, b.want, b.nwant);
    }
}

/* A trace port's capture may begin anywhere: what is left of the first frame and
   the bytes before the first ID are nobody's, all others are as before.  */
static void
test_cut_start (void)
{
  static struct built b;
  static const enum tb_buffer_format formats[] = { TB_FORMAT_CORESIGHT,
						   TB_FORMAT_TPIU };
  for (int round = 0; round < 200; round++)
    {
      build_frames (&b, 3000, round % 2 ? FULL_SYNCS : HALF_SYNCS);
      cut_start (&b, 1 + random_below (700));
      struct tb_span span = { b.bytes, b.size };
      struct tb_trace_buffer buffer = one_span (&span, formats[round % 4 / 2]);
      struct tb_stream *s = tb_stream_open (&buffer, 0x10);
      bool last = false, same = CHECK (s != NULL);
      size_t n = b.nwant, length = 0;
      uint64_t first = b.size;
      /* From the end: the first bytes that have an owner are not known here.  */
      static struct want got[MOST];
      size_t ngot = 0;
      while (same)
	{
	  const uint8_t *bytes = tb_stream_peek (s, &length, &last);
	  if (length == 0)
	    break;
	  for (size_t i = 0; i < length; i++)
	    got[ngot++] = (struct want) { 0x10, bytes[i],
					  tb_stream_index (s, i) };
	  tb_stream_consume (s, length);
	}
      while (same && ngot > 0)
	{
	  while (n > 0 && b.want[n - 1].id != 0x10)
	    n--;
	  ngot--;
	  same = CHECK (n > 0) && CHECK_INT (got[ngot].value, b.want[n - 1].value)
		 && CHECK_INT (got[ngot].index, b.want[n - 1].index);
	  first = got[ngot].index;
	  n--;
	}
      /* A frame at most, and the frames before an ID byte.  */
      same = same && CHECK (first < 1500);
      if (!same)
	fprintf (stderr, "cut start, round %d\n", round);
      tb_stream_close (s);
      if (round < 4)
	check_places (&buffer, 0x11, NULL, 0);
    }
}

/* Lost bytes: from the next full synchronisation on all is as before.  */
static void
test_lost_bytes (void)
{
  static struct built b;
  for (int round = 0; round < 100; round++)
    {
      build_frames (&b, 3000, round % 2 ? FULL_SYNCS : HALF_SYNCS);
      size_t at = 1200 + random_below (100), cut = 1 + random_below (40);
      memmove (b.bytes + at, b.bytes + at + cut, b.size - at - cut);
      b.size -= cut;
      struct tb_span span = { b.bytes, b.size };
      struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
      struct tb_stream *s = tb_stream_open (&buffer, 0x10);
      bool last = false, same = CHECK (s != NULL);
      size_t n = 0, length;
      while (same)
	{
	  const uint8_t *bytes = tb_stream_peek (s, &length, &last);
	  if (length == 0)
	    break;
	  uint64_t index = tb_stream_index (s, 0);
	  if (index + 100 < at || index > at + 500)
	    {
	      index += index < at ? 0 : cut;
	      while (n < b.nwant && (b.want[n].id != 0x10
				     || b.want[n].index < index))
		n++;
	      same = CHECK (n < b.nwant) && CHECK_INT (b.want[n].index, index)
		     && CHECK_INT (*bytes, b.want[n].value);
	    }
	  tb_stream_consume (s, 1);
	}
      if (!same)
	fprintf (stderr, "lost bytes, round %d\n", round);
      tb_stream_close (s);
    }
}

/* Memory that is not trace may have in it what looks like a synchronisation
   packet: a frame is a frame all the same.  */
static void
test_stale_memory (void)
{
  static struct built b;
  for (int round = 0; round < 100; round++)
    {
      build_frames (&b, 500 + random_below (4000), NO_SYNCS);
      size_t valid = b.size;
      while (b.size < 2 * MOST - 64)
	{
	  static const uint8_t words[][4] = {
	    { 0xff, 0xff, 0xff, 0x7f }, { 0, 0, 0, 0 }, { 0x78, 0x56, 0, 0x80 },
	    { 0xff, 0xff, 0xff, 0xff }, { 0x21, 0, 0, 0xeb }
	  };
	  memcpy (b.bytes + b.size, words[random_below (5)], 4);
	  b.size += 4;
	}
      struct tb_span span = { b.bytes, b.size };
      struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
      struct tb_stream *s = tb_stream_open (&buffer, 0x10);
      bool last = false, same = CHECK (s != NULL);
      size_t n = 0, length;
      while (same)
	{
	  const uint8_t *bytes = tb_stream_peek (s, &length, &last);
	  while (n < b.nwant && b.want[n].id != 0x10)
	    n++;
	  if (n == b.nwant || b.want[n].index >= valid)
	    break;
	  same = CHECK (length > 0)
		 && CHECK_INT (tb_stream_index (s, 0), b.want[n].index)
		 && CHECK_INT (*bytes, b.want[n].value);
	  tb_stream_consume (s, 1);
	  n++;
	}
      if (!same)
	fprintf (stderr, "stale memory, round %d\n", round);
      tb_stream_close (s);
    }
}

/* Bytes that are nothing, but have in them much that looks like synchronisation:
   every byte handed out is one of the buffer, in order, from every place.  */
static void
test_noise (void)
{
  static uint8_t bytes[6000];
  static const enum tb_buffer_format formats[] = {
    TB_FORMAT_CORESIGHT, TB_FORMAT_TPIU, TB_FORMAT_DSTREAM
  };
  for (int round = 0; round < 90; round++)
    {
      size_t size = random_below (sizeof bytes);
      unsigned syncs = random_below (8);
      for (size_t i = 0; i < size; i++)
	bytes[i] = random_below (8) < syncs ? (random_below (3) ? 0xff : 0x7f)
		   : random_below (2) ? random_below (256) : 0x21;
      for (size_t i = 0; i + 16 < size; i += 16)
	if (random_below (6) == 0)
	  memcpy (bytes + i, "\xff\xff\xff\x7f\xff\xff\xff\x7f"
		  "\xff\xff\xff\x7f\xff\xff\xff\x7f", 16);
      struct tb_span parts[2] = { { bytes, size / 3 },
				  { bytes + size / 3, size - size / 3 } };
      struct tb_trace_buffer buffer = one_span (parts, formats[round % 3]);
      buffer.nspans = 2;
      buffer.size = size;
      struct tb_stream *s = tb_stream_open (&buffer, 0x10);
      uint64_t index = 0, counts[TB_TRACE_IDS], got = 0;
      struct tb_stream_place place;
      size_t length;
      bool last;
      if (!CHECK (s != NULL))
	return;
      do
	{
	  tb_stream_peek (s, &length, &last);
	  CHECK (last || length >= TB_STREAM_LOOKAHEAD);
	  for (size_t i = 0; i < length; i++)
	    {
	      uint64_t at = tb_stream_index (s, i);
	      CHECK (at < size && (got + i == 0 || at > index));
	      index = at;
	    }
	  got += length;
	  tb_stream_consume (s, length);
	}
      while (!last || tb_stream_pass_break (s));
      tb_stream_census (&buffer, counts, NULL);
      if (!CHECK_INT (got, counts[0x10]))
	fprintf (stderr, "noise, round %d\n", round);
      for (int i = 0; i < 5; i++)
	{
	  tb_stream_near (&buffer, 0x10, random_below (size + 100), &place);
	  /* The buffer may end within a footer.  */
	  CHECK (place.offset <= size + 8);
	  tb_stream_seek (s, &place);
	  do
	    {
	      tb_stream_peek (s, &length, &last);
	      tb_stream_consume (s, length);
	    }
	  while (!last || tb_stream_pass_break (s));
	}
      tb_stream_close (s);
    }
}

/* Four full synchronisation packets are a break: nobody owns the bytes after
   them until the next ID byte, and whoever reads is told.  */
static void
test_break (void)
{
  static const uint8_t bytes[] = {
    0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    2, 2, 2, 2, 2, 2, 2, 2, 0x21, 21, 22, 23, 24, 25, 26, 0,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0x23, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 0x21, 0
  };
  static const uint8_t first[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
				   14 };
  static const uint8_t second[] = { 21, 22, 23, 24, 25, 26 };
  struct tb_span span = { bytes, sizeof bytes };
  struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
  struct tb_stream *s = tb_stream_open (&buffer, 0x10);
  struct tb_stream_place place;
  size_t length;
  bool last;
  if (!CHECK (s != NULL))
    return;
  const uint8_t *got = tb_stream_peek (s, &length, &last);
  CHECK (last);
  CHECK (!tb_stream_pass_break (s));
  CHECK_INT (length, sizeof first);
  CHECK (length != sizeof first || memcmp (got, first, length) == 0);
  tb_stream_consume (s, length);
  tb_stream_peek (s, &length, &last);
  CHECK (last && length == 0);
  tb_stream_tell (s, &place);
  CHECK_INT (place.offset, 16);
  for (int again = 0; again < 2; again++)
    {
      CHECK (tb_stream_pass_break (s));
      CHECK (!tb_stream_pass_break (s));
      got = tb_stream_peek (s, &length, &last);
      CHECK (last);
      CHECK_INT (length, sizeof second);
      CHECK (length != sizeof second || memcmp (got, second, length) == 0);
      CHECK_INT (tb_stream_index (s, 0), 41);
      if (again == 0)
	{
	  tb_stream_seek (s, &place);
	  tb_stream_peek (s, &length, &last);
	  CHECK (last && length == 0);
	}
    }
  tb_stream_consume (s, length);
  CHECK (tb_stream_pass_break (s));
  tb_stream_peek (s, &length, &last);
  CHECK (last && length == 0);
  CHECK (!tb_stream_pass_break (s));
  tb_stream_close (s);

  uint64_t counts[TB_TRACE_IDS], syncs;
  tb_stream_census (&buffer, counts, &syncs);
  CHECK_INT (counts[0x10], 20);
  CHECK_INT (counts[0x11], 13);
  CHECK_INT (syncs, 12);

  /* A port that has nothing to send may send as many.  */
  buffer.format = TB_FORMAT_TPIU;
  s = tb_stream_open (&buffer, 0x10);
  if (!CHECK (s != NULL))
    return;
  tb_stream_peek (s, &length, &last);
  CHECK (last);
  CHECK_INT (length, 14 + 8 + 6);
  tb_stream_close (s);
}

/* DSTREAM: each block of 512 bytes ends with a footer of eight.  */
static void
test_blocks (void)
{
  static struct built b;
  static uint8_t bytes[4 * MOST];
  static struct want want[MOST];
  build_frames (&b, 6000, NO_SYNCS);
  size_t size = 0;
  for (size_t i = 0; i < b.size; i++)
    {
      if (size % 512 == 504)
	for (int j = 0; j < 8; j++)
	  bytes[size++] = 0xee;
      bytes[size++] = b.bytes[i];
    }
  for (size_t i = 0; i < b.nwant; i++)
    {
      want[i] = b.want[i];
      want[i].index += want[i].index / 504 * 8;
    }
  struct tb_span parts[2] = { { bytes, 1000 }, { bytes + 1000, size - 1000 } };
  struct tb_trace_buffer buffer = one_span (parts, TB_FORMAT_DSTREAM);
  buffer.nspans = 2;
  buffer.size = size;
  check_stream (&buffer, 0x10, want, b.nwant);
  check_stream (&buffer, 0x6f, want, b.nwant);
  check_places (&buffer, 0x11, want, b.nwant);
}

/* One source's bytes, without frames.  */
static void
test_raw (void)
{
  static uint8_t bytes[9000];
  static struct want want[9000];
  for (size_t i = 0; i < sizeof bytes; i++)
    want[i] = (struct want) { 0, bytes[i] = random_below (256), i };
  struct tb_span parts[5] = {
    { bytes, 1 }, { bytes + 1, 30 }, { bytes + 31, 4000 },
    { bytes + 4031, 2 }, { bytes + 4033, sizeof bytes - 4033 }
  };
  struct tb_trace_buffer buffer = one_span (parts, TB_FORMAT_SOURCE_DATA);
  buffer.size = sizeof bytes;
  buffer.nspans = 5;
  check_stream (&buffer, TB_ID_NONE, want, sizeof bytes);
  check_places (&buffer, TB_ID_NONE, want, sizeof bytes);
  buffer.nspans = 0;
  buffer.size = 0;
  check_stream (&buffer, TB_ID_NONE, want, 0);
  check_stream (&buffer, 0x10, want, 0);
}

int
main (void)
{
  test_by_hand ();
  test_formatter ();
  test_cut_start ();
  test_lost_bytes ();
  test_stale_memory ();
  test_noise ();
  test_break ();
  test_blocks ();
  test_raw ();
  return check_done ();
}
