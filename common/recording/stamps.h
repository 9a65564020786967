/* The system's time in a recording: where it is stated.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A timestamp among instructions is that of the last waypoint before it (IHI 0035B, 4.14), or, if
   the unit marked the place of the timestamp that comes late (ETE, ETMv4.6), before that place.
   One counter gives the time to all trace sources of a system (IHI 0014Q, 7.7).  A log has
   the time of each instruction.

   A core stands at POSITION from when the step before it has run until step POSITION runs.
   What a timestamp says bounds both times.  Between two timestamps there is an estimate, by
   which the steps of all recordings with the same clock have one order.  */

#ifndef TB_RECORDING_STAMPS_H
#define TB_RECORDING_STAMPS_H

#include "recording/cycle-times.h"
#include "recording/recording.h"
#include "recording/when.h"

struct tb_columns;

/* TIME is stated before STEP.  */
struct tb_stamp
{
  uint64_t step, time;
  bool later;			/* Something else, such as an exception or a gap, stands between
				   the step before it and this: that step ran then or before.
				   Else it did then.  */
};

/* In order of both.  Zero-initialise; free with tb_stamps_fini.  */
struct tb_stamps
{
  struct tb_stamp *items;
  size_t count, capacity;
  const struct tb_columns *facts;	/* A log's, in place of ITEMS; or NULL.  */
  struct tb_cycle_times cycles;	/* What cycle counts add to them.  */
  bool go_back;			/* There were some, and they did.  */
};

/* Read those of RECORDING; none where they go back, as then they are no one clock's.
   Zero, which says that the time is not known (IHI 0014Q, 7.7.4), is none.  RATE is that of the
   recording's core; NULL: not known.  False: no memory.  */
bool tb_stamps_read (struct tb_stamps *stamps, struct tb_recording *recording,
		     const struct tb_cycle_rate *rate);
void tb_stamps_fini (struct tb_stamps *stamps);

/* Number NUMBER of them.  */
struct tb_stamp tb_stamps_get (const struct tb_stamps *stamps, size_t number);

/* The steps that what was said at a time in WHEN was said between: those before *FIRST ran before
   it, and from *LAST on behind it, as far as that is known of the steps from 0 to END.  False: no
   time of the steps is later, so that it may have been said behind all that the trace tells;
   *LAST is END.  What has the same time as a step may have been behind it.  */
bool tb_stamps_place (const struct tb_stamps *stamps, uint64_t end, const struct tb_when *when,
		      uint64_t *first, uint64_t *last);

/* The first and the last time that RECORDING states, in microseconds, where there are
   FREQUENCY a second (a log whose times have a unit of theirs says so itself); found without
   reading the others.  False: it states none, it is
   not known how fast they count, the last one is before the first, or the microseconds
   are too many for 64 bits.  */
bool tb_stamps_span (struct tb_recording *recording, uint64_t frequency,
		     uint64_t *first, uint64_t *last);

/* When STEP ran: no earlier than the last time stated before it, and no later than the
   first one stated behind it; narrowed by cycle counts where their rate is known.  */
struct tb_when tb_stamps_bounds (const struct tb_stamps *stamps, uint64_t step);

/* When what stands between STEP and the one before it came about, such as an exception or a
   gap.  A time that is stated there, too, may be of before it or of after it.  */
struct tb_when tb_stamps_bounds_before (const struct tb_stamps *stamps, uint64_t step);

/* The time of STEP, as if cycles, or else steps, between two that are stated took the same
   time each, and those before the first and behind the last one took none.  There is one at
   least.  */
double tb_stamps_time (const struct tb_stamps *stamps, uint64_t step);

/* When a core can have stood at POSITION; what is not known is 0 and UINT64_MAX.  */
struct tb_when tb_stamps_stood (const struct tb_stamps *stamps, uint64_t position);

/* The positions *FIRST to *LAST, of those from 0 to END, at which a core can have stood
   at a time in WHEN.  */
void tb_stamps_standing (const struct tb_stamps *stamps, uint64_t end,
			 const struct tb_when *when, uint64_t *first, uint64_t *last);

/* The time at which STEP ran, as if cycles, or else steps, between two timestamps took the same
   time each, and those before the first and behind the last one as much as all others on
   average; it grows with STEP.  There is a timestamp at least.  */
double tb_stamps_ran (const struct tb_stamps *stamps, uint64_t step);

/* How many of the steps before END had run before TIME, or (WITH) not after it, by that
   estimate.  */
uint64_t tb_stamps_ran_before (const struct tb_stamps *stamps, uint64_t end,
			       double time, bool with);

#endif /* TB_RECORDING_STAMPS_H */
