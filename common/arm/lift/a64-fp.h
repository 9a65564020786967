/* What the tables of A64's floating point and vectors have their rows made of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_A64_FP_H
#define TB_ARM_LIFT_A64_FP_H

#include "arm/lift/a64-impl.h"

/* Scalar floating point.  What nobody knows; flags; a general register, also with
   flags (FJCVTZS); a number of as many bytes as the row says, or of the type.  */
tb_emitter tb_a64_fp_other, tb_a64_fp_flags, tb_a64_fp_to_general,
  tb_a64_fp_java, tb_a64_fp_result;
/* FMOV (general), FMOV (immediate), FCSEL, FMOV (register); FABS, FNEG (the row says
   what they do with the sign).  */
tb_emitter tb_a64_fp_move, tb_a64_fp_constant, tb_a64_fp_select,
  tb_a64_fp_copy, tb_a64_fp_sign;

/* Vectors as far as bytes only change places: copy, extract, permute, modified
   immediate, two registers.  False: it is none of these, and nothing was emitted.  */
typedef bool tb_a64_follow (struct tb_semantics *s, const struct tb_fields *f);
tb_a64_follow tb_a64_copy, tb_a64_extract, tb_a64_permute, tb_a64_modified,
  tb_a64_reverse;

/* Arithmetic on elements: three registers, shifts, what narrows or widens, two registers
   (also FABS, FNEG), sums across, permutations of short elements.  */
tb_a64_follow tb_a64_elements, tb_a64_element_shift, tb_a64_element_resize,
  tb_a64_element_misc, tb_a64_element_sum, tb_a64_element_permute;

/* DST = A with the sign of its number of BITS bits at bit AT changed: BIC, EOR.  T4 and
   T5 are used.  */
void tb_a64_change_sign (struct tb_semantics *s, unsigned how, unsigned dst,
			 unsigned a, unsigned bits, unsigned at);

/* Both halves of D are what T2 and T3 hold, but the upper one is 0 where not the
   WHOLE register is written.  */
static inline void
emit_whole (struct tb_semantics *s, unsigned d, bool whole)
{
  emit (s, TB_OP_MOV, TB_A64_LOW (d), T2, NONE);
  if (whole)
    emit (s, TB_OP_MOV, TB_A64_HIGH (d), T3, NONE);
  else
    emit_constant (s, TB_A64_HIGH (d), 0);
}

#endif /* TB_ARM_LIFT_A64_FP_H */
