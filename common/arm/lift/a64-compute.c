/* Semantics of A64: what several kinds of instructions compute.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, J1.1 "shared/functions/integer"; C3.4.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* Flags of A + B (A - B) where T5 is the sum (difference) of 64 bits; A and B
   are cut to 32 bits if the operation is.  */
static void
sum_flags (struct tb_semantics *s, bool subtract, unsigned a, unsigned b,
	   bool wide)
{
  emit_imm (s, TB_OP_BIT, TB_A64_N, T5, wide ? 63 : 31);
  if (subtract || wide)
    emit (s, TB_OP_ISZERO, TB_A64_Z, T5, NONE);
  else
    {
      emit_imm (s, TB_OP_AND, T4, T5, LOW_WORD);
      emit (s, TB_OP_ISZERO, TB_A64_Z, T4, NONE);
    }
  if (subtract)
    {
      emit (s, TB_OP_LTU, T4, a, b);
      emit_imm (s, TB_OP_EOR, TB_A64_C, T4, 1);
    }
  else if (wide)
    emit (s, TB_OP_LTU, TB_A64_C, T5, a);
  else
    emit_imm (s, TB_OP_BIT, TB_A64_C, T5, 32);
  if (wide)
    emit (s, subtract ? TB_OP_V_SUB : TB_OP_V_ADD, TB_A64_V, a, b);
  else
    emit (s, subtract ? TB_OP_V_SUB32 : TB_OP_V_ADD32, TB_A64_V, a, b);
  if (subtract)
    tb_sem_emit (s, TB_OP_COMPARED, NONE, a, b, wide ? 64 : 32);
}

void
tb_a64_sum (struct tb_semantics *s, bool subtract, unsigned dst, unsigned a,
	    unsigned b, bool wide, bool flags)
{
  if (flags && !wide)
    {
      emit_imm (s, TB_OP_AND, T2, a, LOW_WORD);
      emit_imm (s, TB_OP_AND, T3, b, LOW_WORD);
      a = T2;
      b = T3;
    }
  emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T5, a, b);
  if (flags)
    sum_flags (s, subtract, a, b, wide);
  if (dst != TB_A64_SINK)
    result (s, dst, T5, wide);
}

void
tb_a64_logic (struct tb_semantics *s, unsigned opc, unsigned dst,
	      unsigned a, unsigned b, bool wide)
{
  static const uint8_t ops[4] = { TB_OP_AND, TB_OP_ORR, TB_OP_EOR,
				  TB_OP_AND };
  emit (s, ops[opc], T5, a, b);
  if (!wide)
    emit_imm (s, TB_OP_AND, T5, T5, LOW_WORD);
  if (opc == 3)
    {
      emit_imm (s, TB_OP_BIT, TB_A64_N, T5, wide ? 63 : 31);
      emit (s, TB_OP_ISZERO, TB_A64_Z, T5, NONE);
      emit_constant (s, TB_A64_C, 0);
      emit_constant (s, TB_A64_V, 0);
    }
  if (dst != TB_A64_SINK)
    emit (s, TB_OP_MOV, dst, T5, NONE);
}

void
tb_a64_extreme (struct tb_semantics *s, unsigned which, unsigned dst,
		unsigned a, unsigned b)
{
  bool least = which & 2;
  emit (s, which & 1 ? TB_OP_LTU : TB_OP_LTS, TB_A64_IF, least ? a : b, least ? b : a);
  if (dst != b)
    emit (s, TB_OP_MOV, dst, b, NONE);
  emit_move_if (s, TB_A64_IF, dst, a, 0);
}

void
tb_a64_count_ones (struct tb_semantics *s)
{
  static const uint64_t masks[3] = {
    UINT64_C (0x5555555555555555), UINT64_C (0x3333333333333333),
    UINT64_C (0x0f0f0f0f0f0f0f0f)
  };
  /* The numbers of two parts, then of twice as long ones.  */
  for (unsigned i = 0; i < 3; i++)
    {
      emit_imm (s, TB_OP_LSR, T1, T0, 1u << i);
      emit_imm (s, TB_OP_AND, T1, T1, masks[i]);
      emit_imm (s, TB_OP_AND, T0, T0, masks[i]);
      emit (s, TB_OP_ADD, T0, T0, T1);
    }
}
