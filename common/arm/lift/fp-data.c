/* Scalar floating-point data processing as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   That FPSCR.Len is not 0, so that VFPv2 and VFPv3 do the same with several
   registers, is taken not to happen: compilers never use that, and ARMv8 has none
   of it.

   Source: DDI 0406, A7.5, table A7-17; DDI 0487, F4.1 (what is new in ARMv8, and
   halves).  */

#include "config.h"
#include "arm/lift/fp.h"

/* The register that OP names as its destination becomes unknown; of a half the
   upper bits are 0 (DDI 0487, E1.3.1).  */
static void
result (struct tb_semantics *s, uint32_t op)
{
  unsigned place = tb_fp_register (op, TB_FP_D), size = tb_fp_size (op);
  tb_sem_fp_unknown (s, place, size == TB_FP_DOUBLE ? 2 : 1);
  if (size == TB_FP_HALF)
    tb_sem_emit (s, TB_OP_AND, place, place, IMM, 0xffff);
}

/* That is an S register, and all of it.  */
static void
single_result (struct tb_semantics *s, uint32_t op)
{
  tb_sem_unknown (s, tb_fp_single (op, TB_FP_D));
}

/* Half of that is: the upper one with bit 7.  */
static void
half_result (struct tb_semantics *s, uint32_t op)
{
  unsigned place = tb_fp_single (op, TB_FP_D);
  uint32_t mask = op >> 7 & 1 ? 0xffff0000 : 0x0000ffff;
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, mask);
  tb_sem_emit (s, TB_OP_AND, place, place, IMM, ~mask);
  tb_sem_emit (s, TB_OP_ORR, place, place, T0, 0);
}

/* VMOV of a constant (DDI 0406, A7.5.1).  */
static void
move_immediate (struct tb_semantics *s, uint32_t op)
{
  unsigned place = tb_fp_register (op, TB_FP_D);
  uint32_t imm8 = (op >> 12 & 0xf0) | (op & 15), low = imm8 & 0x3f;
  uint32_t sign = imm8 >> 7, b = imm8 >> 6 & 1, value;
  switch (tb_fp_size (op))
    {
    case TB_FP_HALF:
      value = sign << 15 | !b << 14 | (b ? 3 : 0) << 12 | low << 6;
      break;
    case TB_FP_SINGLE:
      value = sign << 31 | (uint32_t) !b << 30 | (b ? UINT32_C (0x1f) : 0) << 25
	      | low << 19;
      break;
    default:
      tb_sem_emit (s, TB_OP_MOV, place++, IMM, NONE, 0);
      value = sign << 31 | (uint32_t) !b << 30 | (b ? UINT32_C (0xff) : 0) << 22
	      | low << 16;
      break;
    }
  tb_sem_emit (s, TB_OP_MOV, place, IMM, NONE, value);
}

/* VMOV (OP TB_OP_MOV), VABS and VNEG (what it does with the sign).  */
static void
move (struct tb_semantics *s, uint32_t op, unsigned how)
{
  unsigned to = tb_fp_register (op, TB_FP_D);
  unsigned from = tb_fp_register (op, TB_FP_M), size = tb_fp_size (op);
  uint32_t sign = size == TB_FP_HALF ? 0x8000 : 0x80000000;
  if (size == TB_FP_DOUBLE)
    tb_sem_emit (s, TB_OP_MOV, to++, from++, NONE, 0);
  if (size == TB_FP_HALF)
    {
      tb_sem_emit (s, TB_OP_AND, T0, from, IMM, 0xffff);
      from = T0;
    }
  tb_sem_emit (s, how, to, from, how == TB_OP_MOV ? NONE : IMM, sign);
}

/* Bits 23, 21 and 20 are ones, 6 too; 19:16 select.  */
static bool
other (struct tb_semantics *s, uint32_t op)
{
  unsigned size = tb_fp_size (op);
  bool high = op >> 7 & 1;
  switch (op >> 16 & 15)
    {
    case 0:			/* VMOV, VABS.  */
      if (!high && size == TB_FP_HALF)
	return false;
      move (s, op, high ? TB_OP_BIC : TB_OP_MOV);
      return true;
    case 1:			/* VNEG, VSQRT.  */
      if (!high)
	{
	  move (s, op, TB_OP_EOR);
	  return true;
	}
      result (s, op);
      break;
    case 2:			/* VCVTB, VCVTT from a half ...  */
      if (size == TB_FP_HALF)
	return false;
      result (s, op);
      break;
    case 3:			/* ... and to one (and BF16).  */
      half_result (s, op);
      break;
    case 4: case 5:		/* VCMP, VCMPE.  */
      tb_sem_fp_status (s, TB_FP_COMPARES | TB_FP_RAISES);
      return true;
    case 6:			/* VRINTR, VRINTZ.  */
      result (s, op);
      break;
    case 7:			/* VRINTX; VCVT between single and double.  */
      if (!high)
	result (s, op);
      else if (size == TB_FP_SINGLE)
	tb_sem_fp_unknown (s, tb_fp_double (op, TB_FP_D), 2);
      else if (size == TB_FP_DOUBLE)
	single_result (s, op);
      else
	return false;
      break;
    case 8:			/* VCVT from an integer.  */
    case 10: case 11:		/* From fixed point.  */
      result (s, op);
      break;
    case 9:			/* VJCVT tells by Z whether it was exact.  */
      if (!high || size != TB_FP_DOUBLE)
	return false;
      single_result (s, op);
      tb_sem_fp_status (s, TB_FP_COMPARES | TB_FP_RAISES);
      return true;
    case 12: case 13:		/* To an integer.  */
      single_result (s, op);
      break;
    default:			/* To fixed point, of 16 or 32 bits.  */
      if (size == TB_FP_DOUBLE)
	result (s, op);
      else
	single_result (s, op);
      break;
    }
  tb_sem_fp_status (s, TB_FP_RAISES);
  return true;
}

bool
tb_sem_fp_data (struct tb_semantics *s, uint32_t op)
{
  switch ((op >> 21 & 4) | (op >> 20 & 3))
    {
    case 7:
      if (op >> 6 & 1)
	return other (s, op);
      if ((op & 0xa0) != 0)
	return false;
      move_immediate (s, op);
      return true;
    case 4:			/* VDIV  */
      if (op >> 6 & 1)
	return false;
      break;
    }
  /* VMLA, VMLS, VNMLA, VNMLS, VMUL, VNMUL, VADD, VSUB, VFMA and its kin.  */
  result (s, op);
  tb_sem_fp_status (s, TB_FP_RAISES);
  return true;
}

/* VSEL: one of two registers, if EQ, VS, GE or GT (bits 21:20).  */
static void
select (struct tb_semantics *s, uint32_t op)
{
  unsigned size = tb_fp_size (op), condition = op >> 20 & 3;
  unsigned to = tb_fp_register (op, TB_FP_D);
  unsigned n = tb_fp_register (op, TB_FP_N), m = tb_fp_register (op, TB_FP_M);
  /* T1 is 0 if it holds, else all ones.  */
  if (condition < 2)
    tb_sem_emit (s, TB_OP_MOV, T1, condition == 0 ? TB_SLOT_Z : TB_SLOT_V,
		 NONE, 0);
  else
    {
      tb_sem_emit (s, TB_OP_EOR, T1, TB_SLOT_N, TB_SLOT_V, 0);
      tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
      if (condition == 3)
	tb_sem_emit (s, TB_OP_BIC, T1, T1, TB_SLOT_Z, 0);
    }
  tb_sem_emit (s, TB_OP_ADD, T1, T1, IMM, UINT32_MAX);
  for (unsigned i = 0; i < (size == TB_FP_DOUBLE ? 2 : 1); i++)
    {
      tb_sem_emit (s, TB_OP_BIC, T2, n + i, T1, 0);
      tb_sem_emit (s, TB_OP_AND, T3, m + i, T1, 0);
      tb_sem_emit (s, TB_OP_ORR, to + i, T2, T3, 0);
    }
  if (size == TB_FP_HALF)
    tb_sem_emit (s, TB_OP_AND, to, to, IMM, 0xffff);
}

/* VMOVX, VINS: the upper half of a register to the lower one, and the reverse.  */
static void
move_half (struct tb_semantics *s, uint32_t op)
{
  unsigned to = tb_fp_single (op, TB_FP_D), from = tb_fp_single (op, TB_FP_M);
  if (op >> 7 & 1)
    {
      tb_sem_emit (s, TB_OP_LSL, T0, from, IMM, 16);
      tb_sem_emit (s, TB_OP_AND, T1, to, IMM, 0xffff);
      tb_sem_emit (s, TB_OP_ORR, to, T0, T1, 0);
    }
  else
    tb_sem_emit (s, TB_OP_LSR, to, from, IMM, 16);
}

bool
tb_sem_fp_unconditional (struct tb_semantics *s, uint32_t op)
{
  unsigned opc2 = op >> 16 & 15;
  bool bit6 = op >> 6 & 1;
  if (!(op >> 23 & 1))
    {
      if (bit6)
	return false;
      select (s, op);
      return true;
    }
  switch (op >> 20 & 3)
    {
    case 0:			/* VMAXNM, VMINNM.  */
      result (s, op);
      break;
    case 3:
      if (!bit6)
	return false;
      if (opc2 == 0 && tb_fp_size (op) == TB_FP_SINGLE)
	{
	  move_half (s, op);
	  return true;
	}
      /* VRINTA, VRINTN, VRINTP, VRINTM; VCVTA and its kin, to an integer.  */
      if (opc2 >> 2 == 2 && !(op >> 7 & 1))
	result (s, op);
      else if (opc2 >> 2 == 3)
	single_result (s, op);
      else
	return false;
      break;
    default:
      return false;
    }
  tb_sem_fp_status (s, TB_FP_RAISES);
  return true;
}
