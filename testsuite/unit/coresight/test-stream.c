/* Tests of the frame deformatter, coresight/stream.h: frames written by hand, breaks, and
   memory that is no trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "stream-frames.h"

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
      /* What a port sent may end anywhere.  */
      CHECK_INT (tb_stream_rest (&buffer), by_hand[i].size == 19 || by_hand[i].size == 3 ? 3 : 0);
      buffer.format = TB_FORMAT_SOURCE_DATA;
      CHECK_INT (tb_stream_rest (&buffer), 0);
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

/* Bytes of one source in spans of any size, some of which do not go on from what is before:
   breaks are where they are, whichever way they are read, and places are what they were.  */
static void
test_raw_breaks (void)
{
  enum { SPANS = 24, ROUNDS = 200 };
  static uint8_t bytes[SPANS * 5000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) (i * 7 + i / 251);
  for (int round = 0; round < ROUNDS; round++)
    {
      struct tb_span spans[SPANS];
      bool fresh[SPANS], is_break[sizeof bytes + 1];
      uint64_t size = 0;
      memset (is_break, 0, sizeof is_break);
      for (int i = 0; i < SPANS; i++)
	{
	  fresh[i] = i > 0 && random_below (3) == 0;
	  spans[i].data = bytes + size;
	  spans[i].size = 1 + random_below (random_below (2) ? 100 : 5000);
	  is_break[size] = fresh[i];
	  size += spans[i].size;
	}
      struct tb_trace_buffer buffer = {
	.format = TB_FORMAT_SOURCE_DATA, .spans = spans, .nspans = SPANS, .size = size,
	.fresh = fresh
      };
      struct tb_stream *s = tb_stream_open (&buffer, TB_ID_NONE);
      struct tb_stream_place place;
      uint64_t at = 0;
      bool good = CHECK (s != NULL), last = false;
      while (good)
	{
	  size_t length;
	  const uint8_t *seen = tb_stream_peek (s, &length, &last);
	  good = CHECK_INT (tb_stream_index (s, 0), at);
	  for (size_t i = 0; i < length && good; i++)
	    good = CHECK_INT (seen[i], bytes[at + i])
		   && (i == 0 || CHECK (!is_break[at + i]));
	  if (length == 0)
	    {
	      good = good && CHECK (last);
	      /* Coming back here, the break is still to come.  */
	      tb_stream_tell (s, &place);
	      if (random_below (2))
		tb_stream_seek (s, &place);
	      if (!tb_stream_pass_break (s))
		break;
	      good = good && CHECK (is_break[at]);
	      tb_stream_tell (s, &place);
	      if (random_below (2))
		tb_stream_seek (s, &place);
	      continue;
	    }
	  good = good && CHECK (last || length >= TB_STREAM_LOOKAHEAD)
		 && CHECK (!tb_stream_pass_break (s));
	  size_t part = 1 + random_below ((unsigned) length);
	  tb_stream_consume (s, part);
	  at += part;
	  tb_stream_tell (s, &place);
	  if (random_below (4) == 0)
	    tb_stream_seek (s, &place);
	}
      good = good && CHECK_INT (at, size);
      if (!good)
	fprintf (stderr, "round %d\n", round);
      tb_stream_close (s);
      if (!good)
	return;
    }
}

/* Frames of one source, whichever IDs they have.  */
static void
test_joined (void)
{
  static struct built b;
  build_frames (&b, 3000, NO_SYNCS);
  struct tb_span span = { b.bytes, b.size };
  struct tb_trace_buffer buffer = one_span (&span, TB_FORMAT_CORESIGHT);
  buffer.joined = true;
  struct tb_stream *s = tb_stream_open (&buffer, 0x10);
  bool good = CHECK (s != NULL), last;
  for (size_t n = 0, length; good && n < b.nwant; n++)
    {
      if (b.want[n].id == 0 || b.want[n].id > TB_LAST_SOURCE_ID)
	continue;
      const uint8_t *bytes = tb_stream_peek (s, &length, &last);
      good = CHECK (length > 0) && CHECK_INT (*bytes, b.want[n].value)
	     && CHECK_INT (tb_stream_index (s, 0), b.want[n].index);
      tb_stream_consume (s, 1);
    }
  if (s != NULL)
    tb_stream_close (s);
}

int
main (void)
{
  test_raw_breaks ();
  test_joined ();
  test_by_hand ();
  test_stale_memory ();
  test_noise ();
  test_break ();
  return check_done ();
}
