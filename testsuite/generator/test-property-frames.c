/* Property tests of deformatting: what several sources sent comes out again.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/property.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coresight/stream.h"
#include "generator/case.h"
#include "generator/frames.h"

#define SEED 8001
#define COUNT 150
#define SOURCES 6
#define SPANS 8

struct bench
{
  struct gen_run *run;
  struct gen_random random;
  struct gen_source sources[SOURCES];
  unsigned count;
  struct gen_frame_options options;
  struct gen_trace frames;
  struct tb_span spans[SPANS];
  struct tb_trace_buffer buffer;
};

static void *
allocate (size_t size)
{
  void *p = calloc (1, size + 1);
  if (p == NULL)
    exit (1);
  return p;
}

/* Give each source an ID of its own.  */
static void
choose_ids (struct bench *b)
{
  bool used[128] = { false };
  for (unsigned i = 0; i < b->count; i++)
    {
      uint8_t id;
      do
	id = gen_between (&b->random, 1, 0x6f);
      while (used[id]);
      used[id] = true;
      b->sources[i].id = id;
    }
}

/* Frames of the sources, in a buffer of some files.  */
static void
make_buffer (struct bench *b, bool breaks)
{
  struct gen_random *r = &b->random;
  gen_trace_init (&b->frames);
  gen_frames_choose (&b->options, r);
  b->options.breaks = breaks && !b->options.port && gen_chance (r, 40);
  for (unsigned i = 0; i < b->count; i++)
    b->sources[i].places
      = allocate (b->sources[i].size * sizeof *b->sources[i].places);
  gen_frames_encode (&b->frames, b->sources, b->count, &b->options, r);
  if (b->options.blocks)
    gen_frames_block (&b->frames, b->sources, b->count, r);
  size_t at = 0;
  unsigned nspans = 0;
  while (at < b->frames.nbytes)
    {
      size_t size = b->frames.nbytes - at;
      if (nspans < SPANS - 1)
	size = gen_between (r, 1, size);
      b->spans[nspans++] = (struct tb_span) { b->frames.bytes + at, size };
      at += size;
    }
  b->buffer = (struct tb_trace_buffer) {
    .id = "buffer0", .name = "trace",
    .format = b->options.blocks ? TB_FORMAT_DSTREAM : TB_FORMAT_CORESIGHT,
    .format_name = b->options.blocks ? "dstream_coresight" : "coresight",
    .spans = b->spans, .nspans = nspans, .size = b->frames.nbytes };
  snprintf (b->run->about, sizeof b->run->about,
	    "%u sources %zu bytes%s%s switches=%u padding=%u syncs=%u,%u"
	    " breaks=%u",
	    b->count, b->frames.nbytes, b->options.port ? " port" : "",
	    b->options.blocks ? " dstream" : "", b->options.switches,
	    b->options.padding, b->options.full_syncs, b->options.half_syncs,
	    b->sources[0].nbreaks);
}

static void
free_buffer (struct bench *b)
{
  for (unsigned i = 0; i < b->count; i++)
    free (b->sources[i].places);
  gen_trace_free (&b->frames);
}

/* Streams.  */

/* Read SOURCE, each byte at its place, going back now and then.  */
static void
check_stream (struct bench *b, const struct gen_source *source)
{
  struct gen_random *r = &b->random;
  struct tb_stream *stream = tb_stream_open (&b->buffer, source->id);
  struct tb_stream_place place;
  size_t done = 0, marked = 0, length, wrong = 0;
  unsigned breaks = 0, marked_breaks = 0;
  bool last = false, have_mark = false;
  b->run->checks++;
  if (stream == NULL)
    exit (1);
  for (;;)
    {
      const uint8_t *bytes = tb_stream_peek (stream, &length, &last);
      if (length < TB_STREAM_LOOKAHEAD && !last)
	break;
      if (length == 0 && !tb_stream_pass_break (stream))
	break;
      if (length == 0)
	{
	  wrong += breaks == source->nbreaks
		   || source->breaks[breaks++] != done;
	  continue;
	}
      size_t count = gen_between (r, 1, length < 300 ? length : 300);
      for (size_t i = 0; i < count; i++)
	wrong += done + i >= source->size
		 || bytes[i] != source->bytes[done + i]
		 || tb_stream_index (stream, i) != source->places[done + i];
      tb_stream_consume (stream, count);
      done += count;
      if (have_mark && gen_chance (r, 10))
	{
	  tb_stream_seek (stream, &place);
	  done = marked;
	  breaks = marked_breaks;
	  have_mark = false;
	}
      if (gen_chance (r, 20))
	{
	  tb_stream_tell (stream, &place);
	  marked = done;
	  marked_breaks = breaks;
	  have_mark = true;
	}
    }
  if (wrong > 0 || done != source->size || !last
      || breaks != source->nbreaks)
    gen_fail (b->run, "the bytes of a source are not those that it sent",
	      &b->frames, 0);
  tb_stream_close (stream);
}

static void
test_streams (struct gen_run *run)
{
  struct bench b = { .run = run, .random = { run->seed + run->walk } };
  struct gen_random *r = &b.random;
  uint64_t counts[TB_TRACE_IDS];
  run->property = "streams";
  b.count = gen_between (r, 1, SOURCES);
  choose_ids (&b);
  for (unsigned i = 0; i < b.count; i++)
    {
      static const uint8_t odd[] = { 0x00, 0xff, 0x7f, 0x80, 0x01, 0xfe };
      b.sources[i].size = gen_scaled (r, 14);
      uint8_t *bytes = allocate (b.sources[i].size);
      for (size_t j = 0; j < b.sources[i].size; j++)
	bytes[j] = gen_chance (r, 50) ? odd[gen_below (r, sizeof odd)]
				      : gen_below (r, 256);
      b.sources[i].bytes = bytes;
    }
  make_buffer (&b, true);
  tb_stream_census (&b.buffer, counts, NULL);
  for (unsigned i = 0; i < b.count; i++)
    {
      check_stream (&b, &b.sources[i]);
      run->checks++;
      if (counts[b.sources[i].id] != b.sources[i].size)
	gen_fail (run, "the census is wrong", NULL, 0);
    }
  free_buffer (&b);
  for (unsigned i = 0; i < b.count; i++)
    free ((void *) b.sources[i].bytes);
}

/* Decoders.  */

static bool
decode (struct bench *b, struct gen_case *c, struct gen_observation *o)
{
  struct gen_reading reading = { &b->random, 10 };
  c->subject.buffer = b->buffer;
  if (gen_observe (o, &c->subject, &reading))
    return true;
  gen_fail (b->run, "no decoder", NULL, 0);
  return false;
}

/* How many of SOURCE's bytes are lost when frames begin at BEGIN: those before
   an ID is known.  */
static size_t
lost_bytes (const struct bench *b, const struct gen_source *source,
	    size_t begin, size_t end)
{
  size_t known = end, n = 0;
  for (size_t frame = begin; frame < end && known == end; frame += 16)
    for (unsigned i = 0; i < 16; i += 2)
      if (b->frames.bytes[frame + i] & 1)
	{
	  bool late = b->frames.bytes[frame + 15] >> i / 2 & 1;
	  known = frame + i + (late ? 2 : 1);
	  break;
	}
  while (n < source->size && source->places[n] < known)
    n++;
  return n;
}

/* With frames cut off at both ends.  */
static void
test_cut (struct bench *b, struct gen_case *c,
	  const struct gen_source *source)
{
  struct gen_observation o;
  const struct gen_trace *t = &c->trace;
  size_t frames = b->frames.nbytes / 16;
  size_t begin = gen_below (&b->random, frames + 1);
  size_t end = gen_between (&b->random, begin, frames);
  struct tb_trace_buffer whole = b->buffer;
  struct tb_span span = { b->frames.bytes + 16 * begin, 16 * (end - begin) };
  size_t from = lost_bytes (b, source, 16 * begin, 16 * end), to = from, n = 0;
  while (to < source->size && source->places[to] < 16 * end)
    to++;
  b->buffer.spans = &span;
  b->buffer.nspans = end > begin;
  b->buffer.size = span.size;
  bool read = decode (b, c, &o);
  b->buffer = whole;
  if (!read)
    return;
  while (n < t->nsyncs && t->syncs[n].offset < from)
    n++;
  if (n < t->nsyncs && t->syncs[n].fact >= t->nfacts)
    ;				/* Nothing after it is ever committed.  */
  else if (gen_clear_end (t, to) != to)
    ;				/* The end is in doubt.  */
  else if (n < t->nsyncs && t->syncs[n].offset < to)
    gen_check_prefix (b->run, t, n == 0 ? NULL : &t->syncs[n], to, &o);
  else if (o.facts.nfacts > 0)
    gen_fail (b->run, "facts without synchronisation", NULL, 0);
  b->run->checks++;
  gen_trace_free (&o.facts);
}

static void
test_decoders (struct gen_run *run)
{
  struct bench b = { .run = run, .random = { run->seed + run->walk } };
  struct gen_case cases[3];
  struct gen_observation o;
  b.count = gen_between (&b.random, 1, 3);
  choose_ids (&b);
  for (unsigned i = 0; i < b.count; i++)
    {
      gen_case_make (&cases[i], gen_below (&b.random, GEN_PROTOCOLS), 1000,
		     b.sources[i].id, &b.random);
      b.sources[i].bytes = cases[i].trace.bytes;
      b.sources[i].size = cases[i].trace.nbytes;
    }
  make_buffer (&b, false);
  for (unsigned i = 0; i < b.count; i++)
    {
      run->property = "decoders";
      if (!decode (&b, &cases[i], &o))
	break;
      gen_check_facts (run, &cases[i].trace, NULL, &o);
      gen_trace_free (&o.facts);
      run->property = "cut frames";
      for (unsigned j = 0; j < 3 && !b.options.port; j++)
	test_cut (&b, &cases[i], &b.sources[i]);
    }
  free_buffer (&b);
  for (unsigned i = 0; i < b.count; i++)
    gen_case_free (&cases[i]);
}

int
main (int argc, char **argv)
{
  struct gen_run run;
  if (!gen_run_options (&run, argc, argv, SEED, COUNT))
    return 2;
  for (run.walk = 0; run.walk < run.count && run.failures < 10; run.walk++)
    {
      test_streams (&run);
      test_decoders (&run);
    }
  return gen_run_done (&run);
}
