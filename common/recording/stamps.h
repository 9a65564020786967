/* The system's time in a recording: where it is stated.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A timestamp among instructions is that of the last waypoint before it (IHI 0035B, 4.14).
   One counter gives the time to all trace sources of a system (IHI 0014Q, 7.7).  */

#ifndef TB_RECORDING_STAMPS_H
#define TB_RECORDING_STAMPS_H

#include "recording/recording.h"

/* TIME is stated before STEP.  */
struct tb_stamp
{
  uint64_t step, time;
};

/* In order of both.  Zero-initialise; free with tb_stamps_fini.  */
struct tb_stamps
{
  struct tb_stamp *items;
  size_t count, capacity;
};

/* Read those of RECORDING; none where they go back, as then they are no one clock's.
   Zero, which says that the time is not known (IHI 0014Q, 7.7.4), is none.  False: no
   memory.  */
bool tb_stamps_read (struct tb_stamps *stamps, struct tb_recording *recording);
void tb_stamps_fini (struct tb_stamps *stamps);

/* How many state a time before TIME.  */
size_t tb_stamps_before (const struct tb_stamps *stamps, uint64_t time);

/* The time of STEP, as if steps between two that are stated took the same time each, and
   those before the first and behind the last one took none.  There is one at
   least.  */
double tb_stamps_time (const struct tb_stamps *stamps, uint64_t step);

#endif /* TB_RECORDING_STAMPS_H */
