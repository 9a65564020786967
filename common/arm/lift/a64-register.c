/* Semantics of A64: data processing on registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Data Processing -- Register".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				   TB_OP_ROR };

/* T0 = M, shifted by a constant.  */
static void
shifted (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned kind = tb_bits (f->op, 23, 22), amount = tb_bits (f->op, 15, 10);
  if (amount == 0)
    emit (s, TB_OP_MOV, T0, f->m, NONE);
  else if (f->wide || kind == 0)
    emit_imm (s, shifts[kind], T0, f->m, amount);
  else if (kind == 2)
    {
      emit (s, TB_OP_SXTW, T0, f->m, NONE);
      emit_imm (s, TB_OP_ASR, T0, T0, amount);
    }
  else
    {
      emit_imm (s, TB_OP_AND, T0, f->m, LOW_WORD);
      if (kind == 3)		/* Both halves are the word.  */
	{
	  emit_imm (s, TB_OP_LSL, T1, T0, 32);
	  emit (s, TB_OP_ORR, T0, T0, T1);
	}
      emit_imm (s, TB_OP_LSR, T0, T0, amount);
    }
}

/* AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS.  */
static void
logic (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned opc = tb_bits (f->op, 30, 29);
  shifted (s, f);
  if (tb_bits (f->op, 21, 21))
    emit_imm (s, TB_OP_EOR, T0, T0, UINT64_MAX);
  if (f->n == ZERO && opc == 1)	/* MOV (register) is ORR with XZR.  */
    result (s, f->d, T0, f->wide);
  else
    tb_a64_logic (s, opc, f->d, f->n, T0, f->wide);
}

static const struct tb_row logical[] = {	/* "Logical (shifted register)"  */
  { 0x1f000000, 0x0a000000, W_FIVE, 0, logic },
};
const struct tb_rows tb_a64_logical_rows = TB_ROWS (logical);

static void
sum (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_a64_sum (s, tb_bits (f->op, 30, 30), f->d, f->n, T0, f->wide,
	      tb_bits (f->op, 29, 29));
}

static void
add_shifted (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_bits (f->op, 23, 22) != 3;
  shifted (s, f);
  sum (s, f);
}

static void
add_extended (struct tb_semantics *s, const struct tb_fields *f)
{
  static const uint8_t ops[8] = {
    TB_OP_AND, TB_OP_AND, TB_OP_AND, TB_OP_MOV, TB_OP_SXTB, TB_OP_SXTH,
    TB_OP_SXTW, TB_OP_MOV
  };
  unsigned option = tb_bits (f->op, 15, 13), amount = tb_bits (f->op, 12, 10);
  s->modelled = amount <= 4;
  if (ops[option] == TB_OP_AND)
    emit_imm (s, TB_OP_AND, T0, f->m, ones (8u << option));
  else
    emit (s, ops[option], T0, f->m, NONE);
  if (amount != 0)
    emit_imm (s, TB_OP_LSL, T0, T0, amount);
  sum (s, f);
}

static const struct tb_row add[] = {
  { 0x1f200000, 0x0b000000, W_FIVE, 0, add_shifted },
  { 0x3fe00000, 0x0b200000, D_SP | N_SP, 0, add_extended },
  { 0x3fe00000, 0x2b200000, N_SP, 0, add_extended },
};
const struct tb_rows tb_a64_add_rows = TB_ROWS (add);

/* ADC, SBC, with flags or without.  */
static void
add_carry (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned m = f->m, sign = f->wide ? 63 : 31;
  result (s, T2, f->n, f->wide);
  if (tb_bits (f->op, 30, 30))
    {
      emit_imm (s, TB_OP_EOR, T3, m, UINT64_MAX);
      m = T3;
    }
  result (s, T3, m, f->wide);
  emit (s, TB_OP_ADD, T4, T2, T3);
  emit (s, TB_OP_ADD, T5, T4, TB_A64_C);
  if (tb_bits (f->op, 29, 29))
    {
      if (f->wide)		/* Either addition may go round.  */
	{
	  emit (s, TB_OP_LTU, T0, T4, T2);
	  emit (s, TB_OP_LTU, T1, T5, T4);
	  emit (s, TB_OP_ORR, TB_A64_C, T0, T1);
	}
      else
	emit_imm (s, TB_OP_BIT, TB_A64_C, T5, 32);
      emit (s, TB_OP_EOR, T0, T2, T5);
      emit (s, TB_OP_EOR, T1, T3, T5);
      emit (s, TB_OP_AND, T0, T0, T1);
      emit_imm (s, TB_OP_BIT, TB_A64_V, T0, sign);
      emit_imm (s, TB_OP_BIT, TB_A64_N, T5, sign);
      result (s, T0, T5, f->wide);
      emit (s, TB_OP_ISZERO, TB_A64_Z, T0, NONE);
    }
  result (s, f->d, T5, f->wide);
}

/* RMIF: those flags that the mask names, from N rotated.  */
static void
rotate_into_flags (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, TB_OP_ROR, T0, f->n, tb_bits (f->op, 20, 15));
  for (unsigned i = 0; i < 4; i++)
    if (f->op >> i & 1)
      emit_imm (s, TB_OP_BIT, TB_A64_V - i, T0, i);
}

/* SETF8, SETF16: as if N were the sum of numbers of so many bits.  */
static void
evaluate_into_flags (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, TB_OP_BIT, TB_A64_N, f->n, f->arg - 1);
  emit_imm (s, TB_OP_AND, T0, f->n, ones (f->arg));
  emit (s, TB_OP_ISZERO, TB_A64_Z, T0, NONE);
  emit_imm (s, TB_OP_BIT, T1, f->n, f->arg);
  emit (s, TB_OP_EOR, TB_A64_V, T1, TB_A64_N);
}

/* CCMN, CCMP: the flags of a comparison if the condition holds, else those of
   the immediate.  */
static void
conditional_compare (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_only (s, TB_OP_CONDITION, TB_A64_IF, tb_bits (f->op, 15, 12));
  if (tb_bits (f->op, 11, 11))
    emit_constant (s, T3, tb_bits (f->op, 20, 16));
  else
    emit (s, TB_OP_MOV, T3, f->m, NONE);
  tb_a64_sum (s, tb_bits (f->op, 30, 30), TB_A64_SINK, f->n, T3, f->wide,
	      true);
  emit_imm (s, TB_OP_EOR, TB_A64_IF, TB_A64_IF, 1);
  for (unsigned i = 0; i < 4; i++)
    emit_move_if (s, TB_A64_IF, TB_A64_N + i, IMM, f->op >> (3 - i) & 1);
}

/* CSEL, CSINC, CSINV, CSNEG.  */
static void
conditional_select (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned b = f->m;
  emit_only (s, TB_OP_CONDITION, TB_A64_IF, tb_bits (f->op, 15, 12));
  switch (tb_bits (f->op, 30, 30) << 1 | tb_bits (f->op, 10, 10))
    {
    case 1:
      emit_imm (s, TB_OP_ADD, b = T0, f->m, 1);
      break;
    case 2:
      emit_imm (s, TB_OP_EOR, b = T0, f->m, UINT64_MAX);
      break;
    case 3:
      emit (s, TB_OP_SUB, b = T0, ZERO, f->m);
      break;
    }
  result (s, T1, f->n, f->wide);
  result (s, f->d, b, f->wide);
  emit_move_if (s, TB_A64_IF, f->d, T1, 0);
}

/* UDIV, SDIV (the row's argument).  */
static void
divide (struct tb_semantics *s, const struct tb_fields *f)
{
  void (*cut) (struct tb_semantics *, unsigned, unsigned, bool)
    = !f->wide && f->arg == TB_OP_UDIV ? result : extended;
  cut (s, T0, f->n, f->wide);
  cut (s, T1, f->m, f->wide);
  emit (s, f->arg, T0, T0, T1);
  result (s, f->d, T0, f->wide);
}

/* LSLV, LSRV, ASRV, RORV.  */
static void
shift (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = f->arg;
  emit_imm (s, TB_OP_AND, T1, f->m, f->wide ? 63 : 31);
  if (f->wide || op == TB_OP_LSL)
    emit (s, TB_OP_MOV, T0, f->n, NONE);
  else if (op == TB_OP_ASR)
    emit (s, TB_OP_SXTW, T0, f->n, NONE);
  else
    emit_imm (s, TB_OP_AND, T0, f->n, LOW_WORD);
  if (!f->wide && op == TB_OP_ROR)
    {
      emit_imm (s, TB_OP_LSL, T2, T0, 32);
      emit (s, TB_OP_ORR, T0, T0, T2);
      op = TB_OP_LSR;
    }
  emit (s, op, T0, T0, T1);
  result (s, f->d, T0, f->wide);
}

/* SMAX, UMAX, SMIN, UMIN.  */
static void
extreme (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned which = tb_bits (f->op, 11, 10);
  void (*cut) (struct tb_semantics *, unsigned, unsigned, bool)
    = which & 1 ? result : extended;
  cut (s, T0, f->n, f->wide);
  cut (s, T1, f->m, f->wide);
  tb_a64_extreme (s, which, T0, T1, T0);
  result (s, f->d, T0, f->wide);
}

/* SUBP, SUBPS: of addresses without their tags.  */
static void
subtract_pointers (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, TB_OP_LSL, T0, f->n, 8);
  emit_imm (s, TB_OP_ASR, T0, T0, 8);
  emit_imm (s, TB_OP_LSL, T1, f->m, 8);
  emit_imm (s, TB_OP_ASR, T1, T1, 8);
  if (f->arg)
    tb_a64_sum (s, true, f->d, T0, T1, true, true);
  else
    emit (s, TB_OP_SUB, f->d, T0, T1);
}

/* IRG  */
static void
insert_tag (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_a64_any_tag (s, f->d, f->n);
}

/* RBIT, REV, REV32 of a W register: what ends in the upper word goes down.  */
static void
reverse (struct tb_semantics *s, const struct tb_fields *f)
{
  emit (s, f->arg, T0, f->n, NONE);
  if (f->wide)
    emit (s, TB_OP_MOV, f->d, T0, NONE);
  else
    emit_imm (s, TB_OP_LSR, f->d, T0, 32);
}

/* REV16 and REV32 stay in their words.  */
static void
reverse_parts (struct tb_semantics *s, const struct tb_fields *f)
{
  emit (s, f->arg, T0, f->n, NONE);
  result (s, f->d, T0, f->wide);
}

/* D = the zeros in front of T0; a W register has 32 less.  */
static void
leading_zeros (struct tb_semantics *s, const struct tb_fields *f)
{
  emit (s, TB_OP_CLZ, T0, T0, NONE);
  if (f->arg)			/* CLS: bits equal to the sign, less one.  */
    emit_imm (s, TB_OP_SUB, T0, T0, 1);
  if (f->wide)
    emit (s, TB_OP_MOV, f->d, T0, NONE);
  else
    emit_imm (s, TB_OP_SUB, f->d, T0, 32);
}

static void
count_zeros (struct tb_semantics *s, const struct tb_fields *f)
{
  result (s, T0, f->n, f->wide);
  leading_zeros (s, f);
}

static void
count_signs (struct tb_semantics *s, const struct tb_fields *f)
{
  extended (s, T0, f->n, f->wide);
  emit_imm (s, TB_OP_ASR, T1, T0, 1);
  emit (s, TB_OP_EOR, T0, T0, T1);
  leading_zeros (s, f);
}

/* CTZ; behind a W register stands a one.  */
static void
count_trailing_zeros (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned from = f->n;
  if (!f->wide)
    emit_imm (s, TB_OP_ORR, from = T0, f->n, LOW_WORD + 1);
  emit (s, TB_OP_RBIT, T0, from, NONE);
  emit (s, TB_OP_CLZ, f->d, T0, NONE);
}

/* CNT  */
static void
count_ones (struct tb_semantics *s, const struct tb_fields *f)
{
  result (s, T0, f->n, f->wide);
  tb_a64_count_ones (s);
  emit_imm (s, TB_OP_MUL, T0, T0, UINT64_C (0x0101010101010101));
  emit_imm (s, TB_OP_LSR, f->d, T0, 56);
}

/* ABS  */
static void
absolute (struct tb_semantics *s, const struct tb_fields *f)
{
  extended (s, T0, f->n, f->wide);
  emit_imm (s, TB_OP_ASR, T1, T0, 63);
  emit (s, TB_OP_EOR, T0, T0, T1);
  emit (s, TB_OP_SUB, T0, T0, T1);
  result (s, f->d, T0, f->wide);
}

static const struct tb_row registers[] = {
  { 0x3fe00800, 0x1a800000, 0, 0, conditional_select },
  { 0x3fe00410, 0x3a400000, 0, 0, conditional_compare },
  { 0x1fe0fc00, 0x1a000000, 0, 0, add_carry },
  { 0xffe07c10, 0xba000400, 0, 0, rotate_into_flags },
  { 0xfffffc1f, 0x3a00080d, 0, 8, evaluate_into_flags },
  { 0xfffffc1f, 0x3a00480d, 0, 16, evaluate_into_flags },
  /* "Data-processing (2 source)"  */
  { 0x7fe0fc00, 0x1ac00800, 0, TB_OP_UDIV, divide },
  { 0x7fe0fc00, 0x1ac00c00, 0, TB_OP_SDIV, divide },
  { 0x7fe0fc00, 0x1ac02000, 0, TB_OP_LSL, shift },
  { 0x7fe0fc00, 0x1ac02400, 0, TB_OP_LSR, shift },
  { 0x7fe0fc00, 0x1ac02800, 0, TB_OP_ASR, shift },
  { 0x7fe0fc00, 0x1ac02c00, 0, TB_OP_ROR, shift },
  { 0x7fe0f000, 0x1ac06000, 0, 0, extreme },
  { 0xffe0ec00, 0x9ac04c00, 0, 32, tb_a64_unknown },	/* CRC32X, CRC32CX  */
  { 0xffe0e000, 0x1ac04000, 0, 32, tb_a64_unknown },	/* CRC32B ...  */
  { 0xffe0fc00, 0x9ac00000, N_SP | M_SP, 0, subtract_pointers },
  { 0xffe0fc00, 0xbac00000, N_SP | M_SP, 1, subtract_pointers },
  { 0xffe0fc00, 0x9ac01000, D_SP | N_SP, 0, insert_tag },
  { 0xffe0fc00, 0x9ac01400, N_SP, 64, tb_a64_unknown },	/* GMI  */
  { 0xffe0fc00, 0x9ac03000, N_SP, 64, tb_a64_unknown },	/* PACGA  */
  /* "Data-processing (1 source)"  */
  { 0x7ffffc00, 0x5ac00000, 0, TB_OP_RBIT, reverse },
  { 0x7ffffc00, 0x5ac00400, 0, TB_OP_REV16, reverse_parts },
  { 0xfffffc00, 0x5ac00800, 0, TB_OP_REV, reverse },
  { 0xfffffc00, 0xdac00800, 0, TB_OP_REV32, reverse_parts },
  { 0xfffffc00, 0xdac00c00, 0, TB_OP_REV, reverse },
  { 0x7ffffc00, 0x5ac01000, 0, 0, count_zeros },
  { 0x7ffffc00, 0x5ac01400, 0, 1, count_signs },
  { 0x7ffffc00, 0x5ac01800, 0, 0, count_trailing_zeros },
  { 0x7ffffc00, 0x5ac01c00, 0, 0, count_ones },
  { 0x7ffffc00, 0x5ac02000, 0, 0, absolute },
  { 0xffff0000, 0xdac10000, 0, 64, tb_a64_unknown },	/* PACIA, AUTIA ...  */
};
const struct tb_rows tb_a64_registers_rows = TB_ROWS (registers);

/* D = A + N * M of whole registers.  */
static void
multiply_add (struct tb_semantics *s, const struct tb_fields *f, unsigned n,
	      unsigned m)
{
  bool subtract = tb_bits (f->op, 15, 15);
  emit (s, TB_OP_MUL, T0, n, m);
  if (f->a != ZERO || subtract)
    emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, f->a, T0);
  result (s, f->d, T0, f->wide);
}

/* MADD, MSUB.  */
static void
multiply_whole (struct tb_semantics *s, const struct tb_fields *f)
{
  multiply_add (s, f, f->n, f->m);
}

/* SMADDL, SMSUBL; UMADDL, UMSUBL.  */
static void
multiply_words (struct tb_semantics *s, const struct tb_fields *f)
{
  void (*cut) (struct tb_semantics *, unsigned, unsigned, bool)
    = tb_bits (f->op, 23, 23) ? result : extended;
  cut (s, T0, f->n, false);
  cut (s, T1, f->m, false);
  multiply_add (s, f, T0, T1);
}

/* SMULH, UMULH.  */
static void
multiply_high (struct tb_semantics *s, const struct tb_fields *f)
{
  emit (s, f->arg, f->d, f->n, f->m);
}

static const struct tb_row multiply[] = {	/* "Data-processing (3 source)"  */
  { 0x7fe00000, 0x1b000000, 0, 0, multiply_whole },
  { 0xff600000, 0x9b200000, 0, 0, multiply_words },
  { 0xffe08000, 0x9b400000, 0, TB_OP_SMULH, multiply_high },
  { 0xffe08000, 0x9bc00000, 0, TB_OP_UMULH, multiply_high },
  { 0xffe00000, 0x9b600000, 0, 64, tb_a64_unknown },	/* MADDPT, MSUBPT  */
};
const struct tb_rows tb_a64_multiply_rows = TB_ROWS (multiply);
