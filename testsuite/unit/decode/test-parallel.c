/* Decoding in sections by several threads delivers what one decoder does.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Traces that are made here, whole and damaged, and, where the environment
   variable TB_SHARED names the directory that has them, real captures.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "etmv4-run.h"
#include "decode/element-text.h"
#include "decode/sections.h"
#include "long-trace.h"
#include "recording/session.h"
#include "rounds.h"

/* What a listing of the whole is put together from.  */
struct listing
{
  struct tb_buffer text;
  size_t limit;			/* Bytes of text a section; 0: any.  */
  bool picky;			/* Refuse every third section.  */
  unsigned fitted;		/* Calls of FITS.  */
  unsigned sections, parallel;	/* Finished; begun out of turn.  */
};

struct part
{
  struct listing *listing;
  struct tb_buffer text;
  bool in_turn;
};

static void *
begin (void *context, bool in_turn, struct tb_decoder *decoder)
{
  struct part *part = calloc (1, sizeof *part);
  (void) decoder;
  if (part != NULL)
    {
      part->listing = context;
      part->in_turn = in_turn;
    }
  return part;
}

static enum tb_section_answer
take (void *section, struct tb_decoder *decoder,
      const struct tb_element *elements, size_t count)
{
  struct part *part = section;
  (void) decoder;
  for (size_t i = 0; i < count; i++)
    tb_element_text (&part->text, &elements[i]);
  size_t limit = part->listing->limit;
  return limit != 0 && part->text.size > limit ? TB_SECTION_FULL
					       : TB_SECTION_MORE;
}

static bool
fits (void *context, const void *section)
{
  struct listing *listing = context;
  const struct part *part = section;
  return part->in_turn || !listing->picky || ++listing->fitted % 3 != 0;
}

static void
drop (void *section)
{
  struct part *part = section;
  tb_buffer_fini (&part->text);
  free (part);
}

static enum tb_status
finish (void *context, void *section, struct tb_decoder *decoder)
{
  struct listing *listing = context;
  struct part *part = section;
  (void) decoder;
  tb_buffer_append (&listing->text, part->text.data, part->text.size);
  listing->sections++;
  listing->parallel += !part->in_turn;
  drop (section);
  return TB_OK;
}

static void
decode (const struct tb_decoder_config *config, struct listing *listing,
	unsigned jobs, uint64_t size, struct tb_decoder_stats *stats)
{
  const struct tb_section_consumer consumer = {
    .context = listing, .begin = begin, .take = take, .fits = fits,
    .finish = finish, .drop = drop
  };
  const struct tb_sections_options options = { .jobs = jobs, .size = size };
  /* Which several threads leave alone.  */
  struct tb_decoder_config sharing = *config;
  sharing.share = tb_follow_share_new ();
  CHECK_INT (tb_sections_decode (&sharing, &options, &consumer, stats, NULL),
	     TB_OK);
  tb_follow_share_free (sharing.share);
}

/* What one decoder delivers, asked for elements in ordinary reads.  */
static void
decode_plainly (const struct tb_decoder_config *config, struct listing *listing,
		struct tb_decoder_stats *stats)
{
  struct tb_decoder *d = tb_decoder_open (config, NULL);
  struct tb_element elements[100];
  size_t n;
  if (!CHECK (d != NULL))
    return;
  while ((n = d->read (d, elements, 100)) > 0)
    for (size_t i = 0; i < n; i++)
      tb_element_text (&listing->text, &elements[i]);
  *stats = d->stats;
  tb_decoder_close (d);
}

static bool
same_stats (const struct tb_decoder_stats *a, const struct tb_decoder_stats *b)
{
  bool same
    = CHECK_INT (a->bytes, b->bytes) && CHECK_INT (a->packets, b->packets)
      && CHECK_INT (a->bad_packets, b->bad_packets)
      && CHECK_INT (a->syncs, b->syncs) && CHECK_INT (a->skipped, b->skipped)
      && CHECK_INT (a->bad_image, b->bad_image);
  for (unsigned i = 0; i < TB_FAULT_COUNT && same; i++)
    same = CHECK_INT (a->faults[i], b->faults[i]);
  for (unsigned i = 0; i < tb_fault_places (a) && same; i++)
    same = CHECK_INT (a->places[i].index, b->places[i].index)
	   && CHECK_INT (a->places[i].address, b->places[i].address)
	   && CHECK_INT (a->places[i].fault, b->places[i].fault);
  return same;
}

/* Compare; returns how many sections were decoded out of turn and kept, over
   all ways to decode.  */
static unsigned
compare (const struct tb_decoder_config *config, const char *what)
{
  static const struct
  {
    unsigned jobs;
    uint64_t size;
    size_t limit;
    bool picky;
  } ways[] = {
    { 1, 0, 0, false }, { 1, 0, 5000, false }, { 2, 0, 0, false },
    { 2, 256, 0, false }, { 2, 2000, 0, false }, { 3, 1000, 300, false },
    { 4, 3000, 0, true }, { 5, 700, 2000, true }
  };
  struct listing want = { 0 };
  struct tb_decoder_stats want_stats = { 0 };
  unsigned parallel = 0;
  decode_plainly (config, &want, &want_stats);
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    {
      struct listing got = { .limit = ways[i].limit, .picky = ways[i].picky };
      struct tb_decoder_stats stats;
      decode (config, &got, ways[i].jobs, ways[i].size, &stats);
      bool same = CHECK_INT (got.text.size, want.text.size)
		  && CHECK (want.text.size == 0
			    || memcmp (got.text.data, want.text.data,
				       want.text.size) == 0)
		  && same_stats (&stats, &want_stats);
      if (!same)
	fprintf (stderr, "  %s, way %zu\n", what, i);
      if (ways[i].jobs == 1)
	CHECK_INT (got.parallel, 0);
      parallel += got.parallel;
      tb_buffer_fini (&got.text);
    }
  tb_buffer_fini (&want.text);
  return parallel;
}

static void
test_made (void)
{
  static const size_t intervals[] = { 40, 100, 1000 };
  for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
    {
      struct tb_buffer trace = { 0 };
      struct run run;
      long_trace_make (&trace, 60000, intervals[i]);
      if (!CHECK (!trace.failed)
	  || !run_init (&run, &long_trace_unit, trace.data, trace.size))
	return;
      unsigned parallel = compare (&run.config, "made");
      CHECK (parallel > 20);

      /* The same in frames, with two IDs.  */
      struct tb_buffer frames = { 0 };
      long_trace_frame (&frames, &trace);
      run.span = (struct tb_span) { frames.data, frames.size };
      run.buffer.format = TB_FORMAT_CORESIGHT;
      run.buffer.size = frames.size;
      CHECK (compare (&run.config, "in frames") > 20);

      /* Damaged in many places: by far not all sections join, and what comes
	 out is the same.  */
      uint32_t random = 1;
      for (size_t at = 0; at < frames.size; at += random % 3000)
	{
	  frames.data[at] ^= 1 << random % 8;
	  random = random * 1664525 + 1013904223;
	}
      compare (&run.config, "damaged");
      /* Noise.  */
      for (size_t at = 0; at < frames.size; at++)
	{
	  random = random * 1664525 + 1013904223;
	  frames.data[at] = random >> 24 & (at % 1024 < 700 ? 0x80 : 0xff);
	}
      compare (&run.config, "noise");
      run.buffer.size = run.span.size = 0;
      run.buffer.nspans = 0;
      compare (&run.config, "nothing");
      run_fini (&run);
      tb_buffer_fini (&frames);
      tb_buffer_fini (&trace);
    }
}

/* All streams of the snapshot PATH.  */
static unsigned
test_snapshot (const char *path)
{
  struct tb_session session;
  unsigned parallel = 0;
  if (tb_session_open (&session, path, NULL, NULL) != TB_OK)
    return 0;
  for (size_t i = 0; i < session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &session.streams[i];
      struct tb_decoder_config config;
      if (stream->protocol == NULL)
	continue;
      tb_session_decoder_config (stream, &config);
      struct tb_decoder *d = tb_decoder_open (&config, NULL);
      if (d == NULL)
	continue;
      tb_decoder_close (d);
      parallel += compare (&config, path);
    }
  tb_session_close (&session);
  return parallel;
}

static int
is_snapshot (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static void
test_real (const char *shared)
{
  unsigned parallel = 0;
  static const char *const names[] = { "snapshots", "corpus/cases" };
  for (int i = 0; i < 2; i++)
    {
      char path[1024];
      snprintf (path, sizeof path, "%s/%s", shared, names[i]);
      struct dirent **entries;
      int n = scandir (path, &entries, is_snapshot, alphasort);
      if (!CHECK (n > 0))
	continue;
      /* Neighbours in the list are of one kind.  */
      int step = rounds_of ((unsigned) n) < (unsigned) n ? 4 : 1;
      for (int k = 0; k < n; k++)
	{
	  snprintf (path, sizeof path, "%s/%s/%s", shared, names[i],
		    entries[k]->d_name);
	  unsigned here = k % step == 0 ? test_snapshot (path) : 0;
	  if (here > 0)
	    printf ("%s: %u sections out of turn\n", entries[k]->d_name, here);
	  parallel += here;
	  free (entries[k]);
	}
      free (entries);
    }
  CHECK (parallel > (rounds_every () > 1 ? 10 : 100));
}

int
main (void)
{
  test_made ();
  const char *shared = getenv ("TB_SHARED");
  if (shared != NULL)
    test_real (shared);
  return check_done ();
}
