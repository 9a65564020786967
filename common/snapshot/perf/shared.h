/* Code that is where it is whatever process runs.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Trace that names no contexts does not tell whose code ran: what is known then is what no
   two processes have at one address.  */

#ifndef TB_SNAPSHOT_PERF_SHARED_H
#define TB_SNAPSHOT_PERF_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/perf/code.h"

/* Zero-initialise; free MAPS with free.  */
struct tb_perf_shared
{
  struct tb_perf_map *maps;
  size_t count, capacity;
};

/* Add the COUNT MAPS.  Of one that is longer than its file only what the file has is code.
   False: no memory.  */
bool tb_perf_shared_add (struct tb_perf_shared *shared, const struct tb_perf_map *maps,
			 size_t count);

/* Leave of what was added the files' code that all who have something at its addresses have
   there, in the order of the addresses.  *DISPUTED bytes, from *FIRST on, are left out as
   some have other code there.  False: no memory.  */
bool tb_perf_shared_settle (struct tb_perf_shared *shared, uint64_t *disputed,
			    uint64_t *first);

#endif /* TB_SNAPSHOT_PERF_SHARED_H */
