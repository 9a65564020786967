/* Explanations: where what is known of a register comes from.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WHY_H
#define TB_STATE_WHY_H

#include "state/state.h"

/* Why a value is known.  */
enum tb_why_rule
{
  TB_WHY_UNKNOWN,		/* It is not, or not wholly.  */
  TB_WHY_TRACE,			/* The instruction or what the trace tells of
				   it says so: a branch, a target, a constant. */
  TB_WHY_HALT,			/* The register is so at the halt.  */
  TB_WHY_FUNCTION,		/* Assumed: a constant of the function.  */
  TB_WHY_MEMORY,		/* Memory that does not change holds it, or the
				   dump does at the halt.  */
  TB_WHY_OPERATION,		/* It was computed, or a result and the other
				   operand leave no other choice.  */
  TB_WHY_SAME,			/* It is another one plus a constant.  */
  TB_WHY_ACCESS,		/* One access reads what another one wrote or
				   read.  */
  TB_WHY_KEPT,			/* Assumed: the call has kept it.  */
  TB_WHY_CONDITION,		/* One of two, by a condition.  */
  TB_WHY_FEW			/* No other of the few values it could have is
				   possible.  */
};

/* A value of the chain.  */
struct tb_why
{
  uint64_t step;		/* It was made by this step, or just before it
				   by an exception; the number of steps: at the
				   end.  */
  uint32_t value;
  uint8_t rule;			/* enum tb_why_rule  */
  bool assumed;			/* In the state with assumptions.  */
  uint8_t from_count;
  uint16_t from[2];		/* Items of the list that it follows from.  */
};

/* Explain register REG (r0 to r12, SP, LR) before STEP: ITEMS[0] is it, then come
   the values that it follows from, nearest first, at most CAPACITY together.
   Returns how many; 0 where nothing is known or can be said (A64, steps before the
   window, values that the trace itself states).  */
size_t tb_state_why (struct tb_state *state, uint64_t step, unsigned reg,
		     struct tb_why *items, size_t capacity);

#endif /* TB_STATE_WHY_H */
