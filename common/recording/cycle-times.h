/* What cycle counts say of the times of steps between two timestamps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   ETM and PTM count the cycles of their core between packets (IHI 0014Q, IHI 0035B, IHI
   0064H).  Neither trace nor a snapshot tells how fast these are, and they stand still
   while the core sleeps.  But where the user says that the core never runs more than so many a
   second, at least as much time has passed between two places as the cycles take that were
   counted between them: a step was so much later than the timestamp before it, and so much
   earlier than the one behind it.  Only whole counts between the two timestamps are taken, and
   one cycle less, as the first one may have been all but over.

   Where something must be drawn between two timestamps, it stands where its share of the cycles
   puts it, with or without such a rate: that is an estimate.

   Between two timestamps some places are kept; a place that is not widens what is said of the
   steps around it.  What stands before the first timestamp, behind the last one or beside a gap has
   none.  */

#ifndef TB_RECORDING_CYCLE_TIMES_H
#define TB_RECORDING_CYCLE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/when.h"

/* How many cycles of a core there are a second, at most, and ticks of the system's time,
   exactly; one is 0: not known, and no bound follows.  */
struct tb_cycle_rate
{
  uint64_t cycles, system;
};

/* What runs from STEP on did so no earlier than EARLIEST, and what runs before it no later
   than LATEST; as an estimate it begins at ABOUT.  */
struct tb_cycle_point
{
  uint64_t step, earliest, latest, about;
};

/* In order of each.  Zero-initialise; free with tb_cycle_times_fini.  */
struct tb_cycle_times
{
  struct tb_cycle_point *points;
  size_t count, capacity;
  bool any;			/* There were counts ...  */
  bool narrow;			/* ... which narrow some time by the rate.  */
  bool contradicted;		/* The core was faster than the rate, which so bounds
				   nothing.  */
};

/* How many places between two timestamps are kept at most.  */
#define TB_CYCLE_PLACES 64

/* The cycles CYCLES, summed up, had passed before STEP.  */
struct tb_cycle_place
{
  uint64_t step, cycles;
};

/* Reads what stands in a trace in its order.  Zero-initialise but for TO and RATE.  */
struct tb_cycle_reader
{
  struct tb_cycle_times *to;
  struct tb_cycle_rate rate;
  struct tb_cycle_place places[2 * TB_CYCLE_PLACES];
  size_t nplaces;
  uint64_t every;		/* Of so many counts one is kept ...  */
  uint64_t skip;		/* ... the next one behind so many.  */
  uint64_t first, sum;		/* Of the first count behind the last timestamp; of
				   the last count.  */
  uint64_t at_stamp;		/* SUM when that was stated.  */
  uint64_t time;		/* That it stated.  */
  bool begun;			/* There was one, and no gap since ...  */
  bool counted;			/* ... and there is a count behind it.  */
};

/* Before STEP the sum of cycles is CYCLES.  */
void tb_cycle_counted (struct tb_cycle_reader *reader, uint64_t step, uint64_t cycles);

/* Here trace is missing.  */
void tb_cycle_gap (struct tb_cycle_reader *reader);

/* Before STEP the TIME is stated, which is no earlier than the one before.  Where that
   contradicts the rate, TO's CONTRADICTED is set; then the bounds that were made are of no
   use.  False: no memory.  */
bool tb_cycle_stated (struct tb_cycle_reader *reader, uint64_t step, uint64_t time);

void tb_cycle_times_fini (struct tb_cycle_times *times);

/* How many of the points stand at STEP or before.  */
size_t tb_cycle_points_to (const struct tb_cycle_times *times, uint64_t step);

/* How many of the points have a LATEST before TIME; an EARLIEST of TIME or before.  */
size_t tb_cycle_points_over (const struct tb_cycle_times *times, uint64_t time);
size_t tb_cycle_points_begun (const struct tb_cycle_times *times, uint64_t time);

/* Narrow WHEN, of what is said of it by timestamps, to what the first BEHIND points say of what
   came behind them, and the others from number BEFORE on of what came before these.  */
void tb_cycle_narrow (const struct tb_cycle_times *times, size_t behind, size_t before,
		      struct tb_when *when);

#endif /* TB_RECORDING_CYCLE_TIMES_H */
