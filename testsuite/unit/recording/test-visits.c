/* Searches for PCs and for memory accesses, compared with reading every step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "recording/session.h"
#include "recording/visits.h"
#include "state/answer/accesses.h"
#include "state/answer/stacked.h"

/* Recordings that are not among the samples.  */
static const char *const cases[] = {
  "corpus/cases/p07-mtb-m33-sort-64k", "corpus/cases/p11-etm4-a57-sort",
  "corpus/cases/p31-etm3-m3-sort-long", "snapshots/001-ack_test"
};

static bool
in_query (const struct tb_visit_query *q, uint64_t pc)
{
  bool inside = false;
  for (size_t i = 0; i < q->count; i++)
    inside |= q->ranges[i].first <= pc && pc <= q->ranges[i].last;
  return inside != q->outside;
}

/* Walk all that Q finds, there and back.  */
static void
compare (struct tb_visits *v, const struct tb_step *steps, uint64_t count,
	 const struct tb_visit_query *q)
{
  uint64_t at = 0, step = 0, found = 0;
  for (uint64_t i = 0; i < count && found < 2000; i++)
    if (in_query (q, steps[i].pc))
      {
	if (!CHECK_INT (tb_visits_next (v, q, at, count, &step),
			TB_SEARCH_FOUND) || !CHECK_INT (step, i))
	  return;
	at = i + 1;
	found++;
      }
  if (found < 2000)
    CHECK_INT (tb_visits_next (v, q, at, count, &step), TB_SEARCH_NONE);
  at = count;
  found = 0;
  for (uint64_t i = count; i-- > 0 && found < 2000;)
    if (in_query (q, steps[i].pc))
      {
	if (!CHECK_INT (tb_visits_previous (v, q, at, 0, &step),
			TB_SEARCH_FOUND) || !CHECK_INT (step, i))
	  return;
	at = i;
	found++;
      }
  if (found < 2000)
    CHECK_INT (tb_visits_previous (v, q, at, 0, &step), TB_SEARCH_NONE);
}

static void
test_queries (struct tb_recording *r, const struct tb_step *steps,
	      uint64_t count)
{
  struct tb_visits *v = tb_visits_new (r);
  if (!CHECK (v != NULL))
    return;
  uint64_t a = steps[0].pc, b = steps[count / 2].pc, step;
  if (a > b)
    {
      a = b;
      b = steps[0].pc;
    }
  struct tb_visit_range one = { b, b }, absent = { 1, 1 };
  struct tb_visit_range wide = { a, b }, all = { 0, UINT64_MAX };
  struct tb_visit_range two[2] = { { a, a }, { b, b } };
  const struct tb_visit_query queries[] = {
    { &one, 1, false }, { &absent, 1, false }, { &wide, 1, false },
    { &wide, 1, true }, { &one, 1, true }, { &all, 1, false },
    { &all, 1, true }, { two, a != b ? 2 : 1, false },
    { two, a != b ? 2 : 1, true }, { NULL, 0, false }, { NULL, 0, true }
  };
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
    compare (v, steps, count, &queries[i]);

  /* Bounds.  */
  CHECK_INT (tb_visits_next (v, &queries[5], 3, 3, &step), TB_SEARCH_NONE);
  CHECK_INT (tb_visits_next (v, &queries[5], count, UINT64_MAX, &step),
	     TB_SEARCH_NONE);
  CHECK_INT (tb_visits_previous (v, &queries[5], 0, 0, &step),
	     TB_SEARCH_NONE);
  CHECK_INT (tb_visits_previous (v, &queries[5], UINT64_MAX, count, &step),
	     TB_SEARCH_NONE);

  /* All has been seen: just what ran is known to have run.  */
  uint64_t length;
  for (uint64_t i = 0; i < count; i += 37)
    CHECK (tb_visits_ran (v, steps[i].space, steps[i].pc, &length)
	   && length >= steps[i].size);
  CHECK (!tb_visits_ran (v, steps[0].space, 1, &length) && length > 0);
  struct tb_visits_coverage coverage;
  tb_visits_coverage (v, &coverage);
  CHECK (coverage.bytes >= 2 && coverage.pieces >= 1);
  CHECK (coverage.windows_seen <= coverage.windows);
  tb_visits_free (v);
}

static bool
never (void *context)
{
  (void) context;
  return false;
}

static void
test_stop (struct tb_recording *r, uint64_t count)
{
  struct tb_visits *v = tb_visits_new (r);
  struct tb_visit_range absent = { 1, 1 };
  struct tb_visit_query query = { &absent, 1, false };
  uint64_t step;
  tb_visits_set_poll (v, never, NULL);
  CHECK_INT (tb_visits_next (v, &query, 0, count, &step), TB_SEARCH_STOPPED);
  tb_visits_set_poll (v, NULL, NULL);
  CHECK_INT (tb_visits_next (v, &query, 0, count, &step), TB_SEARCH_NONE);
  tb_visits_free (v);
}

/* May ACCESS, whose address is not known, be to what WATCH is about?  Bounds are kept to a
   power of 2.  */
static bool
may_hit (const struct tb_access_info *access, const struct tb_watch_range *watch)
{
  uint64_t behind = 1;
  if (!access->address_bounded)
    return true;
  while (behind != 0 && behind <= access->high - access->low)
    behind *= 2;
  if (behind == 0)
    return true;
  uint64_t last = access->low + (behind - 1) + (access->length - 1);
  return last < access->low
	 || (access->low < watch->address + watch->length && watch->address <= last);
}

/* Watch what some step accesses.  */
static void
test_accesses (struct tb_recording *r, const struct tb_device *core,
	       uint64_t count)
{
  struct tb_diag diag = { 0 };
  struct tb_state_options options = { .core = core };
  struct tb_state *s = tb_state_open (r, &options, &diag);
  struct tb_accesses *a = s != NULL ? tb_accesses_new (s, r, 0) : NULL;
  struct tb_watch_range watch = { .length = 0 };
  if (!CHECK (a != NULL))
    return;
  for (uint64_t i = count / 2; i < count && watch.length == 0; i++)
    {
      struct tb_access_info one;
      if (tb_state_accesses (s, i, &one, 1) >= 1 && one.address_known
	  && one.store)
	watch = (struct tb_watch_range) { .address = one.address, .length = one.length,
					  .stores = true };
    }
  for (unsigned kind = 0; kind < 3 && watch.length != 0; kind++)
    {
      watch.loads = kind > 0;
      watch.stores = kind != 1;
      struct tb_access_found found = { 0 };
      uint64_t at = 0, unknown = 0, hits = 0;
      for (uint64_t i = 0; i < count; i++)
	{
	  struct tb_access_info some[200];
	  size_t n = tb_state_accesses (s, i, some, 64);
	  /* What an exception behind it puts on the stack counts as its.  */
	  n += tb_state_stacked (s, i + 1, some + n, 200 - n);
	  bool hit = false;
	  unknown += !tb_state_analysed (s, i);
	  for (size_t j = 0; j < n && !hit; j++)
	    if (some[j].store ? watch.stores : watch.loads)
	      {
		hit = some[j].address_known
		      && some[j].address < watch.address + watch.length
		      && watch.address < some[j].address + some[j].length;
		unknown += !some[j].address_known && may_hit (&some[j], &watch);
	      }
	  if (!hit)
	    continue;
	  CHECK_INT (tb_accesses_next (a, &watch, 1, at, count, &found),
		     TB_SEARCH_FOUND);
	  CHECK_INT (found.step, i);
	  CHECK_INT (found.unknown_loads + found.unknown_stores
		     + found.unknown_steps, unknown);
	  uint64_t back = i + 1;
	  CHECK_INT (tb_accesses_previous (a, &watch, 1, back, at, &found),
		     TB_SEARCH_FOUND);
	  CHECK_INT (found.step, i);
	  at = i + 1;
	  unknown = 0;
	  hits++;
	}
      CHECK_INT (tb_accesses_next (a, &watch, 1, at, count, &found),
		 TB_SEARCH_NONE);
      CHECK (hits > 0 || kind == 1);
    }
  tb_accesses_free (a);
  tb_state_close (s);
}

static void
test_snapshot (const char *path)
{
  struct tb_session session;
  struct tb_diag diag = { 0 };
  if (!CHECK_INT (tb_session_open (&session, path, NULL, &diag), TB_OK))
    {
      fprintf (stderr, "%s\n", path);
      return;
    }
  for (size_t i = 0; i < session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &session.streams[i];
      if (stream->protocol == NULL || stream->protocol->software)
	continue;
      struct tb_decoder *decoder = tb_session_decoder (&session, stream,
						       &diag);
      struct tb_recording *r
	= tb_recording_open (decoder, &stream->core->profile,
			     stream->core->map, &diag);
      if (!CHECK (r != NULL))
	continue;
      uint64_t count = tb_recording_steps (r);
      struct tb_step *steps = malloc ((size_t) count * sizeof *steps + 1);
      if (count != 0
	  && CHECK_INT (tb_recording_read (r, 0, steps, (size_t) count), count))
	{
	  test_queries (r, steps, count);
	  test_stop (r, count);
	  test_accesses (r, stream->core->device, count);
	}
      free (steps);
      tb_recording_close (r);
    }
  tb_session_close (&session);
}

int
main (void)
{
  const char *source = getenv ("srcdir"), *shared = getenv ("TB_SHARED");
  char path[4096];
  for (unsigned i = 0; i < 2; i++)
    {
      snprintf (path, sizeof path, "%s/samples/%s",
		source != NULL ? source : ".", i == 0 ? "crash-m0" : "gap-m0");
      test_snapshot (path);
    }
  for (size_t i = 0; shared != NULL && i < sizeof cases / sizeof cases[0]; i++)
    {
      snprintf (path, sizeof path, "%s/%s", shared, cases[i]);
      test_snapshot (path);
    }
  return check_done ();
}
