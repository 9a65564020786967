/* Extents: ranges of addresses, sorted, apart, quick to ask.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_EXTENTS_H
#define TB_SNAPSHOT_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb_extent
{
  uint64_t address, length;	/* ADDRESS + LENGTH - 1 fits; LENGTH not 0.  */
};

/* Zero-initialise; free with tb_extents_fini.  */
struct tb_extents
{
  struct tb_extent *items;	/* By address; none touches the next.  */
  size_t count, room;
};

void tb_extents_fini (struct tb_extents *extents);

/* Add LENGTH bytes (at least 1) at ADDRESS, as far as there are addresses.
   False: no memory.  */
bool tb_extents_add (struct tb_extents *extents, uint64_t address,
		    uint64_t length);

/* Is any of the LENGTH bytes (at least 1) at ADDRESS in EXTENTS, which may be
   NULL?  */
bool tb_extents_hit (const struct tb_extents *extents, uint64_t address,
		    uint64_t length);

/* Are all of them?  */
bool tb_extents_hold (const struct tb_extents *extents, uint64_t address,
		     uint64_t length);

#endif /* TB_SNAPSHOT_EXTENTS_H */
