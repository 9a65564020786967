/* Semantics of A64: data processing on registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Data Processing -- Register".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* T0 = register M shifted as KIND (0 LSL, 1 LSR, 2 ASR, 3 ROR) by AMOUNT.  */
static void
shifted (struct tb_semantics *s, unsigned m, unsigned kind,
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
      emit (s, TB_OP_SXTW, TB_A64_T0, m, TB_A64_NONE);
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
logic_register (struct tb_semantics *s, uint32_t opcode)
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
    tb_a64_logic (s, opc, tb_a64_write (opcode & 31), tb_a64_read (n),
		  TB_A64_T0, wide);
}

static void
add_register (struct tb_semantics *s, uint32_t opcode)
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
      tb_a64_add (s, tb_bits (opcode, 30, 30), tb_a64_write (rd),
		  tb_a64_read (n), TB_A64_T0, wide, flags);
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
      emit (s, TB_OP_SXTW, TB_A64_T0, m, TB_A64_NONE);
      break;
    default:
      emit (s, TB_OP_MOV, TB_A64_T0, m, TB_A64_NONE);
      break;
    }
  if (amount != 0)
    emit_imm (s, TB_OP_LSL, TB_A64_T0, TB_A64_T0, amount);
  tb_a64_add (s, tb_bits (opcode, 30, 30), flags ? tb_a64_write (rd) : rd, n,
	      TB_A64_T0, wide, flags);
}

/* ADC, SBC, with flags or without.  */
static void
add_carry (struct tb_semantics *s, uint32_t opcode)
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
conditional_compare (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31, subtract = tb_bits (opcode, 30, 30);
  unsigned m = tb_bits (opcode, 20, 16);
  if (!tb_bits (opcode, 29, 29) || tb_bits (opcode, 10, 10)
      || tb_bits (opcode, 4, 4))
    {
      s->modelled = false;
      return;
    }
  tb_emit_64 (s, TB_OP_CONDITION, TB_A64_IF, TB_A64_NONE, TB_A64_NONE,
	      tb_bits (opcode, 15, 12));
  if (tb_bits (opcode, 11, 11))
    emit_imm (s, TB_OP_MOV, TB_A64_T3, TB_A64_IMM, m);
  else
    emit (s, TB_OP_MOV, TB_A64_T3, tb_a64_read (m), TB_A64_NONE);
  tb_a64_add (s, subtract, TB_A64_SINK, tb_a64_read (tb_bits (opcode, 9, 5)),
	      TB_A64_T3, wide, true);
  for (unsigned i = 0; i < 4; i++)
    emit_imm (s, TB_OP_SELECT, TB_A64_N + i, TB_A64_N + i,
	      opcode >> (3 - i) & 1);
}

/* CSEL, CSINC, CSINV, CSNEG.  */
static void
conditional_select (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16)), b = m;
  if (tb_bits (opcode, 29, 29) || tb_bits (opcode, 11, 11))
    {
      s->modelled = false;
      return;
    }
  tb_emit_64 (s, TB_OP_CONDITION, TB_A64_IF, TB_A64_NONE, TB_A64_NONE,
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
  emit (s, TB_OP_SELECT, tb_a64_write (opcode & 31), TB_A64_T1, TB_A64_T0);
}

/* "Data-processing (3 source)".  */
static void
three_source (struct tb_semantics *s, uint32_t opcode)
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
      emit (s, TB_OP_SXTW, TB_A64_T0, n, TB_A64_NONE);
      emit (s, TB_OP_SXTW, TB_A64_T1, m, TB_A64_NONE);
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
two_source (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31);
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16));
  static const uint8_t shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR,
				     TB_OP_ROR };
  unsigned op = tb_bits (opcode, 15, 10);

  switch (tb_bits (opcode, 29, 29) ? 1 : op)
    {
    case 0:			/* SUBP: of addresses without their tags.  */
      s->modelled = wide;
      emit_imm (s, TB_OP_LSL, TB_A64_T0, tb_bits (opcode, 9, 5), 8);
      emit_imm (s, TB_OP_ASR, TB_A64_T0, TB_A64_T0, 8);
      emit_imm (s, TB_OP_LSL, TB_A64_T1, tb_bits (opcode, 20, 16), 8);
      emit_imm (s, TB_OP_ASR, TB_A64_T1, TB_A64_T1, 8);
      emit (s, TB_OP_SUB, dst, TB_A64_T0, TB_A64_T1);
      break;
    case 4:			/* IRG */
      s->modelled = wide;
      tb_a64_any_tag (s, opcode & 31, tb_bits (opcode, 9, 5));
      break;
    case 5:			/* GMI */
      s->modelled = wide;
      emit_unknown (s, dst, UINT64_MAX);
      break;
    case 2: case 3:
      if (!wide && op == 2)
	{
	  emit_imm (s, TB_OP_AND, TB_A64_T0, n, LOW_WORD);
	  emit_imm (s, TB_OP_AND, TB_A64_T1, m, LOW_WORD);
	}
      else
	{
	  unsigned how = wide ? TB_OP_MOV : TB_OP_SXTW;
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
	emit (s, TB_OP_SXTW, TB_A64_T0, n, TB_A64_NONE);
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
      tb_emit_64 (s, TB_OP_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE,
		  op == 12 ? UINT64_MAX : LOW_WORD);	/* CRC32 */
      break;
    default:
      s->modelled = false;
      break;
    }
}

/* "Data-processing (1 source)".  */
static void
one_source (struct tb_semantics *s, uint32_t opcode)
{
  bool wide = opcode >> 31;
  unsigned dst = tb_a64_write (opcode & 31);
  unsigned n = tb_a64_read (tb_bits (opcode, 9, 5));
  unsigned op = tb_bits (opcode, 15, 10);

  if (tb_bits (opcode, 20, 16) == 1 && wide)
    {
      /* Pointer authentication of the register itself.  */
      tb_emit_64 (s, TB_OP_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE,
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
      emit (s, wide && op == 2 ? TB_OP_REV32 : TB_OP_REV, TB_A64_T0, n,
	    TB_A64_NONE);
      break;
    case 4:
      result (s, TB_A64_T0, n, wide);
      emit (s, TB_OP_CLZ, TB_A64_T0, TB_A64_T0, TB_A64_NONE);
      break;
    default:			/* CLS: bits equal to the sign, less one.  */
      emit (s, wide ? TB_OP_MOV : TB_OP_SXTW, TB_A64_T0, n, TB_A64_NONE);
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
void
tb_semantics_a64_register (struct tb_semantics *s, uint32_t opcode)
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
