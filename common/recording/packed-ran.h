/* Addresses that ran in a piece of a trace, packed, and gathering them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The ranges are sorted and do not touch.  Of each there are two numbers, 7 bits a byte,
   lowest first: the distance from the end of the range before (of the first: from 0), and
   its length less one.  */

#ifndef TB_RECORDING_PACKED_RAN_H
#define TB_RECORDING_PACKED_RAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/ran.h"

struct tb_packed_ran
{
  uint8_t *bytes;		/* To be freed; NULL: nobody knows what ran.  */
  uint32_t size;
};

/* A copy of FROM, which is known, in PACKED.  False: no memory, and PACKED is as it was.  */
bool tb_packed_ran_copy (struct tb_packed_ran *packed,
			 const struct tb_packed_ran *from);

/* Let INTO have what MORE has, too.  They may become fewer ranges, with what lies between
   them: no more than TB_PACKED_RAN_FEW.  Where one of the two is not known, neither is INTO
   afterwards.  False: no memory.  */
#define TB_PACKED_RAN_FEW 128
bool tb_packed_ran_join (struct tb_packed_ran *into, const struct tb_packed_ran *more);

/* Does PACKED, which is known, have all of RAN, as tb_ran_merge leaves it?  */
bool tb_packed_ran_has (const struct tb_packed_ran *packed, const struct tb_ran *ran);

/* Are the SIZE BYTES packed ranges?  */
bool tb_packed_ran_valid (const uint8_t *bytes, size_t size);

/* Read them one by one: AT and END are those of the bytes, BEFORE is 0 at first.  False:
   there are no more.  */
struct tb_packed_ran_cursor
{
  const uint8_t *at, *end;
  uint64_t before;
};
bool tb_packed_ran_next (struct tb_packed_ran_cursor *cursor,
			 struct tb_visit_range *range);

static inline struct tb_packed_ran_cursor
tb_packed_ran_begin (const struct tb_packed_ran *packed)
{
  const uint8_t *end = packed->size != 0 ? packed->bytes + packed->size : packed->bytes;
  return (struct tb_packed_ran_cursor) { packed->bytes, end, 0 };
}

/* Gathering: loops make the same ranges run again and again, so some are remembered, each
   in the one place that it may have.  Zero before use; free RAN.items.  */
#define TB_GATHER_RECENT 1024

struct tb_gather
{
  struct { uint64_t first, end; uint8_t space; } recent[TB_GATHER_RECENT];
  struct tb_ran ran;		/* Not sorted; ranges may be there twice.  */
};

/* Are the instructions from START to before END in SPACE, of which there is at least one,
   remembered?  If not, they are from now on.  */
static inline bool
tb_gather_knows (struct tb_gather *g, uint8_t space, uint64_t start, uint64_t end)
{
  size_t place = (start >> 1) % TB_GATHER_RECENT;
  if (g->recent[place].first == start && g->recent[place].end == end
      && g->recent[place].space == space)
    return true;
  g->recent[place].first = start;
  g->recent[place].end = end;
  g->recent[place].space = space;
  return false;
}

/* Pack what RAN of GATHER has, and begin anew.  FEW: as tb_packed_ran_join does it.  False:
   no memory.  */
bool tb_gather_pack (struct tb_gather *gather, bool few, struct tb_packed_ran *packed);

/* Begin anew.  */
void tb_gather_forget (struct tb_gather *gather);

#endif /* TB_RECORDING_PACKED_RAN_H */
