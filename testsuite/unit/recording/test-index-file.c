/* Index files: what is opened by one is what is opened without, and one that is
   damaged, stale or hostile changes nothing.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "etmv4-run.h"
#include "long-trace.h"
#include "recording/event-walk.h"
#include "recording/index-store.h"
#include "recording/visits.h"
#include "rounds.h"
#include "util/filemap.h"
#include "util/fnv.h"

static char directory[] = "/tmp/test-index-XXXXXX";
static char file[128];
static unsigned warnings, notes;

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  warnings += severity == TB_WARNING;
  notes += severity == TB_NOTE;
  if (severity == TB_ERROR)
    fprintf (stderr, "%s\n", message);
}

static struct tb_diag diag = { .report = say };
static const struct tb_index_options index_options = { .cache = directory,
						       .file = file };

/* All that a recording says, as a hash of its steps and events.  */
struct said
{
  uint64_t steps, hash, events, gaps;
};

static struct said
read_all (struct tb_recording *r)
{
  struct said said = { .hash = TB_FNV_START };
  static struct tb_step steps[1000];
  static struct tb_event events[4000];
  size_t n;
  while ((n = tb_recording_read (r, said.steps, steps, 1000)) > 0)
    {
      for (size_t i = 0; i < n; i++)
	{
	  said.hash = tb_fnv_u64 (said.hash, steps[i].pc);
	  said.hash = tb_fnv_u64 (said.hash, steps[i].flags);
	}
      size_t m = tb_recording_events (r, said.steps, said.steps + n - 1,
				      events, 4000);
      for (size_t i = 0; i < m && i < 4000; i++)
	{
	  said.hash = tb_fnv_u64 (said.hash, events[i].step);
	  said.hash = tb_fnv_u64 (said.hash, events[i].value);
	  said.hash = tb_fnv_u64 (said.hash, events[i].address);
	  said.hash = tb_fnv_u64 (said.hash, events[i].kind);
	}
      said.events += m;
      said.steps += n;
    }
  said.gaps = tb_recording_info (r)->gaps;
  return said;
}

/* All events alone, one after the other.  */
static uint64_t
walk_events (struct tb_recording *r)
{
  uint64_t hash = TB_FNV_START;
  struct tb_event_walk walk = { .recording = r };
  for (const struct tb_event *e; (e = tb_event_next (&walk)) != NULL;)
    {
      hash = tb_fnv_u64 (hash, e->step);
      hash = tb_fnv_u64 (hash, e->value);
      hash = tb_fnv_u64 (hash, e->address);
      hash = tb_fnv_u64 (hash, e->kind);
    }
  CHECK (!walk.failed);
  return hash;
}

static struct tb_recording *
open_run (const struct run *run, bool with_index)
{
  const struct tb_recording_options options = {
    .jobs = 1, .index = with_index ? &index_options : NULL
  };
  return tb_recording_open_trace (&run->config, &options, &diag);
}

/* Open RUN by the index and compare with WANT; INDEXED: it is to be used.  */
static void
check_open (const struct run *run, const struct said *want, bool indexed)
{
  struct tb_recording *r = open_run (run, true);
  if (!CHECK (r != NULL))
    return;
  CHECK_INT (tb_recording_indexed (r), indexed);
  struct said got = read_all (r);
  CHECK_INT (got.steps, want->steps);
  CHECK_INT (tb_recording_steps (r), want->steps);
  CHECK_INT (got.hash, want->hash);
  CHECK_INT (got.events, want->events);
  CHECK_INT (got.gaps, want->gaps);
  tb_recording_close (r);
}

static void
write_file (const uint8_t *bytes, size_t size)
{
  FILE *out = fopen (file, "wb");
  CHECK (out != NULL && fwrite (bytes, 1, size, out) == size
	 && fclose (out) == 0);
}

static bool
file_equals (const struct tb_buffer *bytes)
{
  struct tb_filemap map;
  if (tb_filemap_open (&map, file, &diag) != TB_OK)
    return false;
  bool same = map.size == bytes->size
	      && memcmp (map.data, bytes->data, map.size) == 0;
  tb_filemap_close (&map);
  return same;
}

/* Damage of all kinds: the file is made anew, and what is read is the same.  */
static void
test_damage (const struct run *run, const struct said *want,
	     const struct tb_buffer *good)
{
  for (size_t at = 0; at < good->size;
       at += at < 100 ? 1 : good->size / 20 + 1)
    {
      write_file (good->data, at);
      check_open (run, want, false);
      CHECK (file_equals (good));
    }
  struct tb_buffer bad = { 0 };
  tb_buffer_append (&bad, good->data, good->size);
  for (size_t at = 0; at < bad.size; at += at < 100 ? 3 : bad.size / 20 + 1)
    {
      bad.data[at] ^= 1 << at % 8;
      write_file (bad.data, bad.size);
      check_open (run, want, false);
      CHECK (file_equals (good));
      bad.data[at] ^= 1 << at % 8;
    }
  tb_buffer_append (&bad, "more", 4);
  write_file (bad.data, bad.size);
  check_open (run, want, false);
  CHECK (file_equals (good));
  tb_buffer_fini (&bad);
}

/* The trace, the registers or the code have changed.  */
static void
test_stale (struct run *run, const struct said *want,
	    struct tb_buffer *trace, const struct tb_buffer *good)
{
  /* A timestamp in the middle.  */
  size_t at = trace->size / 2;
  while (trace->data[at] != 0x02)
    at++;
  trace->data[at + 1] ^= 1;
  write_file (good->data, good->size);
  struct tb_recording *r = open_run (run, true);
  CHECK (r != NULL && !tb_recording_indexed (r));
  struct said said = read_all (r);
  CHECK (said.hash != want->hash);
  tb_recording_close (r);
  trace->data[at + 1] ^= 1;
  check_open (run, want, false);
  check_open (run, want, true);

  uint64_t value = run->regs[0].value;
  run->regs[0].value ^= 1 << 16;
  check_open (run, want, false);
  check_open (run, want, true);
  run->regs[0].value = value;
  /* Both streams are in the file now.  */
  check_open (run, want, true);
}

/* What somebody with the secret could write: contents that are lies.  Whoever
   reads from the start on gets the truth.  */
static void
test_lies (const struct run *run, const struct said *want,
	   const struct tb_buffer *good)
{
  uint8_t secret[TB_MAC_SECRET];
  struct tb_mac_key key;
  struct tb_index index;
  const char *why;
  unsigned kept = 0, dropped = 0;
  if (!CHECK_INT (tb_index_secret (directory, secret, &diag), TB_OK))
    return;
  tb_mac_key_init (&key, secret);
  struct tb_mac_value buffer_key = tb_index_buffer_key (&run->buffer, &key);
  CHECK (tb_index_decode (&index, good->data, good->size, buffer_key, &key,
			  &why));
  if (!CHECK_INT (index.nstreams, 1) || !CHECK (index.streams[0].npoints > 10))
    return;
  struct tb_recording *plain = open_run (run, false);
  if (!CHECK (plain != NULL))
    return;
  const uint64_t events = walk_events (plain);
  tb_recording_close (plain);
  struct tb_index_stream *stream = &index.streams[0];
  /* Of each kind, of some points.  */
  size_t apart = 3 * rounds_every ();
  if (apart > 3)
    printf ("sampled: each point in %zu, not in 3\n", apart);
  for (size_t i = 1; i < stream->npoints; i += apart)
    for (int what = 0; what < 11; what++)
      {
	struct tb_checkpoint *p = &stream->points[i], before = *p;
	struct tb_recording_info info = stream->info;
	uint8_t one_gap = 2;	/* Behind the first step.  */
	const struct tb_packed_gaps lie_of_gaps = { &one_gap, p->gaps.size == 0 };
	switch (what)
	  {
	  case 0: p->start.step += 1; break;
	  case 1: p->start.elements += 1; break;
	  case 2: p->index += 1; break;
	  case 3: p->sync.offset += 16; break;
	  case 4: p->start.timestamp += 1; break;
	  case 5: p->start.gap_before ^= 1; break;
	  case 6: p->sync.skip = 60000; break;
	  case 7: p->sync.offset = UINT64_MAX; break;
	  case 8: stream->info.steps += i; break;
	  case 9: p->ran.size = 0; break;
	  case 10: p->gaps = lie_of_gaps; break;
	  }
	struct tb_buffer lie = { 0 };
	tb_index_encode (&index, &key, &lie);
	write_file (lie.data, lie.size);
	tb_buffer_fini (&lie);
	struct tb_recording *r = open_run (run, true);
	if (CHECK (r != NULL))
	  {
	    struct said got = read_all (r);
	    CHECK_INT (got.steps, want->steps);
	    CHECK_INT (got.hash, want->hash);
	    kept += tb_recording_indexed (r);
	    dropped += !tb_recording_indexed (r);
	    tb_recording_close (r);
	  }
	/* Here the recording gets other windows in the middle of the walk.  */
	r = open_run (run, true);
	if (CHECK (r != NULL))
	  {
	    CHECK (walk_events (r) == events);
	    tb_recording_close (r);
	  }
	*p = before;
	stream->info = info;
      }
  /* Only lies about what is never looked at are not found out.  */
  CHECK (dropped > 5 * kept);
  tb_index_fini (&index);
}

/* The parts, with each byte changed: refused, or something sound.  */
static void
test_parts (const struct tb_buffer *good, struct tb_mac_value buffer_key,
	    const struct tb_mac_key *key)
{
  struct tb_index index;
  const char *why;
  CHECK (tb_index_decode (&index, good->data, good->size, buffer_key, key,
			  &why));
  struct tb_buffer stream = { 0 }, source = { 0 };
  tb_index_encode_stream (&index.streams[0], &stream);
  CHECK (index.has_source);
  tb_index_encode_source (&index.source, &source);
  for (size_t at = 0; at < stream.size; at++)
    for (int bit = 0; bit < 8; bit += 7)
      {
	struct tb_index_stream s;
	stream.data[at] ^= 1 << bit;
	if (tb_index_decode_stream (&s, stream.data, stream.size))
	  {
	    CHECK (tb_index_step (&s, UINT64_MAX) != NULL);
	    CHECK (tb_index_byte (&s, 0) != NULL);
	    CHECK (tb_index_timestamp (&s, 5) != NULL);
	    tb_index_stream_fini (&s);
	  }
	stream.data[at] ^= 1 << bit;
      }
  for (size_t at = 0; at < source.size; at++)
    {
      struct tb_source_index s;
      uint64_t totals[TB_TRACE_IDS];
      source.data[at] ^= 1 << at % 8;
      if (tb_index_decode_source (&s, source.data, source.size))
	{
	  tb_source_index_totals (&s, totals);
	  tb_source_index_next (&s, 0x10, 0);
	  tb_source_index_fini (&s);
	}
      source.data[at] ^= 1 << at % 8;
    }
  for (size_t size = 0; size < stream.size; size += 7)
    {
      struct tb_index_stream s;
      CHECK (!tb_index_decode_stream (&s, stream.data, size));
    }
  tb_buffer_fini (&stream);
  tb_buffer_fini (&source);
  tb_index_fini (&index);
}

/* Where the code contradicts is kept, as far as it is told: all of it, and what stands behind.  */
static void
test_faults (const struct tb_buffer *good, struct tb_mac_value buffer_key,
	     const struct tb_mac_key *key)
{
  struct tb_index index;
  const char *why;
  CHECK (tb_index_decode (&index, good->data, good->size, buffer_key, key,
			  &why));
  for (unsigned faults = 0; faults <= TB_FAULT_PLACES + 1; faults++)
    {
      struct tb_buffer bytes = { 0 };
      struct tb_index_stream s;
      struct tb_decoder_stats *stats = &index.streams[0].stats;
      stats->bad_image = faults;
      for (unsigned i = 0; i < tb_fault_places (stats); i++)
	stats->places[i] = (struct tb_fault_place) {
	  .index = 100 + i, .address = 0x1000 * i, .fault = (uint8_t) (i % TB_FAULT_COUNT)
	};
      tb_index_encode_stream (&index.streams[0], &bytes);
      if (CHECK (tb_index_decode_stream (&s, bytes.data, bytes.size)))
	{
	  CHECK_INT (s.stats.bad_image, faults);
	  for (unsigned i = 0; i < tb_fault_places (stats); i++)
	    {
	      CHECK_INT (s.stats.places[i].index, stats->places[i].index);
	      CHECK_INT (s.stats.places[i].address, stats->places[i].address);
	      CHECK_INT (s.stats.places[i].fault, stats->places[i].fault);
	    }
	  CHECK_INT (s.npoints, index.streams[0].npoints);
	  tb_index_stream_fini (&s);
	}
      tb_buffer_fini (&bytes);
    }
  tb_index_fini (&index);
}

/* Questions to an index.  */
static void
test_questions (const struct tb_buffer *good, struct tb_mac_value buffer_key,
		const struct tb_mac_key *key)
{
  struct tb_index index;
  const char *why;
  CHECK (tb_index_decode (&index, good->data, good->size, buffer_key, key,
			  &why));
  const struct tb_index_stream *s = &index.streams[0];
  for (size_t i = 0; i < s->npoints; i++)
    {
      const struct tb_checkpoint *p = &s->points[i], *got;
      got = tb_index_step (s, p->start.step);
      CHECK (got->start.step == p->start.step && got >= p);
      got = tb_index_byte (s, p->index + 1);
      CHECK (got->index == p->index);
      if (i > 0)
	CHECK (tb_index_step (s, p->start.step - 1) < p);
    }
  CHECK (tb_index_step (s, 0) == s->points);
  CHECK (tb_index_byte (s, 0) == s->points);
  CHECK (tb_index_timestamp (s, 0) == s->points
	 || tb_index_timestamp (s, 0) == s->points + 1);
  CHECK_INT (tb_id_index_count (&s->ids, TB_ID_SYNC), s->stats.syncs);
  CHECK (tb_id_index_count (&s->ids, TB_ID_TIMESTAMP) > 100);
  CHECK_INT (index.source.covered, index.source.size);
  tb_index_fini (&index);
}

/* Looking for a PC that never ran decodes nothing where an index says what ran; what did run
   is found where it is found without.  */
static void
test_ran (const struct run *run)
{
  struct tb_recording *r[2] = { open_run (run, false), open_run (run, true) };
  struct tb_visits *v[2] = { NULL, NULL };
  for (int i = 0; i < 2; i++)
    if (!CHECK (r[i] != NULL) || !CHECK ((v[i] = tb_visits_new (r[i])) != NULL))
      return;
  CHECK (tb_recording_indexed (r[1]));
  struct tb_visit_range range = { LONG_TRACE_CODE + 32, LONG_TRACE_CODE + 100 };
  const struct tb_visit_query query = { &range, 1, false };
  struct tb_visits_coverage coverage;
  uint64_t end = tb_recording_steps (r[0]), step[2];
  for (int i = 0; i < 2; i++)
    {
      CHECK_INT (tb_visits_next (v[i], &query, 0, end, &step[i]), TB_SEARCH_NONE);
      CHECK_INT (tb_visits_previous (v[i], &query, end, 0, &step[i]), TB_SEARCH_NONE);
      tb_visits_coverage (v[i], &coverage);
      CHECK (coverage.windows > 10);
      CHECK_INT (coverage.windows_seen, i == 0 ? coverage.windows : 0);
    }
  for (uint64_t pc = 0; pc < sizeof long_trace_code; pc += 4)
    for (uint64_t from = 0; from < end; from += end / 50)
      {
	range.first = range.last = LONG_TRACE_CODE + pc;
	enum tb_search found = tb_visits_next (v[0], &query, from, end, &step[0]);
	CHECK_INT (tb_visits_next (v[1], &query, from, end, &step[1]), found);
	if (found == TB_SEARCH_FOUND)
	  CHECK_INT (step[1], step[0]);
      }
  for (int i = 0; i < 2; i++)
    {
      tb_visits_free (v[i]);
      tb_recording_close (r[i]);
    }
}

/* A secret that others could have read is none.  */
static void
test_secret (const struct run *run, const struct said *want)
{
  char path[160];
  snprintf (path, sizeof path, "%s/secret", directory);
  CHECK_INT (chmod (path, 0644), 0);
  unsigned before = warnings;
  check_open (run, want, false);
  CHECK_INT (warnings, before + 1);
  CHECK_INT (chmod (path, 0600), 0);
  check_open (run, want, true);
  CHECK_INT (unlink (path), 0);
  check_open (run, want, false);	/* A new one: not that of the file.  */
  check_open (run, want, true);
}

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *ftw)
{
  (void) st;
  (void) type;
  (void) ftw;
  return remove (path);
}

/* What is decoded of a buffer depends on more than its bytes.  */
static void
test_buffer_key (const struct tb_trace_buffer *buffer, const struct tb_mac_key *key)
{
  struct tb_mac_value plain = tb_index_buffer_key (buffer, key);
  struct tb_trace_buffer other = *buffer;
  const bool breaks[] = { true };
  other.joined = true;
  CHECK (!tb_mac_equal (plain, tb_index_buffer_key (&other, key)));
  other.joined = false;
  other.fresh = breaks;
  CHECK_INT (other.nspans, 1);
  CHECK (!tb_mac_equal (plain, tb_index_buffer_key (&other, key)));
  other.fresh = NULL;
  CHECK (tb_mac_equal (plain, tb_index_buffer_key (&other, key)));
}

int
main (void)
{
  struct tb_buffer trace = { 0 }, frames = { 0 }, good = { 0 };
  struct run run;
  struct tb_filemap map;
  long_trace_make (&trace, 100000, 400);
  if (!CHECK (mkdtemp (directory) != NULL) || !CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return check_done ();
  long_trace_frame (&frames, &trace);
  run.span = (struct tb_span) { frames.data, frames.size };
  run.buffer.format = TB_FORMAT_CORESIGHT;
  run.buffer.size = frames.size;
  snprintf (file, sizeof file, "%s/x.tbindex", directory);

  struct tb_recording *r = open_run (&run, false);
  if (!CHECK (r != NULL))
    return check_done ();
  struct said want = read_all (r);
  CHECK (want.steps > 60000 && want.events > 300);
  tb_recording_close (r);

  check_open (&run, &want, false);
  check_open (&run, &want, true);
  CHECK_INT (warnings, 0);
  if (!CHECK_INT (tb_filemap_open (&map, file, &diag), TB_OK))
    return check_done ();
  tb_buffer_append (&good, map.data, map.size);
  tb_filemap_close (&map);

  uint8_t secret[TB_MAC_SECRET];
  struct tb_mac_key key;
  CHECK_INT (tb_index_secret (directory, secret, &diag), TB_OK);
  tb_mac_key_init (&key, secret);
  struct tb_mac_value buffer_key = tb_index_buffer_key (&run.buffer, &key);
  test_buffer_key (&run.buffer, &key);
  test_questions (&good, buffer_key, &key);
  test_parts (&good, buffer_key, &key);
  test_faults (&good, buffer_key, &key);
  test_ran (&run);
  test_damage (&run, &want, &good);
  test_lies (&run, &want, &good);
  test_stale (&run, &want, &frames, &good);
  test_secret (&run, &want);

  run_fini (&run);
  tb_buffer_fini (&trace);
  tb_buffer_fini (&frames);
  tb_buffer_fini (&good);
  nftw (directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return check_done ();
}
