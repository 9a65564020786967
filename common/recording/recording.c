/* Recordings: opening and random access.  See recording.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "recording/scan.h"
#include "recording/window.h"

/* Decoded windows kept: stepping back and forth over a checkpoint, or a search
   beside a cursor, must not decode again and again.  */
#define WINDOWS 4

struct tb_recording
{
  struct tb_decoder *decoder;	/* NULL: no trace.  */
  const struct tb_profile *profile;
  const struct tb_memmap *map;
  struct tb_recording_info info;
  struct tb_decoder_stats stats;
  struct tb_checkpoints checkpoints;
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
  tb_checkpoints_fini (&r->checkpoints);
  for (unsigned i = 0; i < WINDOWS; i++)
    tb_window_fini (&r->windows[i]);
  tb_decoder_close (r->decoder);
  free (r);
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
      struct tb_scan scan = { 0 };
      r->decoder = decoder;
      bool done = tb_scan_decoder (&scan, decoder);
      r->info = scan.info;
      r->stats = scan.stats;
      r->checkpoints = scan.checkpoints;
      if (done)
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
  size_t low = 0, high = r->checkpoints.count;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (r->checkpoints.items[middle].start.step <= step)
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
  const struct tb_checkpoint *c = &r->checkpoints.items[number];
  uint64_t stop = number + 1 < r->checkpoints.count
		  ? r->checkpoints.items[number + 1].start.elements : UINT64_MAX;
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
  return r->checkpoints.count;
}

uint64_t
tb_recording_window_step (const struct tb_recording *r, size_t number)
{
  return number < r->checkpoints.count ? r->checkpoints.items[number].start.step
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
  if (r->checkpoints.count == 0)
    return 0;
  /* Events before step FIRST may stand at the end of the window before.  */
  size_t number = checkpoint_at (r, first);
  while (number > 0 && r->checkpoints.items[number].start.step >= first)
    number--;
  size_t found = 0;
  for (; number < r->checkpoints.count
	 && r->checkpoints.items[number].start.step <= last; number++)
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
  if (r->checkpoints.count == 0)
    return NULL;
  size_t number = checkpoint_at (r, step);
  struct tb_window *w = window (r, number);
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
