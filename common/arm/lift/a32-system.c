/* A32 miscellaneous and unconditional instructions as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.2.11 (MSR and hints), A5.2.12 (miscellaneous), A5.7
   (unconditional).  */

#include "config.h"
#include "arm/lift/fp.h"

/* MRS, MSR of a register: bits 27:23 are 00010, 7:4 are 0.  */
static bool
move_system (struct tb_semantics *s, uint32_t op)
{
  unsigned mask = op >> 16 & 15, rd = op >> 12 & 15, rm = op & 15;
  bool spsr = op >> 22 & 1, is_msr = op >> 21 & 1;
  if ((op & 0xc00) != 0)
    return false;
  if (op & 0x200)
    {
      if ((is_msr ? rd != 15 : rm != 0))
	return false;
      return tb_sem_banked (s, is_msr, is_msr ? rm : rd,
			    mask | (op >> 4 & 16), spsr);
    }
  if (op & 0x100)
    return false;
  if (is_msr)
    return rd == 15 && tb_sem_msr (s, rm, 0, mask, spsr);
  if (mask != 15 || rm != 0 || rd == 15)
    return false;
  tb_sem_mrs (s, rd, spsr);
  return true;
}

/* QADD, QSUB, QDADD, QDSUB.  */
static bool
saturating_add (struct tb_semantics *s, uint32_t op)
{
  uint32_t kind = op >> 21 & 3;
  kind = (kind & 1) << 1 | kind >> 1;
  return (op & 0xf00) == 0
	 && tb_sem_t32_registers (s, 0xfa80f080 | (op & 0x000f0000)
				     | (op >> 4 & 0xf00) | kind << 4
				     | (op & 15));
}

/* CRC32: not worked out.  */
static bool
checksum (struct tb_semantics *s, uint32_t op)
{
  unsigned rd = op >> 12 & 15, rn = op >> 16 & 15, rm = op & 15;
  if ((op & 0xd00) != 0 || (op >> 21 & 3) == 3 || rd == 15 || rn == 15
      || rm == 15)
    return false;
  tb_sem_unknown (s, rd);
  return true;
}

/* BX, BLX.  */
static bool
exchange (struct tb_semantics *s, uint32_t op, uint32_t pc, bool link)
{
  unsigned rm = op & 15;
  if ((op & 0xfff00) != 0xfff00 || (link && rm == 15))
    return false;
  if (rm == 15)
    tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, pc + 8);
  else
    tb_sem_emit (s, TB_OP_MOV, T0, rm, NONE, 0);
  if (link)
    tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, pc + 4);
  tb_sem_emit (s, TB_OP_TARGET, NONE, T0, NONE, UINT32_MAX);
  return true;
}

/* Bits 27:23 are 00010, 20 is 0, 7 is 0.  */
static bool
register_forms (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned which = op >> 21 & 3, rd = op >> 12 & 15, rm = op & 15;
  switch (op >> 4 & 7)
    {
    case 0:
      return move_system (s, op);
    case 1:
      if (which == 1)
	return exchange (s, op, pc, false);
      if (which != 3 || (op & 0xf0f00) != 0xf0f00 || rd == 15 || rm == 15)
	return false;
      tb_sem_emit (s, TB_OP_CLZ, rd, rm, NONE, 0);
      return true;
    case 3:
      return which == 1 && exchange (s, op, pc, true);
    case 4:
      return checksum (s, op);
    case 5:
      return saturating_add (s, op);
    case 6:			/* ERET  */
      if ((op & 0x0fffffff) != 0x0160006e)
	return false;
      tb_sem_emit (s, TB_OP_MRS, T0, NONE, NONE, TB_SYS_RETURN);
      tb_sem_exception_return (s, T0, TB_SLOT_SPSR);
      return true;
    case 7:			/* BKPT, HVC, SMC.  */
      s->flags |= TB_SEM_TRAPS;
      if (which == 1 || which == 2)
	return op >> 28 == 14;
      return which == 3 && (op & 0xfff00) == 0;
    }
  return false;
}

bool
tb_sem_a32_miscellaneous (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rd = op >> 12 & 15, mask = op >> 16 & 15;
  uint32_t imm16 = (op >> 4 & 0xf000) | (op & 0xfff);
  uint32_t n = 2 * (op >> 8 & 15), low = op & 255;
  if (!(op >> 25 & 1))
    return register_forms (s, op, pc);
  switch (op >> 21 & 3)
    {
    case 0:			/* MOVW  */
      tb_sem_emit (s, TB_OP_MOV, rd, IMM, NONE, imm16);
      return rd != 15;
    case 2:			/* MOVT  */
      tb_sem_emit (s, TB_OP_AND, T0, rd == 15 ? T0 : rd, IMM, 0xffff);
      tb_sem_emit (s, TB_OP_ORR, rd == 15 ? T0 : rd, T0, IMM, imm16 << 16);
      return rd != 15;
    }
  if (rd != 15)
    return false;
  if (mask == 0 && !(op >> 22 & 1))	/* A hint.  */
    return (op & 0xf00) == 0;
  return tb_sem_msr (s, IMM, n != 0 ? low >> n | low << (32 - n) : low, mask,
		     op >> 22 & 1);
}

/* CPS, SETEND, SETPAN: bits 27:20 are 00010000 and 00010001.  */
static bool
change_state (struct tb_semantics *s, uint32_t op)
{
  if ((op & 0x0ffffdff) == 0x01010000)
    {
      tb_sem_setend (s, op >> 9 & 1);
      return true;
    }
  if ((op & 0x0ffffdff) == 0x01100000)
    return true;
  return (op & 0x0ff1fe20) == 0x01000000
	 && tb_sem_cps (s, op >> 18 & 3, op >> 6 & 7, op >> 17 & 1, op & 31);
}

/* SRS, RFE: bits 27:25 are 100.  */
static bool
exception_words (struct tb_semantics *s, uint32_t op)
{
  bool before = op >> 24 & 1, up = op >> 23 & 1, write_back = op >> 21 & 1;
  int start = (up ? 0 : -8) + (before == up ? 4 : 0), end = up ? 8 : -8;
  if ((op & 0x005fffe0) == 0x004d0500)
    return tb_sem_srs (s, op & 31, start, end, write_back);
  if ((op & 0x0050ffff) != 0x00100a00 || (op >> 16 & 15) == 15)
    return false;
  tb_sem_rfe (s, op >> 16 & 15, start, end, write_back);
  return true;
}

bool
tb_sem_a32_unconditional (struct tb_semantics *s, uint32_t op, uint32_t pc,
			  const struct tb_profile *profile)
{
  switch (op >> 24 & 15)
    {
    case 1:
      return change_state (s, op);
    case 2: case 3:
      return tb_sem_simd_data (s, op);
    case 4:
      if (!(op >> 20 & 1))
	return tb_sem_simd_memory (s, op);
      return (op & 0x00300000) == 0x00100000;	/* PLI  */
    case 5:
      if ((op & 0x00300000) == 0x00100000 && (op & 0x00700000) != 0x00300000)
	return (op & 0xf000) == 0xf000;		/* PLD  */
      return (op & 0x00ffff00) == 0x007ff000 && (op & 0xf0) != 0x00
	     && (op & 0xf0) != 0x20 && (op & 0xf0) != 0x30
	     && (op & 0xf0) <= 0x70;		/* CLREX, barriers.  */
    case 6: case 7:		/* Preloads by register.  */
      return (op & 0x0030f010) == 0x0010f000;
    case 8: case 9:
      return exception_words (s, op);
    case 10: case 11:		/* BLX  */
      tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, pc + 4);
      return true;
    case 12: case 13: case 14:
      return tb_sem_coprocessor (s, op, pc + 4, true, profile);
    }
  return false;
}
