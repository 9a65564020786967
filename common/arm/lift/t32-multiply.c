/* 32-bit T32 multiplications and divisions as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.16, A5.3.17
   and A7.7.  */

#include "config.h"
#include "arm/lift/emit.h"

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

/* SMUAD, SMLAD (SUBTRACT: SMUSD, SMLSD); SWAP: the halfwords of Rm.  */
static void
dual (struct tb_semantics *s, unsigned rd, unsigned rn, unsigned rm,
      unsigned ra, bool subtract, bool swap)
{
  two_products (s, rn, rm, swap);
  if (!subtract)
    {
      add_products (s, false);
      if (ra != 15)		/* Ra is added in 64 bits, too.  */
	{
	  tb_sem_emit (s, TB_OP_ADD, T0, T1, ra, 0);
	  tb_sem_emit (s, TB_OP_LTU, T3, T0, T1, 0);
	  tb_sem_emit (s, TB_OP_ADD, T2, T2, T3, 0);
	  tb_sem_emit (s, TB_OP_ASR, T3, ra, IMM, 31);
	  tb_sem_emit (s, TB_OP_ADD, T2, T2, T3, 0);
	  tb_sem_emit (s, TB_OP_MOV, T1, T0, NONE, 0);
	}
      /* Q is set where the upper word is not the sign of the lower one.  */
      tb_sem_emit (s, TB_OP_ASR, T3, T1, IMM, 31);
      tb_sem_emit (s, TB_OP_EOR, T3, T3, T2, 0);
      tb_sem_emit (s, TB_OP_ISZERO, T3, T3, NONE, 0);
      tb_sem_emit (s, TB_OP_EOR, T3, T3, IMM, 1);
      tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T3, 0);
      tb_sem_emit (s, TB_OP_MOV, rd, T1, NONE, 0);
      return;
    }
  tb_sem_emit (s, TB_OP_SUB, T0, T2, T3, 0);
  accumulate (s, rd, ra);
}

/* SMULWB, SMLAWB: 32 by 16 bits, the upper 32 of 48.  */
static void
wide_by_half (struct tb_semantics *s, unsigned rd, unsigned rn, unsigned rm,
	      unsigned ra, bool top)
{
  half (s, T1, rm, top);
  tb_sem_emit (s, TB_OP_MUL, T2, rn, T1, 0);
  tb_sem_emit (s, TB_OP_SMULH, T3, rn, T1, 0);
  tb_sem_emit (s, TB_OP_LSR, T2, T2, IMM, 16);
  tb_sem_emit (s, TB_OP_LSL, T3, T3, IMM, 16);
  tb_sem_emit (s, TB_OP_ORR, T0, T2, T3, 0);
  accumulate (s, rd, ra);
}

/* SMMUL, SMMLA, SMMLS; ROUND adds half a unit of the result.  */
static void
most_significant (struct tb_semantics *s, unsigned rd, unsigned rn,
		  unsigned rm, unsigned ra, bool subtract, bool round)
{
  tb_sem_emit (s, TB_OP_MUL, T1, rn, rm, 0);
  tb_sem_emit (s, TB_OP_SMULH, T0, rn, rm, 0);
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
  if (!round)
    {
      tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
      return;
    }
  tb_sem_emit (s, TB_OP_LSR, T1, T1, IMM, 31);
  tb_sem_emit (s, TB_OP_ADD, rd, T0, T1, 0);
}

/* A5.3.16.  */
static bool
multiply (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned ra = op >> 12 & 15, how = op >> 4 & 15;
  if (rd == 13 || rd == 15 || rn == 13 || rn == 15 || rm == 13 || rm == 15
      || ra == 13 || how > 3)
    return false;
  switch (op >> 20 & 7)
    {
    case 0:
      if (how == 0 && ra == 15)
	tb_sem_emit (s, TB_OP_MUL, rd, rn, rm, 0);
      else if (how <= 1 && ra != 15)
	{
	  tb_sem_emit (s, TB_OP_MUL, T0, rn, rm, 0);
	  tb_sem_emit (s, how ? TB_OP_SUB : TB_OP_ADD, rd, ra, T0, 0);
	}
      else
	return false;
      return true;
    case 1:			/* SMULBB, SMLABB ...  */
      half (s, T1, rn, how >> 1);
      half (s, T2, rm, how & 1);
      tb_sem_emit (s, TB_OP_MUL, T0, T1, T2, 0);
      accumulate (s, rd, ra);
      return true;
    case 2: case 4:
      if (how > 1)
	return false;
      dual (s, rd, rn, rm, ra, (op >> 20 & 7) == 4, how & 1);
      return true;
    case 3:
      if (how > 1)
	return false;
      wide_by_half (s, rd, rn, rm, ra, how & 1);
      return true;
    case 5:
      if (how > 1)
	return false;
      most_significant (s, rd, rn, rm, ra, false, how & 1);
      return true;
    case 6:
      /* With Ra 15 it is PACG of v8.1-M.  */
      if (how > 1 || (ra == 15 && how != 0))
	return false;
      if (ra == 15)
	tb_sem_unknown (s, rd);
      else
	most_significant (s, rd, rn, rm, ra, true, how & 1);
      return true;
    case 7:			/* USAD8, USADA8.  */
      tb_sem_differences (s, rd, rn, rm, ra);
      return how == 0;
    }
  return false;
}

/* HI:LO += T2:T1.  */
static void
add_long (struct tb_semantics *s, unsigned lo, unsigned hi)
{
  tb_sem_emit (s, TB_OP_ADD, T0, T1, lo, 0);
  tb_sem_emit (s, TB_OP_LTU, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T2, T2, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, hi, hi, T2, 0);
  tb_sem_emit (s, TB_OP_MOV, lo, T0, NONE, 0);
}

/* SMULL, UMULL and what adds (SMLAL, UMLAL).  */
static void
multiply_long (struct tb_semantics *s, bool is_signed, bool adds, unsigned lo,
	       unsigned hi, unsigned rn, unsigned rm)
{
  tb_sem_emit (s, TB_OP_MUL, T1, rn, rm, 0);
  tb_sem_emit (s, is_signed ? TB_OP_SMULH : TB_OP_UMULH, T2, rn, rm, 0);
  if (adds)
    {
      add_long (s, lo, hi);
      return;
    }
  tb_sem_emit (s, TB_OP_MOV, lo, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, hi, T2, NONE, 0);
}

/* SMLALBB ...; SMLALD.  */
static bool
halves_long (struct tb_semantics *s, uint32_t op, unsigned lo, unsigned hi,
	     unsigned rn, unsigned rm)
{
  if (op >> 6 & 1)
    {
      two_products (s, rn, rm, op >> 4 & 1);
      add_products (s, false);
      add_long (s, lo, hi);
      return true;
    }
  half (s, T1, rn, op >> 5 & 1);
  half (s, T2, rm, op >> 4 & 1);
  tb_sem_emit (s, TB_OP_MUL, T1, T1, T2, 0);
  tb_sem_emit (s, TB_OP_ASR, T2, T1, IMM, 31);
  add_long (s, lo, hi);
  return true;
}

/* UMAAL: Rn * Rm + RdHi + RdLo, which fits into 64 bits.  */
static void
multiply_add_add (struct tb_semantics *s, unsigned lo, unsigned hi,
		  unsigned rn, unsigned rm)
{
  tb_sem_emit (s, TB_OP_MUL, T1, rn, rm, 0);
  tb_sem_emit (s, TB_OP_UMULH, T2, rn, rm, 0);
  tb_sem_emit (s, TB_OP_ADD, T0, T1, lo, 0);
  tb_sem_emit (s, TB_OP_LTU, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T2, T2, T1, 0);
  tb_sem_emit (s, TB_OP_ADD, T1, T0, hi, 0);
  tb_sem_emit (s, TB_OP_LTU, T0, T1, T0, 0);
  tb_sem_emit (s, TB_OP_ADD, hi, T2, T0, 0);
  tb_sem_emit (s, TB_OP_MOV, lo, T1, NONE, 0);
}

/* A5.3.17.  */
static bool
long_multiply (struct tb_semantics *s, uint32_t op)
{
  unsigned lo = op >> 12 & 15, hi = op >> 8 & 15;
  unsigned rn = op >> 16 & 15, rm = op & 15, how = op >> 4 & 15;
  unsigned which = op >> 20 & 7;
  if (hi == 13 || hi == 15 || rn == 13 || rn == 15 || rm == 13 || rm == 15)
    return false;
  if ((which & 5) == 1)		/* SDIV, UDIV: by 0 is 0, or a fault.  */
    {
      tb_sem_emit (s, which == 1 ? TB_OP_SDIV : TB_OP_UDIV, hi, rn, rm, 0);
      return lo == 15 && how == 15;
    }
  if (lo == 13 || lo == 15 || lo == hi)
    return false;
  switch (which)
    {
    case 0: case 2: case 4: case 6:
      if (how == 0)
	multiply_long (s, !(which & 2), which >> 2, lo, hi, rn, rm);
      else if (which == 4 && how >> 3)
	return (how >> 1 & 3) != 3 && halves_long (s, op, lo, hi, rn, rm);
      else if (which == 6 && how == 6)
	multiply_add_add (s, lo, hi, rn, rm);
      else
	return false;
      return true;
    case 5:			/* SMLSLD  */
      two_products (s, rn, rm, how & 1);
      add_products (s, true);
      add_long (s, lo, hi);
      return (how & 14) == 12;
    }
  return false;
}

bool
tb_sem_t32_multiply (struct tb_semantics *s, uint32_t op)
{
  return op >> 23 & 1 ? long_multiply (s, op) : multiply (s, op);
}
