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

void
tb_sem_fp_single (struct tb_semantics *s, const struct tb_fields *f)
{
  bool half = tb_fp_size (f->op) == TB_FP_HALF;
  uint32_t imm = (f->op & 255) * (half ? 2 : 4);
  bool add = f->op >> 23 & 1, is_load = f->op >> 20 & 1;
  s->modelled = f->n != 15 || is_load;
  if (!s->modelled)
    return;
  if (f->n == 15)
    tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE,
		 (f->here & ~UINT32_C (3)) + (add ? imm : -imm));
  else
    tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, f->n, IMM, imm);
  if (!half)
    transfer (s, is_load, f->d, f->words);
  else if (is_load)
    {
      tb_sem_emit (s, TB_OP_LOAD, f->d, T2, NONE, 2 | TB_ACCESS_ALIGNED);
      s->flags |= TB_SEM_LOADS;
    }
  else
    tb_sem_store (s, f->d, T2, IMM, 0, 2 | TB_ACCESS_ALIGNED);
}

/* And VPUSH, VPOP.  VSCCLRM, VLSTM and VLLDM are something else.  An odd number of
   words is FLDMX, FSTMX: the last is not transferred.  */
void
tb_sem_fp_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned imm8 = f->op & 255, words = f->words == 2 ? imm8 & ~1u : imm8;
  bool below = f->op >> 24 & 1, write_back = f->op >> 21 & 1;
  s->modelled = f->n != 15 && words != 0 && words <= 32
		&& f->d + words <= TB_PLACE_FP + 32u * f->words;
  if (!s->modelled)
    return;
  if (below)
    tb_sem_emit (s, TB_OP_SUB, T2, f->n, IMM, 4 * imm8);
  else
    tb_sem_emit (s, TB_OP_MOV, T2, f->n, NONE, 0);
  transfer (s, f->op >> 20 & 1, f->d, words);
  if (!write_back)
    return;
  if (below)
    tb_sem_write_any (s, f->n, T2);
  else
    {
      tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4 * imm8);
      tb_sem_write_any (s, f->n, T0);
    }
}
