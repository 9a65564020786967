/* Inside of the rules: what their files share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_SOLVER_RULES_H
#define TB_STATE_SOLVER_RULES_H

#include "state/solver/graph.h"

/* The number of the highest bit; 1; that bit.  */
#define TOP (TB_WORD_BITS - 1)
#define ONE ((tb_word) 1)
#define SIGN (ONE << TOP)

/* One application of a node.  */
struct rule
{
  struct tb_graph *graph;
  tb_vid d, a, b;
  struct tb_known kd, ka, kb;	/* At the beginning.  */
};

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
