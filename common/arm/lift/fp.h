/* FP and vector registers in the descriptions of instructions; for
   the files of arm/lift only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Loads, stores and moves, and what else is cheap, say what is in the registers;
   of other arithmetic they say which words of them it makes unknown.  D registers
   are even words with the odd ones above them, Q registers even D registers with
   the odd ones above them (DDI 0406, A2.6.2).  */

#ifndef TB_ARM_LIFT_FP_H
#define TB_ARM_LIFT_FP_H

#include "arm/lift/emit.h"
#include "arm/lift/rows.h"

/* The fields of rows: what registers D, N and M are.  Of FP registers four bits of the
   number are at 15:12 (D), 19:16 (N) and 3:0 (M), the bit at 22, 7 and 5 is the lowest of
   an S and the highest of a D register (DDI 0406, A7.3); core registers have the four
   bits.  A Q register is an even D register.  */
enum tb_fp_kind
{
  FP_NONE,
  FP_BASE,			/* Any core register.  */
  FP_CORE,			/* None that is PC or, on the M profile, SP.  */
  FP_CORE_FLAGS,		/* The same, but 15 is the flags.  */
  FP_S, FP_D, FP_Q,
  FP_SIZED,			/* S or D, as bits 9:8 say; halves are in S registers.  */
  FP_BIT6, FP_BIT24		/* D, or Q if that bit is set.  */
};
#define TB_FP(d, n, m) ((uint32_t) (d) | (uint32_t) (n) << 4 | (uint32_t) (m) << 8)

/* Emit what the row of OP says, if there is one and its registers are allowed; else it
   is not modelled.  Emitters get their places, and how many words the first of them has
   that is an FP register.  F has the rest.  */
void tb_sem_fp_rows (struct tb_semantics *s, const struct tb_rows *table,
		     uint32_t op, const struct tb_fields *f);

/* The size of the numbers: bits 9:8 of scalar instructions.  */
enum { TB_FP_HALF = 1, TB_FP_SINGLE, TB_FP_DOUBLE };

static inline unsigned
tb_fp_size (uint32_t op)
{
  return op >> 8 & 3;
}

/* The FP registers are in use from now on (CONTROL.FPCA), if FPCCR.ASPEN.  The
   first such instruction may complete the saving of a frame that was left
   undone.  */
void tb_sem_use_fp (struct tb_semantics *s);

/* WORDS words from PLACE on become unknown.  */
void tb_sem_fp_unknown (struct tb_semantics *s, unsigned place,
			unsigned words);

/* What FPSCR tells of arithmetic: exceptions and saturation, which stay set, and
   comparisons.  */
#define TB_FP_RAISES UINT32_C (0x0000009f)
#define TB_FP_SATURATES UINT32_C (0x08000000)
#define TB_FP_COMPARES UINT32_C (0xf0000000)

/* The same in a row's argument.  */
#define TB_FP_TELLS(bits) ((bits) >> 16 | ((bits) & 0xff))
enum
{
  RAISES = TB_FP_TELLS (TB_FP_RAISES),
  SATURATES = TB_FP_TELLS (TB_FP_SATURATES),
  COMPARES = TB_FP_TELLS (TB_FP_COMPARES)
};

/* DST = A OP B (or, if that is IMM, IMM) for so many words from these places
   on.  */
void tb_sem_fp_words (struct tb_semantics *s, unsigned words, unsigned op,
		      unsigned dst, unsigned a, unsigned b, uint32_t imm);

/* FPSCR may tell of this instruction what the row's argument says; the same, and D
   becomes unknown.  They use T0.  */
tb_emitter tb_sem_fp_status, tb_sem_fp_result;

/* Scalar instructions: coprocessors 9 to 11, the upper four bits are 1110, or 1111
   without a condition (lift/fp.c).  */
tb_emitter tb_sem_fp;
/* Of these, data processing (lift/fp-data.c): S becomes unknown in half; VMOV of a
   constant; VMOV, VABS and VNEG (the row says what they do with the sign); VSEL; VMOVX
   and VINS.  */
tb_emitter tb_sem_fp_half_result, tb_sem_fp_constant, tb_sem_fp_move,
  tb_sem_fp_select, tb_sem_fp_move_half;
/* Memory: VLDR, VSTR; VLDM, VSTM (lift/fp-memory.c).  */
tb_emitter tb_sem_fp_single, tb_sem_fp_multiple;
/* Between core and FP registers: two; one S, of which the row says the bits; a lane;
   VDUP; FPSCR; other registers of VMRS and VMSR (lift/fp-move.c).  */
tb_emitter tb_sem_fp_two, tb_sem_fp_one, tb_sem_fp_lane, tb_sem_fp_duplicate,
  tb_sem_fp_read_status, tb_sem_fp_write_status, tb_sem_fp_other_status;

/* Vectors: data processing, of which the row says which bit is U (24 in A32); what
   later architectures have there (lift/simd-data.c).  */
tb_emitter tb_sem_simd_data, tb_sem_simd_later;
/* What moves bits only (lift/simd-move.c): what the row says for each word; VORN; VBSL,
   VBIT, VBIF; VEXT; a constant; VDUP; VMVN; VABS and VNEG of numbers; VREV of groups of
   so many bytes; VSWP; VTRN; VZIP and VUZP.  */
tb_emitter tb_sem_simd_words, tb_sem_simd_orn, tb_sem_simd_choose,
  tb_sem_simd_extract, tb_sem_simd_constant, tb_sem_simd_duplicate,
  tb_sem_simd_not, tb_sem_simd_sign, tb_sem_simd_reverse, tb_sem_simd_swap,
  tb_sem_simd_transpose, tb_sem_simd_zip;
/* What is described exactly of arithmetic on integers (lift/simd-integer.c): addition
   of 64 bits; comparisons, tests and sums of products of words; shifts of words and of
   64 bits; VMOVL, VMOVN.  */
tb_emitter tb_sem_simd_add_doubles, tb_sem_simd_greater, tb_sem_simd_equal,
  tb_sem_simd_accumulate, tb_sem_simd_shift_words, tb_sem_simd_shift_doubles,
  tb_sem_simd_widen, tb_sem_simd_narrow;
/* The ways to shift.  */
enum { TB_SHR, TB_SRA, TB_SHL, TB_SRI, TB_SLI };

/* VLD1 to VLD4, VST1 to VST4.  */
tb_emitter tb_sem_simd_memory;

#endif /* TB_ARM_LIFT_FP_H */
