/* Visits.  See visits.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/visits.h"

#include <stdlib.h>
#include <string.h>

#include "recording/packed-ran.h"
#include "recording/window.h"
#include "util/search.h"

struct tb_visits
{
  struct tb_recording *recording;
  unsigned generation;		/* Of RECORDING, when its windows were counted.  */
  struct tb_packed_ran *windows;	/* What ran in each; not known: not seen yet.  */
  size_t nwindows, nseen;
  struct tb_ran ran[TB_SPACE_LIMIT];	/* In all windows seen.  */
  struct tb_gather gather;	/* For one window.  */
  bool (*go_on) (void *context);
  void *context;
  uint64_t reached;		/* By the last search.  */
};

struct tb_visits *
tb_visits_new (struct tb_recording *recording)
{
  struct tb_visits *v = calloc (1, sizeof *v);
  if (v == NULL)
    return NULL;
  v->recording = recording;
  v->generation = tb_recording_generation (recording);
  v->nwindows = tb_recording_windows (recording);
  v->windows = calloc (v->nwindows + 1, sizeof *v->windows);
  if (v->windows == NULL)
    {
      free (v);
      return NULL;
    }
  return v;
}

/* Forget what was seen.  */
static void
forget (struct tb_visits *v)
{
  for (size_t i = 0; i < v->nwindows; i++)
    free (v->windows[i].bytes);
  free (v->windows);
  for (size_t i = 0; i < TB_SPACE_LIMIT; i++)
    v->ran[i].count = 0;
  v->nseen = 0;
}

void
tb_visits_free (struct tb_visits *v)
{
  if (v == NULL)
    return;
  forget (v);
  for (size_t i = 0; i < TB_SPACE_LIMIT; i++)
    free (v->ran[i].items);
  free (v->gather.ran.items);
  free (v);
}

/* Have the windows stayed what they were?  If not, begin anew.  */
static bool
same_windows (struct tb_visits *v)
{
  if (v->generation == tb_recording_generation (v->recording))
    return true;
  forget (v);
  v->generation = tb_recording_generation (v->recording);
  v->nwindows = tb_recording_windows (v->recording);
  v->windows = calloc (v->nwindows + 1, sizeof *v->windows);
  if (v->windows == NULL)
    v->nwindows = 0;
  return false;
}

void
tb_visits_set_poll (struct tb_visits *v, bool (*go_on) (void *context),
		    void *context)
{
  v->go_on = go_on;
  v->context = context;
}

/* Summarise window NUMBER, which is W.  */
static bool
summarise (struct tb_visits *v, size_t number, const struct tb_window *w)
{
  struct tb_gather *gather = &v->gather;
  for (size_t i = 0; i < w->nruns; i++)
    {
      const struct tb_run *run = &w->runs[i];
      if (run->end == run->start
	  || tb_gather_knows (gather, run->space, run->start, run->end))
	continue;
      if (!tb_ran_append (&gather->ran, run->start, run->end - 1))
	return false;
      struct tb_ran *ran = &v->ran[run->space];
      size_t at = tb_ran_at (ran, run->start);
      if ((at == ran->count || ran->items[at].first > run->start
	   || ran->items[at].last < run->end - 1)
	  && !tb_ran_insert (ran, run->start, run->end - 1))
	return false;
    }
  if (!tb_gather_pack (gather, false, &v->windows[number]))
    return false;
  v->nseen++;
  return true;
}

/* Can QUERY find anything among the instructions that start from FIRST to
   LAST?  False only if surely not.  */
static bool
may_find (const struct tb_visit_query *q, uint64_t first, uint64_t last)
{
  /* The first range that ends at FIRST or later.  */
  size_t low;
  TB_LOWER_BOUND (low, q->count, q->ranges[low].last < first);
  if (low == q->count)
    return q->outside;
  const struct tb_visit_range *range = &q->ranges[low];
  return q->outside ? range->first > first || last > range->last
		    : range->first <= last;
}

static bool
wants (const struct tb_visit_query *q, uint64_t pc)
{
  return may_find (q, pc, pc);
}

static bool
may_find_in_window (const struct tb_packed_ran *ran, const struct tb_visit_query *q)
{
  struct tb_packed_ran_cursor cursor = tb_packed_ran_begin (ran);
  struct tb_visit_range range;
  while (tb_packed_ran_next (&cursor, &range))
    if (may_find (q, range.first, range.last))
      return true;
  return false;
}

/* Look through the steps FIRST to END - 1 of one run, whose index is not
   needed: the first that QUERY wants, or the last.  */
static bool
search_run (const struct tb_visits *v, const struct tb_window *w,
	    const struct tb_visit_query *q, uint64_t first, uint64_t end,
	    bool last, uint64_t *step)
{
  struct tb_step steps[64];
  bool found = false;
  while (first < end)
    {
      size_t want = end - first < 64 ? (size_t) (end - first) : 64;
      size_t n = tb_window_read (w, tb_recording_memmap (v->recording), first,
				 steps, want);
      if (n == 0)
	break;
      for (size_t i = 0; i < n; i++)
	if (wants (q, steps[i].pc))
	  {
	    *step = first + i;
	    found = true;
	    if (!last)
	      return true;
	  }
      first += n;
    }
  return found;
}

/* The index of the last run of W that begins at or before STEP.  */
static size_t
run_at (const struct tb_window *w, uint64_t step)
{
  size_t low = 0, high = w->nruns;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (w->runs[middle].step <= step)
	low = middle;
      else
	high = middle;
    }
  return low;
}

/* Look through the steps FIRST to END - 1 of window W.  */
static bool
search_window (const struct tb_visits *v, const struct tb_window *w,
	       const struct tb_visit_query *q, uint64_t first, uint64_t end,
	       bool last, uint64_t *step)
{
  if (w->nruns == 0 || first >= end)
    return false;
  size_t low = run_at (w, first), high = run_at (w, end - 1) + 1;
  for (size_t n = 0; n < high - low; n++)
    {
      const struct tb_run *run = &w->runs[last ? high - 1 - n : low + n];
      if (run->end == run->start
	  || !may_find (q, run->start, run->end - 1))
	continue;
      uint64_t from = run->step < first ? first : run->step;
      uint64_t to = run->step + run->count;
      if (search_run (v, w, q, from, to < end ? to : end, last, step))
	return true;
    }
  return false;
}

/* A search came upon windows that are not what they were.  */
#define SEARCH_AGAIN ((enum tb_search) -1)

/* Look through window NUMBER, as far as it is in FIRST to END - 1.  */
static enum tb_search
visit_window (struct tb_visits *v, size_t number,
	      const struct tb_visit_query *q, uint64_t first, uint64_t end,
	      bool last, uint64_t *step)
{
  uint64_t begin = tb_recording_window_step (v->recording, number);
  uint64_t after = tb_recording_window_step (v->recording, number + 1);
  v->reached = last ? after < end ? after : end : begin < first ? first : begin;
  if (begin == after)
    return TB_SEARCH_NONE;
  const struct tb_packed_ran *ran = v->windows[number].bytes != NULL
				    ? &v->windows[number]
				    : tb_recording_window_ran (v->recording, number);
  if (ran != NULL && !may_find_in_window (ran, q))
    return TB_SEARCH_NONE;
  if (v->go_on != NULL && !v->go_on (v->context))
    return TB_SEARCH_STOPPED;
  const struct tb_window *w = tb_recording_window (v->recording, number);
  if (!same_windows (v))
    return SEARCH_AGAIN;
  if (w == NULL)
    return TB_SEARCH_NO_MEMORY;
  if (v->windows[number].bytes == NULL)
    {
      if (!summarise (v, number, w))
	return TB_SEARCH_NO_MEMORY;
      if (!may_find_in_window (&v->windows[number], q))
	return TB_SEARCH_NONE;
    }
  return search_window (v, w, q, begin < first ? first : begin,
			after < end ? after : end, last, step)
	 ? TB_SEARCH_FOUND : TB_SEARCH_NONE;
}

static enum tb_search
search_forward (struct tb_visits *v, const struct tb_visit_query *q,
		uint64_t from, uint64_t end, uint64_t *step)
{
  uint64_t steps = tb_recording_steps (v->recording);
  if (end > steps)
    end = steps;
  if (from >= end)
    return TB_SEARCH_NONE;
  for (size_t i = tb_recording_window_at (v->recording, from);
       i < v->nwindows
       && tb_recording_window_step (v->recording, i) < end; i++)
    {
      enum tb_search found = visit_window (v, i, q, from, end, false, step);
      if (found != TB_SEARCH_NONE)
	return found;
    }
  return TB_SEARCH_NONE;
}

static enum tb_search
search_backward (struct tb_visits *v, const struct tb_visit_query *q,
		 uint64_t from, uint64_t begin, uint64_t *step)
{
  uint64_t steps = tb_recording_steps (v->recording);
  if (from > steps)
    from = steps;
  if (from <= begin)
    return TB_SEARCH_NONE;
  size_t last = tb_recording_window_at (v->recording, from - 1) + 1;
  for (size_t i = last < v->nwindows ? last : v->nwindows; i-- > 0
       && tb_recording_window_step (v->recording, i + 1) > begin;)
    {
      enum tb_search found = visit_window (v, i, q, begin, from, true, step);
      if (found != TB_SEARCH_NONE)
	return found;
    }
  return TB_SEARCH_NONE;
}

/* The windows change at most once: then there is no index left that could be
   found not to fit.  */
enum tb_search
tb_visits_next (struct tb_visits *v, const struct tb_visit_query *q,
		uint64_t from, uint64_t end, uint64_t *step)
{
  same_windows (v);
  enum tb_search found = search_forward (v, q, from, end, step);
  return found != SEARCH_AGAIN ? found
	 : search_forward (v, q, from, end, step);
}

enum tb_search
tb_visits_previous (struct tb_visits *v, const struct tb_visit_query *q,
		    uint64_t from, uint64_t begin, uint64_t *step)
{
  same_windows (v);
  enum tb_search found = search_backward (v, q, from, begin, step);
  return found != SEARCH_AGAIN ? found
	 : search_backward (v, q, from, begin, step);
}

uint64_t
tb_visits_reached (const struct tb_visits *v)
{
  return v->reached;
}

void
tb_visits_see (struct tb_visits *v, uint64_t step)
{
  same_windows (v);
  if (v->nwindows == 0)
    return;
  size_t number = tb_recording_window_at (v->recording, step);
  if (v->windows[number].bytes != NULL)
    return;
  const struct tb_window *w = tb_recording_window (v->recording, number);
  if (same_windows (v) && w != NULL)
    summarise (v, number, w);
}

bool
tb_visits_ran (const struct tb_visits *v, enum tb_space space,
	       uint64_t address, uint64_t *length)
{
  const struct tb_ran *ran = &v->ran[space];
  size_t at = tb_ran_at (ran, address);
  if (at == ran->count)
    {
      *length = UINT64_MAX - address + 1;
      return false;
    }
  const struct tb_visit_range *piece = &ran->items[at];
  if (piece->first > address)
    {
      *length = piece->first - address;
      return false;
    }
  *length = piece->last - address + 1;
  return true;
}

void
tb_visits_coverage (const struct tb_visits *v,
		    struct tb_visits_coverage *coverage)
{
  *coverage = (struct tb_visits_coverage) { 0, 0, v->nseen, v->nwindows };
  for (size_t s = 0; s < TB_SPACE_LIMIT; s++)
    for (size_t i = 0; i < v->ran[s].count; i++)
      {
	coverage->bytes += v->ran[s].items[i].last - v->ran[s].items[i].first
			   + 1;
	coverage->pieces++;
      }
}
