/* Floating-point instructions as micro-operations, as far as core registers
   and memory go.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is in FP registers is not kept: stores of them store unknown values,
   moves from them make core registers unknown.  Vector instructions and other
   coprocessors may do anything.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A6.4 to A6.8.  */

#include "config.h"
#include "arm/semantics-emit.h"

/* The FP registers are in use from now on (CONTROL.FPCA), if FPCCR.ASPEN.  The
   first such instruction may complete the saving of a frame that was left
   undone.  */
static void
use_fp (struct tb_semantics *s)
{
  if (!s->is_m)
    return;
  tb_sem_emit (s, TB_OP_FP, NONE, NONE, NONE, 0);
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_FPCA, TB_SLOT_FPCA, T0, 0);
}

/* Words that are loaded into, or stored from, FP registers, at T2.  */
static void
transfer (struct tb_semantics *s, bool is_load, unsigned words)
{
  for (unsigned i = 0; i < words; i++)
    {
      unsigned at = T2;
      if (i != 0)
	{
	  tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4 * i);
	  at = T0;
	}
      if (is_load)
	tb_sem_emit (s, TB_OP_LOAD, T1, at, NONE, 4 | TB_ACCESS_ALIGNED);
      else
	{
	  tb_sem_unknown (s, T1);
	  tb_sem_emit (s, TB_OP_STORE, NONE, at, T1, 4 | TB_ACCESS_ALIGNED);
	}
    }
  s->flags |= is_load ? TB_SEM_LOADS : TB_SEM_STORES;
  if (words > 1)
    s->flags |= TB_SEM_MULTIPLE | TB_SEM_CONTINUES;
}

/* VLDR, VSTR, VLDM, VSTM, VPUSH, VPOP: bits 31:25 are 1110110, 11:9 101.  */
static bool
load_store (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rn = op >> 16 & 15;
  uint32_t imm8 = op & 255;
  bool index = op >> 24 & 1, add = op >> 23 & 1, write_back = op >> 21 & 1;
  bool is_load = op >> 20 & 1, is_double = op >> 8 & 1;

  if (index && !write_back)	/* VLDR, VSTR.  */
    {
      if (rn == 15 && !is_load)
	return false;
      use_fp (s);
      if (rn == 15)
	tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE,
		     ((pc + 4) & ~UINT32_C (3)) + (add ? 4 * imm8
						   : -4 * imm8));
      else
	tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, rn, IMM, 4 * imm8);
      transfer (s, is_load, is_double ? 2 : 1);
      return true;
    }
  /* VSCCLRM, VLSTM and VLLDM are something else.  */
  if (index == add || rn == 15 || imm8 == 0 || imm8 > 32u + is_double)
    return false;
  use_fp (s);
  /* An odd number of words is FLDMX, FSTMX: the last is not transferred.  */
  unsigned words = is_double ? imm8 & ~1u : imm8;
  if (index)
    tb_sem_emit (s, TB_OP_SUB, T2, rn, IMM, 4 * imm8);
  else
    tb_sem_emit (s, TB_OP_MOV, T2, rn, NONE, 0);
  transfer (s, is_load, words);
  if (!write_back)
    return true;
  if (index)
    tb_sem_write_any (s, rn, T2);
  else
    {
      tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4 * imm8);
      tb_sem_write_any (s, rn, T0);
    }
  return true;
}

/* VMOV between two core registers and FP registers.  */
static bool
move_two (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, rt2 = op >> 16 & 15;
  if ((op & 0xd0) != 0x10 || rt == 15 || rt2 == 15
      || (s->is_m && (rt == 13 || rt2 == 13)))
    return false;
  use_fp (s);
  if (op >> 20 & 1)
    {
      tb_sem_unknown (s, rt);
      tb_sem_unknown (s, rt2);
    }
  return true;
}

/* VMOV of one core register, VMRS, VMSR: bits 31:24 are 11101110, 4 is 1.  */
static bool
move_one (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, which = op >> 21 & 7;
  bool is_double = op >> 8 & 1, to_core = op >> 20 & 1;
  if ((rt == 13 && s->is_m) || (which != 0 && which != 7 && !is_double))
    return false;
  if (!is_double && which == 7)
    {
      unsigned reg = op >> 16 & 15;
      if (s->is_m && reg != 1 && reg != 0 && reg != 5 && reg != 6 && reg != 7)
	return false;		/* Those of v8.1-M.  */
      use_fp (s);
      if (to_core && rt == 15)
	for (unsigned i = 0; i < 4; i++)
	  tb_sem_unknown (s, TB_SLOT_N + i);
      else if (to_core)
	tb_sem_unknown (s, rt);
      return true;
    }
  if (rt == 15)
    return false;
  use_fp (s);
  if (to_core)
    tb_sem_unknown (s, rt);
  return true;
}

bool
tb_sem_t32_fp (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  /* Arithmetic of half precision.  */
  if ((op & 0xff000f10) == 0xee000900)
    {
      use_fp (s);
      return true;
    }
  if ((op & 0x0e00) != 0x0a00)	/* Coprocessors 10 and 11.  */
    return false;
  if (op >> 28 & 1)
    {
      /* VSEL, VMAXNM, VRINT ... (DDI 0553, C2.3.9).  */
      if ((op & 0xff000010) != 0xfe000000)
	return false;
      use_fp (s);
      return true;
    }
  switch (op >> 24 & 3)
    {
    case 2:
      if (op >> 4 & 1)
	return move_one (s, op);
      use_fp (s);
      return true;
    case 0: case 1:
      if ((op & 0x0fe00000) == 0x0c400000)
	return move_two (s, op);
      if ((op & 0x0fa00000) == 0x0c000000)
	return false;
      return load_store (s, op, pc);
    }
  return false;
}
