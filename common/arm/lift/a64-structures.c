/* Semantics of A64: loads and stores of structures of vector elements.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Advanced SIMD load/store multiple structures" and "single
   structure", C7.2 LD1 to LD4, ST1 to ST4, LD1R to LD4R.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* T0 is the address.  */
struct structures
{
  struct tb_semantics *s;
  unsigned first;		/* Register.  */
  bool load, whole;		/* 16 bytes of each are used.  */
};

/* The register K behind the first one.  */
static unsigned
nth (const struct structures *x, unsigned k)
{
  return (x->first + k) & 31;
}

/* Load place V from T0 + AT, or store it there.  T1 is used.  */
static void
access (const struct structures *x, unsigned v, unsigned at, unsigned size)
{
  unsigned address = TB_A64_T0;
  if (at != 0)
    {
      address = TB_A64_T1;
      emit_imm (x->s, TB_OP_ADD, address, TB_A64_T0, at);
    }
  if (x->load)
    tb_emit_64 (x->s, TB_OP_LOAD, v, address, TB_A64_NONE, size);
  else
    tb_emit_64 (x->s, TB_OP_STORE, TB_A64_NONE, address, v, size);
}

/* REGISTERS of elements of 8 bytes, or one register after the other: of structures of
   PER registers.  */
static void
plain (const struct structures *x, unsigned registers, unsigned per)
{
  unsigned halves = x->whole ? 2 : 1;
  for (unsigned k = 0; k < registers; k++)
    for (unsigned h = 0; h < halves; h++)
      access (x, TB_A64_LOW (nth (x, k)) + h,
	      8 * (per == 1 ? k * halves + h : h * per + k), 8);
}

/* PER registers of elements of 4 bytes: two are half a register.  */
static void
of_words (const struct structures *x, unsigned per)
{
  for (unsigned k = 0; k < per; k++)
    for (unsigned h = 0; h < (x->whole ? 2 : 1); h++)
      {
	unsigned half = TB_A64_LOW (nth (x, k)) + h;
	unsigned at = 4 * (2 * h * per + k);
	if (x->load)
	  {
	    access (x, TB_A64_T2, at, 4);
	    access (x, TB_A64_T3, at + 4 * per, 4);
	    emit_imm (x->s, TB_OP_LSL, TB_A64_T3, TB_A64_T3, 32);
	    emit (x->s, TB_OP_ORR, half, TB_A64_T2, TB_A64_T3);
	  }
	else
	  {
	    access (x, half, at, 4);
	    emit_imm (x->s, TB_OP_LSR, TB_A64_T3, half, 32);
	    access (x, TB_A64_T3, at + 4 * per, 4);
	  }
      }
}

/* PER registers of shorter elements: which one goes where is not followed.  */
static void
of_short (const struct structures *x, unsigned per)
{
  unsigned bytes = per * (x->whole ? 16 : 8);
  for (unsigned at = 0; at < bytes; at += 8)
    {
      if (!x->load)
	emit_unknown (x->s, TB_A64_T2, UINT64_MAX);
      access (x, TB_A64_T2, at, 8);
    }
  for (unsigned k = 0; x->load && k < per; k++)
    for (unsigned h = 0; h < (x->whole ? 2 : 1); h++)
      emit_unknown (x->s, TB_A64_LOW (nth (x, k)) + h, UINT64_MAX);
}

/* Returns how many bytes they are; 0: not allocated.  */
static unsigned
multiple (const struct structures *x, unsigned opcode, unsigned size)
{
  /* Registers, and registers a structure, by opcode.  */
  static const struct { uint8_t registers, per; } forms[16] = {
    { 4, 4 }, { 0, 0 }, { 4, 1 }, { 0, 0 }, { 3, 3 }, { 0, 0 }, { 3, 1 },
    { 1, 1 }, { 2, 2 }, { 0, 0 }, { 2, 1 }
  };
  unsigned registers = forms[opcode].registers, per = forms[opcode].per;
  if (per == 1 || size == 3)
    plain (x, registers, per);
  else if (size == 2)
    of_words (x, per);
  else
    of_short (x, per);
  for (unsigned k = 0; x->load && !x->whole && k < registers; k++)
    emit_constant (x->s, TB_A64_HIGH (nth (x, k)), 0);
  return registers * (x->whole ? 16 : 8);
}

/* One element of REGISTERS each, number INDEX of SIZE bytes.  */
static void
one_element (const struct structures *x, unsigned registers, unsigned size,
	     unsigned index)
{
  unsigned at = index * size * 8;
  for (unsigned k = 0; k < registers; k++)
    {
      unsigned half = TB_A64_LOW (nth (x, k)) + at / 64;
      if (x->load)
	{
	  access (x, TB_A64_T2, k * size, size);
	  emit_insert (x->s, half, TB_A64_T2, size, at % 64);
	}
      else
	{
	  emit_imm (x->s, TB_OP_LSR, TB_A64_T2, half, at % 64);
	  access (x, TB_A64_T2, k * size, size);
	}
    }
}

/* One element of SIZE bytes to all of each of REGISTERS.  */
static void
to_all (const struct structures *x, unsigned registers, unsigned size)
{
  for (unsigned k = 0; k < registers; k++)
    {
      unsigned v = nth (x, k);
      access (x, TB_A64_T2, k * size, size);
      emit_copies (x->s, TB_A64_T2, size);
      emit (x->s, TB_OP_MOV, TB_A64_LOW (v), TB_A64_T2, TB_A64_NONE);
      if (x->whole)
	emit (x->s, TB_OP_MOV, TB_A64_HIGH (v), TB_A64_T2, TB_A64_NONE);
      else
	emit_constant (x->s, TB_A64_HIGH (v), 0);
    }
}

/* Returns how many bytes they are; 0: not allocated.  */
static unsigned
single (const struct structures *x, uint32_t opcode)
{
  unsigned op = tb_bits (opcode, 15, 13), bits = tb_bits (opcode, 12, 10);
  unsigned registers = ((op & 1) << 1 | tb_bits (opcode, 21, 21)) + 1;
  unsigned scale = op >> 1, index = (unsigned) x->whole << 3 | bits;
  if (scale == 3)
    {
      unsigned size = 1u << (bits & 3);
      if (!x->load || bits >> 2)
	return 0;
      to_all (x, registers, size);
      return registers * size;
    }
  /* Size 01 of those of 4 bytes: 8 bytes.  */
  if (scale == 2 && bits & 1)
    {
      if (bits != 1)
	return 0;
      scale = 3;
    }
  else if (bits & ((1u << scale) - 1))
    return 0;
  one_element (x, registers, 1u << scale, index >> scale);
  return registers << scale;
}

void
tb_semantics_a64_structures (struct tb_semantics *s, uint32_t opcode)
{
  unsigned n = tb_bits (opcode, 9, 5), m = tb_bits (opcode, 20, 16), bytes;
  struct structures x = {
    .s = s, .first = opcode & 31, .load = tb_bits (opcode, 22, 22),
    .whole = tb_bits (opcode, 30, 30)
  };
  emit (s, TB_OP_MOV, TB_A64_T0, n, TB_A64_NONE);
  if (tb_bits (opcode, 24, 24))
    bytes = single (&x, opcode);
  else
    bytes = multiple (&x, tb_bits (opcode, 15, 12), tb_bits (opcode, 11, 10));
  s->modelled = bytes != 0;
  if (!tb_bits (opcode, 23, 23))
    return;
  if (m == 31)
    emit_imm (s, TB_OP_ADD, n, n, bytes);
  else
    emit (s, TB_OP_ADD, n, n, m);
}
