/* A32 data processing and what its multiplications have beside those of T32, as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.2.1 to A5.2.5.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* Register R as an operand: PC in place SPARE.  */
static unsigned
read_register (struct tb_semantics *s, const struct tb_fields *f, unsigned r,
	       unsigned spare)
{
  if (r != 15)
    return r;
  tb_sem_emit (s, TB_OP_MOV, spare, IMM, NONE, f->here);
  return spare;
}

/* A5.2.4: eight bits that are rotated by an even number.  */
static struct tb_sem_operand
immediate (uint32_t op)
{
  unsigned n = 2 * (op >> 8 & 15);
  uint32_t low = op & 255;
  struct tb_sem_operand o = { .place = IMM, .value = low };
  if (n != 0)
    {
      o.value = low >> n | low << (32 - n);
      o.carry = TB_CARRY_IS;
    }
  return o;
}

/* On operand O, which was made after Rn was read into RN.  */
static void
operate (struct tb_semantics *s, const struct tb_fields *f, unsigned rn,
	 struct tb_sem_operand *o)
{
  unsigned which = f->op >> 21 & 15;
  bool flags = f->op >> 20 & 1, compares = which >> 2 == 2;
  if (compares || f->d != 15)
    {
      tb_sem_operate (s, which, flags, compares ? 15 : f->d, rn, o);
      return;
    }
  /* A write of PC; with S an exception return.  It changes state from ARMv7 on
     (A2.3.1, ALUWritePC).  */
  tb_sem_operate (s, which, false, T0, rn, o);
  if (flags)
    tb_sem_exception_return (s, T0, TB_SLOT_SPSR);
  else
    tb_sem_emit (s, TB_OP_TARGET, NONE, T0, NONE,
		 f->profile->arch == TB_ARCH_V6AR ? ~UINT32_C (3) : UINT32_MAX);
}

/* Rn, in T3 if it is PC; comparisons have no Rd, moves no Rn.  */
static unsigned
first_operand (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned which = f->op >> 21 & 15;
  bool compares = which >> 2 == 2, moves = which == 13 || which == 15;
  s->modelled = !(compares && f->d != 0) && !(moves && f->n != 0);
  return moves ? f->n : read_register (s, f, f->n, T3);
}

void
tb_a32_data_immediate (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rn = first_operand (s, f);
  struct tb_sem_operand o = immediate (f->op);
  operate (s, f, rn, &o);
}

void
tb_a32_data_shifted (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rn = first_operand (s, f);
  struct tb_fields with = *f;
  with.m = (uint8_t) read_register (s, f, f->m, T2);
  struct tb_sem_operand o = tb_sem_shifted (s, &with);
  operate (s, f, rn, &o);
}

/* Shifted by a register, A.  */
void
tb_a32_data_register (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_operand o = {
    .place = T1, .rm = f->m, .carry = TB_CARRY_SHIFT, .by = f->a,
    .shift = tb_sem_shifts[f->type]
  };
  unsigned rn = first_operand (s, f);
  if (f->d == 15 || f->n == 15 || f->m == 15 || f->a == 15)
    s->modelled = false;
  if (!s->modelled)
    return;
  tb_sem_emit (s, o.shift, T1, f->m, o.by, 0);
  operate (s, f, rn, &o);
}

/* MUL; MLA (the row's argument: how A takes part).  */
void
tb_a32_multiply (struct tb_semantics *s, const struct tb_fields *f)
{
  (f->arg ? tb_sem_mla : tb_sem_mul) (s, f);
  if (f->op >> 20 & 1)
    tb_sem_emit (s, TB_OP_NZ, NONE, f->d, NONE, 0);
}

/* N and Z of HI:LO.  */
static void
long_flags (struct tb_semantics *s, unsigned lo, unsigned hi)
{
  tb_sem_emit (s, TB_OP_ORR, T0, lo, hi, 0);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  tb_sem_emit (s, TB_OP_BIT, TB_SLOT_N, hi, IMM, 31);
}

/* UMULL, UMLAL, SMULL, SMLAL.  */
void
tb_a32_multiply_long (struct tb_semantics *s, const struct tb_fields *f)
{
  (f->op >> 21 & 1 ? tb_sem_smlal : tb_sem_smull) (s, f);
  if (f->op >> 20 & 1)
    long_flags (s, f->a, f->d);
}
