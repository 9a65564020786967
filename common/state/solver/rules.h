/* Inside of the rules: what their files share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_SOLVER_RULES_H
#define TB_STATE_SOLVER_RULES_H

#include "state/solver/graph-nodes.h"

#define ONE ((tb_word) 1)

/* A value of a node.  */
struct operand
{
  tb_vid id;
  struct tb_known k;		/* At the beginning.  */
};

/* One application of a node.  */
struct rule
{
  struct tb_graph *graph;
  unsigned top;			/* The number of a word's highest bit.  */
  tb_word ones;			/* All bits of a word.  */
  struct operand d, a, b;
};

/* The bits MASK of O are those of BITS.  Mostly that is no news, which is quickly
   seen.  */
static inline void
learn_bits (const struct rule *r, const struct operand *o, tb_word mask,
	    tb_word bits)
{
  if ((mask & (~o->k.mask | (bits ^ o->k.bits))) != 0)
    tb_graph_set_bits (r->graph, o->id, mask, bits);
}

/* O is LO .. HI.  */
static inline void
learn_range (const struct rule *r, const struct operand *o, tb_word lo, tb_word hi)
{
  if (lo > o->k.lo || hi < o->k.hi || lo > hi)
    tb_graph_set_range (r->graph, o->id, lo, hi);
}

static inline void
learn (const struct rule *r, const struct operand *o, tb_word value)
{
  learn_bits (r, o, UINT64_MAX, value & r->ones);
}

/* The highest bit of a word.  */
static inline tb_word
sign_of (const struct rule *r)
{
  return ONE << r->top;
}

/* A OP B.  */
static inline tb_word
compute (const struct rule *r, unsigned op, tb_word a, tb_word b)
{
  return tb_op_value (op, r->top + 1, a, b);
}

/* D and A are the same.  */
void tb_rule_equal (struct tb_graph *graph, tb_vid d, tb_vid a);

/* rules-multiply.c  */
void tb_rule_mul (struct rule *r);
/* D is the upper half of A * B.  */
void tb_rule_mul_high (struct rule *r, bool is_signed);
void tb_rule_divide (struct rule *r, bool is_signed);

/* rules-compare.c: D is A < B, or whether OP overflows at bit SIGN_BIT.  */
void tb_rule_less (struct rule *r, bool is_signed);
void tb_rule_overflow (struct rule *r, unsigned op, unsigned sign_bit,
		       bool subtract);

#endif /* TB_STATE_SOLVER_RULES_H */
