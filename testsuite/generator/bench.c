/* The properties of a decoder of a stream of packets.  See bench.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/bench.h"

#include <stdlib.h>
#include <string.h>

static bool
observe (struct gen_bench *b, struct gen_observation *o, const uint8_t *bytes,
	 size_t size, unsigned checkpoints)
{
  struct gen_reading reading = { b->random, checkpoints };
  gen_subject_buffer (b->subject, bytes, size, TB_FORMAT_SOURCE_DATA);
  if (!gen_observe (o, b->subject, &reading))
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
test_whole (struct gen_bench *b)
{
  struct gen_observation o;
  for (unsigned i = 0; i < 2; i++)
    {
      b->run->property = i == 0 ? "whole" : "checkpoints";
      if (!observe (b, &o, b->trace->bytes, b->trace->nbytes, i * 20))
	return;
      gen_check_facts (b->run, b->trace, NULL, &o);
      if (o.stats.bad_packets > 0 || o.stats.bad_image > 0)
	gen_fail (b->run, "bad packets or code are counted", NULL, 0);
      if (o.stats.bytes != b->trace->nbytes)
	gen_fail (b->run, "not all bytes are counted", NULL, 0);
      gen_trace_free (&o.facts);
    }
}

/* From each synchronisation on.  */
static void
test_syncs (struct gen_bench *b)
{
  struct gen_observation o;
  b->run->property = "from a synchronisation";
  for (size_t i = 1; i < b->trace->nsyncs; i++)
    {
      const struct gen_sync *sync = &b->trace->syncs[i];
      if (sync->fact >= b->trace->nfacts)
	return;			/* Nothing after it is ever committed.  */
      if (!observe (b, &o, b->trace->bytes + sync->offset,
		    b->trace->nbytes - sync->offset, 5))
	return;
      gen_check_facts (b->run, b->trace, sync, &o);
      gen_trace_free (&o.facts);
    }
}

/* With some of the beginning and of the end cut off.  */
static void
test_truncated (struct gen_bench *b)
{
  struct gen_observation o;
  b->run->property = "truncated";
  for (unsigned i = 0; i < 6; i++)
    {
      size_t from = gen_chance (b->random, 30) ? 0
		    : gen_below (b->random, b->trace->nbytes + 1);
      size_t to = gen_between (b->random, from, b->trace->nbytes), n = 0;
      to = gen_clear_end (b->trace, to);
      if (!observe (b, &o, b->trace->bytes + from, to - from, 0))
	return;
      while (n < b->trace->nsyncs && b->trace->syncs[n].offset < from)
	n++;
      if (n < b->trace->nsyncs
	  && b->trace->syncs[n].fact >= b->trace->nfacts)
	;			/* Nothing after it is ever committed.  */
      else if (n < b->trace->nsyncs && b->trace->syncs[n].offset < to)
	gen_check_prefix (b->run, b->trace,
			  n == 0 ? NULL : &b->trace->syncs[n], to, &o);
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
test_flipped (struct gen_bench *b)
{
  struct gen_observation o;
  uint8_t *copy = malloc (b->trace->nbytes + 1);
  if (copy == NULL)
    exit (1);
  b->run->property = "flipped bits";
  for (unsigned i = 0; i < 6; i++)
    {
      size_t last = 0, n = 0;
      memcpy (copy, b->trace->bytes, b->trace->nbytes);
      size_t place = gen_below (b->random, b->trace->nbytes);
      for (unsigned flips = gen_between (b->random, 1, 4); flips > 0; flips--)
	{
	  size_t at = place + gen_below (b->random, 8);
	  if (at >= b->trace->nbytes)
	    continue;
	  copy[at] ^= 1 << gen_below (b->random, 8);
	  last = at > last ? at : last;
	}
      if (!observe (b, &o, copy, b->trace->nbytes, 5))
	break;
      while (n < b->trace->nsyncs && b->trace->syncs[n].offset <= last)
	n++;
      /* A packet made of wrong bits may swallow the beginning of one
	 synchronisation, not of two.  What waited there to be committed may turn
	 out to be wrong after it.  */
      n += b->waits ? 2 : 1;
      if (n < b->trace->nsyncs
	  && b->trace->syncs[n].address == b->trace->syncs[n].fact)
	gen_check_suffix (b->run, b->trace, &b->trace->syncs[n], &o);
      gen_trace_free (&o.facts);
    }
  free (copy);
}

void
gen_bench_test (struct gen_bench *b)
{
  unsigned before = b->run->failures;
  test_whole (b);
  if (b->run->failures > before)
    return;
  test_syncs (b);
  test_truncated (b);
  test_flipped (b);
}
