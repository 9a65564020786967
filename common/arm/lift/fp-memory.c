/* Loads and stores of FP registers as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A6.5; DDI 0406, A7.6; DDI 0487, F4.1 (halves).  */

#include "config.h"
#include "arm/lift/fp.h"

/* WORDS words from PLACE on are loaded or stored at T2.  */
static void
transfer (struct tb_semantics *s, bool is_load, unsigned place, unsigned words)
{
  for (unsigned i = 0; i < words; i++)
    {
      unsigned at = T2;
      if (i != 0)
	{
	  tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4 * i);
	  at = T0;
	}
      if (is_load)
	tb_sem_emit (s, TB_OP_LOAD, place + i, at, NONE,
		     4 | TB_ACCESS_ALIGNED);
      else
	tb_sem_emit (s, TB_OP_STORE, NONE, at, place + i,
		     4 | TB_ACCESS_ALIGNED);
    }
  s->flags |= is_load ? TB_SEM_LOADS : TB_SEM_STORES;
  if (words > 1)
    s->flags |= TB_SEM_MULTIPLE | TB_SEM_CONTINUES;
}

/* VLDR, VSTR.  */
static bool
one (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rn = op >> 16 & 15, size = tb_fp_size (op);
  uint32_t imm = (op & 255) * (size == TB_FP_HALF ? 2 : 4);
  unsigned place = tb_fp_register (op, TB_FP_D);
  bool add = op >> 23 & 1, is_load = op >> 20 & 1;
  if (rn == 15 && !is_load)
    return false;
  if (rn == 15)
    tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE,
		 ((pc + 4) & ~UINT32_C (3)) + (add ? imm : -imm));
  else
    tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, rn, IMM, imm);
  if (size != TB_FP_HALF)
    transfer (s, is_load, place, size == TB_FP_DOUBLE ? 2 : 1);
  else if (is_load)
    {
      tb_sem_emit (s, TB_OP_LOAD, place, T2, NONE, 2 | TB_ACCESS_ALIGNED);
      s->flags |= TB_SEM_LOADS;
    }
  else
    tb_sem_store (s, place, T2, IMM, 0, 2 | TB_ACCESS_ALIGNED);
  return true;
}

bool
tb_sem_fp_memory (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rn = op >> 16 & 15, imm8 = op & 255;
  bool index = op >> 24 & 1, add = op >> 23 & 1, write_back = op >> 21 & 1;
  bool is_double = tb_fp_size (op) == TB_FP_DOUBLE;
  if (index && !write_back)
    return one (s, op, pc);

  /* VLDM, VSTM, VPUSH, VPOP.  VSCCLRM, VLSTM and VLLDM are something else.  An odd
     number of words is FLDMX, FSTMX: the last is not transferred.  */
  unsigned words = is_double ? imm8 & ~1u : imm8;
  unsigned place = tb_fp_register (op, TB_FP_D);
  if (index == add || rn == 15 || words == 0 || words > 32
      || place + words > TB_PLACE_FP + (is_double ? 64 : 32)
      || tb_fp_size (op) == TB_FP_HALF)
    return false;
  if (index)
    tb_sem_emit (s, TB_OP_SUB, T2, rn, IMM, 4 * imm8);
  else
    tb_sem_emit (s, TB_OP_MOV, T2, rn, NONE, 0);
  transfer (s, op >> 20 & 1, place, words);
  if (!write_back)
    return true;
  if (index)
    tb_sem_write_any (s, rn, T2);
  else
    {
      tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4 * imm8);
      tb_sem_write_any (s, rn, T0);
    }
  return true;
}
