/* What moves the bits of vectors, or combines them one by one, as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A7.4, A8.8.  */

#include "config.h"
#include "arm/lift/fp.h"

void
tb_sem_simd_words (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned d = f->d, n = f->n, m = f->m;
  if (f->arg == TB_OP_ORR && n == m)	/* VMOV  */
    tb_sem_fp_words (s, f->words, TB_OP_MOV, d, n, NONE, 0);
  else if (f->arg == TB_OP_EOR && n == m)
    for (unsigned i = 0; i < f->words; i++)
      tb_sem_emit (s, TB_OP_MOV, d + i, IMM, NONE, 0);
  else
    tb_sem_fp_words (s, f->words, f->arg, d, n, m, 0);
}

void
tb_sem_simd_not (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_fp_words (s, f->words, TB_OP_EOR, f->d, f->m, IMM, UINT32_MAX);
}

/* What the row says is done with the signs.  */
void
tb_sem_simd_sign (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->op >> 18 & 3;
  s->modelled = size == 1 || size == 2;
  if (s->modelled)
    tb_sem_fp_words (s, f->words, f->arg, f->d, f->m, IMM,
		     size == 1 ? 0x80008000 : 0x80000000);
}

void
tb_sem_simd_orn (struct tb_semantics *s, const struct tb_fields *f)
{
  for (unsigned i = 0; i < f->words; i++)
    {
      tb_sem_emit (s, TB_OP_EOR, T0, f->m + i, IMM, UINT32_MAX);
      tb_sem_emit (s, TB_OP_ORR, f->d + i, f->n + i, T0, 0);
    }
}

/* VBSL (bits 21:20 are 1), VBIT (2), VBIF (3): N where X has ones (VBIF: zeros), and Y
   elsewhere.  */
void
tb_sem_simd_choose (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned which = f->op >> 20 & 3;
  unsigned x = which == 1 ? f->d : f->m, y = which == 1 ? f->m : f->d;
  for (unsigned i = 0; i < f->words; i++)
    {
      tb_sem_emit (s, which == 3 ? TB_OP_BIC : TB_OP_AND, T0, f->n + i, x + i,
		   0);
      tb_sem_emit (s, which == 3 ? TB_OP_AND : TB_OP_BIC, T1, y + i, x + i, 0);
      tb_sem_emit (s, TB_OP_ORR, f->d + i, T0, T1, 0);
    }
}

/* The constant of cmode (bits 11:8) and op (bit 5), by words; WORD 1 is the upper
   one (DDI 0406, A7.4.6).  */
static uint32_t
expand (uint32_t op, unsigned word)
{
  uint32_t imm8 = (op >> 17 & 0x80) | (op >> 12 & 0x70) | (op & 15), value = 0;
  unsigned mode = op >> 8 & 15;
  if (mode < 8)
    return imm8 << 8 * (mode >> 1);
  if (mode < 12)
    return (imm8 << 8 * (mode >> 1 & 1)) * 0x00010001;
  if (mode < 14)
    return mode & 1 ? imm8 << 16 | 0xffff : imm8 << 8 | 0xff;
  if (mode == 14 && !(op >> 5 & 1))
    return imm8 * 0x01010101;
  if (mode == 14)		/* A byte for each bit.  */
    {
      for (unsigned i = 0; i < 4; i++)
	value |= imm8 >> (4 * word + i) & 1 ? UINT32_C (0xff) << 8 * i : 0;
      return value;
    }
  return (imm8 & 0x80) << 24 | (uint32_t) !(imm8 & 0x40) << 30
	 | (imm8 & 0x40 ? UINT32_C (0x1f) : 0) << 25 | (imm8 & 0x3f) << 19;
}

void
tb_sem_simd_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned mode = f->op >> 8 & 15;
  bool invert = f->op >> 5 & 1;
  s->modelled = mode != 15 || !invert;
  for (unsigned i = 0; i < f->words; i++)
    {
      uint32_t value = expand (f->op, i & 1);
      if (mode & 1 && mode < 12)	/* VORR, VBIC.  */
	tb_sem_emit (s, invert ? TB_OP_AND : TB_OP_ORR, f->d + i, f->d + i,
		     IMM, invert ? ~value : value);
      else
	tb_sem_emit (s, TB_OP_MOV, f->d + i, IMM, NONE,
		     invert && mode < 14 ? ~value : value);
    }
}

void
tb_sem_simd_duplicate (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned imm4 = f->op >> 16 & 15, byte;
  s->modelled = (imm4 & 7) != 0;
  if (!s->modelled)
    return;
  unsigned size = imm4 & 1 ? 1 : imm4 & 2 ? 2 : 4;
  byte = (imm4 >> 1) & ~(size - 1);
  unsigned source = f->m + byte / 4, shift = 8 * (byte & 3);
  tb_sem_emit (s, TB_OP_LSR, T0, source, IMM, shift);
  if (size < 4)
    {
      tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, (UINT32_C (1) << 8 * size) - 1);
      tb_sem_emit (s, TB_OP_MUL, T0, T0, IMM,
		   size == 1 ? 0x01010101 : 0x00010001);
    }
  for (unsigned i = 0; i < f->words; i++)
    tb_sem_emit (s, TB_OP_MOV, f->d + i, T0, NONE, 0);
}

/* Word I of those of F's N, and of M behind them.  */
static unsigned
joined (const struct tb_fields *f, unsigned i)
{
  return i < f->words ? f->n + i : f->m + i - f->words;
}

/* VEXT: the bytes from number imm4 on of M:N.  */
void
tb_sem_simd_extract (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned imm4 = f->op >> 8 & 15, first = imm4 / 4, shift = 8 * (imm4 & 3);
  s->modelled = first < f->words;
  if (!s->modelled)
    return;
  /* Whole words first, in an order in which none is read after it is written; what
     is behind them is in T3.  */
  if (f->d == f->n && f->d == f->m)
    {
      for (unsigned i = 0; i < f->words; i++)
	tb_sem_emit (s, TB_OP_MOV, T0 + i, joined (f, first + i), NONE, 0);
      for (unsigned i = 0; i < f->words; i++)
	tb_sem_emit (s, TB_OP_MOV, f->d + i, T0 + i, NONE, 0);
      if (shift != 0)
	tb_sem_emit (s, TB_OP_MOV, T3, f->d, NONE, 0);
    }
  else
    {
      if (shift != 0)
	tb_sem_emit (s, TB_OP_MOV, T3, joined (f, first + f->words), NONE, 0);
      for (unsigned k = 0; k < f->words; k++)
	{
	  unsigned i = f->d == f->m ? f->words - 1 - k : k;
	  if (f->d + i != joined (f, first + i))
	    tb_sem_emit (s, TB_OP_MOV, f->d + i, joined (f, first + i), NONE,
			 0);
	}
    }
  for (unsigned i = 0; i < f->words && shift != 0; i++)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, f->d + i, IMM, shift);
      tb_sem_emit (s, TB_OP_LSL, T1, i + 1 < f->words ? f->d + i + 1 : T3,
		   IMM, 32 - shift);
      tb_sem_emit (s, TB_OP_ORR, f->d + i, T0, T1, 0);
    }
}

/* Elements of 1 << SIZE bytes in groups of so many bytes as the row says.  */
void
tb_sem_simd_reverse (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->op >> 18 & 3, group = f->arg;
  unsigned how = size == 2 ? TB_OP_MOV : size == 1 ? TB_OP_ROR
		 : group == 2 ? TB_OP_REV16 : TB_OP_REV;
  unsigned b = size == 1 ? IMM : NONE;
  s->modelled = 1u << size < group;
  for (unsigned i = 0; i < f->words && s->modelled; i++)
    {
      unsigned from = f->m + i, to = f->d + i;
      if (group != 8)
	tb_sem_emit (s, how, to, from, b, 16);
      else if (i % 2 == 0)	/* Words of a pair change places.  */
	{
	  tb_sem_emit (s, how, T0, from, b, 16);
	  tb_sem_emit (s, how, to, from + 1, b, 16);
	  tb_sem_emit (s, TB_OP_MOV, to + 1, T0, NONE, 0);
	}
    }
}

/* The words A and B change places.  */
static void
swap (struct tb_semantics *s, unsigned a, unsigned b)
{
  tb_sem_emit (s, TB_OP_MOV, T0, a, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, a, b, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, b, T0, NONE, 0);
}

/* The upper of each two elements of A and the lower of B change places: these are
   the bits MASK and are SHIFT apart.  */
static void
transpose (struct tb_semantics *s, unsigned a, unsigned b, uint32_t mask,
	   unsigned shift)
{
  tb_sem_emit (s, TB_OP_LSR, T0, a, IMM, shift);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, mask);
  tb_sem_emit (s, TB_OP_AND, T1, b, IMM, mask);
  tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, shift);
  tb_sem_emit (s, TB_OP_AND, a, a, IMM, mask);
  tb_sem_emit (s, TB_OP_ORR, a, a, T1, 0);
  tb_sem_emit (s, TB_OP_BIC, b, b, IMM, mask);
  tb_sem_emit (s, TB_OP_ORR, b, b, T0, 0);
}

/* It is not defined what VSWP, VTRN, VUZP and VZIP of a register with itself do.  */
static bool
is_twice (struct tb_semantics *s, const struct tb_fields *f)
{
  if (f->d == f->m)
    tb_sem_fp_unknown (s, f->d, f->words);
  return f->d == f->m;
}

void
tb_sem_simd_swap (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!is_twice (s, f))
    for (unsigned i = 0; i < f->words; i++)
      swap (s, f->d + i, f->m + i);
}

void
tb_sem_simd_transpose (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->op >> 18 & 3;
  s->modelled = size != 3;
  if (!s->modelled || is_twice (s, f))
    return;
  for (unsigned i = 0; i < f->words; i++)
    if (size == 0)
      transpose (s, f->d + i, f->m + i, 0x00ff00ff, 8);
    else if (size == 1)
      transpose (s, f->d + i, f->m + i, 0x0000ffff, 16);
    else if (i % 2 == 0)
      swap (s, f->d + i + 1, f->m + i);
}

/* Of VUZP the row's argument is 1.  */
void
tb_sem_simd_zip (struct tb_semantics *s, const struct tb_fields *f)
{
  /* Words that change places one after the other, those of M from 4 on: that is
     VZIP; backwards it is VUZP.  */
  static const uint8_t swaps[4][2] = { { 1, 4 }, { 2, 4 }, { 3, 5 }, { 5, 6 } };
  unsigned size = f->op >> 18 & 3;
  struct tb_fields all = *f;
  all.n = f->d;
  s->modelled = size < 2 || (size == 2 && f->words == 4);
  if (!s->modelled)
    return;
  if (size < 2 || f->d == f->m)
    {
      tb_sem_fp_unknown (s, f->d, f->words);
      tb_sem_fp_unknown (s, f->m, f->words);
      return;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      const uint8_t *pair = swaps[f->arg != 0 ? 3 - i : i];
      swap (s, joined (&all, pair[0]), joined (&all, pair[1]));
    }
}
