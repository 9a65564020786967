/* Overlapping regions of memory resolved into tiles.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_TILES_H
#define TB_SNAPSHOT_TILES_H

#include "snapshot/memmap.h"

/* Addresses FIRST to LAST are those of REGION.  */
struct tb_tile
{
  uint64_t first, last;
  const struct tb_region *region;
  bool disputed;		/* Another dump has other bytes there: none is known.  */
};

/* Tiles in the order of their addresses; none overlap.  */
struct tb_tiles
{
  struct tb_tile *items;
  size_t count, capacity;
};

void tb_tiles_fini (struct tb_tiles *tiles);

/* Fill TILES, which is empty, from COUNT regions in the order of precedence.
   Overlaps whose bytes differ are warnings to DIAG, if that is not NULL, and those of
   dumps of one space are disputed.  ANY has the regions of space ANY resolved before, which then
   are not compared again; or is NULL.  False: no memory.  */
bool tb_tiles_resolve (struct tb_tiles *tiles,
		       const struct tb_region *const *regions, size_t count,
		       const struct tb_tiles *any, struct tb_diag *diag);

/* Fill TILES, which is empty, with FIRST and, where FIRST has nothing, with what
   all of the COUNT OTHERS that have something there agree upon.  */
bool tb_tiles_agree (struct tb_tiles *tiles, const struct tb_tiles *first,
		     const struct tb_tiles *others, size_t count);

/* The tile that ADDRESS is in, or else the next one above it, or NULL.  */
const struct tb_tile *tb_tiles_from (const struct tb_tiles *tiles,
				     uint64_t address);

#endif /* TB_SNAPSHOT_TILES_H */
