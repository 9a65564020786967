/* All events of a recording, in their order.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_EVENT_WALK_H
#define TB_RECORDING_EVENT_WALK_H

#include "recording/recording.h"
#include "recording/window.h"

/* Zero-initialise but for RECORDING, which is borrowed.  */
struct tb_event_walk
{
  struct tb_recording *recording;
  const struct tb_window *window;	/* That the last event is in.  */
  size_t number;		/* Of the window behind it.  */
  size_t next;			/* In the window.  */
  bool failed;			/* No memory: there are more.  */
};

/* The next event, valid until anything else is asked of the recording but for what the
   window has; NULL: there are no more, or FAILED.  */
static inline const struct tb_event *
tb_event_next (struct tb_event_walk *walk)
{
  while (walk->window == NULL || walk->next == walk->window->nevents)
    {
      if (walk->failed || walk->number == tb_recording_windows (walk->recording))
	return NULL;
      walk->window = tb_recording_window (walk->recording, walk->number++);
      walk->next = 0;
      if (walk->window == NULL)
	{
	  walk->failed = true;
	  return NULL;
	}
    }
  return &walk->window->events[walk->next++];
}

#endif /* TB_RECORDING_EVENT_WALK_H */
