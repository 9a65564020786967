/* Where a log's facts have SVE registers.  See log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/log.h"

#include <stdio.h>

#include "recording/facts.h"

/* Z0 to Z31, P0 to P15, FFR.  */
enum { P = 32, FFR = 48 };

/* Bytes of vectors, and of their predicates, that are a bit a byte, in a lane.  */
enum { LANE = 4, LANE_OF_P = 32, SHORTEST = 16 };

/* Does a lane of 32 bits of REG, a predicate, hold more than the shortest vectors
   have?  */
static bool
is_more (const struct tb_facts_register *reg)
{
  uint32_t value, mask;
  for (uint64_t at = 0; at != UINT64_MAX; at = tb_facts_next (reg, at))
    if (tb_facts_register (reg, 0, at, &value, &mask) && value >> SHORTEST != 0)
      return true;
  return false;
}

void
tb_log_sve_find (struct tb_log_sve *sve, const struct tb_columns *facts)
{
  bool any = false;
  sve->length = SHORTEST;
  for (unsigned i = 0; i <= FFR; i++)
    {
      char name[8] = "ffr";
      if (i < FFR)
	snprintf (name, sizeof name, "%c%u", i < P ? 'v' : 'p', i % P);
      const struct tb_facts_register *reg = tb_facts_find (facts, name);
      sve->regs[i] = reg;
      if (reg == NULL)
	continue;
      unsigned length = reg->nlanes * (i < P ? LANE : LANE_OF_P);
      if (i >= P && reg->nlanes == 1 && !is_more (reg))
	length = SHORTEST;
      any |= i >= P || length > SHORTEST;
      if (length > sve->length)
	sve->length = (length + SHORTEST - 1) / SHORTEST * SHORTEST;
    }
  /* Lines may be longer than any vector is.  */
  if (sve->length > TB_LOG_SVE_LONGEST)
    sve->length = TB_LOG_SVE_LONGEST;
  if (!any || !facts->has_a64)
    sve->length = 0;
}
