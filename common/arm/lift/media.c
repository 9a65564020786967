/* Bit fields, saturation, extension, packing and reversal as micro-operations, for A32
   and T32 alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.3 (plain
   immediate), A5.3.12 to A5.3.15 (register); DDI 0406, A5.4.3, A5.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* Q is set where T0 is not T1.  */
static void
saturated (struct tb_semantics *s)
{
  tb_sem_emit (s, TB_OP_EOR, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ISZERO, T1, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T1, 0);
}

/* The row's argument is how it saturates, and the bit that shifts to the right; by 0
   then stands for 32, which is as 31.  */
void
tb_sem_ssat (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned how = f->arg & 255;
  bool right = f->op >> (f->arg >> 8) & 1;
  tb_sem_emit (s, right ? TB_OP_ASR : TB_OP_LSL, T1, f->n, IMM,
	       right && f->amount == 0 ? 31 : f->amount);
  tb_sem_emit (s, how, T0, T1, IMM, f->width + (how == TB_OP_SSAT ? 1u : 0));
  tb_sem_emit (s, TB_OP_MOV, f->d, T0, NONE, 0);
  saturated (s);
}

void
tb_sem_ssat16 (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t to = (f->width & 15u) + (f->arg == TB_OP_SSAT);
  tb_sem_emit (s, TB_OP_SXTH, T1, f->n, NONE, 0);
  tb_sem_emit (s, f->arg, T0, T1, IMM, to);
  tb_sem_emit (s, TB_OP_AND, T2, T0, IMM, 0xffff);
  saturated (s);
  tb_sem_emit (s, TB_OP_ASR, T1, f->n, IMM, 16);
  tb_sem_emit (s, f->arg, T0, T1, IMM, to);
  tb_sem_emit (s, TB_OP_LSL, T3, T0, IMM, 16);
  saturated (s);
  tb_sem_emit (s, TB_OP_ORR, f->d, T2, T3, 0);
}

/* BFI; BFC has Rn 15.  WIDTH is the highest bit.  */
void
tb_sem_bfi (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned lsb = f->amount, msb = f->width;
  s->modelled = msb >= lsb;
  if (!s->modelled)
    return;
  uint32_t field = (UINT32_MAX >> (31 - (msb - lsb))) << lsb;
  if (f->n == 15)
    {
      tb_sem_emit (s, TB_OP_AND, f->d, f->d, IMM, ~field);
      return;
    }
  tb_sem_emit (s, TB_OP_LSL, T0, f->n, IMM, lsb);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, field);
  tb_sem_emit (s, TB_OP_AND, T1, f->d, IMM, ~field);
  tb_sem_emit (s, TB_OP_ORR, f->d, T0, T1, 0);
}

/* UBFX, SBFX (the row's argument: ASR).  */
void
tb_sem_ubfx (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned lsb = f->amount, width = f->width + 1u;
  s->modelled = lsb + width <= 32;
  if (!s->modelled)
    return;
  if (f->arg == TB_OP_LSR)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, f->n, IMM, lsb);
      tb_sem_emit (s, TB_OP_AND, f->d, T0, IMM, UINT32_MAX >> (32 - width));
      return;
    }
  tb_sem_emit (s, TB_OP_LSL, T0, f->n, IMM, 32 - width - lsb);
  tb_sem_emit (s, TB_OP_ASR, f->d, T0, IMM, 32 - width);
}

/* SXTAB16 and its kin: on both halves.  WHAT extends.  */
static void
extend_both (struct tb_semantics *s, const struct tb_fields *f, bool is_signed,
	     uint32_t rotate)
{
  tb_sem_emit (s, TB_OP_ROR, T1, f->m, IMM, rotate);
  tb_sem_emit (s, TB_OP_LSR, T2, T1, IMM, 16);
  for (unsigned t = T1; t <= T2; t += T2 - T1)
    if (is_signed)
      tb_sem_emit (s, TB_OP_SXTB, t, t, NONE, 0);
    else
      tb_sem_emit (s, TB_OP_AND, t, t, IMM, 255);
  if (f->n != 15)
    {
      tb_sem_emit (s, TB_OP_ADD, T1, T1, f->n, 0);
      tb_sem_emit (s, TB_OP_LSR, T0, f->n, IMM, 16);
      tb_sem_emit (s, TB_OP_ADD, T2, T2, T0, 0);
    }
  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 0xffff);
  tb_sem_emit (s, TB_OP_LSL, T2, T2, IMM, 16);
  tb_sem_emit (s, TB_OP_ORR, f->d, T1, T2, 0);
}

/* SXTAB and its kin; Rn 15 is no addition.  The row's argument: T32's bits 22:20, and
   where the rotation is.  */
void
tb_sem_extend (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned which = f->arg & 255, source = f->m;
  uint32_t rotate = (f->op >> (f->arg >> 8) & 3) * 8;
  if (which == 2 || which == 3)
    {
      extend_both (s, f, which == 2, rotate);
      return;
    }
  if (rotate != 0)
    {
      tb_sem_emit (s, TB_OP_ROR, T1, f->m, IMM, rotate);
      source = T1;
    }
  unsigned to = f->n == 15 ? f->d : T0;
  if (which & 1)
    tb_sem_emit (s, TB_OP_AND, to, source, IMM, which == 1 ? 0xffff : 0xff);
  else
    tb_sem_emit (s, which == 0 ? TB_OP_SXTH : TB_OP_SXTB, to, source, NONE, 0);
  if (f->n != 15)
    tb_sem_emit (s, TB_OP_ADD, f->d, f->n, T0, 0);
}

/* PKHBT, PKHTB: halfwords of Rn and of the shifted Rm, in T1.  */
void
tb_sem_pack (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_operand o = tb_sem_shifted (s, f);
  uint32_t of_rn = f->type != 0 ? 0xffff0000 : 0x0000ffff;
  tb_sem_emit (s, TB_OP_AND, T0, f->n, IMM, of_rn);
  tb_sem_emit (s, TB_OP_AND, T1, o.place, IMM, ~of_rn);
  tb_sem_emit (s, TB_OP_ORR, f->d, T0, T1, 0);
}

/* The constant of MOVW and MOVT: 16 bits, of which T32 (the row's argument is 1) has
   11:8 elsewhere.  */
static uint32_t
constant (const struct tb_fields *f)
{
  return (f->op >> 4 & 0xf000)
	 | (f->arg == 0 ? f->op & 0xfff
	    : (f->op >> 15 & 0x800) | (f->op >> 4 & 0x700) | (f->op & 255));
}

void
tb_sem_movw (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, f->d, IMM, NONE, constant (f));
}

void
tb_sem_movt (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_AND, T0, f->d, IMM, 0xffff);
  tb_sem_emit (s, TB_OP_ORR, f->d, T0, IMM, constant (f) << 16);
}

/* REV and its kin, RBIT, CLZ; T32 has Rm twice.  */
void
tb_sem_one_source (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->n == 15 || f->n == f->m;
  tb_sem_emit (s, f->arg, f->d, f->m, NONE, 0);
}

void
tb_sem_unknown_result (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_unknown (s, f->d);
}
