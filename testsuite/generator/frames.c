/* The trace formatter.  See frames.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/frames.h"

#include <string.h>

#define FRAME 16
#define BLOCK 512
#define BLOCK_DATA 504

/* Sources by number; these are none.  */
enum { PADDING = -1, UNKNOWN = -2 };

struct formatter
{
  struct gen_trace *trace;
  struct gen_source *sources;
  unsigned count;
  const struct gen_frame_options *options;
  struct gen_random *random;
  int current;			/* Whose ID is in force.  */
  uint8_t bytes[FRAME];
  /* Whose byte each is, and which.  */
  int owner[FRAME];
  size_t number[FRAME];
};

static size_t
left (const struct formatter *f, int source)
{
  return source == PADDING ? SIZE_MAX
	 : source == UNKNOWN ? 0
	 : f->sources[source].size - f->sources[source].done;
}

static bool
all_done (const struct formatter *f)
{
  for (unsigned i = 0; i < f->count; i++)
    if (left (f, i) > 0)
      return false;
  return true;
}

/* Take the next byte of SOURCE for place AT.  */
static uint8_t
take (struct formatter *f, int source, unsigned at)
{
  if (source == PADDING)
    return 0;
  struct gen_source *s = &f->sources[source];
  f->owner[at] = source;
  f->number[at] = s->done;
  return s->bytes[s->done++];
}

/* Somebody who has bytes left; padding if nobody has.  */
static int
choose (struct formatter *f)
{
  if (all_done (f) || gen_chance (f->random, f->options->padding))
    return PADDING;
  for (;;)
    {
      int source = gen_below (f->random, f->count);
      if (left (f, source) > 0)
	return source;
    }
}

/* Fill the even byte AT and, but for the last, the odd one after it.  */
static void
fill_pair (struct formatter *f, unsigned at)
{
  bool last = at == FRAME - 2;
  size_t need = last ? 1 : 2;
  /* Padding goes on for ever once all is said.  */
  unsigned switches = f->current == PADDING && !all_done (f)
		      ? 50 : f->options->switches;
  if (left (f, f->current) >= need && !gen_chance (f->random, switches))
    {
      uint8_t even = take (f, f->current, at);
      f->bytes[at] = even & 0xfe;
      f->bytes[FRAME - 1] |= (even & 1) << at / 2;
      if (!last)
	f->bytes[at + 1] = take (f, f->current, at + 1);
      return;
    }
  int next = choose (f);
  uint8_t id = next == PADDING ? 0 : f->sources[next].id;
  f->bytes[at] = id << 1 | 1;
  if (!last)
    {
      /* The odd byte may still belong to the ID before.  */
      bool late = left (f, f->current) > 0
		  && (f->current != PADDING || gen_chance (f->random, 10))
		  && gen_chance (f->random, 50);
      f->bytes[FRAME - 1] |= late << at / 2;
      f->bytes[at + 1] = take (f, late ? f->current : next, at + 1);
    }
  f->current = next;
}

static void
put_full_sync (struct formatter *f)
{
  gen_put_value (f->trace, 0x7fffffff, 4);
}

static void
put_frame (struct formatter *f)
{
  const struct gen_frame_options *o = f->options;
  memset (f->bytes, 0, sizeof f->bytes);
  for (unsigned i = 0; i < FRAME; i++)
    f->owner[i] = PADDING;
  for (unsigned at = 0; at < FRAME; at += 2)
    fill_pair (f, at);
  for (unsigned at = 0; at < FRAME; at++)
    {
      while (o->port && at % 2 == 0 && gen_chance (f->random, o->half_syncs))
	gen_put_value (f->trace, 0x7fff, 2);
      if (f->owner[at] >= 0)
	f->sources[f->owner[at]].places[f->number[at]] = f->trace->nbytes;
      gen_put (f->trace, f->bytes[at]);
    }
}

/* What comes next has nothing to do with what was before.  */
static void
put_break (struct formatter *f)
{
  if (f->sources[0].nbreaks == GEN_BREAKS)
    return;
  for (unsigned i = 0; i < 4; i++)
    put_full_sync (f);
  for (unsigned i = 0; i < f->count; i++)
    {
      struct gen_source *s = &f->sources[i];
      s->breaks[s->nbreaks++] = s->done;
    }
  f->current = UNKNOWN;
}

void
gen_frames_encode (struct gen_trace *trace, struct gen_source *sources,
		   unsigned count, const struct gen_frame_options *options,
		   struct gen_random *random)
{
  struct formatter f = { .trace = trace, .sources = sources, .count = count,
			 .options = options, .random = random,
			 .current = UNKNOWN };
  if (options->port)
    put_full_sync (&f);
  while (!all_done (&f))
    {
      put_frame (&f);
      /* Four in a row would be a break.  */
      for (unsigned i = 0; i < 3 && options->port
			   && gen_chance (random, options->full_syncs); i++)
	put_full_sync (&f);
      if (options->breaks && gen_chance (random, 5))
	put_break (&f);
    }
}

void
gen_frames_block (struct gen_trace *trace, struct gen_source *sources,
		  unsigned count, struct gen_random *random)
{
  struct gen_trace blocks;
  gen_trace_init (&blocks);
  for (size_t i = 0; i < trace->nbytes; i++)
    {
      gen_put (&blocks, trace->bytes[i]);
      if (i % BLOCK_DATA == BLOCK_DATA - 1)
	for (unsigned j = 0; j < BLOCK - BLOCK_DATA; j++)
	  gen_put (&blocks, gen_next (random) & 0xff);
    }
  for (unsigned i = 0; i < count; i++)
    for (size_t j = 0; j < sources[i].done; j++)
      sources[i].places[j] += sources[i].places[j] / BLOCK_DATA
			      * (BLOCK - BLOCK_DATA);
  uint8_t *old = trace->bytes;
  trace->bytes = blocks.bytes;
  trace->nbytes = blocks.nbytes;
  trace->byte_capacity = blocks.byte_capacity;
  blocks.bytes = old;
  gen_trace_free (&blocks);
}

void
gen_frames_choose (struct gen_frame_options *o, struct gen_random *r)
{
  memset (o, 0, sizeof *o);
  o->port = gen_chance (r, 30);
  o->blocks = o->port && gen_chance (r, 50);
  o->switches = gen_chance (r, 50) ? gen_below (r, 10) : gen_below (r, 80);
  o->padding = gen_below (r, 40);
  if (o->port)
    {
      o->full_syncs = gen_below (r, 30);
      o->half_syncs = gen_chance (r, 50) ? gen_below (r, 20) : 0;
    }
}
