/* The trace in perf.data: pieces of perf's buffers, and what of them one recording made.
   See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A record AUXTRACE has a piece of a buffer, filled up to eight bytes; a record AUX says
   which bytes of the buffer the trace unit wrote between its start and its stop, by which
   the buffer is a CPU's, or a thread's (struct perf_event_mmap_page in
   include/uapi/linux/perf_event.h; tools/perf/util/auxtrace.c, cs-etm.c).  */

#ifndef TB_SNAPSHOT_PERF_TRACE_H
#define TB_SNAPSHOT_PERF_TRACE_H

#include "snapshot/perf/records.h"
#include "snapshot/perf/units.h"

/* No CPU: the buffer is a thread's.  */
#define TB_PERF_NO_CPU UINT32_MAX

struct tb_perf_piece
{
  uint32_t index, tid, cpu;
  uint64_t offset;		/* Where perf had it in the buffer.  */
  const uint8_t *data;
  uint64_t size;
};

/* What was written between start and stop.  */
struct tb_perf_aux
{
  uint64_t offset, size, flags;
  uint64_t time;		/* When the trace unit had stopped; 0: not told.  */
  uint32_t tid, cpu;
  size_t number;		/* In the file.  */
};

/* Zero-initialise.  */
struct tb_perf_trace
{
  struct tb_perf_piece *pieces;
  struct tb_perf_aux *aux;
  size_t npieces, naux, pieces_capacity, aux_capacity;
  bool lost_order;		/* Nobody says whose the AUX records are.  */
  bool raw;			/* One of those has the bytes of one source.  */
  size_t truncated, collisions;
};

/* Note RECORD, of type AUX, or AUXTRACE.  False: no memory.  */
bool tb_perf_trace_take (struct tb_perf_trace *trace, const struct tb_perf_record *record);

/* Make the buffers of MAKER, whose trace units are UNITS, and their streams.  SPACE says
   where the code of a thread's trace is that names no context.  */
void tb_perf_trace_make (struct tb_perf_trace *trace, struct tb_perf_units *units,
			 struct tb_maker *maker,
			 enum tb_space (*space) (void *context, uint32_t tid), void *context);

void tb_perf_trace_fini (struct tb_perf_trace *trace);

#endif /* TB_SNAPSHOT_PERF_TRACE_H */
