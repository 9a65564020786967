/* Which steps can be reasoned about.  See trust.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/trust.h"

#include <stdlib.h>
#include <string.h>

#include "arm/flow/flow.h"
#include "decode/element.h"
#include "util/buffer.h"

#define BATCH 1024

/* An IT instruction governs up to so many.  */
#define IT_MOST 4

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
  void *items = t->stretches;
  bool ok = tb_grow (&items, &t->room, t->count, 1, sizeof *t->stretches);
  t->stretches = items;
  if (ok)
    t->stretches[t->count++] = (struct tb_stretch) { first, end, false };
  return ok;
}

/* The events from step FIRST of the window on; *COUNT of them.  NULL: no
   memory.  */
static struct tb_event *
read_events (const struct tb_trust *t, size_t *count)
{
  uint64_t end = t->base + t->steps;
  *count = tb_recording_events (t->recording, t->base, end, NULL, 0);
  struct tb_event *events = calloc (*count + 1, sizeof *events);
  if (events != NULL)
    *count = tb_recording_events (t->recording, t->base, end, events, *count);
  return events;
}

bool
tb_trust_init (struct tb_trust *t, struct tb_recording *recording,
	       uint64_t base, uint64_t steps)
{
  const struct tb_region *regions;
  size_t count;
  uint64_t first = 0;
  *t = (struct tb_trust) { .recording = recording, .base = base,
			   .steps = steps };
  t->nregions = tb_memmap_regions (tb_recording_memmap (recording), &regions);
  t->distrusted = calloc (t->nregions + 1, sizeof *t->distrusted);
  struct tb_event *events = read_events (t, &count);
  bool ok = t->distrusted != NULL && events != NULL;
  for (size_t i = 0; ok && i < count; i++)
    if (events[i].kind == TB_EVENT_GAP)
      {
	ok = add_stretch (t, first, events[i].step - base);
	first = events[i].step - base;
      }
  ok = ok && add_stretch (t, first, steps);
  free (events);
  return ok;
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

/* Steps one after the other.  */
struct reader
{
  struct tb_recording *recording;
  struct tb_step steps[BATCH];
  uint64_t next, end;
  size_t at, count;
};

static const struct tb_step *
read_step (struct reader *r)
{
  if (r->at == r->count)
    {
      uint64_t left = r->end - r->next;
      r->at = 0;
      r->count = left == 0 ? 0
		 : tb_recording_read (r->recording, r->next, r->steps,
				      left < BATCH ? (size_t) left : BATCH);
      r->next += r->count;
    }
  return r->at < r->count ? &r->steps[r->at++] : NULL;
}

static struct reader
read_from (const struct tb_trust *t, uint64_t first, uint64_t end)
{
  return (struct reader) { .recording = t->recording, .next = t->base + first,
			   .end = t->base + end };
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

static size_t
region_of (const struct tb_trust *t, const struct tb_step *step)
{
  return region_at (t, (enum tb_space) step->space, step->pc);
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

static void
distrust (struct tb_trust *t, const struct tb_step *step)
{
  t->distrusted[region_of (t, step)] = true;
}

/* Steps that are read at once to find what code ran.  */
#define READ_MOST (UINT64_C (1) << 26)

/* Lose the stretches that run what is distrusted, or may, where reading them all
   would take too long.  */
static void
spread (struct tb_trust *t)
{
  uint64_t read = 0;
  for (size_t i = 0; i < t->count; i++)
    {
      struct tb_stretch *s = &t->stretches[i];
      struct reader r = read_from (t, s->first, s->end);
      const struct tb_step *step;
      while (!s->lost && (step = read_step (&r)) != NULL)
	{
	  size_t region = region_of (t, step);
	  s->lost = ++read > READ_MOST
		    || (region < t->nregions && t->distrusted[region]);
	}
    }
}

/* Lose stretch NUMBER, and trust none of its code.  */
static void
lose (struct tb_trust *t, size_t number)
{
  struct tb_stretch *s = &t->stretches[number];
  struct reader r = read_from (t, s->first, s->end);
  const struct tb_step *step;
  uint64_t read = 0;
  while (++read <= READ_MOST && (step = read_step (&r)) != NULL)
    distrust (t, step);
  /* It may run any, for all that is known.  */
  for (size_t k = 0; k < t->nregions && read > READ_MOST; k++)
    t->distrusted[k] = true;
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

/* Can the step after FROM, which flows by FLOW, be TO?  In an IT block, MAYBE, it
   may have been passed over.  */
static bool
follows (const struct tb_step *from, const struct tb_step *to,
	 const struct tb_flow *flow, bool maybe)
{
  bool taken = from->flags & TB_STEP_TAKEN;
  bool always = !flow->conditional && !maybe;
  bool branch = flow->kind == TB_FLOW_BRANCH || flow->kind == TB_FLOW_INDIRECT;
  if (flow->kind == TB_FLOW_UNDEFINED || flow->kind == TB_FLOW_BREAK
      || (flow->kind == TB_FLOW_SERVICE && !maybe))
    return false;
  if (branch && taken)
    return flow->kind == TB_FLOW_INDIRECT || to->pc == flow->target;
  if (always && (branch || (from->flags & TB_STEP_NOT_TAKEN
			    && from->isa != TB_ISA_A32)))
    return false;
  return to->pc == from->pc + from->size;
}

/* Does an event before step STEP, from number *AT on, say why execution went
   elsewhere?  *BAD: it is a gap since the code is not what ran.  */
static bool
explained (const struct tb_event *events, size_t count, size_t *at,
	   uint64_t step, bool *bad)
{
  bool yes = false;
  *bad = false;
  for (; *at < count && events[*at].step <= step; ++*at)
    switch (events[*at].kind)
      {
      case TB_EVENT_GAP:
	*bad |= events[*at].reason == TB_REASON_BAD_IMAGE;
	yes = true;
	break;
      case TB_EVENT_EXCEPTION: case TB_EVENT_EXCEPTION_RETURN:
      case TB_EVENT_HALT:
	yes = true;
	break;
      }
  return yes;
}

/* Step I is of code that is not what ran.  */
static void
blame (struct tb_trust *t, const struct tb_step *step, uint64_t i)
{
  distrust (t, step);
  stretch_of (t, i)->lost = true;
}

/* Look at each step and the one after it.  */
static void
look (struct tb_trust *t, const struct tb_event *events, size_t count)
{
  const struct tb_profile *profile = tb_recording_profile (t->recording);
  struct reader r = read_from (t, 0, t->steps);
  struct tb_step from = { .size = 0 };
  const struct tb_step *to;
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  unsigned in_it = IT_MOST;	/* So many steps may be in an IT block.  */
  size_t event = 0;
  for (uint64_t i = 0; (to = read_step (&r)) != NULL; i++)
    {
      bool bad, known = i > 0 && tb_flow_of (&flow, from.isa, from.opcode, from.size,
						 from.pc, in_it > 0, profile);
      bool why = explained (events, count, &event, t->base + i, &bad);
      if (i > 0 && (bad || (known && flow.kind == TB_FLOW_UNDEFINED)
		    || (known && !why && !follows (&from, to, &flow,
						   in_it > 0))))
	blame (t, &from, i - 1);
      in_it -= in_it > 0;
      if (why)
	in_it = IT_MOST;
      else if (known && flow.it_length > in_it)
	in_it = flow.it_length;
      from = *to;
    }
  bool bad;
  explained (events, count, &event, t->base + t->steps, &bad);
  if (t->steps > 0 && bad)
    blame (t, &from, t->steps - 1);
}

/* Of a trace too long to look at each step: at those where the decoder lost the
   way, because the code is not what ran.  Returns how many faults these are beside
   the first ones, whose addresses it kept.  */
static uint64_t
look_at_gaps (struct tb_trust *t, const struct tb_event *events, size_t count)
{
  uint64_t found = 0;
  for (size_t i = 0; i < count; i++)
    {
      struct tb_step step;
      if (events[i].kind != TB_EVENT_GAP
	  || events[i].reason != TB_REASON_BAD_IMAGE)
	continue;
      found++;
      if (events[i].step > t->base
	  && tb_recording_read (t->recording, events[i].step - 1, &step, 1) == 1)
	blame (t, &step, events[i].step - 1 - t->base);
    }
  return found > TB_FAULT_PLACES ? found - TB_FAULT_PLACES : 0;
}

bool
tb_trust_find_faults (struct tb_trust *t, struct tb_recording *recording,
		      uint64_t most)
{
  const struct tb_decoder_stats *stats = tb_recording_stats (recording);
  uint64_t total = tb_recording_steps (recording), lost;
  const struct tb_region *regions;
  size_t count = 0;
  uint64_t nfound = 0;
  if (!tb_trust_init (t, recording, 0, total))
    return false;
  for (unsigned i = 0; i < tb_fault_places (stats); i++)
    {
      uint64_t address = stats->places[i].address;
      tb_memmap_regions (tb_recording_memmap (recording), &regions);
      bool found = false;
      for (size_t k = 0; k < t->nregions; k++)
	if (address >= regions[k].address
	    && address - regions[k].address < regions[k].length)
	  found = t->distrusted[k] = true;
      nfound += found;
    }
  struct tb_event *events = read_events (t, &count);
  if (events == NULL)
    return false;
  if (total <= most)
    look (t, events, count);
  else
    nfound += look_at_gaps (t, events, count);
  free (events);
  /* Where not all that the decoder found is known it may be anywhere.  */
  if (total <= most || nfound >= stats->bad_image)
    spread (t);
  else
    for (size_t i = 0; i < t->count; i++)
      t->stretches[i].lost = true;
  if (tb_trust_lost (t, &lost) == 0)
    for (size_t i = 0; i < t->count; i++)
      t->stretches[i].lost = true;
  return true;
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
