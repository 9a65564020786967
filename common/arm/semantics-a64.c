/* Semantics of A64: data processing.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1: "Data Processing -- Immediate", "Data Processing --
   Register", "Data Processing -- Scalar Floating-Point and Advanced SIMD".  */

#include "config.h"
#include "arm/semantics-a64.h"

#include <assert.h>

#include "arm/flow-impl.h"

#define LOW_WORD UINT64_C (0xffffffff)

void
tb_emit_64 (struct tb_semantics_64 *s, unsigned op, unsigned dst, unsigned a,
	    unsigned b, uint64_t imm)
{
  assert (s->count < TB_SEM64_MAX);
  s->uops[s->count++] = (struct tb_uop_64) {
    .op = (uint8_t) op, .dst = (uint8_t) dst, .a = (uint8_t) a,
    .b = (uint8_t) b, .imm = imm
  };
}

static void
emit (struct tb_semantics_64 *s, unsigned op, unsigned dst, unsigned a,
      unsigned b)
{
  tb_emit_64 (s, op, dst, a, b, 0);
}

static void
emit_imm (struct tb_semantics_64 *s, unsigned op, unsigned dst, unsigned a,
	  uint64_t imm)
{
  tb_emit_64 (s, op, dst, a, TB_A64_IMM, imm);
}

/* DST = the value in FROM, cut to 32 bits where the operation is on W
   registers.  */
static void
result (struct tb_semantics_64 *s, unsigned dst, unsigned from, bool wide)
{
  if (wide)
    emit (s, TB_OP_MOV, dst, from, TB_A64_NONE);
  else
    emit_imm (s, TB_OP_AND, dst, from, LOW_WORD);
}

/* Flags of A + B (A - B) where T5 is the sum (difference) of 64 bits; A and B
   are cut to 32 bits if the operation is.  */
static void
add_flags (struct tb_semantics_64 *s, bool subtract, unsigned a, unsigned b,
	   bool wide)
{
  emit_imm (s, TB_OP_BIT, TB_A64_N, TB_A64_T5, wide ? 63 : 31);
  if (subtract || wide)
    emit (s, TB_OP_ISZERO, TB_A64_Z, TB_A64_T5, TB_A64_NONE);
  else
    {
      emit_imm (s, TB_OP_AND, TB_A64_T4, TB_A64_T5, LOW_WORD);
      emit (s, TB_OP_ISZERO, TB_A64_Z, TB_A64_T4, TB_A64_NONE);
    }
  if (subtract)
    {
      emit (s, TB_OP_LTU, TB_A64_T4, a, b);
      emit_imm (s, TB_OP_EOR, TB_A64_C, TB_A64_T4, 1);
    }
  else if (wide)
    emit (s, TB_OP_LTU, TB_A64_C, TB_A64_T5, a);
  else
    emit_imm (s, TB_OP_BIT, TB_A64_C, TB_A64_T5, 32);
  if (wide)
    emit (s, subtract ? TB_OP_V_SUB : TB_OP_V_ADD, TB_A64_V, a, b);
  else
    emit (s, subtract ? TB_OP64_V_SUB32 : TB_OP64_V_ADD32, TB_A64_V, a, b);
  if (subtract)
    tb_emit_64 (s, TB_OP64_COMPARED, TB_A64_NONE, a, b, wide ? 64 : 32);
}

/* DST = A + B (A - B); with FLAGS, T2 and T3 are used for the operands.  */
static void
add (struct tb_semantics_64 *s, bool subtract, unsigned dst, unsigned a,
     unsigned b, bool wide, bool flags)
{
  if (flags && !wide)
    {
      emit_imm (s, TB_OP_AND, TB_A64_T2, a, LOW_WORD);
      emit_imm (s, TB_OP_AND, TB_A64_T3, b, LOW_WORD);
      a = TB_A64_T2;
      b = TB_A64_T3;
    }
  emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, TB_A64_T5, a, b);
  if (flags)
    add_flags (s, subtract, a, b, wide);
  if (dst != TB_A64_SINK)
    result (s, dst, TB_A64_T5, wide);
}

/* N and Z by the value in T5, which is cut to its size; C and V are 0.  */
static void
logic_flags (struct tb_semantics_64 *s, bool wide)
{
  emit_imm (s, TB_OP_BIT, TB_A64_N, TB_A64_T5, wide ? 63 : 31);
  emit (s, TB_OP_ISZERO, TB_A64_Z, TB_A64_T5, TB_A64_NONE);
  emit_imm (s, TB_OP_MOV, TB_A64_C, TB_A64_IMM, 0);
  emit_imm (s, TB_OP_MOV, TB_A64_V, TB_A64_IMM, 0);
}

static uint64_t
ones (unsigned n)
{
  return n >= 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1;
}

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

/* Operand B as it is, or what BIC and the like make of it.  */
static void
logic (struct tb_semantics_64 *s, unsigned opc, unsigned dst, unsigned a,
       unsigned b, bool wide)
{
  static const uint8_t ops[4] = { TB_OP_AND, TB_OP_ORR, TB_OP_EOR,
				  TB_OP_AND };
  emit (s, ops[opc], TB_A64_T5, a, b);
  if (!wide)
    emit_imm (s, TB_OP_AND, TB_A64_T5, TB_A64_T5, LOW_WORD);
  if (opc == 3)
    logic_flags (s, wide);
  if (dst != TB_A64_SINK)
    emit (s, TB_OP_MOV, dst, TB_A64_T5, TB_A64_NONE);
}

static void
move_wide (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned opc = tb_bits (opcode, 30, 29), dst = tb_a64_write (opcode & 31);
  unsigned shift = 16 * tb_bits (opcode, 22, 21);
  uint64_t value = (uint64_t) tb_bits (opcode, 20, 5) << shift;

  if (opc == 1 || (!wide && shift >= 32))
    s->modelled = false;
  else if (opc == 3)		/* MOVK */
    {
      uint64_t keep = ~(UINT64_C (0xffff) << shift);
      emit_imm (s, TB_OP_AND, TB_A64_T0, opcode & 31,
		wide ? keep : keep & LOW_WORD);
      emit_imm (s, TB_OP_ORR, dst, TB_A64_T0, value);
      if ((opcode & 31) == 31)
	s->count = 0;
    }
  else
    {
      if (opc == 0)
	value = ~value;
      emit_imm (s, TB_OP_MOV, dst, TB_A64_IMM, wide ? value
		: value & LOW_WORD);
    }
}

/* UBFM, SBFM, BFM.  */
static void
bit_field (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned opc = tb_bits (opcode, 30, 29), dst = tb_a64_write (opcode & 31);
  unsigned from = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned immr = tb_bits (opcode, 21, 16), imms = tb_bits (opcode, 15, 10);
  unsigned size = wide ? 64 : 32;
  bool insert = imms < immr;	/* Low bits go up, else a field comes down.  */
  unsigned width = insert ? imms + 1 : imms - immr + 1;
  unsigned up = insert ? size - immr : 0;

  if (opc == 3 || tb_bits (opcode, 22, 22) != wide
      || (!wide && (immr | imms) > 31))
    {
      s->modelled = false;
      return;
    }
  if (opc == 0)			/* SBFM: sign in bit 63, then down.  */
    {
      if (immr == 0 && (width == 8 || width == 16 || width == 32))
	emit (s, width == 8 ? TB_OP_SXTB : width == 16 ? TB_OP_SXTH
	      : TB_OP64_SXTW, TB_A64_T0, from, TB_A64_NONE);
      else
	{
	  unsigned left = 63 - imms;
	  emit_imm (s, TB_OP_LSL, TB_A64_T0, from, left);
	  emit_imm (s, TB_OP_ASR, TB_A64_T0, TB_A64_T0,
		    insert ? left - up : left + immr);
	}
      result (s, dst, TB_A64_T0, wide);
      return;
    }
  unsigned t = from;
  if (!insert && immr != 0)
    {
      emit_imm (s, TB_OP_LSR, TB_A64_T0, from, immr);
      t = TB_A64_T0;
    }
  if (width + (insert ? up : immr) < 64)
    {
      emit_imm (s, TB_OP_AND, TB_A64_T0, t, ones (width));
      t = TB_A64_T0;
    }
  if (up != 0)
    {
      emit_imm (s, TB_OP_LSL, TB_A64_T0, t, up);
      t = TB_A64_T0;
    }
  if (opc == 1)			/* BFM */
    {
      uint64_t keep = ~(ones (width) << up) & ones (size);
      emit_imm (s, TB_OP_AND, TB_A64_T1, tb_a64_read (opcode & 31), keep);
      emit (s, TB_OP_ORR, dst, TB_A64_T1, t);
    }
  else
    emit (s, TB_OP_MOV, dst, t, TB_A64_NONE);
}

static void
extract (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31), lsb = tb_bits (opcode, 15, 10);
  unsigned high = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned low = tb_a64_read (tb_bits (opcode, 20, 16));

  if (tb_bits (opcode, 30, 29) != 0 || tb_bits (opcode, 21, 21)
      || tb_bits (opcode, 22, 22) != wide || (!wide && lsb > 31))
    {
      s->modelled = false;
      return;
    }
  if (wide && high == low)
    {
      emit_imm (s, TB_OP_ROR, dst, low, lsb);
      return;
    }
  if (lsb == 0)
    {
      result (s, dst, low, wide);
      return;
    }
  result (s, TB_A64_T0, low, wide);
  emit_imm (s, TB_OP_LSR, TB_A64_T0, TB_A64_T0, lsb);
  emit_imm (s, TB_OP_LSL, TB_A64_T1, high, (wide ? 64 : 32) - lsb);
  emit (s, TB_OP_ORR, TB_A64_T0, TB_A64_T0, TB_A64_T1);
  result (s, dst, TB_A64_T0, wide);
}

/* "Data Processing -- Immediate".  */
static void
immediate (struct tb_semantics_64 *s, uint32_t opcode, uint64_t pc)
{
  bool wide = opcode >> 31;
  unsigned opc = tb_bits (opcode, 30, 29), rd = opcode & 31;
  unsigned n = tb_bits (opcode, 9, 5);
  uint64_t value;

  switch (tb_bits (opcode, 25, 23))
    {
    case 0: case 1:		/* ADR, ADRP */
      value = tb_sign_extend (tb_bits (opcode, 23, 5) << 2 | opc, 21);
      value = wide ? (pc & ~UINT64_C (0xfff)) + (value << 12) : pc + value;
      emit_imm (s, TB_OP_MOV, tb_a64_write (rd), TB_A64_IMM, value);
      break;
    case 2:			/* ADD, SUB; 31 is SP unless flags are set. */
      value = (uint64_t) tb_bits (opcode, 21, 10)
	      << (tb_bits (opcode, 22, 22) ? 12 : 0);
      emit_imm (s, TB_OP_MOV, TB_A64_T3, TB_A64_IMM, value);
      add (s, opc >> 1, opc & 1 ? tb_a64_write (rd) : rd, n, TB_A64_T3, wide,
	   opc & 1);
      break;
    case 4:
      if (!bit_mask (tb_bits (opcode, 22, 22), tb_bits (opcode, 15, 10),
		     tb_bits (opcode, 21, 16), &value)
	  || (!wide && tb_bits (opcode, 22, 22)))
	{
	  s->modelled = false;
	  break;
	}
      emit_imm (s, TB_OP_MOV, TB_A64_T0, TB_A64_IMM,
		wide ? value : value & LOW_WORD);
      logic (s, opc, opc == 3 ? tb_a64_write (rd) : rd, tb_a64_read (n),
	     TB_A64_T0, wide);
      break;
    case 5:
      move_wide (s, opcode);
      break;
    case 6:
      bit_field (s, opcode);
      break;
    case 7:
      extract (s, opcode);
      break;
    default:			/* With tags; minimum, maximum.  */
      s->modelled = false;
      break;
    }
}

/* T0 = register M shifted as KIND (0 LSL, 1 LSR, 2 ASR, 3 ROR) by AMOUNT.  */
static void
shifted (struct tb_semantics_64 *s, unsigned m, unsigned kind,
	 unsigned amount, bool wide)
{
  static const uint8_t ops[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				  TB_OP_ROR };
  m = tb_a64_read (m);
  if (amount == 0)
    emit (s, TB_OP_MOV, TB_A64_T0, m, TB_A64_NONE);
  else if (wide || kind == 0)
    emit_imm (s, ops[kind], TB_A64_T0, m, amount);
  else if (kind == 2)
    {
      emit (s, TB_OP64_SXTW, TB_A64_T0, m, TB_A64_NONE);
      emit_imm (s, TB_OP_ASR, TB_A64_T0, TB_A64_T0, amount);
    }
  else
    {
      emit_imm (s, TB_OP_AND, TB_A64_T0, m, LOW_WORD);
      if (kind == 3)		/* Both halves are the word.  */
	{
	  emit_imm (s, TB_OP_LSL, TB_A64_T1, TB_A64_T0, 32);
	  emit (s, TB_OP_ORR, TB_A64_T0, TB_A64_T0, TB_A64_T1);
	}
      emit_imm (s, TB_OP_LSR, TB_A64_T0, TB_A64_T0, amount);
    }
}

static void
logic_register (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  if (!wide && tb_bits (opcode, 15, 15))
    {
      s->modelled = false;
      return;
    }
  shifted (s, tb_bits (opcode, 20, 16), tb_bits (opcode, 23, 22),
	   tb_bits (opcode, 15, 10), wide);
  if (tb_bits (opcode, 21, 21))
    emit_imm (s, TB_OP_EOR, TB_A64_T0, TB_A64_T0, UINT64_MAX);
  unsigned n = tb_bits (opcode, 9, 5), opc = tb_bits (opcode, 30, 29);
  /* MOV (register) is ORR with XZR.  */
  if (n == 31 && opc == 1)
    result (s, tb_a64_write (opcode & 31), TB_A64_T0, wide);
  else
    logic (s, opc, tb_a64_write (opcode & 31), tb_a64_read (n), TB_A64_T0,
	   wide);
}

static void
add_register (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31, flags = tb_bits (opcode, 29, 29);
  unsigned rd = opcode & 31, n = tb_bits (opcode, 9, 5);
  unsigned m = tb_bits (opcode, 20, 16);

  if (!tb_bits (opcode, 21, 21))	/* Shifted.  */
    {
      if (tb_bits (opcode, 23, 22) == 3 || (!wide && tb_bits (opcode, 15, 15)))
	{
	  s->modelled = false;
	  return;
	}
      shifted (s, m, tb_bits (opcode, 23, 22), tb_bits (opcode, 15, 10), wide);
      add (s, tb_bits (opcode, 30, 30), tb_a64_write (rd), tb_a64_read (n),
	   TB_A64_T0, wide, flags);
      return;
    }
  unsigned option = tb_bits (opcode, 15, 13), amount = tb_bits (opcode, 12, 10);
  if (amount > 4 || tb_bits (opcode, 23, 22) != 0)
    {
      s->modelled = false;
      return;
    }
  m = tb_a64_read (m);
  switch (option)
    {
    case 0: case 1: case 2:
      emit_imm (s, TB_OP_AND, TB_A64_T0, m, ones (8u << option));
      break;
    case 4:
      emit (s, TB_OP_SXTB, TB_A64_T0, m, TB_A64_NONE);
      break;
    case 5:
      emit (s, TB_OP_SXTH, TB_A64_T0, m, TB_A64_NONE);
      break;
    case 6:
      emit (s, TB_OP64_SXTW, TB_A64_T0, m, TB_A64_NONE);
      break;
    default:
      emit (s, TB_OP_MOV, TB_A64_T0, m, TB_A64_NONE);
      break;
    }
  if (amount != 0)
    emit_imm (s, TB_OP_LSL, TB_A64_T0, TB_A64_T0, amount);
  add (s, tb_bits (opcode, 30, 30), flags ? tb_a64_write (rd) : rd, n,
       TB_A64_T0, wide, flags);
}

/* ADC, SBC, with flags or without.  */
static void
add_carry (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31, flags = tb_bits (opcode, 29, 29);
  unsigned rd = opcode & 31;
  if (tb_bits (opcode, 15, 10) != 0)
    {
      s->modelled = false;	/* RMIF, SETF.  */
      return;
    }
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16));
  result (s, TB_A64_T2, tb_a64_read (tb_bits (opcode, 9, 5)), wide);
  if (tb_bits (opcode, 30, 30))
    {
      emit_imm (s, TB_OP_EOR, TB_A64_T3, m, UINT64_MAX);
      m = TB_A64_T3;
    }
  result (s, TB_A64_T3, m, wide);
  emit (s, TB_OP_ADD, TB_A64_T4, TB_A64_T2, TB_A64_T3);
  emit (s, TB_OP_ADD, TB_A64_T5, TB_A64_T4, TB_A64_C);
  if (flags)
    {
      if (wide)			/* Either addition may go round.  */
	{
	  emit (s, TB_OP_LTU, TB_A64_T0, TB_A64_T4, TB_A64_T2);
	  emit (s, TB_OP_LTU, TB_A64_T1, TB_A64_T5, TB_A64_T4);
	  emit (s, TB_OP_ORR, TB_A64_C, TB_A64_T0, TB_A64_T1);
	}
      else
	emit_imm (s, TB_OP_BIT, TB_A64_C, TB_A64_T5, 32);
      emit (s, TB_OP_EOR, TB_A64_T0, TB_A64_T2, TB_A64_T5);
      emit (s, TB_OP_EOR, TB_A64_T1, TB_A64_T3, TB_A64_T5);
      emit (s, TB_OP_AND, TB_A64_T0, TB_A64_T0, TB_A64_T1);
      emit_imm (s, TB_OP_BIT, TB_A64_V, TB_A64_T0, wide ? 63 : 31);
      emit_imm (s, TB_OP_BIT, TB_A64_N, TB_A64_T5, wide ? 63 : 31);
      result (s, TB_A64_T0, TB_A64_T5, wide);
      emit (s, TB_OP_ISZERO, TB_A64_Z, TB_A64_T0, TB_A64_NONE);
    }
  result (s, tb_a64_write (rd), TB_A64_T5, wide);
}

/* CCMN, CCMP: the flags of a comparison if the condition holds, else those of
   the immediate.  */
static void
conditional_compare (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31, subtract = tb_bits (opcode, 30, 30);
  unsigned m = tb_bits (opcode, 20, 16);
  if (!tb_bits (opcode, 29, 29) || tb_bits (opcode, 10, 10)
      || tb_bits (opcode, 4, 4))
    {
      s->modelled = false;
      return;
    }
  tb_emit_64 (s, TB_OP64_CONDITION, TB_A64_IF, TB_A64_NONE, TB_A64_NONE,
	      tb_bits (opcode, 15, 12));
  if (tb_bits (opcode, 11, 11))
    emit_imm (s, TB_OP_MOV, TB_A64_T3, TB_A64_IMM, m);
  else
    emit (s, TB_OP_MOV, TB_A64_T3, tb_a64_read (m), TB_A64_NONE);
  add (s, subtract, TB_A64_SINK, tb_a64_read (tb_bits (opcode, 9, 5)),
       TB_A64_T3, wide, true);
  for (unsigned i = 0; i < 4; i++)
    emit_imm (s, TB_OP64_SELECT, TB_A64_N + i, TB_A64_N + i,
	      opcode >> (3 - i) & 1);
}

/* CSEL, CSINC, CSINV, CSNEG.  */
static void
conditional_select (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16)), b = m;
  if (tb_bits (opcode, 29, 29) || tb_bits (opcode, 11, 11))
    {
      s->modelled = false;
      return;
    }
  tb_emit_64 (s, TB_OP64_CONDITION, TB_A64_IF, TB_A64_NONE, TB_A64_NONE,
	      tb_bits (opcode, 15, 12));
  switch (tb_bits (opcode, 30, 30) << 1 | tb_bits (opcode, 10, 10))
    {
    case 1:
      emit_imm (s, TB_OP_ADD, b = TB_A64_T0, m, 1);
      break;
    case 2:
      emit_imm (s, TB_OP_EOR, b = TB_A64_T0, m, UINT64_MAX);
      break;
    case 3:
      emit (s, TB_OP_SUB, b = TB_A64_T0, TB_A64_ZERO, m);
      break;
    }
  result (s, TB_A64_T0, b, wide);
  result (s, TB_A64_T1, n, wide);
  emit (s, TB_OP64_SELECT, tb_a64_write (opcode & 31), TB_A64_T1, TB_A64_T0);
}

/* "Data-processing (3 source)".  */
static void
three_source (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31);
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16));
  unsigned a = tb_bits (opcode, 14, 10);
  unsigned op31 = tb_bits (opcode, 23, 21);
  bool subtract = tb_bits (opcode, 15, 15);

  if (tb_bits (opcode, 30, 29) != 0 || (!wide && op31 != 0))
    {
      s->modelled = false;
      return;
    }
  switch (op31)
    {
    case 0:
      break;
    case 1:			/* SMADDL, SMSUBL */
      emit (s, TB_OP64_SXTW, TB_A64_T0, n, TB_A64_NONE);
      emit (s, TB_OP64_SXTW, TB_A64_T1, m, TB_A64_NONE);
      n = TB_A64_T0;
      m = TB_A64_T1;
      break;
    case 5:			/* UMADDL, UMSUBL */
      emit_imm (s, TB_OP_AND, TB_A64_T0, n, LOW_WORD);
      emit_imm (s, TB_OP_AND, TB_A64_T1, m, LOW_WORD);
      n = TB_A64_T0;
      m = TB_A64_T1;
      break;
    case 2: case 6:
      if (subtract)
	s->modelled = false;
      emit (s, op31 == 2 ? TB_OP_SMULH : TB_OP_UMULH, dst, n, m);
      return;
    default:
      s->modelled = false;
      return;
    }
  emit (s, TB_OP_MUL, TB_A64_T0, n, m);
  if (a != 31 || subtract)
    emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, TB_A64_T0, tb_a64_read (a),
	  TB_A64_T0);
  result (s, dst, TB_A64_T0, wide);
}

/* "Data-processing (2 source)": divisions and shifts by a register.  */
static void
two_source (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31);
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16));
  static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				     TB_OP_ROR };
  unsigned op = tb_bits (opcode, 15, 10);

  switch (tb_bits (opcode, 29, 29) ? 0 : op)
    {
    case 2: case 3:
      if (!wide && op == 2)
	{
	  emit_imm (s, TB_OP_AND, TB_A64_T0, n, LOW_WORD);
	  emit_imm (s, TB_OP_AND, TB_A64_T1, m, LOW_WORD);
	}
      else
	{
	  unsigned how = wide ? TB_OP_MOV : TB_OP64_SXTW;
	  emit (s, how, TB_A64_T0, n, TB_A64_NONE);
	  emit (s, how, TB_A64_T1, m, TB_A64_NONE);
	}
      emit (s, op == 2 ? TB_OP_UDIV : TB_OP_SDIV, TB_A64_T0, TB_A64_T0,
	    TB_A64_T1);
      result (s, dst, TB_A64_T0, wide);
      break;
    case 8: case 9: case 10: case 11:
      emit_imm (s, TB_OP_AND, TB_A64_T1, m, wide ? 63 : 31);
      if (wide || op == 8)
	emit (s, TB_OP_MOV, TB_A64_T0, n, TB_A64_NONE);
      else if (op == 10)
	emit (s, TB_OP64_SXTW, TB_A64_T0, n, TB_A64_NONE);
      else
	emit_imm (s, TB_OP_AND, TB_A64_T0, n, LOW_WORD);
      if (!wide && op == 11)
	{
	  emit_imm (s, TB_OP_LSL, TB_A64_T2, TB_A64_T0, 32);
	  emit (s, TB_OP_ORR, TB_A64_T0, TB_A64_T0, TB_A64_T2);
	}
      emit (s, !wide && op == 11 ? TB_OP_LSR : shifts[op & 3], TB_A64_T0,
	    TB_A64_T0, TB_A64_T1);
      result (s, dst, TB_A64_T0, wide);
      break;
    case 12:			/* PACGA */
    case 16: case 17: case 18: case 19: case 20: case 21: case 22: case 23:
      tb_emit_64 (s, TB_OP64_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE,
		  op == 12 ? UINT64_MAX : LOW_WORD);	/* CRC32 */
      break;
    default:
      s->modelled = false;
      break;
    }
}

/* "Data-processing (1 source)".  */
static void
one_source (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31);
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned op = tb_bits (opcode, 15, 10);

  if (tb_bits (opcode, 20, 16) == 1 && wide)
    {
      /* Pointer authentication of the register itself.  */
      tb_emit_64 (s, TB_OP64_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE,
		  UINT64_MAX);
      return;
    }
  if (tb_bits (opcode, 20, 16) != 0 || tb_bits (opcode, 29, 29) || op > 5
      || (!wide && op == 3))
    {
      s->modelled = false;
      return;
    }
  switch (op)
    {
    case 0:
      emit (s, TB_OP_RBIT, TB_A64_T0, n, TB_A64_NONE);
      break;
    case 1:
      emit (s, TB_OP_REV16, TB_A64_T0, n, TB_A64_NONE);
      break;
    case 2: case 3:
      emit (s, wide && op == 2 ? TB_OP64_REV32 : TB_OP_REV, TB_A64_T0, n,
	    TB_A64_NONE);
      break;
    case 4:
      result (s, TB_A64_T0, n, wide);
      emit (s, TB_OP_CLZ, TB_A64_T0, TB_A64_T0, TB_A64_NONE);
      break;
    default:			/* CLS: bits equal to the sign, less one.  */
      emit (s, wide ? TB_OP_MOV : TB_OP64_SXTW, TB_A64_T0, n, TB_A64_NONE);
      emit_imm (s, TB_OP_ASR, TB_A64_T1, TB_A64_T0, 1);
      emit (s, TB_OP_EOR, TB_A64_T0, TB_A64_T0, TB_A64_T1);
      emit (s, TB_OP_CLZ, TB_A64_T0, TB_A64_T0, TB_A64_NONE);
      emit_imm (s, TB_OP_SUB, TB_A64_T0, TB_A64_T0, 1);
      break;
    }
  if (!wide && (op == 0 || op == 2))
    emit_imm (s, TB_OP_LSR, dst, TB_A64_T0, 32);
  else if (!wide && op >= 4)
    emit_imm (s, TB_OP_SUB, dst, TB_A64_T0, 32);
  else
    result (s, dst, TB_A64_T0, wide);
}

/* "Data Processing -- Register".  */
static void
registers (struct tb_semantics_64 *s, uint32_t opcode)
{
  unsigned group = tb_bits (opcode, 24, 21);
  if (!tb_bits (opcode, 28, 28))
    {
      if (tb_bits (opcode, 24, 24))
	add_register (s, opcode);
      else
	logic_register (s, opcode);
    }
  else if (group >= 8)
    three_source (s, opcode);
  else if (group == 0)
    add_carry (s, opcode);
  else if (group == 2)
    conditional_compare (s, opcode);
  else if (group == 4)
    conditional_select (s, opcode);
  else if (group == 6)
    {
      if (tb_bits (opcode, 30, 30))
	one_source (s, opcode);
      else
	two_source (s, opcode);
    }
  else
    s->modelled = false;
}

/* Floating point and vectors: only what gets into general registers and the
   flags.  */
static void
vectors (struct tb_semantics_64 *s, uint32_t opcode)
{
  bool scalar = tb_bits (opcode, 30, 24) == 0x1e;
  bool convert = scalar && (!tb_bits (opcode, 21, 21)
			    || tb_bits (opcode, 15, 10) == 0);
  bool compare = scalar && tb_bits (opcode, 21, 21)
		 && (tb_bits (opcode, 13, 10) == 8
		     || tb_bits (opcode, 11, 10) == 1);
  unsigned to = tb_bits (opcode, 18, 16), rmode = tb_bits (opcode, 20, 19);
  /* SMOV, UMOV.  */
  bool lane = (opcode & 0xbfe0fc00) == 0x0e002c00
	      || (opcode & 0xbfe0fc00) == 0x0e003c00;
  /* FJCVTZS sets the flags, too.  */
  if (compare || (convert && to == 6 && rmode == 3))
    for (unsigned i = 0; i < 4; i++)
      tb_emit_64 (s, TB_OP64_UNKNOWN, TB_A64_N + i, TB_A64_NONE, TB_A64_NONE,
		  1);
  if (lane || (convert && (to < 2 || (to >= 4 && to != 7))))
    tb_emit_64 (s, TB_OP64_UNKNOWN, tb_a64_write (opcode & 31), TB_A64_NONE,
		TB_A64_NONE, UINT64_MAX);
}

void
tb_semantics_a64 (struct tb_semantics_64 *s, uint32_t opcode, uint64_t pc)
{
  s->modelled = true;
  s->count = 0;
  switch (tb_bits (opcode, 28, 25))
    {
    case 0x8: case 0x9:
      immediate (s, opcode, pc);
      break;
    case 0xa: case 0xb:
      tb_semantics_a64_system (s, opcode, pc);
      break;
    case 0x4: case 0x6: case 0xc: case 0xe:
      tb_semantics_a64_memory (s, opcode, pc);
      break;
    case 0x5: case 0xd:
      registers (s, opcode);
      break;
    case 0x7: case 0xf:
      vectors (s, opcode);
      break;
    default:			/* SVE, SME, nothing; UDF.  */
      s->modelled = opcode >> 16 == 0;
      if (s->modelled)
	emit (s, TB_OP64_TRAP, TB_A64_NONE, TB_A64_NONE, TB_A64_NONE);
      break;
    }
}
