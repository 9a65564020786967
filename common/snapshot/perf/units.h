/* What perf.data says of trace units: its metadata.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_PERF_UNITS_H
#define TB_SNAPSHOT_PERF_UNITS_H

#include "snapshot/perf/records.h"

#define TB_PERF_UNIT_REGISTERS 8

struct tb_perf_unit_kind;

struct tb_perf_unit
{
  uint64_t cpu;
  size_t source, core;		/* Devices of the maker.  */
  const struct tb_perf_unit_kind *kind;
  uint32_t values[TB_PERF_UNIT_REGISTERS];	/* COUNT of them are told.  */
  size_t count;
  uint64_t sink;		/* A number for what it writes into; 0: not told.  */
  bool has_buffer;		/* There is one of its CPU.  */
};

/* What units name contexts by.  */
enum tb_perf_naming
{
  TB_PERF_BY_NOTHING,
  TB_PERF_BY_CID,		/* CONTEXTIDR_EL1: the kernel runs at EL1.  */
  TB_PERF_BY_VMID		/* CONTEXTIDR_EL2 in the place of a VMID.  */
};

/* Zero but for PATH and TYPE before use.  */
struct tb_perf_units
{
  const char *path;
  const char *type;		/* Of the cores; NULL: what the units show.  */
  struct tb_perf_unit *items;
  size_t count, capacity;
  /* All have the counter that the kernel sees as their timestamps (TRFCR_EL1.TS; perf:
     TS_SOURCE).  */
  bool virtual_time;
};

/* Add to MAKER the devices that the LENGTH bytes DATA say, the private part of the record
   AUXTRACE_INFO, which is at byte AT of the file.  Errors go to MAKER.  */
void tb_perf_units_read (struct tb_perf_units *units, struct tb_maker *maker,
			 const uint8_t *data, size_t length, uint64_t at);

/* The unit of CPU has the trace ID that the kernel gave it when it was recorded, ID, for all that
   is written into SINK; 0: into any.  */
void tb_perf_units_set_id (struct tb_perf_units *units, struct tb_maker *maker, uint32_t cpu,
			   uint32_t id, uint64_t sink);

/* Does one decoder read what all of UNITS send, save for the trace IDs?  */
bool tb_perf_units_alike (const struct tb_perf_units *units);

/* Add a core and a trace unit to MAKER as UNIT is, for thread TID.  */
struct tb_perf_unit tb_perf_units_copy (const struct tb_perf_units *units,
					struct tb_maker *maker, const struct tb_perf_unit *unit,
					uint32_t tid);

/* Where the kernel has the number of a thread, as perf on Linux takes it
   (tools/perf/util/cs-etm.c).  */
enum tb_perf_naming tb_perf_units_naming (const struct tb_perf_units *units);

void tb_perf_units_fini (struct tb_perf_units *units);

#endif /* TB_SNAPSHOT_PERF_UNITS_H */
