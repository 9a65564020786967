/* What threads did on the CPUs, and in which order.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A slice is what a thread did on one CPU between two moments at which it could have moved to
   another one: where the trace names another context, or begins anew.  Where trace names none, it
   is what was traced while the kernel says that the CPU was the thread's.  A thread runs on one CPU
   at a time, so that its slices do not overlap, and of two the one was before the other if the
   other way round is not possible: if something of it was later than something of the other.
   Timestamps are those of the last waypoint before them (IHI 0035B, 4.14), of one counter for
   all trace sources (IHI 0014Q, 7.7).  */

#ifndef TB_RECORDING_SLICES_H
#define TB_RECORDING_SLICES_H

#include "decode/stitched.h"

struct tb_thread_slice
{
  uint32_t thread;
  struct tb_stitch_part part;
  uint64_t bytes;		/* Of its CPU's buffer.  */
  /* It had begun at the one time, and had not ended before the other, as far as known:
     UINT64_MAX and 0.  */
  uint64_t begun_at, on_until;
  /* All of it was between these times of the kernel's, as far as known: 0 and UINT64_MAX.  */
  uint64_t after, before;
};

/* Zero-initialise; free with tb_slices_fini.  */
struct tb_slices
{
  struct tb_thread_slice *items;
  size_t count, capacity;
  uint64_t timeless;		/* Lanes without timestamps, or in which these go back.  */
};

/* Add the slices of LANE, which is number NUMBER, the trace of CORE, and is decoded, of those of
   SNAPSHOT's threads that are in it: by the contexts in the trace, or by the stays that SNAPSHOT
   has.  Slices of a lane are in its order.  Anything but TB_OK: DIAG was told.  */
enum tb_status tb_slices_read (struct tb_slices *slices, struct tb_stitch_lane *lane,
			       size_t number, const struct tb_device *core,
			       const struct tb_snapshot *snapshot, struct tb_diag *diag);
enum tb_status tb_slices_read_timed (struct tb_slices *slices, struct tb_stitch_lane *lane,
				     size_t number, const struct tb_device *core,
				     const struct tb_snapshot *snapshot, struct tb_diag *diag);

/* All lanes were read: sort them by thread, then by lane, then as the lane has them.  */
void tb_slices_sort (struct tb_slices *slices);

/* Why the slices of a thread have no order.  */
enum tb_slices_order
{
  TB_SLICES_ORDERED,
  TB_SLICES_OPEN,		/* What is known of times leaves it open.  */
  TB_SLICES_WRONG		/* By the times the thread ran on two CPUs at once.  */
};

/* Put the COUNT SLICES of one thread, which are sorted, of LANES lanes at most, in the order in
   which they ran; otherwise they stay.  False: no memory.  */
bool tb_slices_order (struct tb_thread_slice *slices, size_t count, size_t lanes,
		      enum tb_slices_order *order);

void tb_slices_fini (struct tb_slices *slices);

#endif /* TB_RECORDING_SLICES_H */
