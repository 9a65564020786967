/* Floating-point instructions as micro-operations: which encodings, and what they
   have in common.  See lift/fp.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A6.4 to A6.8; DDI 0406, A7.5 to A7.9.  */

#include "config.h"
#include "arm/lift/fp.h"

void
tb_sem_fp_unknown (struct tb_semantics *s, unsigned place, unsigned words)
{
  for (unsigned i = 0; i < words; i++)
    tb_sem_unknown (s, place + i);
}

void
tb_sem_fp_status (struct tb_semantics *s, uint32_t bits)
{
  if (bits & TB_FP_COMPARES)
    tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS,
		 IMM, ~TB_FP_COMPARES);
  if (bits == 0)
    return;
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, bits);
  tb_sem_emit (s, TB_OP_ORR, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS, T0,
	       0);
}

void
tb_sem_fp_words (struct tb_semantics *s, unsigned words, unsigned op,
		 unsigned dst, unsigned a, unsigned b, uint32_t imm)
{
  for (unsigned i = 0; i < words; i++)
    tb_sem_emit (s, op, dst + i, a + i, b == IMM || b == NONE ? b : b + i, imm);
}

void
tb_sem_use_fp (struct tb_semantics *s)
{
  if (!s->is_m)
    return;
  tb_sem_emit (s, TB_OP_FP, NONE, NONE, NONE, 0);
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_FPCA, TB_SLOT_FPCA, T0, 0);
}

bool
tb_sem_fp (struct tb_semantics *s, uint32_t op, uint32_t pc,
	   const struct tb_profile *profile)
{
  if ((op >> 10 & 3) != 2 || tb_fp_size (op) == 0)
    return false;
  tb_sem_use_fp (s);
  if (op >> 28 & 1)
    return (op & 0x0f000010) == 0x0e000000 && tb_sem_fp_unconditional (s, op);
  if ((op >> 24 & 15) == 14)
    return op >> 4 & 1 ? tb_sem_fp_move_one (s, op, profile)
	   : tb_sem_fp_data (s, op);
  if ((op & 0x0fe00000) == 0x0c400000)
    return tb_sem_fp_move_two (s, op);
  return (op & 0x0e000000) == 0x0c000000 && tb_sem_fp_memory (s, op, pc);
}
