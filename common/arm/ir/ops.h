/* Operations: what micro-operations do, those of all instruction sets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value is a number of 32 bits (A32 and T32) or of 64 bits (A64): its width.  An
   operation means the same for both; arithmetic is modulo 2^width.  Places are those
   of enum tb_place, or of enum tb_place_a64.  */

#ifndef TB_ARM_IR_OPS_H
#define TB_ARM_IR_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* Those up to TB_OP_LAST_VALUE compute DST from A (and B).  */
enum tb_op
{
  TB_OP_MOV,
  TB_OP_ADD, TB_OP_SUB, TB_OP_AND, TB_OP_BIC, TB_OP_ORR, TB_OP_EOR,
  /* Shifts by the low eight bits of B; the width and more shift all out (ASR: the
     sign stays; ROR: modulo the width).  */
  TB_OP_LSL, TB_OP_LSR, TB_OP_ASR, TB_OP_ROR,
  TB_OP_MUL,
  TB_OP_UMULH, TB_OP_SMULH,	/* The upper half of a product twice as wide.  */
  TB_OP_UDIV, TB_OP_SDIV,	/* By 0: 0.  */
  TB_OP_CLZ, TB_OP_RBIT,
  TB_OP_SSAT, TB_OP_USAT,	/* To B bits, 1 .. 32 (USAT: 0 .. 31).  */
  TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW,
  /* The bytes of it all, of each 16 and 32 bits; of the low 16, sign-extended.  */
  TB_OP_REV, TB_OP_REV16, TB_OP_REV32, TB_OP_REVSH,
  TB_OP_BIT,			/* Bit number B of A.  */
  TB_OP_ISZERO,			/* A == 0.  */
  TB_OP_LTU,			/* A < B, unsigned.  */
  TB_OP_LTS,			/* A < B, signed.  */
  TB_OP_V_ADD, TB_OP_V_SUB,	/* Does A + B (A - B) overflow, signed?  */
  TB_OP_V_ADD32, TB_OP_V_SUB32,	/* Do the low 32 bits?  */
  /* The bit shifted out last of A by a shift of B, which is not 0.  */
  TB_OP_C_LSL, TB_OP_C_LSR, TB_OP_C_ASR, TB_OP_C_ROR,
  TB_OP_LAST_VALUE = TB_OP_C_ROR,

  /* DST gets a value that is not told: of A64 at most IMM, a power of 2 minus 1.  */
  TB_OP_UNKNOWN,
  TB_OP_NZ,			/* N and Z by the value of A.  */
  /* C and V by A + B + carry (A - B - 1 + carry); DST is the place of the carry
     in, or TB_PLACE_NONE for that of a plain addition (subtraction).  Must
     follow the TB_OP_NZ of the result.  */
  TB_OP_CV_ADD, TB_OP_CV_SUB,
  /* C by the shift DST (enum tb_op) of A by B; stays when that is by 0.  */
  TB_OP_C_SHIFT,
  TB_OP_COMPARED,		/* The flags are those of A - B of IMM bits.  */
  TB_OP_CONDITION,		/* DST = does condition IMM hold?  */
  TB_OP_SELECT,			/* DST = TB_A64_IF ? A : B.  */
  /* DST = TB_ACCESS_SIZE (IMM) bytes at A, zero-extended.  */
  TB_OP_LOAD,
  TB_OP_LOAD_LITERAL,		/* That, with A relative to the PC.  */
  TB_OP_STORE,			/* So many low bytes of B to A.  */
  TB_OP_STORE_MAYBE,		/* That, if something that is not kept.  */
  /* The branch is taken if condition IMM holds (if A is IMM, which are 0 or 1);
     then the operations behind it are not done.  */
  TB_OP_COND, TB_OP_BRANCH_IF,
  /* The operations behind it are done only if condition IMM holds (if A is IMM,
     which are 0 or 1).  TB_OP_IF is at most once in an instruction; behind a
     second TB_OP_IF_VALUE are stores only.  */
  TB_OP_IF, TB_OP_IF_VALUE,
  TB_OP_TARGET,			/* It goes to A; IMM: the bits that count.  */
  TB_OP_TRAP,			/* An exception follows, or nothing is known.  */
  TB_OP_CPS,			/* PRIMASK = IMM, if privileged; A and R profile:
				   TB_CPS.  */
  TB_OP_MRS,			/* DST = system register IMM.  */
  TB_OP_MSR,			/* System register IMM = A.  */
  TB_OP_FP,			/* Completes the saving of FP registers of an
				   exception, if that was left undone.  */
  /* An exception return; nothing comes behind it.  A32 and T32: CPSR = A.  */
  TB_OP_ERET,
  /* Addresses may be of other memory now or, if IMM is 1, memory be changed.  */
  TB_OP_FORGET,
  TB_OP_PRIVILEGED,		/* This is not done in User mode.  */

  /* A64: */
  TB_OP_READ_SP,		/* DST = SP_ELn, n is IMM.  */
  TB_OP_WRITE_SP,		/* SP_ELn = A.  */
  TB_OP_WRITE_SPSEL,		/* PSTATE.SP = A.  */
  TB_OP_FORGET_SAVED,		/* An SPSR was written.  */
  /* As TB_OP_UNKNOWN, if FPCR, which is A, says so (TB_FPCR_NEP is 0), and of IMM 0
     it becomes 0; else DST gets any value.  */
  TB_OP_MERGED,
  /* All places from DST, TB_A64_VECTOR, on become unknown.  */
  TB_OP_FORGET_VECTORS,
  TB_OP_FPSR			/* Any of the bits IMM of FPSR, DST, may be set.  */
};

/* The immediate of loads and stores: bytes, and whether the access faults where
   it is not aligned to them, even where others need not be.  */
#define TB_ACCESS_SIZE(imm) ((imm) & 15)
#define TB_ACCESS_ALIGNED 16

struct tb_uop
{
  uint8_t op;			/* enum tb_op  */
  uint8_t dst, a, b;		/* Places.  */
  uint64_t imm;
};

/* Are the COUNT micro-operations X the same as Y?  */
bool tb_uops_same (const struct tb_uop *x, const struct tb_uop *y,
		   unsigned count);

/* The value of a TB_OP_... up to TB_OP_LAST_VALUE, of WIDTH (32 or 64) bits, as A
   and B are.  */
uint64_t tb_op_value (unsigned op, unsigned width, uint64_t a, uint64_t b);

#endif /* TB_ARM_IR_OPS_H */
