/* Floating-point instructions as micro-operations: which encodings, and what they
   have in common.  See fp.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A6.4 to A6.8; DDI 0406, A7.5 to A7.9; DDI 0487, F4.1 (what is new in
   ARMv8, and halves).  */

#include "config.h"
#include "arm/lift/aarch32.h"

void
tb_sem_fp_unknown (struct tb_semantics *s, unsigned place, unsigned words)
{
  for (unsigned i = 0; i < words; i++)
    tb_sem_unknown (s, place + i);
}

void
tb_sem_fp_status (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t bits = (f->arg & UINT32_C (0xff00)) << 16 | (f->arg & 0xff);
  if (bits & TB_FP_COMPARES)
    tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS,
		 IMM, ~TB_FP_COMPARES);
  if (bits == 0)
    return;
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, bits);
  tb_sem_emit (s, TB_OP_ORR, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS, T0,
	       0);
}

void
tb_sem_fp_result (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_fp_unknown (s, f->d, f->words);
  tb_sem_fp_status (s, f);
}

/* Of a half the upper bits are 0 (DDI 0487, E1.3.1).  */
static void
sized_result (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_fp_unknown (s, f->d, f->words);
  if (tb_fp_size (f->op) == TB_FP_HALF)
    tb_sem_emit (s, TB_OP_AND, f->d, f->d, IMM, 0xffff);
  tb_sem_fp_status (s, f);
}

void
tb_sem_fp_words (struct tb_semantics *s, unsigned words, unsigned op,
		 unsigned dst, unsigned a, unsigned b, uint32_t imm)
{
  for (unsigned i = 0; i < words; i++)
    tb_sem_emit (s, op, dst + i, a + i, b == IMM || b == NONE ? b : b + i, imm);
}

void
tb_sem_use_fp (struct tb_semantics *s)
{
  if (!s->is_m)
    return;
  tb_sem_emit (s, TB_OP_FP, NONE, NONE, NONE, 0);
  tb_sem_emit (s, TB_OP_ASPEN, T0, NONE, NONE, 0);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_FPCA, TB_SLOT_FPCA, T0, 0);
}

/* A register of KIND (enum tb_fp_kind): four bits of its number, and the bit beside
   them.  False: it is not allowed.  */
static bool
find_register (const struct tb_semantics *s, uint32_t op, unsigned kind,
	       unsigned four, unsigned one, uint8_t *place, uint8_t *words)
{
  unsigned number = op >> four & 15, bit = op >> one & 1, size;
  switch (kind)
    {
    case FP_NONE:
      *place = NONE;
      return true;
    case FP_BASE: case FP_CORE: case FP_CORE_FLAGS:
      *place = (uint8_t) number;
      return kind == FP_BASE || (number == 15 ? kind == FP_CORE_FLAGS
				 : number != 13 || !s->is_m);
    case FP_S:
      size = 1;
      break;
    case FP_D:
      size = 2;
      break;
    case FP_Q:
      size = 4;
      break;
    case FP_SIZED:
      size = tb_fp_size (op) == TB_FP_DOUBLE ? 2 : 1;
      break;
    default:
      size = op >> (kind == FP_BIT6 ? 6 : 24) & 1 ? 4 : 2;
      break;
    }
  *place = (uint8_t) (TB_PLACE_FP + (size == 1 ? number << 1 | bit
				     : 2 * (bit << 4 | number)));
  if (*words == 0)
    *words = (uint8_t) size;
  return size != 4 || !(number & 1);
}

void
tb_sem_fp_rows (struct tb_semantics *s, const struct tb_rows *table,
		uint32_t op, const struct tb_fields *f)
{
  const struct tb_row *row = tb_find_row (table, op,
					  tb_profile_groups (f->profile));
  struct tb_fields g = { .op = op, .pc = f->pc, .here = f->here,
			 .profile = f->profile };
  s->modelled = row != NULL
		&& find_register (s, op, row->fields & 15, 12, 22, &g.d,
				  &g.words)
		&& find_register (s, op, row->fields >> 4 & 15, 16, 7, &g.n,
				  &g.words)
		&& find_register (s, op, row->fields >> 8 & 15, 0, 5, &g.m,
				  &g.words);
  if (!s->modelled)
    return;
  g.arg = row->arg;
  row->emit (s, &g);
}

/* Data processing (DDI 0406, A7.5, table A7-17).  */
#define SIZED1 TB_FP (FP_SIZED, FP_NONE, FP_NONE)
#define SIZED2 TB_FP (FP_SIZED, FP_NONE, FP_SIZED)
#define SIZED3 TB_FP (FP_SIZED, FP_SIZED, FP_SIZED)
#define SINGLE TB_FP (FP_S, FP_NONE, FP_NONE)
#define DOUBLE TB_FP (FP_D, FP_NONE, FP_NONE)
static const struct tb_row data[] = {
  /* VMLA, VMLS, VNMLA, VNMLS, VMUL, VNMUL, VADD, VSUB; VDIV; VFMA and its kin.  */
  { 0xff800010, 0xee000000, SIZED1, RAISES, sized_result },
  { 0xffb00050, 0xee800000, SIZED1, RAISES, sized_result },
  { 0xffb00010, 0xee900000, SIZED1, RAISES, sized_result },
  { 0xffb00010, 0xeea00000, SIZED1, RAISES, sized_result },
  { 0xffb000f0, 0xeeb00000, SIZED1, 0, tb_sem_fp_constant },
  { 0xffbf02d0, 0xeeb00240, SIZED2, TB_OP_MOV, tb_sem_fp_move },
  { 0xffbf00d0, 0xeeb000c0, SIZED2, TB_OP_BIC, tb_sem_fp_move },	/* VABS  */
  { 0xffbf00d0, 0xeeb10040, SIZED2, TB_OP_EOR, tb_sem_fp_move },	/* VNEG  */
  { 0xffbf00d0, 0xeeb100c0, SIZED1, RAISES, sized_result },
  /* VCVTB, VCVTT from a half, and to one (and BF16).  */
  { 0xffbf0250, 0xeeb20240, SIZED1, RAISES, sized_result },
  { 0xffbf0050, 0xeeb30040, SINGLE, RAISES, tb_sem_fp_half_result },
  { 0xffbe0050, 0xeeb40040, TB_FP (0, 0, 0), RAISES | COMPARES,
    tb_sem_fp_status },				/* VCMP, VCMPE.  */
  /* VRINTR, VRINTZ, VRINTX.  */
  { 0xffbf0050, 0xeeb60040, SIZED1, RAISES, sized_result },
  { 0xffbf00d0, 0xeeb70040, SIZED1, RAISES, sized_result },
  /* VCVT from single to double, and back; from integers and fixed point.  */
  { 0xffbf03d0, 0xeeb702c0, DOUBLE, RAISES, tb_sem_fp_result },
  { 0xffbf03d0, 0xeeb703c0, SINGLE, RAISES, tb_sem_fp_result },
  { 0xffbf0050, 0xeeb80040, SIZED1, RAISES, sized_result },
  { 0xffbe0050, 0xeeba0040, SIZED1, RAISES, sized_result },
  /* VJCVT tells by Z whether it was exact.  */
  { 0xffbf03d0, 0xeeb903c0, SINGLE, RAISES | COMPARES, tb_sem_fp_result },
  /* VCVT to an integer; to fixed point, of 16 or 32 bits.  */
  { 0xffbe0050, 0xeebc0040, SINGLE, RAISES, tb_sem_fp_result },
  { 0xffbe0350, 0xeebe0340, DOUBLE, RAISES, tb_sem_fp_result },
  { 0xffbe0050, 0xeebe0040, SINGLE, RAISES, tb_sem_fp_result },
};
static const struct tb_rows data_rows = TB_ROWS (data);

/* The form that has no condition (DDI 0487, F4.1).  */
static const struct tb_row unconditional[] = {
  { 0xff800050, 0xfe000000, SIZED3, 0, tb_sem_fp_select },
  /* VMAXNM, VMINNM.  */
  { 0xffb00010, 0xfe800000, SIZED1, RAISES, sized_result },
  { 0xffbf0350, 0xfeb00240, TB_FP (FP_S, FP_NONE, FP_S), 0,
    tb_sem_fp_move_half },
  /* VRINTA, VRINTN, VRINTP, VRINTM; VCVTA and its kin, to an integer.  */
  { 0xffbc00d0, 0xfeb80040, SIZED1, RAISES, sized_result },
  { 0xffbc0050, 0xfebc0040, SINGLE, RAISES, tb_sem_fp_result },
};
static const struct tb_rows unconditional_rows = TB_ROWS (unconditional);

/* Moves of one core register (DDI 0406, A7.8); of VMRS and VMSR the M profile has only
   registers 0, 5, 6, 7 beside FPSCR (v8.1-M).  */
#define CORE TB_FP (FP_CORE, FP_NONE, FP_NONE)
static const struct tb_row moves[] = {
  { 0xffff0fff, 0xeef10a10, TB_FP (FP_CORE_FLAGS, FP_NONE, FP_NONE), 0,
    tb_sem_fp_read_status },
  { 0xffff0fff, 0xeee10a10, CORE, 0, tb_sem_fp_write_status },
  { 0xffe00fff, 0xeee00a10, CORE | TB_ON_AR, 0, tb_sem_fp_other_status },
  { 0xffef0fff, 0xeee00a10, CORE | TB_ON_M, 0, tb_sem_fp_other_status },
  { 0xffef0fff, 0xeee50a10, CORE | TB_ON_M, 0, tb_sem_fp_other_status },
  { 0xffee0fff, 0xeee60a10, CORE | TB_ON_M, 0, tb_sem_fp_other_status },
  { 0xffe00f7f, 0xee000910, TB_FP (FP_CORE, FP_S, FP_NONE), 16,
    tb_sem_fp_one },
  { 0xffe00f7f, 0xee000a10, TB_FP (FP_CORE, FP_S, FP_NONE), 32,
    tb_sem_fp_one },
  { 0xffb00f5f, 0xee800b10, TB_FP (FP_CORE, FP_D, FP_NONE), 0,
    tb_sem_fp_duplicate },
  { 0xffb00f5f, 0xeea00b10, TB_FP (FP_CORE, FP_Q, FP_NONE), 0,
    tb_sem_fp_duplicate },
  { 0xff900f1f, 0xee000b10, TB_FP (FP_CORE, FP_D, FP_NONE), 0, tb_sem_fp_lane },
  { 0xff100f1f, 0xee100b10, TB_FP (FP_CORE, FP_D, FP_NONE), 0, tb_sem_fp_lane },
};
static const struct tb_rows moves_rows = TB_ROWS (moves);

/* Moves of two core registers (A7.9), loads and stores (A7.6).  */
static const struct tb_row memory[] = {
  { 0xffe002d0, 0xec400210, TB_FP (FP_CORE, FP_CORE, FP_SIZED), 0,
    tb_sem_fp_two },
  { 0xff200000, 0xed000000, TB_FP (FP_SIZED, FP_BASE, FP_NONE), 0,
    tb_sem_fp_single },
  { 0xff800200, 0xec800200, TB_FP (FP_SIZED, FP_BASE, FP_NONE), 0,
    tb_sem_fp_multiple },
  { 0xffa00200, 0xed200200, TB_FP (FP_SIZED, FP_BASE, FP_NONE), 0,
    tb_sem_fp_multiple },
};
static const struct tb_rows memory_rows = TB_ROWS (memory);

void
tb_sem_fp (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = (f->op & 0x0fffffff)
		| (f->op >> 28 == 15 ? 0xf0000000 : 0xe0000000);
  s->modelled = (op >> 10 & 3) == 2 && tb_fp_size (op) != 0;
  if (!s->modelled)
    return;
  tb_sem_use_fp (s);
  tb_sem_fp_rows (s, op >> 28 == 15 ? &unconditional_rows
		     : (op >> 24 & 15) != 14 ? &memory_rows
		     : op >> 4 & 1 ? &moves_rows : &data_rows, op, f);
}
