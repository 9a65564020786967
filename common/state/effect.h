/* What the steps do to registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EFFECT_H
#define TB_STATE_EFFECT_H

#include "state/state.h"

/* A set of registers: a bit for each that instructions compute with, by
   arm/machine/regs.h (R0 to LR, X0 to SP), and one for each condition flag.  */
#define TB_EFFECT_N 60		/* Z, C and V follow.  */
#define TB_EFFECT_NZCV (UINT64_C (15) << TB_EFFECT_N)
#define TB_EFFECT_ALL32 (UINT64_C (0x7fff) | TB_EFFECT_NZCV)
#define TB_EFFECT_ALL64 (UINT64_C (0xffffffff) | TB_EFFECT_NZCV)

struct tb_effect
{
  uint64_t reads;		/* Before it writes them.  */
  uint64_t writes;		/* In any case.  */
  uint64_t may_write;		/* Those too.  */
  /* FP and vector registers that it writes in any case, or may write: bits 2N and
     2N + 1 are the halves of D or V register N.  The status registers come with
     CONTROLS, for which it may write.  */
  uint64_t vectors, may_vectors;
  bool controls;
  bool no_stores;		/* It writes no memory, even if it is not analysed.  */
};

/* What the instruction of STEP reads and writes.  False, and all of them, where
   it is not analysed.  */
bool tb_state_effect (struct tb_state *state, uint64_t step,
		      struct tb_effect *effect);

/* The same of the COUNT micro-operations UOPS, of A64 or not.  */
struct tb_uop;
void tb_effect_of_uops (struct tb_effect *effect, const struct tb_uop *uops,
			unsigned count, bool a64);

/* The registers right after the instruction of STEP, before what lies between it
   and the next one.  Otherwise as tb_state_registers.  */
void tb_state_after (struct tb_state *state, uint64_t step,
		     struct tb_value *values);

/* FP and vector registers there; otherwise as tb_state_vectors.  */
bool tb_state_vectors_after (struct tb_state *state, uint64_t step,
			     struct tb_vector *vectors);

/* The registers of the slots in SLOTS (state/window/internal.h), of A64 or not.  */
uint64_t tb_effect_registers (uint64_t slots, bool a64);

#endif /* TB_STATE_EFFECT_H */
