/* Records of perf.data in the order of their times.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   perf writes what the CPUs recorded in turn, or in files of their own: of what one CPU says and
   another one undoes, the times say what was first (tools/perf/util/ordered-events.c).  What perf
   says of what was there before has the time 0.  */

#ifndef TB_SNAPSHOT_PERF_ORDER_H
#define TB_SNAPSHOT_PERF_ORDER_H

#include "snapshot/perf/records.h"
#include "util/buffer.h"

struct tb_perf_ordered;

/* Zero-initialise.  */
struct tb_perf_order
{
  struct tb_perf_ordered *items;
  size_t count, capacity;
  struct tb_buffer bytes;	/* Of all.  */
};

/* Keep a copy of RECORD.  False: no memory.  */
bool tb_perf_order_keep (struct tb_perf_order *order, const struct tb_perf_record *record);

/* Call TAKE for each record, in the order of their times, or if these are the same in that they
   were kept in.  */
void tb_perf_order_give (struct tb_perf_order *order,
			 void (*take) (void *context, const struct tb_perf_record *record),
			 void *context);

void tb_perf_order_fini (struct tb_perf_order *order);

#endif /* TB_SNAPSHOT_PERF_ORDER_H */
