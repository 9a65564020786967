/* Tests of the system's time in recordings: recording/stamps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "etmv4-run.h"
#include "generator/random.h"
#include "long-trace.h"
#include "recording/stamps.h"

#define STEPS 40

/* A core: when each of its steps ran, and what its trace states of that.  */
struct core
{
  uint64_t ran[STEPS];
  struct tb_stamp items[2 * STEPS];
  struct tb_stamps stamps;
};

static void
make_core (struct core *core, struct gen_random *r)
{
  uint64_t now = 100 + gen_below (r, 60);
  uint32_t often = gen_between (r, 1, 12);
  core->stamps = (struct tb_stamps) { .items = core->items };
  for (unsigned i = 0; i < STEPS; i++)
    {
      now += gen_below (r, 5);
      core->ran[i] = now;
      if (gen_below (r, often) != 0)
	continue;
      core->items[core->stamps.count++] = (struct tb_stamp) { i + 1, now };
      /* While the core waits the time may be told once more.  */
      if (gen_below (r, 4) == 0)
	{
	  now += gen_below (r, 9);
	  core->items[core->stamps.count++] = (struct tb_stamp) { i + 1, now };
	}
    }
}

/* Where CORE stands at TIME: at one of *FIRST to *LAST, as steps take none.  */
static void
stands (const struct core *core, uint64_t time, uint64_t *first, uint64_t *last)
{
  for (*first = 0; *first < STEPS && core->ran[*first] < time; ++*first)
    ;
  for (*last = *first; *last < STEPS && core->ran[*last] <= time; ++*last)
    ;
}

/* Where another core can stand is where it did, is no more than the times of both force,
   and has the estimate in it.  */
static void
test_standing (void)
{
  struct gen_random r = { 20 };
  for (unsigned round = 0; round < 3000; round++)
    {
      struct core a, b;
      make_core (&a, &r);
      make_core (&b, &r);
      for (unsigned k = 0; k < 20; k++)
	{
	  uint64_t time = 90 + gen_below (&r, 180), from, to, other_from, other_to;
	  uint64_t first, last;
	  stands (&a, time, &from, &to);
	  stands (&b, time, &other_from, &other_to);
	  struct tb_when when = tb_stamps_stood (&a.stamps, from);
	  CHECK (when.earliest <= time && when.latest >= time);
	  tb_stamps_standing (&b.stamps, STEPS, &when, &first, &last);
	  CHECK (first <= other_from && last >= other_to);
	  for (uint64_t at = 0; at <= STEPS; at++)
	    {
	      struct tb_when there = tb_stamps_stood (&b.stamps, at);
	      bool can = there.earliest <= when.latest && when.earliest <= there.latest;
	      CHECK_INT (at >= first && at <= last, can);
	    }
	  if (a.stamps.count == 0 || b.stamps.count == 0 || from == STEPS)
	    continue;
	  for (unsigned with = 0; with < 2; with++)
	    {
	      uint64_t guess = tb_stamps_ran_before (&b.stamps, STEPS,
						     tb_stamps_ran (&a.stamps, from),
						     with != 0);
	      CHECK (guess >= first && guess <= last);
	    }
	}
    }
}

/* The order of steps by the estimate is that of each recording, and the same from every
   recording's side.  */
static void
test_order (void)
{
  struct gen_random r = { 21 };
  for (unsigned round = 0; round < 1000; round++)
    {
      struct core a, b;
      make_core (&a, &r);
      make_core (&b, &r);
      if (a.stamps.count == 0 || b.stamps.count == 0)
	continue;
      for (uint64_t i = 0; i + 1 < STEPS; i++)
	CHECK (tb_stamps_ran (&a.stamps, i) <= tb_stamps_ran (&a.stamps, i + 1));
      for (uint64_t i = 0; i < STEPS; i++)
	{
	  /* A goes before B where both run at once.  */
	  uint64_t behind = tb_stamps_ran_before (&b.stamps, STEPS,
						  tb_stamps_ran (&a.stamps, i), false);
	  if (behind < STEPS)
	    CHECK (tb_stamps_ran_before (&a.stamps, STEPS,
					 tb_stamps_ran (&b.stamps, behind), true) > i);
	  if (behind > 0)
	    CHECK (tb_stamps_ran_before (&a.stamps, STEPS,
					 tb_stamps_ran (&b.stamps, behind - 1), true)
		   <= i);
	}
    }
}

/* One timestamp, or none, tells as little as that.  */
static void
test_few (void)
{
  struct tb_stamp item = { 7, 1000 };
  struct tb_stamps none = { .count = 0 }, one = { .items = &item, .count = 1 };
  struct tb_when when = tb_stamps_stood (&none, 3);
  uint64_t first, last;
  CHECK_INT (when.earliest, 0);
  CHECK_INT (when.latest, UINT64_MAX);
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (first, 0);
  CHECK_INT (last, 20);
  when = tb_stamps_stood (&one, 6);
  CHECK_INT (when.earliest, 0);
  CHECK_INT (when.latest, 1000);
  when = tb_stamps_stood (&one, 7);
  CHECK_INT (when.earliest, 1000);
  CHECK_INT (when.latest, UINT64_MAX);
  when = (struct tb_when) { 1001, 1002, true, true };
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (first, 7);
  CHECK_INT (last, 20);
  when = (struct tb_when) { 1, 999, true, true };
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (first, 0);
  CHECK_INT (last, 6);
}

/* The span of a trace that states the times 2^BITS and, one step later, 5 more; false: none
   is known, where there are FREQUENCY a second.  */
static bool
span_of (unsigned bits, uint64_t frequency, uint64_t *first, uint64_t *last)
{
  struct tb_buffer trace = { 0 };
  struct long_trace t = { .trace = &trace, .random = 1 };
  struct run run;
  long_trace_byte (&trace, 0x70);
  long_trace_sync (&t, true);
  for (unsigned i = 0; i < 2; i++)
    {
      uint64_t time = (UINT64_C (1) << bits) + 5 * i;
      long_trace_step (&t);
      long_trace_byte (&trace, 0x02);
      for (unsigned k = 0; k < 8; k++)
	long_trace_byte (&trace, 0x80 | (time >> 7 * k & 0x7f));
      long_trace_byte (&trace, (unsigned) (time >> 56));
    }
  long_trace_step (&t);
  *first = *last = 0;
  if (!CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return false;
  const struct tb_recording_options options = { .jobs = 1 };
  struct tb_recording *r = tb_recording_open_trace (&run.config, &options, NULL);
  bool known = CHECK (r != NULL) && tb_stamps_span (r, frequency, first, last);
  tb_recording_close (r);
  run_fini (&run);
  tb_buffer_fini (&trace);
  return known;
}

/* Microseconds that 64 bits cannot hold are not known.  */
static void
test_span (void)
{
  uint64_t first, last;
  CHECK (span_of (50, 1000000, &first, &last));
  CHECK_INT (first, UINT64_C (1) << 50);
  CHECK_INT (last, (UINT64_C (1) << 50) + 5);
  CHECK (span_of (40, 1, &first, &last));
  CHECK_INT (first, (UINT64_C (1) << 40) * 1000000);
  CHECK (!span_of (50, 1, &first, &last));
  CHECK (!span_of (50, 0, &first, &last));
}

int
main (void)
{
  test_span ();
  test_standing ();
  test_order ();
  test_few ();
  return check_done ();
}
