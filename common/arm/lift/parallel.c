/* Parallel operations on the bytes and halfwords of registers, and saturating
   addition, as micro-operations, for A32 and T32 alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A5.4.1 and A5.4.2 (parallel), A8.8: QADD and its kin, SEL,
   USAD8; DDI 0403, A5.3.13 to A5.3.15.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* TO = the SIZE bits of R from bit AT, extended.  */
static void
lane (struct tb_semantics *s, unsigned to, unsigned r, unsigned at,
      unsigned size, bool is_signed)
{
  if (is_signed)
    {
      tb_sem_emit (s, TB_OP_LSL, to, r, IMM, 32 - size - at);
      tb_sem_emit (s, TB_OP_ASR, to, to, IMM, 32 - size);
      return;
    }
  tb_sem_emit (s, TB_OP_LSR, to, r, IMM, at);
  tb_sem_emit (s, TB_OP_AND, to, to, IMM, (UINT32_C (1) << size) - 1);
}

/* The GE bits of the lane from bit AT are put into T3: those of the sum or
   difference in T0.  */
static void
greater_or_equal (struct tb_semantics *s, unsigned at, unsigned size,
		  bool is_unsigned_sum)
{
  /* A carry out, or no borrow, or no sign.  */
  tb_sem_emit (s, TB_OP_BIT, T1, T0, IMM, is_unsigned_sum ? size : 31);
  if (!is_unsigned_sum)
    tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
  if (size == 16)
    tb_sem_emit (s, TB_OP_MUL, T1, T1, IMM, 3);
  tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, at / 8);
  tb_sem_emit (s, TB_OP_ORR, T3, T3, T1, 0);
}

/* What becomes of the lanes' sums.  */
enum parallel { PARALLEL_PLAIN, PARALLEL_SATURATED, PARALLEL_HALVED };

static void
parallel (struct tb_semantics *s, const struct tb_fields *f, unsigned kind,
	  unsigned how, bool is_unsigned)
{
  /* By KIND: ADD8, ADD16, ASX, -, SUB8, SUB16, SAX, -.  */
  bool crossed = (kind & 3) == 2;
  unsigned size = (kind & 3) == 0 ? 8 : 16;
  s->modelled = (kind & 3) != 3 && how <= PARALLEL_HALVED;
  tb_sem_emit (s, TB_OP_MOV, T2, IMM, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, T3, IMM, NONE, 0);
  for (unsigned at = 0; at < 32; at += size)
    {
      bool subtract = kind >> 2 & 1;
      if (crossed)		/* The low half of ASX is a difference.  */
	subtract = subtract != (at == 0);
      lane (s, T0, f->n, at, size, !is_unsigned);
      lane (s, T1, f->m, crossed ? 16 - at : at, size, !is_unsigned);
      tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, T0, T1, 0);
      if (how == PARALLEL_PLAIN)
	greater_or_equal (s, at, size, is_unsigned && !subtract);
      else if (how == PARALLEL_SATURATED)
	tb_sem_emit (s, is_unsigned ? TB_OP_USAT : TB_OP_SSAT, T0, T0, IMM,
		     size);
      else
	tb_sem_emit (s, TB_OP_ASR, T0, T0, IMM, 1);
      tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, (UINT32_C (1) << size) - 1);
      tb_sem_emit (s, TB_OP_LSL, T0, T0, IMM, at);
      tb_sem_emit (s, TB_OP_ORR, T2, T2, T0, 0);
    }
  tb_sem_emit (s, TB_OP_MOV, f->d, T2, NONE, 0);
  if (how == PARALLEL_PLAIN)
    tb_sem_emit (s, TB_OP_MOV, TB_SLOT_GE, T3, NONE, 0);
}

void
tb_t32_parallel (struct tb_semantics *s, const struct tb_fields *f)
{
  parallel (s, f, f->op >> 20 & 7, f->op >> 4 & 3, f->op >> 6 & 1);
}

void
tb_a32_parallel (struct tb_semantics *s, const struct tb_fields *f)
{
  /* ADD16, ASX, SAX, SUB16, ADD8, -, -, SUB8.  */
  static const uint8_t kinds[8] = { 1, 2, 6, 5, 0, 3, 3, 4 };
  parallel (s, f, kinds[f->op >> 5 & 7], (f->op >> 20 & 3) - 1,
	    f->op >> 22 & 1);
}

/* TO = A + B (A - B), saturated; Q is set if that differs.  Uses T0 to T2.  */
static void
add_saturated (struct tb_semantics *s, bool subtract, unsigned to, unsigned a,
	  unsigned b)
{
  tb_sem_emit (s, subtract ? TB_OP_V_SUB : TB_OP_V_ADD, T1, a, b, 0);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T1, 0);
  /* All ones where it overflowed.  */
  tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, 1);
  tb_sem_emit (s, TB_OP_SUB, T1, T1, IMM, 1);
  /* The limit on the side of A's sign.  */
  tb_sem_emit (s, TB_OP_ASR, T2, a, IMM, 31);
  tb_sem_emit (s, TB_OP_EOR, T2, T2, IMM, 0x7fffffff);
  tb_sem_emit (s, TB_OP_AND, T2, T2, T1, 0);
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, 0);
  tb_sem_emit (s, TB_OP_EOR, T1, T1, IMM, UINT32_MAX);
  tb_sem_emit (s, TB_OP_AND, T0, T0, T1, 0);
  tb_sem_emit (s, TB_OP_ORR, to, T0, T2, 0);
}

/* The row's argument: the bit that says that it subtracts, and the one that N is
   doubled before.  */
void
tb_sem_qadd (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned n = f->n;
  if (f->op >> (f->arg >> 8) & 1)
    add_saturated (s, false, n = T3, f->n, f->n);
  add_saturated (s, f->op >> (f->arg & 31) & 1, f->d, f->m, n);
}

void
tb_sem_sel (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, 0);
  for (unsigned i = 0; i < 4; i++)
    {
      tb_sem_emit (s, TB_OP_BIT, T1, TB_SLOT_GE, IMM, i);
      tb_sem_emit (s, TB_OP_MUL, T1, T1, IMM, UINT32_C (0xff) << 8 * i);
      tb_sem_emit (s, TB_OP_ORR, T0, T0, T1, 0);
    }
  tb_sem_emit (s, TB_OP_AND, T1, f->n, T0, 0);
  tb_sem_emit (s, TB_OP_BIC, T2, f->m, T0, 0);
  tb_sem_emit (s, TB_OP_ORR, f->d, T1, T2, 0);
}

void
tb_sem_usad8 (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, T2, f->a == 15 ? IMM : f->a, NONE, 0);
  for (unsigned at = 0; at < 32; at += 8)
    {
      lane (s, T0, f->n, at, 8, false);
      lane (s, T1, f->m, at, 8, false);
      tb_sem_emit (s, TB_OP_SUB, T0, T0, T1, 0);
      /* Its absolute value.  */
      tb_sem_emit (s, TB_OP_ASR, T1, T0, IMM, 31);
      tb_sem_emit (s, TB_OP_EOR, T0, T0, T1, 0);
      tb_sem_emit (s, TB_OP_SUB, T0, T0, T1, 0);
      tb_sem_emit (s, TB_OP_ADD, T2, T2, T0, 0);
    }
  tb_sem_emit (s, TB_OP_MOV, f->d, T2, NONE, 0);
}
