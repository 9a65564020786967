/* The 16-bit T32 instructions, and those of 32 bits that ARMv6-M has, as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv6-M Architecture Reference Manual (DDI 0419), A5.2 (encoding of
   16-bit instructions), A5.3 (32-bit) and A6.7 (each instruction); for what
   ARMv6-M lacks ARMv7-M (DDI 0403), A5.2 and A7.7, and ARMv8-M (DDI 0553),
   C2.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* A5.2.1: shift by immediate, add, subtract, move, compare.  */
static void
shift_add (struct tb_semantics *s, uint32_t op)
{
  static const uint8_t shifts[3] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR };
  unsigned rd = op & 7, rn = op >> 3 & 7, imm5 = op >> 6 & 31;
  unsigned rm = op >> 6 & 7, rdn = op >> 8 & 7;
  uint32_t imm8 = op & 255;

  switch (op >> 11)
    {
    case 0: case 1: case 2:
      if (op >> 11 == 0 && imm5 == 0)
	tb_sem_logic_flags (s, TB_OP_MOV, rd, rn, NONE, 0);
      else
	tb_sem_shift_flags (s, shifts[op >> 11], rd, rn, IMM, imm5 ? imm5 : 32);
      break;
    case 3:
      tb_sem_add_flags (s, op >> 9 & 1, rd, rn, op >> 10 & 1 ? IMM : rm, rm);
      break;
    case 4:
      tb_sem_logic_flags (s, TB_OP_MOV, rdn, IMM, NONE, imm8);
      break;
    case 5:
      tb_sem_add_flags (s, true, NONE, rdn, IMM, imm8);
      break;
    default:
      tb_sem_add_flags (s, op >> 11 & 1, rdn, rdn, IMM, imm8);
      break;
    }
}

/* A5.2.2: data processing on two low registers.  */
static void
data_processing (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op & 7, rm = op >> 3 & 7;
  switch (op >> 6 & 15)
    {
    case 0: tb_sem_logic_flags (s, TB_OP_AND, rd, rd, rm, 0); break;
    case 1: tb_sem_logic_flags (s, TB_OP_EOR, rd, rd, rm, 0); break;
    case 2: tb_sem_shift_flags (s, TB_OP_LSL, rd, rd, rm, 0); break;
    case 3: tb_sem_shift_flags (s, TB_OP_LSR, rd, rd, rm, 0); break;
    case 4: tb_sem_shift_flags (s, TB_OP_ASR, rd, rd, rm, 0); break;
    case 5: tb_sem_adc (s, false, true, rd, rd, rm); break;
    case 6: tb_sem_adc (s, true, true, rd, rd, rm); break;
    case 7: tb_sem_shift_flags (s, TB_OP_ROR, rd, rd, rm, 0); break;
    case 8: tb_sem_logic_flags (s, TB_OP_AND, NONE, rd, rm, 0); break;
    case 9:			/* RSB #0: 0 - Rn.  */
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
      tb_sem_add_flags (s, true, rd, T1, rm, 0);
      break;
    case 10: tb_sem_add_flags (s, true, NONE, rd, rm, 0); break;
    case 11: tb_sem_add_flags (s, false, NONE, rd, rm, 0); break;
    case 12: tb_sem_logic_flags (s, TB_OP_ORR, rd, rd, rm, 0); break;
    case 13: tb_sem_logic_flags (s, TB_OP_MUL, rd, rd, rm, 0); break;
    case 14: tb_sem_logic_flags (s, TB_OP_BIC, rd, rd, rm, 0); break;
    case 15: tb_sem_logic_flags (s, TB_OP_EOR, rd, rm, IMM, UINT32_MAX); break;
    }
}

/* BXNS, BLXNS to the address in B (DDI 0553, C2.4).  If it has bit 0 clear,
   the branch is to Non-secure state, which has registers of its own, and BLXNS
   pushes the return address and part of xPSR.  */
static void
nonsecure (struct tb_semantics *s, uint32_t op, unsigned b)
{
  tb_sem_emit (s, TB_OP_MOV, T2, b, NONE, 0);
  if (op & 0x80)
    {
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_SUB, T0, SP, IMM, 4);
      tb_sem_emit (s, TB_OP_STORE_MAYBE, NONE, T0, T1, 4);
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_SUB, T0, SP, IMM, 8);
      tb_sem_emit (s, TB_OP_STORE_MAYBE, NONE, T0, T1, 4);
      tb_sem_unknown (s, LR);
      /* In Handler mode Non-secure code sees another number.  */
      tb_sem_unknown (s, TB_SLOT_IPSR);
    }
  tb_sem_emit (s, TB_OP_TARGET, NONE, T2, NONE, ~UINT32_C (1));
  tb_sem_other_security (s);
}

/* A5.2.3: special data instructions, branch and exchange.  */
static void
special_data (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rd = (op & 7) | (op >> 4 & 8), rm = op >> 3 & 15;
  /* A register that is read as PC is the instruction's address + 4.  */
  unsigned a = rd, b = rm;
  if (rd == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, pc + 4);
      a = T1;
    }
  if (rm == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE, pc + 4);
      b = T2;
    }
  switch (op >> 8 & 3)
    {
    case 0:
      tb_sem_emit (s, TB_OP_ADD, T0, a, b, 0);
      tb_sem_write_any (s, rd, T0);
      break;
    case 1:
      tb_sem_add_flags (s, true, NONE, a, b, 0);
      break;
    case 2:
      tb_sem_write_any (s, rd, b);
      break;
    case 3:
      if (op & 4)		/* To the other security state, perhaps.  */
	{
	  nonsecure (s, op, b);
	  break;
	}
      if (op & 0x80)		/* BLX: the register is read first.  */
	{
	  tb_sem_emit (s, TB_OP_MOV, T0, b, NONE, 0);
	  tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, (pc + 2) | 1);
	  b = T0;
	}
      tb_sem_emit (s, TB_OP_TARGET, NONE, b, NONE, UINT32_MAX);
      break;
    }
}

/* A5.2.4: load and store a single item.  */
static void
load_store (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op & 7, rn = op >> 3 & 7, rm = op >> 6 & 7;
  uint32_t imm5 = op >> 6 & 31;

  if (op >> 12 == 5)
    switch (op >> 9 & 7)
      {
      case 0: tb_sem_store (s, rt, rn, rm, 0, 4); break;
      case 1: tb_sem_store (s, rt, rn, rm, 0, 2); break;
      case 2: tb_sem_store (s, rt, rn, rm, 0, 1); break;
      case 3: tb_sem_load (s, rt, rn, rm, 0, 1, TB_OP_SXTB); break;
      case 4: tb_sem_load (s, rt, rn, rm, 0, 4, TB_OP_MOV); break;
      case 5: tb_sem_load (s, rt, rn, rm, 0, 2, TB_OP_MOV); break;
      case 6: tb_sem_load (s, rt, rn, rm, 0, 1, TB_OP_MOV); break;
      case 7: tb_sem_load (s, rt, rn, rm, 0, 2, TB_OP_SXTH); break;
      }
  else if (op >> 12 == 9)
    {
      uint32_t offset = 4 * (op & 255);
      if (op >> 11 & 1)
	tb_sem_load (s, op >> 8 & 7, SP, IMM, offset, 4, TB_OP_MOV);
      else
	tb_sem_store (s, op >> 8 & 7, SP, IMM, offset, 4);
    }
  else
    {
      unsigned size = op >> 12 == 6 ? 4 : op >> 12 == 7 ? 1 : 2;
      if (op >> 11 & 1)
	tb_sem_load (s, rt, rn, IMM, imm5 * size, size, TB_OP_MOV);
      else
	tb_sem_store (s, rt, rn, IMM, imm5 * size, size);
    }
}

/* A5.2.5: miscellaneous.  False: not of ARMv6-M.  */
static bool
miscellaneous (struct tb_semantics *s, uint32_t op,
	       const struct tb_profile *profile)
{
  unsigned rd = op & 7, rm = op >> 3 & 7;
  uint32_t imm7 = 4 * (op & 127);
  bool v6m = profile->arch == TB_ARCH_V6M;

  switch (op >> 8 & 15)
    {
    case 0:
      tb_sem_emit (s, op & 128 ? TB_OP_SUB : TB_OP_ADD, SP, SP, IMM, imm7);
      return true;
    case 1: case 3: case 9: case 11:	/* CBZ, CBNZ.  */
      tb_sem_emit (s, TB_OP_ISZERO, T0, rd, NONE, 0);
      tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, !(op >> 11 & 1));
      return !v6m;
    case 2:
      switch (op >> 6 & 3)
	{
	case 0: tb_sem_emit (s, TB_OP_SXTH, rd, rm, NONE, 0); break;
	case 1: tb_sem_emit (s, TB_OP_SXTB, rd, rm, NONE, 0); break;
	case 2: tb_sem_emit (s, TB_OP_AND, rd, rm, IMM, 0xffff); break;
	case 3: tb_sem_emit (s, TB_OP_AND, rd, rm, IMM, 0xff); break;
	}
      return true;
    case 4: case 5:
      if ((op & 0x1ff) == 0)
	return false;
      tb_sem_store_multiple (s, SP, (op & 255) | (op & 256) << 6, true, true);
      return true;
    case 6:			/* CPSIE, CPSID.  FAULTMASK is not kept.  */
      if (!s->is_m)
	return tb_sem_t16_system (s, op);
      if ((op & 0xec) != 0x60 || (v6m && (op & 3) != 2))
	return false;
      if (op & 2)
	tb_sem_emit (s, TB_OP_CPS, NONE, NONE, NONE, op >> 4 & 1);
      return true;
    case 10:
      switch (op >> 6 & 3)
	{
	case 0: tb_sem_emit (s, TB_OP_REV, rd, rm, NONE, 0); return true;
	case 1: tb_sem_emit (s, TB_OP_REV16, rd, rm, NONE, 0); return true;
	case 3: tb_sem_emit (s, TB_OP_REVSH, rd, rm, NONE, 0); return true;
	}
      return false;
    case 12: case 13:
      if ((op & 0x1ff) == 0)
	return false;
      tb_sem_load_multiple (s, SP, (op & 255) | (op & 256) << 7, false, true);
      return true;
    case 14:			/* BKPT  */
      s->flags |= TB_SEM_TRAPS;
      return true;
    case 15:			/* Hints; IT.  */
      return (op & 15) == 0 || !v6m;
    }
  return false;
}

/* Is the 16-bit OP a comparison, which sets flags within IT blocks too?  */
static bool
compares (uint32_t op)
{
  return op >> 11 == 5 || (op & 0xff80) == 0x4280 || (op & 0xffc0) == 0x4200
	 || (op & 0xff00) == 0x4500;
}

bool
tb_sem_t16 (struct tb_semantics *s, uint32_t op, uint32_t pc,
	    const struct tb_profile *profile, bool *keeps)
{
  *keeps = compares (op);
  uint32_t base = (pc + 4) & ~UINT32_C (3);
  unsigned rd = op >> 8 & 7, list = op & 255;

  switch (op >> 12)
    {
    case 0: case 1: case 2: case 3:
      shift_add (s, op);
      return true;
    case 4:
      if (op >> 11 & 1)		/* LDR, literal.  */
	{
	  tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, base + 4 * (op & 255));
	  tb_sem_emit (s, TB_OP_LOAD, rd, T0, NONE, 4);
	  s->flags |= TB_SEM_LOADS;
	}
      else if (op >> 10 & 1)
	{
	  bool has_nonsecure = s->is_m && profile->arch >= TB_ARCH_V8M_BASE;
	  if ((op >> 8 & 3) == 3 && (op & (has_nonsecure ? 3 : 7)) != 0)
	    return false;
	  special_data (s, op, pc);
	}
      else
	data_processing (s, op);
      return true;
    case 5: case 6: case 7: case 8: case 9:
      load_store (s, op);
      return true;
    case 10:			/* ADR; ADD Rd, SP.  */
      if (op >> 11 & 1)
	tb_sem_emit (s, TB_OP_ADD, rd, SP, IMM, 4 * (op & 255));
      else
	tb_sem_emit (s, TB_OP_MOV, rd, IMM, NONE, base + 4 * (op & 255));
      return true;
    case 11:
      return miscellaneous (s, op, profile);
    case 12:
      if (list == 0)
	return false;
      if (op >> 11 & 1)
	tb_sem_load_multiple (s, rd, list, false, !(list >> rd & 1));
      else
	tb_sem_store_multiple (s, rd, list, false, true);
      return true;
    case 13:			/* B<c>; UDF; SVC.  */
      if ((op >> 8 & 15) < 14)
	tb_sem_emit (s, TB_OP_COND, NONE, NONE, NONE, op >> 8 & 15);
      else
	s->flags |= TB_SEM_TRAPS;
      return true;
    case 14:
      return !(op >> 11 & 1);
    }
  return false;
}
