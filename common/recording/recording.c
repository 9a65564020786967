/* Recordings: random access.  See recording.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/recording-internal.h"

#include <assert.h>

#include "recording/facts.h"

const struct tb_recording_info *
tb_recording_info (const struct tb_recording *recording)
{
  return &recording->info;
}

const struct tb_profile *
tb_recording_profile (const struct tb_recording *recording)
{
  return recording->profile;
}

const struct tb_memmap *
tb_recording_memmap (const struct tb_recording *recording)
{
  return recording->map;
}

const struct tb_decoder *
tb_recording_decoder (const struct tb_recording *recording)
{
  return recording->decoder;
}

bool
tb_recording_conditions_told (const struct tb_recording *r)
{
  /* Logs show what was skipped.  */
  return r->facts != NULL
	 || (r->decoder != NULL && r->decoder->protocol->conditions_told);
}

const struct tb_decoder_stats *
tb_recording_stats (const struct tb_recording *recording)
{
  return &recording->stats;
}

bool
tb_recording_indexed (const struct tb_recording *recording)
{
  return recording->indexed;
}

unsigned
tb_recording_generation (const struct tb_recording *recording)
{
  return recording->generation;
}

bool
tb_recording_no_memory (const struct tb_recording *r)
{
  return r->no_memory;
}

void
tb_recording_lacks_memory (struct tb_recording *r)
{
  r->no_memory = true;
}

const struct tb_columns *
tb_recording_facts (const struct tb_recording *r)
{
  return r->facts;
}

size_t
tb_recording_windows (const struct tb_recording *r)
{
  return r->facts != NULL ? tb_facts_windows (r->facts)
			  : r->checkpoints.count;
}

uint64_t
tb_recording_window_step (const struct tb_recording *r, size_t number)
{
  if (number >= tb_recording_windows (r))
    return r->info.steps;
  return r->facts != NULL ? (uint64_t) number * TB_FACTS_WINDOW
			  : r->checkpoints.items[number].start.step;
}

const struct tb_packed_ran *
tb_recording_window_ran (const struct tb_recording *r, size_t number)
{
  return r->facts == NULL && number < r->checkpoints.count
	 && r->checkpoints.items[number].ran.bytes != NULL
	 ? &r->checkpoints.items[number].ran : NULL;
}

const struct tb_packed_gaps *
tb_recording_window_gaps (const struct tb_recording *r, size_t number)
{
  return r->facts == NULL && number < r->checkpoints.count
	 ? &r->checkpoints.items[number].gaps : NULL;
}

/* The last checkpoint at or before STEP.  Where several stand at one step, the
   last of them: the ones before hold no steps.  */
static size_t
checkpoint_at (const struct tb_recording *r, uint64_t step)
{
  size_t low = 0, high = tb_recording_windows (r);
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (tb_recording_window_step (r, middle) <= step)
	low = middle;
      else
	high = middle;
    }
  return low;
}

/* Is what holds behind window W, of checkpoint NUMBER, what the next one, or the
   end, says?  */
static bool
fits_next (const struct tb_recording *r, const struct tb_window *w,
	   size_t number)
{
  const struct tb_window_start *a = &w->after;
  if (number + 1 == r->checkpoints.count)
    return a->step == r->info.steps;
  const struct tb_window_start *b = &r->checkpoints.items[number + 1].start;
  return a->elements == b->elements && a->step == b->step
	 && a->timestamp == b->timestamp && a->cycles == b->cycles
	 && a->has_timestamp == b->has_timestamp
	 && a->has_cycles == b->has_cycles && a->has_context == b->has_context
	 && a->context_flags == b->context_flags
	 && a->context_el == b->context_el
	 && a->context_security == b->context_security
	 && a->context_id == b->context_id && a->context_vmid == b->context_vmid
	 && a->gap_before == b->gap_before && a->events_before == b->events_before;
}

/* Did nothing run in window W, of checkpoint NUMBER, but what the index says?  */
static bool
fits_ran (struct tb_recording *r, const struct tb_window *w, size_t number)
{
  const struct tb_packed_ran *said = tb_recording_window_ran (r, number);
  bool ok = true;
  if (said == NULL)
    return true;
  for (size_t i = 0; ok && i < w->nruns; i++)
    {
      const struct tb_run *run = &w->runs[i];
      ok = run->end == run->start
	   || tb_gather_knows (&r->gather, run->space, run->start, run->end)
	   || tb_ran_append (&r->gather.ran, run->start, run->end - 1);
    }
  tb_ran_merge (&r->gather.ran);
  ok = ok && tb_packed_ran_has (said, &r->gather.ran);
  tb_gather_forget (&r->gather);
  return ok;
}

/* Are the gaps in window W, of checkpoint NUMBER, those that the index says?  */
static bool
fits_gaps (const struct tb_recording *r, const struct tb_window *w, size_t number)
{
  const struct tb_checkpoint *c = &r->checkpoints.items[number];
  struct tb_packed_gaps_cursor cursor = tb_packed_gaps_begin (&c->gaps, c->start.step);
  struct tb_gap gap = { 0, false };
  bool more = tb_packed_gaps_next (&cursor, &gap);
  for (size_t i = 0; i < w->nevents;)
    {
      uint64_t step = w->events[i].step;
      bool is_gap = false, fault = false, said = false;
      for (; i < w->nevents && w->events[i].step == step; i++)
	if (w->events[i].kind == TB_EVENT_GAP)
	  {
	    is_gap = true;
	    fault |= w->events[i].reason == TB_REASON_BAD_IMAGE;
	  }
      if ((more && gap.step < step) || is_gap != (more && gap.step == step))
	return false;
      /* Where windows were joined one of these may have been noted as two.  */
      for (; more && gap.step == step; more = tb_packed_gaps_next (&cursor, &gap))
	said |= gap.fault;
      if (fault && !said)
	return false;
    }
  return !more;
}

struct tb_window *
tb_recording_checked_window (struct tb_recording *r, size_t number)
{
  struct tb_window *oldest = &r->windows[0];
  r->clock++;
  for (unsigned i = 0; i < WINDOWS; i++)
    {
      struct tb_window *w = &r->windows[i];
      if (w->valid && w->number == number)
	{
	  w->used = r->clock;
	  return w;
	}
      if (!w->valid || (oldest->valid && w->used < oldest->used))
	oldest = w;
    }
  oldest->valid = false;
  if (r->facts != NULL)
    {
      if (!tb_facts_window (r->facts, number, oldest))
	{
	  r->no_memory = true;
	  return NULL;
	}
      oldest->valid = true;
      oldest->number = number;
      oldest->used = r->clock;
      return oldest;
    }
  const struct tb_checkpoint *c = &r->checkpoints.items[number];
  uint64_t stop = number + 1 < r->checkpoints.count
		  ? r->checkpoints.items[number + 1].start.elements : UINT64_MAX;
  if (!tb_checkpoint_reach (c, r->decoder))
    {
      r->doubtful = true;
      return NULL;
    }
  if (!tb_window_fill (oldest, r->decoder, r->profile, &c->start, stop))
    {
      r->no_memory = true;
      return NULL;
    }
  if (r->indexed && !(fits_next (r, oldest, number) && fits_ran (r, oldest, number)
		       && fits_gaps (r, oldest, number)))
    {
      r->doubtful = true;
      return NULL;
    }
  oldest->valid = true;
  oldest->number = number;
  oldest->used = r->clock;
  return oldest;
}

/* If R's index was found not to fit: do without it, and true.  */
static bool
settle (struct tb_recording *r)
{
  if (!r->doubtful)
    return false;
  const struct tb_sections_options options = { .jobs = r->jobs,
					       .opened_before = true };
  struct tb_scan scan = { 0 };
  bool done = tb_scan_trace (&scan, &r->config, &options, NULL) == TB_OK;
  r->no_memory |= !done;
  if (done)
    {
      tb_recording_take_scan (r, &scan);
      r->generation++;
    }
  tb_scan_fini (&scan);
  return done;
}

size_t
tb_recording_window_at (const struct tb_recording *r, uint64_t step)
{
  return checkpoint_at (r, step);
}

const struct tb_window *
tb_recording_window (struct tb_recording *r, size_t number)
{
  if (number >= tb_recording_windows (r))
    return NULL;
  struct tb_window *w = tb_recording_checked_window (r, number);
  if (w == NULL && settle (r) && r->checkpoints.count > 0)
    w = tb_recording_checked_window (r, number < r->checkpoints.count ? number
					 : r->checkpoints.count - 1);
  return w;
}

size_t
tb_recording_read (struct tb_recording *r, uint64_t first,
		   struct tb_step *steps, size_t count)
{
  size_t done = 0;
  if (r->facts != NULL)
    return tb_facts_read (r->facts, first, steps, count);
  while (done < count && first + done < r->info.steps)
    {
      size_t number = checkpoint_at (r, first + done);
      struct tb_window *w = tb_recording_checked_window (r, number);
      if (w == NULL && settle (r))
	continue;
      if (w == NULL)
	break;
      size_t n = tb_window_read (w, r->map, first + done, steps + done,
				 count - done);
      assert (n > 0);
      done += n;
    }
  return done;
}

size_t
tb_recording_events (struct tb_recording *r, uint64_t first, uint64_t last,
		     struct tb_event *events, size_t capacity)
{
  size_t count = tb_recording_windows (r);
  if (count == 0)
    return 0;
  /* Events before step FIRST may stand at the end of the window before.  */
  size_t number = checkpoint_at (r, first);
  while (number > 0 && tb_recording_window_step (r, number) >= first)
    number--;
  size_t found = 0;
  for (; number < count && tb_recording_window_step (r, number) <= last;
       number++)
    {
      struct tb_window *w = tb_recording_checked_window (r, number);
      if (w == NULL && settle (r))
	return tb_recording_events (r, first, last, events, capacity);
      if (w == NULL)
	break;
      for (size_t i = tb_window_event_at (w, first);
	   i < w->nevents && w->events[i].step <= last; i++)
	{
	  if (found < capacity)
	    events[found] = w->events[i];
	  found++;
	}
    }
  return found;
}

/* The last event of KIND at or before STEP in the window of the last checkpoint
   at or before it; *START is what that checkpoint says.  Both NULL: no memory,
   or no trace.  */
static const struct tb_event *
last_event (struct tb_recording *r, uint64_t step, enum tb_event_kind kind,
	    const struct tb_window_start **start)
{
  *start = NULL;
  if (r->checkpoints.count == 0)
    return NULL;
  size_t number = checkpoint_at (r, step);
  struct tb_window *w = tb_recording_checked_window (r, number);
  if (w == NULL && settle (r))
    return last_event (r, step, kind, start);
  if (w == NULL)
    return NULL;
  *start = &r->checkpoints.items[number].start;
  for (size_t i = tb_window_event_at (w, step + 1); i > 0; i--)
    if (w->events[i - 1].kind == kind)
      return &w->events[i - 1];
  return NULL;
}

bool
tb_recording_timestamp (struct tb_recording *r, uint64_t step,
			uint64_t *timestamp)
{
  const struct tb_window_start *start;
  if (r->facts != NULL)
    return tb_facts_time (r->facts, step, timestamp);
  const struct tb_event *event = last_event (r, step, TB_EVENT_TIMESTAMP,
					     &start);
  if (event == NULL && (start == NULL || !start->has_timestamp))
    return false;
  *timestamp = event != NULL ? event->value : start->timestamp;
  return true;
}

bool
tb_recording_cycles (struct tb_recording *r, uint64_t step, uint64_t *cycles)
{
  const struct tb_window_start *start;
  const struct tb_event *event = last_event (r, step, TB_EVENT_CYCLES, &start);
  if (event == NULL && (start == NULL || !start->has_cycles))
    return false;
  *cycles = event != NULL ? event->value : start->cycles;
  return true;
}

bool
tb_recording_context (struct tb_recording *r, uint64_t step,
		      struct tb_event *context)
{
  const struct tb_window_start *start;
  const struct tb_event *event = last_event (r, step, TB_EVENT_CONTEXT,
					     &start);
  if (event != NULL)
    *context = *event;
  else if (start != NULL && start->has_context)
    *context = (struct tb_event) {
      .step = step, .kind = TB_EVENT_CONTEXT, .value = start->context_id,
      .address = start->context_vmid,
      .flags = start->context_flags, .el = start->context_el,
      .security = start->context_security
    };
  else
    return false;
  return true;
}
