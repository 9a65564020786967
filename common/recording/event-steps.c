/* The steps before which events of a kind are.  See event-steps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/event-steps.h"

#include <stdlib.h>

uint64_t *
tb_event_steps (struct tb_recording *recording, uint64_t begin, uint64_t end,
		enum tb_event_kind kind)
{
  size_t count = tb_recording_events (recording, begin + 1, end, NULL, 0);
  struct tb_event *events = calloc (count + 1, sizeof *events);
  uint64_t *steps = calloc (count + 1, sizeof *steps);
  size_t kept = 0;
  if (events != NULL && steps != NULL)
    {
      size_t read = tb_recording_events (recording, begin + 1, end, events, count);
      for (size_t i = 0; i < count && i < read; i++)
	if (events[i].kind == kind
	    && (kept == 0 || steps[kept - 1] != events[i].step))
	  steps[kept++] = events[i].step;
      steps[kept] = UINT64_MAX;
    }
  if (events == NULL)
    {
      free (steps);
      steps = NULL;
    }
  free (events);
  return steps;
}
