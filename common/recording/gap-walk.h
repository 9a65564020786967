/* The gaps of a recording, in their order, without decoding where they were noted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_GAP_WALK_H
#define TB_RECORDING_GAP_WALK_H

#include "recording/event-walk.h"
#include "recording/packed-gaps.h"

struct tb_gap_walk
{
  struct tb_recording *recording;
  uint64_t first, last;		/* Steps that the gaps lie before.  */
  size_t number;		/* Of the window behind that of CURSOR.  */
  struct tb_packed_gaps_cursor cursor;
  bool noted;
  struct tb_event_walk events;	/* Where they were not noted.  */
};

/* A walk over those that lie before steps FIRST to LAST inclusive.  */
static inline struct tb_gap_walk
tb_gap_walk_from (struct tb_recording *r, uint64_t first, uint64_t last)
{
  struct tb_gap_walk walk = { .recording = r, .first = first, .last = last,
			      .events = tb_event_walk_from (r, first) };
  walk.number = walk.events.number;
  walk.noted = tb_recording_window_gaps (r, walk.number) != NULL;
  return walk;
}

/* The next one into *GAP; several may lie before one step.  False: there are no more, or
   EVENTS.FAILED.  Between two calls nothing else may be asked of the recording.  */
static inline bool
tb_gap_next (struct tb_gap_walk *walk, struct tb_gap *gap)
{
  struct tb_recording *r = walk->recording;
  const struct tb_event *e;
  if (walk->noted)
    for (;;)
      {
	while (tb_packed_gaps_next (&walk->cursor, gap))
	  if (gap->step >= walk->first)
	    return gap->step <= walk->last;
	const struct tb_packed_gaps *gaps = tb_recording_window_gaps (r, walk->number);
	uint64_t step = tb_recording_window_step (r, walk->number);
	if (gaps == NULL || step > walk->last)
	  return false;
	walk->cursor = tb_packed_gaps_begin (gaps, step);
	walk->number++;
      }
  while ((e = tb_event_next (&walk->events)) != NULL && e->step <= walk->last)
    if (e->kind == TB_EVENT_GAP)
      {
	*gap = (struct tb_gap) { e->step, e->reason == TB_REASON_BAD_IMAGE };
	return true;
      }
  return false;
}

#endif /* TB_RECORDING_GAP_WALK_H */
