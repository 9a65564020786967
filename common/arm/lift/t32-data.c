/* 32-bit T32 data processing as micro-operations: modified immediates and
   shifted registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.1 (modified
   immediate), A5.3.2 (its values), A5.3.11 (shifted register); ARMv8-M (DDI
   0553), C2.4 for conditional select and long shifts.  */

#include "config.h"
#include "arm/lift/emit.h"

static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				   TB_OP_ROR };

/* DDI 0403, A5.3.2.  */
static struct tb_sem_operand
modified_immediate (uint32_t op)
{
  uint32_t imm12 = (op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 255);
  uint32_t low = imm12 & 255;
  struct tb_sem_operand o = { .place = IMM, .carry = TB_CARRY_STAYS };
  switch (imm12 >> 8)
    {
    case 0: o.value = low; break;
    case 1: o.value = low << 16 | low; break;
    case 2: o.value = low << 24 | low << 8; break;
    case 3: o.value = low * UINT32_C (0x01010101); break;
    default:
      {
	uint32_t unrotated = (imm12 & 127) | 128;
	unsigned n = imm12 >> 7;
	o.value = unrotated >> n | unrotated << (32 - n);
	o.carry = TB_CARRY_IS;
	break;
      }
    }
  return o;
}

/* RM shifted by an immediate (A7.4.2), in T1 where it is shifted at all.  */
static struct tb_sem_operand
shifted_register (struct tb_semantics *s, uint32_t op)
{
  unsigned rm = op & 15, type = op >> 4 & 3;
  unsigned n = (op >> 10 & 0x1c) | (op >> 6 & 3);
  struct tb_sem_operand o = { .place = rm, .carry = TB_CARRY_STAYS, .rm = rm };
  if (n == 0 && type == 0)
    return o;
  o.place = T1;
  if (n == 0 && type == 3)	/* RRX  */
    {
      tb_sem_emit (s, TB_OP_LSR, T1, rm, IMM, 1);
      tb_sem_emit (s, TB_OP_LSL, T0, TB_SLOT_C, IMM, 31);
      tb_sem_emit (s, TB_OP_ORR, T1, T1, T0, 0);
      o.carry = TB_CARRY_LOW_BIT;
      return o;
    }
  o.carry = TB_CARRY_SHIFT;
  o.by = IMM;
  o.shift = shifts[type];
  o.amount = n != 0 ? n : 32;
  tb_sem_emit (s, o.shift, T1, rm, IMM, o.amount);
  return o;
}

/* PKHBT, PKHTB: halfwords of Rn and of the shifted Rm, in T1.  */
static void
pack (struct tb_semantics *s, unsigned rd, unsigned rn,
      const struct tb_sem_operand *o, bool tb)
{
  uint32_t of_rn = tb ? 0xffff0000 : 0x0000ffff;
  tb_sem_emit (s, TB_OP_AND, T0, rn, IMM, of_rn);
  tb_sem_emit (s, TB_OP_AND, T1, o->place, IMM, ~of_rn);
  tb_sem_emit (s, TB_OP_ORR, rd, T0, T1, 0);
}

/* What bits 24:21 select; bit 20: with flags.  */
static bool
operate (struct tb_semantics *s, uint32_t op, struct tb_sem_operand *o)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15;
  bool flags = op >> 20 & 1, only_flags = flags && rd == 15;
  unsigned which = op >> 21 & 15;
  bool moves = (which == 2 || which == 3) && rn == 15;

  if ((rd == 15 && !(only_flags && (which == 0 || which == 4 || which == 8
				    || which == 13)))
      || (rn == 15 && !moves))
    return false;
  switch (which)
    {
    case 0: tb_sem_logical_operand (s, TB_OP_AND, flags, rd, rn, o); return true;
    case 1: tb_sem_logical_operand (s, TB_OP_BIC, flags, rd, rn, o); return true;
    case 2:
      if (moves)
	tb_sem_move_operand (s, flags, rd, o);
      else
	tb_sem_logical_operand (s, TB_OP_ORR, flags, rd, rn, o);
      return true;
    case 3:
      tb_sem_invert_operand (s, o);
      if (moves)
	tb_sem_move_operand (s, flags, rd, o);
      else
	tb_sem_logical_operand (s, TB_OP_ORR, flags, rd, rn, o);
      return true;
    case 4: tb_sem_logical_operand (s, TB_OP_EOR, flags, rd, rn, o); return true;
    case 8: tb_sem_add_operand (s, false, flags, rd, rn, o); return true;
    case 13: tb_sem_add_operand (s, true, flags, rd, rn, o); return true;
    case 10: case 11: case 14:
      if (rd == SP)
	return false;
      if (o->place == IMM)
	{
	  tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, o->value);
	  o->place = T1;
	}
      if (which != 14)
	tb_sem_adc (s, which == 11, flags, rd, rn, o->place);
      else if (flags)
	tb_sem_add_flags (s, true, rd, o->place, rn, 0);
      else
	tb_sem_emit (s, TB_OP_SUB, rd, o->place, rn, 0);
      return true;
    }
  return false;
}

/* CSEL, CSINC, CSINV, CSNEG of v8.1-M: bits 15:14 are 10.  */
static bool
conditional_select (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned which = op >> 12 & 3, condition = op >> 4 & 15;
  /* In an IT block (S has the condition then) it is not an instruction.  */
  if (rd == 13 || rd == 15 || rn == 13 || rm == 13 || condition >= 14
      || s->count != 0)
    return false;
  if (rm == 15)			/* Zero.  */
    tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, 0);
  else
    tb_sem_emit (s, TB_OP_MOV, T0, rm, NONE, 0);
  if (which == 1)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, IMM, 1);
  else if (which > 1)
    tb_sem_emit (s, TB_OP_EOR, T0, T0, IMM, UINT32_MAX);
  if (which == 3)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, IMM, 1);
  if (rn == 15)
    tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
  else
    tb_sem_emit (s, TB_OP_MOV, T1, rn, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
  tb_sem_emit (s, TB_OP_IF, NONE, NONE, NONE, condition);
  tb_sem_emit (s, TB_OP_MOV, rd, T1, NONE, 0);
  return true;
}

/* The shifts of 64 bits of v8.1-M (RdaLo is even, RdaHi odd), and those of 32
   bits that saturate or round (bits 11:8 are 15): not worked out.  */
static bool
long_shift (struct tb_semantics *s, uint32_t op)
{
  bool is_long = (op >> 8 & 15) != 15;
  unsigned rda = op >> 16 & 15, hi = (op >> 8 & 14) | 1;
  if (is_long)
    rda &= 14;
  if (!(op >> 8 & 1) || rda == 13 || rda == 15 || hi == 13
      || (is_long && hi == 15))
    return false;
  tb_sem_unknown (s, rda);
  if (is_long)
    tb_sem_unknown (s, hi);
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T0, 0);
  return true;
}

/* A5.3.11.  */
static bool
with_shifted_register (struct tb_semantics *s, uint32_t op,
		       const struct tb_profile *profile)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  if (profile->arch == TB_ARCH_V81M_MAIN && (op & 0xfff0c000) == 0xea508000)
    return conditional_select (s, op);
  if (profile->arch == TB_ARCH_V81M_MAIN && (op & 0xfff0800d) == 0xea50000d)
    return long_shift (s, op);
  if (op >> 15 & 1 || rm == 15 || rm == 13)
    {
      /* MOV Rd, SP is allowed.  */
      if (!(rm == 13 && (op & 0xfffff0f0) == 0xea4f0000))
	return false;
    }
  struct tb_sem_operand o = shifted_register (s, op);
  if ((op >> 21 & 15) != 6)
    return operate (s, op, &o);
  if (op & 0x00100010 || rd == 13 || rd == 15 || rn == 13 || rn == 15)
    return false;
  pack (s, rd, rn, &o, op >> 5 & 1);
  return true;
}

bool
tb_sem_t32_data (struct tb_semantics *s, uint32_t op, uint32_t pc,
		 const struct tb_profile *profile)
{
  if (op >> 25 == 0x75)
    return with_shifted_register (s, op, profile);
  if (op >> 25 == 0x7d)
    return tb_sem_t32_registers (s, op);
  if (op >> 25 & 1)
    return tb_sem_t32_plain (s, op, pc);
  struct tb_sem_operand o = modified_immediate (op);
  return operate (s, op, &o);
}
