/* What perf.data says of trace units: its metadata.  See perf-data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_PERF_UNITS_H
#define TB_SNAPSHOT_PERF_UNITS_H

#include "snapshot/maker.h"

struct tb_perf_unit
{
  uint64_t cpu;
  size_t source, core;		/* Devices of the maker.  */
};

/* Zero but for PATH and TYPE before use.  */
struct tb_perf_units
{
  const char *path;
  const char *type;		/* Of the cores; NULL: what the units show.  */
  struct tb_perf_unit *items;
  size_t count, capacity;
};

/* Add to MAKER the devices that the LENGTH bytes DATA say, the private part of the record
   AUXTRACE_INFO, which is at byte AT of the file.  Errors go to MAKER.  */
void tb_perf_units_read (struct tb_perf_units *units, struct tb_maker *maker,
			 const uint8_t *data, size_t length, uint64_t at);
void tb_perf_units_fini (struct tb_perf_units *units);

/* The number in COUNT bytes, the lowest first.  */
static inline uint64_t
tb_perf_number (const uint8_t *bytes, unsigned count)
{
  uint64_t value = 0;
  while (count-- > 0)
    value = value << 8 | bytes[count];
  return value;
}

#endif /* TB_SNAPSHOT_PERF_UNITS_H */
