/* Following IT blocks along the steps: what governs each instruction.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_IT_H
#define TB_STATE_WINDOW_IT_H

#include "state/window/internal.h"

/* It is not known whether, or how, an instruction is in an IT block.  */
#define TB_IT_UNSURE 16

/* That, and it was not done, as a log says.  */
#define TB_IT_SKIPPED 17

/* ITSTATE.  An exception's entry saves it, a return restores it.  */
struct tb_it_tracker
{
  uint8_t state;
  bool unsure;			/* STATE is not known.  */
  uint8_t passed;		/* Instructions since then.  */
  bool returns;			/* The step before returned from an exception. */
  struct { uint32_t back; uint8_t state; bool unsure; } saved[32];
  unsigned depth;
  size_t change;		/* The next one.  */
};

/* Is ITSTATE zero wherever the T32 instruction at PC runs?  */
bool tb_it_never (const struct tb_state *state, uint64_t pc);

/* Follow it through the last steps before the window.  */
void tb_it_before (struct tb_state *state, struct tb_it_tracker *it);

/* What governs STEP, number I of the window: a condition, TB_IT_NONE or
   TB_IT_UNSURE; A32 instructions have their own.  */
unsigned tb_it_arrive (const struct tb_state *state, struct tb_it_tracker *it,
		       uint64_t i, const struct tb_step *step);

/* Behind STEP, whose template is T.  */
void tb_it_leave (const struct tb_state *state, struct tb_it_tracker *it,
		  const struct tb_step *step, const struct tb_template *t);

/* What the instruction of T does, which was done: it is not known whether an IT block
   governs it, and what a block's instructions leave is not known then.  */
void tb_it_describe_unsure (struct tb_semantics *semantics,
			    const struct tb_template *t,
			    const struct tb_profile *profile);

#endif /* TB_STATE_WINDOW_IT_H */
