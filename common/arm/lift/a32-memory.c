/* A32 loads and stores as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.2.8 (halfwords, doublewords), A5.2.10 (synchronisation),
   A5.3 (words and bytes), A5.5 (multiple).  */

#include "config.h"
#include "arm/lift/transfer.h"

/* P, U and W: what is indexed behind the access is written back; with W by the rights of
   User mode.  */
static struct tb_sem_addressing
addressing (const struct tb_fields *f, bool *user)
{
  struct tb_sem_addressing a = tb_sem_addressing (f, f->here);
  *user = !a.index && a.write_back;
  a.write_back |= !a.index;
  return a;
}

/* A5.3: words and bytes.  */
void
tb_a32_memory (struct tb_semantics *s, const struct tb_fields *f)
{
  bool user, is_register = f->op >> 25 & 1;
  struct tb_sem_addressing a = addressing (f, &user);
  uint32_t size = f->op >> 22 & 1 ? 1 : 4;
  s->modelled = tb_sem_may_transfer (&a, f->d, 15)
		&& !(f->d == 15 && (size == 1 || user))
		&& !(is_register && f->m == 15);
  if (!s->modelled)
    return;
  if (is_register)
    a.offset = tb_sem_shifted (s, f).place;
  else
    a.imm = f->op & 0xfff;
  tb_sem_transfer (s, &a, f->op >> 20 & 1, f->d, size, TB_OP_MOV);
}

/* A5.2.8 and A5.2.9, halfwords and so on: bits 27:25 are 0, bits 7 and 4 are 1, 6:5 not
   0.  */
void
tb_a32_extra (struct tb_semantics *s, const struct tb_fields *f)
{
  bool user, is_load = f->op >> 20 & 1;
  struct tb_sem_addressing a = addressing (f, &user);
  unsigned rt = f->d, which = f->op >> 5 & 3;
  bool is_pair = !is_load && which != 1;	/* LDRD (2), STRD (3).  */
  s->modelled = false;
  if (f->op >> 22 & 1)
    a.imm = (f->op >> 4 & 0xf0) | f->m;
  else if ((f->op & 0xf00) != 0 || f->m == 15)
    return;
  else
    a.offset = f->m;
  if (is_pair)
    {
      is_load = which == 2;
      s->modelled = !user && !(rt & 1) && rt != 14
		    && tb_sem_may_transfer (&a, rt, rt + 1)
		    && !(is_load && (a.offset == rt || a.offset == rt + 1));
      if (s->modelled)
	tb_sem_transfer_pair (s, &a, is_load, rt, rt + 1);
      return;
    }
  s->modelled = rt != 15 && tb_sem_may_transfer (&a, rt, 15);
  if (s->modelled)
    tb_sem_transfer (s, &a, is_load, rt, which == 2 ? 1 : 2,
		     which == 2 ? TB_OP_SXTB
		     : which == 3 ? TB_OP_SXTH : TB_OP_MOV);
}

/* SWP, SWPB.  */
void
tb_a32_swap (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rn = f->n, rt = f->d, rt2 = f->m;
  uint32_t size = f->op >> 22 & 1 ? 1 : 4 | TB_ACCESS_ALIGNED;
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
void
tb_a32_exclusive (struct tb_semantics *s, const struct tb_fields *f)
{
  static const uint8_t sizes[4] = { 4, 8, 1, 2 };
  unsigned how = f->op >> 8 & 3;
  struct tb_sem_exclusive x = {
    .rd = f->d, .rt = f->m, .rt2 = 15, .rn = f->n,
    .size = sizes[f->op >> 21 & 3], .is_load = f->op >> 20 & 1,
    .exclusive = how != 0
  };
  if (x.is_load)
    x.rt = f->d;
  s->modelled = (f->op & 0xc00) == 0xc00 && how != 1
		&& (x.is_load ? f->m == 15 : x.exclusive || x.rd == 15);
  if (x.size == 8)		/* A pair; only exclusives are that.  */
    {
      x.rt2 = x.rt + 1;
      s->modelled &= x.exclusive && !(x.rt & 1) && x.rt != 14;
    }
  if (s->modelled)
    s->modelled = tb_sem_transfer_exclusive (s, &x);
}
