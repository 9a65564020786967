/* Tests of what the DWT alone tells of a run: recording/sparse.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>

#include "recording/sparse.h"
#include "unit/decode/sw-run.h"

#define BYTES(...) { __VA_ARGS__ }, sizeof (uint8_t[]) { __VA_ARGS__ }

/* Packets: the core enters exception N, leaves it, returns to it; the PC; T ticks.  */
#define ENTER(n) 0x0e, (n), 0x10
#define EXIT(n) 0x0e, (n), 0x20
#define TO(n) 0x0e, (n), 0x30
#define PC(low) 0x17, (low), 0x01, 0x00, 0x08
#define ASLEEP 0x15, 0x00
#define TICKS(t) 0xc0, (t)
#define LOST 0x70

/* Spans as BEGIN-END@DEPTH=NUMBER, in brackets where an end of them is told; samples as
   PLACE:PC; breaks as |PLACE.  */
static const struct row
{
  const char *what;
  uint8_t bytes[120];
  size_t length;
  const char *text;
} rows[] =
{
  { "an exception in another",
    BYTES (ENTER (16), TICKS (5), ENTER (17), TICKS (5), EXIT (17), TICKS (10),
	   TO (16), TICKS (1), EXIT (16), TICKS (4), TO (0), TICKS (1)),
    "[10-20]@1=17 [5-25]@0=16 length 27" },
  { "one behind the other without a return",
    BYTES (ENTER (16), TICKS (5), EXIT (16), TICKS (5), ENTER (17), TICKS (1), EXIT (17),
	   TICKS (9), TO (0), TICKS (1)),
    "[5-10]@0=16 [11-20]@0=17 length 22" },
  { "what began before trace did",
    BYTES (EXIT (20), TICKS (7), TO (16), TICKS (2), EXIT (16), TICKS (4)),
    "0-7]@0=20 7-13]@0=16 length 14" },
  { "one of which nobody told that it began, where others were open",
    BYTES (ENTER (16), TICKS (5), ENTER (17), TICKS (5), EXIT (20), TICKS (10), TO (0), TICKS (1)),
    "[10-10@1=17 [5-10@0=16 10-20]@0=20 length 22" },
  { "what does not end in it",
    BYTES (ENTER (15), TICKS (7), PC (0x10), TICKS (2)),
    "[7-9@0=15 9:8000110 length 10" },
  { "the core sleeps in thread mode",
    BYTES (PC (0x20), TICKS (7), ASLEEP, TICKS (2), ENTER (3), TICKS (1)),
    "[10-10@0=3 7:8000120 9:asleep length 11" },
  { "an end that is not told: it returned to another",
    BYTES (ENTER (16), TICKS (5), ENTER (17), TICKS (5), TO (16), TICKS (10), TO (0), TICKS (1)),
    "[10-20@1=17 [5-21@0=16 length 22" },
  { "nothing goes on where packets were lost, and the clock starts anew",
    BYTES (ENTER (16), TICKS (5), LOST, EXIT (16), TICKS (3), TO (0), TICKS (2)),
    "[5-5@0=16 8-8]@0=16 |8 length 11" },
  { "packets are lost before a time",
    BYTES (ENTER (16), TICKS (5), LOST, TICKS (3), EXIT (16), TICKS (2)),
    "[5-5@0=16 10-10]@0=16 |10 length 11" },
  { "without ticks things are counted",
    BYTES (ENTER (16), PC (0), EXIT (16)),
    "[0-2]@0=16 1:8000100 things length 3" },
};

static char *
listing (const struct tb_sparse *s)
{
  struct tb_buffer text = { 0 };
  for (size_t i = 0; i < s->nspans; i++)
    tb_buffer_printf (&text, "%s%" PRIu64 "-%" PRIu64 "%s@%u=%u ",
		      s->spans[i].entered ? "[" : "", s->spans[i].begin,
		      s->spans[i].end, s->spans[i].left ? "]" : "",
		      s->spans[i].depth, s->spans[i].number);
  for (size_t i = 0; i < s->nsamples; i++)
    if (s->samples[i].kind == TB_DWT_PC_SAMPLE)
      tb_buffer_printf (&text, "%" PRIu64 ":%" PRIx64 " ", s->samples[i].place,
			s->samples[i].pc);
    else
      tb_buffer_printf (&text, "%" PRIu64 ":asleep ", s->samples[i].place);
  for (size_t i = 0; i < s->nbreaks; i++)
    tb_buffer_printf (&text, "|%" PRIu64 " ", s->breaks[i]);
  tb_buffer_printf (&text, "%slength %" PRIu64, s->in_ticks ? "" : "things ", s->length);
  tb_buffer_append (&text, "", 1);
  if (text.failed)
    abort ();
  return (char *) text.data;
}

static void
make (struct tb_sparse *sparse, const uint8_t *packets, size_t length)
{
  uint8_t *bytes = calloc (1, length + 6);
  struct sw_source source;
  struct tb_software software = { 0 };
  if (bytes == NULL)
    abort ();
  bytes[5] = 0x80;
  memcpy (bytes + 6, packets, length);
  struct tb_decoder *d = sw_open (&source, "ITM", 0, bytes, length + 6);
  if (d == NULL)
    abort ();
  CHECK (tb_software_read (&software, d));
  CHECK (tb_sparse_make (sparse, &software));
  tb_software_fini (&software);
  tb_decoder_close (d);
  free (bytes);
}

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_sparse sparse;
      make (&sparse, rows[i].bytes, rows[i].length);
      char *got = listing (&sparse);
      if (!CHECK_STR (got, rows[i].text))
	fprintf (stderr, "  that was: %s\n", rows[i].what);
      free (got);
      tb_sparse_fini (&sparse);
    }
}

/* Counters and comparators.  */
static void
test_counts (void)
{
  static const uint8_t bytes[] = { 0x05, 0x21, 0x05, 0x20, 0x5e, 0x04, 0x20, 0x9d, 0x12 };
  struct tb_sparse sparse;
  make (&sparse, bytes, sizeof bytes);
  CHECK_INT (sparse.wraps[0], 1);
  CHECK_INT (sparse.wraps[5], 2);
  CHECK_INT (sparse.matches, 1);
  CHECK (!tb_sparse_any (&sparse));
  tb_sparse_fini (&sparse);
}

/* Random runs: exceptions that interrupt each other, each of which begins and ends where it
   truly did.  */
static void
test_random (void)
{
  enum { EVENTS = 300, MOST = 40 };
  static uint8_t bytes[EVENTS * 10];
  uint32_t seed = 1;
  for (unsigned run = 0; run < 200; run++)
    {
      struct tb_sparse_span truth[EVENTS], open[MOST];
      size_t length = 0, ntruth = 0;
      unsigned depth = 0, last = 0;
      uint64_t now = 0;
      for (unsigned i = 0; i < EVENTS; i++)
	{
	  seed = seed * 1103515245 + 12345;
	  unsigned dice = seed >> 16, ticks = 1 + dice % 60;
	  uint8_t packet[3] = { 0x0e, 0, 0 };
	  now += ticks;
	  if (dice % 2 == 0 && last + 1 < MOST)
	    {
	      last++;
	      packet[1] = (uint8_t) (10 + last);
	      packet[2] = 0x10;
	      open[depth] = (struct tb_sparse_span) {
		.begin = now, .depth = depth, .number = packet[1], .entered = true };
	      depth++;
	    }
	  else if (depth > 0)
	    {
	      struct tb_sparse_span *span = &open[--depth];
	      packet[1] = (uint8_t) span->number;
	      packet[2] = 0x20;
	      last = depth;
	      span->end = now;
	      span->left = true;
	      truth[ntruth++] = *span;
	    }
	  else
	    packet[2] = 0x30;
	  memcpy (bytes + length, packet, 3);
	  length += 3;
	  bytes[length++] = 0xc0;
	  bytes[length++] = (uint8_t) ticks;
	}
      struct tb_sparse sparse;
      make (&sparse, bytes, length);
      CHECK_INT (sparse.nspans, ntruth + depth);
      bool same = sparse.nspans >= ntruth;
      for (size_t i = 0; i < ntruth && same; i++)
	same = sparse.spans[i].begin == truth[i].begin
	       && sparse.spans[i].end == truth[i].end
	       && sparse.spans[i].depth == truth[i].depth
	       && sparse.spans[i].number == truth[i].number
	       && sparse.spans[i].left && sparse.spans[i].entered;
      CHECK (same);
      tb_sparse_fini (&sparse);
    }
}

int
main (void)
{
  test_rows ();
  test_counts ();
  test_random ();
  return check_done ();
}
