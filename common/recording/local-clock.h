/* What the ticks of an ITM's local clock say of the system's time.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Neither trace nor a snapshot tells how fast the local clock is, and it stops where its
   clock is gated.  But where the user says that it never counts more than so many ticks a
   second, at least as much time has passed between two packets as their ticks take: the later
   one was so much later than the earliest time of the one before it, and the one before it so
   much earlier than the latest time of the later one.  Only packets count whose local time is
   told exactly (DDI 0403, D4.2.4, field TC), and a tick less, as the first one may have been
   all but over.  */

#ifndef TB_RECORDING_LOCAL_CLOCK_H
#define TB_RECORDING_LOCAL_CLOCK_H

#include "recording/software.h"

/* Zero-initialise but for the rates.  */
struct tb_local_clock
{
  uint64_t local, system;	/* Ticks a second, at most and exactly; one is 0: not
				   known, and nothing follows.  */
  uint64_t sum;			/* Told last.  */
  uint64_t tick;		/* By which it counts: the prescaler.  */
  uint64_t from;		/* The first item since it began anew.  */
  /* A packet at these local ticks was no earlier than this.  */
  bool has_anchor;
  uint64_t ticks, earliest;
  bool contradicted;		/* It did count faster.  */
  bool narrowed;		/* Some time was narrowed by it.  */
};

/* It began anew before item NUMBER.  */
void tb_local_clock_restart (struct tb_local_clock *clock, uint64_t number);

/* The system's time is another one from here on.  */
void tb_local_clock_part (struct tb_local_clock *clock);

/* Its sum is VALUE, DELTA more ticks than when it was told before.  */
void tb_local_clock_told (struct tb_local_clock *clock, uint64_t value, uint32_t delta);

/* SAID, the newest item so far, was at its local time exactly: narrow its earliest time.  */
void tb_local_clock_raise (struct tb_local_clock *clock, struct tb_said *said);

/* The latest time of the items FIRST up to END has been told: narrow it.  The first one of ITEMS
   is number BASE.  */
void tb_local_clock_lower (struct tb_local_clock *clock, struct tb_said *items, uint64_t base,
			   uint64_t first, uint64_t end);

#endif /* TB_RECORDING_LOCAL_CLOCK_H */
