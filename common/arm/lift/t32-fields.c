/* 32-bit T32 data processing as micro-operations: plain immediates, bit fields,
   saturation, shifts by registers, extension, and parallel operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.3 (plain
   immediate), A5.3.12 to A5.3.15 (register).  */

#include "config.h"
#include "arm/lift/emit.h"

static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				   TB_OP_ROR };

/* Q is set where T0 is not T1.  */
static void
saturated (struct tb_semantics *s)
{
  tb_sem_emit (s, TB_OP_EOR, T1, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ISZERO, T1, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T1, 0);
}

/* SSAT, USAT; with bit 21 set and no shift SSAT16, USAT16.  */
static void
saturate (struct tb_semantics *s, uint32_t op, unsigned n)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15;
  bool is_unsigned = op >> 23 & 1, halves = op >> 21 & 1 && n == 0;
  uint32_t to = (op & 31) + !is_unsigned;
  unsigned how = is_unsigned ? TB_OP_USAT : TB_OP_SSAT;
  if (!halves)
    {
      tb_sem_emit (s, op >> 21 & 1 ? TB_OP_ASR : TB_OP_LSL, T1, rn, IMM, n);
      tb_sem_emit (s, how, T0, T1, IMM, to);
      tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
      saturated (s);
      return;
    }
  to = (op & 15) + !is_unsigned;
  tb_sem_emit (s, TB_OP_SXTH, T1, rn, NONE, 0);
  tb_sem_emit (s, how, T0, T1, IMM, to);
  tb_sem_emit (s, TB_OP_AND, T2, T0, IMM, 0xffff);
  saturated (s);
  tb_sem_emit (s, TB_OP_ASR, T1, rn, IMM, 16);
  tb_sem_emit (s, how, T0, T1, IMM, to);
  tb_sem_emit (s, TB_OP_LSL, T3, T0, IMM, 16);
  saturated (s);
  tb_sem_emit (s, TB_OP_ORR, rd, T2, T3, 0);
}

/* BFI; BFC has Rn 15.  */
static bool
insert_field (struct tb_semantics *s, unsigned rd, unsigned rn, unsigned lsb,
	      unsigned msb)
{
  if (msb < lsb)
    return false;
  uint32_t field = (UINT32_MAX >> (31 - (msb - lsb))) << lsb;
  if (rn == 15)
    {
      tb_sem_emit (s, TB_OP_AND, rd, rd, IMM, ~field);
      return true;
    }
  tb_sem_emit (s, TB_OP_LSL, T0, rn, IMM, lsb);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, field);
  tb_sem_emit (s, TB_OP_AND, T1, rd, IMM, ~field);
  tb_sem_emit (s, TB_OP_ORR, rd, T0, T1, 0);
  return true;
}

/* UBFX, SBFX: WIDTH bits from LSB.  */
static bool
extract_field (struct tb_semantics *s, unsigned rd, unsigned rn, unsigned lsb,
	       unsigned width, bool is_signed)
{
  if (lsb + width > 32)
    return false;
  if (!is_signed)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, rn, IMM, lsb);
      tb_sem_emit (s, TB_OP_AND, rd, T0, IMM, UINT32_MAX >> (32 - width));
      return true;
    }
  tb_sem_emit (s, TB_OP_LSL, T0, rn, IMM, 32 - width - lsb);
  tb_sem_emit (s, TB_OP_ASR, rd, T0, IMM, 32 - width);
  return true;
}

/* RD = RN + IMM (SUBTRACT: -), without flags.  */
static void
add_or_subtract (struct tb_semantics *s, bool subtract, unsigned rd,
		 unsigned rn, uint32_t imm)
{
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, rd == SP ? T0 : rd, rn,
	       IMM, imm);
  if (rd == SP)
    tb_sem_write_any (s, rd, T0);
}

/* A5.3.3.  */
bool
tb_sem_t32_plain (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15;
  unsigned n = (op >> 10 & 0x1c) | (op >> 6 & 3);
  uint32_t imm12 = (op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 255);
  uint32_t imm16 = rn << 12 | imm12;
  unsigned which = op >> 20 & 31;
  bool sums = which == 0 || which == 10;

  if (rd == 15 || (rd == SP && !sums)
      || (rn == 13 && !sums && which != 4 && which != 12))
    return false;
  switch (which)
    {
    case 0: case 10:		/* ADDW, SUBW; ADR.  */
      if (rn == 15 && rd == SP)
	return false;
      if (rn == 15)
	tb_sem_emit (s, TB_OP_MOV, rd, IMM, NONE,
		     ((pc + 4) & ~UINT32_C (3)) + (which == 10 ? -imm12
						   : imm12));
      else
	add_or_subtract (s, which == 10, rd, rn, imm12);
      return true;
    case 4:			/* MOVW  */
      tb_sem_emit (s, TB_OP_MOV, rd, IMM, NONE, imm16);
      return true;
    case 12:			/* MOVT  */
      tb_sem_emit (s, TB_OP_AND, T0, rd, IMM, 0xffff);
      tb_sem_emit (s, TB_OP_ORR, rd, T0, IMM, imm16 << 16);
      return true;
    case 16: case 18: case 24: case 26:
      /* SSAT16 and USAT16 have four bits for the width.  */
      if (rn == 15 || (op >> 21 & 1 && n == 0 && op & 16))
	return false;
      saturate (s, op, n);
      return true;
    case 20: case 28:
      return rn != 15 && extract_field (s, rd, rn, n, (op & 31) + 1,
					which == 20);
    case 22:
      return insert_field (s, rd, rn, n, op & 31);
    }
  return false;
}

/* SXTAH and its kin (A5.3.12): bits 22:20 select, Rn 15 is no addition.  */
static bool
extend (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned which = op >> 20 & 7, source = rm;
  uint32_t rotate = (op >> 4 & 3) * 8;
  if (which > 5 || rd == 13 || rd == 15 || rm == 13 || rm == 15 || rn == 13)
    return false;
  if (which == 2 || which == 3)	/* On both halves: SXTAB16 ...  */
    {
      tb_sem_emit (s, TB_OP_ROR, T1, rm, IMM, rotate);
      tb_sem_emit (s, TB_OP_LSR, T2, T1, IMM, 16);
      if (which == 2)
	{
	  tb_sem_emit (s, TB_OP_SXTB, T1, T1, NONE, 0);
	  tb_sem_emit (s, TB_OP_SXTB, T2, T2, NONE, 0);
	}
      else
	{
	  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 255);
	  tb_sem_emit (s, TB_OP_AND, T2, T2, IMM, 255);
	}
      if (rn != 15)
	{
	  tb_sem_emit (s, TB_OP_ADD, T1, T1, rn, 0);
	  tb_sem_emit (s, TB_OP_LSR, T0, rn, IMM, 16);
	  tb_sem_emit (s, TB_OP_ADD, T2, T2, T0, 0);
	}
      tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 0xffff);
      tb_sem_emit (s, TB_OP_LSL, T2, T2, IMM, 16);
      tb_sem_emit (s, TB_OP_ORR, rd, T1, T2, 0);
      return true;
    }
  if (rotate != 0)
    {
      tb_sem_emit (s, TB_OP_ROR, T1, rm, IMM, rotate);
      source = T1;
    }
  unsigned to = rn == 15 ? rd : T0;
  if (which & 1)
    tb_sem_emit (s, TB_OP_AND, to, source, IMM, which == 1 ? 0xffff : 0xff);
  else
    tb_sem_emit (s, which == 0 ? TB_OP_SXTH : TB_OP_SXTB, to, source, NONE, 0);
  if (rn != 15)
    tb_sem_emit (s, TB_OP_ADD, rd, rn, T0, 0);
  return true;
}

/* A5.3.12 to A5.3.15.  */
bool
tb_sem_t32_registers (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned which = op >> 4 & 15;

  if ((op & 0xf000) != 0xf000 || rd == 13 || rd == 15 || rm == 13 || rm == 15)
    return false;
  if (!(op >> 23 & 1) && which == 0)
    {
      unsigned shift = shifts[op >> 21 & 3];
      if (rn == 13 || rn == 15)
	return false;
      if (op >> 20 & 1)
	tb_sem_shift_flags (s, shift, rd, rn, rm, 0);
      else
	tb_sem_emit (s, shift, rd, rn, rm, 0);
      return true;
    }
  if (!(op >> 23 & 1))
    return which & 8 ? extend (s, op) : false;
  if (rn == 13 || rn == 15)
    return false;
  if (which < 8)		/* Parallel addition and subtraction.  */
    return (which & 3) != 3
	   && tb_sem_parallel (s, rd, rn, rm, op >> 20 & 7,
			       (enum tb_sem_parallel) (which & 3),
			       which >> 2);
  if (which & 4)
    return false;
  static const uint8_t reverse[4] = { TB_OP_REV, TB_OP_REV16, TB_OP_RBIT,
				      TB_OP_REVSH };
  switch ((op >> 20 & 7) << 2 | (which & 3))
    {
    case 0: case 1: case 2: case 3:
      tb_sem_saturating_add (s, which >> 1 & 1, which & 1, rd, rm, rn);
      return true;
    case 4: case 5: case 6: case 7:
      tb_sem_emit (s, reverse[which & 3], rd, rm, NONE, 0);
      return rn == rm;
    case 8:			/* SEL  */
      if (which & 3)
	return false;
      tb_sem_select (s, rd, rn, rm);
      return true;
    case 12:
      tb_sem_emit (s, TB_OP_CLZ, rd, rm, NONE, 0);
      return rn == rm;
    }
  return false;
}
