/* Damaged ETMv3 and PTM trace: whatever the bytes, decoding ends, stays within
   bounds, and does not depend on how it is read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "v7-run.h"

/* The seed is fixed: a failure can be had again.  */
static uint64_t state = 0x853c49e6748fea9b;

static uint32_t
next_random (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t) (state >> 24);
}

/* A32 at 0x1000: loops, calls, returns, and no instructions.  */
static const uint32_t words[] =
{
  0xe1a00000, 0x0afffffd, 0xeb000003, 0xf57ff05f, 0xe12fff1e, 0xfa000001,
  0xe1a00000, 0xe12fff1e, 0x477046c0, 0x4770bf08, 0xe12fff33, 0xe1a00000,
  0xe7f000f0, 0xe1a00000, 0xeafffff0, 0xe1a00000
};

static uint8_t code[sizeof words];

#define CODE { code, sizeof code, 0x1000 }

static const struct v7_unit units[] =
{
  { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2, CODE },
  { "ETM3.5", "Cortex-M3", 0x1400, 0x4114f250, 0x18541800, CODE },
  { "ETM3.5", "Cortex-R4", 0xc40c, 0x4104f250, 0x044008f2, CODE },
  { "ETM3.0", "ARM1136JF-S", 0x100404, 0x4100f200, 0, CODE },
  { "PTM1.1", "Cortex-A15", 0x20000400, 0x411cf312, 0x35c01ac2, CODE },
  { "PTM1.0", "Cortex-A9", 0xd400, 0x411cf302, 0x00c019a2, CODE },
};

#define NUNITS (sizeof units / sizeof units[0])

/* Bytes that make sense, for damage to have something to break: A-sync, I-sync,
   then headers of both protocols.  */
static size_t
make_trace (uint8_t *bytes, size_t room)
{
  static const uint8_t start[] = { 0, 0, 0, 0, 0, 0x80, 8, 0, 0x10, 0, 0,
				   0x29 };
  static const uint8_t likely[] = { 0x84, 0x88, 0x90, 0x81, 0x10, 0xc4, 0x86,
				    0x76, 0x42, 0x05, 0xa0, 0x72, 0x0c, 0x66,
				    0x8f, 0x50, 0x1c, 0x36 };
  size_t n = 0;

  while (n + sizeof start < room)
    {
      memcpy (bytes + n, start, sizeof start);
      n += sizeof start;
      for (unsigned k = next_random () % 100; k > 0 && n < room; k--)
	bytes[n++] = likely[next_random () % sizeof likely];
    }
  return n;
}

/* Flip some bits, or overwrite, drop or double some bytes.  */
static size_t
damage (uint8_t *bytes, size_t size, size_t room)
{
  for (unsigned k = next_random () % 8; k > 0 && size > 16; k--)
    {
      size_t at = next_random () % size, n = 1 + next_random () % 16;
      if (n > size - at)
	n = size - at;
      switch (next_random () % 5)
	{
	case 0:
	  bytes[at] ^= (uint8_t) (1 << next_random () % 8);
	  break;
	case 1:
	  for (size_t i = 0; i < n; i++)
	    bytes[at + i] = (uint8_t) next_random ();
	  break;
	case 2:
	  memset (bytes + at, next_random () % 2 ? 0 : 0xff, n);
	  break;
	case 3:
	  memmove (bytes + at, bytes + at + n, size - at - n);
	  size -= n;
	  break;
	default:
	  if (size + n <= room)
	    {
	      memmove (bytes + at + n, bytes + at, size - at);
	      size += n;
	    }
	  break;
	}
    }
  /* Truncate, at times.  */
  return next_random () % 4 == 0 ? next_random () % (size + 1) : size;
}

/* The elements as text, stopping behind each synchronisation packet; now and
   then what stands there is saved, sent to the start, and restored.  */
static void
decode_with_stops (const struct run *run, struct tb_buffer *text)
{
  struct tb_decoder *d = tb_decoder_open (&run->config, NULL);
  struct tb_element elements[64];
  struct tb_stream_place start, place;
  unsigned stops = 0;

  if (!CHECK (d != NULL))
    return;
  d->tell (d, &start);
  d->stop_at_sync = true;
  for (;;)
    {
      size_t n = d->read (d, elements, 64);
      for (size_t i = 0; i < n; i++)
	tb_element_text (text, &elements[i]);
      if (!d->at_sync)
	{
	  if (n == 0)
	    break;
	  continue;
	}
      if (++stops % 3 != 0)
	continue;
      uint64_t index = d->tell (d, &place);
      struct tb_stream_place sync = d->sync;
      void *saved = d->save (d);
      d->seek (d, &start);
      d->read (d, elements, 64);
      void *other = d->save (d);
      d->restore (d, saved);
      CHECK (d->tell (d, &place) == index);
      CHECK (memcmp (&d->sync, &sync, sizeof sync) == 0);
      void *again = d->save (d);
      CHECK (saved != NULL && other != NULL && again != NULL
	     && d->same (saved, again) && !d->same (saved, other));
      free (saved);
      free (other);
      free (again);
    }
  tb_buffer_append (text, "", 1);
  d->close (d);
}

static void
check_trace (const struct v7_unit *unit, const uint8_t *trace, size_t size)
{
  struct run run;
  struct tb_buffer whole = { 0 }, pieces = { 0 }, stops = { 0 };
  struct tb_decoder_stats stats;

  /* A copy of just this size, for a sanitizer to watch over.  */
  uint8_t *bytes = malloc (size > 0 ? size : 1);
  if (!CHECK (bytes != NULL))
    return;
  memcpy (bytes, trace, size);
  if (v7_run_init (&run, unit, bytes, size))
    {
      run_decode (&run, (struct run_reading) { RUN_MOST, false }, &whole, &stats);
      CHECK_INT (stats.bytes, size);
      run_decode (&run, (struct run_reading) { 1 + next_random () % 40, true },
		  &pieces, NULL);
      CHECK (whole.size == pieces.size
	     && memcmp (whole.data, pieces.data, whole.size) == 0);
      decode_with_stops (&run, &stops);
      CHECK (whole.size == stops.size
	     && memcmp (whole.data, stops.data, whole.size) == 0);
      /* No byte makes more than some elements.  */
      CHECK (whole.size < 4096 + 2048 * (size + 1));
    }
  run_fini (&run);
  tb_buffer_fini (&whole);
  tb_buffer_fini (&pieces);
  tb_buffer_fini (&stops);
  free (bytes);
}

int
main (void)
{
  static uint8_t trace[1200];

  for (size_t i = 0; i < sizeof code; i++)
    code[i] = (uint8_t) (words[i / 4] >> 8 * (i % 4));
  for (unsigned round = 0; round < 400; round++)
    for (size_t u = 0; u < NUNITS; u++)
      {
	size_t size = make_trace (trace, 200 + next_random () % 800);
	size = damage (trace, size, sizeof trace);
	check_trace (&units[u], trace, size);
      }
  /* Nothing but noise.  */
  for (unsigned round = 0; round < 100; round++)
    for (size_t u = 0; u < NUNITS; u++)
      {
	size_t size = next_random () % sizeof trace;
	for (size_t i = 0; i < size; i++)
	  trace[i] = (uint8_t) next_random ();
	if (size > 6)
	  memcpy (trace, "\0\0\0\0\0\x80", 6);
	check_trace (&units[u], trace, size);
      }
  return check_done ();
}
