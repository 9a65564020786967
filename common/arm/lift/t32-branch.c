/* 32-bit T32 branches, loops, hints and system registers as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.4, B5.2 (MRS,
   MSR); ARMv8-M (DDI 0553), C2.3.1 and C2.4 (loops, pointer authentication).  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* FPSCR.LTPSIZE, how many lanes of vectors there are, may be another.  */
static void
other_lanes (struct tb_semantics *s)
{
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, UINT32_C (0x00070000));
  tb_sem_emit (s, TB_OP_BIC, TB_PLACE_FPSCR, TB_PLACE_FPSCR, IMM,
	       UINT32_C (0x00070000));
  tb_sem_emit (s, TB_OP_ORR, TB_PLACE_FPSCR, TB_PLACE_FPSCR, T0, 0);
}

static bool
loop (struct tb_semantics *s, uint32_t op)
{
  unsigned rn = op >> 16 & 15;
  bool starts = op >> 13 & 1;	/* DLS and its kin.  */
  if (op & 0x07800000)		/* BF and its kin: a hint of a branch.  */
    return false;
  switch (op & 0xffff0000)
    {
    case 0xf00f0000:		/* LE LR: once more if LR > 1.  */
      if (starts)		/* LCTP  */
	{
	  other_lanes (s);
	  return true;
	}
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 1);
      tb_sem_emit (s, TB_OP_LTU, T0, T1, LR, 0);
      tb_sem_emit (s, TB_OP_SUB, LR, LR, T0, 0);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, 1);
      return true;
    case 0xf01f0000:		/* LETP: counts elements of vectors.  */
      tb_sem_unknown (s, LR);
      other_lanes (s);
      tb_sem_unknown (s, T0);
      tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 1);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, 1);
      return !starts;
    case 0xf02f0000:		/* LE  */
      return !starts;
    }
  if ((op >> 20 & 7) > 4 || rn == 13 || rn == 15)
    return false;
  /* Those with tail predication; bits 21:20 are the size.  */
  if ((op >> 20 & 7) != 4)
    other_lanes (s);
  if (!starts)			/* WLS: past the loop if Rn is 0.  */
    {
      tb_sem_emit (s, TB_OP_ISZERO, T0, rn, NONE, 0);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, 1);
      tb_sem_emit (s, TB_OP_EOR, T0, T0, IMM, 1);
      tb_sem_only_if (s, T0);
    }
  tb_sem_emit (s, TB_OP_MOV, LR, rn, NONE, 0);
  return true;
}

/* The loops of v8.1-M: bits 31:27 are 11110, 15:14 are 11, 12 is 0, 0 is 1.  */
void
tb_t32_loop (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = loop (s, f->op);
}

/* BL, BLX.  */
void
tb_t32_link (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, f->here | 1);
}

/* B<c>  */
void
tb_t32_condition (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_condition (s, f->op >> 22 & 15);
}

/* Hints of 32 bits; those of pointer authentication put the code into r12.  */
void
tb_t32_hint (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned number = f->op & 255;
  if (f->profile->arch == TB_ARCH_V81M_MAIN
      && (number == 0x1d || number == 0x0d))
    tb_sem_unknown (s, 12);
}

/* The A and R profile.  */
void
tb_t32_cps (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  s->modelled = tb_sem_cps (s, op >> 9 & 3, op >> 5 & 7, op >> 8 & 1, op & 31);
}

/* SUBS PC, LR; ERET.  */
void
tb_t32_return (struct tb_semantics *s, const struct tb_fields *f)
{
  if ((f->op & 255) == 0)
    tb_sem_emit (s, TB_OP_READ_BANKED, T0, NONE, NONE, TB_SYS_RETURN);
  else
    tb_sem_emit (s, TB_OP_SUB, T0, LR, IMM, f->op & 255);
  tb_sem_exception_return (s, T0, TB_SLOT_SPSR);
}

void
tb_t32_msr_banked (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_sem_banked (s, true, f->n, f->d | (f->op & 16),
			       f->op >> 20 & 1);
}

void
tb_t32_msr_mode (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_sem_msr (s, f->n, 0, f->d, f->op >> 20 & 1);
}

void
tb_t32_mrs_banked (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_sem_banked (s, false, f->d, f->n | (f->op & 16),
			       f->op >> 20 & 1);
}

void
tb_t32_mrs_mode (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_mrs (s, f->d, f->op >> 20 & 1, f->profile);
}
