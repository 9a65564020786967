/* 32-bit T32 loads and stores as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.5 (multiple),
   A5.3.6 (dual, exclusive, table branch), A5.3.7 to A5.3.10 (single); ARMv8-M
   (DDI 0553), C2.4 (acquire, release, TT, SG, CLRM).  */

#include "config.h"
#include "arm/lift/transfer.h"

/* LDR, STR and their kin: size and sign are bits 22:21 and 24.  */
static void
transfer (struct tb_semantics *s, const struct tb_fields *f,
	  const struct tb_sem_addressing *a)
{
  uint32_t size = 1u << (f->op >> 21 & 3);
  unsigned extend = !(f->op >> 24 & 1) ? TB_OP_MOV
		    : size == 1 ? TB_OP_SXTB : TB_OP_SXTH;
  s->modelled = tb_sem_may_transfer (a, f->d, 15);
  if (s->modelled)
    tb_sem_transfer (s, a, f->op >> 20 & 1, f->d, size, extend);
}

/* With an immediate of 12 bits, from Rn or PC.  */
void
tb_t32_offset (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_addressing a = {
    .rn = f->n, .offset = IMM, .imm = f->op & 0xfff, .index = true,
    .here = f->here & ~UINT32_C (3), .add = f->op >> 23 & 1
  };
  transfer (s, f, &a);
}

/* With one of 8 bits, and P, U and W in bits 10:8.  */
void
tb_t32_indexed (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_addressing a = {
    .rn = f->n, .offset = IMM, .imm = f->op & 255, .index = f->op >> 10 & 1,
    .add = f->op >> 9 & 1, .write_back = f->op >> 8 & 1
  };
  s->modelled = a.index || a.write_back;
  if (s->modelled)
    transfer (s, f, &a);
}

/* With a register, shifted by bits 5:4.  */
void
tb_t32_scaled (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned shift = f->op >> 4 & 3;
  struct tb_sem_addressing a = { .rn = f->n, .offset = f->m, .index = true,
				 .add = true };
  if (shift != 0)
    {
      tb_sem_emit (s, TB_OP_LSL, T1, f->m, IMM, shift);
      a.offset = T1;
    }
  transfer (s, f, &a);
}

/* LDRD, STRD.  */
void
tb_t32_dual (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_addressing a = tb_sem_addressing (f,
						  f->here & ~UINT32_C (3));
  bool is_load = f->op >> 20 & 1;
  a.imm = 4 * (f->op & 255);
  s->modelled = tb_sem_may_transfer (&a, f->d, f->a)
		&& (is_load ? f->d != f->a : f->n != 15);
  if (s->modelled)
    tb_sem_transfer_pair (s, &a, is_load, f->d, f->a);
}

/* LDREX, STREX.  */
void
tb_t32_exclusive (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_exclusive x = {
    .rd = f->d, .rt = f->a, .rt2 = 15, .rn = f->n, .imm = 4 * (f->op & 255),
    .size = 4, .is_load = f->op >> 20 & 1, .exclusive = true
  };
  s->modelled = tb_sem_transfer_exclusive (s, &x);
}

/* Those of bytes, halfwords and doublewords, acquire and release: bits 7:4 say which.  */
void
tb_t32_ordered (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_exclusive x = {
    .rd = f->op & 15, .rt = f->a, .rt2 = 15, .rn = f->n,
    .size = 1u << (f->op >> 4 & 3), .is_load = f->op >> 20 & 1,
    .exclusive = f->op >> 6 & 1
  };
  s->modelled = false;
  if (x.size == 8)
    {
      x.rt2 = f->op >> 8 & 15;
      if (s->is_m || !x.exclusive || x.rt2 == 13 || x.rt2 == 15
	  || (x.is_load && x.rt == x.rt2))
	return;
    }
  s->modelled = tb_sem_transfer_exclusive (s, &x);
}

/* TBB, TBH.  */
void
tb_t32_table_branch (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rm = f->m, base = f->n;
  bool halves = f->op >> 4 & 1;
  if (base == 15)
    {
      tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE, f->here);
      base = T2;
    }
  if (halves)
    tb_sem_emit (s, TB_OP_LSL, T1, rm, IMM, 1);
  tb_sem_emit (s, TB_OP_ADD, T0, base, halves ? T1 : rm, 0);
  tb_sem_emit (s, TB_OP_LOAD, T1, T0, NONE, halves ? 2 : 1);
  tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_ADD, T1, T1, IMM, f->here);
  tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, ~UINT32_C (1));
  s->flags |= TB_SEM_LOADS;
}

/* SG: to Secure state, from which the return is to Non-secure state.  */
void
tb_t32_secure_gateway (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_AND, T1, T1, LR, 0);
  tb_sem_emit (s, TB_OP_AND, T0, LR, IMM, ~UINT32_C (1));
  tb_sem_emit (s, TB_OP_ORR, LR, T0, T1, 0);
  tb_sem_other_security (s);
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
