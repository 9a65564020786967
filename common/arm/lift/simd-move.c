/* What moves the bits of vectors, or combines them one by one, as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A7.4, A8.8.  */

#include "config.h"
#include "arm/lift/fp.h"

/* D = A FIRST X | B SECOND X for each word.  */
static void
mix (struct tb_semantics *s, unsigned words, unsigned d, unsigned a,
     unsigned first, unsigned b, unsigned second, unsigned x)
{
  for (unsigned i = 0; i < words; i++)
    {
      tb_sem_emit (s, first, T0, a + i, x + i, 0);
      tb_sem_emit (s, second, T1, b + i, x + i, 0);
      tb_sem_emit (s, TB_OP_ORR, d + i, T0, T1, 0);
    }
}

void
tb_sem_simd_bitwise (struct tb_semantics *s, uint32_t op,
		     const struct tb_simd *r)
{
  unsigned d = r->d, n = r->n, m = r->m;
  switch ((op >> 22 & 4) | (op >> 20 & 3))
    {
    case 0:			/* VAND  */
      tb_sem_fp_words (s, r->words, TB_OP_AND, d, n, m, 0);
      break;
    case 1:			/* VBIC  */
      tb_sem_fp_words (s, r->words, TB_OP_BIC, d, n, m, 0);
      break;
    case 2:			/* VORR, VMOV.  */
      tb_sem_fp_words (s, r->words, n == m ? TB_OP_MOV : TB_OP_ORR, d, n,
		       n == m ? NONE : m, 0);
      break;
    case 3:			/* VORN  */
      for (unsigned i = 0; i < r->words; i++)
	{
	  tb_sem_emit (s, TB_OP_EOR, T0, m + i, IMM, UINT32_MAX);
	  tb_sem_emit (s, TB_OP_ORR, d + i, n + i, T0, 0);
	}
      break;
    case 4:			/* VEOR  */
      for (unsigned i = 0; i < r->words; i++)
	if (n == m)
	  tb_sem_emit (s, TB_OP_MOV, d + i, IMM, NONE, 0);
	else
	  tb_sem_emit (s, TB_OP_EOR, d + i, n + i, m + i, 0);
      break;
    case 5:			/* VBSL  */
      mix (s, r->words, d, n, TB_OP_AND, m, TB_OP_BIC, d);
      break;
    case 6:			/* VBIT  */
      mix (s, r->words, d, n, TB_OP_AND, d, TB_OP_BIC, m);
      break;
    case 7:			/* VBIF  */
      mix (s, r->words, d, n, TB_OP_BIC, d, TB_OP_AND, m);
      break;
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

bool
tb_sem_simd_constant (struct tb_semantics *s, uint32_t op,
		      const struct tb_simd *r)
{
  unsigned mode = op >> 8 & 15;
  bool invert = op >> 5 & 1;
  if ((r->words == 4 && op >> 12 & 1) || (mode == 15 && invert))
    return false;
  for (unsigned i = 0; i < r->words; i++)
    {
      uint32_t value = expand (op, i & 1);
      if (mode & 1 && mode < 12)	/* VORR, VBIC.  */
	tb_sem_emit (s, invert ? TB_OP_AND : TB_OP_ORR, r->d + i, r->d + i,
		     IMM, invert ? ~value : value);
      else
	tb_sem_emit (s, TB_OP_MOV, r->d + i, IMM, NONE,
		     invert && mode < 14 ? ~value : value);
    }
  return true;
}

bool
tb_sem_simd_duplicate (struct tb_semantics *s, uint32_t op,
		       const struct tb_simd *r)
{
  unsigned imm4 = op >> 16 & 15, byte;
  if ((imm4 & 7) == 0 || (r->words == 4 && op >> 12 & 1))
    return false;
  unsigned size = imm4 & 1 ? 1 : imm4 & 2 ? 2 : 4;
  byte = (imm4 >> 1) & ~(size - 1);
  unsigned source = r->m + byte / 4, shift = 8 * (byte & 3);
  tb_sem_emit (s, TB_OP_LSR, T0, source, IMM, shift);
  if (size < 4)
    {
      tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, (UINT32_C (1) << 8 * size) - 1);
      tb_sem_emit (s, TB_OP_MUL, T0, T0, IMM,
		   size == 1 ? 0x01010101 : 0x00010001);
    }
  for (unsigned i = 0; i < r->words; i++)
    tb_sem_emit (s, TB_OP_MOV, r->d + i, T0, NONE, 0);
  return true;
}

/* Word I of those of R's N, and of M behind them.  */
static unsigned
joined (const struct tb_simd *r, unsigned i)
{
  return i < r->words ? r->n + i : r->m + i - r->words;
}

/* VEXT: the bytes from number imm4 on of M:N.  */
bool
tb_sem_simd_extract (struct tb_semantics *s, uint32_t op,
		     const struct tb_simd *r)
{
  unsigned imm4 = op >> 8 & 15, first = imm4 / 4, shift = 8 * (imm4 & 3);
  if (first >= r->words)
    return false;
  /* Whole words first, in an order in which none is read after it is written; what
     is behind them is in T3.  */
  if (r->d == r->n && r->d == r->m)
    {
      for (unsigned i = 0; i < r->words; i++)
	tb_sem_emit (s, TB_OP_MOV, T0 + i, joined (r, first + i), NONE, 0);
      for (unsigned i = 0; i < r->words; i++)
	tb_sem_emit (s, TB_OP_MOV, r->d + i, T0 + i, NONE, 0);
      if (shift != 0)
	tb_sem_emit (s, TB_OP_MOV, T3, r->d, NONE, 0);
    }
  else
    {
      if (shift != 0)
	tb_sem_emit (s, TB_OP_MOV, T3, joined (r, first + r->words), NONE, 0);
      for (unsigned k = 0; k < r->words; k++)
	{
	  unsigned i = r->d == r->m ? r->words - 1 - k : k;
	  if (r->d + i != joined (r, first + i))
	    tb_sem_emit (s, TB_OP_MOV, r->d + i, joined (r, first + i), NONE,
			 0);
	}
    }
  for (unsigned i = 0; i < r->words && shift != 0; i++)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, r->d + i, IMM, shift);
      tb_sem_emit (s, TB_OP_LSL, T1, i + 1 < r->words ? r->d + i + 1 : T3,
		   IMM, 32 - shift);
      tb_sem_emit (s, TB_OP_ORR, r->d + i, T0, T1, 0);
    }
  return true;
}

bool
tb_sem_simd_reverse (struct tb_semantics *s, unsigned size, unsigned group,
		     const struct tb_simd *r)
{
  if (1u << size >= group)
    return false;
  for (unsigned i = 0; i < r->words; i++)
    {
      unsigned how = size == 2 ? TB_OP_MOV : size == 1 ? TB_OP_ROR
		     : group == 2 ? TB_OP_REV16 : TB_OP_REV;
      unsigned b = size == 1 ? IMM : NONE, from = r->m + i, to = r->d + i;
      if (group == 8 && i % 2 == 0)	/* Words of a pair change places.  */
	{
	  tb_sem_emit (s, how, T0, from, b, 16);
	  tb_sem_emit (s, how, to, from + 1, b, 16);
	  tb_sem_emit (s, TB_OP_MOV, to + 1, T0, NONE, 0);
	}
      else if (group != 8)
	tb_sem_emit (s, how, to, from, b, 16);
    }
  return true;
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

void
tb_sem_simd_transpose (struct tb_semantics *s, unsigned size,
		       const struct tb_simd *r)
{
  if (r->d == r->m)		/* Not defined.  */
    {
      tb_sem_fp_unknown (s, r->d, r->words);
      return;
    }
  for (unsigned i = 0; i < r->words; i++)
    switch (size)
      {
      case 0:
	transpose (s, r->d + i, r->m + i, 0x00ff00ff, 8);
	break;
      case 1:
	transpose (s, r->d + i, r->m + i, 0x0000ffff, 16);
	break;
      case 2:
	if (i % 2 == 0)
	  swap (s, r->d + i + 1, r->m + i);
	break;
      default:			/* VSWP  */
	swap (s, r->d + i, r->m + i);
	break;
      }
}

void
tb_sem_simd_zip (struct tb_semantics *s, bool unzip, unsigned size,
		 const struct tb_simd *r)
{
  /* Words that change places one after the other, those of M from 4 on: that is
     VZIP; backwards it is VUZP.  */
  static const uint8_t swaps[4][2] = { { 1, 4 }, { 2, 4 }, { 3, 5 }, { 5, 6 } };
  struct tb_simd all = *r;
  all.n = r->d;
  if (size < 2 || r->d == r->m)
    {
      tb_sem_fp_unknown (s, r->d, r->words);
      tb_sem_fp_unknown (s, r->m, r->words);
      return;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      const uint8_t *pair = swaps[unzip ? 3 - i : i];
      swap (s, joined (&all, pair[0]), joined (&all, pair[1]));
    }
}
