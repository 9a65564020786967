/* What threads were called when perf recorded.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A record COMM says what a thread is called from then on: its number and its name are behind
   that of its process (tools/lib/perf/include/perf/event.h).  A thread of which there is none
   is called as the process is.  */

#ifndef TB_SNAPSHOT_PERF_NAMES_H
#define TB_SNAPSHOT_PERF_NAMES_H

#include "snapshot/perf/code.h"

#define TB_PERF_NAME 16		/* Bytes of a name in the kernel, with the 0 at its end.  */

struct tb_perf_name
{
  uint32_t tid;
  size_t order;
  char text[TB_PERF_NAME];
};

/* Zero-initialise.  */
struct tb_perf_names
{
  struct tb_perf_name *items;
  size_t count, capacity;
  /* Numbers that threads of several processes had in turn: none is given to the maker.  */
  size_t nshared;
  uint32_t first_shared;
};

/* Note RECORD, of type COMM, which comes behind those before it.  False: no memory.  */
bool tb_perf_names_take (struct tb_perf_names *names, const struct tb_perf_record *record);

/* Give MAKER the threads of CODE (after tb_perf_code_make) under their names, if the trace units
   name them as NAMING says, or else if MAKER has been told when they ran.  */
void tb_perf_names_make (struct tb_perf_names *names, const struct tb_perf_code *code,
			 enum tb_perf_naming naming, struct tb_maker *maker);

void tb_perf_names_fini (struct tb_perf_names *names);

#endif /* TB_SNAPSHOT_PERF_NAMES_H */
