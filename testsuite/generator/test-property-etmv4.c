/* Property tests of the ETMv4 decoder: decode (encode (walk)) = walk.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/property.h"

#include <stdlib.h>
#include <string.h>

#include "generator/case-etmv4.h"

#define SEED 4001
#define COUNT 300

/* One walk and all that is done with it.  */
struct bench
{
  struct gen_run *run;
  struct gen_random random;
  struct gen_etmv4_case c;
};

static bool
observe (struct bench *b, struct gen_observation *o, const uint8_t *bytes,
	 size_t size, unsigned checkpoints)
{
  struct gen_reading reading = { &b->random, checkpoints };
  gen_subject_buffer (&b->c.subject, bytes, size, TB_FORMAT_SOURCE_DATA);
  if (!gen_observe (o, &b->c.subject, &reading))
    {
      gen_fail (b->run, "no decoder", NULL, 0);
      return false;
    }
  b->run->checks++;
  if (o->endless)
    gen_fail (b->run, "more elements than the bytes can mean", NULL, 0);
  return true;
}

/* All of it, in any portions and through any checkpoints.  */
static void
test_whole (struct bench *b)
{
  struct gen_observation o;
  for (unsigned i = 0; i < 2; i++)
    {
      b->run->property = i == 0 ? "whole" : "checkpoints";
      if (!observe (b, &o, b->c.trace.bytes, b->c.trace.nbytes, i * 20))
	return;
      gen_check_facts (b->run, &b->c.trace, NULL, &o);
      if (o.stats.bad_packets > 0 || o.stats.bad_image > 0)
	gen_fail (b->run, "bad packets or code are counted", NULL, 0);
      if (o.stats.bytes != b->c.trace.nbytes)
	gen_fail (b->run, "not all bytes are counted", NULL, 0);
      gen_trace_free (&o.facts);
    }
}

/* From each synchronisation on.  */
static void
test_syncs (struct bench *b)
{
  struct gen_observation o;
  b->run->property = "from a synchronisation";
  for (size_t i = 1; i < b->c.trace.nsyncs; i++)
    {
      const struct gen_sync *sync = &b->c.trace.syncs[i];
      if (sync->fact >= b->c.trace.nfacts)
	return;			/* Nothing after it is ever committed.  */
      if (!observe (b, &o, b->c.trace.bytes + sync->offset,
		    b->c.trace.nbytes - sync->offset, 5))
	return;
      gen_check_facts (b->run, &b->c.trace, sync, &o);
      gen_trace_free (&o.facts);
    }
}

/* With some of the beginning and of the end cut off.  */
static void
test_truncated (struct bench *b)
{
  struct gen_observation o;
  b->run->property = "truncated";
  for (unsigned i = 0; i < 6; i++)
    {
      size_t from = gen_chance (&b->random, 30) ? 0
		    : gen_below (&b->random, b->c.trace.nbytes + 1);
      size_t to = gen_between (&b->random, from, b->c.trace.nbytes), n = 0;
      if (!observe (b, &o, b->c.trace.bytes + from, to - from, 0))
	return;
      while (n < b->c.trace.nsyncs && b->c.trace.syncs[n].offset < from)
	n++;
      if (n < b->c.trace.nsyncs && b->c.trace.syncs[n].offset < to)
	gen_check_prefix (b->run, &b->c.trace,
			  n == 0 ? NULL : &b->c.trace.syncs[n], to, &o);
      else
	{
	  b->run->checks++;
	  if (o.facts.nfacts > 0)
	    gen_fail (b->run, "facts without synchronisation", NULL, 0);
	}
      gen_trace_free (&o.facts);
    }
}

/* With wrong bits: decoding goes on, and is right again.  */
static void
test_flipped (struct bench *b)
{
  struct gen_observation o;
  uint8_t *copy = malloc (b->c.trace.nbytes + 1);
  if (copy == NULL)
    exit (1);
  b->run->property = "flipped bits";
  for (unsigned i = 0; i < 6; i++)
    {
      size_t last = 0, n = 0;
      memcpy (copy, b->c.trace.bytes, b->c.trace.nbytes);
      size_t place = gen_below (&b->random, b->c.trace.nbytes);
      for (unsigned flips = gen_between (&b->random, 1, 4); flips > 0; flips--)
	{
	  size_t at = place + gen_below (&b->random, 8);
	  if (at >= b->c.trace.nbytes)
	    continue;
	  copy[at] ^= 1 << gen_below (&b->random, 8);
	  last = at > last ? at : last;
	}
      if (!observe (b, &o, copy, b->c.trace.nbytes, 5))
	break;
      while (n < b->c.trace.nsyncs && b->c.trace.syncs[n].offset <= last)
	n++;
      /* A packet made of wrong bits may swallow the beginning of one
	 synchronisation, not of two.  */
      n++;
      /* Where they changed how many elements wait to be committed, that goes on
	 until those are thrown away.  */
      while (b->c.options.max_speculation > 0 && n < b->c.trace.nsyncs
	     && !b->c.trace.syncs[n].afresh)
	n++;
      if (n < b->c.trace.nsyncs
	  && b->c.trace.syncs[n].address == b->c.trace.syncs[n].fact)
	gen_check_suffix (b->run, &b->c.trace, &b->c.trace.syncs[n], 0, &o);
      gen_trace_free (&o.facts);
    }
  free (copy);
}

static void
test_walk (struct gen_run *run)
{
  struct bench b = { .run = run, .random = { run->seed + run->walk } };
  unsigned before = run->failures;
  gen_etmv4_case_make (&b.c, 3000, 0x10, &b.random);
  gen_etmv4_case_describe (&b.c, run->about, sizeof run->about);
  test_whole (&b);
  if (run->failures == before)
    {
      test_syncs (&b);
      test_truncated (&b);
      test_flipped (&b);
    }
  gen_etmv4_case_free (&b.c);
}

int
main (int argc, char **argv)
{
  struct gen_run run;
  if (!gen_run_options (&run, argc, argv, SEED, COUNT))
    return 2;
  for (run.walk = 0; run.walk < run.count && run.failures < 10; run.walk++)
    test_walk (&run);
  return gen_run_done (&run);
}
