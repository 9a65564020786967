/* Vector data processing as micro-operations: which encodings.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of what is not described exactly the rows say which registers become unknown.

   Source: DDI 0406, A7.4; DDI 0487, F4.1 (what is new in ARMv8).  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* Which registers there are; those that become unknown are D alone.  */
#define THREE TB_FP (FP_BIT6, FP_BIT6, FP_BIT6)
#define TWO TB_FP (FP_BIT6, FP_NONE, FP_BIT6)
#define ONE TB_FP (FP_BIT6, FP_NONE, FP_NONE)
#define TO_D TB_FP (FP_D, FP_NONE, FP_NONE)
#define TO_Q TB_FP (FP_Q, FP_NONE, FP_NONE)
#define NARROWS TB_FP (FP_D, FP_NONE, FP_Q)
#define WIDENS TB_FP (FP_Q, FP_NONE, FP_D)
#define BY_U TB_FP (FP_BIT24, FP_NONE, FP_NONE)

/* Three registers of the same length (A7.4.1): U, bits 11:8 and 4 select.  */
static const struct tb_row three_same[] = {
  { 0x01b00f10, 0x00000110, THREE, TB_OP_AND, tb_sem_simd_words },	/* VAND  */
  { 0x01b00f10, 0x00100110, THREE, TB_OP_BIC, tb_sem_simd_words },	/* VBIC  */
  { 0x01b00f10, 0x00200110, THREE, TB_OP_ORR, tb_sem_simd_words },	/* VORR  */
  { 0x01b00f10, 0x00300110, THREE, 0, tb_sem_simd_orn },
  { 0x01b00f10, 0x01000110, THREE, TB_OP_EOR, tb_sem_simd_words },	/* VEOR  */
  { 0x01800f10, 0x01000110, THREE, 0, tb_sem_simd_choose },
  /* Of 64 bits, and of words: VADD, VSUB; VCGT, VCGE; VTST, VCEQ; VMLA, VMLS; VMUL.  */
  { 0x01b00f10, 0x00300800, THREE, TB_OP_ADD, tb_sem_simd_add_doubles },
  { 0x01b00f10, 0x01300800, THREE, TB_OP_SUB, tb_sem_simd_add_doubles },
  { 0x01b00f10, 0x00200800, THREE, TB_OP_ADD, tb_sem_simd_words },
  { 0x01b00f10, 0x01200800, THREE, TB_OP_SUB, tb_sem_simd_words },
  { 0x01b00f00, 0x00200300, THREE, TB_OP_LTS, tb_sem_simd_greater },
  { 0x01b00f00, 0x01200300, THREE, TB_OP_LTU, tb_sem_simd_greater },
  { 0x01b00f10, 0x00200810, THREE, TB_OP_AND, tb_sem_simd_equal },
  { 0x01b00f10, 0x01200810, THREE, TB_OP_EOR, tb_sem_simd_equal },
  { 0x01b00f10, 0x00200900, THREE, TB_OP_ADD, tb_sem_simd_accumulate },
  { 0x01b00f10, 0x01200900, THREE, TB_OP_SUB, tb_sem_simd_accumulate },
  { 0x01b00f10, 0x00200910, THREE, TB_OP_MUL, tb_sem_simd_words },
  /* VQADD, VQSUB, VQSHL, VQRSHL, VQDMULH; VQRDMULH, VQRDMLAH, VQRDMLSH.  */
  { 0x00800d10, 0x00000010, THREE, SATURATES, tb_sem_fp_result },
  { 0x00800e10, 0x00000410, THREE, SATURATES, tb_sem_fp_result },
  { 0x00800f10, 0x00000b00, THREE, SATURATES, tb_sem_fp_result },
  { 0x01800f10, 0x01000b10, THREE, SATURATES, tb_sem_fp_result },
  { 0x01800f10, 0x01000c10, THREE, SATURATES, tb_sem_fp_result },
  /* Numbers: VFMA to VRSQRTS.  */
  { 0x01800f10, 0x00000c10, THREE, RAISES, tb_sem_fp_result },
  { 0x00800f00, 0x00000d00, THREE, RAISES, tb_sem_fp_result },
  { 0x00800e00, 0x00000e00, THREE, RAISES, tb_sem_fp_result },
  { 0x00800000, 0x00000000, THREE, 0, tb_sem_fp_result },
};
static const struct tb_rows three_same_rows = TB_ROWS (three_same);

/* Two registers and an amount to shift by (A7.4.4), and constants (A7.4.6): bits 11:8
   select.  */
static const struct tb_row by_amount[] = {
  { 0x00b80090, 0x00800010, ONE, 0, tb_sem_simd_constant },
  { 0x00a00f90, 0x00a00010, TWO, TB_SHR, tb_sem_simd_shift_words },
  { 0x00a00f90, 0x00a00110, TWO, TB_SRA, tb_sem_simd_shift_words },
  { 0x01a00f90, 0x01a00410, TWO, TB_SRI, tb_sem_simd_shift_words },
  { 0x01a00f90, 0x00a00510, TWO, TB_SHL, tb_sem_simd_shift_words },
  { 0x01a00f90, 0x01a00510, TWO, TB_SLI, tb_sem_simd_shift_words },
  { 0x00800f90, 0x00800090, TWO, TB_SHR, tb_sem_simd_shift_doubles },
  { 0x01800f90, 0x00800590, TWO, TB_SHL, tb_sem_simd_shift_doubles },
  { 0x00800e10, 0x00800610, TWO, SATURATES, tb_sem_fp_result },	/* VQSHL  */
  { 0x00800810, 0x00800010, TWO, 0, tb_sem_fp_result },
  /* VQSHRUN, VQRSHRUN; VSHRN, VRSHRN; VQSHRN, VQRSHRN.  */
  { 0x01800f90, 0x01800810, TO_D, SATURATES, tb_sem_fp_result },
  { 0x01800f90, 0x00800810, TO_D, 0, tb_sem_fp_result },
  { 0x00800f90, 0x00800910, TO_D, SATURATES, tb_sem_fp_result },
  /* VMOVL, VSHLL; VCVT.  */
  { 0x00bf0f90, 0x00880a10, WIDENS, 1, tb_sem_simd_widen },
  { 0x00bf0f90, 0x00900a10, WIDENS, 2, tb_sem_simd_widen },
  { 0x00bf0f90, 0x00a00a10, WIDENS, 4, tb_sem_simd_widen },
  { 0x00800f90, 0x00800a10, TO_Q, 0, tb_sem_fp_result },
  { 0x00800c90, 0x00800c10, TWO, RAISES, tb_sem_fp_result },
};
static const struct tb_rows by_amount_rows = TB_ROWS (by_amount);

/* Two registers (A7.4.5): bits 17:16 and 10:7 select.  Before them VEXT, VTBL, VDUP.  */
#define MISC(which) (0x01b00000 | ((which) & 0x30) << 12 | ((which) & 15) << 7)
#define ALL 0x01b30f90
#define SIZE 0x000c0000
#define BIT6 0x00000040
static const struct tb_row two[] = {
  { 0x01b00010, 0x00b00000, THREE, 0, tb_sem_simd_extract },
  { 0x01b00c10, 0x01b00800, TO_D, 0, tb_sem_fp_result },	/* VTBL, VTBX.  */
  { 0x01b00f90, 0x01b00c00, TB_FP (FP_BIT6, FP_NONE, FP_D), 0,
    tb_sem_simd_duplicate },

  { ALL, MISC (0x00), TWO, 8, tb_sem_simd_reverse },
  { ALL, MISC (0x01), TWO, 4, tb_sem_simd_reverse },
  { ALL, MISC (0x02), TWO, 2, tb_sem_simd_reverse },
  { ALL, MISC (0x03), TWO, 0, tb_sem_undefined },
  /* AESE, AESD, AESMC, AESIMC.  */
  { ALL & ~0x80, MISC (0x06), TO_Q, 0, tb_sem_fp_result },
  { ALL | SIZE, MISC (0x0b), TWO, 0, tb_sem_simd_not },
  { ALL, MISC (0x0b), TWO, 0, tb_sem_undefined },
  { ALL & ~0x80, MISC (0x0e), ONE, SATURATES, tb_sem_fp_result },	/* VQABS, VQNEG.  */
  { ALL | BIT6, MISC (0x15) | BIT6, TO_Q, 0, tb_sem_fp_result },	/* SHA1H  */
  { ALL, MISC (0x15), TO_Q, 0, tb_sem_undefined },
  /* VCGT, VCGE, VCEQ, VCLE; VCLT of numbers and 0.  */
  { ALL & ~0x180, MISC (0x18), ONE, RAISES, tb_sem_fp_result },
  { ALL, MISC (0x1c), ONE, RAISES, tb_sem_fp_result },
  { ALL, MISC (0x1d), ONE, 0, tb_sem_undefined },
  { ALL, MISC (0x1e), TWO, TB_OP_BIC, tb_sem_simd_sign },	/* VABS  */
  { ALL, MISC (0x1f), TWO, TB_OP_EOR, tb_sem_simd_sign },	/* VNEG  */
  { ALL | SIZE, MISC (0x20), TWO, 0, tb_sem_simd_swap },
  { ALL, MISC (0x20), TWO, 0, tb_sem_undefined },
  { ALL, MISC (0x21), TWO, 0, tb_sem_simd_transpose },
  { ALL, MISC (0x22), TWO, true, tb_sem_simd_zip },	/* VUZP  */
  { ALL, MISC (0x23), TWO, false, tb_sem_simd_zip },
  /* VQMOVUN, VMOVN, VQMOVN.  */
  { ALL | BIT6, MISC (0x24) | BIT6, TO_D, SATURATES, tb_sem_fp_result },
  { ALL, MISC (0x24), NARROWS, 0, tb_sem_simd_narrow },
  { ALL, MISC (0x25), TO_D, SATURATES, tb_sem_fp_result },
  { ALL | BIT6, MISC (0x26), TO_Q, 0, tb_sem_fp_result },	/* VSHLL  */
  { ALL, MISC (0x26), TO_Q, 0, tb_sem_undefined },
  { ALL, MISC (0x27), TO_Q, 0, tb_sem_fp_result },	/* SHA1SU1, SHA256SU0.  */
  /* VCVT to halves (and BF16), and from them.  */
  { ALL, MISC (0x2c), TO_D, RAISES, tb_sem_fp_result },
  { ALL | BIT6, MISC (0x2e), TO_Q, RAISES, tb_sem_fp_result },
  { ALL, MISC (0x2e), TO_Q, 0, tb_sem_undefined },
  /* VRINT, VCVT, VRECPE, VRSQRTE; others are of integers.  */
  { 0x01b20c10, MISC (0x28), ONE, RAISES, tb_sem_fp_result },
  { 0x01b30810, MISC (0x30), ONE, RAISES, tb_sem_fp_result },
  { 0x01b00810, MISC (0x00), ONE, 0, tb_sem_fp_result },
};
static const struct tb_rows two_rows = TB_ROWS (two);

/* Longer or shorter registers.  */
static const struct tb_row products[] = {
  /* Two registers and a scalar (A7.4.3): VQDMULH, VQRDMULH, VQRDMLAH, VQRDMLSH; VMLA,
     VMLS, VMUL of integers, and of numbers; VMLAL, VMLSL, VMULL; VQDMLAL, VQDMLSL,
     VQDMULL.  */
  { 0x00800c50, 0x00800c40, BY_U, SATURATES, tb_sem_fp_result },
  { 0x00800350, 0x00800040, BY_U, 0, tb_sem_fp_result },
  { 0x00800350, 0x00800140, BY_U, RAISES, tb_sem_fp_result },
  { 0x00800350, 0x00800240, TO_Q, 0, tb_sem_fp_result },
  { 0x00800350, 0x00800340, TO_Q, SATURATES, tb_sem_fp_result },
  /* Three registers of different lengths (A7.4.2): VADDHN, VSUBHN and their kin; VQDMLAL,
     VQDMLSL, VQDMULL.  */
  { 0x00800d50, 0x00800400, TO_D, 0, tb_sem_fp_result },
  { 0x00800d50, 0x00800900, TO_Q, SATURATES, tb_sem_fp_result },
  { 0x00800f50, 0x00800d00, TO_Q, SATURATES, tb_sem_fp_result },
  { 0x00800f50, 0x00800f00, TO_Q, 0, tb_sem_undefined },
  { 0x00800050, 0x00800000, TO_Q, 0, tb_sem_fp_result },
};
static const struct tb_rows products_rows = TB_ROWS (products);

void
tb_sem_simd_data (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t u = f->op >> f->arg & 1;
  uint32_t op = (f->op & ~UINT32_C (0x01000000)) | u << 24;
  tb_sem_fp_rows (s, !(op >> 23 & 1) ? &three_same_rows
		     : op >> 4 & 1 ? &by_amount_rows
		     : (op >> 20 & 3) == 3 ? &two_rows : &products_rows, op, f);
}

/* What ARMv8.2 and later added (DDI 0487, F4.1: "three registers of the same
   length extension", "two registers and a scalar extension").  */
static const struct tb_row later[] = {
  { 0x0ea00f10, 0x0c800800, ONE, RAISES, tb_sem_fp_result },	/* VCADD  */
  { 0x0e200f10, 0x0c200800, ONE, RAISES, tb_sem_fp_result },	/* VCMLA  */
  { 0x0f300f10, 0x0c200810, ONE, RAISES, tb_sem_fp_result },	/* VFMAL, VFMSL.  */
  { 0x0fb00f10, 0x0c300810, TO_Q, RAISES, tb_sem_fp_result },	/* VFMAB, VFMAT.  */
  { 0x0fb00f10, 0x0c000d00, ONE, RAISES, tb_sem_fp_result },	/* VDOT of BF16.  */
  { 0x0fb00f50, 0x0c000c40, TO_Q, RAISES, tb_sem_fp_result },	/* VMMLA  */
  { 0x0fb00f00, 0x0c200d00, ONE, RAISES, tb_sem_fp_result },	/* VSDOT, VUDOT.  */
  { 0x0fb00f40, 0x0c200c40, TO_Q, RAISES, tb_sem_fp_result },	/* VSMMLA, VUMMLA.  */
  { 0x0fb00f10, 0x0ca00d00, ONE, RAISES, tb_sem_fp_result },	/* VUSDOT  */
  { 0x0fb00f50, 0x0ca00c40, TO_Q, RAISES, tb_sem_fp_result },	/* VUSMMLA  */
  /* The same by a scalar.  */
  { 0x0f000f10, 0x0e000800, ONE, RAISES, tb_sem_fp_result },
  { 0x0fa00f10, 0x0e000810, ONE, RAISES, tb_sem_fp_result },
  { 0x0fb00f10, 0x0e300810, TO_Q, RAISES, tb_sem_fp_result },
  { 0x0fb00f10, 0x0e000d00, ONE, RAISES, tb_sem_fp_result },
  { 0x0fb00f00, 0x0e200d00, ONE, RAISES, tb_sem_fp_result },
  { 0x0fb00f00, 0x0e800d00, ONE, RAISES, tb_sem_fp_result },
};
static const struct tb_rows later_rows = TB_ROWS (later);

void
tb_sem_simd_later (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_fp_rows (s, &later_rows, f->op, f);
}
