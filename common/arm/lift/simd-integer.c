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

/* VADD, VSUB, as the row says.  */
void
tb_sem_simd_add_doubles (struct tb_semantics *s, const struct tb_fields *f)
{
  for (unsigned i = 0; i < f->words; i += 2)
    {
      unsigned d = f->d + i, n = f->n + i, m = f->m + i;
      /* The carry, or what is borrowed.  */
      tb_sem_emit (s, f->arg, T0, n, m, 0);
      if (f->arg == TB_OP_SUB)
	tb_sem_emit (s, TB_OP_LTU, T1, n, m, 0);
      else
	tb_sem_emit (s, TB_OP_LTU, T1, T0, n, 0);
      tb_sem_emit (s, f->arg, T2, n + 1, m + 1, 0);
      tb_sem_emit (s, f->arg, d + 1, T2, T1, 0);
      tb_sem_emit (s, TB_OP_MOV, d, T0, NONE, 0);
    }
}

/* VCGT, VCGE (bit 4), by the comparison that the row says.  */
void
tb_sem_simd_greater (struct tb_semantics *s, const struct tb_fields *f)
{
  bool equal = f->op >> 4 & 1;
  for (unsigned i = 0; i < f->words; i++)
    {
      unsigned n = f->n + i, m = f->m + i;
      tb_sem_emit (s, f->arg, T0, equal ? n : m, equal ? m : n, 0);
      set_mask (s, f->d + i, equal);
    }
}

/* VTST (the row says AND): is there a bit that both have?  VCEQ (EOR): is there none that
   they differ in?  */
void
tb_sem_simd_equal (struct tb_semantics *s, const struct tb_fields *f)
{
  for (unsigned i = 0; i < f->words; i++)
    {
      tb_sem_emit (s, f->arg, T0, f->n + i, f->m + i, 0);
      tb_sem_emit (s, TB_OP_ISZERO, T0, T0, NONE, 0);
      set_mask (s, f->d + i, f->arg == TB_OP_AND);
    }
}

/* VMLA, VMLS.  */
void
tb_sem_simd_accumulate (struct tb_semantics *s, const struct tb_fields *f)
{
  for (unsigned i = 0; i < f->words; i++)
    {
      tb_sem_emit (s, TB_OP_MUL, T0, f->n + i, f->m + i, 0);
      tb_sem_emit (s, f->arg, f->d + i, f->d + i, T0, 0);
    }
}

/* D = M shifted by N in the way HOW; of D the bits KEPT stay where it inserts.  */
static void
shift_word (struct tb_semantics *s, unsigned how, unsigned right, unsigned n,
	    unsigned d, unsigned m)
{
  uint32_t kept;
  switch (how)
    {
    case TB_SHR:
      tb_sem_emit (s, right, d, m, IMM, n);
      return;
    case TB_SRA:
      tb_sem_emit (s, right, T0, m, IMM, n);
      tb_sem_emit (s, TB_OP_ADD, d, d, T0, 0);
      return;
    case TB_SHL:
      tb_sem_emit (s, TB_OP_LSL, d, m, IMM, n);
      return;
    case TB_SLI:
      kept = (UINT32_C (1) << n) - 1;
      tb_sem_emit (s, TB_OP_LSL, T0, m, IMM, n);
      break;
    default:			/* TB_SRI  */
      kept = n == 32 ? UINT32_MAX : ~(UINT32_MAX >> n);
      tb_sem_emit (s, TB_OP_LSR, T0, m, IMM, n);
      break;
    }
  tb_sem_emit (s, TB_OP_AND, T1, d, IMM, kept);
  tb_sem_emit (s, TB_OP_ORR, d, T0, T1, 0);
}

/* By 1 .. 32, to the left 0 .. 31: bits 20:16.  */
void
tb_sem_simd_shift_words (struct tb_semantics *s, const struct tb_fields *f)
{
  bool left = f->arg == TB_SHL || f->arg == TB_SLI;
  unsigned imm5 = f->op >> 16 & 31;
  for (unsigned i = 0; i < f->words; i++)
    shift_word (s, f->arg, f->op >> 24 & 1 ? TB_OP_LSR : TB_OP_ASR,
		left ? imm5 : 32 - imm5, f->d + i, f->m + i);
}

/* Of 64 bits: VSHR by 1 .. 64, and VSHL by 0 .. 63: bits 21:16.  */
void
tb_sem_simd_shift_doubles (struct tb_semantics *s, const struct tb_fields *f)
{
  bool left = f->arg == TB_SHL;
  unsigned imm6 = f->op >> 16 & 63, n = left ? imm6 : 64 - imm6;
  /* What bits go away from, and to.  */
  unsigned from = left ? 0 : 1, to = 1 - from;
  unsigned away = left ? TB_OP_LSL : f->op >> 24 & 1 ? TB_OP_LSR : TB_OP_ASR;
  for (unsigned i = 0; i < f->words; i += 2)
    {
      unsigned d = f->d + i, m = f->m + i;
      if (n >= 32)
	{
	  tb_sem_emit (s, TB_OP_MOV, T0, m + from, NONE, 0);
	  tb_sem_emit (s, away, d + to, T0, IMM, n - 32);
	  tb_sem_emit (s, away, d + from, T0, IMM, 32);
	  continue;
	}
      tb_sem_emit (s, left ? TB_OP_LSR : TB_OP_LSL, T0, m + from, IMM, 32 - n);
      tb_sem_emit (s, left ? TB_OP_LSL : TB_OP_LSR, T1, m + to, IMM, n);
      tb_sem_emit (s, away, d + from, m + from, IMM, n);
      tb_sem_emit (s, TB_OP_ORR, d + to, T0, T1, 0);
    }
}

/* Elements of so many bytes as the row says.  */
void
tb_sem_simd_widen (struct tb_semantics *s, const struct tb_fields *f)
{
  bool u = f->op >> 24 & 1;
  unsigned size = f->arg;
  /* D may have M in it.  */
  tb_sem_emit (s, TB_OP_MOV, T2, f->m, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, T3, f->m + 1, NONE, 0);
  for (unsigned i = 0; i < 4; i++)
    {
      unsigned from = i < 2 ? T2 : T3, d = f->d + i, half = 16 * (i & 1);
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
}

void
tb_sem_simd_narrow (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->op >> 18 & 3;	/* 0: to bytes.  */
  s->modelled = size != 3;
  if (!s->modelled)
    return;
  for (unsigned i = 0; i < 2; i++)
    {
      unsigned a = f->m + 2 * i, b = a + 1, to = i == 0 ? T2 : T3;
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
  tb_sem_emit (s, TB_OP_MOV, f->d, T2, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, f->d + 1, T3, NONE, 0);
}
