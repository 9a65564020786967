/* Vector data processing as micro-operations: which encodings, and which registers
   they write.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A7.4; DDI 0487, F4.1 (what is new in ARMv8).  */

#include "config.h"
#include "arm/lift/fp.h"

/* Who is written: one D register, one Q register, or what bit 6 says.  */
enum width { WIDTH_D = 2, WIDTH_Q = 4, WIDTH_BIT6 = 0 };

/* The destination of OP becomes unknown, and in FPSCR what STATUS says.  */
static bool
result (struct tb_semantics *s, uint32_t op, enum width width, uint32_t status)
{
  unsigned words = width != WIDTH_BIT6 ? width : op >> 6 & 1 ? 4 : 2;
  if (words == 4 && op >> 12 & 1)
    return false;
  tb_sem_fp_unknown (s, tb_fp_double (op, TB_FP_D), words);
  tb_sem_fp_status (s, status);
  return true;
}

static struct tb_simd
registers (uint32_t op)
{
  return (struct tb_simd) { tb_fp_double (op, TB_FP_D),
			    tb_fp_double (op, TB_FP_N),
			    tb_fp_double (op, TB_FP_M), op >> 6 & 1 ? 4 : 2 };
}

/* Three registers of the same length (A7.4.1): bits 11:8 and 4 select.  */
static bool
three_same (struct tb_semantics *s, uint32_t op)
{
  /* By these bits: VQADD, VQSUB, VQSHL, VQRSHL, VQDMULH, and with U VQRDMLAH and
     VQRDMLSH.  */
  enum
  {
    SATURATES = 1u << 1 | 1u << 5 | 1u << 9 | 1u << 11 | 1u << 22,
    SATURATES_U = SATURATES | 1u << 23 | 1u << 25,
    FIRST_FP = 25		/* VFMA; before it is SHA.  */
  };
  unsigned which = (op >> 7 & 30) | (op >> 4 & 1);
  bool u = op >> 24 & 1;
  struct tb_simd r = registers (op);
  if (r.words == 4 && op & 0x11001)
    return false;
  if (which == 3)
    {
      tb_sem_simd_bitwise (s, op, &r);
      return true;
    }
  if (tb_sem_simd_integer (s, op, &r))
    return true;
  return result (s, op, WIDTH_BIT6,
		 (u ? SATURATES_U : SATURATES) >> which & 1 ? TB_FP_SATURATES
		 : which >= FIRST_FP ? TB_FP_RAISES : 0);
}

/* Three registers of different lengths (A7.4.2).  */
static bool
three_different (struct tb_semantics *s, uint32_t op)
{
  unsigned which = op >> 8 & 15;
  switch (which)
    {
    case 4: case 6:		/* VADDHN, VSUBHN and their kin.  */
      return result (s, op, WIDTH_D, 0);
    case 9: case 11: case 13:	/* VQDMLAL, VQDMLSL, VQDMULL.  */
      return result (s, op, WIDTH_Q, TB_FP_SATURATES);
    case 15:
      return false;
    default:
      return result (s, op, WIDTH_Q, 0);
    }
}

/* Two registers and a scalar (A7.4.3).  */
static bool
by_scalar (struct tb_semantics *s, uint32_t op)
{
  enum width width = op >> 24 & 1 ? WIDTH_Q : WIDTH_D;
  switch (op >> 8 & 15)
    {
    case 0: case 4: case 8:	/* VMLA, VMLS, VMUL of integers ...  */
      return result (s, op, width, 0);
    case 1: case 5: case 9:	/* ... and others.  */
      return result (s, op, width, TB_FP_RAISES);
    case 2: case 6: case 10:	/* VMLAL, VMLSL, VMULL.  */
      return result (s, op, WIDTH_Q, 0);
    case 3: case 7: case 11:	/* VQDMLAL, VQDMLSL, VQDMULL.  */
      return result (s, op, WIDTH_Q, TB_FP_SATURATES);
    default:			/* VQDMULH, VQRDMULH, VQRDMLAH, VQRDMLSH.  */
      return result (s, op, width, TB_FP_SATURATES);
    }
}

/* Two registers and an amount to shift by (A7.4.4).  */
static bool
by_amount (struct tb_semantics *s, uint32_t op)
{
  unsigned which = op >> 8 & 15;
  bool doubles = op >> 7 & 1;
  struct tb_simd r = registers (op);
  if ((which >= 8 && doubles)
      || ((which < 8 || which > 10) && r.words == 4 && op & 0x1001))
    return false;
  switch (which)
    {
    case 6: case 7:		/* VQSHL, VQSHLU.  */
      return result (s, op, WIDTH_BIT6, TB_FP_SATURATES);
    case 8:			/* VSHRN, VRSHRN; VQSHRUN, VQRSHRUN.  */
      return result (s, op, WIDTH_D, op >> 24 & 1 ? TB_FP_SATURATES : 0);
    case 9:			/* VQSHRN, VQRSHRN.  */
      return result (s, op, WIDTH_D, TB_FP_SATURATES);
    case 10:			/* VSHLL, VMOVL.  */
      if (!(op & 0x1000) && tb_sem_simd_widen (s, op, &r))
	return true;
      return result (s, op, WIDTH_Q, 0);
    case 11:
      return false;
    case 12: case 13: case 14: case 15:	/* VCVT  */
      return result (s, op, WIDTH_BIT6, TB_FP_RAISES);
    default:
      return tb_sem_simd_shift (s, op, &r) || result (s, op, WIDTH_BIT6, 0);
    }
}

/* VABS and VNEG of numbers: what HOW does with their signs.  */
static bool
change_sign (struct tb_semantics *s, unsigned how, unsigned size,
	     const struct tb_simd *r)
{
  if (size != 1 && size != 2)
    return false;
  tb_sem_fp_words (s, r->words, how, r->d, r->m, IMM,
		   size == 1 ? 0x80008000 : 0x80000000);
  return true;
}

/* Two registers (A7.4.5): bits 17:16 and 10:7 select.  */
static bool
two_registers (struct tb_semantics *s, uint32_t op)
{
  unsigned which = (op >> 12 & 0x30) | (op >> 7 & 15), size = op >> 18 & 3;
  bool bit6 = op >> 6 & 1;
  struct tb_simd r = registers (op);
  bool whole = !bit6 || !(op & 0x1001);
  switch (which)
    {
    case 0x00: case 0x01: case 0x02:
      return whole && tb_sem_simd_reverse (s, size, 8 >> which, &r);
    case 0x03:
      return false;
    case 0x06: case 0x07:	/* AESE, AESD, AESMC, AESIMC.  */
      return result (s, op, WIDTH_Q, 0);
    case 0x0b:			/* VMVN  */
      if (whole)
	tb_sem_fp_words (s, r.words, TB_OP_EOR, r.d, r.m, IMM, UINT32_MAX);
      return whole && size == 0;
    case 0x0e: case 0x0f:	/* VQABS, VQNEG.  */
      return result (s, op, WIDTH_BIT6, TB_FP_SATURATES);
    case 0x15:			/* SHA1H  */
      return bit6 && result (s, op, WIDTH_Q, 0);
    case 0x1e: case 0x1f:
      return whole && change_sign (s, which == 0x1e ? TB_OP_BIC : TB_OP_EOR,
				   size, &r);
    case 0x18: case 0x19: case 0x1a: case 0x1b: case 0x1c:
      return result (s, op, WIDTH_BIT6, TB_FP_RAISES);	/* VCGT ...  */
    case 0x1d:
      return false;
    case 0x20: case 0x21:	/* VSWP, VTRN.  */
      if (!whole || size == 3 || (which == 0x20 && size != 0))
	return false;
      tb_sem_simd_transpose (s, which == 0x20 ? 3 : size, &r);
      return true;
    case 0x22: case 0x23:	/* VUZP, VZIP.  */
      if (!whole || size == 3 || (size == 2 && !bit6))
	return false;
      tb_sem_simd_zip (s, which == 0x22, size, &r);
      return true;
    case 0x24:			/* VMOVN, VQMOVUN.  */
      if (bit6)
	return result (s, op, WIDTH_D, TB_FP_SATURATES);
      if (size == 3 || op & 1)
	return false;
      tb_sem_simd_narrow (s, size, &r);
      return true;
    case 0x25:			/* VQMOVN  */
      return result (s, op, WIDTH_D, TB_FP_SATURATES);
    case 0x26:			/* VSHLL  */
      return !bit6 && result (s, op, WIDTH_Q, 0);
    case 0x27:			/* SHA1SU1, SHA256SU0.  */
      return result (s, op, WIDTH_Q, 0);
    case 0x2c:			/* VCVT to halves (and BF16) ...  */
      return result (s, op, WIDTH_D, TB_FP_RAISES);
    case 0x2e:			/* ... and from them.  */
      return !bit6 && result (s, op, WIDTH_Q, TB_FP_RAISES);
    default:			/* VRINT, VCVT, VRECPE, VRSQRTE.  */
      return result (s, op, WIDTH_BIT6, which >= 0x28 ? TB_FP_RAISES : 0);
    }
}

bool
tb_sem_simd_data (struct tb_semantics *s, uint32_t op)
{
  struct tb_simd r = registers (op);
  if (!(op >> 23 & 1))
    return three_same (s, op);
  if (op >> 4 & 1)
    return (op & 0x380080) == 0 ? tb_sem_simd_constant (s, op, &r)
	   : by_amount (s, op);
  if ((op >> 20 & 3) != 3)
    return op >> 6 & 1 ? by_scalar (s, op) : three_different (s, op);
  if (!(op >> 24 & 1))
    return (r.words == 2 || !(op & 0x11001)) && tb_sem_simd_extract (s, op, &r);
  if (!(op >> 11 & 1))
    return two_registers (s, op);
  if (!(op >> 10 & 1))		/* VTBL, VTBX.  */
    return result (s, op, WIDTH_D, 0);
  return (op & 0xf80) == 0xc00 && tb_sem_simd_duplicate (s, op, &r);
}

/* What ARMv8.2 and later added (DDI 0487, F4.1: "three registers of the same
   length extension", "two registers and a scalar extension").  */
static const struct
{
  uint32_t mask, value;
  enum width width;
} later[] = {
  { 0xfea00f10, 0xfc800800, WIDTH_BIT6 },	/* VCADD  */
  { 0xfe200f10, 0xfc200800, WIDTH_BIT6 },	/* VCMLA  */
  { 0xff300f10, 0xfc200810, WIDTH_BIT6 },	/* VFMAL, VFMSL.  */
  { 0xffb00f10, 0xfc300810, WIDTH_Q },		/* VFMAB, VFMAT.  */
  { 0xffb00f10, 0xfc000d00, WIDTH_BIT6 },	/* VDOT of BF16.  */
  { 0xffb00f50, 0xfc000c40, WIDTH_Q },		/* VMMLA  */
  { 0xffb00f00, 0xfc200d00, WIDTH_BIT6 },	/* VSDOT, VUDOT.  */
  { 0xffb00f40, 0xfc200c40, WIDTH_Q },		/* VSMMLA, VUMMLA.  */
  { 0xffb00f10, 0xfca00d00, WIDTH_BIT6 },	/* VUSDOT  */
  { 0xffb00f50, 0xfca00c40, WIDTH_Q },		/* VUSMMLA  */
  { 0xff000f10, 0xfe000800, WIDTH_BIT6 },	/* The same by a scalar.  */
  { 0xffa00f10, 0xfe000810, WIDTH_BIT6 },
  { 0xffb00f10, 0xfe300810, WIDTH_Q },
  { 0xffb00f10, 0xfe000d00, WIDTH_BIT6 },
  { 0xffb00f00, 0xfe200d00, WIDTH_BIT6 },
  { 0xffb00f00, 0xfe800d00, WIDTH_BIT6 }
};

bool
tb_sem_simd_later (struct tb_semantics *s, uint32_t op)
{
  for (unsigned i = 0; i < sizeof later / sizeof later[0]; i++)
    if ((op & later[i].mask) == later[i].value)
      return result (s, op, later[i].width, TB_FP_RAISES);
  return false;
}
