/* Scalar floating-point data processing as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   That FPSCR.Len is not 0, so that VFPv2 and VFPv3 do the same with several
   registers, is taken not to happen: compilers never use that, and ARMv8 has none
   of it.

   Source: DDI 0406, A7.5; DDI 0487, F4.1 (what is new in ARMv8, and halves).  */

#include "config.h"
#include "arm/lift/fp.h"

/* The upper half with bit 7.  */
void
tb_sem_fp_half_result (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t mask = f->op >> 7 & 1 ? 0xffff0000 : 0x0000ffff;
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, mask);
  tb_sem_emit (s, TB_OP_AND, f->d, f->d, IMM, ~mask);
  tb_sem_emit (s, TB_OP_ORR, f->d, f->d, T0, 0);
  tb_sem_fp_status (s, f);
}

/* DDI 0406, A7.5.1.  */
void
tb_sem_fp_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned place = f->d;
  uint32_t imm8 = (f->op >> 12 & 0xf0) | (f->op & 15), low = imm8 & 0x3f;
  uint32_t sign = imm8 >> 7, b = imm8 >> 6 & 1, value;
  switch (tb_fp_size (f->op))
    {
    case TB_FP_HALF:
      value = sign << 15 | (b ? 0 : 1u) << 14 | (b ? 3u : 0) << 12 | low << 6;
      break;
    case TB_FP_SINGLE:
      value = sign << 31 | (uint32_t) !b << 30 | (b ? UINT32_C (0x1f) : 0) << 25
	      | low << 19;
      break;
    default:
      tb_sem_emit (s, TB_OP_MOV, place++, IMM, NONE, 0);
      value = sign << 31 | (uint32_t) !b << 30 | (b ? UINT32_C (0xff) : 0) << 22
	      | low << 16;
      break;
    }
  tb_sem_emit (s, TB_OP_MOV, place, IMM, NONE, value);
}

void
tb_sem_fp_move (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned to = f->d, from = f->m, size = tb_fp_size (f->op);
  uint32_t sign = size == TB_FP_HALF ? 0x8000 : 0x80000000;
  if (size == TB_FP_DOUBLE)
    tb_sem_emit (s, TB_OP_MOV, to++, from++, NONE, 0);
  if (size == TB_FP_HALF)
    {
      tb_sem_emit (s, TB_OP_AND, T0, from, IMM, 0xffff);
      from = T0;
    }
  tb_sem_emit (s, f->arg, to, from, f->arg == TB_OP_MOV ? NONE : IMM, sign);
}

/* One of two registers, if EQ, VS, GE or GT (bits 21:20).  */
void
tb_sem_fp_select (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned condition = f->op >> 20 & 3;
  /* T1 is 0 if it holds, else all ones.  */
  if (condition < 2)
    tb_sem_emit (s, TB_OP_MOV, T1, condition == 0 ? TB_SLOT_Z : TB_SLOT_V,
		 NONE, 0);
  else
    {
      tb_sem_emit (s, TB_OP_EOR, T1, TB_SLOT_N, TB_SLOT_V, 0);
      tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
      if (condition == 3)
	tb_sem_emit (s, TB_OP_BIC, T1, T1, TB_SLOT_Z, 0);
    }
  tb_sem_emit (s, TB_OP_ADD, T1, T1, IMM, UINT32_MAX);
  for (unsigned i = 0; i < f->words; i++)
    {
      tb_sem_emit (s, TB_OP_BIC, T2, f->n + i, T1, 0);
      tb_sem_emit (s, TB_OP_AND, T3, f->m + i, T1, 0);
      tb_sem_emit (s, TB_OP_ORR, f->d + i, T2, T3, 0);
    }
  if (tb_fp_size (f->op) == TB_FP_HALF)
    tb_sem_emit (s, TB_OP_AND, f->d, f->d, IMM, 0xffff);
}

/* The upper half of a register to the lower one, and (bit 7) the reverse.  */
void
tb_sem_fp_move_half (struct tb_semantics *s, const struct tb_fields *f)
{
  if (f->op >> 7 & 1)
    {
      tb_sem_emit (s, TB_OP_LSL, T0, f->m, IMM, 16);
      tb_sem_emit (s, TB_OP_AND, T1, f->d, IMM, 0xffff);
      tb_sem_emit (s, TB_OP_ORR, f->d, T0, T1, 0);
    }
  else
    tb_sem_emit (s, TB_OP_LSR, f->d, f->m, IMM, 16);
}
