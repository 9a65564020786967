/* Which thread a CPU went on to, and when.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The kernel writes a record SWITCH_CPU_WIDE when a CPU leaves a thread, which names the next
   one, and another when it has come to that, which names the one before
   (include/uapi/linux/perf_event.h).  So each record fits the one before it, if none is missing.
   perf itself takes threads by the contexts in the trace alone (tools/perf/util/cs-etm.c).  */

#ifndef TB_SNAPSHOT_PERF_SWITCHES_H
#define TB_SNAPSHOT_PERF_SWITCHES_H

#include "snapshot/perf/records.h"
#include "snapshot/perf/units.h"

struct tb_perf_switch;

/* Zero-initialise.  */
struct tb_perf_switches
{
  struct tb_perf_switch *items;
  size_t count, capacity;
  bool untold;			/* A record does not say of which CPU it is, or when.  */
  size_t broken;		/* CPUs, of which not all records are there.  */
};

/* Note RECORD, of type SWITCH_CPU_WIDE or LOST.  False: no memory.  */
bool tb_perf_switches_take (struct tb_perf_switches *switches,
			    const struct tb_perf_record *record);

/* Give MAKER the stays of the threads on the CPUs of UNITS.  False: no memory.  */
bool tb_perf_switches_make (struct tb_perf_switches *switches,
			    const struct tb_perf_units *units, struct tb_maker *maker);

/* Read into CLOCK what RECORD, of type TIME_CONV, says; it is not known where that is
   nothing.  */
void tb_perf_clock_read (struct tb_kernel_clock *clock, const struct tb_perf_record *record);

void tb_perf_switches_fini (struct tb_perf_switches *switches);

#endif /* TB_SNAPSHOT_PERF_SWITCHES_H */
