/* Multiplications and divisions as micro-operations, for A32 and T32 alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The row's argument is the number of the opcode's bit that selects the upper
   halfword of M, exchanges its halfwords, or rounds.  A is 15 where nothing is
   added; of long products it is the lower word, D the upper one.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.16, A5.3.17
   and A7.7; DDI 0406, A5.2.5, A5.2.7, A5.4.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* The bit that the row names.  */
static bool
variant (const struct tb_fields *f)
{
  return f->op >> f->arg & 1;
}

/* TO = the bottom or (TOP) the top halfword of R, sign-extended.  */
static void
half (struct tb_semantics *s, unsigned to, unsigned r, bool top)
{
  if (top)
    tb_sem_emit (s, TB_OP_ASR, to, r, IMM, 16);
  else
    tb_sem_emit (s, TB_OP_SXTH, to, r, NONE, 0);
}

/* RD = T0 + RA, which sets Q if it overflows; RA 15: none.  Uses T1.  */
static void
accumulate (struct tb_semantics *s, unsigned rd, unsigned ra)
{
  if (ra == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
      return;
    }
  tb_sem_emit (s, TB_OP_V_ADD, T1, T0, ra, 0);
  tb_sem_emit (s, TB_OP_ADD, rd, T0, ra, 0);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T1, 0);
}

/* The products of the halfwords of RN and RM, those of which SWAP exchanges: T2 of
   the low ones of RN, T3 of the high ones.  */
static void
two_products (struct tb_semantics *s, unsigned rn, unsigned rm, bool swap)
{
  half (s, T0, rn, false);
  half (s, T1, rm, swap);
  tb_sem_emit (s, TB_OP_MUL, T2, T0, T1, 0);
  half (s, T0, rn, true);
  half (s, T1, rm, !swap);
  tb_sem_emit (s, TB_OP_MUL, T3, T0, T1, 0);
}

/* T2:T1 = T2 + T3, in 64 bits (SUBTRACT: -).  */
static void
add_products (struct tb_semantics *s, bool subtract)
{
  if (subtract)
    {
      tb_sem_emit (s, TB_OP_SUB, T1, T2, T3, 0);
      tb_sem_emit (s, TB_OP_LTU, T0, T2, T3, 0);
    }
  else
    {
      tb_sem_emit (s, TB_OP_ADD, T1, T2, T3, 0);
      tb_sem_emit (s, TB_OP_LTU, T0, T1, T2, 0);
    }
  unsigned op = subtract ? TB_OP_SUB : TB_OP_ADD;
  tb_sem_emit (s, TB_OP_ASR, T2, T2, IMM, 31);
  tb_sem_emit (s, TB_OP_ASR, T3, T3, IMM, 31);
  tb_sem_emit (s, op, T2, T2, T3, 0);
  tb_sem_emit (s, op, T2, T2, T0, 0);
}

void
tb_sem_mul (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MUL, f->d, f->n, f->m, 0);
}

void
tb_sem_mla (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MUL, T0, f->n, f->m, 0);
  tb_sem_emit (s, f->arg, f->d, f->a, T0, 0);
}

void
tb_sem_smulbb (struct tb_semantics *s, const struct tb_fields *f)
{
  half (s, T1, f->n, f->op >> 5 & 1);
  half (s, T2, f->m, variant (f));
  tb_sem_emit (s, TB_OP_MUL, T0, T1, T2, 0);
  accumulate (s, f->d, f->a);
}

void
tb_sem_smuad (struct tb_semantics *s, const struct tb_fields *f)
{
  two_products (s, f->n, f->m, variant (f));
  add_products (s, false);
  if (f->a != 15)		/* Ra is added in 64 bits, too.  */
    {
      tb_sem_emit (s, TB_OP_ADD, T0, T1, f->a, 0);
      tb_sem_emit (s, TB_OP_LTU, T3, T0, T1, 0);
      tb_sem_emit (s, TB_OP_ADD, T2, T2, T3, 0);
      tb_sem_emit (s, TB_OP_ASR, T3, f->a, IMM, 31);
      tb_sem_emit (s, TB_OP_ADD, T2, T2, T3, 0);
      tb_sem_emit (s, TB_OP_MOV, T1, T0, NONE, 0);
    }
  /* Q is set where the upper word is not the sign of the lower one.  */
  tb_sem_emit (s, TB_OP_ASR, T3, T1, IMM, 31);
  tb_sem_emit (s, TB_OP_EOR, T3, T3, T2, 0);
  tb_sem_emit (s, TB_OP_ISZERO, T3, T3, NONE, 0);
  tb_sem_emit (s, TB_OP_EOR, T3, T3, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T3, 0);
  tb_sem_emit (s, TB_OP_MOV, f->d, T1, NONE, 0);
}

void
tb_sem_smusd (struct tb_semantics *s, const struct tb_fields *f)
{
  two_products (s, f->n, f->m, variant (f));
  tb_sem_emit (s, TB_OP_SUB, T0, T2, T3, 0);
  accumulate (s, f->d, f->a);
}

/* 32 by 16 bits, the upper 32 of 48.  */
void
tb_sem_smulwb (struct tb_semantics *s, const struct tb_fields *f)
{
  half (s, T1, f->m, variant (f));
  tb_sem_emit (s, TB_OP_MUL, T2, f->n, T1, 0);
  tb_sem_emit (s, TB_OP_SMULH, T3, f->n, T1, 0);
  tb_sem_emit (s, TB_OP_LSR, T2, T2, IMM, 16);
  tb_sem_emit (s, TB_OP_LSL, T3, T3, IMM, 16);
  tb_sem_emit (s, TB_OP_ORR, T0, T2, T3, 0);
  accumulate (s, f->d, f->a);
}

/* SMMUL, SMMLA; SMMLS if SUBTRACT.  Rounding adds half a unit of the result.  */
static void
most_significant (struct tb_semantics *s, const struct tb_fields *f,
		  bool subtract)
{
  unsigned rd = f->d, ra = f->a;
  tb_sem_emit (s, TB_OP_MUL, T1, f->n, f->m, 0);
  tb_sem_emit (s, TB_OP_SMULH, T0, f->n, f->m, 0);
  if (subtract)
    {
      /* Ra:0 - T0:T1 borrows unless the low word is 0.  */
      tb_sem_emit (s, TB_OP_ISZERO, T2, T1, NONE, 0);
      tb_sem_emit (s, TB_OP_SUB, T0, ra, T0, 0);
      tb_sem_emit (s, TB_OP_ADD, T0, T0, T2, 0);
      tb_sem_emit (s, TB_OP_SUB, T0, T0, IMM, 1);
      /* The low word is then 0 - T1.  */
      tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, UINT32_MAX);
      tb_sem_emit (s, TB_OP_ADD, T1, T1, IMM, 1);
    }
  else if (ra != 15)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, ra, 0);
  if (!variant (f))
    {
      tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
      return;
    }
  tb_sem_emit (s, TB_OP_LSR, T1, T1, IMM, 31);
  tb_sem_emit (s, TB_OP_ADD, rd, T0, T1, 0);
}

void
tb_sem_smmul (struct tb_semantics *s, const struct tb_fields *f)
{
  most_significant (s, f, false);
}

void
tb_sem_smmls (struct tb_semantics *s, const struct tb_fields *f)
{
  most_significant (s, f, true);
}

void
tb_sem_divide (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, f->arg, f->d, f->n, f->m, 0);
}

/* D:A += T2:T1.  */
static void
add_long (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned lo = f->a, hi = f->d;
  tb_sem_emit (s, TB_OP_ADD, T0, T1, lo, 0);
  tb_sem_emit (s, TB_OP_LTU, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T2, T2, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, hi, hi, T2, 0);
  tb_sem_emit (s, TB_OP_MOV, lo, T0, NONE, 0);
}

void
tb_sem_smull (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != f->d;
  tb_sem_emit (s, TB_OP_MUL, T1, f->n, f->m, 0);
  tb_sem_emit (s, f->arg, T2, f->n, f->m, 0);
  tb_sem_emit (s, TB_OP_MOV, f->a, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, f->d, T2, NONE, 0);
}

void
tb_sem_smlal (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != f->d;
  tb_sem_emit (s, TB_OP_MUL, T1, f->n, f->m, 0);
  tb_sem_emit (s, f->arg, T2, f->n, f->m, 0);
  add_long (s, f);
}

void
tb_sem_smlalbb (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != f->d;
  half (s, T1, f->n, f->op >> 5 & 1);
  half (s, T2, f->m, variant (f));
  tb_sem_emit (s, TB_OP_MUL, T1, T1, T2, 0);
  tb_sem_emit (s, TB_OP_ASR, T2, T1, IMM, 31);
  add_long (s, f);
}

void
tb_sem_smlald (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != f->d;
  two_products (s, f->n, f->m, variant (f));
  add_products (s, false);
  add_long (s, f);
}

void
tb_sem_smlsld (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != f->d;
  two_products (s, f->n, f->m, variant (f));
  add_products (s, true);
  add_long (s, f);
}

/* Rn * Rm + RdHi + RdLo, which fits into 64 bits.  */
void
tb_sem_umaal (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned lo = f->a, hi = f->d;
  s->modelled = lo != hi;
  tb_sem_emit (s, TB_OP_MUL, T1, f->n, f->m, 0);
  tb_sem_emit (s, TB_OP_UMULH, T2, f->n, f->m, 0);
  tb_sem_emit (s, TB_OP_ADD, T0, T1, lo, 0);
  tb_sem_emit (s, TB_OP_LTU, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T2, T2, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T1, T0, hi, 0);
  tb_sem_emit (s, TB_OP_LTU, T0, T1, T0, 0);
  tb_sem_emit (s, TB_OP_ADD, hi, T2, T0, 0);
  tb_sem_emit (s, TB_OP_MOV, lo, T1, NONE, 0);
}
