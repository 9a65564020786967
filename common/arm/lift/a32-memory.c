/* A32 loads and stores as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.2.8 (halfwords, doublewords), A5.2.10 (synchronisation),
   A5.3 (words and bytes), A5.5 (multiple).  */

#include "config.h"
#include "arm/lift/aarch32.h"

#define ALIGNED(size) ((size) | TB_ACCESS_ALIGNED)

/* How the address comes about: Rn, and an offset that is a constant or in a
   place.  */
struct addressing
{
  unsigned rn, offset;		/* IMM: IMM.  */
  uint32_t imm, pc;
  bool index, add, write_back;
};

/* The common bits: P, U and W, and Rn.  */
static struct addressing
addressing (uint32_t op, uint32_t pc)
{
  bool index = op >> 24 & 1;
  return (struct addressing) {
    .rn = op >> 16 & 15, .offset = IMM, .index = index, .add = op >> 23 & 1,
    .write_back = !index || op >> 21 & 1, .pc = pc
  };
}

/* Where the access goes: the place that has the address.  T2 is what Rn becomes,
   where it changes; T3 may hold PC.  */
static unsigned
address (struct tb_semantics *s, const struct addressing *a)
{
  unsigned base = a->rn;
  if (base == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T3, IMM, NONE, a->pc + 8);
      base = T3;
    }
  if (a->offset == IMM && a->imm == 0 && !a->write_back)
    return base;
  if (a->offset == IMM && base == T3)
    tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE,
		 a->pc + 8 + (a->add ? a->imm : -a->imm));
  else
    tb_sem_emit (s, a->add ? TB_OP_ADD : TB_OP_SUB, T2, base, a->offset,
		 a->imm);
  return a->index ? T2 : base;
}

/* Can registers RT, and RT2 if it is below 15, be transferred so?  */
static bool
allowed (const struct addressing *a, unsigned rt, unsigned rt2)
{
  return !a->write_back || (a->rn != 15 && a->rn != rt && a->rn != rt2);
}

/* A5.3: words and bytes.  */
static bool
memory (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				     TB_OP_ROR };
  struct addressing a = addressing (op, pc);
  unsigned rt = op >> 12 & 15, rm = op & 15;
  bool is_load = op >> 20 & 1, user = !a.index && op >> 21 & 1;
  uint32_t size = op >> 22 & 1 ? 1 : 4;

  if (!allowed (&a, rt, 15) || (rt == 15 && (size == 1 || user)))
    return false;
  if (!(op >> 25 & 1))
    a.imm = op & 0xfff;
  else
    {
      unsigned type = op >> 5 & 3, n = op >> 7 & 31;
      if (rm == 15)
	return false;
      a.offset = rm;
      if (n == 0 && type == 3)	/* RRX  */
	{
	  tb_sem_rrx (s, rm);
	  a.offset = T1;
	}
      else if (n != 0 || type != 0)
	{
	  tb_sem_emit (s, shifts[type], T1, rm, IMM, n != 0 ? n : 32);
	  a.offset = T1;
	}
    }

  unsigned at = address (s, &a);
  if (is_load && rt == 15)
    {
      tb_sem_emit (s, TB_OP_LOAD, T1, at, NONE, size);
      s->flags |= TB_SEM_LOADS;
    }
  else if (is_load)
    tb_sem_load (s, rt, at, IMM, 0, size, TB_OP_MOV);
  else if (rt == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, pc + 8);
      tb_sem_store (s, T1, at, IMM, 0, size);
    }
  else
    tb_sem_store (s, rt, at, IMM, 0, size);
  if (a.write_back)
    tb_sem_emit (s, TB_OP_MOV, a.rn, T2, NONE, 0);
  if (is_load && rt == 15)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
  return true;
}

void
tb_a32_memory (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = memory (s, f->op, (uint32_t) f->pc);
}

/* LDRD, STRD.  */
static bool
dual (struct tb_semantics *s, const struct addressing *a, unsigned rt,
      bool is_load)
{
  if (rt & 1 || rt == 14 || !allowed (a, rt, rt + 1)
      || (is_load && (a->offset == rt || a->offset == rt + 1)))
    return false;
  /* The base may be loaded.  */
  unsigned at = address (s, a);
  if (at < TB_NSLOTS)
    {
      tb_sem_emit (s, TB_OP_MOV, T3, at, NONE, 0);
      at = T3;
    }
  for (unsigned i = 0; i < 2; i++)
    if (is_load)
      tb_sem_load (s, rt + i, at, IMM, 4 * i, ALIGNED (4), TB_OP_MOV);
    else
      tb_sem_store (s, rt + i, at, IMM, 4 * i, ALIGNED (4));
  if (a->write_back)
    tb_sem_emit (s, TB_OP_MOV, a->rn, T2, NONE, 0);
  s->flags |= TB_SEM_MULTIPLE;
  return true;
}

/* A5.2.8 and A5.2.9: bits 27:25 are 0, bits 7 and 4 are 1, 6:5 not 0.  */
static bool
extra (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  struct addressing a = addressing (op, pc);
  unsigned rt = op >> 12 & 15, which = op >> 5 & 3, extend = TB_OP_MOV;
  bool is_load = op >> 20 & 1, user = !a.index && op >> 21 & 1;
  if (op >> 22 & 1)
    a.imm = (op >> 4 & 0xf0) | (op & 15);
  else
    {
      a.offset = op & 15;
      if ((op & 0xf00) != 0 || a.offset == 15)
	return false;
    }
  if (!is_load && which != 1)
    return !user && dual (s, &a, rt, which == 2);
  if (rt == 15 || !allowed (&a, rt, 15) || (user && a.rn == 15))
    return false;
  uint32_t size = which == 2 ? 1 : 2;
  if (which >= 2)
    extend = which == 2 ? TB_OP_SXTB : TB_OP_SXTH;
  unsigned at = address (s, &a);
  if (is_load)
    tb_sem_load (s, rt, at, IMM, 0, size, extend);
  else
    tb_sem_store (s, rt, at, IMM, 0, size);
  if (a.write_back)
    tb_sem_emit (s, TB_OP_MOV, a.rn, T2, NONE, 0);
  return true;
}

void
tb_a32_extra (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = extra (s, f->op, (uint32_t) f->pc);
}

/* SWP, SWPB.  */
void
tb_a32_swap (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rn = f->n, rt = f->d, rt2 = f->m;
  uint32_t size = f->op >> 22 & 1 ? 1 : ALIGNED (4);
  s->modelled = rn != 15 && rt != 15 && rt2 != 15 && rn != rt && rn != rt2;
  if (!s->modelled)
    return;
  tb_sem_emit (s, TB_OP_LOAD, T1, rn, NONE, size);
  s->flags |= TB_SEM_LOADS;
  tb_sem_store (s, rt2, rn, IMM, 0, size);
  tb_sem_emit (s, TB_OP_MOV, rt, T1, NONE, 0);
}

/* A5.2.10: bits 27:24 are 1, 7:4 are 1001.  Bits 9:8 are 11 for exclusives, 10
   for exclusives with acquire or release, 00 for plain ones with that.  */
static bool
exclusive (struct tb_semantics *s, uint32_t op)
{
  static const uint8_t sizes[4] = { 4, 8, 1, 2 };
  unsigned rn = op >> 16 & 15, rt = op & 15, rd = op >> 12 & 15;
  unsigned how = op >> 8 & 3;
  uint32_t size = sizes[op >> 21 & 3];
  bool is_load = op >> 20 & 1;
  if ((op & 0xc00) != 0xc00 || how == 1 || rn == 15)
    return false;
  if (how == 0 && size == 8)
    return false;
  if (!is_load && how == 0)	/* STL  */
    {
      if (rd != 15 || rt == 15)
	return false;
      tb_sem_store (s, rt, rn, IMM, 0, ALIGNED (size));
      return true;
    }
  if (!is_load)
    return (size != 8 || (!(rt & 1) && rt != 14))
	   && tb_sem_store_exclusive (s, rd, rt, size == 8 ? rt + 1 : 15, rn,
				      0, size);
  if (rt != 15 || rd == 15 || (size == 8 && (rd & 1 || rd == 14)))
    return false;
  if (size != 8)
    tb_sem_load (s, rd, rn, IMM, 0, ALIGNED (size), TB_OP_MOV);
  else
    tb_sem_load_pair (s, rd, rd + 1, rn);
  return true;
}

void
tb_a32_exclusive (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = exclusive (s, f->op);
}

/* A5.5.  */
static bool
multiple (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  unsigned rn = op >> 16 & 15, list = op & 0xffff;
  bool before = op >> 24 & 1, up = op >> 23 & 1, special = op >> 22 & 1;
  bool write_back = op >> 21 & 1, is_load = op >> 20 & 1;
  bool returns = special && is_load && list >> 15 & 1;
  int length = 4 * __builtin_popcount (list);
  if (rn == 15 || list == 0 || (special && !returns && write_back)
      || (is_load && write_back && list >> rn & 1))
    return false;
  struct tb_sem_multiple m = {
    .base = rn, .list = list, .end = up ? length : -length,
    .start = (up ? 0 : -length) + (before == up ? 4 : 0),
    .is_load = is_load, .write_back = write_back,
    .user = special && !returns, .pc = pc + 8
  };
  tb_sem_multiple (s, &m);
  if (returns)
    tb_sem_exception_return (s, T1, TB_SLOT_SPSR);
  else if (is_load && list >> 15 & 1)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
  return true;
}

void
tb_a32_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = multiple (s, f->op, (uint32_t) f->pc);
}
