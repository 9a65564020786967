/* When a CPU's trace was made.  See lane-times.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/lane-times.h"

/* When the span that TIMES is in was written.  */
static struct tb_written
written (const struct tb_lane_times *times)
{
  const struct tb_trace_buffer *buffer = times->buffer;
  return buffer != NULL && buffer->written != NULL && times->span < buffer->nspans
	 ? buffer->written[times->span] : (struct tb_written) { .before = 0 };
}

/* Let TIMES be in the span that begins where the one before ended.  */
static void
enter_span (struct tb_lane_times *times)
{
  struct tb_written when = written (times);
  times->span_end += times->buffer->spans[times->span].size;
  if (when.before != 0 && when.after > times->after)
    times->after = when.after;
}

void
tb_lane_times_init (struct tb_lane_times *times, const struct tb_kernel_clock *clock,
		    const struct tb_trace_buffer *buffer)
{
  *times = (struct tb_lane_times) { .clock = clock, .buffer = buffer };
  if (buffer != NULL && buffer->nspans > 0)
    enter_span (times);
}

uint64_t
tb_lane_times_before (const struct tb_lane_times *times)
{
  struct tb_written when = written (times);
  return when.before != 0 ? when.before : UINT64_MAX;
}

bool
tb_lane_times_reach (struct tb_lane_times *times, uint64_t index, uint64_t *before)
{
  bool other = false;
  *before = tb_lane_times_before (times);
  while (times->buffer != NULL && index >= times->span_end
	 && times->span + 1 < times->buffer->nspans)
    {
      times->span++;
      enter_span (times);
      other = true;
    }
  return other;
}

uint64_t
tb_lane_times_stamp (struct tb_lane_times *times, uint64_t stamp)
{
  uint64_t after, before;
  if (!times->clock->known)
    return UINT64_MAX;
  tb_kernel_time (times->clock, stamp, &after, &before);
  if (after > times->after)
    times->after = after;
  return before;
}
