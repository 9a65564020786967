/* Semantics of A64: scalar floating point.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Moves and signs are followed; what arithmetic computes is not, but what is above it:
   0, unless FPCR.NEP is set (FEAT_AFP), where it is that of an operand.

   Source: DDI 0487, C4.1 "Data Processing -- Scalar Floating-Point and Advanced
   SIMD", C7.2.  */

#include "config.h"
#include "arm/lift/a64-fp.h"

/* Bytes of the type in bits 23:22; 0: not allocated.  */
static unsigned
type_size (const struct tb_fields *f)
{
  static const uint8_t sizes[4] = { 4, 8, 0, 2 };
  return sizes[tb_bits (f->op, 23, 22)];
}

void
tb_a64_fp_other (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_unknown (s, tb_a64_write (f->d), UINT64_MAX);
  emit_forget (s, f->d);
  emit_fpsr (s, TB_FPSR_FP);
}

void
tb_a64_fp_flags (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_unknown_flags (s);
  emit_fpsr (s, TB_FPSR_FP);
}

void
tb_a64_fp_to_general (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_unknown (s, tb_a64_write (f->d), f->wide ? UINT64_MAX : LOW_WORD);
  emit_fpsr (s, TB_FPSR_FP);
}

void
tb_a64_fp_java (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_a64_fp_to_general (s, f);
  tb_a64_fp_flags (s, f);
}

void
tb_a64_fp_result (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->arg != 0 ? f->arg : type_size (f);
  if (size != 0)
    emit_scalar_fp (s, f->d, ones (8 * size));
  else
    emit_forget (s, f->d);
  emit_fpsr (s, TB_FPSR_FP);
}

void
tb_a64_fp_move (struct tb_semantics *s, const struct tb_fields *f)
{
  bool back = tb_bits (f->op, 16, 16);
  unsigned type = tb_bits (f->op, 23, 22), rmode = tb_bits (f->op, 20, 19);
  unsigned size = type_size (f);
  if (type == 2 && rmode == 1 && f->wide)	/* Vd.D[1]  */
    {
      if (back)
	emit (s, TB_OP_MOV, TB_A64_HIGH (f->d), tb_a64_read (f->n), NONE);
      else
	emit (s, TB_OP_MOV, tb_a64_write (f->d), TB_A64_HIGH (f->n), NONE);
    }
  /* S and W, D and X, H and both.  */
  else if (rmode != 0 || type == 2
	   || (type != 3 && type != (unsigned) f->wide))
    tb_a64_fp_other (s, f);
  else if (back)
    emit_scalar (s, f->d, tb_a64_read (f->n), size);
  else if (size == 8)
    emit (s, TB_OP_MOV, tb_a64_write (f->d), TB_A64_LOW (f->n), NONE);
  else
    emit_imm (s, TB_OP_AND, tb_a64_write (f->d), TB_A64_LOW (f->n),
	      ones (8 * size));
}

/* VFPExpandImm of SIZE bytes: sign, exponent of 3 bits, fraction of 4.  */
static uint64_t
expand (unsigned imm, unsigned size)
{
  static const uint8_t fractions[9] = { [2] = 10, [4] = 23, [8] = 52 };
  unsigned f = fractions[size], e = 8 * size - 1 - f;
  uint64_t exponent = (imm >> 4 & 3) | (imm & 0x40 ? ones (e - 3) << 2
					: UINT64_C (1) << (e - 1));
  return (uint64_t) (imm >> 7) << (8 * size - 1) | exponent << f
	 | (uint64_t) (imm & 15) << (f - 4);
}

void
tb_a64_fp_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_constant (s, TB_A64_LOW (f->d),
		 expand (tb_bits (f->op, 20, 13), type_size (f)));
  emit_constant (s, TB_A64_HIGH (f->d), 0);
}

void
tb_a64_fp_select (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_only (s, TB_OP_CONDITION, TB_A64_IF, tb_bits (f->op, 15, 12));
  emit (s, TB_OP_MOV, T0, TB_A64_LOW (f->m), NONE);
  emit_move_if (s, TB_A64_IF, T0, TB_A64_LOW (f->n), 0);
  emit_scalar (s, f->d, T0, type_size (f));
}

void
tb_a64_fp_copy (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_scalar (s, f->d, TB_A64_LOW (f->n), type_size (f));
}

void
tb_a64_fp_sign (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned bits = 8 * type_size (f), low = TB_A64_LOW (f->d);
  tb_a64_change_sign (s, f->arg, T2, TB_A64_LOW (f->n), bits, 0);
  if (bits < 64)
    {
      emit_imm (s, TB_OP_AND, T2, T2, ones (bits));
      emit_unknown (s, T3, UINT64_MAX);
      emit_imm (s, TB_OP_BIT, TB_A64_IF, TB_A64_FPCR, TB_FPCR_NEP);
      emit_move_if (s, TB_A64_IF, T2, T3, 0);
    }
  emit (s, TB_OP_MOV, low, T2, NONE);
  tb_sem_emit (s, TB_OP_MERGED, TB_A64_HIGH (f->d), TB_A64_FPCR, NONE, 0);
}
