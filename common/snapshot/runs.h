/* Overlapping regions of memory resolved into runs.  Private to the map.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_RUNS_H
#define TB_SNAPSHOT_RUNS_H

#include "snapshot/memmap.h"

/* Addresses FIRST to LAST are those of REGION.  */
struct tb_run
{
  uint64_t first, last;
  const struct tb_region *region;
};

/* Runs in the order of their addresses; none overlap.  */
struct tb_runs
{
  struct tb_run *items;
  size_t count, capacity;
};

void tb_runs_fini (struct tb_runs *runs);

/* Fill RUNS, which is empty, from COUNT regions in the order of precedence.
   Overlaps whose bytes differ are warnings to DIAG, but not those of two
   regions of space ANY if SKIP_ANY.  False: no memory.  */
bool tb_runs_resolve (struct tb_runs *runs,
		      const struct tb_region *const *regions, size_t count,
		      bool skip_any, struct tb_diag *diag);

/* Fill RUNS, which is empty, with FIRST and, where FIRST has nothing, with what
   all of the COUNT OTHERS that have something there agree upon.  */
bool tb_runs_agree (struct tb_runs *runs, const struct tb_runs *first,
		    const struct tb_runs *others, size_t count);

/* The run that ADDRESS is in, or else the next one above it, or NULL.  */
const struct tb_run *tb_runs_from (const struct tb_runs *runs,
				   uint64_t address);

#endif /* TB_SNAPSHOT_RUNS_H */
