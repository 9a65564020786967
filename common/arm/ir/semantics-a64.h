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
  TB_A64_IF,			/* The condition of TB_OP64_SELECT.  */
  TB_A64_SINK,			/* What is written to XZR.  */
  TB_A64_NPLACES,
  TB_A64_ZERO,			/* XZR, read.  */
  TB_A64_IMM,
  TB_A64_NONE,
  /* The vector registers, half by half: the low one of V0, its high one, ...  They
     live on, as slots do.  */
  TB_A64_VECTOR = 64,
  TB_A64_FPCR = TB_A64_VECTOR + 64,
  TB_A64_FPSR,
  TB_A64_END
};

#define TB_A64_NVECTOR (TB_A64_END - TB_A64_VECTOR)

/* The halves of vector register N.  */
#define TB_A64_LOW(n) (TB_A64_VECTOR + 2 * (n))
#define TB_A64_HIGH(n) (TB_A64_LOW (n) + 1)

/* Operations that A64 has beside those of enum tb_op up to TB_OP_LAST_VALUE
   (with words of 64 bits).  Up to TB_OP64_LAST_VALUE they compute DST from A
   (and B).  */
enum tb_op_64
{
  TB_OP64_FIRST = 128,		/* No enum tb_op or node is that large.  */
  TB_OP64_SXTW = TB_OP64_FIRST,
  TB_OP64_REV32,		/* The bytes of each half.  */
  TB_OP64_V_ADD32, TB_OP64_V_SUB32,
  TB_OP64_LAST_VALUE = TB_OP64_V_SUB32,

  /* DST gets a value that is not told, at most IMM, a power of 2 minus 1.  */
  TB_OP64_UNKNOWN,
  TB_OP64_CONDITION,		/* DST = does condition IMM hold?  */
  TB_OP64_SELECT,		/* DST = TB_A64_IF ? A : B.  */
  TB_OP64_COMPARED,		/* The flags are those of A - B of IMM bits.  */
  TB_OP64_BRANCH,		/* It is taken if A is IMM (0 or 1).  */
  TB_OP64_TARGET,		/* It goes to A.  */
  TB_OP64_ERET,
  TB_OP64_TRAP,			/* An exception follows, or nothing is known.  */
  TB_OP64_LOAD,			/* DST = IMM bytes at A, zero-extended.  */
  TB_OP64_LOAD_LITERAL,		/* That, with A relative to the PC.  */
  TB_OP64_STORE,		/* The low IMM bytes of B to A.  */
  TB_OP64_STORE_MAYBE,		/* That, or nothing.  */
  /* Memory may be another one or, if IMM is 1, be changed.  */
  TB_OP64_FORGET_MEMORY,
  TB_OP64_READ_SP,		/* DST = SP_ELn, n is IMM.  */
  TB_OP64_WRITE_SP,		/* SP_ELn = A.  */
  TB_OP64_WRITE_SPSEL,		/* PSTATE.SP = A.  */
  TB_OP64_FORGET_SAVED,		/* An SPSR was written.  */
  /* As TB_OP64_UNKNOWN, if FPCR, which is A, says so (TB_FPCR_NEP is 0), and of IMM 0
     it becomes 0; else DST gets any value.  */
  TB_OP64_MERGED,
  /* All places from DST, TB_A64_VECTOR, on become unknown.  */
  TB_OP64_FORGET_VECTORS,
  TB_OP64_FPSR			/* Any of the bits IMM of FPSR, DST, may be set. */
};

struct tb_uop_64
{
  uint8_t op;
  uint8_t dst, a, b;		/* enum tb_place_a64  */
  uint64_t imm;
};

/* FPCR: the bit that lets scalar floating point leave in its result what an operand
   has above it, not 0 (FEAT_AFP).  */
#define TB_FPCR_NEP 2

/* DC ZVA of the longest block that is described as stores (TB_ZERO_MOST), or LD4 of
   four whole vectors.  */
#define TB_SEM64_MAX 66
#define TB_ZERO_MOST 256

struct tb_semantics_64
{
  bool modelled;		/* False: it may do anything.  */
  uint8_t count;
  struct tb_uop_64 uops[TB_SEM64_MAX];
};

/* Describe the A64 instruction OPCODE at PC.  ZERO_BLOCK: how many bytes DC ZVA makes
   zero, a power of 2 (DCZID_EL0.BS); 0: that is not known.  */
void tb_semantics_a64 (struct tb_semantics_64 *semantics, uint32_t opcode,
		       uint64_t pc, unsigned zero_block);

/* The value of an operation that computes one, with words of 64 bits.  */
uint64_t tb_op_value_64 (unsigned op, uint64_t a, uint64_t b);

struct tb_semantics_memory_64
{
  uint64_t (*load) (void *context, uint64_t address, unsigned size);
  void (*store) (void *context, uint64_t address, unsigned size,
		 uint64_t value, bool certain);
  void *context;
};

struct tb_semantics_result_64
{
  bool conditional, taken;	/* A conditional branch's outcome.  */
  bool indirect;		/* TARGET is meaningful.  */
  bool leaves;			/* An exception or its return follows.  */
  uint64_t target;
  uint64_t unknown;		/* Slots whose value is not told; bit number is
				   enum tb_place_a64.  */
  uint64_t unknown_vectors;	/* The same from TB_A64_VECTOR on.  */
  bool unknown_fpcr, unknown_fpsr;
};

/* Run SEMANTICS, which must be modelled, on PLACES (TB_A64_END entries).
   What is not told becomes 0; *RESULT says where such a value got to.  */
void tb_semantics_run_64 (const struct tb_semantics_64 *semantics,
			  uint64_t *places,
			  const struct tb_semantics_memory_64 *memory,
			  struct tb_semantics_result_64 *result);

#endif /* TB_ARM_IR_SEMANTICS_A64_H */
