/* Vector operations on integers of 32 and 64 bits, and between sizes, that take
   hardly more to say exactly than that their result is unknown, as
   micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A7.4, A8.8.  */

#include "config.h"
#include "arm/lift/fp.h"

/* D = all ones where T0 is 1 (UNLESS: 0), else 0.  */
static void
set_mask (struct tb_semantics *s, unsigned d, bool unless)
{
  if (!unless)
    tb_sem_emit (s, TB_OP_EOR, T0, T0, IMM, 1);
  tb_sem_emit (s, TB_OP_ADD, d, T0, IMM, UINT32_MAX);
}

/* D = A + B, or A - B, of 64 bits.  */
static void
add_double (struct tb_semantics *s, bool subtract, unsigned d, unsigned a,
	    unsigned b)
{
  /* The carry, or what is borrowed.  */
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, 0);
  tb_sem_emit (s, TB_OP_LTU, T1, subtract ? a : T0, subtract ? b : a, 0);
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T2, a + 1, b + 1, 0);
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, d + 1, T2, T1, 0);
  tb_sem_emit (s, TB_OP_MOV, d, T0, NONE, 0);
}

/* One word of three registers of the same length.  */
static bool
word (struct tb_semantics *s, unsigned which, bool u, unsigned d, unsigned n,
      unsigned m)
{
  switch (which)
    {
    case 6: case 7:		/* VCGT, VCGE.  */
      tb_sem_emit (s, u ? TB_OP_LTU : TB_OP_LTS, T0, which == 6 ? m : n,
		   which == 6 ? n : m, 0);
      set_mask (s, d, which == 7);
      return true;
    case 16:			/* VADD, VSUB.  */
      tb_sem_emit (s, u ? TB_OP_SUB : TB_OP_ADD, d, n, m, 0);
      return true;
    case 17:			/* VTST, VCEQ.  */
      tb_sem_emit (s, u ? TB_OP_EOR : TB_OP_AND, T0, n, m, 0);
      tb_sem_emit (s, TB_OP_ISZERO, T0, T0, NONE, 0);
      set_mask (s, d, !u);
      return true;
    case 18:			/* VMLA, VMLS.  */
      tb_sem_emit (s, TB_OP_MUL, T0, n, m, 0);
      tb_sem_emit (s, u ? TB_OP_SUB : TB_OP_ADD, d, d, T0, 0);
      return true;
    case 19:			/* VMUL  */
      if (u)
	return false;
      tb_sem_emit (s, TB_OP_MUL, d, n, m, 0);
      return true;
    default:
      return false;
    }
}

bool
tb_sem_simd_integer (struct tb_semantics *s, uint32_t op,
		     const struct tb_simd *r)
{
  unsigned which = (op >> 7 & 30) | (op >> 4 & 1), size = op >> 20 & 3;
  bool u = op >> 24 & 1;
  if (size == 3 && which == 16)
    for (unsigned i = 0; i < r->words; i += 2)
      add_double (s, u, r->d + i, r->n + i, r->m + i);
  else if (size == 2)
    for (unsigned i = 0; i < r->words; i++)
      {
	if (!word (s, which, u, r->d + i, r->n + i, r->m + i))
	  return false;
      }
  else
    return false;
  return true;
}

/* D = M shifted by N, 1 .. 32 (LSL: 0 .. 31), in the way of bits 11:8.  */
static bool
shift_word (struct tb_semantics *s, unsigned which, bool u, unsigned n,
	    unsigned d, unsigned m)
{
  unsigned right = u ? TB_OP_LSR : TB_OP_ASR;
  uint32_t kept;
  switch (which)
    {
    case 0:			/* VSHR  */
      tb_sem_emit (s, right, d, m, IMM, n);
      return true;
    case 1:			/* VSRA  */
      tb_sem_emit (s, right, T0, m, IMM, n);
      tb_sem_emit (s, TB_OP_ADD, d, d, T0, 0);
      return true;
    case 5:			/* VSHL; VSLI.  */
      if (!u)
	{
	  tb_sem_emit (s, TB_OP_LSL, d, m, IMM, n);
	  return true;
	}
      kept = (UINT32_C (1) << n) - 1;
      tb_sem_emit (s, TB_OP_LSL, T0, m, IMM, n);
      break;
    case 4:			/* VSRI  */
      if (!u)
	return false;
      kept = n == 32 ? UINT32_MAX : ~(UINT32_MAX >> n);
      tb_sem_emit (s, TB_OP_LSR, T0, m, IMM, n);
      break;
    default:
      return false;
    }
  tb_sem_emit (s, TB_OP_AND, T1, d, IMM, kept);
  tb_sem_emit (s, TB_OP_ORR, d, T0, T1, 0);
  return true;
}

/* The same of 64 bits: VSHR by N, 1 .. 64, and VSHL by 0 .. 63.  */
static bool
shift_double (struct tb_semantics *s, unsigned which, bool u, unsigned n,
	      unsigned d, unsigned m)
{
  bool left = which == 5;
  /* What bits go away from, and to.  */
  unsigned from = left ? 0 : 1, to = 1 - from;
  unsigned away = left ? TB_OP_LSL : u ? TB_OP_LSR : TB_OP_ASR;
  if (which != 0 && (!left || u))
    return false;
  if (n >= 32)
    {
      tb_sem_emit (s, TB_OP_MOV, T0, m + from, NONE, 0);
      tb_sem_emit (s, away, d + to, T0, IMM, n - 32);
      tb_sem_emit (s, away, d + from, T0, IMM, 32);
      return true;
    }
  tb_sem_emit (s, left ? TB_OP_LSR : TB_OP_LSL, T0, m + from, IMM, 32 - n);
  tb_sem_emit (s, left ? TB_OP_LSL : TB_OP_LSR, T1, m + to, IMM, n);
  tb_sem_emit (s, away, d + from, m + from, IMM, n);
  tb_sem_emit (s, TB_OP_ORR, d + to, T0, T1, 0);
  return true;
}

bool
tb_sem_simd_shift (struct tb_semantics *s, uint32_t op,
		   const struct tb_simd *r)
{
  unsigned which = op >> 8 & 15, imm6 = op >> 16 & 63;
  bool u = op >> 24 & 1, left = which == 5;
  if (op >> 7 & 1)
    {
      for (unsigned i = 0; i < r->words; i += 2)
	if (!shift_double (s, which, u, left ? imm6 : 64 - imm6, r->d + i,
			   r->m + i))
	  return false;
      return true;
    }
  if (imm6 < 32)
    return false;
  for (unsigned i = 0; i < r->words; i++)
    if (!shift_word (s, which, u, left ? imm6 - 32 : 64 - imm6, r->d + i,
		     r->m + i))
      return false;
  return true;
}

bool
tb_sem_simd_widen (struct tb_semantics *s, uint32_t op,
		   const struct tb_simd *r)
{
  bool u = op >> 24 & 1;
  unsigned size = op >> 19 & 7;	/* Bytes: 1, 2, 4.  */
  if ((op & 0x70000) != 0 || (size & (size - 1)) != 0)
    return false;
  /* D may have M in it.  */
  tb_sem_emit (s, TB_OP_MOV, T2, r->m, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, T3, r->m + 1, NONE, 0);
  for (unsigned i = 0; i < 4; i++)
    {
      unsigned from = i < 2 ? T2 : T3, d = r->d + i, half = 16 * (i & 1);
      if (size == 4 && half == 0)
	tb_sem_emit (s, TB_OP_MOV, d, from, NONE, 0);
      else if (size == 4 && u)
	tb_sem_emit (s, TB_OP_MOV, d, IMM, NONE, 0);
      else if (size == 4)
	tb_sem_emit (s, TB_OP_ASR, d, from, IMM, 31);
      else if (size == 2 && half != 0)
	tb_sem_emit (s, u ? TB_OP_LSR : TB_OP_ASR, d, from, IMM, 16);
      else if (size == 2 && u)
	tb_sem_emit (s, TB_OP_AND, d, from, IMM, 0xffff);
      else if (size == 2)
	tb_sem_emit (s, TB_OP_SXTH, d, from, NONE, 0);
      else
	{
	  /* Bytes: the low one in T0, the high one in T1.  */
	  tb_sem_emit (s, TB_OP_LSR, T0, from, IMM, half);
	  tb_sem_emit (s, TB_OP_LSR, T1, from, IMM, half + 8);
	  tb_sem_emit (s, u ? TB_OP_AND : TB_OP_SXTB, T0, T0, u ? IMM : NONE,
		       255);
	  tb_sem_emit (s, u ? TB_OP_AND : TB_OP_SXTB, T1, T1, u ? IMM : NONE,
		       255);
	  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 0xffff);
	  tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, 16);
	  tb_sem_emit (s, TB_OP_ORR, d, T0, T1, 0);
	}
    }
  return true;
}

void
tb_sem_simd_narrow (struct tb_semantics *s, unsigned size,
		    const struct tb_simd *r)
{
  for (unsigned i = 0; i < 2; i++)
    {
      unsigned a = r->m + 2 * i, b = a + 1, to = i == 0 ? T2 : T3;
      if (size == 2)
	{
	  tb_sem_emit (s, TB_OP_MOV, to, a, NONE, 0);
	  continue;
	}
      if (size == 0)		/* Two bytes of each word come together.  */
	{
	  tb_sem_emit (s, TB_OP_LSR, T0, a, IMM, 8);
	  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 0xff00);
	  tb_sem_emit (s, TB_OP_AND, to, a, IMM, 0xff);
	  tb_sem_emit (s, TB_OP_ORR, to, to, T0, 0);
	  tb_sem_emit (s, TB_OP_LSL, T0, b, IMM, 16);
	  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 0x00ff0000);
	  tb_sem_emit (s, TB_OP_LSL, T1, b, IMM, 8);
	  tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, 0xff000000);
	  tb_sem_emit (s, TB_OP_ORR, T1, T1, T0, 0);
	}
      else
	{
	  tb_sem_emit (s, TB_OP_AND, to, a, IMM, 0xffff);
	  tb_sem_emit (s, TB_OP_LSL, T1, b, IMM, 16);
	}
      tb_sem_emit (s, TB_OP_ORR, to, to, T1, 0);
    }
  tb_sem_emit (s, TB_OP_MOV, r->d, T2, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, r->d + 1, T3, NONE, 0);
}
