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

/* Where an instruction names a register: four bits from the first number on, and
   the bit of the second number, which is the lowest of an S and the highest of a D
   register (DDI 0406, A7.3).  */
#define TB_FP_D 12, 22
#define TB_FP_N 16, 7
#define TB_FP_M 0, 5

/* The place of the first word of that register.  */
static inline unsigned
tb_fp_single (uint32_t op, unsigned four, unsigned one)
{
  return TB_PLACE_FP + ((op >> four & 15) << 1 | (op >> one & 1));
}

static inline unsigned
tb_fp_double (uint32_t op, unsigned four, unsigned one)
{
  return TB_PLACE_FP + 2 * ((op >> one & 1) << 4 | (op >> four & 15));
}

/* The size of the numbers: bits 9:8 of scalar instructions.  */
enum { TB_FP_HALF = 1, TB_FP_SINGLE, TB_FP_DOUBLE };

static inline unsigned
tb_fp_size (uint32_t op)
{
  return op >> 8 & 3;
}

/* The place of a register of that size (halves are in S registers).  */
static inline unsigned
tb_fp_register (uint32_t op, unsigned four, unsigned one)
{
  return tb_fp_size (op) == TB_FP_DOUBLE ? tb_fp_double (op, four, one)
	 : tb_fp_single (op, four, one);
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

/* It may have told so of this instruction.  Uses T0.  */
void tb_sem_fp_status (struct tb_semantics *s, uint32_t bits);

/* DST = A OP B (or, if that is IMM, IMM) for so many words from these places
   on.  */
void tb_sem_fp_words (struct tb_semantics *s, unsigned words, unsigned op,
		      unsigned dst, unsigned a, unsigned b, uint32_t imm);

/* Scalar instructions: coprocessors 9 to 11, as in T32; PC: what a literal is
   relative to is this + 4.  False: not modelled.  */
bool tb_sem_fp (struct tb_semantics *s, uint32_t op, uint32_t pc,
		const struct tb_profile *profile);

/* The parts of that.  Bits 27:25 are 110 (and it is no move).  */
bool tb_sem_fp_memory (struct tb_semantics *s, uint32_t op, uint32_t pc);
/* Between core and FP registers: bits 27:21 are 1100010; 27:24 are 1110 and 4
   is 1.  */
bool tb_sem_fp_move_two (struct tb_semantics *s, uint32_t op);
bool tb_sem_fp_move_one (struct tb_semantics *s, uint32_t op,
			 const struct tb_profile *profile);
/* Bits 27:24 are 1110 and 4 is 0; the form that has no condition.  */
bool tb_sem_fp_data (struct tb_semantics *s, uint32_t op);
bool tb_sem_fp_unconditional (struct tb_semantics *s, uint32_t op);

/* The registers of vectors of WORDS words: 4 with bit 6.  */
struct tb_simd
{
  unsigned d, n, m;		/* Their places.  */
  unsigned words;
};

/* Vectors: data processing, with bit 24 that of A32, and the instructions of later
   architectures that look like those of coprocessors 8, 9, 12 and 13.  */
bool tb_sem_simd_data (struct tb_semantics *s, uint32_t op);
bool tb_sem_simd_later (struct tb_semantics *s, uint32_t op);

/* Of that, what moves bits only; R is read from OP.  Bitwise operations of three
   registers, VEXT, a constant, VDUP.  */
void tb_sem_simd_bitwise (struct tb_semantics *s, uint32_t op,
			  const struct tb_simd *r);
bool tb_sem_simd_extract (struct tb_semantics *s, uint32_t op,
			  const struct tb_simd *r);
bool tb_sem_simd_constant (struct tb_semantics *s, uint32_t op,
			   const struct tb_simd *r);
bool tb_sem_simd_duplicate (struct tb_semantics *s, uint32_t op,
			    const struct tb_simd *r);
/* Elements of SIZE (0: bytes): VREV of groups of GROUP bytes; VTRN; VZIP and
   VUZP.  */
bool tb_sem_simd_reverse (struct tb_semantics *s, unsigned size,
			  unsigned group, const struct tb_simd *r);
void tb_sem_simd_transpose (struct tb_semantics *s, unsigned size,
			    const struct tb_simd *r);
void tb_sem_simd_zip (struct tb_semantics *s, bool unzip, unsigned size,
		      const struct tb_simd *r);

/* What is described exactly of arithmetic on integers: three registers of the same
   length; shifts by an amount; VMOVL; VMOVN to elements of SIZE (0: bytes).  False:
   it is none of them, and nothing was emitted.  */
bool tb_sem_simd_integer (struct tb_semantics *s, uint32_t op,
			  const struct tb_simd *r);
bool tb_sem_simd_shift (struct tb_semantics *s, uint32_t op,
			const struct tb_simd *r);
bool tb_sem_simd_widen (struct tb_semantics *s, uint32_t op,
			const struct tb_simd *r);
void tb_sem_simd_narrow (struct tb_semantics *s, unsigned size,
			 const struct tb_simd *r);

/* VLD1 to VLD4, VST1 to VST4.  */
bool tb_sem_simd_memory (struct tb_semantics *s, uint32_t op);

#endif /* TB_ARM_LIFT_FP_H */
