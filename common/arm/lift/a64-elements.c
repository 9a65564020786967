/* Semantics of A64: arithmetic on the elements of vectors.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All elements of a half register, 64 bits, are computed at once by operations on these
   64 bits that carry nothing from an element to the next one: what is between them is the
   highest bits of the elements, HIGH below.

   Source: DDI 0487, C4.1 "Advanced SIMD three same", "shift by immediate", "two-register
   miscellaneous", "across lanes", "permute", C7.2.  */

#include "config.h"
#include "arm/lift/a64-fp.h"

/* VALUE in each element of BITS bits.  */
static uint64_t
each (unsigned bits, uint64_t value)
{
  for (; bits < 64; bits *= 2)
    value |= value << bits;
  return value;
}

static uint64_t
high (unsigned bits)
{
  return each (bits, UINT64_C (1) << (bits - 1));
}

/* DST = A + B, A - B by elements; DST may be one of them.  T4 and T5 are used, and A
   and B may not be in these.  */
static void
add (struct tb_semantics *s, bool subtract, unsigned dst, unsigned a,
     unsigned b, unsigned bits)
{
  if (bits == 64)
    {
      emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, dst, a, b);
      return;
    }
  emit_imm (s, subtract ? TB_OP_ORR : TB_OP_AND, T4, a,
	    subtract ? high (bits) : ~high (bits));
  emit_imm (s, TB_OP_AND, T5, b, ~high (bits));
  emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T4, T4, T5);
  emit (s, TB_OP_EOR, T5, a, b);
  if (subtract)
    emit_imm (s, TB_OP_EOR, T5, T5, UINT64_MAX);
  emit_imm (s, TB_OP_AND, T5, T5, high (bits));
  emit (s, TB_OP_EOR, dst, T4, T5);
}

/* DST, of which only the highest bits of elements may be ones: the others become as
   these.  T4 is used.  */
static void
fill (struct tb_semantics *s, unsigned dst, unsigned bits)
{
  emit_imm (s, TB_OP_LSR, T4, dst, bits - 1);
  emit (s, TB_OP_SUB, T4, dst, T4);
  emit (s, TB_OP_ORR, dst, dst, T4);
}

/* DST = all ones where the element of A is 0 (UNLESS: not 0), else 0.  T4 is used.  */
static void
is_zero (struct tb_semantics *s, bool unless, unsigned dst, unsigned a,
	 unsigned bits)
{
  emit_imm (s, TB_OP_AND, T4, a, ~high (bits));
  emit_imm (s, TB_OP_ADD, T4, T4, bits == 64 ? INT64_MAX : ~high (bits));
  emit (s, TB_OP_ORR, T4, T4, a);
  if (!unless)
    emit_imm (s, TB_OP_EOR, T4, T4, UINT64_MAX);
  emit_imm (s, TB_OP_AND, dst, T4, high (bits));
  fill (s, dst, bits);
}

/* DST (T2 or T3) = all ones where A < B (UNLESS: >=), else 0.  T0, T1, T4 and T5 are
   used; A and B are not T1, T4, T5 or DST.  */
static void
is_less (struct tb_semantics *s, bool is_signed, bool unless, unsigned dst,
	 unsigned a, unsigned b, unsigned bits)
{
  /* What is borrowed from above: B alone has the bit, or the difference has it and not
     A alone.  Signed numbers have their highest bits the other way round.  */
  add (s, true, dst, a, b, bits);
  emit (s, TB_OP_BIC, T4, is_signed ? a : b, is_signed ? b : a);
  emit (s, TB_OP_EOR, T5, a, b);
  emit (s, TB_OP_BIC, dst, dst, T5);
  emit (s, TB_OP_ORR, dst, dst, T4);
  if (unless)
    emit_imm (s, TB_OP_EOR, dst, dst, UINT64_MAX);
  emit_imm (s, TB_OP_AND, dst, dst, high (bits));
  fill (s, dst, bits);
}

/* DST = A * B, of 32 or 64 bits.  T4 and T5 are used.  */
static void
multiply (struct tb_semantics *s, unsigned dst, unsigned a, unsigned b)
{
  emit_imm (s, TB_OP_LSR, T4, a, 32);
  emit_imm (s, TB_OP_LSR, T5, b, 32);
  emit (s, TB_OP_MUL, T4, T4, T5);
  emit_imm (s, TB_OP_LSL, T4, T4, 32);
  emit (s, TB_OP_MUL, T5, a, b);
  emit_imm (s, TB_OP_AND, T5, T5, LOW_WORD);
  emit (s, TB_OP_ORR, dst, T4, T5);
}

/* DST = A or B: the greater one (LEAST: the lesser one).  */
static void
extreme (struct tb_semantics *s, bool is_signed, bool least, unsigned dst,
	 unsigned a, unsigned b, unsigned bits)
{
  is_less (s, is_signed, !least, T2, a, b, bits);
  emit (s, TB_OP_AND, T4, a, T2);
  emit (s, TB_OP_BIC, T5, b, T2);
  emit (s, TB_OP_ORR, dst, T4, T5);
}

/* One half of "three same".  False: it is not followed.  */
static bool
three (struct tb_semantics *s, unsigned op, bool u, unsigned d, unsigned n,
       unsigned m, unsigned bits)
{
  switch (op)
    {
    case 0x06:			/* CMGT, CMHI  */
      is_less (s, !u, false, T2, m, n, bits);
      break;
    case 0x07:			/* CMGE, CMHS  */
      is_less (s, !u, true, T2, n, m, bits);
      break;
    case 0x0c: case 0x0d:	/* SMAX, UMAX, SMIN, UMIN  */
      if (bits == 64)
	return false;
      extreme (s, !u, op & 1, T2, n, m, bits);
      break;
    case 0x10:			/* ADD, SUB  */
      add (s, u, T2, n, m, bits);
      break;
    case 0x11:			/* CMTST, CMEQ  */
      emit (s, u ? TB_OP_EOR : TB_OP_AND, T2, n, m);
      is_zero (s, !u, T2, T2, bits);
      break;
    case 0x12: case 0x13:	/* MLA, MLS, MUL  */
      if (bits != 32 || (op == 0x13 && u))
	return false;
      multiply (s, T2, n, m);
      if (op == 0x12)
	add (s, u, T2, d, T2, bits);
      break;
    default:
      return false;
    }
  emit (s, TB_OP_MOV, d, T2, NONE);
  return true;
}

/* All or only the lower half of the destination is written, and a scalar has 64
   bits; false: not allocated.  */
static bool
halves (const struct tb_fields *f, unsigned bits, unsigned *count)
{
  bool scalar = tb_bits (f->op, 28, 28), whole = tb_bits (f->op, 30, 30);
  *count = whole && !scalar ? 2 : 1;
  return bits != 64 || scalar || whole;
}

bool
tb_a64_elements (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned bits = 8u << tb_bits (f->op, 23, 22), count;
  if (!halves (f, bits, &count)
      || (tb_bits (f->op, 28, 28) && bits != 64))
    return false;
  for (unsigned h = 0; h < count; h++)
    if (!three (s, tb_bits (f->op, 15, 11), tb_bits (f->op, 29, 29),
		TB_A64_LOW (f->d) + h, TB_A64_LOW (f->n) + h,
		TB_A64_LOW (f->m) + h, bits))
      return false;
  if (count == 1)
    emit_constant (s, TB_A64_HIGH (f->d), 0);
  return true;
}

/* T2 = A shifted to the right by N, 1 to BITS.  */
static void
shift_right (struct tb_semantics *s, bool is_signed, unsigned a, unsigned n,
	     unsigned bits)
{
  if (bits == 64)
    {
      emit_imm (s, is_signed ? TB_OP_ASR : TB_OP_LSR, T2, a, n);
      return;
    }
  if (n == bits && !is_signed)
    {
      emit_constant (s, T2, 0);
      return;
    }
  if (n == bits)		/* Copies of the sign, as by one less.  */
    n--;
  emit_imm (s, TB_OP_LSR, T2, a, n);
  emit_imm (s, TB_OP_AND, T2, T2, each (bits, ones (bits - n)));
  if (!is_signed)
    return;
  emit_imm (s, TB_OP_AND, T4, a, high (bits));
  emit_imm (s, TB_OP_LSR, T5, T4, n);
  emit (s, TB_OP_SUB, T4, T4, T5);
  emit_imm (s, TB_OP_LSL, T4, T4, 1);
  emit (s, TB_OP_ORR, T2, T2, T4);
}

/* SSHR, USHR, SSRA, USRA, SRI, SHL, SLI.  */
bool
tb_a64_element_shift (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 11), by = tb_bits (f->op, 22, 16), count;
  bool u = tb_bits (f->op, 29, 29), left = op == 0xa;
  unsigned bits = by >= 64 ? 64 : by >= 32 ? 32 : by >= 16 ? 16 : 8;
  unsigned n = left ? by - bits : 2 * bits - by;
  if ((op != 0 && op != 2 && !left && !(op == 8 && u)) || by < 8
      || !halves (f, bits, &count) || (tb_bits (f->op, 28, 28) && bits != 64))
    return false;
  for (unsigned h = 0; h < count; h++)
    {
      unsigned d = TB_A64_LOW (f->d) + h, from = TB_A64_LOW (f->n) + h;
      uint64_t written = each (bits, left ? ones (bits) & ~ones (n)
			       : ones (bits - n));
      if (left)
	{
	  emit_imm (s, TB_OP_LSL, T2, from, n);
	  emit_imm (s, TB_OP_AND, T2, T2, written);
	}
      else
	shift_right (s, !u, from, n, bits);
      if (op == 2)		/* SSRA, USRA  */
	add (s, false, T2, d, T2, bits);
      else if (op == 8 || (left && u))	/* SRI, SLI  */
	{
	  emit_imm (s, TB_OP_AND, T4, d, ~written);
	  emit (s, TB_OP_ORR, T2, T2, T4);
	}
      emit (s, TB_OP_MOV, d, T2, NONE);
    }
  if (count == 1)
    emit_constant (s, TB_A64_HIGH (f->d), 0);
  return true;
}

/* DST, elements of BITS bits of which only the lower halves may be ones, becomes these
   one after the other.  T4 is used.  */
static void
pack (struct tb_semantics *s, unsigned dst, unsigned bits)
{
  for (; bits < 64; bits *= 2)
    {
      emit_imm (s, TB_OP_LSR, T4, dst, bits / 2);
      emit (s, TB_OP_ORR, dst, dst, T4);
      emit_imm (s, TB_OP_AND, dst, dst, each (2 * bits, ones (bits)));
    }
}

/* The reverse: the low 32 bits of DST become elements of BITS bits.  */
static void
spread (struct tb_semantics *s, unsigned dst, unsigned bits)
{
  emit_imm (s, TB_OP_AND, dst, dst, LOW_WORD);
  for (unsigned now = 32; now >= bits; now /= 2)
    {
      emit_imm (s, TB_OP_LSL, T4, dst, now / 2);
      emit (s, TB_OP_ORR, dst, dst, T4);
      emit_imm (s, TB_OP_AND, dst, dst, each (now, ones (now / 2)));
    }
}

/* The lower half of each element of N, shifted to the right by BY, as elements of half
   the size: into the lower half of D, or into the upper one only.  */
static void
narrow (struct tb_semantics *s, const struct tb_fields *f, unsigned by,
	unsigned bits)
{
  bool upper = tb_bits (f->op, 30, 30);
  for (unsigned h = 0; h < 2; h++)
    {
      unsigned from = TB_A64_LOW (f->n) + h;
      if (by != 0)
	emit_imm (s, TB_OP_LSR, T2 + h, from, by);
      emit_imm (s, TB_OP_AND, T2 + h, by != 0 ? T2 + h : from,
		each (bits, ones (bits / 2)));
      pack (s, T2 + h, bits);
    }
  emit_imm (s, TB_OP_LSL, T3, T3, 32);
  emit (s, TB_OP_ORR, T2, T2, T3);
  if (upper)
    emit (s, TB_OP_MOV, TB_A64_HIGH (f->d), T2, NONE);
  else
    emit_whole (s, f->d, false);
}

/* SHRN; SSHLL, USHLL.  */
bool
tb_a64_element_resize (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 11), by = tb_bits (f->op, 22, 16);
  bool u = tb_bits (f->op, 29, 29);
  unsigned bits = by >= 32 ? 64 : by >= 16 ? 32 : 16;
  if (by < 8 || by >= 64 || tb_bits (f->op, 28, 28))
    return false;
  if (op == 0x10 && !u)
    narrow (s, f, bits - by, bits);
  else if (op == 0x14)
    {
      unsigned from = TB_A64_LOW (f->n) + tb_bits (f->op, 30, 30);
      unsigned n = by - bits / 2;
      uint64_t sign = each (bits, UINT64_C (1) << (bits / 2 - 1));
      for (unsigned h = 0; h < 2; h++)
	{
	  emit_imm (s, TB_OP_LSR, T2 + h, from, 32 * h);
	  spread (s, T2 + h, bits);
	  if (!u)		/* The sign's value is taken off.  */
	    {
	      emit_imm (s, TB_OP_EOR, T2 + h, T2 + h, sign);
	      emit_constant (s, T0, sign);
	      add (s, true, T2 + h, T2 + h, T0, bits);
	    }
	  emit_imm (s, TB_OP_LSL, T2 + h, T2 + h, n);
	  emit_imm (s, TB_OP_AND, T2 + h, T2 + h,
		    each (bits, ones (bits) & ~ones (n)));
	}
      emit_whole (s, f->d, true);
    }
  else
    return false;
  return true;
}

/* What is no number keeps its sign if FPCR.AH (bit 1) is set (FEAT_AFP).  */
void
tb_a64_change_sign (struct tb_semantics *s, unsigned how, unsigned dst,
		    unsigned a, unsigned bits, unsigned at)
{
  uint64_t infinity = bits == 64 ? UINT64_C (0x7ff0000000000000)
		      : bits == 32 ? UINT64_C (0x7f800000) : 0x7c00;
  emit_imm (s, TB_OP_LSR, T4, a, at);
  emit_imm (s, TB_OP_AND, T4, T4, ones (bits - 1));
  emit_constant (s, T5, infinity);
  emit (s, TB_OP_LTU, T4, T5, T4);
  emit_imm (s, TB_OP_BIT, T5, TB_A64_FPCR, 1);
  emit (s, TB_OP_AND, T4, T4, T5);
  emit_imm (s, TB_OP_EOR, T4, T4, 1);
  emit_imm (s, TB_OP_LSL, T4, T4, at + bits - 1);
  emit (s, how, dst, a, T4);
}

/* The row's HOW of FABS and FNEG for all elements.  */
static void
change_signs (struct tb_semantics *s, const struct tb_fields *f, unsigned how,
	      unsigned bits, unsigned count)
{
  for (unsigned h = 0; h < count; h++)
    {
      unsigned from = TB_A64_LOW (f->n) + h;
      for (unsigned at = 0; at < 64; at += bits)
	tb_a64_change_sign (s, how, T2, at == 0 ? from : T2, bits, at);
      emit (s, TB_OP_MOV, TB_A64_LOW (f->d) + h, T2, NONE);
    }
}

/* Comparisons with 0, ABS, NEG, CNT, FABS, FNEG, XTN.  */
bool
tb_a64_element_misc (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 16, 12), size = tb_bits (f->op, 23, 22);
  bool u = tb_bits (f->op, 29, 29), scalar = tb_bits (f->op, 28, 28);
  unsigned bits = 8u << size, count;
  if (op == 0x12 && !u && size < 3 && !scalar)
    {
      narrow (s, f, 0, 2 * bits);
      return true;
    }
  if (!halves (f, bits, &count) || (scalar && bits != 64))
    return false;
  if (op == 0xf && size >= 2 && !scalar)
    change_signs (s, f, u ? TB_OP_EOR : TB_OP_BIC, bits, count);
  else if ((op >= 8 && op < 11 && !(op == 10 && u)) || op == 11
	   || (op == 5 && !u && size == 0))
    for (unsigned h = 0; h < count; h++)
      {
	unsigned n = TB_A64_LOW (f->n) + h;
	if (op == 5)		/* CNT  */
	  {
	    emit (s, TB_OP_MOV, T0, n, NONE);
	    tb_a64_count_ones (s);
	    emit (s, TB_OP_MOV, TB_A64_LOW (f->d) + h, T0, NONE);
	    continue;
	  }
	emit_constant (s, T0, 0);
	if (op == 8)		/* CMGT, CMGE  */
	  is_less (s, true, u, T2, u ? n : T0, u ? T0 : n, bits);
	else if (op == 9 && u)	/* CMLE  */
	  is_less (s, true, true, T2, T0, n, bits);
	else if (op == 9)	/* CMEQ  */
	  is_zero (s, false, T2, n, bits);
	else if (op == 10)	/* CMLT  */
	  is_less (s, true, false, T2, n, T0, bits);
	else if (u)		/* NEG  */
	  add (s, true, T2, T0, n, bits);
	else			/* ABS  */
	  {
	    emit_imm (s, TB_OP_AND, T3, n, high (bits));
	    fill (s, T3, bits);
	    emit (s, TB_OP_EOR, T2, n, T3);
	    add (s, true, T2, T2, T3, bits);
	  }
	emit (s, TB_OP_MOV, TB_A64_LOW (f->d) + h, T2, NONE);
      }
  else
    return false;
  if (count == 1)
    emit_constant (s, TB_A64_HIGH (f->d), 0);
  return true;
}

/* ADDV, UADDLV: the sums of two elements each, which then have the room for all.  */
bool
tb_a64_element_sum (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 16, 12), bits = 8u << tb_bits (f->op, 23, 22);
  bool u = tb_bits (f->op, 29, 29), whole = tb_bits (f->op, 30, 30);
  bool longer = op == 3 && u;
  if ((!longer && !(op == 0x1b && !u)) || bits == 64 || (bits == 32 && !whole))
    return false;
  for (unsigned h = 0; h <= whole; h++)
    {
      unsigned from = TB_A64_LOW (f->n) + h;
      emit_imm (s, TB_OP_LSR, T2, from, bits);
      emit_imm (s, TB_OP_AND, T2, T2, each (2 * bits, ones (bits)));
      emit_imm (s, TB_OP_AND, T0 + h, from, each (2 * bits, ones (bits)));
      emit (s, TB_OP_ADD, T0 + h, T0 + h, T2);
    }
  if (whole)
    emit (s, TB_OP_ADD, T0, T0, T1);
  if (bits < 32)		/* The highest element is the sum of all.  */
    {
      emit_imm (s, TB_OP_MUL, T0, T0, each (2 * bits, 1));
      emit_imm (s, TB_OP_LSR, T0, T0, 64 - 2 * bits);
    }
  emit_scalar (s, f->d, T0, (longer ? 2 * bits : bits) / 8);
  return true;
}

/* ZIP, UZP, TRN of bytes and halfwords.  */
bool
tb_a64_element_permute (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned bits = 8u << tb_bits (f->op, 23, 22), op = tb_bits (f->op, 13, 12);
  bool whole = tb_bits (f->op, 30, 30), second = tb_bits (f->op, 14, 14);
  unsigned n = TB_A64_LOW (f->n), m = TB_A64_LOW (f->m);
  uint64_t even = each (2 * bits, ones (bits));
  if (bits > 16 || op == 0)
    return false;
  for (unsigned h = 0; h <= whole; h++)
    {
      unsigned dst = T2 + h, a = n + h, b = m + h, by = second ? bits : 0;
      uint64_t kept = even;
      if (op == 1)		/* UZP: of two halves, those of N first.  */
	{
	  a = whole ? (h == 0 ? n : m) : n;
	  b = whole ? a + 1 : m;
	}
      else if (op == 3)		/* ZIP: of 32 bits of each.  */
	{
	  a = n + (whole && second);
	  b = m + (whole && second);
	  by = whole ? 32 * h : second ? 32 : 0;
	  kept = LOW_WORD;
	}
      unsigned into[2] = { dst, T0 }, of[2] = { a, b };
      for (unsigned i = 0; i < 2; i++)
	{
	  emit_imm (s, TB_OP_LSR, into[i], of[i], by);
	  emit_imm (s, TB_OP_AND, into[i], into[i], kept);
	  if (op == 1)
	    pack (s, into[i], 2 * bits);
	  else if (op == 3)
	    spread (s, into[i], 2 * bits);
	}
      emit_imm (s, TB_OP_LSL, T0, T0, op == 1 ? 32 : bits);
      emit (s, TB_OP_ORR, dst, dst, T0);
    }
  emit_whole (s, f->d, whole);
  return true;
}
