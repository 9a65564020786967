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
#define LATE_TICKS(t) 0xd0, (t)
#define LATE_PACKET(t) 0xe0, (t)
#define GLOBAL_TIME 0x94, 0x10, 0xb4, 0x00
#define LOST 0x70

/* Spans as BEGIN-END@DEPTH=NUMBER, in brackets where an end of them is told, with <= where it
   may have been before; samples as PLACE:PC; breaks as |PLACE.  */
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
  { "what was late may have been before",
    BYTES (ENTER (16), LATE_TICKS (5), GLOBAL_TIME, ENTER (17), EXIT (17), TICKS (5), EXIT (16),
	   LATE_PACKET (10)),
    "[<=10-10]@1=17 [<=5-<=20]@0=16 length 21" },
  { "without ticks things are counted",
    BYTES (ENTER (16), PC (0), EXIT (16)),
    "[0-2]@0=16 1:8000100 things length 3" },
};

static char *
listing (const struct tb_sparse *s)
{
  struct tb_buffer text = { 0 };
  for (size_t i = 0; i < s->nspans; i++)
    tb_buffer_printf (&text, "%s%s%" PRIu64 "-%s%" PRIu64 "%s@%u=%u ",
		      s->spans[i].entered ? "[" : "", s->spans[i].entered_late ? "<=" : "",
		      s->spans[i].begin, s->spans[i].left_late ? "<=" : "",
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
  CHECK (tb_sparse_make (sparse, &software, false));
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

static uint32_t seed = 1;

static unsigned
dice (unsigned sides)
{
  seed = seed * 1103515245 + 12345;
  return (seed >> 16) % sides;
}

/* A random run.  */
enum { EVENTS = 300, MOST = 40 };

struct run
{
  uint8_t bytes[EVENTS * 12];
  size_t length;
  struct tb_sparse_span truth[EVENTS + MOST], open[MOST];
  size_t ntruth;
  unsigned nopen;		/* Of the NACTIVE exceptions that are active, the */
  unsigned nactive;		/* last ones: those that the trace told of.  */
  uint64_t now, since;
  bool late;
};

static void
put (struct run *r, size_t count, const uint8_t *bytes)
{
  memcpy (r->bytes + r->length, bytes, count);
  r->length += count;
}

#define PUT(r, ...) put (r, sizeof (uint8_t[]) { __VA_ARGS__ }, (uint8_t[]) { __VA_ARGS__ })

/* Packets are lost, and perhaps the next one is a time: how many ticks that tells.  */
static unsigned
lose (struct run *r)
{
  while (r->nopen > 0)
    {
      r->truth[r->ntruth] = r->open[--r->nopen];
      r->truth[r->ntruth++].end = r->now;
    }
  PUT (r, LOST);
  unsigned ticks = dice (3) * 7;
  if (ticks > 0)
    PUT (r, TICKS ((uint8_t) ticks));
  else if (dice (2))
    PUT (r, GLOBAL_TIME);
  return ticks;
}

static void
open_span (struct run *r, uint64_t begin, bool entered)
{
  r->open[r->nopen] = (struct tb_sparse_span) {
    .begin = begin, .depth = r->nopen, .number = (uint16_t) (10 + r->nactive),
    .entered = entered, .entered_late = entered && r->late };
  r->nopen++;
}

/* An exception begins, ends, or is returned to.  */
static void
change (struct run *r)
{
  bool enter = dice (2) && r->nactive + 1 < MOST, to = dice (8) == 0;
  if (enter)
    {
      r->nactive++;
      open_span (r, r->now, true);
      PUT (r, ENTER ((uint8_t) (10 + r->nactive)));
      return;
    }
  if (r->nactive == 0)
    {
      PUT (r, TO (0));
      return;
    }
  uint8_t number = (uint8_t) (10 + r->nactive);
  if (r->nopen == 0)
    open_span (r, r->since, false);
  if (to)
    PUT (r, TO (number));
  else
    {
      struct tb_sparse_span *span = &r->truth[r->ntruth++];
      PUT (r, EXIT (number));
      *span = r->open[--r->nopen];
      r->nactive--;
      span->end = r->now;
      span->left = true;
      span->left_late = r->late;
    }
}

static bool
same_span (const struct tb_sparse_span *a, const struct tb_sparse_span *b)
{
  return a->begin == b->begin && a->end == b->end && a->depth == b->depth
	 && a->number == b->number && a->left == b->left && a->entered == b->entered
	 && a->left_late == b->left_late && a->entered_late == b->entered_late;
}

/* Random runs: exceptions that interrupt each other, each of which begins and ends where it
   truly did, or, where that is not told, no earlier than something else was told.  */
static void
test_random (void)
{
  static struct run r;
  for (unsigned run = 0; run < 200; run++)
    {
      unsigned ticks = 0;
      r = (struct run) { .nactive = dice (4) };
      for (unsigned i = 0; i < EVENTS; i++)
	{
	  /* The packet before has a time of its own, or comes at that of this one.  */
	  bool timed = ticks == 0, lost = timed && dice (20) == 0;
	  unsigned before = lost ? lose (&r) : 0;
	  if (timed)
	    {
	      ticks = 1 + dice (60);
	      r.now += before + ticks;
	    }
	  if (lost)
	    r.since = r.now;
	  bool held = timed && i + 1 < EVENTS && dice (6) == 0;
	  unsigned relation = dice (3) ? 0 : dice (4);
	  r.late = held || relation != TB_ITM_SYNCHRONOUS;
	  change (&r);
	  r.since = r.now;
	  if (dice (10) == 0)
	    PUT (&r, GLOBAL_TIME);
	  if (held)
	    continue;
	  PUT (&r, (uint8_t) (0xc0 | relation << 4), (uint8_t) ticks);
	  ticks = 0;
	}
      struct tb_sparse sparse;
      make (&sparse, r.bytes, r.length);
      CHECK_INT (sparse.nspans, r.ntruth + r.nopen);
      bool same = sparse.nspans >= r.ntruth;
      for (size_t i = 0; i < r.ntruth && same; i++)
	same = same_span (&sparse.spans[i], &r.truth[i]);
      CHECK (same);
      tb_sparse_fini (&sparse);
    }
}

/* Whatever the packets tell, spans are in order and no two of one depth overlap.  */
static void
test_any_packets (void)
{
  static uint8_t bytes[EVENTS * 6];
  for (unsigned run = 0; run < 300; run++)
    {
      uint64_t ends[512] = { 0 }, last = 0;
      size_t length = 0;
      for (unsigned i = 0; i < EVENTS; i++)
	{
	  const uint8_t packet[3] = { 0x0e, (uint8_t) dice (8),
				      (uint8_t) (dice (4) << 4) };
	  if (dice (30) == 0)
	    bytes[length++] = LOST;
	  memcpy (bytes + length, packet, 3);
	  length += 3;
	  bytes[length++] = (uint8_t) (0xc0 | dice (4) << 4);
	  bytes[length++] = (uint8_t) dice (30);
	}
      struct tb_sparse sparse;
      make (&sparse, bytes, length);
      CHECK (sparse.in_ticks);
      bool sound = true;
      for (size_t i = 0; i < sparse.nspans && sound; i++)
	{
	  const struct tb_sparse_span *span = &sparse.spans[i];
	  sound = span->depth < 512 && span->begin <= span->end && span->end >= last
		  && span->begin >= ends[span->depth] && span->end < sparse.length;
	  last = span->end;
	  if (sound)
	    ends[span->depth] = span->end;
	}
      CHECK (sound);
      tb_sparse_fini (&sparse);
    }
}

int
main (void)
{
  test_rows ();
  test_counts ();
  test_random ();
  test_any_packets ();
  return check_done ();
}
