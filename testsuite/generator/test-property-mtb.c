/* Property tests of the MTB decoder: decode (encode (walk)) = walk.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/property.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/encode-mtb.h"

#define SEED 6001
#define COUNT 400

struct bench
{
  struct gen_run *run;
  struct gen_random random;
  struct gen_program program;
  struct gen_walk walk;
  struct gen_mtb_options options;
  struct gen_mtb mtb;
  struct gen_subject subject;
};

static bool
observe (struct bench *b, struct gen_observation *o, const uint8_t *bytes,
	 unsigned checkpoints)
{
  struct gen_reading reading = { &b->random, checkpoints };
  gen_subject_buffer (&b->subject, bytes, b->mtb.trace.nbytes,
		      TB_FORMAT_SOURCE_DATA);
  if (!gen_observe (o, &b->subject, &reading))
    {
      gen_fail (b->run, "no decoder", NULL, 0);
      return false;
    }
  b->run->checks++;
  return true;
}

/* From a buffer, through checkpoints, and from the core's RAM.  */
static void
test_whole (struct bench *b)
{
  static const char *const properties[] = { "whole", "checkpoints", "in RAM" };
  struct gen_observation o;
  for (unsigned i = 0; i < 3; i++)
    {
      b->run->property = properties[i];
      if (i == 2)
	{
	  struct tb_region ram = {
	    .address = b->options.base, .length = b->mtb.trace.nbytes,
	    .access = TB_ACCESS_UNKNOWN, .halt_contents = true,
	    .data = b->mtb.trace.bytes, .name = "ram" };
	  tb_memmap_add (b->subject.map, &ram, NULL);
	  tb_memmap_seal (b->subject.map, NULL);
	  b->subject.config.buffer = NULL;
	}
      bool read = observe (b, &o, b->mtb.trace.bytes, i * 20);
      b->subject.config.buffer = &b->subject.buffer;
      if (!read)
	return;
      gen_check_facts (b->run, &b->mtb.trace, NULL, &o);
      if (o.stats.bad_packets > 0 || o.stats.bad_image > 0
	  || o.stats.packets != b->mtb.trace.nsyncs)
	gen_fail (b->run, "the statistics are wrong", NULL, 0);
      if (o.endless)
	gen_fail (b->run, "more elements than the bytes can mean", NULL, 0);
      gen_trace_free (&o.facts);
    }
}

/* How many of the COUNT facts are steps; they go to the front.  */
static size_t
keep_steps (struct gen_fact *facts, size_t count)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (facts[i].kind == GEN_FACT_STEP)
      facts[n++] = facts[i];
  return n;
}

/* With wrong bits in a packet: right again after the next one.  */
static void
test_flipped (struct bench *b)
{
  struct gen_trace *t = &b->mtb.trace;
  struct gen_observation o;
  uint8_t *copy = malloc (t->nbytes);
  struct gen_fact *want = malloc ((t->nfacts + 1) * sizeof *want);
  if (copy == NULL || want == NULL)
    exit (1);
  b->run->property = "flipped bits";
  for (unsigned i = 0; i < 4 && t->nsyncs > 0; i++)
    {
      size_t packet = gen_below (&b->random, t->nsyncs);
      memcpy (copy, t->bytes, t->nbytes);
      for (unsigned flips = gen_between (&b->random, 1, 3); flips > 0; flips--)
	copy[t->syncs[packet].offset + gen_below (&b->random, 8)]
	  ^= 1 << gen_below (&b->random, 8);
      if (!observe (b, &o, copy, 5))
	break;
      if (packet + 1 < t->nsyncs)
	{
	  size_t first = t->syncs[packet + 1].fact;
	  memcpy (want, t->facts + first,
		  (t->nfacts - first) * sizeof *want);
	  size_t nwant = keep_steps (want, t->nfacts - first);
	  size_t have = keep_steps (o.facts.facts, o.facts.nfacts);
	  b->run->checks++;
	  if (have < nwant
	      || gen_facts_differ (want, nwant,
				   o.facts.facts + have - nwant, nwant) >= 0)
	    gen_fail (b->run, "steps after wrong bits are not right again", t,
		      t->syncs[packet].offset);
	}
      gen_trace_free (&o.facts);
    }
  free (want);
  free (copy);
}

static void
test_walk (struct gen_run *run)
{
  struct bench b = { .run = run, .random = { run->seed + run->walk } };
  struct gen_random *r = &b.random;
  struct gen_walk_options wo = {
    .steps = gen_between (r, 1, 3000), .exceptions = gen_scaled (r, 8),
    .gaps = gen_scaled (r, 6), .losses = gen_scaled (r, 4)
  };
  gen_program_make (&b.program, gen_chance (r, 50) ? GEN_V6M : GEN_V8M, r);
  gen_walk_make (&b.walk, &b.program, &wo, r);
  gen_mtb_choose (&b.options, r);
  gen_mtb_encode (&b.mtb, &b.walk, &b.options, r);
  gen_subject_init (&b.subject, &b.program, "MTB");
  gen_subject_register (&b.subject, "POSITION", 0, b.mtb.position);
  gen_subject_register (&b.subject, "MASTER", 1, b.mtb.master);
  gen_subject_register (&b.subject, "FLOW", 2, b.mtb.flow);
  gen_subject_register (&b.subject, "BASE", 3, b.options.base);
  gen_subject_pc (&b.subject, b.walk.end);
  snprintf (run->about, sizeof run->about,
	    "%s %zu packets mask=%u block %u of %u%s extra=%u", b.program.core,
	    b.mtb.trace.nsyncs, b.options.mask, b.options.block,
	    b.options.blocks, b.mtb.master >> 31 ? "" : " stopped",
	    b.options.extra);
  if (!b.mtb.ambiguous)
    {
      unsigned before = run->failures;
      test_whole (&b);
      if (run->failures == before)
	test_flipped (&b);
    }
  gen_subject_fini (&b.subject);
  gen_trace_free (&b.mtb.trace);
  gen_walk_free (&b.walk);
  gen_program_free (&b.program);
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
