/* Semantics of A64: data processing.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1: "Data Processing -- Immediate".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

#include <assert.h>

void
tb_emit_64 (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	    unsigned b, uint64_t imm)
{
  assert (s->count < TB_SEM_MAX);
  s->uops[s->count++] = (struct tb_uop) {
    .op = (uint8_t) op, .dst = (uint8_t) dst, .a = (uint8_t) a,
    .b = (uint8_t) b, .imm = imm
  };
}

/* Flags of A + B (A - B) where T5 is the sum (difference) of 64 bits; A and B
   are cut to 32 bits if the operation is.  */
static void
add_flags (struct tb_semantics *s, bool subtract, unsigned a, unsigned b,
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
    emit (s, subtract ? TB_OP_V_SUB32 : TB_OP_V_ADD32, TB_A64_V, a, b);
  if (subtract)
    tb_emit_64 (s, TB_OP_COMPARED, TB_A64_NONE, a, b, wide ? 64 : 32);
}

void
tb_a64_add (struct tb_semantics *s, bool subtract, unsigned dst, unsigned a,
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
logic_flags (struct tb_semantics *s, bool wide)
{
  emit_imm (s, TB_OP_BIT, TB_A64_N, TB_A64_T5, wide ? 63 : 31);
  emit (s, TB_OP_ISZERO, TB_A64_Z, TB_A64_T5, TB_A64_NONE);
  emit_imm (s, TB_OP_MOV, TB_A64_C, TB_A64_IMM, 0);
  emit_imm (s, TB_OP_MOV, TB_A64_V, TB_A64_IMM, 0);
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

void
tb_a64_logic (struct tb_semantics *s, unsigned opc, unsigned dst,
	      unsigned a, unsigned b, bool wide)
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
move_wide (struct tb_semantics *s, uint32_t opcode)
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
bit_field (struct tb_semantics *s, uint32_t opcode)
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
	      : TB_OP_SXTW, TB_A64_T0, from, TB_A64_NONE);
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
extract (struct tb_semantics *s, uint32_t opcode)
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
immediate (struct tb_semantics *s, uint32_t opcode, uint64_t pc)
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
      tb_a64_add (s, opc >> 1, opc & 1 ? tb_a64_write (rd) : rd, n, TB_A64_T3,
		  wide, opc & 1);
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
      tb_a64_logic (s, opc, opc == 3 ? tb_a64_write (rd) : rd, tb_a64_read (n),
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
    case 3:			/* ADDG, SUBG; minimum, maximum.  */
      if (!wide || opc & 1 || tb_bits (opcode, 22, 22))
	{
	  s->modelled = false;
	  break;
	}
      emit_imm (s, opc >> 1 ? TB_OP_SUB : TB_OP_ADD, TB_A64_T0, n,
		16 * (uint64_t) tb_bits (opcode, 21, 16));
      tb_a64_any_tag (s, rd, TB_A64_T0);
      break;
    default:
      s->modelled = false;
      break;
    }
}

void
tb_semantics_a64 (struct tb_semantics *s, uint32_t opcode, uint64_t pc,
		  unsigned zero_block)
{
  s->modelled = true;
  s->count = 0;
  switch (tb_bits (opcode, 28, 25))
    {
    case 0x8: case 0x9:
      immediate (s, opcode, pc);
      break;
    case 0xa: case 0xb:
      tb_semantics_a64_system (s, opcode, pc, zero_block);
      break;
    case 0x4: case 0x6: case 0xc: case 0xe:
      tb_semantics_a64_memory (s, opcode, pc);
      break;
    case 0x5: case 0xd:
      tb_semantics_a64_register (s, opcode);
      break;
    case 0x7: case 0xf:
      if ((opcode & 0x5e000000) == 0x1e000000)
	tb_semantics_a64_fp (s, opcode);
      else
	tb_semantics_a64_simd (s, opcode);
      break;
    default:			/* SVE, SME, nothing; UDF.  */
      s->modelled = opcode >> 16 == 0;
      if (s->modelled)
	emit (s, TB_OP_TRAP, TB_A64_NONE, TB_A64_NONE, TB_A64_NONE);
      break;
    }
}
