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
  struct tb_cycle_rate rate;	/* Of its cycles.  */
};

/* So many parts of a tick are told apart.  */
#define PARTS 24

/* A clock while a core is made.  */
struct clock
{
  uint64_t now;			/* In parts of a tick.  */
  uint64_t awake;		/* In parts; it counts a cycle every PERIOD of them.  */
  uint32_t period;
};

/* PARTS_LATER pass; the core may sleep.  */
static void
pass (struct clock *clock, uint64_t parts_later, struct gen_random *r)
{
  clock->now += parts_later;
  if (gen_below (r, 10) != 0)
    clock->awake += parts_later;
}

/* Of the cycles of CORE, it is told that there are FASTER times as many a second as truly, at
   most; 0: nothing is told.  */
static void
make_core (struct core *core, struct gen_random *r, unsigned faster)
{
  struct clock clock = { .now = PARTS * (100 + (uint64_t) gen_below (r, 60)),
			 .awake = gen_below (r, 100), .period = gen_between (r, 1, 40) };
  struct tb_cycle_reader cycles = { .to = &core->stamps.cycles };
  uint32_t often = gen_between (r, 1, 12), counts = gen_between (r, 0, 3);
  core->rate = (struct tb_cycle_rate) { .cycles = faster * PARTS, .system = clock.period };
  cycles.rate = core->rate;
  core->stamps = (struct tb_stamps) { .items = core->items };
  for (unsigned i = 0; i < STEPS; i++)
    {
      pass (&clock, gen_below (r, 5 * PARTS), r);
      core->ran[i] = clock.now / PARTS;
      bool stated = false, later = false;
      for (unsigned k = 0; k < 2; k++)
	{
	  /* An exception, or something else that is no step, comes about.  */
	  if (gen_below (r, 8) == 0)
	    {
	      later = true;
	      pass (&clock, gen_below (r, 9 * PARTS), r);
	    }
	  if (counts > 0 && gen_below (r, counts) == 0)
	    tb_cycle_counted (&cycles, i + 1, clock.awake / clock.period);
	  if (gen_below (r, 60) == 0)
	    {
	      later = true;
	      tb_cycle_gap (&cycles);
	    }
	  /* It is stated when the step ran, or that came about, or not.  */
	  if (k > 0 && !later ? stated : gen_below (r, often) == 0)
	    {
	      stated = true;
	      core->items[core->stamps.count++]
		= (struct tb_stamp) { i + 1, clock.now / PARTS, later };
	      CHECK (tb_cycle_stated (&cycles, i + 1, clock.now / PARTS));
	    }
	  /* While the core waits the time may be told once more.  */
	  if (gen_below (r, 4) != 0)
	    break;
	  pass (&clock, gen_below (r, 9 * PARTS), r);
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
      make_core (&a, &r, round % 3);
      make_core (&b, &r, round % 2);
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
      tb_cycle_times_fini (&a.stamps.cycles);
      tb_cycle_times_fini (&b.stamps.cycles);
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
      make_core (&a, &r, round % 2);
      make_core (&b, &r, round % 3);
      bool known = a.stamps.count > 0 && b.stamps.count > 0;
      for (uint64_t i = 0; known && i + 1 < STEPS; i++)
	CHECK (tb_stamps_ran (&a.stamps, i) <= tb_stamps_ran (&a.stamps, i + 1));
      for (uint64_t i = 0; known && i < STEPS; i++)
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
      tb_cycle_times_fini (&a.stamps.cycles);
      tb_cycle_times_fini (&b.stamps.cycles);
    }
}

/* Each step ran within what timestamps and cycle counts say, which is less than timestamps
   alone do, and more than nothing; a rate that is too low is found out.  */
static void
test_cycles (void)
{
  struct gen_random r = { 22 };
  uint64_t steps = 0, narrowed = 0, found = 0;
  for (unsigned round = 0; round < 3000; round++)
    {
      struct core core;
      make_core (&core, &r, 1);
      CHECK (!core.stamps.cycles.contradicted);
      struct tb_stamps plain = core.stamps;
      plain.cycles = (struct tb_cycle_times) { .count = 0 };
      for (uint64_t i = 0; i < STEPS; i++)
	{
	  struct tb_when wide = tb_stamps_bounds (&plain, i);
	  struct tb_when when = tb_stamps_bounds (&core.stamps, i);
	  CHECK (!when.from || (when.earliest >= wide.earliest && when.earliest <= core.ran[i]));
	  CHECK (!when.to || (when.latest <= wide.latest && when.latest >= core.ran[i]));
	  CHECK_INT (when.from, wide.from);
	  CHECK_INT (when.to, wide.to);
	  if (core.stamps.count > 0)
	    {
	      /* What stands before it is drawn when it can have come about, and is not over
		 before the step behind it can have run.  */
	      struct tb_when before = tb_stamps_bounds_before (&core.stamps, i);
	      double drawn = tb_stamps_time (&core.stamps, i);
	      CHECK (!before.from || drawn >= (double) before.earliest);
	      CHECK (!before.to || drawn <= (double) before.latest);
	    }
	  steps++;
	  narrowed += when.earliest != wide.earliest || when.latest != wide.latest;
	  /* What was said at a time stands between steps that ran before and behind it.  */
	  uint64_t time = 90 + gen_below (&r, 180), first, last;
	  struct tb_when said = { time, time + gen_below (&r, 3), true, true };
	  bool closed = tb_stamps_place (&core.stamps, STEPS, &said, &first, &last);
	  CHECK (first <= last && last <= STEPS);
	  uint64_t stamps = core.stamps.count;
	  CHECK (closed || last == STEPS);
	  CHECK (closed || stamps == 0 || said.latest >= core.stamps.items[stamps - 1].time);
	  CHECK (first == 0 || core.ran[first - 1] < said.earliest);
	  CHECK (first == last || last == STEPS || core.ran[last] > said.latest);
	}
      tb_cycle_times_fini (&core.stamps.cycles);
      /* A core that counts a third of what it does.  */
      struct tb_cycle_times none = { .count = 0 };
      struct tb_cycle_reader slow = { .to = &none, .rate = { 1, 3 } };
      uint64_t cycles = gen_below (&r, 1000), more = gen_between (&r, 30, 90);
      CHECK (tb_cycle_stated (&slow, 1, 100));
      tb_cycle_counted (&slow, 1, cycles);
      tb_cycle_counted (&slow, 2, cycles + more);
      CHECK (tb_cycle_stated (&slow, 2, 100 + more));
      found += none.contradicted;
      tb_cycle_times_fini (&none);
    }
  CHECK (narrowed > steps / 10);
  CHECK_INT (found, 3000);
}

/* However many counts stand between two timestamps, few places are kept, spread over them; the
   estimate follows the cycles.  */
static void
test_many (void)
{
  struct tb_stamp items[2] = { { 0, 1000, false }, { 100000, 2000, false } };
  struct tb_stamps s = { .items = items, .count = 2 };
  struct tb_cycle_reader reader = { .to = &s.cycles };
  CHECK (tb_cycle_stated (&reader, 0, 1000));
  for (uint64_t i = 1; i <= 100000; i++)
    tb_cycle_counted (&reader, i, i < 50000 ? i : 50000 + 9 * (i - 50000));
  CHECK (tb_cycle_stated (&reader, 100000, 2000));
  CHECK (s.cycles.count >= TB_CYCLE_PLACES && s.cycles.count <= 2 * TB_CYCLE_PLACES);
  for (uint64_t i = 1; i < 100000; i += 100)
    {
      double about = 1000 + (i < 50000 ? (double) i : 50000 + 9 * ((double) i - 50000)) / 500;
      double time = tb_stamps_time (&s, i);
      CHECK (time > about - 20 && time < about + 20);
    }
  tb_cycle_times_fini (&s.cycles);
}

/* One timestamp, or none, tells as little as that.  */
static void
test_few (void)
{
  struct tb_stamp item = { 7, 1000, false };
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
  /* What has the last time or a later one may be behind all steps.  */
  when = (struct tb_when) { 980, 1000, true, true };
  CHECK (!tb_stamps_place (&one, 20, &when, &first, &last));
  CHECK_INT (first, 0);
  CHECK_INT (last, 20);
  when.latest = 999;
  CHECK (tb_stamps_place (&one, 20, &when, &first, &last));
  CHECK_INT (last, 7);
  when = (struct tb_when) { 1001, 0, true, false };
  CHECK (!tb_stamps_place (&one, 20, &when, &first, &last));
  CHECK_INT (first, 7);
  CHECK_INT (last, 20);
  when = (struct tb_when) { 1001, 1002, true, true };
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (first, 7);
  CHECK_INT (last, 20);
  when = (struct tb_when) { 1, 999, true, true };
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (first, 0);
  CHECK_INT (last, 6);
  /* Behind an exception it is not that of the step before.  */
  item.later = true;
  when = tb_stamps_stood (&one, 7);
  CHECK_INT (when.earliest, 0);
  when = (struct tb_when) { 1, 999, true, true };
  tb_stamps_standing (&one, 20, &when, &first, &last);
  CHECK_INT (last, 7);
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

/* The times, 1, 2 and so on, of a trace that has, by the letters of TEXT, s a waypoint, K a
   marker, T a timestamp; to be freed with tb_stamps_fini.  */
static void
stamps_of (struct tb_stamps *stamps, const char *text)
{
  struct run_unit unit = long_trace_unit;
  struct tb_buffer trace = { 0 };
  struct long_trace t = { .trace = &trace, .random = 1 };
  struct run run;
  unsigned time = 0;
  unit.type = "ETM4.6";
  unit.idr1 = 0x4100f463;
  unit.devarch = 0x47764a13;
  *stamps = (struct tb_stamps) { 0 };
  long_trace_byte (&trace, 0x70);
  long_trace_sync (&t, true);
  for (; *text != 0; text++)
    if (*text == 's')
      long_trace_step (&t);
    else if (*text == 'K')
      long_trace_byte (&trace, 0x88);
    else
      {
	long_trace_byte (&trace, 0x02);
	long_trace_byte (&trace, ++time);
      }
  if (!CHECK (!trace.failed) || !run_init (&run, &unit, trace.data, trace.size))
    return;
  const struct tb_recording_options options = { .jobs = 1 };
  struct tb_recording *r = tb_recording_open_trace (&run.config, &options, NULL);
  CHECK (r != NULL && tb_stamps_read (stamps, r, NULL));
  tb_recording_close (r);
  run_fini (&run);
  tb_buffer_fini (&trace);
}

/* A timestamp is of where the last marker before it stands, also where that is right before
   it and another one stood earlier.  */
static void
test_markers (void)
{
  struct tb_stamps marked, plain;
  stamps_of (&marked, "sKsKTsKsTsTs");
  stamps_of (&plain, "ssTsTssTs");
  CHECK_INT (marked.count, 3);
  CHECK_INT (plain.count, 3);
  for (size_t i = 0; i < 3 && marked.count == 3 && plain.count == 3; i++)
    {
      CHECK_INT (marked.items[i].step, plain.items[i].step);
      CHECK_INT (marked.items[i].time, plain.items[i].time);
    }
  tb_stamps_fini (&marked);
  tb_stamps_fini (&plain);
}

int
main (void)
{
  test_span ();
  test_markers ();
  test_standing ();
  test_order ();
  test_cycles ();
  test_many ();
  test_few ();
  return check_done ();
}
