/* Addresses that ran, as ranges.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_RAN_H
#define TB_RECORDING_RAN_H

#include "recording/visits.h"

/* Ranges by address.  The last address of one is included: it may be the top of the
   address space.  They are disjoint and do not touch, but between tb_ran_append and
   tb_ran_merge.  Zero before use; free ITEMS.  */
struct tb_ran
{
  struct tb_visit_range *items;
  size_t count, capacity;
};

/* Add FIRST to LAST at the end of RAN, whatever is there.  False: no memory.  */
bool tb_ran_append (struct tb_ran *ran, uint64_t first, uint64_t last);

/* Sort RAN and make its ranges disjoint.  */
void tb_ran_merge (struct tb_ran *ran);

/* The number of the first range that ends at ADDRESS or later.  */
size_t tb_ran_at (const struct tb_ran *ran, uint64_t address);

/* Add FIRST to LAST in its place.  False: no memory.  */
bool tb_ran_insert (struct tb_ran *ran, uint64_t first, uint64_t last);

#endif /* TB_RECORDING_RAN_H */
