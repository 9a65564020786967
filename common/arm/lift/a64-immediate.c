/* Semantics of A64: data processing with constants.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Data Processing -- Immediate".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* ADR; ADRP counts in pages of 2 to the power of the row's argument.  */
static void
pc_relative (struct tb_semantics *s, const struct tb_fields *f)
{
  uint64_t value = tb_sign_extend (tb_bits (f->op, 23, 5) << 2
				   | tb_bits (f->op, 30, 29), 21);
  emit_constant (s, f->d, (f->pc & ~ones (f->arg)) + (value << f->arg));
}

static const struct tb_row addresses[] = {	/* "PC-rel. addressing"  */
  { 0x9f000000, 0x10000000, 0, 0, pc_relative },
  { 0x9f000000, 0x90000000, 0, 12, pc_relative },
};
const struct tb_rows tb_a64_addresses_rows = TB_ROWS (addresses);

/* ADD, SUB; ADDS, SUBS.  */
static void
add (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned shift = tb_bits (f->op, 22, 22) ? 12 : 0;
  emit_constant (s, T3, (uint64_t) tb_bits (f->op, 21, 10) << shift);
  tb_a64_sum (s, tb_bits (f->op, 30, 30), f->d, f->n, T3, f->wide,
	      tb_bits (f->op, 29, 29));
}

/* ADDG, SUBG.  */
static void
add_tag (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, f->arg, T0, f->n, 16 * (uint64_t) tb_bits (f->op, 21, 16));
  tb_a64_any_tag (s, f->d, T0);
}

/* SMAX, UMAX, SMIN, UMIN.  */
static void
extreme (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned which = tb_bits (f->op, 19, 18);
  uint64_t imm = tb_bits (f->op, 17, 10);
  if (which & 1)
    result (s, T0, f->n, f->wide);
  else
    extended (s, T0, f->n, f->wide);
  emit_constant (s, T1, which & 1 ? imm : tb_sign_extend (imm, 8));
  tb_a64_extreme (s, which, T0, T1, T0);
  result (s, f->d, T0, f->wide);
}

static const struct tb_row add_immediate[] = {
  { 0x3f800000, 0x11000000, D_SP | N_SP, 0, add },	/* "Add/subtract"  */
  { 0x3f800000, 0x31000000, N_SP, 0, add },
  { 0xffc0c000, 0x91800000, D_SP | N_SP, TB_OP_ADD, add_tag },
  { 0xffc0c000, 0xd1800000, D_SP | N_SP, TB_OP_SUB, add_tag },
  { 0x7ff00000, 0x11c00000, 0, 0, extreme },	/* "Min/max"  */
};
const struct tb_rows tb_a64_add_immediate_rows = TB_ROWS (add_immediate);

/* The constant of a logical instruction (DDI 0487, DecodeBitMasks); false
   where none is.  */
static bool
bit_mask (unsigned n, unsigned imms, unsigned immr, uint64_t *mask)
{
  unsigned field = n << 6 | (~imms & 63);
  if (field < 2)
    return false;
  unsigned length = 31 - (unsigned) __builtin_clz (field);
  unsigned size = 1u << length, levels = size - 1;
  unsigned set = imms & levels, rotate = immr & levels;
  if (set == levels)
    return false;
  uint64_t element = ones (set + 1);
  if (rotate != 0)
    element = (element >> rotate | element << (size - rotate)) & ones (size);
  for (; size < 64; size *= 2)
    element |= element << size;
  *mask = element;
  return true;
}

/* AND, ORR, EOR, ANDS.  */
static void
logic (struct tb_semantics *s, const struct tb_fields *f)
{
  uint64_t value;
  s->modelled = bit_mask (tb_bits (f->op, 22, 22), tb_bits (f->op, 15, 10),
			  tb_bits (f->op, 21, 16), &value)
		&& (f->wide || !tb_bits (f->op, 22, 22));
  if (!s->modelled)
    return;
  emit_constant (s, T0, f->wide ? value : value & LOW_WORD);
  tb_a64_logic (s, tb_bits (f->op, 30, 29), f->d, f->n, T0, f->wide);
}

/* MOVN, MOVZ, MOVK.  */
static void
move_wide (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned opc = tb_bits (f->op, 30, 29);
  unsigned shift = 16 * tb_bits (f->op, 22, 21);
  uint64_t most = f->wide ? UINT64_MAX : LOW_WORD;
  uint64_t value = (uint64_t) tb_bits (f->op, 20, 5) << shift;
  if (!f->wide && shift >= 32)
    s->modelled = false;
  else if (opc != 3)
    emit_constant (s, f->d, (opc == 0 ? ~value : value) & most);
  else if (f->d != TB_A64_SINK)
    {
      emit_imm (s, TB_OP_AND, T0, f->d, ~(UINT64_C (0xffff) << shift) & most);
      emit_imm (s, TB_OP_ORR, f->d, T0, value);
    }
}

static const struct tb_row constants[] = {
  { 0x5f800000, 0x52800000, 0, 0, move_wide },	/* "Move wide"; MOVZ, MOVK  */
  { 0x7f800000, 0x12800000, 0, 0, move_wide },
  { 0x7f800000, 0x72000000, 0, 0, logic },	/* "Logical"; ANDS  */
  { 0x1f800000, 0x12000000, D_SP, 0, logic },
};
const struct tb_rows tb_a64_constants_rows = TB_ROWS (constants);

/* UBFM, SBFM, BFM.  */
static void
bit_field (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned immr = tb_bits (f->op, 21, 16), imms = tb_bits (f->op, 15, 10);
  unsigned size = f->wide ? 64 : 32, opc = tb_bits (f->op, 30, 29);
  bool insert = imms < immr;	/* Low bits go up, else a field comes down.  */
  unsigned width = insert ? imms + 1 : imms - immr + 1;
  unsigned up = insert ? size - immr : 0, t = f->n;

  if (opc == 0)			/* SBFM: sign in bit 63, then down.  */
    {
      if (immr == 0 && (width == 8 || width == 16 || width == 32))
	emit (s, width == 8 ? TB_OP_SXTB : width == 16 ? TB_OP_SXTH
	      : TB_OP_SXTW, T0, f->n, NONE);
      else
	{
	  unsigned left = 63 - imms;
	  emit_imm (s, TB_OP_LSL, T0, f->n, left);
	  emit_imm (s, TB_OP_ASR, T0, T0, insert ? left - up : left + immr);
	}
      result (s, f->d, T0, f->wide);
      return;
    }
  if (!insert && immr != 0)
    {
      emit_imm (s, TB_OP_LSR, T0, f->n, immr);
      t = T0;
    }
  if (width + (insert ? up : immr) < 64)
    {
      emit_imm (s, TB_OP_AND, T0, t, ones (width));
      t = T0;
    }
  if (up != 0)
    {
      emit_imm (s, TB_OP_LSL, T0, t, up);
      t = T0;
    }
  if (opc == 1)			/* BFM  */
    {
      uint64_t keep = ~(ones (width) << up) & ones (size);
      emit_imm (s, TB_OP_AND, T1, tb_a64_read (f->op & 31), keep);
      emit (s, TB_OP_ORR, f->d, T1, t);
    }
  else
    emit (s, TB_OP_MOV, f->d, t, NONE);
}

/* EXTR  */
static void
extract (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned lsb = tb_bits (f->op, 15, 10);
  if (f->wide && f->n == f->m)
    emit_imm (s, TB_OP_ROR, f->d, f->m, lsb);
  else if (lsb == 0)
    result (s, f->d, f->m, f->wide);
  else
    {
      result (s, T0, f->m, f->wide);
      emit_imm (s, TB_OP_LSR, T0, T0, lsb);
      emit_imm (s, TB_OP_LSL, T1, f->n, (f->wide ? 64 : 32) - lsb);
      emit (s, TB_OP_ORR, T0, T0, T1);
      result (s, f->d, T0, f->wide);
    }
}

static const struct tb_row bit_fields[] = {
  { 0xbfe08000, 0x13000000, 0, 0, bit_field },	/* "Bitfield"; SBFM, UBFM  */
  { 0xbfc00000, 0x93400000, 0, 0, bit_field },
  { 0xffe08000, 0x33000000, 0, 0, bit_field },	/* BFM  */
  { 0xffc00000, 0xb3400000, 0, 0, bit_field },
  { 0xffe08000, 0x13800000, 0, 0, extract },	/* "Extract"  */
  { 0xffe00000, 0x93c00000, 0, 0, extract },
};
const struct tb_rows tb_a64_bit_fields_rows = TB_ROWS (bit_fields);
