/* The instructions of ARMv6-M as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv6-M Architecture Reference Manual (DDI 0419), A5.2 (encoding of
   16-bit instructions), A5.3 (32-bit) and A6.7 (each instruction).  */

#include "config.h"
#include "arm/semantics.h"

#include <assert.h>
#include <string.h>

#define T0 TB_PLACE_T0
#define T1 TB_PLACE_T1
#define T2 TB_PLACE_T2
#define IMM TB_PLACE_IMM
#define NONE TB_PLACE_NONE
#define SP TB_SLOT_SP
#define LR TB_SLOT_LR

static void
emit (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
      unsigned b, uint32_t imm)
{
  assert (s->count < TB_SEM_MAX);
  s->uops[s->count++] = (struct tb_uop) { .op = op, .dst = dst, .a = a,
					  .b = b, .imm = imm };
}

/* DST = A + B with flags; SUBTRACT: A - B.  DST may be NONE.  */
static void
add_flags (struct tb_semantics *s, bool subtract, unsigned dst, unsigned a,
	   unsigned b, uint32_t imm)
{
  emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, imm);
  emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  emit (s, subtract ? TB_OP_CV_SUB : TB_OP_CV_ADD, NONE, a, b, imm);
  if (dst != NONE)
    emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

/* DST = A + B + C, or A - B - 1 + C, with flags.  */
static void
adc_flags (struct tb_semantics *s, bool subtract, unsigned dst, unsigned a,
	   unsigned b)
{
  emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, 0);
  if (subtract)
    emit (s, TB_OP_ADD, T0, T0, IMM, UINT32_MAX);
  emit (s, TB_OP_ADD, T0, T0, TB_SLOT_C, 0);
  emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  emit (s, subtract ? TB_OP_CV_SUB : TB_OP_CV_ADD, TB_SLOT_C, a, b, 0);
  emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

/* DST = A OP B with N and Z; DST may be NONE.  */
static void
logic_flags (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	     unsigned b, uint32_t imm)
{
  emit (s, op, T0, a, b, imm);
  emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  if (dst != NONE)
    emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

/* DST = A shifted by B with N, Z and C.  */
static void
shift_flags (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	     unsigned b, uint32_t imm)
{
  emit (s, op, T0, a, b, imm);
  emit (s, TB_OP_C_SHIFT, op, a, b, imm);
  emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

/* A write of DST; the low bits of the stack pointer are always zero (B1.4.1),
   the PC is a branch without change of state.  */
static void
write_any (struct tb_semantics *s, unsigned dst, unsigned place)
{
  if (dst == 15)
    emit (s, TB_OP_TARGET, NONE, place, NONE, ~UINT32_C (1));
  else if (dst == SP)
    emit (s, TB_OP_AND, SP, place, IMM, ~UINT32_C (3));
  else
    emit (s, TB_OP_MOV, dst, place, NONE, 0);
}

static void
load (struct tb_semantics *s, unsigned dst, unsigned base, unsigned index,
      uint32_t imm, unsigned size, unsigned extend)
{
  unsigned at = base;
  if (index != IMM || imm != 0)
    {
      emit (s, TB_OP_ADD, T0, base, index, imm);
      at = T0;
    }
  emit (s, TB_OP_LOAD, extend != TB_OP_MOV ? T1 : dst, at, NONE, size);
  if (extend != TB_OP_MOV)
    emit (s, extend, dst, T1, NONE, 0);
  s->flags |= TB_SEM_LOADS;
}

static void
store (struct tb_semantics *s, unsigned value, unsigned base, unsigned index,
       uint32_t imm, unsigned size)
{
  unsigned at = base;
  if (index != IMM || imm != 0)
    {
      emit (s, TB_OP_ADD, T0, base, index, imm);
      at = T0;
    }
  emit (s, TB_OP_STORE, NONE, at, value, size);
  s->flags |= TB_SEM_STORES;
}

/* LIST (bit 14 LR, bit 15 PC) from BASE upwards.  The base stays in T2: it may
   be in the list.  */
static void
load_multiple (struct tb_semantics *s, unsigned base, unsigned list,
	       bool write_back)
{
  uint32_t offset = 0;
  emit (s, TB_OP_MOV, T2, base, NONE, 0);
  for (unsigned r = 0; r < 16; r++)
    if (list >> r & 1)
      {
	unsigned at = T2;
	if (offset != 0)
	  {
	    emit (s, TB_OP_ADD, T0, T2, IMM, offset);
	    at = T0;
	  }
	emit (s, TB_OP_LOAD, r == 15 ? T1 : r, at, NONE, 4);
	offset += 4;
      }
  if (write_back)
    emit (s, TB_OP_ADD, base, T2, IMM, offset);
  if (list >> 15 & 1)
    emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
  s->flags |= TB_SEM_LOADS | (offset > 4 ? TB_SEM_MULTIPLE : 0);
}

/* LIST (bit 14 LR) from the address in T2 upwards; NEXT is the base afterwards.
   A base in the list that is not its lowest register is stored as a value that
   is not defined (A6.7.59).  */
static void
store_multiple (struct tb_semantics *s, unsigned base, unsigned list,
		bool below)
{
  uint32_t offset = 0, length = 4 * (uint32_t) __builtin_popcount (list);
  if (below)
    emit (s, TB_OP_SUB, T2, base, IMM, length);
  else
    emit (s, TB_OP_MOV, T2, base, NONE, 0);
  for (unsigned r = 0; r < 15; r++)
    if (list >> r & 1)
      {
	unsigned at = T2, value = r;
	if (offset != 0)
	  {
	    emit (s, TB_OP_ADD, T0, T2, IMM, offset);
	    at = T0;
	  }
	if (r == base && (list & ((1u << r) - 1)) != 0)
	  {
	    emit (s, TB_OP_UNKNOWN, T1, NONE, NONE, 0);
	    value = T1;
	  }
	emit (s, TB_OP_STORE, NONE, at, value, 4);
	offset += 4;
      }
  if (below)
    emit (s, TB_OP_MOV, base, T2, NONE, 0);
  else
    emit (s, TB_OP_ADD, base, T2, IMM, length);
  s->flags |= TB_SEM_STORES | (offset > 4 ? TB_SEM_MULTIPLE : 0);
}

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
	logic_flags (s, TB_OP_MOV, rd, rn, NONE, 0);
      else
	shift_flags (s, shifts[op >> 11], rd, rn, IMM, imm5 ? imm5 : 32);
      break;
    case 3:
      add_flags (s, op >> 9 & 1, rd, rn, op >> 10 & 1 ? IMM : rm, rm);
      break;
    case 4:
      logic_flags (s, TB_OP_MOV, rdn, IMM, NONE, imm8);
      break;
    case 5:
      add_flags (s, true, NONE, rdn, IMM, imm8);
      break;
    default:
      add_flags (s, op >> 11 & 1, rdn, rdn, IMM, imm8);
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
    case 0: logic_flags (s, TB_OP_AND, rd, rd, rm, 0); break;
    case 1: logic_flags (s, TB_OP_EOR, rd, rd, rm, 0); break;
    case 2: shift_flags (s, TB_OP_LSL, rd, rd, rm, 0); break;
    case 3: shift_flags (s, TB_OP_LSR, rd, rd, rm, 0); break;
    case 4: shift_flags (s, TB_OP_ASR, rd, rd, rm, 0); break;
    case 5: adc_flags (s, false, rd, rd, rm); break;
    case 6: adc_flags (s, true, rd, rd, rm); break;
    case 7: shift_flags (s, TB_OP_ROR, rd, rd, rm, 0); break;
    case 8: logic_flags (s, TB_OP_AND, NONE, rd, rm, 0); break;
    case 9:			/* RSB #0: 0 - Rn.  */
      emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
      add_flags (s, true, rd, T1, rm, 0);
      break;
    case 10: add_flags (s, true, NONE, rd, rm, 0); break;
    case 11: add_flags (s, false, NONE, rd, rm, 0); break;
    case 12: logic_flags (s, TB_OP_ORR, rd, rd, rm, 0); break;
    case 13: logic_flags (s, TB_OP_MUL, rd, rd, rm, 0); break;
    case 14: logic_flags (s, TB_OP_BIC, rd, rd, rm, 0); break;
    case 15: logic_flags (s, TB_OP_EOR, rd, rm, IMM, UINT32_MAX); break;
    }
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
      emit (s, TB_OP_MOV, T1, IMM, NONE, pc + 4);
      a = T1;
    }
  if (rm == 15)
    {
      emit (s, TB_OP_MOV, T2, IMM, NONE, pc + 4);
      b = T2;
    }
  switch (op >> 8 & 3)
    {
    case 0:
      emit (s, TB_OP_ADD, T0, a, b, 0);
      write_any (s, rd, T0);
      break;
    case 1:
      add_flags (s, true, NONE, a, b, 0);
      break;
    case 2:
      write_any (s, rd, b);
      break;
    case 3:
      if (op & 0x80)		/* BLX: the register is read first.  */
	{
	  emit (s, TB_OP_MOV, T0, b, NONE, 0);
	  emit (s, TB_OP_MOV, LR, IMM, NONE, (pc + 2) | 1);
	  b = T0;
	}
      emit (s, TB_OP_TARGET, NONE, b, NONE, UINT32_MAX);
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
      case 0: store (s, rt, rn, rm, 0, 4); break;
      case 1: store (s, rt, rn, rm, 0, 2); break;
      case 2: store (s, rt, rn, rm, 0, 1); break;
      case 3: load (s, rt, rn, rm, 0, 1, TB_OP_SXTB); break;
      case 4: load (s, rt, rn, rm, 0, 4, TB_OP_MOV); break;
      case 5: load (s, rt, rn, rm, 0, 2, TB_OP_MOV); break;
      case 6: load (s, rt, rn, rm, 0, 1, TB_OP_MOV); break;
      case 7: load (s, rt, rn, rm, 0, 2, TB_OP_SXTH); break;
      }
  else if (op >> 12 == 9)
    {
      uint32_t offset = 4 * (op & 255);
      if (op >> 11 & 1)
	load (s, op >> 8 & 7, SP, IMM, offset, 4, TB_OP_MOV);
      else
	store (s, op >> 8 & 7, SP, IMM, offset, 4);
    }
  else
    {
      unsigned size = op >> 12 == 6 ? 4 : op >> 12 == 7 ? 1 : 2;
      if (op >> 11 & 1)
	load (s, rt, rn, IMM, imm5 * size, size, TB_OP_MOV);
      else
	store (s, rt, rn, IMM, imm5 * size, size);
    }
}

/* A5.2.5: miscellaneous.  False: not of ARMv6-M.  */
static bool
miscellaneous (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op & 7, rm = op >> 3 & 7;
  uint32_t imm7 = 4 * (op & 127);

  switch (op >> 8 & 15)
    {
    case 0:
      emit (s, op & 128 ? TB_OP_SUB : TB_OP_ADD, SP, SP, IMM, imm7);
      return true;
    case 2:
      switch (op >> 6 & 3)
	{
	case 0: emit (s, TB_OP_SXTH, rd, rm, NONE, 0); break;
	case 1: emit (s, TB_OP_SXTB, rd, rm, NONE, 0); break;
	case 2: emit (s, TB_OP_AND, rd, rm, IMM, 0xffff); break;
	case 3: emit (s, TB_OP_AND, rd, rm, IMM, 0xff); break;
	}
      return true;
    case 4: case 5:
      if ((op & 0x1ff) == 0)
	return false;
      store_multiple (s, SP, (op & 255) | (op & 256) << 6, true);
      return true;
    case 6:
      if ((op & 0xef) != 0x62)	/* CPSIE i, CPSID i.  */
	return false;
      emit (s, TB_OP_CPS, NONE, NONE, NONE, op >> 4 & 1);
      return true;
    case 10:
      switch (op >> 6 & 3)
	{
	case 0: emit (s, TB_OP_REV, rd, rm, NONE, 0); return true;
	case 1: emit (s, TB_OP_REV16, rd, rm, NONE, 0); return true;
	case 3: emit (s, TB_OP_REVSH, rd, rm, NONE, 0); return true;
	}
      return false;
    case 12: case 13:
      if ((op & 0x1ff) == 0)
	return false;
      load_multiple (s, SP, (op & 255) | (op & 256) << 7, true);
      return true;
    case 14:			/* BKPT  */
      return true;
    case 15:			/* Hints; IT is not of ARMv6-M.  */
      return (op & 15) == 0;
    }
  return false;
}

static bool
narrow (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
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
	  emit (s, TB_OP_MOV, T0, IMM, NONE, base + 4 * (op & 255));
	  emit (s, TB_OP_LOAD, rd, T0, NONE, 4);
	  s->flags |= TB_SEM_LOADS;
	}
      else if (op >> 10 & 1)
	{
	  if ((op >> 8 & 3) == 3 && (op & 7) != 0)
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
	emit (s, TB_OP_ADD, rd, SP, IMM, 4 * (op & 255));
      else
	emit (s, TB_OP_MOV, rd, IMM, NONE, base + 4 * (op & 255));
      return true;
    case 11:
      return miscellaneous (s, op);
    case 12:
      if (list == 0)
	return false;
      if (op >> 11 & 1)
	load_multiple (s, rd, list, !(list >> rd & 1));
      else
	store_multiple (s, rd, list, false);
      return true;
    case 13:			/* B<c>; UDF; SVC.  */
      if ((op >> 8 & 15) < 14)
	emit (s, TB_OP_COND, NONE, NONE, NONE, op >> 8 & 15);
      return true;
    case 14:
      return !(op >> 11 & 1);
    }
  return false;
}

/* A5.3: BL, MSR, MRS, barriers, UDF.  */
static bool
wide (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15;

  if ((op & 0xf800d000) == 0xf000d000)
    emit (s, TB_OP_MOV, LR, IMM, NONE, (pc + 4) | 1);
  else if ((op & 0xfff0ff00) == 0xf3808800 && rn != 13 && rn != 15)
    emit (s, TB_OP_MSR, NONE, rn, NONE, op & 255);
  else if ((op & 0xfffff000) == 0xf3ef8000 && rd != 13 && rd != 15)
    emit (s, TB_OP_MRS, rd, NONE, NONE, op & 255);
  else if ((op & 0xffffffc0) == 0xf3bf8f40)
    return (op >> 4 & 3) <= 2;	/* DSB, DMB, ISB.  */
  else
    return (op & 0xfff0f000) == 0xf7f0a000;
  return true;
}

void
tb_semantics_t32 (struct tb_semantics *s, uint32_t opcode, unsigned size,
		  uint32_t pc, const struct tb_profile *profile)
{
  s->count = 0;
  s->flags = 0;
  s->modelled = false;
  if (!profile->is_m)
    return;
  if (size == 2)
    s->modelled = narrow (s, opcode & 0xffff, pc);
  else if (size == 4)
    {
      /* Later architectures give MSR and MRS more registers and rules.  */
      bool system = (opcode & 0xfff0ff00) == 0xf3808800
		    || (opcode & 0xfffff000) == 0xf3ef8000;
      s->modelled = (profile->arch == TB_ARCH_V6M || !system)
		    && wide (s, opcode, pc);
    }
}
