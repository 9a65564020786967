/* Semantics of A64: scalar floating point.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Moves are followed; what arithmetic computes is not, but what is above it: 0, unless
   FPCR.NEP is set (FEAT_AFP), where it is that of an operand.

   Source: DDI 0487, C4.1 "Data Processing -- Scalar Floating-Point and Advanced
   SIMD", C7.2.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* Bytes of the type in bits 23:22; 0: not allocated.  */
static unsigned
type_size (uint32_t opcode)
{
  static const uint8_t sizes[4] = { 4, 8, 0, 2 };
  return sizes[tb_bits (opcode, 23, 22)];
}

/* Who knows what it writes.  */
static void
forget_all (struct tb_semantics *s, uint32_t opcode)
{
  emit_unknown (s, tb_a64_write (opcode & 31), UINT64_MAX);
  emit_forget (s, opcode & 31);
  emit_fpsr (s, TB_FPSR_FP);
}

static void
forget_flags (struct tb_semantics *s)
{
  for (unsigned i = 0; i < 4; i++)
    emit_unknown (s, TB_A64_N + i, 1);
  emit_fpsr (s, TB_FPSR_FP);
}

/* General register D becomes what a conversion makes.  */
static void
to_general (struct tb_semantics *s, unsigned d, bool wide)
{
  emit_unknown (s, tb_a64_write (d), wide ? UINT64_MAX : LOW_WORD);
  emit_fpsr (s, TB_FPSR_FP);
}

/* Vector register D becomes a result of SIZE bytes; 0: not allocated.  */
static void
to_vector (struct tb_semantics *s, unsigned d, unsigned size)
{
  if (size != 0)
    emit_scalar_fp (s, d, ones (8 * size));
  else
    emit_forget (s, d);
  emit_fpsr (s, TB_FPSR_FP);
}

/* FMOV (general); false: it is none.  */
static bool
move_general (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31, back = tb_bits (opcode, 16, 16);
  unsigned type = tb_bits (opcode, 23, 22), rmode = tb_bits (opcode, 20, 19);
  unsigned d = opcode & 31, n = tb_bits (opcode, 9, 5);
  if (type == 2 && rmode == 1 && wide)	/* Vd.D[1]  */
    {
      if (back)
	emit (s, TB_OP_MOV, TB_A64_HIGH (d), tb_a64_read (n), TB_A64_NONE);
      else
	emit (s, TB_OP_MOV, tb_a64_write (d), TB_A64_HIGH (n), TB_A64_NONE);
      return true;
    }
  /* S and W, D and X, H and both.  */
  if (rmode != 0 || type == 2 || (type != 3 && type != (unsigned) wide))
    return false;
  unsigned size = type_size (opcode);
  if (back)
    emit_scalar (s, d, tb_a64_read (n), size);
  else if (size == 8)
    emit (s, TB_OP_MOV, tb_a64_write (d), TB_A64_LOW (n), TB_A64_NONE);
  else
    emit_imm (s, TB_OP_AND, tb_a64_write (d), TB_A64_LOW (n),
	      ones (8 * size));
  return true;
}

/* "Conversion between floating-point and integer".  */
static void
convert (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned rmode = tb_bits (opcode, 20, 19), to = tb_bits (opcode, 18, 16);
  unsigned d = opcode & 31;
  if (to >= 6 && move_general (s, opcode))
    return;
  if (to == 6 && rmode == 3 && !wide && tb_bits (opcode, 23, 22) == 1)
    {
      to_general (s, d, false);	/* FJCVTZS  */
      forget_flags (s);
    }
  else if (type_size (opcode) == 0 || to >= 6 || (to >= 2 && rmode != 0))
    forget_all (s, opcode);
  else if (to == 2 || to == 3)	/* SCVTF, UCVTF  */
    to_vector (s, d, type_size (opcode));
  else
    to_general (s, d, wide);
}

/* "Conversion between floating-point and fixed-point".  */
static void
convert_fixed (struct tb_semantics *s, uint32_t opcode)
{
  unsigned how = tb_bits (opcode, 20, 16);
  if (how == 2 || how == 3)
    to_vector (s, opcode & 31, type_size (opcode));
  else if (how == 0x18 || how == 0x19)
    to_general (s, opcode & 31, opcode >> 31);
  else
    forget_all (s, opcode);
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

static void
select (struct tb_semantics *s, uint32_t opcode, unsigned size)
{
  unsigned n = tb_bits (opcode, 9, 5), m = tb_bits (opcode, 20, 16);
  tb_emit_64 (s, TB_OP_CONDITION, TB_A64_IF, TB_A64_NONE, TB_A64_NONE,
	      tb_bits (opcode, 15, 12));
  emit (s, TB_OP_SELECT, TB_A64_T0, TB_A64_LOW (n), TB_A64_LOW (m));
  emit_scalar (s, opcode & 31, TB_A64_T0, size);
}

/* "Floating-point data-processing (1 source)".  */
static void
one_source (struct tb_semantics *s, uint32_t opcode, unsigned size)
{
  unsigned op = tb_bits (opcode, 20, 15), d = opcode & 31;
  if (op == 0)
    emit_scalar (s, d, TB_A64_LOW (tb_bits (opcode, 9, 5)), size);
  else if (op <= 2)		/* FABS, FNEG  */
    emit_scalar_fp (s, d, ones (8 * size));
  else if (op == 6)		/* BFCVT; it has the bits of a double's.  */
    to_vector (s, d, 2);
  else if (op >= 4 && op <= 7)	/* FCVT  */
    to_vector (s, d, op == 4 ? 4 : op == 5 ? 8 : 2);
  else
    to_vector (s, d, size);
}

void
tb_semantics_a64_fp (struct tb_semantics *s, uint32_t opcode)
{
  unsigned size = type_size (opcode), d = opcode & 31;
  if (tb_bits (opcode, 29, 29))
    forget_all (s, opcode);
  else if (tb_bits (opcode, 24, 24))	/* 3 sources.  */
    to_vector (s, d, size);
  else if (!tb_bits (opcode, 21, 21))
    convert_fixed (s, opcode);
  else if (tb_bits (opcode, 15, 10) == 0)
    convert (s, opcode);
  else if (opcode >> 31)
    forget_all (s, opcode);
  else if (tb_bits (opcode, 11, 10) == 1)	/* FCCMP  */
    forget_flags (s);
  else if (tb_bits (opcode, 11, 10) == 2)	/* 2 sources.  */
    to_vector (s, d, size);
  else if (tb_bits (opcode, 11, 10) == 3 && size != 0)
    select (s, opcode, size);
  else if (tb_bits (opcode, 12, 10) == 4 && size != 0
	   && tb_bits (opcode, 9, 5) == 0)
    {
      emit_constant (s, TB_A64_LOW (d),
		     expand (tb_bits (opcode, 20, 13), size));
      emit_constant (s, TB_A64_HIGH (d), 0);
    }
  else if (tb_bits (opcode, 13, 10) == 8)	/* FCMP  */
    forget_flags (s);
  else if (tb_bits (opcode, 14, 10) == 16 && (size != 0 || tb_bits (opcode, 20, 15) != 0))
    one_source (s, opcode, size);
  else
    forget_all (s, opcode);
}
