/* A32 system instructions as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.2.11 (MSR and hints), A5.2.12 (miscellaneous), A5.7
   (unconditional).  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* MRS, MSR of a register: bits 27:23 are 00010, 7:4 are 0.  */
void
tb_a32_move_system (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  unsigned mask = f->n, rd = f->d, rm = f->m;
  bool spsr = op >> 22 & 1, is_msr = op >> 21 & 1;
  if (op & 0x200)
    s->modelled = (is_msr ? rd == 15 : rm == 0)
		  && tb_sem_banked (s, is_msr, is_msr ? rm : rd,
				    mask | (op >> 4 & 16), spsr);
  else if (op & 0x100)
    s->modelled = false;
  else if (is_msr)
    s->modelled = rd == 15 && tb_sem_msr (s, rm, 0, mask, spsr);
  else
    {
      s->modelled = mask == 15 && rm == 0 && rd != 15;
      if (s->modelled)
	tb_sem_mrs (s, rd, spsr, f->profile);
    }
}

void
tb_a32_msr_immediate (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t n = 2 * (f->op >> 8 & 15), low = f->op & 255;
  s->modelled = tb_sem_msr (s, IMM, n != 0 ? low >> n | low << (32 - n) : low,
			    f->n, f->op >> 22 & 1);
}

/* BX; BLX (the row's argument is 1).  */
void
tb_a32_exchange (struct tb_semantics *s, const struct tb_fields *f)
{
  if (f->m == 15)
    tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, f->here);
  else
    tb_sem_emit (s, TB_OP_MOV, T0, f->m, NONE, 0);
  if (f->arg)
    tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, f->here - 4);
  tb_sem_emit (s, TB_OP_TARGET, NONE, T0, NONE, UINT32_MAX);
}

void
tb_a32_eret (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  tb_sem_emit (s, TB_OP_READ_BANKED, T0, NONE, NONE, TB_SYS_RETURN);
  tb_sem_exception_return (s, T0, TB_SLOT_SPSR);
}

void
tb_a32_setend (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_setend (s, f->op >> 9 & 1);
}

void
tb_a32_cps (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  s->modelled = tb_sem_cps (s, op >> 18 & 3, op >> 6 & 7, op >> 17 & 1,
			    op & 31);
}

/* Where the two words of SRS and RFE begin, and what the base becomes.  */
static int
words (const struct tb_fields *f, int *end)
{
  bool before = f->op >> 24 & 1, up = f->op >> 23 & 1;
  *end = up ? 8 : -8;
  return (up ? 0 : -8) + (before == up ? 4 : 0);
}

void
tb_a32_srs (struct tb_semantics *s, const struct tb_fields *f)
{
  int end, start = words (f, &end);
  s->modelled = tb_sem_srs (s, f->op & 31, start, end, f->op >> 21 & 1);
}

void
tb_a32_rfe (struct tb_semantics *s, const struct tb_fields *f)
{
  int end, start = words (f, &end);
  tb_sem_rfe (s, f->n, start, end, f->op >> 21 & 1);
}
