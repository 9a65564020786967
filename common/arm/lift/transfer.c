/* Loads and stores of A32 and T32, which differ in their encodings only, as
   micro-operations.  See transfer.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A5.3.5 to A5.3.10; DDI 0406, A5.2.8, A5.2.10, A5.3, A5.5.  */

#include "config.h"
#include "arm/lift/transfer.h"

#define ALIGNED(size) ((size) | TB_ACCESS_ALIGNED)

struct tb_sem_addressing
tb_sem_addressing (const struct tb_fields *f, uint32_t here)
{
  return (struct tb_sem_addressing) {
    .rn = f->op >> 16 & 15, .offset = IMM, .here = here,
    .index = f->op >> 24 & 1, .add = f->op >> 23 & 1,
    .write_back = f->op >> 21 & 1
  };
}

unsigned
tb_sem_address (struct tb_semantics *s, const struct tb_sem_addressing *a)
{
  unsigned base = a->rn, how = a->add ? TB_OP_ADD : TB_OP_SUB;
  if (base == 15 && a->offset == IMM)
    {
      tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE,
		   !a->index ? a->here : a->here + (a->add ? a->imm : -a->imm));
      return T2;
    }
  if (base == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T3, IMM, NONE, a->here);
      base = T3;
    }
  if (!a->write_back && (!a->index || (a->offset == IMM && a->imm == 0)))
    return base;
  tb_sem_emit (s, how, T2, base, a->offset, a->imm);
  return a->index ? T2 : base;
}

bool
tb_sem_may_transfer (const struct tb_sem_addressing *a, unsigned rt,
		     unsigned rt2)
{
  return !a->write_back || (a->rn != 15 && a->rn != rt && a->rn != rt2);
}

void
tb_sem_transfer (struct tb_semantics *s, const struct tb_sem_addressing *a,
		 bool is_load, unsigned rt, uint32_t size, unsigned extend)
{
  unsigned at = tb_sem_address (s, a);
  if (is_load && rt == 15)
    {
      tb_sem_emit (s, TB_OP_LOAD, T1, at, NONE, size);
      s->flags |= TB_SEM_LOADS;
    }
  else if (is_load)
    tb_sem_load (s, rt, at, IMM, 0, size, extend);
  else if (rt == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, a->here);
      tb_sem_store (s, T1, at, IMM, 0, size);
    }
  else
    tb_sem_store (s, rt, at, IMM, 0, size);
  if (a->write_back)
    tb_sem_write_any (s, a->rn, T2);
  if (is_load && rt == 15)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
}

void
tb_sem_transfer_pair (struct tb_semantics *s,
		      const struct tb_sem_addressing *a, bool is_load,
		      unsigned rt, unsigned rt2)
{
  const unsigned r[2] = { rt, rt2 };
  unsigned at = tb_sem_address (s, a);
  if (at < TB_NSLOTS && is_load)	/* The base may be loaded.  */
    {
      tb_sem_emit (s, TB_OP_MOV, T3, at, NONE, 0);
      at = T3;
    }
  for (unsigned i = 0; i < 2; i++)
    if (is_load)
      tb_sem_load (s, r[i], at, IMM, 4 * i, ALIGNED (4), TB_OP_MOV);
    else
      tb_sem_store (s, r[i], at, IMM, 4 * i, ALIGNED (4));
  if (a->write_back)
    tb_sem_write_any (s, a->rn, T2);
  s->flags |= TB_SEM_MULTIPLE;
}

/* LDM and STM of the registers of User mode have bit 22.  */
void
tb_sem_transfer_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rn = f->op >> 16 & 15, list = f->op & 0xffff;
  bool before = f->op >> 24 & 1, up = f->op >> 23 & 1;
  bool special = f->op >> 22 & 1, write_back = f->op >> 21 & 1;
  bool is_load = f->op >> 20 & 1;
  bool returns = special && is_load && list >> 15 & 1;
  int length = 4 * __builtin_popcount (list);
  s->modelled = rn != 15 && list != 0 && (list & f->arg) == 0
		&& !(special && !returns && write_back)
		&& !(is_load && write_back && list >> rn & 1);
  if (!s->modelled)
    return;
  struct tb_sem_multiple m = {
    .base = rn, .list = list, .end = up ? length : -length,
    .start = (up ? 0 : -length) + (before == up ? 4 : 0),
    .is_load = is_load, .write_back = write_back,
    .user = special && !returns, .pc = f->here
  };
  tb_sem_multiple (s, &m);
  if (returns)
    tb_sem_exception_return (s, T1, TB_SLOT_SPSR);
  else if (is_load && list >> 15 & 1)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
}

/* STREX and its kin: RD is 0 if it stored, else 1.  */
static bool
store_exclusive (struct tb_semantics *s, const struct tb_sem_exclusive *x)
{
  unsigned rd = x->rd;
  if (rd == 13 || rd == 15 || x->rt == 13 || rd == x->rn || rd == x->rt
      || rd == x->rt2 || x->rt2 == 13)
    return false;
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_MOV, rd, T1, NONE, 0);
  tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
  tb_sem_only_if (s, T1);
  if (x->rt2 < 15)
    {
      tb_sem_store (s, x->rt, x->rn, IMM, 0, ALIGNED (4));
      tb_sem_store (s, x->rt2, x->rn, IMM, 4, ALIGNED (4));
    }
  else
    tb_sem_store (s, x->rt, x->rn, IMM, x->imm, ALIGNED (x->size));
  return true;
}

bool
tb_sem_transfer_exclusive (struct tb_semantics *s,
			   const struct tb_sem_exclusive *x)
{
  if (x->rt == 15 || x->rn == 15)
    return false;
  if (!x->is_load && x->exclusive)
    return store_exclusive (s, x);
  if (!x->is_load)
    tb_sem_store (s, x->rt, x->rn, IMM, 0, ALIGNED (x->size));
  else if (x->rt2 == 15)
    tb_sem_load (s, x->rt, x->rn, IMM, x->imm, ALIGNED (x->size), TB_OP_MOV);
  else
    {
      /* The base may be one of them.  */
      tb_sem_emit (s, TB_OP_MOV, T2, x->rn, NONE, 0);
      tb_sem_load (s, x->rt, T2, IMM, 0, ALIGNED (4), TB_OP_MOV);
      tb_sem_load (s, x->rt2, T2, IMM, 4, ALIGNED (4), TB_OP_MOV);
      s->flags |= TB_SEM_MULTIPLE;
    }
  return true;
}
