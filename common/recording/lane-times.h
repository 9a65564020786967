/* When a CPU's trace was made, by the clock of the kernel that recorded it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Two things tell: when the bytes were written that have an element, and timestamps, if the
   kernel's clock is made of the same counter (snapshot/stays.h).  */

#ifndef TB_RECORDING_LANE_TIMES_H
#define TB_RECORDING_LANE_TIMES_H

#include "snapshot/snapshot.h"

/* While the elements of a buffer are read in turn.  */
struct tb_lane_times
{
  const struct tb_kernel_clock *clock;
  const struct tb_trace_buffer *buffer;	/* NULL: it is not known when it was written.  */
  size_t span;
  uint64_t span_end;		/* Byte of the buffer.  */
  uint64_t after;		/* What ran since is not before this.  */
};

void tb_lane_times_init (struct tb_lane_times *times, const struct tb_kernel_clock *clock,
			 const struct tb_trace_buffer *buffer);

/* An element is of byte INDEX.  True: that was written at another time than what was before, which
   ran no later than *BEFORE.  */
bool tb_lane_times_reach (struct tb_lane_times *times, uint64_t index, uint64_t *before);

/* What ran up to here did so no later than that.  */
uint64_t tb_lane_times_before (const struct tb_lane_times *times);

/* The timestamp STAMP is of what ran last.  Returns no later than when; UINT64_MAX: that is not
   known.  */
uint64_t tb_lane_times_stamp (struct tb_lane_times *times, uint64_t stamp);

#endif /* TB_RECORDING_LANE_TIMES_H */
