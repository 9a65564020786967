/* All events of a recording, in their order.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_EVENT_WALK_H
#define TB_RECORDING_EVENT_WALK_H

#include "recording/recording.h"
#include "recording/window.h"

/* Zero-initialise but for RECORDING, which is borrowed; or tb_event_walk_from.  */
struct tb_event_walk
{
  struct tb_recording *recording;
  const struct tb_window *window;	/* That the last event is in.  */
  size_t number;		/* Of the window behind it.  */
  size_t next;			/* In the window.  */
  bool failed;			/* No memory: there are more.  */
  uint64_t step;		/* Of the last event, and how many with this step were */
  uint64_t given;		/* given: where the walk is, whatever windows there are.  */
  uint64_t again;		/* So many of STEP come a second time.  */
  unsigned generation;		/* Of the recording, when WINDOW was read.  */
};

/* A walk from the first event at STEP on.  */
static inline struct tb_event_walk
tb_event_walk_from (struct tb_recording *r, uint64_t step)
{
  struct tb_event_walk walk = { .recording = r, .step = step };
  /* Events before the first step of a window may stand at the end of the one before.  */
  if (tb_recording_windows (r) != 0)
    walk.number = tb_recording_window_at (r, step);
  while (walk.number > 0 && tb_recording_window_step (r, walk.number) >= step)
    walk.number--;
  return walk;
}

/* The next event; NULL: there are no more, or FAILED.  Between two calls nothing else may be asked
   of the recording but for what the window has: it may put another one in the place of that, and
   the walk would go on there.  */
static inline const struct tb_event *
tb_event_next (struct tb_event_walk *walk)
{
  struct tb_recording *r = walk->recording;
  for (;;)
    if (walk->window == NULL || walk->next == walk->window->nevents)
      {
	if (walk->failed || walk->number >= tb_recording_windows (r))
	  return NULL;
	unsigned generation = walk->window != NULL ? walk->generation
			      : tb_recording_generation (r);
	walk->window = tb_recording_window (r, walk->number++);
	walk->next = 0;
	walk->failed = walk->window == NULL;
	walk->generation = tb_recording_generation (r);
	if (walk->generation != generation && !walk->failed)
	  {
	    /* The recording has other windows now: find the place among them.  */
	    walk->number = tb_event_walk_from (r, walk->step).number;
	    walk->again = walk->given;
	    walk->window = NULL;
	  }
      }
    else
      {
	const struct tb_event *e = &walk->window->events[walk->next++];
	if (e->step < walk->step)
	  continue;		/* Before where the walk is.  */
	if (e->step == walk->step && walk->again > 0)
	  {
	    walk->again--;
	    continue;
	  }
	walk->given = e->step == walk->step ? walk->given + 1 : 1;
	walk->step = e->step;
	return e;
      }
}

#endif /* TB_RECORDING_EVENT_WALK_H */
