/* Coverage: how much is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_COVERAGE_H
#define TB_STATE_COVERAGE_H

#include "state/state.h"

/* How often something was known: with certainty, or by an assumption.  */
struct tb_coverage_count
{
  uint64_t certain, assumed;
};

/* Loads or stores.  */
struct tb_coverage_accesses
{
  uint64_t count;
  struct tb_coverage_count addresses;
  /* What was loaded or stored, where the address is known, too.  */
  struct tb_coverage_count values;
};

/* Zero-initialise before use.  */
struct tb_coverage
{
  uint64_t steps;
  uint64_t analysed;		/* See tb_state_analysed.  */
  /* Registers that are wholly known before a step, by arm/regs.h; the condition
     flags, as one.  */
  struct tb_coverage_count registers[TB_NREGS_MAX], flags;
  /* Of the steps that were analysed.  */
  struct tb_coverage_accesses loads, stores;
};

/* Add what STATE knows of STEP, a step of its recording.  */
void tb_coverage_add (struct tb_coverage *coverage, struct tb_state *state,
		      uint64_t step, const struct tb_profile *profile);

#endif /* TB_STATE_COVERAGE_H */
