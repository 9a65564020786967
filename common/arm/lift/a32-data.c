/* A32 data processing, multiplications and media instructions as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Multiplications, saturation, extension, bit fields, reversals and parallel
   operations are those of T32 in other bits: they are described as such.

   Source: DDI 0406, A5.2.1 to A5.2.7 and A5.4.  */

#include "config.h"
#include "arm/lift/emit.h"

static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				   TB_OP_ROR };

/* Register R as an operand: PC, which reads as the instruction's address + 8, in
   place SPARE.  */
static unsigned
read_register (struct tb_semantics *s, unsigned r, unsigned spare, uint32_t pc)
{
  if (r != 15)
    return r;
  tb_sem_emit (s, TB_OP_MOV, spare, IMM, NONE, pc + 8);
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

/* A8.4.1: RM shifted by an immediate, in T1 where it is shifted at all.  */
static struct tb_sem_operand
shifted (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned type = op >> 5 & 3, n = op >> 7 & 31;
  unsigned rm = read_register (s, op & 15, T2, pc);
  struct tb_sem_operand o = { .place = rm, .rm = rm, .by = IMM };
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
  o.shift = shifts[type];
  o.amount = n != 0 ? n : 32;
  tb_sem_emit (s, o.shift, T1, rm, IMM, o.amount);
  return o;
}

/* A8.4.2: RM shifted by a register, in T1.  */
static struct tb_sem_operand
shifted_by_register (struct tb_semantics *s, uint32_t op)
{
  unsigned rm = op & 15;
  struct tb_sem_operand o = {
    .place = T1, .rm = rm, .carry = TB_CARRY_SHIFT, .by = op >> 8 & 15,
    .shift = shifts[op >> 5 & 3]
  };
  tb_sem_emit (s, o.shift, T1, rm, o.by, 0);
  return o;
}

/* RD = O - RN, and ADC, SBC, RSC.  */
static void
with_carry_or_reverse (struct tb_semantics *s, unsigned which, bool flags,
		       unsigned rd, unsigned rn, struct tb_sem_operand *o)
{
  if (o->place == IMM)
    {
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, o->value);
      o->place = T1;
    }
  switch (which)
    {
    case 3:
      if (flags)
	tb_sem_add_flags (s, true, rd, o->place, rn, 0);
      else
	tb_sem_emit (s, TB_OP_SUB, rd, o->place, rn, 0);
      break;
    case 7:
      tb_sem_adc (s, true, flags, rd, o->place, rn);
      break;
    default:
      tb_sem_adc (s, which == 6, flags, rd, rn, o->place);
      break;
    }
}

/* What bits 24:21 select, on RN and O; RD 15: only flags.  */
static void
operate (struct tb_semantics *s, unsigned which, bool flags, unsigned rd,
	 unsigned rn, struct tb_sem_operand *o)
{
  switch (which)
    {
    case 0: case 8:
      tb_sem_logical_operand (s, TB_OP_AND, flags, rd, rn, o);
      break;
    case 1: case 9:
      tb_sem_logical_operand (s, TB_OP_EOR, flags, rd, rn, o);
      break;
    case 2: case 10:
      tb_sem_add_operand (s, true, flags, rd, rn, o);
      break;
    case 4: case 11:
      tb_sem_add_operand (s, false, flags, rd, rn, o);
      break;
    case 12:
      tb_sem_logical_operand (s, TB_OP_ORR, flags, rd, rn, o);
      break;
    case 14:
      tb_sem_logical_operand (s, TB_OP_BIC, flags, rd, rn, o);
      break;
    case 15:
      tb_sem_invert_operand (s, o);
      tb_sem_move_operand (s, flags, rd, o);
      break;
    case 13:
      tb_sem_move_operand (s, flags, rd, o);
      break;
    default:
      with_carry_or_reverse (s, which, flags, rd, rn, o);
      break;
    }
}

bool
tb_sem_a32_data (struct tb_semantics *s, uint32_t op, uint32_t pc,
		 const struct tb_profile *profile)
{
  unsigned which = op >> 21 & 15, rd = op >> 12 & 15, rn = op >> 16 & 15;
  bool compares = which >> 2 == 2, moves = which == 13 || which == 15;
  bool flags = op >> 20 & 1, by_register = !(op >> 25 & 1) && op >> 4 & 1;
  struct tb_sem_operand o;

  if ((compares && rd != 0) || (moves && rn != 0)
      || (by_register && (rd == 15 || rn == 15 || (op & 15) == 15
			  || (op >> 8 & 15) == 15)))
    return false;
  if (!moves)
    rn = read_register (s, rn, T3, pc);
  if (op >> 25 & 1)
    o = immediate (op);
  else if (by_register)
    o = shifted_by_register (s, op);
  else
    o = shifted (s, op, pc);
  if (compares || rd != 15)
    {
      operate (s, which, flags, compares ? 15 : rd, rn, &o);
      return true;
    }
  /* A write of PC; with S an exception return.  It changes state from ARMv7 on
     (A2.3.1, ALUWritePC).  */
  operate (s, which, false, T0, rn, &o);
  if (flags)
    tb_sem_exception_return (s, T0, TB_SLOT_SPSR);
  else
    tb_sem_emit (s, TB_OP_TARGET, NONE, T0, NONE,
		 profile->arch == TB_ARCH_V6AR ? ~UINT32_C (3) : UINT32_MAX);
  return true;
}

/* N and Z of HI:LO.  */
static void
long_flags (struct tb_semantics *s, unsigned lo, unsigned hi)
{
  tb_sem_emit (s, TB_OP_ORR, T0, lo, hi, 0);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  tb_sem_emit (s, TB_OP_BIT, TB_SLOT_N, hi, IMM, 31);
}

/* T32's place of A32's registers at bits 19:16 (D), 15:12 (A), 11:8 (M) and 3:0
   (N).  */
static uint32_t
t32_fields (uint32_t op)
{
  return (op & 15) << 16 | (op & 0xf000) | (op >> 8 & 0xf00)
	 | (op >> 8 & 15);
}

/* A5.2.5: bits 27:24 are 0, 7:4 are 1001.  */
static bool
multiply (struct tb_semantics *s, uint32_t op)
{
  unsigned lo = op >> 12 & 15, hi = op >> 16 & 15;
  uint32_t fields = t32_fields (op);
  bool flags = op >> 20 & 1, ok;
  switch (op >> 21 & 7)
    {
    case 0:
      ok = lo == 0 && tb_sem_t32_multiply (s, 0xfb00f000 | fields);
      break;
    case 1:
      ok = lo != 15 && tb_sem_t32_multiply (s, 0xfb000000 | fields);
      break;
    case 2:			/* UMAAL  */
      return !flags && tb_sem_t32_multiply (s, 0xfbe00060 | fields);
    case 3:			/* MLS  */
      return !flags && lo != 15
	     && tb_sem_t32_multiply (s, 0xfb000010 | fields);
    default:
      {
	/* UMULL, UMLAL, SMULL, SMLAL.  */
	static const uint32_t base[4] = { 0xfba00000, 0xfbe00000, 0xfb800000,
					  0xfbc00000 };
	if (!tb_sem_t32_multiply (s, base[op >> 21 & 3] | fields))
	  return false;
	if (flags)
	  long_flags (s, lo, hi);
	return true;
      }
    }
  if (ok && flags)
    tb_sem_emit (s, TB_OP_NZ, NONE, hi, NONE, 0);
  return ok;
}

/* A5.2.7: bits 27:23 are 00010, bit 7 is 1, bit 4 is 0.  */
static bool
multiply_halves (struct tb_semantics *s, uint32_t op)
{
  uint32_t fields = t32_fields (op), n = op >> 5 & 1, m = op >> 6 & 1;
  unsigned ra = op >> 12 & 15;
  switch (op >> 21 & 3)
    {
    case 0:			/* SMLABB ...  */
      return ra != 15
	     && tb_sem_t32_multiply (s, 0xfb100000 | fields | n << 5 | m << 4);
    case 1:			/* SMLAWB; SMULWB.  */
      if (n == 0)
	return ra != 15
	       && tb_sem_t32_multiply (s, 0xfb300000 | fields | m << 4);
      return ra == 0
	     && tb_sem_t32_multiply (s, 0xfb30f000 | fields | m << 4);
    case 2:			/* SMLALBB ...  */
      return tb_sem_t32_multiply (s, 0xfbc00080 | fields | n << 5 | m << 4);
    default:			/* SMULBB ...  */
      return ra == 0
	     && tb_sem_t32_multiply (s, 0xfb10f000 | fields | n << 5 | m << 4);
    }
}

bool
tb_sem_a32_multiply (struct tb_semantics *s, uint32_t op)
{
  return op >> 24 & 1 ? multiply_halves (s, op) : multiply (s, op);
}

/* A5.4.4: SMLAD, SMUSD, SDIV, SMMUL ...; bits 27:23 are 01110.  */
static bool
media_multiply (struct tb_semantics *s, uint32_t op)
{
  uint32_t fields = t32_fields (op), how = op >> 5 & 7;
  unsigned ra = op >> 12 & 15;
  switch (op >> 20 & 7)
    {
    case 0:			/* SMLAD, SMUAD; SMLSD, SMUSD.  */
      if (how >> 2)
	return false;
      return tb_sem_t32_multiply (s, (how & 2 ? 0xfb400000 : 0xfb200000)
				     | fields | (how & 1) << 4);
    case 1: case 3:		/* SDIV, UDIV.  */
      if (how != 0 || ra != 15)
	return false;
      return tb_sem_t32_multiply (s, (op >> 21 & 1 ? 0xfbb000f0 : 0xfb9000f0)
				     | fields);
    case 4:			/* SMLALD, SMLSLD.  */
      if (how >> 2)
	return false;
      return tb_sem_t32_multiply (s, (how & 2 ? 0xfbd000c0 : 0xfbc000c0)
				     | fields | (how & 1) << 4);
    case 5:			/* SMMLA, SMMUL; SMMLS.  */
      if (how <= 1)
	return tb_sem_t32_multiply (s, 0xfb500000 | fields | (how & 1) << 4);
      if (how < 6 || ra == 15)
	return false;
      return tb_sem_t32_multiply (s, 0xfb600000 | fields | (how & 1) << 4);
    }
  return false;
}

/* A5.4.3: packing, saturation, extension, reversal; bits 27:23 are 01101.  RD is
   at bits 15:12 as in what T32 calls it at 11:8.  */
static bool
pack_or_extend (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 12 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned which = op >> 20 & 7, how = op >> 5 & 7;
  uint32_t two = rm << 16 | rd << 8 | rm, imm5 = op >> 7 & 31;
  uint32_t imm = (imm5 & 0x1c) << 10 | (imm5 & 3) << 6;

  if (which == 0 && !(how & 1))	/* PKHBT, PKHTB.  */
    {
      uint32_t tb = op >> 1 & 0x20;
      static const struct tb_profile v7 = { .arch = TB_ARCH_V7A };
      return tb_sem_t32_data (s, 0xeac00000 | rn << 16 | rd << 8 | rm | tb
				 | imm, 0, &v7);
    }
  if ((which & 2) && !(how & 1))	/* SSAT, USAT.  */
    {
      uint32_t to = op >> 16 & 31, asr = op >> 6 & 1;
      if (imm5 == 0 && asr)	/* By 32, which is as by 31.  */
	imm = 0x70c0;
      return rd != 13 && rm != 15
	     && tb_sem_t32_plain (s, (which >> 2 ? 0xf3800000 : 0xf3000000)
				     | rm << 16 | rd << 8 | imm | asr << 21
				     | to, 0);
    }
  if ((which & 3) == 2 && how == 1)	/* SSAT16, USAT16.  */
    return (op & 0xf00) == 0xf00 && rm != 15 && rm != 13
	   && tb_sem_t32_plain (s, (which >> 2 ? 0xf3a00000 : 0xf3200000)
				   | rm << 16 | rd << 8 | (rn & 15), 0);
  if (how == 3)			/* SXTB and its kin.  */
    {
      static const uint8_t extend[8] = { 2, 15, 4, 0, 3, 15, 5, 1 };
      uint32_t kind = extend[which];
      return kind != 15 && (op & 0x300) == 0
	     && tb_sem_t32_registers (s, 0xfa00f080 | kind << 20 | rn << 16
					 | rd << 8 | (op >> 6 & 0x30) | rm);
    }
  if (which == 0 && how == 5)	/* SEL  */
    return (op & 0xf00) == 0xf00
	   && tb_sem_t32_registers (s, 0xfaa0f080 | rn << 16 | rd << 8 | rm);
  if ((op & 0xf0f00) != 0xf0f00)
    return false;
  if (which == 3 && how == 1)
    return tb_sem_t32_registers (s, 0xfa90f080 | two);	/* REV  */
  if (which == 3 && how == 5)
    return tb_sem_t32_registers (s, 0xfa90f090 | two);	/* REV16  */
  if (which == 7 && how == 1)
    return tb_sem_t32_registers (s, 0xfa90f0a0 | two);	/* RBIT  */
  if (which == 7 && how == 5)
    return tb_sem_t32_registers (s, 0xfa90f0b0 | two);	/* REVSH  */
  return false;
}

/* Parallel addition and subtraction (A5.4.1, A5.4.2): bits 27:23 are 01100.  */
static bool
parallel (struct tb_semantics *s, uint32_t op)
{
  /* ADD16, ASX, SAX, SUB16, ADD8, -, -, SUB8 in T32's bits 22:20.  */
  static const uint8_t kinds[8] = { 1, 2, 6, 5, 0, 15, 15, 4 };
  uint32_t kind = kinds[op >> 5 & 7], how = op >> 20 & 3;
  if (kind == 15 || how == 0 || (op & 0xf00) != 0xf00)
    return false;
  return tb_sem_t32_registers (s, 0xfa80f000 | kind << 20
				  | (op & 0x000f0000) | (op >> 4 & 0xf00)
				  | (op & 15) | (op >> 22 & 1) << 6
				  | (how - 1) << 4);
}

/* UBFX, SBFX; BFI, BFC; USAD8; UDF: bits 27:23 are 01111.  */
static bool
fields_or_differences (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 12 & 15, rn = op & 15;
  unsigned which = op >> 20 & 7, how = op >> 5 & 7;
  uint32_t lsb = op >> 7 & 31, imm = (lsb & 0x1c) << 10 | (lsb & 3) << 6;
  uint32_t top = op >> 16 & 31;
  if (which == 0 && how == 0)	/* USAD8, USADA8.  */
    return tb_sem_t32_multiply (s, 0xfb700000 | t32_fields (op));
  if (which == 7 && how == 7)	/* UDF  */
    return true;
  if ((which & 2) && (how & 3) == 2)
    return tb_sem_t32_plain (s, (which >> 2 ? 0xf3c00000 : 0xf3400000)
				| rn << 16 | rd << 8 | imm | top, 0);
  if (which >> 1 == 2 && (how & 3) == 0)
    return tb_sem_t32_plain (s, 0xf3600000 | rn << 16 | rd << 8 | imm | top,
			     0);
  return false;
}

bool
tb_sem_a32_media (struct tb_semantics *s, uint32_t op)
{
  switch (op >> 23 & 3)
    {
    case 0: return parallel (s, op);
    case 1: return pack_or_extend (s, op);
    case 2: return media_multiply (s, op);
    default: return fields_or_differences (s, op);
    }
}
