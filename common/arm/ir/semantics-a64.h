/* Semantics of A64: what an instruction reads, computes and writes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   As arm/ir/semantics.h, for values of 64 bits.  A W register is the low half of an
   X register; an operation on W registers is one on X registers whose result is
   cut to 32 bits.

   Source: Arm Architecture Reference Manual for A-profile (DDI 0487), C4.1
   (encodings), C6.2 (base instructions).  */

#ifndef TB_ARM_IR_SEMANTICS_A64_H
#define TB_ARM_IR_SEMANTICS_A64_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/ir/semantics.h"

enum tb_place_a64
{
  /* 0 .. 30: X0 .. X30.  */
  TB_A64_SP = 31,		/* The stack pointer in use.  */
  TB_A64_N, TB_A64_Z, TB_A64_C, TB_A64_V,
  TB_A64_SPSEL,			/* PSTATE.SP.  */
  TB_A64_SP_EL0,		/* Those that are not in use.  */
  TB_A64_SP_EL1, TB_A64_SP_EL2, TB_A64_SP_EL3,
  /* What the exception taken last left in SPSR.  */
  TB_A64_SAVED_N, TB_A64_SAVED_Z, TB_A64_SAVED_C, TB_A64_SAVED_V,
  TB_A64_SAVED_SPSEL,
  TB_A64_NSLOTS,
  TB_A64_T0 = TB_A64_NSLOTS,	/* Temporaries of one instruction.  */
  TB_A64_T1, TB_A64_T2, TB_A64_T3, TB_A64_T4, TB_A64_T5,
  TB_A64_IF,			/* A predicate.  */
  TB_A64_SINK,			/* What is written to XZR.  */
  TB_A64_NPLACES,
  /* The vector registers, half by half: the low one of V0, its high one, ...  */
  TB_A64_VECTOR = TB_PLACE_FP,
  TB_A64_FPCR = TB_A64_VECTOR + 64,
  TB_A64_FPSR,
  TB_A64_END
};

_Static_assert ((int) TB_A64_NPLACES <= (int) TB_PLACE_ZERO
		&& (int) TB_NPLACES <= (int) TB_PLACE_ZERO, "They have room.");

#define TB_A64_NVECTOR (TB_A64_END - TB_A64_VECTOR)

/* The halves of vector register N.  */
#define TB_A64_LOW(n) ((unsigned) TB_A64_VECTOR + 2 * (n))
#define TB_A64_HIGH(n) (TB_A64_LOW (n) + 1)

/* FPCR: the bit that lets scalar floating point leave in its result what an operand
   has above it, not 0 (FEAT_AFP).  */
#define TB_FPCR_NEP 2

/* The longest block that DC ZVA is described as stores to.  */
#define TB_ZERO_MOST 256

/* Describe the A64 instruction OPCODE at PC.  ZERO_BLOCK: how many bytes DC ZVA makes
   zero, a power of 2 (DCZID_EL0.BS); 0: that is not known.  */
void tb_semantics_a64 (struct tb_semantics *semantics, uint32_t opcode,
		       uint64_t pc, unsigned zero_block);

#endif /* TB_ARM_IR_SEMANTICS_A64_H */
