/* Tests of finding places in a trace: recording/find.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "decode/element-stats.h"
#include "etmv4-run.h"
#include "long-trace.h"
#include "recording/find.h"
#include "recording/index-store.h"
#include "recording/window.h"
#include "util/fnv.h"

static char directory[] = "/tmp/test-find-XXXXXX";
static char file[128];

static void
test_parse (void)
{
  static const struct { const char *text; bool ok; struct tb_find_query query; } rows[] =
  {
    { "byte:0x10", true, { .what = TB_FIND_BYTE, .value = 16 } },
    { "step:7", true, { .what = TB_FIND_STEP, .value = 7 } },
    { "timestamp:9", true, { .what = TB_FIND_TIMESTAMP, .value = 9 } },
    { "timestamp", true, { .what = TB_FIND_ELEMENTS, .kind = TB_ELEMENT_TIMESTAMP,
			   .any = true } },
    { "exception", true, { .what = TB_FIND_ELEMENTS, .kind = TB_ELEMENT_EXCEPTION,
			   .any = true } },
    { "exception:3", true, { .what = TB_FIND_ELEMENTS,
			     .kind = TB_ELEMENT_EXCEPTION, .value = 3 } },
    { "context:0x20", true, { .what = TB_FIND_ELEMENTS,
			      .kind = TB_ELEMENT_CONTEXT, .value = 32 } },
    { "trigger", true, { .what = TB_FIND_ELEMENTS, .kind = TB_ELEMENT_EVENT,
			 .trigger = true, .any = true } },
    { "no-sync", true, { .what = TB_FIND_ELEMENTS, .kind = TB_ELEMENT_NO_SYNC,
			 .any = true } },
    { "byte", false, { .what = 0 } }, { "step:", false, { .what = 0 } },
    { "step:-1", false, { .what = 0 } }, { "step:1x", false, { .what = 0 } },
    { "range:3", false, { .what = 0 } }, { "excep", false, { .what = 0 } },
    { "trigger:1", false, { .what = 0 } }, { "", false, { .what = 0 } },
    { "byte:99999999999999999999", false, { .what = 0 } },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_find_query query;
      if (CHECK_INT (tb_find_parse (rows[i].text, &query), rows[i].ok) && rows[i].ok)
	CHECK (query.what == rows[i].query.what && query.kind == rows[i].query.kind
	       && query.trigger == rows[i].query.trigger
	       && query.any == rows[i].query.any
	       && query.value == rows[i].query.value);
    }
}

/* What was found.  */
struct hits
{
  size_t count;
  uint64_t hash;
  struct tb_find_hit first, last;
};

static bool
take (void *context, const struct tb_find_hit *hit)
{
  struct hits *hits = context;
  if (hits->count++ == 0)
    hits->first = *hit;
  hits->last = *hit;
  hits->hash = tb_fnv_u64 (hits->hash, hit->step);
  hits->hash = tb_fnv_u64 (hits->hash, hit->element.index);
  hits->hash = tb_fnv_u64 (hits->hash, hit->element.kind);
  return true;
}

/* The truth about the elements of RUN's trace, by reading all of it once.  */
#define PLACES 10
struct truth
{
  struct hits of_kind[TB_ELEMENT_KINDS];
  uint64_t byte[PLACES];
  struct hits last[PLACES];	/* The last element at that byte.  */
};

static void
read_all (const struct run *run, struct truth *truth)
{
  const struct hits none = { .hash = TB_FNV_START };
  for (unsigned kind = 0; kind < TB_ELEMENT_KINDS; kind++)
    truth->of_kind[kind] = none;
  for (unsigned i = 0; i < PLACES; i++)
    {
      truth->byte[i] = run->buffer.size / (PLACES - 1) * i;
      truth->last[i] = none;
    }
  struct tb_decoder *d = tb_decoder_open (&run->config, NULL);
  struct tb_window_start at = { .elements = 0 };
  struct tb_element some[64];
  size_t n;
  while ((n = d->read (d, some, 64)) > 0)
    for (size_t i = 0; i < n; i++)
      {
	const struct tb_find_hit hit = { at.step, some[i] };
	take (&truth->of_kind[some[i].kind], &hit);
	for (unsigned k = 0; k < PLACES; k++)
	  if (some[i].index <= truth->byte[k]
	      && (truth->last[k].count == 0
		  || some[i].index >= truth->last[k].last.element.index))
	    {
	      truth->last[k] = none;
	      take (&truth->last[k], &hit);
	    }
	tb_window_advance (&at, &some[i]);
      }
  tb_decoder_close (d);
}

static struct tb_recording *
open_run (const struct run *run, bool with_index)
{
  const struct tb_index_options index = { .cache = directory, .file = file };
  const struct tb_recording_options options = {
    .jobs = 1, .index = with_index ? &index : NULL };
  return tb_recording_open_trace (&run->config, &options, NULL);
}

/* Find TEXT in R.  */
static struct hits
find (struct tb_recording *r, const char *text, uint64_t from, struct tb_find *f)
{
  struct hits hits = { .hash = TB_FNV_START };
  *f = (struct tb_find) { .take = take, .context = &hits, .from = from };
  CHECK (tb_find_parse (text, &f->query));
  enum tb_search found = tb_recording_find (r, f);
  CHECK_INT (found, hits.count > 0 ? TB_SEARCH_FOUND : TB_SEARCH_NONE);
  return hits;
}

static void
check_hits (struct tb_recording *r, const char *text, const struct hits *want,
	    size_t most)
{
  struct tb_find f;
  struct hits got = find (r, text, 0, &f);
  CHECK_INT (got.count, want->count);
  CHECK_INT (got.hash, want->hash);
  CHECK (f.parts > 60);
  if (!CHECK (f.decoded <= most))
    fprintf (stderr, "  %s: %zu of %zu parts decoded\n", text, f.decoded, f.parts);
}

/* What R, with an index or without, finds in the trace of which TRUTH tells.  */
static void
test_run (const struct truth *truth, struct tb_recording *r, bool with_index)
{
  struct tb_find f;
  const size_t all = SIZE_MAX;
  /* Of two events, far apart, the index tells the blocks; it tells nothing of a kind
     that it does not count.  */
  struct hits events = truth->of_kind[TB_ELEMENT_EVENT];
  CHECK_INT (events.count, 2);
  check_hits (r, "event", &events, with_index ? 32 : all);
  struct hits contexts = truth->of_kind[TB_ELEMENT_CONTEXT];
  CHECK (contexts.count > 1000);
  check_hits (r, "context", &contexts, all);
  struct hits one = find (r, "event:2", 0, &f);
  CHECK_INT (one.count, 1);
  CHECK_INT (one.first.element.index, events.last.element.index);
  CHECK_INT (find (r, "event:3", 0, &f).count, 0);
  CHECK_INT (find (r, "trigger", 0, &f).count, 0);
  CHECK_INT (find (r, "context:77", 0, &f).count, 0);
  /* From a step on.  */
  one = find (r, "event", events.last.step, &f);
  CHECK_INT (one.count, 1);
  one = find (r, "event", events.last.step + 1, &f);
  CHECK_INT (one.count, 0);
  /* Without an index, too, places are found without decoding what is before.  */
  uint64_t steps = tb_recording_steps (r);
  for (uint64_t step = 0; step < steps; step += steps / 7)
    {
      char text[40];
      snprintf (text, sizeof text, "step:%" PRIu64, step);
      one = find (r, text, 0, &f);
      CHECK (one.count == 1 && one.first.element.kind == TB_ELEMENT_RANGE
	     && one.first.step <= step
	     && step - one.first.step < one.first.element.u.range.count);
      CHECK_INT (f.decoded, 1);
      struct tb_step there;
      CHECK (tb_recording_read (r, one.first.step, &there, 1) == 1
	     && there.pc == one.first.element.u.range.start);
    }
  for (unsigned i = 0; i < PLACES; i++)
    {
      char text[40];
      snprintf (text, sizeof text, "byte:%" PRIu64, truth->byte[i]);
      check_hits (r, text, &truth->last[i], 4);
    }
  CHECK_INT (find (r, "step:99999999999", 0, &f).count, 0);
}

/* Times that grow, by 5 each: the first that is not before.  */
/* The first timestamp that is not before one; BACK: in the middle, the clock is set back.  */
static void
test_timestamps (bool back)
{
  struct tb_buffer trace = { 0 };
  struct long_trace t = { .trace = &trace, .random = 1 };
  struct tb_find f;
  struct run run;
  unsigned time = 0, most = 0, count = 0;
  size_t next = 0;
  for (unsigned i = 0; trace.size < 500000; i++)
    {
      if (trace.size >= next)
	{
	  if (trace.size == 0)
	    long_trace_byte (&trace, 0x70);
	  long_trace_sync (&t, trace.size == 1);
	  next = trace.size + 400;
	}
      long_trace_step (&t);
      if (i % 300 == 299)
	{
	  time += 5;
	  if (back && most == 0 && trace.size > 250000)
	    {
	      most = time - 5;
	      time = 5;
	    }
	  count++;
	  long_trace_byte (&trace, 0x02);
	  long_trace_byte (&trace, 0x80 | (time & 0x7f));
	  long_trace_byte (&trace, 0x80 | (time >> 7 & 0x7f));
	  long_trace_byte (&trace, time >> 14 & 0x7f);
	}
    }
  if (!CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return;
  struct tb_recording *r = open_run (&run, false);
  static struct truth truth;
  read_all (&run, &truth);
  struct hits all = truth.of_kind[TB_ELEMENT_TIMESTAMP];
  CHECK_INT (all.count, count);
  struct hits got = find (r, "timestamp", 0, &f);
  CHECK (got.count == all.count && got.hash == all.hash);
  for (unsigned wanted = 1; !back && wanted <= time; wanted += time / 11 + 1)
    {
      char text[40];
      snprintf (text, sizeof text, "timestamp:%u", wanted);
      got = find (r, text, 0, &f);
      CHECK_INT (got.count, 1);
      CHECK_INT (got.first.element.u.value, (wanted + 4) / 5 * 5);
      CHECK_INT (f.decoded, 1);
    }
  char behind[40];
  if (back)
    {
      snprintf (behind, sizeof behind, "timestamp:%u", most);
      got = find (r, behind, 0, &f);
      CHECK_INT (got.count, 1);
      CHECK_INT (got.first.element.u.value, most);
    }
  snprintf (behind, sizeof behind, "timestamp:%u", (back && most > time ? most : time) + 1);
  CHECK_INT (find (r, behind, 0, &f).count, 0);
  CHECK_INT (f.decoded, f.parts);
  tb_recording_close (r);
  run_fini (&run);
  tb_buffer_fini (&trace);
}

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *ftw)
{
  (void) st;
  (void) type;
  (void) ftw;
  return remove (path);
}

int
main (void)
{
  struct tb_buffer trace = { 0 };
  struct run run;
  test_parse ();
  long_trace_make (&trace, 200000, 400);
  long_trace_byte (&trace, 0x71);	/* Event 1, and later 2.  */
  long_trace_make (&trace, 400000, 400);
  long_trace_byte (&trace, 0x72);
  long_trace_make (&trace, 600000, 400);
  if (!CHECK (mkdtemp (directory) != NULL) || !CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return check_done ();
  snprintf (file, sizeof file, "%s/x.tbindex", directory);
  static struct truth truth;
  read_all (&run, &truth);
  /* Without an index; where it is made; by it.  */
  for (int i = 0; i < 3; i++)
    {
      struct tb_recording *r = open_run (&run, i > 0);
      if (CHECK (r != NULL) && CHECK_INT (tb_recording_indexed (r), i == 2))
	test_run (&truth, r, i > 0);
      tb_recording_close (r);
    }
  run_fini (&run);
  tb_buffer_fini (&trace);
  test_timestamps (false);
  test_timestamps (true);
  nftw (directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return check_done ();
}
