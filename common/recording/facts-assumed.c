/* Facts: what a trace file marks as assumed.  See facts.h and facts-build.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Who wrote the file had assumptions on; what holds in a frame under one alone is told with
   the frame's step.  No line of a log is so.  */

#include "config.h"

#include "recording/facts-builder.h"
#include "recording/facts-memory.h"
#include "util/search.h"

void
tb_facts_build_assumed_value (struct tb_facts_builder *b, size_t reg, unsigned lane,
			      uint64_t at)
{
  if (b->failed)
    return;
  struct tb_facts_assumed_value *to
    = tb_column_extend (&b->facts->assumed_values, sizeof *to);
  if (to != NULL)
    *to = (struct tb_facts_assumed_value) { .step = (uint32_t) at, .reg = (uint32_t) reg,
					    .lane = lane };
  b->failed |= to == NULL;
}

void
tb_facts_build_assumed_memory (struct tb_facts_builder *b, uint64_t at, uint64_t address,
			       uint32_t length)
{
  if (b->failed)
    return;
  struct tb_facts_assumed_memory *to
    = tb_column_extend (&b->facts->assumed_memory, sizeof *to);
  if (to != NULL)
    *to = (struct tb_facts_assumed_memory) { .address = address, .step = (uint32_t) at,
					     .length = length };
  b->failed |= to == NULL;
}

bool
tb_facts_assumed_value (const struct tb_columns *f, const struct tb_facts_register *reg,
			unsigned lane, uint64_t step)
{
  size_t count = TB_COLUMN_COUNT (&f->assumed_values, struct tb_facts_assumed_value), i;
  const struct tb_facts_assumed_value *all
    = (const struct tb_facts_assumed_value *) f->assumed_values.data;
  TB_LOWER_BOUND (i, count, all[i].step < step);
  for (; i < count && all[i].step == step; i++)
    if (f->registers + all[i].reg == reg && all[i].lane == lane)
      return true;
  return false;
}

void
tb_facts_assumed_memory (const struct tb_columns *f, uint64_t step, uint64_t address,
			 uint8_t *origins, uint8_t assumed, size_t length)
{
  size_t count = TB_COLUMN_COUNT (&f->assumed_memory, struct tb_facts_assumed_memory), i;
  const struct tb_facts_assumed_memory *all
    = (const struct tb_facts_assumed_memory *) f->assumed_memory.data;
  TB_LOWER_BOUND (i, count, all[i].step < step);
  for (; i < count && all[i].step == step; i++)
    {
      /* Where the ranges overlap, without sums, which may be past the last address.  */
      uint64_t from = all[i].address > address ? all[i].address - address : 0;
      uint64_t skip = address > all[i].address ? address - all[i].address : 0;
      if (skip >= all[i].length)
	continue;
      uint64_t left = all[i].length - skip;
      for (uint64_t k = from; k < length && k - from < left; k++)
	if (origins[k] != 0)
	  origins[k] = assumed;
    }
}
