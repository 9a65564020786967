/* Recordings of facts: windows and totals.  See facts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts.h"

#include <string.h>

#include "recording/window.h"
#include "util/buffer.h"

size_t
tb_facts_windows (const struct tb_columns *f)
{
  return (size_t) ((f->steps + TB_FACTS_WINDOW - 1) / TB_FACTS_WINDOW);
}

/* Add steps in sequence.  */
static bool
add_run (struct tb_window *w, const struct tb_run *run)
{
  bool ok = TB_GROW (w->runs, w->run_capacity, w->nruns, 1);
  if (ok)
    w->runs[w->nruns++] = *run;
  return ok;
}

/* Make the runs of W of its steps from FIRST to before END.  */
static bool
make_runs (const struct tb_columns *f, struct tb_window *w, uint64_t first,
	   uint64_t end)
{
  enum { BATCH = 256 };
  struct tb_step steps[BATCH];
  struct tb_run run = { 0 };
  for (uint64_t at = first; at < end;)
    {
      size_t n = tb_facts_read (f, at, steps,
				end - at < BATCH ? end - at : BATCH);
      for (size_t i = 0; i < n; i++, at++)
	{
	  const struct tb_step *s = &steps[i];
	  uint8_t before = s->flags & (TB_STEP_EVENTS | TB_STEP_AFTER_GAP);
	  uint8_t after = s->flags & (TB_STEP_TAKEN | TB_STEP_NOT_TAKEN);
	  if (run.count > 0
	      && (before != 0 || run.last_flags != 0 || run.end != s->pc
		  || run.isa != s->isa))
	    {
	      if (!add_run (w, &run))
		return false;
	      run.count = 0;
	    }
	  if (run.count == 0)
	    run = (struct tb_run) { .step = at, .start = s->pc, .isa = s->isa,
				    .space = s->space, .first_flags = before };
	  run.count++;
	  run.end = s->pc + (s->size != 0 ? s->size : 2);
	  run.last_flags = after;
	}
    }
  return run.count == 0 || add_run (w, &run);
}

bool
tb_facts_window (const struct tb_columns *f, size_t number, struct tb_window *w)
{
  uint64_t first = (uint64_t) number * TB_FACTS_WINDOW;
  uint64_t end = first + TB_FACTS_WINDOW < f->steps ? first + TB_FACTS_WINDOW
						    : f->steps;
  w->nruns = w->nevents = w->ntransfers = 0;
  w->end = end;
  w->after = (struct tb_window_start) { .step = end };
  if (!make_runs (f, w, first, end))
    return false;
  /* The events before its first step are its own, and those behind the last step
     of all the last one's.  */
  size_t from = tb_facts_event_at (f, first);
  size_t to = tb_facts_event_at (f, end == f->steps ? UINT64_MAX : end);
  bool ok = TB_GROW (w->events, w->event_capacity, 0, to - from);
  if (ok && to > from)
    {
      memcpy (w->events, (const struct tb_event *) f->events.data + from,
	      (to - from) * sizeof *w->events);
      w->nevents = to - from;
      for (size_t i = 0; i < w->nevents; i++)
	w->events[i].taken
	  = (uint8_t) tb_exception_kind (TB_NUMBERS_VECTORS, f->is_m,
					 w->events[i].exception);
    }
  return ok;
}

void
tb_facts_info (const struct tb_columns *f, struct tb_recording_info *info)
{
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  *info = (struct tb_recording_info) {
    .steps = f->steps,
    .ranges = f->run_steps.size / sizeof (uint32_t),
    .lead_in = UINT64_MAX, .end_known = f->end_known, .end_pc = f->end_pc
  };
  for (size_t i = 0; i < f->events.size / sizeof *events; i++)
    {
      info->gaps += events[i].kind == TB_EVENT_GAP;
      info->exceptions += events[i].kind == TB_EVENT_EXCEPTION;
    }
}

void
tb_facts_stats (const struct tb_columns *f, struct tb_decoder_stats *stats)
{
  *stats = (struct tb_decoder_stats) {
    .bad_packets = f->kinds[TB_TARMAC_BAD].lines
		   + f->kinds[TB_TARMAC_UNKNOWN].lines,
    .skipped = f->kinds[TB_TARMAC_NOTE].bytes + f->kinds[TB_TARMAC_TEXT].bytes
  };
  for (unsigned i = 0; i < TB_TARMAC_KINDS; i++)
    {
      stats->bytes += f->kinds[i].bytes;
      stats->packets += i != TB_TARMAC_BLANK ? f->kinds[i].lines : 0;
    }
}
