/* Tests of the frame deformatter, coresight/stream.h: frames of random bytes, whole, cut
   and with losses; other formats of buffers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "stream-frames.h"

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
  test_formatter ();
  test_cut_start ();
  test_lost_bytes ();
  test_blocks ();
  test_raw ();
  return check_done ();
}
