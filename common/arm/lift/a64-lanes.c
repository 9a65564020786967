/* Semantics of A64: vector instructions that only move, as exactly as is cheap.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Advanced SIMD copy", "extract", "permute", "modified
   immediate", "two-register miscellaneous", C7.2.  */

#include "config.h"
#include "arm/lift/a64-fp.h"

/* DST = the SIZE bytes of vector register N that are element INDEX.  */
static void
take (struct tb_semantics *s, unsigned dst, unsigned n, unsigned index,
      unsigned size)
{
  unsigned at = 8 * size * index, half = TB_A64_LOW (n) + at / 64;
  if (size == 8)
    {
      emit (s, TB_OP_MOV, dst, half, NONE);
      return;
    }
  if (at % 64 != 0)
    emit_imm (s, TB_OP_LSR, dst, half, at % 64);
  if (at % 64 + 8 * size < 64)
    emit_imm (s, TB_OP_AND, dst, at % 64 != 0 ? dst : half, ones (8 * size));
}

/* UMOV, SMOV.  */
static bool
to_general (struct tb_semantics *s, const struct tb_fields *f, unsigned size,
	    unsigned index)
{
  static const uint8_t extend[3] = { TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW };
  bool wide = tb_bits (f->op, 30, 30), is_signed = !tb_bits (f->op, 12, 12);
  unsigned d = tb_a64_write (f->d), n = f->n;
  if (is_signed ? size == 8 || (size == 4 && !wide) : wide != (size == 8))
    {
      emit_unknown (s, d, UINT64_MAX);
      return true;
    }
  take (s, T0, n, index, size);
  if (is_signed)
    emit (s, extend[size >> 1], T0, T0, NONE);
  result (s, d, T0, wide || !is_signed);
  return true;
}

/* DUP, INS, UMOV, SMOV.  */
bool
tb_a64_copy (struct tb_semantics *s, const struct tb_fields *f)
{
  bool scalar = tb_bits (f->op, 28, 28), whole = tb_bits (f->op, 30, 30);
  unsigned imm5 = tb_bits (f->op, 20, 16), imm4 = tb_bits (f->op, 14, 11);
  unsigned d = f->d, n = f->n;
  bool insert = tb_bits (f->op, 29, 29);
  if ((imm5 & 15) == 0)
    return false;
  unsigned scale = (unsigned) __builtin_ctz (imm5), size = 1u << scale;
  unsigned index = imm5 >> (scale + 1);

  if (scalar)			/* DUP (element)  */
    {
      if (insert || imm4 != 0)
	return false;
      take (s, T2, n, index, size);
      emit_whole (s, d, false);
      return true;
    }
  if (insert)			/* INS (element)  */
    {
      if (!whole)
	return false;
      take (s, T0, n, imm4 >> scale, size);
      emit_insert (s, TB_A64_LOW (d) + index * size / 8, T0, size,
		   index * size * 8 % 64);
      return true;
    }
  switch (imm4)
    {
    case 0: case 1:		/* DUP (element, general)  */
      if (size == 8 && !whole)
	return false;
      if (imm4 == 0)
	take (s, T2, n, index, size);
      else if (size == 8)
	emit (s, TB_OP_MOV, T2, tb_a64_read (n), NONE);
      else
	emit_imm (s, TB_OP_AND, T2, tb_a64_read (n), ones (8 * size));
      emit_copies (s, T2, size);
      emit (s, TB_OP_MOV, T3, T2, NONE);
      emit_whole (s, d, whole);
      return true;
    case 3:			/* INS (general)  */
      if (!whole)
	return false;
      if (size == 8)
	emit (s, TB_OP_MOV, T0, tb_a64_read (n), NONE);
      else
	emit_imm (s, TB_OP_AND, T0, tb_a64_read (n), ones (8 * size));
      emit_insert (s, TB_A64_LOW (d) + index * size / 8, T0, size,
		   index * size * 8 % 64);
      return true;
    case 5: case 7:
      return to_general (s, f, size, index);
    default:
      return false;
    }
}

/* EXT: bytes of M behind N, from one on.  */
bool
tb_a64_extract (struct tb_semantics *s, const struct tb_fields *f)
{
  bool whole = tb_bits (f->op, 30, 30);
  unsigned n = f->n, m = f->m;
  unsigned from = tb_bits (f->op, 14, 11);
  unsigned shift = 8 * (from & 7), halves[4], count = 0;
  if (!whole && from >= 8)
    return false;
  for (unsigned h = 0; h <= whole; h++)
    halves[count++] = TB_A64_LOW (n) + h;
  for (unsigned h = 0; h <= whole; h++)
    halves[count++] = TB_A64_LOW (m) + h;
  for (unsigned h = 0; h <= whole; h++)
    {
      const unsigned *of = &halves[h + from / 8];
      unsigned dst = T2 + h;
      if (shift == 0)
	{
	  emit (s, TB_OP_MOV, dst, of[0], NONE);
	  continue;
	}
      emit_imm (s, TB_OP_LSR, T0, of[0], shift);
      emit_imm (s, TB_OP_LSL, T1, of[1], 64 - shift);
      emit (s, TB_OP_ORR, dst, T0, T1);
    }
  emit_whole (s, f->d, whole);
  return true;
}

/* ZIP, UZP, TRN of elements of 4 and 8 bytes.  */
bool
tb_a64_permute (struct tb_semantics *s, const struct tb_fields *f)
{
  bool whole = tb_bits (f->op, 30, 30);
  unsigned scale = tb_bits (f->op, 23, 22), size = 1u << scale;
  unsigned op = tb_bits (f->op, 13, 12), second = tb_bits (f->op, 14, 14);
  unsigned registers[2] = { f->n, f->m };
  unsigned elements = (whole ? 16 : 8) / size, half = elements / 2;
  if (scale < 2 || op == 0 || elements == 1)
    return false;
  for (unsigned i = 0; i < elements; i++)
    {
      /* Element INDEX of the first or second register is element I.  */
      bool of = op == 1 ? i >= half : i & 1;
      unsigned index = op == 1 ? 2 * (i % half) + second	/* UZP  */
		       : op == 2 ? (i & ~1u) + second		/* TRN  */
		       : i / 2 + second * half;			/* ZIP  */
      unsigned dst = T2 + i * size / 8, at = i * size % 8;
      take (s, at == 0 ? dst : T0, registers[of], index, size);
      if (at != 0)
	{
	  emit_imm (s, TB_OP_LSL, T0, T0, 32);
	  emit (s, TB_OP_ORR, dst, dst, T0);
	}
    }
  emit_whole (s, f->d, whole);
  return true;
}

/* The constant of 64 bits of a modified immediate, as MOVI has it (AdvSIMDExpandImm);
   false: none that is allocated.  */
static bool
expand (uint32_t opcode, uint64_t *value)
{
  unsigned op = tb_bits (opcode, 29, 29), cmode = tb_bits (opcode, 15, 12);
  bool half = tb_bits (opcode, 11, 11), whole = tb_bits (opcode, 30, 30);
  uint64_t imm = tb_bits (opcode, 18, 16) << 5 | tb_bits (opcode, 9, 5);
  uint64_t six = imm & 0x3f, flip = imm >> 6 & 1, sign = imm >> 7;
  unsigned bits = 32;

  if (half && (cmode != 15 || op))
    return false;
  if (cmode < 8)
    imm <<= 8 * (cmode >> 1);
  else if (cmode < 12)
    {
      imm <<= 8 * (cmode >> 1 & 1);
      bits = 16;
    }
  else if (cmode < 14)		/* Ones are shifted in.  */
    imm = cmode & 1 ? imm << 16 | 0xffff : imm << 8 | 0xff;
  else if (cmode == 14 && !op)
    bits = 8;
  else if (cmode == 14)		/* A byte of ones for each bit.  */
    {
      bits = 64;
      *value = 0;
      for (unsigned i = 0; i < 8; i++)
	*value |= (imm >> i & 1 ? UINT64_C (0xff) : 0) << 8 * i;
      imm = *value;
    }
  else if (half)		/* FMOV: sign, exponent, fraction.  */
    {
      imm = sign << 15 | (flip ? 0x3000u : 0x4000u) | six << 6;
      bits = 16;
    }
  else if (!op)
    imm = sign << 31 | (flip ? 0x3e000000u : 0x40000000u) | six << 19;
  else
    {
      imm = sign << 63 | six << 48
	    | (flip ? UINT64_C (0x3fc0000000000000)
	       : UINT64_C (0x4000000000000000));
      bits = 64;
      if (!whole)
	return false;
    }
  for (; bits < 64; bits *= 2)
    imm |= imm << bits;
  *value = imm;
  return true;
}

/* MOVI, MVNI, ORR, BIC, FMOV.  */
bool
tb_a64_modified (struct tb_semantics *s, const struct tb_fields *f)
{
  bool op = tb_bits (f->op, 29, 29), whole = tb_bits (f->op, 30, 30);
  unsigned cmode = tb_bits (f->op, 15, 12), d = f->d;
  bool modifies = cmode < 12 && cmode & 1;
  uint64_t value;
  if (!expand (f->op, &value))
    return false;
  if (op && cmode < 14)
    value = ~value;
  for (unsigned h = 0; h <= whole; h++)
    if (modifies)
      emit_imm (s, op ? TB_OP_AND : TB_OP_ORR, TB_A64_LOW (d) + h,
		TB_A64_LOW (d) + h, value);
    else
      emit_constant (s, TB_A64_LOW (d) + h, value);
  if (!whole)
    emit_constant (s, TB_A64_HIGH (d), 0);
  return true;
}

/* REV64, REV32, REV16, RBIT, NOT, XTN of 8 bytes.  */
bool
tb_a64_reverse (struct tb_semantics *s, const struct tb_fields *f)
{
  bool whole = tb_bits (f->op, 30, 30), u = tb_bits (f->op, 29, 29);
  unsigned op = tb_bits (f->op, 16, 12), size = tb_bits (f->op, 23, 22);
  unsigned d = f->d, n = f->n;
  unsigned first, second = TB_OP_MOV;
  if (op == 0x12 && !u && size == 2)	/* XTN  */
    {
      take (s, T2, n, 0, 4);
      emit_imm (s, TB_OP_LSL, T0, TB_A64_HIGH (n), 32);
      emit (s, TB_OP_ORR, T2, T2, T0);
      if (whole)
	emit (s, TB_OP_MOV, TB_A64_HIGH (d), T2, NONE);
      else
	emit_whole (s, d, false);
      return true;
    }
  if (op == 5 && u && size == 0)	/* NOT  */
    first = TB_OP_EOR;
  else if (op == 5 && u && size == 1)	/* RBIT: in each byte.  */
    {
      first = TB_OP_RBIT;
      second = TB_OP_REV;
    }
  else if (op == 1 && !u && size == 0)
    first = TB_OP_REV16;
  else if (op == 0 && size < (u ? 2 : 3))
    {
      /* Bytes, and then those of each element again.  */
      first = u ? TB_OP_REV32 : TB_OP_REV;
      second = size == 1 ? TB_OP_REV16 : size == 2 ? TB_OP_REV32 : TB_OP_MOV;
    }
  else
    return false;
  for (unsigned h = 0; h <= whole; h++)
    {
      tb_sem_emit (s, first, TB_A64_LOW (d) + h, TB_A64_LOW (n) + h,
		  first == TB_OP_EOR ? IMM : NONE, UINT64_MAX);
      if (second != TB_OP_MOV)
	emit (s, second, TB_A64_LOW (d) + h, TB_A64_LOW (d) + h,
	      NONE);
    }
  if (!whole)
    emit_constant (s, TB_A64_HIGH (d), 0);
  return true;
}
