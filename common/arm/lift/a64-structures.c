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
  unsigned address = T0;
  if (at != 0)
    {
      address = T1;
      emit_imm (x->s, TB_OP_ADD, address, T0, at);
    }
  if (x->load)
    emit_load (x->s, v, address, size);
  else
    emit_store (x->s, address, v, size);
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
	    access (x, T2, at, 4);
	    access (x, T3, at + 4 * per, 4);
	    emit_imm (x->s, TB_OP_LSL, T3, T3, 32);
	    emit (x->s, TB_OP_ORR, half, T2, T3);
	  }
	else
	  {
	    access (x, half, at, 4);
	    emit_imm (x->s, TB_OP_LSR, T3, half, 32);
	    access (x, T3, at + 4 * per, 4);
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
	emit_unknown (x->s, T2, UINT64_MAX);
      access (x, T2, at, 8);
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
	  access (x, T2, k * size, size);
	  emit_insert (x->s, half, T2, size, at % 64);
	}
      else
	{
	  emit_imm (x->s, TB_OP_LSR, T2, half, at % 64);
	  access (x, T2, k * size, size);
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
      access (x, T2, k * size, size);
      emit_copies (x->s, T2, size);
      emit (x->s, TB_OP_MOV, TB_A64_LOW (v), T2, NONE);
      if (x->whole)
	emit (x->s, TB_OP_MOV, TB_A64_HIGH (v), T2, NONE);
      else
	emit_constant (x->s, TB_A64_HIGH (v), 0);
    }
}

/* Returns how many bytes they are; 0: not allocated.  */
static unsigned
single (const struct structures *x, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 13), bits = tb_bits (f->op, 12, 10);
  unsigned registers = ((op & 1) << 1 | tb_bits (f->op, 21, 21)) + 1;
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

/* The row's argument is 1 for single structures, 2 if the base changes.  */
static void
structures (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned bytes;
  struct structures x = {
    .s = s, .first = f->d, .load = tb_bits (f->op, 22, 22),
    .whole = tb_bits (f->op, 30, 30)
  };
  emit (s, TB_OP_MOV, T0, f->n, NONE);
  if (f->arg & 1)
    bytes = single (&x, f);
  else
    bytes = multiple (&x, tb_bits (f->op, 15, 12), tb_bits (f->op, 11, 10));
  s->modelled = bytes != 0;
  if (f->arg & 2 && f->m == 31)
    emit_imm (s, TB_OP_ADD, f->n, f->n, bytes);
  else if (f->arg & 2)
    emit (s, TB_OP_ADD, f->n, f->n, f->m);
}

static const struct tb_row rows[] = {
  { 0xbfbf0000, 0x0c000000, RAW, 0, structures },
  { 0xbfa00000, 0x0c800000, RAW, 2, structures },
  { 0xbf9f0000, 0x0d000000, RAW, 1, structures },
  { 0xbf800000, 0x0d800000, RAW, 1 | 2, structures },
};
const struct tb_rows tb_a64_structures_rows = TB_ROWS (rows);
