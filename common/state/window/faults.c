/* Finding where code is not what ran.  See faults.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/faults.h"

#include <stdlib.h>

#include "arm/flow/flow.h"
#include "decode/element.h"
#include "util/buffer.h"

/* Steps that are looked at together.  */
#define BATCH 1024

/* An IT instruction governs up to so many.  */
#define IT_MOST 4

struct tb_faults
{
  struct tb_trust trust;
  enum { BEGIN, STEPS, SPREAD, OVER } stage;
  uint64_t most, total;
  /* Looking at steps: the next one, that before it, and how it flows.  */
  uint64_t next;
  struct tb_step from;
  struct tb_flow flow;
  unsigned in_it;		/* So many steps may be in an IT block.  */
  struct tb_step steps[BATCH];
  struct tb_event *events;	/* Before these steps.  */
  size_t room;
  /* Spreading what was found.  */
  struct tb_trust_spread spread;
};

struct tb_faults *
tb_faults_new (struct tb_recording *recording, uint64_t most)
{
  struct tb_faults *f = calloc (1, sizeof *f);
  if (f == NULL)
    return NULL;
  f->most = most;
  f->total = tb_recording_steps (recording);
  f->in_it = IT_MOST;
  f->trust.recording = recording;
  return f;
}

void
tb_faults_free (struct tb_faults *f)
{
  if (f == NULL)
    return;
  tb_trust_fini (&f->trust);
  free (f->events);
  free (f);
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
   elsewhere?  *BAD: it is a gap since the code is not what ran.  Where nothing ran before what
   is no packet, the packet that said so need not be one either.  */
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
	*bad = (*bad && events[*at].reason != TB_REASON_BAD_PACKET)
	       || events[*at].reason == TB_REASON_BAD_IMAGE;
	yes = true;
	break;
      case TB_EVENT_EXCEPTION: case TB_EVENT_EXCEPTION_RETURN:
      case TB_EVENT_HALT:
	yes = true;
	break;
      }
  return yes;
}

/* Look at step TO, number I, and the one before it, with the COUNT EVENTS, of which number *EVENT
   is the next.  */
static void
look (struct tb_faults *f, const struct tb_step *to, uint64_t i, const struct tb_event *events,
      size_t count, size_t *event)
{
  const struct tb_profile *profile = tb_recording_profile (f->trust.recording);
  const struct tb_step *from = &f->from;
  bool bad, known = i > 0 && tb_flow_of (&f->flow, from->isa, from->opcode, from->size,
					 from->pc, f->in_it > 0, profile);
  bool why = explained (events, count, event, i, &bad);
  if (i > 0 && (bad || (known && f->flow.kind == TB_FLOW_UNDEFINED)
		|| (known && !why && !follows (from, to, &f->flow, f->in_it > 0))))
    tb_trust_blame (&f->trust, from, i - 1);
  f->in_it -= f->in_it > 0;
  if (why)
    f->in_it = IT_MOST;
  else if (known && f->flow.it_length > f->in_it)
    f->in_it = f->flow.it_length;
  f->from = *to;
}

/* The events before steps FIRST to LAST, in F->events; *COUNT of them.  False: no memory.  */
static bool
read_events (struct tb_faults *f, uint64_t first, uint64_t last, size_t *count)
{
  struct tb_recording *r = f->trust.recording;
  *count = tb_recording_events (r, first, last, f->events, f->room);
  if (*count <= f->room)
    return true;
  bool ok = TB_GROW (f->events, f->room, 0, *count);
  if (ok)
    *count = tb_recording_events (r, first, last, f->events, f->room);
  return ok && *count <= f->room;
}

/* Look at the next steps.  False: no memory.  */
static bool
look_at_some (struct tb_faults *f)
{
  size_t count, event = 0;
  uint64_t first = f->next;
  size_t n = tb_recording_read (f->trust.recording, first, f->steps, BATCH);
  bool over = n < BATCH;
  if (!read_events (f, first, over ? f->total : first + n - 1, &count))
    return false;
  for (size_t i = 0; i < n; i++)
    look (f, &f->steps[i], first + i, f->events, count, &event);
  f->next += n;
  if (!over)
    return true;
  bool bad;
  explained (f->events, count, &event, f->total, &bad);
  if (f->total > 0 && bad)
    tb_trust_blame (&f->trust, &f->from, f->total - 1);
  f->stage = SPREAD;
  return true;
}

/* Of a trace too long to look at each step: at those where the decoder lost the
   way, because the code is not what ran.  Returns how many faults these are beside
   the first ones, whose addresses it kept.  */
static uint64_t
look_at_gaps (struct tb_trust *t)
{
  uint64_t found = 0;
  for (size_t i = 0; i < t->count; i++)
    {
      uint64_t end = t->stretches[i].end;
      struct tb_step step;
      if (t->stretches[i].faults == 0)
	continue;
      found += t->stretches[i].faults;
      if (tb_recording_read (t->recording, end - 1, &step, 1) == 1)
	tb_trust_blame (t, &step, end - 1);
    }
  return found > TB_FAULT_PLACES ? found - TB_FAULT_PLACES : 0;
}

static void
lose_all (struct tb_trust *t)
{
  for (size_t i = 0; i < t->count; i++)
    t->stretches[i].lost = true;
}

/* Find the stretches, and distrust what the decoder tells.  False: no memory.  */
static bool
begin (struct tb_faults *f)
{
  struct tb_trust *t = &f->trust;
  struct tb_recording *r = t->recording;
  const struct tb_decoder_stats *stats = tb_recording_stats (r);
  const struct tb_region *regions;
  uint64_t nfound = 0;
  if (!tb_trust_init (t, r, 0, f->total))
    return false;
  tb_memmap_regions (tb_recording_memmap (r), &regions);
  for (unsigned i = 0; i < tb_fault_places (stats); i++)
    {
      uint64_t address = stats->places[i].address;
      bool found = false;
      for (size_t k = 0; k < t->nregions; k++)
	if (address >= regions[k].address
	    && address - regions[k].address < regions[k].length)
	  found = t->distrusted[k] = true;
      nfound += found;
    }
  f->stage = STEPS;
  if (f->total <= f->most)
    return true;
  f->stage = SPREAD;
  nfound += look_at_gaps (t);
  /* Where not all that the decoder found is known it may be anywhere.  */
  if (nfound < stats->bad_image)
    {
      lose_all (t);
      f->stage = OVER;
    }
  return true;
}

enum tb_faults_found
tb_faults_search (struct tb_faults *f, struct tb_poll *poll)
{
  uint64_t lost;
  if (f->stage == BEGIN && !begin (f))
    return TB_FAULTS_NO_MEMORY;
  while (f->stage == STEPS)
    {
      if (!tb_poll_goes_on (poll, BATCH))
	return TB_FAULTS_MORE;
      if (!look_at_some (f))
	return TB_FAULTS_NO_MEMORY;
    }
  if (f->stage == SPREAD && !tb_trust_spread (&f->trust, &f->spread, poll))
    return TB_FAULTS_MORE;
  f->stage = OVER;
  /* There are some.  */
  if (tb_trust_lost (&f->trust, &lost) == 0)
    lose_all (&f->trust);
  return TB_FAULTS_FOUND;
}

void
tb_faults_take (struct tb_faults *f, struct tb_trust *trust)
{
  *trust = f->trust;
  f->trust = (struct tb_trust) { .count = 0 };
}

bool
tb_trust_find_faults (struct tb_trust *t, struct tb_recording *recording,
		      uint64_t most)
{
  struct tb_faults *f = tb_faults_new (recording, most);
  bool ok = f != NULL && tb_faults_search (f, NULL) == TB_FAULTS_FOUND;
  if (ok)
    tb_faults_take (f, t);
  tb_faults_free (f);
  return ok;
}
