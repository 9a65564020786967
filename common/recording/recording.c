/* Recordings: opening and random access.  See recording.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "recording/window.h"
#include "util/buffer.h"

/* Elements between two checkpoints at first; doubled whenever there would be
   more than CHECKPOINTS_MAX of them, so that a capture of any size opens in
   bounded memory.  */
#define CHECKPOINT_ELEMENTS 16384
#define CHECKPOINTS_MAX 8192

/* Decoded windows kept: stepping back and forth over a checkpoint, or a search
   beside a cursor, must not decode again and again.  */
#define WINDOWS 4

struct checkpoint
{
  struct tb_window_start start;
  void *saved;			/* The decoder's state.  */
};

struct tb_recording
{
  struct tb_decoder *decoder;	/* NULL: no trace.  */
  const struct tb_profile *profile;
  const struct tb_memmap *map;
  struct tb_recording_info info;
  struct checkpoint *checkpoints;
  size_t ncheckpoints, checkpoint_capacity;
  uint64_t interval;		/* Elements from one checkpoint to the next.  */
  struct tb_window windows[WINDOWS];
  unsigned clock;		/* For choosing the window to drop.  */
};

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

struct tb_recording *
tb_recording_empty (const struct tb_profile *profile,
		    const struct tb_memmap *map)
{
  struct tb_recording *r = calloc (1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->profile = profile;
  r->map = map;
  r->info.lead_in = UINT64_MAX;
  return r;
}

void
tb_recording_close (struct tb_recording *r)
{
  if (r == NULL)
    return;
  for (size_t i = 0; i < r->ncheckpoints; i++)
    free (r->checkpoints[i].saved);
  free (r->checkpoints);
  for (unsigned i = 0; i < WINDOWS; i++)
    tb_window_fini (&r->windows[i]);
  tb_decoder_close (r->decoder);
  free (r);
}

/* Drop every second checkpoint.  */
static void
thin_out (struct tb_recording *r)
{
  size_t kept = 0;
  for (size_t i = 0; i < r->ncheckpoints; i++)
    if (i % 2 == 0)
      r->checkpoints[kept++] = r->checkpoints[i];
    else
      free (r->checkpoints[i].saved);
  r->ncheckpoints = kept;
  r->interval *= 2;
}

static bool
add_checkpoint (struct tb_recording *r, const struct tb_window_start *start)
{
  void *items = r->checkpoints;
  if (!tb_grow (&items, &r->checkpoint_capacity, r->ncheckpoints, 1,
		sizeof *r->checkpoints))
    return false;
  r->checkpoints = items;
  struct checkpoint *c = &r->checkpoints[r->ncheckpoints];
  c->start = *start;
  c->saved = r->decoder->save (r->decoder);
  if (c->saved == NULL)
    return false;
  r->ncheckpoints++;
  if (r->ncheckpoints > CHECKPOINTS_MAX)
    thin_out (r);
  return true;
}

/* Where the trace stops: after the last range, unless the END element says.  */
static void
note_end (struct tb_recording *r, const struct tb_element *last,
	  const struct tb_element *end)
{
  if (end->flags & TB_END_ADDRESS)
    {
      r->info.end_known = true;
      r->info.end_pc = end->u.address;
    }
  else if (last->kind == TB_ELEMENT_EXCEPTION
	   && (last->flags & TB_EXCEPTION_HALT)
	   && !(last->flags & TB_EXCEPTION_NO_RETURN))
    {
      r->info.end_known = true;
      r->info.end_pc = last->u.exception.return_address;
    }
  else if (last->kind == TB_ELEMENT_RANGE)
    {
      bool branch = last->last_kind == TB_FLOW_BRANCH
		    || last->last_kind == TB_FLOW_INDIRECT;
      if (!branch || !(last->flags & TB_RANGE_EXECUTED))
	{
	  r->info.end_known = true;
	  r->info.end_pc = last->u.range.end;
	}
      else if (last->last_kind == TB_FLOW_BRANCH)
	{
	  const struct tb_block *block
	    = tb_follow_block (r->decoder->follow, last->space, last->isa,
			       last->u.range.end - last->last_size);
	  if (block != NULL && block->count == 1
	      && block->kind == TB_FLOW_BRANCH)
	    {
	      r->info.end_known = true;
	      r->info.end_pc = block->target;
	    }
	}
    }
}

/* One pass over the trace: totals and checkpoints.  */
static bool
scan (struct tb_recording *r)
{
  enum { BATCH = 512 };
  struct tb_element elements[BATCH];
  /* The last element that tells where execution stands.  */
  struct tb_element last = { .kind = TB_ELEMENT_NO_SYNC };
  struct tb_window_start at = { 0 };
  uint64_t since = 0;
  r->interval = CHECKPOINT_ELEMENTS;
  if (!add_checkpoint (r, &at))
    return false;
  size_t n;
  while ((n = r->decoder->read (r->decoder, elements, BATCH)) > 0)
    {
      for (size_t i = 0; i < n; i++)
	{
	  const struct tb_element *e = &elements[i];
	  switch (e->kind)
	    {
	    case TB_ELEMENT_RANGE:
	      r->info.ranges++;
	      last = *e;
	      break;
	    case TB_ELEMENT_EXCEPTION:
	      r->info.exceptions += !(e->flags & TB_EXCEPTION_HALT);
	      last = *e;
	      break;
	    case TB_ELEMENT_TRACE_ON:
	      if (at.step == 0 && (e->flags & TB_TRACE_ON_SOURCE))
		r->info.lead_in = e->u.address;
	      last = *e;
	      break;
	    case TB_ELEMENT_NO_SYNC:
	    case TB_ELEMENT_NO_CODE:
	    case TB_ELEMENT_Q:
	    case TB_ELEMENT_EXCEPTION_RETURN:
	      last = *e;
	      break;
	    case TB_ELEMENT_END:
	      note_end (r, &last, e);
	      break;
	    default:
	      break;
	    }
	  r->info.gaps += e->kind == TB_ELEMENT_RANGE && at.gap_before;
	  tb_window_advance (&at, e);
	}
      since += n;
      if (since >= r->interval)
	{
	  since = 0;
	  if (!add_checkpoint (r, &at))
	    return false;
	}
    }
  r->info.steps = at.step;
  return true;
}

struct tb_recording *
tb_recording_open (struct tb_decoder *decoder,
		   const struct tb_profile *profile,
		   const struct tb_memmap *map, struct tb_diag *diag)
{
  struct tb_recording *r = tb_recording_empty (profile, map);
  if (r == NULL)
    tb_decoder_close (decoder);
  else
    {
      r->decoder = decoder;
      if (scan (r))
	return r;
      tb_recording_close (r);
    }
  tb_error (diag, "no memory for a recording");
  return NULL;
}

/* The last checkpoint at or before STEP.  Where several stand at one step, the
   last of them: the ones before hold no steps.  */
static size_t
checkpoint_at (const struct tb_recording *r, uint64_t step)
{
  size_t low = 0, high = r->ncheckpoints;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (r->checkpoints[middle].start.step <= step)
	low = middle;
      else
	high = middle;
    }
  return low;
}

/* The window after checkpoint NUMBER, decoded if need be.  NULL: no memory.  */
static struct tb_window *
window (struct tb_recording *r, size_t number)
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
  const struct checkpoint *c = &r->checkpoints[number];
  uint64_t stop = number + 1 < r->ncheckpoints
		  ? r->checkpoints[number + 1].start.elements : UINT64_MAX;
  r->decoder->restore (r->decoder, c->saved);
  oldest->valid = false;
  if (!tb_window_fill (oldest, r->decoder, r->profile, &c->start, stop))
    return NULL;
  oldest->valid = true;
  oldest->number = number;
  oldest->used = r->clock;
  return oldest;
}

size_t
tb_recording_windows (const struct tb_recording *r)
{
  return r->ncheckpoints;
}

uint64_t
tb_recording_window_step (const struct tb_recording *r, size_t number)
{
  return number < r->ncheckpoints ? r->checkpoints[number].start.step
				  : r->info.steps;
}

size_t
tb_recording_window_at (const struct tb_recording *r, uint64_t step)
{
  return checkpoint_at (r, step);
}

const struct tb_window *
tb_recording_window (struct tb_recording *r, size_t number)
{
  return window (r, number);
}

size_t
tb_recording_read (struct tb_recording *r, uint64_t first,
		   struct tb_step *steps, size_t count)
{
  size_t done = 0;
  while (done < count && first + done < r->info.steps)
    {
      struct tb_window *w = window (r, checkpoint_at (r, first + done));
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
  if (r->ncheckpoints == 0)
    return 0;
  /* Events before step FIRST may stand at the end of the window before.  */
  size_t number = checkpoint_at (r, first);
  while (number > 0 && r->checkpoints[number].start.step >= first)
    number--;
  size_t found = 0;
  for (; number < r->ncheckpoints
	 && r->checkpoints[number].start.step <= last; number++)
    {
      struct tb_window *w = window (r, number);
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
  if (r->ncheckpoints == 0)
    return NULL;
  size_t number = checkpoint_at (r, step);
  struct tb_window *w = window (r, number);
  if (w == NULL)
    return NULL;
  *start = &r->checkpoints[number].start;
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
      .flags = start->context_flags, .el = start->context_el,
      .security = start->context_security
    };
  else
    return false;
  return true;
}
