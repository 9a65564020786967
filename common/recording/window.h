/* A window: the ranges and events between two checkpoints of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_WINDOW_H
#define TB_RECORDING_WINDOW_H

#include "recording/recording.h"

/* What is carried from element to element: enough to go on in the middle.  */
struct tb_window_start
{
  uint64_t elements;		/* Delivered before.  */
  uint64_t step;		/* Number of the next step.  */
  uint64_t timestamp, cycles;	/* Last stated; summed up.  */
  bool has_timestamp, has_cycles;
  bool has_context;		/* The last one stated:  */
  uint8_t context_flags, context_el, context_security;
  uint32_t context_id, context_vmid;
  bool gap_before;		/* A gap stands before the next step.  */
  bool events_before;		/* So does some event.  */
};

/* Some steps in sequence: one range.  */
struct tb_run
{
  uint64_t step;		/* Of its first instruction.  */
  uint64_t start, end;		/* END: after the last one.  */
  uint32_t count;
  uint8_t isa, space;
  uint8_t first_flags;		/* Of the first step: EVENTS, AFTER_GAP.  */
  uint8_t last_flags;		/* Of the last step: TAKEN, NOT_TAKEN.  */
};

struct tb_window
{
  bool valid;
  size_t number;		/* Of its checkpoint.  */
  unsigned used;		/* When it was last asked for.  */
  struct tb_run *runs;
  size_t nruns, run_capacity;
  struct tb_event *events;	/* In order.  */
  size_t nevents, event_capacity;
  struct tb_transfer *transfers;	/* As they came; those of earlier windows,
					   too.  A part may be told by several.  */
  size_t ntransfers, transfer_capacity;
  uint64_t end;			/* Number of the step after the last.  */
  struct tb_window_start after;	/* What holds behind it.  */
};

void tb_window_fini (struct tb_window *window);

/* Carry AT over ELEMENT; what tb_window_advance does with all but ranges.  */
void tb_window_pass (struct tb_window_start *at,
		     const struct tb_element *element);

/* transfers.c: let W have what the data ELEMENT tells, AT being the state after it.
   False: no memory.  */
bool tb_window_add_transfer (struct tb_window *w, const struct tb_element *element,
			     const struct tb_window_start *at);

static inline void
tb_window_advance (struct tb_window_start *at,
		   const struct tb_element *element)
{
  if (element->kind != TB_ELEMENT_RANGE)
    {
      tb_window_pass (at, element);
      return;
    }
  at->elements++;
  at->step += element->u.range.count;
  at->gap_before = false;
  at->events_before = false;
}

/* Decode from where DECODER stands, START, up to element STOP.  False: no
   memory.  */
bool tb_window_fill (struct tb_window *window, struct tb_decoder *decoder,
		     const struct tb_profile *profile,
		     const struct tb_window_start *start, uint64_t stop);

/* Steps FIRST ... of the window into STEPS, at most COUNT.  */
size_t tb_window_read (const struct tb_window *window,
		       const struct tb_memmap *map, uint64_t first,
		       struct tb_step *steps, size_t count);

/* Index of the first event that lies before step STEP or a later one.  */
size_t tb_window_event_at (const struct tb_window *window, uint64_t step);

#endif /* TB_RECORDING_WINDOW_H */
