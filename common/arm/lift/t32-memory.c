/* 32-bit T32 loads and stores as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.5 (multiple),
   A5.3.6 (dual, exclusive, table branch), A5.3.7 to A5.3.10 (single); ARMv8-M
   (DDI 0553), C2.4 (acquire, release, TT, SG, CLRM).  */

#include "config.h"
#include "arm/lift/aarch32.h"

#define ALIGNED(size) ((size) | TB_ACCESS_ALIGNED)

/* RT is loaded with SIZE bytes at the address in place AT; a load of the PC is a
   branch.  */
static void
load_at (struct tb_semantics *s, unsigned rt, unsigned at, uint32_t size,
	 unsigned extend)
{
  if (rt == 15)
    tb_sem_emit (s, TB_OP_LOAD, T1, at, NONE, size);
  else
    tb_sem_load (s, rt, at, IMM, 0, size, extend);
  s->flags |= TB_SEM_LOADS;
}

/* Where a load of the PC into T1 goes.  */
static void
branch_if_pc (struct tb_semantics *s, unsigned rt)
{
  if (rt == 15)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
}

/* LDR, STR and their kin: 1111100.  */
static bool
single (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rt = op >> 12 & 15, rn = op >> 16 & 15, rm = op & 15;
  bool is_load = op >> 20 & 1, sign = op >> 24 & 1;
  uint32_t size = 1u << (op >> 21 & 3), imm = op & 0xfff;
  unsigned extend = !sign ? TB_OP_MOV : size == 1 ? TB_OP_SXTB : TB_OP_SXTH;
  bool hint = is_load && rt == 15 && size != 4;
  bool add = true, index = true, write_back = false;
  unsigned offset = IMM;

  if (size == 8 || (sign && (!is_load || size == 4))
      || (!is_load && (rn == 15 || rt == 15))
      || (rt == 13 && size != 4))
    return false;
  if (rn == 15)			/* Literal.  */
    {
      uint32_t base = (pc + 4) & ~UINT32_C (3);
      if (hint)
	return true;
      tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE,
		   op >> 23 & 1 ? base + imm : base - imm);
      load_at (s, rt, T0, size, extend);
      branch_if_pc (s, rt);
      return true;
    }
  if (!(op >> 23 & 1))
    {
      if (op >> 11 & 1)
	{
	  imm = op & 255;
	  add = op >> 9 & 1;
	  index = op >> 10 & 1;
	  write_back = op >> 8 & 1;
	  if (!index && !write_back)
	    return false;
	}
      else
	{
	  if ((op & 0xfc0) != 0 || rm == 13 || rm == 15)
	    return false;
	  offset = rm;
	  imm = op >> 4 & 3;
	}
    }
  if (hint)			/* PLD, PLI.  */
    return !write_back;
  if (write_back && rt == rn)
    return false;

  unsigned at = rn;
  if (offset != IMM)
    {
      if (imm != 0)
	{
	  tb_sem_emit (s, TB_OP_LSL, T0, rm, IMM, imm);
	  offset = T0;
	}
      tb_sem_emit (s, TB_OP_ADD, T2, rn, offset, 0);
      at = T2;
    }
  else if (imm != 0 || write_back)
    {
      tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, rn, IMM, imm);
      if (index)
	at = T2;
    }
  if (is_load)
    load_at (s, rt, at, size, extend);
  else
    tb_sem_store (s, rt, at, IMM, 0, size);
  if (write_back)
    tb_sem_write_any (s, rn, T2);
  if (is_load)
    branch_if_pc (s, rt);
  return true;
}

/* LDRD, STRD.  */
static bool
dual (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rt = op >> 12 & 15, rt2 = op >> 8 & 15, rn = op >> 16 & 15;
  uint32_t imm = 4 * (op & 255);
  bool index = op >> 24 & 1, add = op >> 23 & 1, write_back = op >> 21 & 1;
  bool is_load = op >> 20 & 1;
  if (rt == 13 || rt == 15 || rt2 == 13 || rt2 == 15
      || (is_load && rt == rt2) || (write_back && (rn == rt || rn == rt2))
      || (rn == 15 && (write_back || !is_load)))
    return false;
  if (rn == 15)
    tb_sem_emit (s, TB_OP_MOV, T3, IMM, NONE, (pc + 4) & ~UINT32_C (3));
  else
    tb_sem_emit (s, TB_OP_MOV, T3, rn, NONE, 0);
  tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, T3, IMM, imm);
  unsigned at = index ? T2 : T3;
  if (is_load)
    {
      tb_sem_load (s, rt, at, IMM, 0, ALIGNED (4), TB_OP_MOV);
      tb_sem_load (s, rt2, at, IMM, 4, ALIGNED (4), TB_OP_MOV);
    }
  else
    {
      tb_sem_store (s, rt, at, IMM, 0, ALIGNED (4));
      tb_sem_store (s, rt2, at, IMM, 4, ALIGNED (4));
    }
  if (write_back)
    tb_sem_write_any (s, rn, T2);
  s->flags |= TB_SEM_MULTIPLE;
  return true;
}

/* The doubleword at RN; RN may be one of them.  */
void
tb_sem_load_pair (struct tb_semantics *s, unsigned rt, unsigned rt2,
		  unsigned rn)
{
  tb_sem_emit (s, TB_OP_MOV, T2, rn, NONE, 0);
  tb_sem_load (s, rt, T2, IMM, 0, ALIGNED (4), TB_OP_MOV);
  tb_sem_load (s, rt2, T2, IMM, 4, ALIGNED (4), TB_OP_MOV);
  s->flags |= TB_SEM_MULTIPLE;
}

bool
tb_sem_store_exclusive (struct tb_semantics *s, unsigned rd, unsigned rt,
			unsigned rt2, unsigned rn, uint32_t imm, uint32_t size)
{
  if (rd == 13 || rd == 15 || rt == 13 || rt == 15 || rn == 15 || rd == rn
      || rd == rt || rd == rt2 || rt2 == 13)
    return false;
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_MOV, rd, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_IF_VALUE, NONE, T1, NONE, 0);
  if (rt2 < 15)
    {
      tb_sem_store (s, rt, rn, IMM, 0, ALIGNED (4));
      tb_sem_store (s, rt2, rn, IMM, 4, ALIGNED (4));
    }
  else
    tb_sem_store (s, rt, rn, IMM, imm, ALIGNED (size));
  return true;
}

/* Exclusives of bytes, halfwords and (A and R profile) doublewords, acquire and
   release: bits 31:21 are 11101000110, 7:4 select.  */
static bool
ordered (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, rn = op >> 16 & 15, how = op >> 4 & 15;
  unsigned rt2 = op >> 8 & 15;
  uint32_t size = 1u << (how & 3);
  bool exclusive = how >> 2 & 1, is_load = op >> 20 & 1;
  if (how < 4 || rt == 13 || rt == 15 || rn == 15)
    return false;
  if (size == 8)
    {
      if (s->is_m || !exclusive || rt2 == 13 || rt2 == 15)
	return false;
      if (!is_load)
	return tb_sem_store_exclusive (s, op & 15, rt, rt2, rn, 0, 8);
      if (rt == rt2)
	return false;
      tb_sem_load_pair (s, rt, rt2, rn);
      return true;
    }
  if (is_load)
    tb_sem_load (s, rt, rn, IMM, 0, ALIGNED (size), TB_OP_MOV);
  else if (exclusive)
    return tb_sem_store_exclusive (s, op & 15, rt, 15, rn, 0, size);
  else
    tb_sem_store (s, rt, rn, IMM, 0, ALIGNED (size));
  return true;
}

/* TBB, TBH.  */
static bool
table_branch (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rn = op >> 16 & 15, rm = op & 15, base = rn;
  bool halves = op >> 4 & 1;
  if (rn == 13 || rm == 13 || rm == 15)
    return false;
  if (rn == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE, pc + 4);
      base = T2;
    }
  if (halves)
    tb_sem_emit (s, TB_OP_LSL, T1, rm, IMM, 1);
  tb_sem_emit (s, TB_OP_ADD, T0, base, halves ? T1 : rm, 0);
  tb_sem_emit (s, TB_OP_LOAD, T1, T0, NONE, halves ? 2 : 1);
  tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_ADD, T1, T1, IMM, pc + 4);
  tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, ~UINT32_C (1));
  s->flags |= TB_SEM_LOADS;
  return true;
}

/* SG: to Secure state, from which the return is to Non-secure state.  */
static void
secure_gateway (struct tb_semantics *s)
{
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, LR, 0);
  tb_sem_emit (s, TB_OP_AND, T0, LR, IMM, ~UINT32_C (1));
  tb_sem_emit (s, TB_OP_ORR, LR, T0, T1, 0);
  tb_sem_other_security (s);
}

void
tb_t32_secure_gateway (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  secure_gateway (s);
}

void
tb_t32_strex (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_sem_store_exclusive (s, f->d, f->a, 15, f->n,
					4 * (f->op & 255), 4);
}

void
tb_t32_ldrex (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->a != 13 && f->a != 15 && f->n != 15;
  if (s->modelled)
    tb_sem_load (s, f->a, f->n, IMM, 4 * (f->op & 255), ALIGNED (4),
		 TB_OP_MOV);
}

void
tb_t32_table_branch (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = table_branch (s, f->op, (uint32_t) f->pc);
}

void
tb_t32_ordered (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = ordered (s, f->op);
}

void
tb_t32_single (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = single (s, f->op, (uint32_t) f->pc);
}

void
tb_t32_dual (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = dual (s, f->op, (uint32_t) f->pc);
}

/* CLRM: the registers of the list, and with bit 15 the flags, become 0.  */
void
tb_t32_clrm (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  s->modelled = !(op & 0x2000);
  for (unsigned r = 0; r < 15; r++)
    if (op >> r & 1)
      tb_sem_emit (s, TB_OP_MOV, r, IMM, NONE, 0);
  if (op >> 15 & 1)
    {
      static const uint8_t flags[] = { TB_SLOT_N, TB_SLOT_Z, TB_SLOT_C,
				       TB_SLOT_V, TB_SLOT_Q, TB_SLOT_GE };
      for (unsigned i = 0; i < sizeof flags; i++)
	tb_sem_emit (s, TB_OP_MOV, flags[i], IMM, NONE, 0);
    }
}

/* SRS, RFE of the A and R profile (DDI 0406, A6.3.5).  */
void
tb_t32_srs (struct tb_semantics *s, const struct tb_fields *f)
{
  int step = f->op >> 24 & 1 ? 8 : -8;
  s->modelled = tb_sem_srs (s, f->op & 31, step < 0 ? step : 0, step,
			    f->op >> 21 & 1);
}

void
tb_t32_rfe (struct tb_semantics *s, const struct tb_fields *f)
{
  int step = f->op >> 24 & 1 ? 8 : -8;
  s->modelled = f->n != 15;
  if (s->modelled)
    tb_sem_rfe (s, f->n, step < 0 ? step : 0, step, f->op >> 21 & 1);
}

/* LDM, STM.  */
void
tb_t32_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned list = f->op & 0xffff;
  bool below = f->op >> 24 & 1, is_load = f->op >> 20 & 1;
  bool write_back = f->op >> 21 & 1;
  s->modelled = f->n != 15 && list != 0 && !(list >> 13 & 1)
		&& !(write_back && is_load && list >> f->n & 1)
		&& (is_load || !(list >> 15));
  if (s->modelled && is_load)
    tb_sem_load_multiple (s, f->n, list, below, write_back);
  else if (s->modelled)
    tb_sem_store_multiple (s, f->n, list, below, write_back);
}
