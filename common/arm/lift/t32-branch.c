/* 32-bit T32 branches, loops, hints and system registers as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.4, B5.2 (MRS,
   MSR); ARMv8-M (DDI 0553), C2.3.1 and C2.4 (loops, pointer authentication).  */

#include "config.h"
#include "arm/lift/emit.h"

/* The loops of v8.1-M: bits 31:27 are 11110, 15:14 are 11, 12 is 0, 0 is 1.  */
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
	return false;
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 1);
      tb_sem_emit (s, TB_OP_LTU, T0, T1, LR, 0);
      tb_sem_emit (s, TB_OP_SUB, LR, LR, T0, 0);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, 1);
      return true;
    case 0xf02f0000:		/* LE  */
      return !starts;
    }
  /* Those with tail predication (bits 21:20 are the size) change the state of
     vector instructions.  */
  if ((op >> 20 & 7) != 4 || rn == 13 || rn == 15)
    return false;
  if (!starts)			/* WLS: past the loop if Rn is 0.  */
    {
      tb_sem_emit (s, TB_OP_ISZERO, T0, rn, NONE, 0);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, 1);
    }
  tb_sem_emit (s, TB_OP_MOV, LR, rn, NONE, 0);
  return true;
}

/* MSR (B5.2.3).  */
static bool
write_system (struct tb_semantics *s, uint32_t op)
{
  unsigned rn = op >> 16 & 15, number = op & 255, mask = op >> 10 & 3;
  if (rn == 13 || rn == 15)
    return false;
  if (number < 4 && mask & 1)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, rn, IMM, 16);
      tb_sem_emit (s, TB_OP_AND, TB_SLOT_GE, T0, IMM, 15);
    }
  if (number < 4 && !(mask & 2))
    return true;
  if (number < 4)
    tb_sem_emit (s, TB_OP_BIT, TB_SLOT_Q, rn, IMM, 27);
  /* CONTROL has more in it than here: what of it is not kept changes nothing
     that is kept, but for the bit that says that FP registers are in use.  */
  if (number == 20)
    tb_sem_unknown (s, TB_SLOT_FPCA);
  tb_sem_emit (s, TB_OP_MSR, NONE, rn, NONE, number);
  return true;
}

/* MRS (B5.2.2).  */
static bool
read_system (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 8 & 15;
  if (rd == 13 || rd == 15)
    return false;
  tb_sem_emit (s, TB_OP_MRS, rd, NONE, NONE, op & 255);
  return true;
}

/* Hints of 32 bits; those of pointer authentication put the code into r12.  */
static bool
hint (struct tb_semantics *s, uint32_t op, const struct tb_profile *profile)
{
  unsigned number = op & 255;
  if (op & 0x700)
    return false;
  if (profile->arch == TB_ARCH_V81M_MAIN && (number == 0x1d || number == 0x0d))
    tb_sem_unknown (s, 12);
  return true;
}

bool
tb_sem_t32_branch (struct tb_semantics *s, uint32_t op, uint32_t pc,
		   const struct tb_profile *profile)
{
  switch (op & 0x5000)
    {
    case 0x5000:		/* BL  */
      tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, (pc + 4) | 1);
      return true;
    case 0x1000:		/* B  */
      return true;
    case 0x4000:
      if (!s->is_m)		/* BLX  */
	{
	  tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, (pc + 4) | 1);
	  return !(op & 1);
	}
      return profile->arch >= TB_ARCH_V8M_MAIN && op & 1 && loop (s, op);
    }
  if ((op >> 23 & 7) != 7)	/* B<c>  */
    {
      tb_sem_emit (s, TB_OP_COND, NONE, NONE, NONE, op >> 22 & 15);
      return true;
    }
  if (!s->is_m)
    return tb_sem_t32_system (s, op, pc);
  switch (op >> 20 & 127)
    {
    case 0x38: case 0x39:
      return write_system (s, op);
    case 0x3a:
      return hint (s, op, profile);
    case 0x3b:			/* Barriers, CLREX.  */
      return (op & 0xf0) >= 0x20 && (op & 0xf0) <= 0x70;
    case 0x3e: case 0x3f:
      return read_system (s, op);
    case 0x7f:			/* UDF  */
      return op >> 13 & 1;
    }
  return false;
}
