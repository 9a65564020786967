/* What ran on a core, and when, as an operating system tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Linux notes the time when a core goes on from one thread to another: before it begins to
   change (prepare_task_switch in kernel/sched/core.c) and when it has (finish_task_switch there).
   In between either may run.  Times are those of the kernel's clock, in nanoseconds.  */

#ifndef TB_SNAPSHOT_STAYS_H
#define TB_SNAPSHOT_STAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread ran on a core from IN to OUT, and at no time before FROM or behind UNTIL.  */
struct tb_stay
{
  size_t core;			/* Number of a device.  */
  uint32_t thread;		/* 0: the core was idle.  */
  uint64_t from, in, out, until;
};

/* How the kernel makes its time of the counter that timestamps in trace have
   (tools/perf/util/tsc.c of Linux).  */
struct tb_kernel_clock
{
  bool known;
  unsigned shift;		/* Below 64.  */
  uint32_t mult;
  uint64_t zero;
  /* Counters of fewer than 64 bits: CYCLES and what bits of MASK the counter is beyond.  */
  uint64_t cycles, mask;
};

/* All stays of cores: those of a core in their order, without another one in between.  */
struct tb_stays
{
  const struct tb_stay *items;
  size_t count;
  struct tb_kernel_clock clock;
};

/* Times of the kernel's between which the counter was STAMP: not before *AFTER, not behind
   *BEFORE.  CLOCK is known.  */
void tb_kernel_time (const struct tb_kernel_clock *clock, uint64_t stamp, uint64_t *after,
		     uint64_t *before);

/* The stays on CORE alone.  */
struct tb_stays tb_stays_of (const struct tb_stays *stays, size_t core);

/* Of STAYS, all of one core, that which filled all of the time from AFTER to BEFORE; NULL: none, or
   it is not known.  */
const struct tb_stay *tb_stays_during (const struct tb_stays *stays, uint64_t after,
				       uint64_t before);

/* THREAD ran on the one core of STAYS at some time from *AFTER to *BEFORE: bring these as near to
   each other as the stays allow, if they tell of all of that time.  */
void tb_stays_narrow (const struct tb_stays *stays, uint32_t thread, uint64_t *after,
		      uint64_t *before);

#endif /* TB_SNAPSHOT_STAYS_H */
