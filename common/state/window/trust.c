/* Which steps can be reasoned about.  See trust.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/trust.h"

#include <stdlib.h>
#include <string.h>

#include "recording/gap-walk.h"
#include "recording/packed-ran.h"
#include "util/buffer.h"
#include "util/search.h"

void
tb_trust_fini (struct tb_trust *t)
{
  free (t->stretches);
  free (t->distrusted);
  *t = (struct tb_trust) { .count = 0 };
}

static bool
add_stretch (struct tb_trust *t, uint64_t first, uint64_t end)
{
  if (first >= end)
    return true;
  bool ok = TB_GROW (t->stretches, t->room, t->count, 1);
  if (ok)
    t->stretches[t->count++] = (struct tb_stretch) { .first = first, .end = end };
  return ok;
}

bool
tb_trust_init (struct tb_trust *t, struct tb_recording *recording,
	       uint64_t base, uint64_t steps)
{
  const struct tb_region *regions;
  uint64_t first = 0;
  *t = (struct tb_trust) { .recording = recording, .base = base,
			   .steps = steps };
  t->nregions = tb_memmap_regions (tb_recording_memmap (recording), &regions);
  t->distrusted = calloc (t->nregions + 1, sizeof *t->distrusted);
  struct tb_gap_walk walk = tb_gap_walk_from (recording, base, base + steps);
  struct tb_gap gap;
  bool ok = t->distrusted != NULL;
  while (ok && tb_gap_next (&walk, &gap))
    {
      ok = add_stretch (t, first, gap.step - base);
      first = gap.step - base;
      if (gap.fault && t->count > 0)
	t->stretches[t->count - 1].faults++;
    }
  return ok && !walk.events.failed && add_stretch (t, first, steps);
}

/* The stretch of step I; the last one that begins there or before.  */
static struct tb_stretch *
stretch_of (const struct tb_trust *t, uint64_t i)
{
  size_t low = 0, high = t->count;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (t->stretches[middle].first <= i)
	low = middle;
      else
	high = middle;
    }
  return &t->stretches[low];
}

/* The number of the region that ADDRESS is in; that of regions where there is
   none.  */
static size_t
region_at (const struct tb_trust *t, enum tb_space space, uint64_t address)
{
  const struct tb_memmap *map = tb_recording_memmap (t->recording);
  const struct tb_region *regions, *region;
  uint64_t there;
  size_t n = tb_memmap_regions (map, &regions);
  if (tb_memmap_at (map, space, address, &there, &region) == NULL
      || region < regions || region >= regions + n)
    return n;
  return (size_t) (region - regions);
}

bool
tb_trust_distrusts (const struct tb_trust *t, enum tb_space space,
		    uint64_t address)
{
  if (t->distrusted == NULL)
    return false;
  size_t region = region_at (t, space, address);
  return region < t->nregions && t->distrusted[region];
}

void
tb_trust_blame (struct tb_trust *t, const struct tb_step *step, uint64_t i)
{
  t->distrusted[region_at (t, (enum tb_space) step->space, step->pc)] = true;
  stretch_of (t, i)->lost = true;
}

/* Steps that are read at once to find what code ran.  */
#define READ_MOST (UINT64_C (1) << 26)

/* Places of the memory map that were looked up.  */
#define REGIONS_KEPT 4

/* Steps one after the other, by their runs.  */
struct runs
{
  const struct tb_trust *trust;
  uint64_t next, end;		/* As numbered in the recording.  */
  const struct tb_window *window;	/* NULL: that of NEXT is to be asked for.  */
  size_t run;			/* In it.  */
  struct { uint64_t first, last; size_t region; enum tb_space space; } kept[REGIONS_KEPT];
  unsigned nkept;
};

static struct runs
runs_of (const struct tb_trust *t, uint64_t first, uint64_t end)
{
  return (struct runs) { .trust = t, .next = t->base + first, .end = t->base + end };
}

/* Are the addresses from START to before END, of which there is one, in one region, or all in
   none?  Then *REGION is its number.  */
static bool
in_one_region (struct runs *r, enum tb_space space, uint64_t start, uint64_t end,
	       size_t *region)
{
  unsigned n = r->nkept < REGIONS_KEPT ? r->nkept : REGIONS_KEPT, same = REGIONS_KEPT;
  for (unsigned i = 0; i < n; i++)
    if (r->kept[i].space == space && r->kept[i].first <= start && end - 1 <= r->kept[i].last)
      {
	*region = r->kept[i].region;
	return true;
      }
  uint64_t length;
  if (tb_memmap_at (tb_recording_memmap (r->trust->recording), space, start, &length, NULL)
      == NULL)
    return false;
  *region = region_at (r->trust, space, start);
  for (unsigned i = 0; i < n; i++)
    if (r->kept[i].space == space && r->kept[i].last == start + (length - 1))
      same = i;
  if (same == REGIONS_KEPT)
    same = r->nkept++ % REGIONS_KEPT;
  else if (r->kept[same].first < start)
    return false;
  r->kept[same].space = space;
  r->kept[same].first = start;
  r->kept[same].last = start + (length - 1);
  r->kept[same].region = *region;
  return end - start <= length;
}

/* The window of the next step of R: find its run.  False: there is no memory.  */
static bool
enter_window (struct runs *r)
{
  struct tb_recording *recording = r->trust->recording;
  const struct tb_window *w
    = tb_recording_window (recording, tb_recording_window_at (recording, r->next));
  r->window = w;
  if (w == NULL)
    return false;
  TB_LOWER_BOUND (r->run, w->nruns, w->runs[r->run].step + w->runs[r->run].count <= r->next);
  return r->run < w->nruns && w->runs[r->run].step <= r->next;
}

/* *COUNT steps, the next ones of R, are in *REGION (or in none, see region_at).  False: there are
   no more, or (NEXT is not END then) no memory.  */
static bool
next_piece (struct runs *r, uint64_t *count, size_t *region)
{
  if (r->next >= r->end)
    return false;
  if (r->window != NULL && r->run == r->window->nruns)
    r->window = NULL;
  if (r->window == NULL && !enter_window (r))
    return false;
  const struct tb_run *run = &r->window->runs[r->run];
  enum tb_space space = (enum tb_space) run->space;
  uint64_t behind = run->step + run->count;
  uint64_t end = run->end > run->start ? run->end : run->start + 1;
  *count = (behind < r->end ? behind : r->end) - r->next;
  if (in_one_region (r, space, run->start, end, region))
    {
      r->next += *count;
      r->run += r->next == behind;
      return true;
    }
  /* To read a step may put another window in the place of this one.  */
  struct tb_step step;
  r->window = NULL;
  if (tb_recording_read (r->trust->recording, r->next, &step, 1) != 1)
    return false;
  *count = 1;
  *region = region_at (r->trust, (enum tb_space) step.space, step.pc);
  r->next++;
  return true;
}

/* May window NUMBER run anything that is distrusted, for all that the index says?  */
static bool
may_run (const struct tb_trust *t, size_t number)
{
  const struct tb_packed_ran *ran = tb_recording_window_ran (t->recording, number);
  const struct tb_region *regions;
  struct tb_visit_range range;
  if (ran == NULL)
    return true;
  tb_memmap_regions (tb_recording_memmap (t->recording), &regions);
  struct tb_packed_ran_cursor cursor = tb_packed_ran_begin (ran);
  while (tb_packed_ran_next (&cursor, &range))
    for (size_t i = 0; i < t->nregions; i++)
      if (t->distrusted[i] && range.first <= regions[i].address + (regions[i].length - 1)
	  && range.last >= regions[i].address)
	return true;
  return false;
}

/* Look at the steps of stretch S from step AT of the window on, as far as one window of the
   recording goes.  */
static void
spread_some (const struct tb_trust *t, struct tb_stretch *s, struct tb_trust_spread *at)
{
  struct tb_recording *r = t->recording;
  size_t number = tb_recording_window_at (r, t->base + at->next);
  uint64_t end = tb_recording_window_step (r, number + 1) - t->base, count;
  size_t region;
  end = end < s->end ? end : s->end;
  if (!may_run (t, number))
    {
      at->read += end - at->next;
      at->next = end;
    }
  struct runs runs = runs_of (t, at->next, end);
  while (!s->lost && at->read <= READ_MOST && next_piece (&runs, &count, &region))
    {
      s->lost = region < t->nregions && t->distrusted[region];
      at->read += s->lost ? 1 : count;
    }
  s->lost |= at->read > READ_MOST;
  /* Without memory the rest is not known.  */
  at->next = runs.next < runs.end && !s->lost ? s->end : end;
}

bool
tb_trust_spread (struct tb_trust *t, struct tb_trust_spread *at, struct tb_poll *poll)
{
  for (; at->stretch < t->count; at->stretch++, at->next = 0)
    {
      struct tb_stretch *s = &t->stretches[at->stretch];
      if (at->next < s->first)
	at->next = s->first;
      s->lost |= at->read >= READ_MOST;
      while (!s->lost && at->next < s->end)
	{
	  spread_some (t, s, at);
	  if (!tb_poll_goes_on (poll, TB_POLL_UNITS))
	    return false;
	}
    }
  return true;
}

/* Lose the stretches that run what is distrusted, or may, where reading them all
   would take too long.  */
static void
spread (struct tb_trust *t)
{
  struct tb_trust_spread at = { 0 };
  tb_trust_spread (t, &at, NULL);
}

/* Lose stretch NUMBER, and trust none of its code.  */
static void
lose (struct tb_trust *t, size_t number)
{
  struct tb_stretch *s = &t->stretches[number];
  struct runs runs = runs_of (t, s->first, s->end);
  uint64_t count;
  size_t region;
  /* It may run any, for all that is known.  */
  if (s->end - s->first >= READ_MOST)
    memset (t->distrusted, true, t->nregions * sizeof *t->distrusted);
  else
    while (next_piece (&runs, &count, &region))
      t->distrusted[region] = true;
  s->lost = true;
}

void
tb_trust_lose (struct tb_trust *t, size_t number)
{
  lose (t, number);
  spread (t);
}

void
tb_trust_lose_at (struct tb_trust *t, uint64_t i)
{
  size_t number = (size_t) (stretch_of (t, i) - t->stretches);
  if (i < t->steps && t->count != 0 && !t->stretches[number].lost)
    tb_trust_lose (t, number);
}

bool
tb_trust_is_lost (const struct tb_trust *t, uint64_t i)
{
  return t->count > 0 && stretch_of (t, i)->lost;
}

bool
tb_trust_reaches_end (const struct tb_trust *t, uint64_t i)
{
  return t->count == 0 || t->stretches[t->count - 1].first <= i;
}

bool
tb_trust_add (struct tb_trust *whole, const struct tb_trust *part)
{
  bool news = false;
  for (size_t i = 0; i < part->count && whole->count != 0; i++)
    {
      uint64_t first = part->base - whole->base + part->stretches[i].first;
      struct tb_stretch *s = stretch_of (whole, first);
      if (!part->stretches[i].lost || s->lost)
	continue;
      lose (whole, (size_t) (s - whole->stretches));
      news = true;
    }
  if (news)
    spread (whole);
  return news;
}

bool
tb_trust_none (struct tb_trust *t, struct tb_recording *recording)
{
  if (!tb_trust_init (t, recording, 0, tb_recording_steps (recording)))
    return false;
  for (size_t i = 0; i < t->nregions; i++)
    t->distrusted[i] = true;
  for (size_t i = 0; i < t->count; i++)
    t->stretches[i].lost = true;
  return true;
}

bool
tb_trust_cut (struct tb_trust *t, const struct tb_trust *whole,
	      uint64_t base, uint64_t steps)
{
  *t = (struct tb_trust) { .recording = whole->recording, .base = base,
			   .steps = steps, .nregions = whole->nregions };
  t->distrusted = calloc (t->nregions + 1, sizeof *t->distrusted);
  bool ok = t->distrusted != NULL;
  if (ok)
    memcpy (t->distrusted, whole->distrusted, t->nregions);
  for (size_t i = 0; ok && i < whole->count; i++)
    {
      const struct tb_stretch *s = &whole->stretches[i];
      if (s->end <= base || s->first >= base + steps)
	continue;
      uint64_t first = s->first > base ? s->first - base : 0;
      uint64_t end = s->end < base + steps ? s->end - base : steps;
      ok = add_stretch (t, first, end);
      if (ok)
	t->stretches[t->count - 1].lost = s->lost;
    }
  return ok;
}

size_t
tb_trust_lost (const struct tb_trust *t, uint64_t *steps)
{
  size_t lost = 0;
  *steps = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->stretches[i].lost)
      {
	lost++;
	*steps += t->stretches[i].end - t->stretches[i].first;
      }
  return lost;
}

const char *
tb_trust_name (const struct tb_trust *t)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (tb_recording_memmap (t->recording), &regions);
  for (size_t i = 0; i < n; i++)
    if (t->distrusted[i])
      return regions[i].name;
  return NULL;
}

void
tb_trust_apply (const struct tb_trust *t, uint32_t *info, uint32_t mask,
		size_t count)
{
  for (size_t i = 0; i < t->count; i++)
    for (uint64_t k = t->stretches[i].first; k < t->stretches[i].end; k++)
      {
	uint32_t number = info[k] & mask;
	uint32_t own = number < count ? number : number - (uint32_t) count;
	if (t->stretches[i].lost)
	  own += (uint32_t) count;
	info[k] = (info[k] & ~mask) | own;
      }
}
