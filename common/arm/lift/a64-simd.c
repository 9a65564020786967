/* Semantics of A64: Advanced SIMD.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is computed is followed where it is cheap: bitwise, and on elements of 64
   bits.  Else it counts what of the destination is written: a result of 64 bits or a
   scalar leaves 0 above it; where elements become narrower that goes into the lower
   half (the other becomes 0) or into the upper one only ("2" in the name); where
   they become wider all is written.

   Source: DDI 0487, C4.1 "Data Processing -- Scalar Floating-Point and Advanced
   SIMD", C7.2.  */

#include "config.h"
#include "arm/lift/a64-fp.h"

/* What an instruction makes of its destination.  */
enum form
{
  FORM_ANY,			/* Anything.  */
  FORM_SAME,			/* 64 or 128 bits, by Q; a scalar: 64.  */
  FORM_NARROW,			/* Lower or upper half, by Q.  */
  FORM_REDUCED			/* A scalar of at most 64 bits.  */
};

/* By opcode, as bits.  */
#define OPS(a) (UINT32_C (1) << (a))
#define OPS2(a, b) (OPS (a) | OPS (b))
#define OPS3(a, b, c) (OPS2 (a, b) | OPS (c))
#define OPS4(a, b, c, d) (OPS2 (a, b) | OPS2 (c, d))

static bool
is_in (uint32_t set, unsigned op)
{
  return set >> op & 1;
}

static void
finish (struct tb_semantics *s, const struct tb_fields *f, enum form form,
	uint64_t fpsr)
{
  unsigned d = f->d;
  bool scalar = tb_bits (f->op, 28, 28), whole = tb_bits (f->op, 30, 30);
  if (scalar && form == FORM_SAME && fpsr & TB_FPSR_FP)
    emit_scalar_fp (s, d, tb_bits (f->op, 22, 22) ? UINT64_MAX : LOW_WORD);
  else if (form == FORM_ANY || (scalar && fpsr & TB_FPSR_FP)
	   || (form == FORM_SAME && whole && !scalar))
    emit_forget (s, d);
  else if (form == FORM_NARROW && whole && !scalar)
    emit_unknown (s, TB_A64_HIGH (d), UINT64_MAX);
  else
    {
      emit_unknown (s, TB_A64_LOW (d), UINT64_MAX);
      emit_constant (s, TB_A64_HIGH (d), 0);
    }
  emit_fpsr (s, fpsr);
}

/* AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF.  */
static void
bitwise (struct tb_semantics *s, const struct tb_fields *f)
{
  bool whole = tb_bits (f->op, 30, 30);
  unsigned d = f->d, n = f->n, m = f->m;
  unsigned which = tb_bits (f->op, 29, 29) << 2 | tb_bits (f->op, 23, 22);
  bool same = n == m;
  for (unsigned h = 0; h <= whole; h++)
    {
      unsigned dst = TB_A64_LOW (d) + h, a = TB_A64_LOW (n) + h;
      unsigned b = TB_A64_LOW (m) + h;
      if (same && (which == 1 || which == 4))	/* Clears.  */
	{
	  emit_constant (s, dst, 0);
	  continue;
	}
      if (same && (which == 0 || which == 2))
	{
	  emit (s, TB_OP_MOV, dst, a, NONE);
	  continue;
	}
      switch (which)
	{
	case 0: emit (s, TB_OP_AND, dst, a, b); break;
	case 1: emit (s, TB_OP_BIC, dst, a, b); break;
	case 2: emit (s, TB_OP_ORR, dst, a, b); break;
	case 3:			/* ORN  */
	  emit_imm (s, TB_OP_EOR, T0, b, UINT64_MAX);
	  emit (s, TB_OP_ORR, dst, a, T0);
	  break;
	case 4: emit (s, TB_OP_EOR, dst, a, b); break;
	case 5:			/* BSL: D selects.  */
	  emit (s, TB_OP_AND, T0, a, dst);
	  emit (s, TB_OP_BIC, T1, b, dst);
	  emit (s, TB_OP_ORR, dst, T0, T1);
	  break;
	case 6:			/* BIT: M does; from N where it is 1.  */
	  emit (s, TB_OP_AND, T0, a, b);
	  emit (s, TB_OP_BIC, T1, dst, b);
	  emit (s, TB_OP_ORR, dst, T0, T1);
	  break;
	default:		/* BIF: where it is 0.  */
	  emit (s, TB_OP_BIC, T0, a, b);
	  emit (s, TB_OP_AND, T1, dst, b);
	  emit (s, TB_OP_ORR, dst, T0, T1);
	  break;
	}
    }
  if (!whole)
    emit_constant (s, TB_A64_HIGH (d), 0);
}

/* Those of the tables for half precision that have the same number of registers.  */
static void
half_precision (struct tb_semantics *s, const struct tb_fields *f)
{
  finish (s, f, FORM_SAME, TB_FPSR_FP);
}

static void
three_same (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 11), size = tb_bits (f->op, 23, 22);
  bool scalar = tb_bits (f->op, 28, 28), u = tb_bits (f->op, 29, 29);
  bool same = f->n == f->m;
  uint64_t fpsr = op >= 0x18 ? TB_FPSR_FP
		  : is_in (OPS4 (1, 5, 9, 0xb) | OPS (0x16), op) ? TB_FPSR_QC
		  : 0;
  if (op == 3 && !scalar)
    bitwise (s, f);
  else if (op == 0x10 && u && same && (!scalar || size == 3))	/* Clears.  */
    {
      emit_constant (s, TB_A64_LOW (f->d), 0);
      emit_constant (s, TB_A64_HIGH (f->d), 0);
    }
  else if (!tb_a64_elements (s, f))
    finish (s, f, FORM_SAME, fpsr);
}

/* SQRDMLAH and so on, dot products, complex numbers, matrices.  */
static void
three_same_extra (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 14, 11), size = tb_bits (f->op, 23, 22);
  bool scalar = tb_bits (f->op, 28, 28), u = tb_bits (f->op, 29, 29);
  bool middle = size == 1 || size == 2;
  if (u && op <= 1 && middle)
    finish (s, f, FORM_SAME, TB_FPSR_QC);
  else if (!scalar && ((op == 2 && size == 2) || (!u && op == 3 && size == 2)))
    finish (s, f, FORM_SAME, 0);
  else if (!scalar && u && size != 0 && ((op & 12) == 8 || (op & 13) == 12))
    finish (s, f, FORM_SAME, TB_FPSR_FP);
  else if (!scalar && u && size == 1 && op == 15)	/* BFDOT  */
    finish (s, f, FORM_SAME, TB_FPSR_FP);
  else
    finish (s, f, FORM_ANY, TB_FPSR_FP);
}

static void
two_registers (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 16, 12);
  if (tb_a64_element_misc (s, f))
    return;
  bool floating = is_in (OPS4 (0xc, 0xd, 0xe, 0xf) | OPS2 (0x16, 0x17)
			 | UINT32_C (0xff000000), op);
  bool saturates = is_in (OPS3 (3, 7, 0x14), op)
		   || (op == 0x12 && tb_bits (f->op, 29, 29));	/* SQXTUN  */
  enum form form = is_in (OPS3 (0x12, 0x14, 0x16), op) ? FORM_NARROW
		   : is_in (OPS2 (0x10, 0x11) | OPS3 (0x13, 0x15, 0x17), op)
		     ? FORM_ANY : FORM_SAME;
  finish (s, f, form, floating ? TB_FPSR_FP : saturates ? TB_FPSR_QC : 0);
}

static void
three_different (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 12);
  bool scalar = tb_bits (f->op, 28, 28);
  enum form form = !scalar && (op == 4 || op == 6) ? FORM_NARROW
		   : scalar && is_in (OPS3 (9, 0xb, 0xd), op) ? FORM_SAME
		   : FORM_ANY;
  finish (s, f, form,
	  is_in (OPS3 (9, 0xb, 0xd), op) ? TB_FPSR_QC : 0);
}

static void
pairwise (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 16, 12), n = f->n;
  unsigned d = f->d;
  if (op != 0x1b || tb_bits (f->op, 29, 29) || tb_bits (f->op, 23, 22) != 3)
    finish (s, f, FORM_SAME, TB_FPSR_FP);
  else				/* ADDP  */
    {
      emit (s, TB_OP_ADD, TB_A64_LOW (d), TB_A64_LOW (n), TB_A64_HIGH (n));
      emit_constant (s, TB_A64_HIGH (d), 0);
    }
}

static void
across_lanes (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 16, 12);
  if (tb_a64_element_sum (s, f))
    return;
  bool integer = is_in (OPS4 (3, 0xa, 0x1a, 0x1b), op);
  finish (s, f, integer ? FORM_REDUCED : FORM_ANY,
	  integer ? 0 : TB_FPSR_FP);
}

/* Element 0 and 1 of D are the halves of a half of N, extended and shifted: SSHLL,
   USHLL of 4 bytes.  */
static void
lengthen (struct tb_semantics *s, const struct tb_fields *f)
{
  bool u = tb_bits (f->op, 29, 29);
  unsigned d = f->d, n = f->n;
  unsigned shift = tb_bits (f->op, 22, 16) - 32;
  unsigned from = TB_A64_LOW (n) + tb_bits (f->op, 30, 30);
  if (u)
    emit_imm (s, TB_OP_AND, T0, from, LOW_WORD);
  else
    emit (s, TB_OP_SXTW, T0, from, NONE);
  emit_imm (s, u ? TB_OP_LSR : TB_OP_ASR, T1, from, 32);
  emit_imm (s, TB_OP_LSL, TB_A64_LOW (d), T0, shift);
  emit_imm (s, TB_OP_LSL, TB_A64_HIGH (d), T1, shift);
}

static void
shift_immediate (struct tb_semantics *s, const struct tb_fields *f)
{
  bool scalar = tb_bits (f->op, 28, 28), u = tb_bits (f->op, 29, 29);
  unsigned op = tb_bits (f->op, 15, 11), by = tb_bits (f->op, 22, 16);
  if (op == 0x14 && !scalar && by >= 32 && by < 64)
    {
      lengthen (s, f);
      return;
    }
  if (tb_a64_element_shift (s, f) || tb_a64_element_resize (s, f))
    return;
  bool narrow = op >= 0x10 && op <= 0x13, floating = op == 0x1c || op == 0x1f;
  bool saturates = op == 0xc || op == 0xe || op == 0x12 || op == 0x13
		   || (narrow && u);
  bool known = floating || narrow || op < 0x10;
  finish (s, f, !known ? FORM_ANY : narrow ? FORM_NARROW : FORM_SAME,
	  floating ? TB_FPSR_FP : saturates ? TB_FPSR_QC : 0);
}

static void
by_element (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned op = tb_bits (f->op, 15, 12), size = tb_bits (f->op, 23, 22);
  bool u = tb_bits (f->op, 29, 29), scalar = tb_bits (f->op, 28, 28);
  bool middle = size == 1 || size == 2, same = false;
  uint64_t fpsr = 0;
  switch ((u ? 16u : 0) | op)
    {
    case 0x01: case 0x05: case 0x09: case 0x19:	/* FMLA, FMLS, FMUL, FMULX  */
      same = size != 1;
      fpsr = TB_FPSR_FP;
      break;
    case 0x08: case 0x10: case 0x14:	/* MUL, MLA, MLS  */
      same = middle && !scalar;
      break;
    case 0x0c: case 0x0d: case 0x1d: case 0x1f:	/* SQDMULH, SQRDMULH, SQRDML.H */
      same = middle;
      fpsr = TB_FPSR_QC;
      break;
    case 0x03: case 0x07: case 0x0b:	/* SQDMLAL, SQDMLSL, SQDMULL  */
      same = scalar;
      fpsr = TB_FPSR_QC;
      break;
    case 0x0e: case 0x1e:	/* SDOT, UDOT  */
      same = size == 2 && !scalar;
      break;
    case 0x0f:			/* SUDOT, BFDOT, USDOT  */
      same = size != 3 && !scalar;
      fpsr = TB_FPSR_FP;
      break;
    case 0x00: case 0x04: case 0x18: case 0x1c:	/* FMLAL, FMLSL  */
      same = size == 2 && !scalar;
      fpsr = TB_FPSR_FP;
      break;
    case 0x11: case 0x13: case 0x15: case 0x17:	/* FCMLA  */
      same = middle && !scalar;
      fpsr = TB_FPSR_FP;
      break;
    case 0x02: case 0x06: case 0x0a: case 0x12: case 0x16: case 0x1a:
      break;			/* SMLAL and so on.  */
    default:
      fpsr = TB_FPSR_FP;
      break;
    }
  finish (s, f, same ? FORM_SAME : FORM_ANY, fpsr);
}

/* EOR3, BCAX; the others are cryptography.  */
static void
four_registers (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned d = f->d, n = f->n, m = f->m, a = f->a;
  bool bcax = tb_bits (f->op, 21, 21);
  for (unsigned h = 0; h < 2; h++)
    {
      emit (s, bcax ? TB_OP_BIC : TB_OP_EOR, T0, TB_A64_LOW (m) + h,
	    TB_A64_LOW (a) + h);
      emit (s, TB_OP_EOR, TB_A64_LOW (d) + h, TB_A64_LOW (n) + h, T0);
    }
}

/* The row's argument is the form.  */
static void
plain (struct tb_semantics *s, const struct tb_fields *f)
{
  finish (s, f, (enum form) f->arg, 0);
}

/* Who knows what it is.  */
static void
other (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_unknown (s, tb_a64_write (f->d), UINT64_MAX);
  emit_fpsr (s, TB_FPSR_FP | TB_FPSR_QC);
  emit_forget_vectors (s);
}

/* What moves bytes, and what stands for it if it is not followed.  */
static void
copy (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!tb_a64_copy (s, f))
    other (s, f);
}

static void
extract (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!tb_a64_extract (s, f))
    other (s, f);
}

static void
permute (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!tb_a64_permute (s, f) && !tb_a64_element_permute (s, f))
    finish (s, f, FORM_SAME, 0);
}

static void
modified (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!tb_a64_modified (s, f))
    finish (s, f, FORM_ANY, 0);
}

static void
two_vectors (struct tb_semantics *s, const struct tb_fields *f)
{
  if (!tb_a64_reverse (s, f))
    two_registers (s, f);
}

static const struct tb_row scalars[] = {
  /* "Floating-point data-processing (3 source)", "(1 source)", "(2 source)" ...  */
  { 0x7f000000, 0x1f000000, RAW, 0, tb_a64_fp_result },
  { 0xff200c00, 0x1e200800, RAW, 0, tb_a64_fp_result },
  { 0xffe0fc00, 0x1ea04000, RAW, 0, tb_a64_fp_other },	/* No such type.  */
  { 0xff3ffc00, 0x1e204000, RAW, 0, tb_a64_fp_copy },
  { 0xff3ffc00, 0x1e20c000, RAW, TB_OP_BIC, tb_a64_fp_sign },
  { 0xff3ffc00, 0x1e214000, RAW, TB_OP_EOR, tb_a64_fp_sign },
  { 0xff3ffc00, 0x1e224000, RAW, 4, tb_a64_fp_result },	/* FCVT  */
  { 0xff3ffc00, 0x1e22c000, RAW, 8, tb_a64_fp_result },
  { 0xff3f7c00, 0x1e234000, RAW, 2, tb_a64_fp_result },	/* And BFCVT.  */
  { 0xff207c00, 0x1e204000, RAW, 0, tb_a64_fp_result },
  { 0xff203c00, 0x1e202000, RAW, 0, tb_a64_fp_flags },	/* "Compare"  */
  { 0xff200c00, 0x1e200400, RAW, 0, tb_a64_fp_flags },
  { 0xffe00400, 0x1ea00400, RAW, 0, tb_a64_fp_other },	/* No such type.  */
  { 0xffe01fe0, 0x1ea01000, RAW, 0, tb_a64_fp_other },
  { 0xff200c00, 0x1e200c00, RAW, 0, tb_a64_fp_select },
  { 0xff201fe0, 0x1e201000, RAW, 0, tb_a64_fp_constant },
  /* "Conversion between floating-point and integer", "and fixed-point"  */
  { 0xfffffc00, 0x1e7e0000, RAW, 0, tb_a64_fp_java },
  { 0x7f26fc00, 0x1e260000, RAW, 0, tb_a64_fp_move },
  { 0x7fe0fc00, 0x1ea00000, RAW, 0, tb_a64_fp_other },	/* No such type.  */
  { 0x7f3efc00, 0x1e220000, RAW, 0, tb_a64_fp_result },
  { 0x7f26fc00, 0x1e200000, RAW, 0, tb_a64_fp_to_general },
  { 0x7f3efc00, 0x1e240000, RAW, 0, tb_a64_fp_to_general },
  { 0x7f3e0000, 0x1e020000, RAW, 0, tb_a64_fp_result },
  { 0x7f3e0000, 0x1e180000, RAW, 0, tb_a64_fp_to_general },
  { 0x5e000000, 0x1e000000, RAW, 0, tb_a64_fp_other },
  /* "Advanced SIMD scalar ..."  */
  { 0xdfe08400, 0x5e000400, RAW, 0, copy },
  { 0xff208c00, 0x5e000000, RAW, FORM_ANY, plain },	/* SHA, three registers.  */
  { 0xdf60c400, 0x5e400400, RAW, 0, half_precision },
  { 0xdf7e0c00, 0x5e780800, RAW, 0, half_precision },
  { 0xdf208400, 0x5e008400, RAW, 0, three_same_extra },
  { 0xff3e0c00, 0x5e280800, RAW, FORM_ANY, plain },	/* SHA, two registers.  */
  { 0xdf3e0c00, 0x5e200800, RAW, 0, two_registers },
  { 0xdf3e0c00, 0x5e300800, RAW, 0, pairwise },
  { 0xdf200c00, 0x5e200000, RAW, 0, three_different },
  { 0xdf200400, 0x5e200400, RAW, 0, three_same },
  { 0xdf800400, 0x5f000400, RAW, 0, shift_immediate },
  { 0xdf000400, 0x5f000000, RAW, 0, by_element },
  { 0x00000000, 0x00000000, RAW, 0, other },
};
const struct tb_rows tb_a64_scalars_rows = TB_ROWS (scalars);

static const struct tb_row vectors[] = {
  { 0x9fe08400, 0x0e000400, RAW, 0, copy },
  { 0xbfe08400, 0x2e000000, RAW, 0, extract },
  { 0xbfe08c00, 0x0e000000, RAW, FORM_SAME, plain },	/* TBL, TBX.  */
  { 0xbf208c00, 0x0e000800, RAW, 0, permute },
  { 0x9f60c400, 0x0e400400, RAW, 0, half_precision },
  { 0x9f7e0c00, 0x0e780800, RAW, 0, half_precision },
  { 0x9f208400, 0x0e008400, RAW, 0, three_same_extra },
  { 0xff3e0c00, 0x4e280800, RAW, FORM_ANY, plain },	/* AES.  */
  { 0x9f3e0c00, 0x0e200800, RAW, 0, two_vectors },
  { 0x9f3e0c00, 0x0e300800, RAW, 0, across_lanes },
  { 0x9f200c00, 0x0e200000, RAW, 0, three_different },
  { 0x9f200400, 0x0e200400, RAW, 0, three_same },
  { 0x9ff80400, 0x0f000400, RAW, 0, modified },
  { 0x9f800400, 0x0f000400, RAW, 0, shift_immediate },
  { 0x9f000400, 0x0f000000, RAW, 0, by_element },
  { 0xffc08000, 0xce000000, RAW, 0, four_registers },
  { 0xff808000, 0xce000000, RAW, FORM_ANY, plain },	/* SM3SS1  */
  { 0xffe00000, 0xce800000, RAW, FORM_ANY, plain },	/* XAR  */
  { 0xffe08000, 0xce408000, RAW, FORM_ANY, plain },	/* SM3TT  */
  { 0xffe0b000, 0xce608000, RAW, FORM_ANY, plain },	/* SHA512, three.  */
  { 0xfffff000, 0xcec08000, RAW, FORM_ANY, plain },	/* SHA512, SM4E  */
  { 0x00000000, 0x00000000, RAW, 0, other },
};
const struct tb_rows tb_a64_vectors_rows = TB_ROWS (vectors);
