/* Semantics of A64 loads and stores.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Loads and stores".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* T0 = base register N (31: SP) + OFFSET.  */
static void
address (struct tb_semantics *s, unsigned n, uint64_t offset)
{
  emit_imm (s, offset != 0 ? TB_OP_ADD : TB_OP_MOV, TB_A64_T0, n, offset);
}

/* How a loaded value gets into its register.  */
enum extend { ZERO, SIGN_32, SIGN_64 };

/* Register RT = SIZE bytes in T1, extended.  */
static void
put (struct tb_semantics *s, unsigned rt, unsigned from, unsigned size,
     enum extend how)
{
  static const uint8_t ops[3] = { TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW };
  unsigned dst = tb_a64_write (rt);
  if (how == ZERO)
    {
      emit (s, TB_OP_MOV, dst, from, TB_A64_NONE);
      return;
    }
  emit (s, ops[size >> 1 & 3], dst, from, TB_A64_NONE);
  if (how == SIGN_32)
    emit_imm (s, TB_OP_AND, dst, dst, LOW_WORD);
}

/* Load vector register V of SIZE bytes from AT, which is T0 or T3, or store it there.
   T1 is used.  LITERAL: AT is relative to the PC.  */
static void
vector (struct tb_semantics *s, unsigned v, unsigned size, unsigned at,
	bool load, bool literal)
{
  unsigned op = literal ? TB_OP_LOAD_LITERAL : TB_OP_LOAD;
  unsigned low = size < 8 ? size : 8;
  if (load)
    tb_emit_64 (s, op, TB_A64_LOW (v), at, TB_A64_NONE, low);
  else
    tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, at, TB_A64_LOW (v), low);
  if (size == 16)
    {
      emit_imm (s, TB_OP_ADD, TB_A64_T1, at, 8);
      if (load)
	tb_emit_64 (s, op, TB_A64_HIGH (v), TB_A64_T1, TB_A64_NONE, 8);
      else
	tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, TB_A64_T1,
		    TB_A64_HIGH (v), 8);
    }
  else if (load)
    emit_constant (s, TB_A64_HIGH (v), 0);
}

/* Load or store register RT of SIZE bytes at T0; a load leaves it in T1.  */
static void
single (struct tb_semantics *s, unsigned rt, unsigned size, bool load)
{
  if (load)
    tb_emit_64 (s, TB_OP_LOAD, TB_A64_T1, TB_A64_T0, TB_A64_NONE, size);
  else
    tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, TB_A64_T0, tb_a64_read (rt),
		size);
}

/* LDR, STR and so on with the address in T0; before the registers are written
   the base N becomes itself plus UPDATE.  */
static void
plain (struct tb_semantics *s, uint32_t opcode, unsigned n,
       uint64_t update)
{
  unsigned size = opcode >> 30, opc = tb_bits (opcode, 23, 22);
  unsigned rt = opcode & 31;
  bool load = opc != 0;
  enum extend how = opc == 2 ? SIGN_64 : opc == 3 ? SIGN_32 : ZERO;

  if (tb_bits (opcode, 26, 26))
    {
      if (opc >= 2 && size != 0)
	{
	  s->modelled = false;
	  return;
	}
      vector (s, rt, opc >= 2 ? 16 : 1u << size, TB_A64_T0, opc & 1, false);
    }
  else if ((size == 3 && opc >= 2) || (size == 2 && opc == 3))
    {
      /* PRFM; no other is allocated.  */
      s->modelled = opc == 2;
      return;
    }
  else
    single (s, rt, 1u << size, load);
  if (update != 0)
    emit_imm (s, TB_OP_ADD, n, n, update);
  if (load && !tb_bits (opcode, 26, 26))
    put (s, rt, TB_A64_T1, 1u << size, how);
}

/* "Load register (literal)".  */
static void
literal (struct tb_semantics *s, uint32_t opcode, uint64_t pc)
{
  unsigned opc = opcode >> 30, rt = opcode & 31;
  uint64_t at = pc + (tb_sign_extend (tb_bits (opcode, 23, 5), 19) << 2);
  emit_imm (s, TB_OP_MOV, TB_A64_T0, TB_A64_IMM, at);
  if (tb_bits (opcode, 26, 26))
    {
      s->modelled = opc != 3;
      if (s->modelled)
	vector (s, rt, 4u << opc, TB_A64_T0, true, true);
      return;
    }
  if (opc == 3)			/* PRFM */
    return;
  unsigned size = opc == 1 ? 8 : 4;
  tb_emit_64 (s, TB_OP_LOAD_LITERAL, TB_A64_T1, TB_A64_T0, TB_A64_NONE,
	      size);
  put (s, rt, TB_A64_T1, size, opc == 2 ? SIGN_64 : ZERO);
}

/* "Load/store register pair": two of SIZE bytes at base N + OFFSET.  */
static void
pair (struct tb_semantics *s, uint32_t opcode)
{
  unsigned opc = opcode >> 30, form = tb_bits (opcode, 24, 23);
  unsigned n = tb_bits (opcode, 9, 5), rt = opcode & 31;
  unsigned rt2 = tb_bits (opcode, 14, 10);
  bool load = tb_bits (opcode, 22, 22), simd = tb_bits (opcode, 26, 26);
  unsigned scale = simd ? 2 + opc : opc == 2 ? 3 : 2;
  uint64_t offset = tb_sign_extend (tb_bits (opcode, 21, 15), 7) << scale;
  unsigned size = 1u << scale;

  if (opc == 3 || (opc == 1 && !simd && form == 0))
    {
      s->modelled = false;
      return;
    }
  if (opc == 1 && !simd && !load)	/* STGP: of X, beside a tag.  */
    {
      scale = 3;
      size = 8;
      offset = tb_sign_extend (tb_bits (opcode, 21, 15), 7) << 4;
    }
  address (s, n, form == 1 ? 0 : offset);
  emit_imm (s, TB_OP_ADD, TB_A64_T3, TB_A64_T0, size);
  if (simd)
    {
      vector (s, rt, size, TB_A64_T0, load, false);
      vector (s, rt2, size, TB_A64_T3, load, false);
      if (load && rt == rt2)	/* Constrained unpredictable.  */
	emit_forget (s, rt);
    }
  else
    {
      single (s, rt, size, load);
      if (load)
	tb_emit_64 (s, TB_OP_LOAD, TB_A64_T2, TB_A64_T3, TB_A64_NONE, size);
      else
	tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, TB_A64_T3,
		    tb_a64_read (rt2), size);
    }
  if (form & 1)
    emit_imm (s, TB_OP_ADD, n, n, offset);
  if (load && !simd)
    {
      put (s, rt, TB_A64_T1, size, opc == 1 ? SIGN_64 : ZERO);
      put (s, rt2, TB_A64_T2, size, opc == 1 ? SIGN_64 : ZERO);
    }
}

/* "Load/store exclusive", "ordered", "compare and swap".  */
static void
exclusive (struct tb_semantics *s, uint32_t opcode)
{
  unsigned size = 1u << (opcode >> 30), n = tb_bits (opcode, 9, 5);
  unsigned rs = tb_bits (opcode, 20, 16), rt = opcode & 31;
  unsigned rt2 = tb_bits (opcode, 14, 10);
  bool load = tb_bits (opcode, 22, 22), two = tb_bits (opcode, 21, 21);

  address (s, n, 0);
  if (tb_bits (opcode, 23, 23))
    {
      if (!two)			/* LDAR, STLR, LDLAR, STLLR */
	{
	  single (s, rt, size, load);
	  if (load)
	    put (s, rt, TB_A64_T1, size, ZERO);
	  return;
	}
      /* CAS: stores RT where memory holds RS, which gets what it held.  */
      single (s, rs, size, true);
      tb_emit_64 (s, TB_OP_STORE_MAYBE, TB_A64_NONE, TB_A64_T0,
		  tb_a64_read (rt), size);
      put (s, rs, TB_A64_T1, size, ZERO);
      return;
    }
  if (two && size < 4)		/* CASP */
    {
      size = 4u << (opcode >> 30 & 1);
      emit_imm (s, TB_OP_ADD, TB_A64_T3, TB_A64_T0, size);
      single (s, rs, size, true);
      tb_emit_64 (s, TB_OP_LOAD, TB_A64_T2, TB_A64_T3, TB_A64_NONE, size);
      tb_emit_64 (s, TB_OP_STORE_MAYBE, TB_A64_NONE, TB_A64_T0,
		  tb_a64_read (rt), size);
      tb_emit_64 (s, TB_OP_STORE_MAYBE, TB_A64_NONE, TB_A64_T3,
		  tb_a64_read (rt | 1), size);
      put (s, rs, TB_A64_T1, size, ZERO);
      put (s, rs | 1, TB_A64_T2, size, ZERO);
      return;
    }
  if (two)
    emit_imm (s, TB_OP_ADD, TB_A64_T3, TB_A64_T0, size);
  if (load)			/* LDXR, LDAXR, LDXP, LDAXP */
    {
      single (s, rt, size, true);
      if (two)
	tb_emit_64 (s, TB_OP_LOAD, TB_A64_T2, TB_A64_T3, TB_A64_NONE, size);
      put (s, rt, TB_A64_T1, size, ZERO);
      if (two)
	put (s, rt2, TB_A64_T2, size, ZERO);
      return;
    }
  /* STXR and so on: RS tells whether it stored.  */
  tb_emit_64 (s, TB_OP_STORE_MAYBE, TB_A64_NONE, TB_A64_T0,
	      tb_a64_read (rt), size);
  if (two)
    tb_emit_64 (s, TB_OP_STORE_MAYBE, TB_A64_NONE, TB_A64_T3,
		tb_a64_read (rt2), size);
  tb_emit_64 (s, TB_OP_UNKNOWN, tb_a64_write (rs), TB_A64_NONE, TB_A64_NONE,
	      1);
}

/* "Atomic memory operations".  */
static void
atomic (struct tb_semantics *s, uint32_t opcode)
{
  static const uint8_t ops[4] = { TB_OP_ADD, TB_OP_BIC, TB_OP_EOR, TB_OP_ORR };
  unsigned size = 1u << (opcode >> 30), n = tb_bits (opcode, 9, 5);
  unsigned rs = tb_bits (opcode, 20, 16), rt = opcode & 31;
  unsigned opc = tb_bits (opcode, 14, 12);
  bool swap = tb_bits (opcode, 15, 15);

  if (tb_bits (opcode, 26, 26) || (swap && opc != 0 && opc != 4))
    {
      s->modelled = false;	/* ST64B and so on.  */
      return;
    }
  address (s, n, 0);
  single (s, rt, size, true);
  if (swap && opc == 4)		/* LDAPR */
    {
      put (s, rt, TB_A64_T1, size, ZERO);
      return;
    }
  if (swap)
    emit (s, TB_OP_MOV, TB_A64_T2, tb_a64_read (rs), TB_A64_NONE);
  else if (opc < 4)
    emit (s, ops[opc], TB_A64_T2, TB_A64_T1, tb_a64_read (rs));
  else				/* Minimum, maximum.  */
    tb_emit_64 (s, TB_OP_UNKNOWN, TB_A64_T2, TB_A64_NONE, TB_A64_NONE,
		UINT64_MAX);
  tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, TB_A64_T0, TB_A64_T2, size);
  put (s, rt, TB_A64_T1, size, ZERO);
}

/* T0 = base N + the offset register.  */
static void
register_offset (struct tb_semantics *s, uint32_t opcode)
{
  unsigned m = tb_a64_read (tb_bits (opcode, 20, 16));
  unsigned option = tb_bits (opcode, 15, 13), shift = opcode >> 30;
  bool simd_whole = tb_bits (opcode, 26, 26) && tb_bits (opcode, 23, 23);
  if (simd_whole)
    shift = 4;
  switch (option)
    {
    case 2:
      emit_imm (s, TB_OP_AND, TB_A64_T0, m, LOW_WORD);
      break;
    case 6:
      emit (s, TB_OP_SXTW, TB_A64_T0, m, TB_A64_NONE);
      break;
    case 3: case 7:
      emit (s, TB_OP_MOV, TB_A64_T0, m, TB_A64_NONE);
      break;
    default:
      s->modelled = false;
      return;
    }
  if (tb_bits (opcode, 12, 12) && shift != 0)
    emit_imm (s, TB_OP_LSL, TB_A64_T0, TB_A64_T0, shift);
  emit (s, TB_OP_ADD, TB_A64_T0, TB_A64_T0, tb_bits (opcode, 9, 5));
}

/* "Load/store register": bits 29:27 are 111.  */
static void
one_register (struct tb_semantics *s, uint32_t opcode)
{
  unsigned n = tb_bits (opcode, 9, 5), form = tb_bits (opcode, 11, 10);
  uint64_t offset = tb_sign_extend (tb_bits (opcode, 20, 12), 9);
  unsigned scale = opcode >> 30;

  if (tb_bits (opcode, 25, 25))
    s->modelled = false;
  else if (tb_bits (opcode, 24, 24))
    {
      if (tb_bits (opcode, 26, 26) && tb_bits (opcode, 23, 23))
	scale = 4;
      address (s, n, (uint64_t) tb_bits (opcode, 21, 10) << scale);
      plain (s, opcode, n, 0);
    }
  else if (!tb_bits (opcode, 21, 21))
    {
      /* 0: unscaled, 1: post-indexed, 2: unprivileged, 3: pre-indexed.  */
      address (s, n, form == 1 ? 0 : offset);
      plain (s, opcode, n, form & 1 ? offset : 0);
    }
  else if (form == 0)
    atomic (s, opcode);
  else if (form == 2)
    {
      register_offset (s, opcode);
      if (s->modelled)
	plain (s, opcode, n, 0);
    }
  else
    s->modelled = false;	/* LDRAA, LDRAB.  */
}

/* LDAPUR, STLUR: as LDUR, STUR.  */
static void
unscaled_ordered (struct tb_semantics *s, uint32_t opcode)
{
  if (opcode >> 30 == 3 && tb_bits (opcode, 21, 21)
      && !tb_bits (opcode, 26, 26))
    {
      tb_semantics_a64_tags (s, opcode);
      return;
    }
  if (tb_bits (opcode, 21, 21) || tb_bits (opcode, 11, 10) != 0
      || tb_bits (opcode, 26, 26))
    {
      s->modelled = false;	/* Copies.  */
      return;
    }
  address (s, tb_bits (opcode, 9, 5),
	   tb_sign_extend (tb_bits (opcode, 20, 12), 9));
  plain (s, opcode, 0, 0);
}

void
tb_semantics_a64_memory (struct tb_semantics *s, uint32_t opcode,
			 uint64_t pc)
{
  switch (tb_bits (opcode, 29, 27))
    {
    case 1:
      if (tb_bits (opcode, 26, 26))
	{
	  if (tb_bits (opcode, 31, 31) || tb_bits (opcode, 25, 25))
	    s->modelled = false;
	  else
	    tb_semantics_a64_structures (s, opcode);
	}
      else if (tb_bits (opcode, 25, 24) == 0)
	exclusive (s, opcode);
      else
	s->modelled = false;
      break;
    case 3:
      if (tb_bits (opcode, 25, 24) == 0)
	literal (s, opcode, pc);
      else if (tb_bits (opcode, 25, 24) == 1)
	unscaled_ordered (s, opcode);
      else
	s->modelled = false;
      break;
    case 5:
      if (tb_bits (opcode, 25, 25))
	s->modelled = false;
      else
	pair (s, opcode);
      break;
    case 7:
      one_register (s, opcode);
      break;
    default:
      s->modelled = false;
      break;
    }
}
