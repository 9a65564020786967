/* Coverage: how much is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_COVERAGE_H
#define TB_STATE_EXPLAIN_COVERAGE_H

#include "state/explain/reasons.h"

/* How often something was known: with certainty, or by an assumption.  */
struct tb_coverage_count
{
  uint64_t certain, assumed;
};

/* The same of so many.  */
struct tb_coverage_share
{
  uint64_t count;
  struct tb_coverage_count known;
};

/* Loads or stores.  */
struct tb_coverage_accesses
{
  uint64_t count;
  struct tb_coverage_count addresses;
  /* What was loaded or stored, also where the address is not known.  */
  struct tb_coverage_count values;
};

/* What is counted of registers, by arm/machine/regs.h, and of the condition flags, as
   one.  */
struct tb_coverage_registers
{
  struct tb_coverage_share registers[TB_NREGS_MAX], flags;
};

/* Zero-initialise before use.  */
struct tb_coverage
{
  uint64_t steps;
  uint64_t analysed;		/* See tb_state_analysed.  */
  /* Registers that are wholly known before a step: of all steps; of those where
     the value is live; and of those whose instruction reads it.  Of the flags
     those count that are live or read.  The last two are of the steps of the
     window.  */
  struct tb_coverage_registers all, live, read;
  /* D (A64: V) registers that are wholly known before a step, of the steps where
     something of them is.  */
  struct tb_coverage_share vectors;
  /* Of the steps that were analysed.  */
  struct tb_coverage_accesses loads, stores;
  /* Why what is live, and what the accesses have, is not known; NULL: that is not
     asked for.  */
  struct tb_reasons *reasons;
  bool begins_as_reset;		/* See tb_state_begins_as_reset; left to the caller.  */
};

/* Add what STATE knows of STEP, a step of its recording.  LIVE: the registers that
   are live before it (effect.h); NULL: the step is not in the window.  */
void tb_coverage_add (struct tb_coverage *coverage, struct tb_state *state,
		      uint64_t step, const struct tb_profile *profile,
		      const uint64_t *live);

#endif /* TB_STATE_EXPLAIN_COVERAGE_H */
