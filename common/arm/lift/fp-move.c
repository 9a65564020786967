/* Moves between core and FP registers, and of FPSCR, as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A6.6 and A6.7; DDI 0406, A7.8 and A7.9, A8.8 (VMOV, VDUP,
   VMRS, VMSR), B4.1.58 (FPSCR); DDI 0553, D1.2 (FPSCR).  */

#include "config.h"
#include "arm/lift/fp.h"

void
tb_sem_fp_two (struct tb_semantics *s, const struct tb_fields *f)
{
  bool to_core = f->op >> 20 & 1;
  const unsigned core[2] = { f->d, f->n };
  s->modelled = (!to_core || f->d != f->n)
		&& (f->words == 2 || f->m != TB_PLACE_FP + 31);
  for (unsigned i = 0; i < 2 && s->modelled; i++)
    tb_sem_emit (s, TB_OP_MOV, to_core ? core[i] : f->m + i,
		 to_core ? f->m + i : core[i], NONE, 0);
}

/* VMRS of FPSCR.  */
void
tb_sem_fp_read_status (struct tb_semantics *s, const struct tb_fields *f)
{
  if (f->d != 15)
    tb_sem_emit (s, TB_OP_ORR, f->d, TB_PLACE_FPSCR, TB_PLACE_FPSCR_STATUS, 0);
  else
    for (unsigned i = 0; i < 4; i++)
      tb_sem_emit (s, TB_OP_BIT, TB_SLOT_N + i, TB_PLACE_FPSCR_STATUS, IMM,
		   31 - i);
}

/* Bits of FPSCR that are what is written: N, Z, C, V, DN, FZ, RMode and the
   exceptions.  The others are reserved or there on some cores only: those that are
   written as 0 stay 0, the others may or may not.  */
#define KEPT UINT32_C (0xf3c0009f)
#define AHP UINT32_C (0x04000000)
/* Of these v8.1-M says that they read as 4 where there are no vectors.  */
#define LTPSIZE UINT32_C (0x00070000)

/* VMSR of it.  */
void
tb_sem_fp_write_status (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_ORR, T0, T0, IMM, KEPT | (s->is_m ? AHP : 0));
  tb_sem_emit (s, TB_OP_AND, T0, T0, f->d, 0);
  if (f->profile->arch == TB_ARCH_V81M_MAIN)
    {
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, LTPSIZE);
      tb_sem_emit (s, TB_OP_BIC, T0, T0, IMM, LTPSIZE);
      tb_sem_emit (s, TB_OP_ORR, T0, T0, T1, 0);
    }
  tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR, T0, IMM, TB_FPSCR_CONTROL);
  tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, T0, IMM,
	       ~TB_FPSCR_CONTROL);
}

void
tb_sem_fp_other_status (struct tb_semantics *s, const struct tb_fields *f)
{
  if (f->op >> 20 & 1)
    tb_sem_unknown (s, f->d);
}

void
tb_sem_fp_one (struct tb_semantics *s, const struct tb_fields *f)
{
  bool to_core = f->op >> 20 & 1;
  unsigned to = to_core ? f->d : f->n, from = to_core ? f->n : f->d;
  if (f->arg == 16)
    tb_sem_emit (s, TB_OP_AND, to, from, IMM, 0xffff);
  else
    tb_sem_emit (s, TB_OP_MOV, to, from, NONE, 0);
}

/* Which bits of a D register: of SIZE bits from SHIFT on in the word PLACE.  */
struct lane
{
  unsigned place, size, shift;
};

/* The lane of VMOV in the register D: bits 22:21 (opc1) and 6:5 (opc2) of OP (DDI 0406,
   A8.8.342).  */
static bool
find_lane (struct lane *lane, uint32_t op, unsigned d)
{
  unsigned opc1 = op >> 21 & 3, opc2 = op >> 5 & 3;
  unsigned x = (opc1 & 1) << 2 | opc2, byte;
  if (opc1 & 2)
    {
      lane->size = 8;
      byte = x;
    }
  else if (opc2 & 1)
    {
      lane->size = 16;
      byte = x & 6;
    }
  else
    {
      lane->size = 32;
      byte = x & 4;
      if (opc2 & 2)
	return false;
    }
  lane->place = d + byte / 4;
  lane->shift = 8 * (byte & 3);
  return true;
}

static void
lane_to_core (struct tb_semantics *s, unsigned rt, const struct lane *lane,
	      bool is_signed)
{
  unsigned source = lane->place;
  if (lane->size == 32)
    {
      tb_sem_emit (s, TB_OP_MOV, rt, source, NONE, 0);
      return;
    }
  if (lane->shift != 0)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, source, IMM, lane->shift);
      source = T0;
    }
  if (is_signed)
    tb_sem_emit (s, lane->size == 8 ? TB_OP_SXTB : TB_OP_SXTH, rt, source,
		 NONE, 0);
  else
    tb_sem_emit (s, TB_OP_AND, rt, source, IMM,
		 (UINT32_C (1) << lane->size) - 1);
}

static void
core_to_lane (struct tb_semantics *s, unsigned rt, const struct lane *lane)
{
  if (lane->size == 32)
    {
      tb_sem_emit (s, TB_OP_MOV, lane->place, rt, NONE, 0);
      return;
    }
  uint32_t mask = (UINT32_C (1) << lane->size) - 1;
  tb_sem_emit (s, TB_OP_AND, T0, rt, IMM, mask);
  tb_sem_emit (s, TB_OP_LSL, T0, T0, IMM, lane->shift);
  tb_sem_emit (s, TB_OP_AND, lane->place, lane->place, IMM,
	       ~(mask << lane->shift));
  tb_sem_emit (s, TB_OP_ORR, lane->place, lane->place, T0, 0);
}

/* A word has no sign.  */
void
tb_sem_fp_lane (struct tb_semantics *s, const struct tb_fields *f)
{
  bool to_core = f->op >> 20 & 1, plain = f->op >> 23 & 1;
  struct lane lane;
  s->modelled = find_lane (&lane, f->op, f->n)
		&& !(to_core && plain && lane.size == 32);
  if (s->modelled && to_core)
    lane_to_core (s, f->d, &lane, !plain);
  else if (s->modelled)
    core_to_lane (s, f->d, &lane);
}

/* A core register in all lanes.  On the M profile it is one of the vector instructions
   (MVE), of which a block of VPT or a loop may leave out lanes (DDI 0553, B5.5).  */
void
tb_sem_fp_duplicate (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = (f->op >> 21 & 2) | (f->op >> 5 & 1);	/* 0: words.  */
  unsigned from = T0;
  s->modelled = size != 3;
  if (s->is_m)
    tb_sem_fp_unknown (s, f->n, f->words);
  if (!s->modelled || s->is_m)
    return;
  if (size == 0)
    from = f->d;
  else
    {
      tb_sem_emit (s, TB_OP_AND, T0, f->d, IMM, size == 1 ? 0xffff : 0xff);
      tb_sem_emit (s, TB_OP_MUL, T0, T0, IMM,
		   size == 1 ? 0x00010001 : 0x01010101);
    }
  for (unsigned i = 0; i < f->words; i++)
    tb_sem_emit (s, TB_OP_MOV, f->n + i, from, NONE, 0);
}
