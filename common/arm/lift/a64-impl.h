/* What the parts of the semantics of A64 share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_A64_IMPL_H
#define TB_ARM_LIFT_A64_IMPL_H

#include "arm/flow/impl.h"
#include "arm/ir/semantics-a64.h"

#define LOW_WORD UINT64_C (0xffffffff)

/* Append an operation.  */
void tb_emit_64 (struct tb_semantics *semantics, unsigned op, unsigned dst,
		 unsigned a, unsigned b, uint64_t imm);

/* The "Loads and stores" group.  */
void tb_semantics_a64_memory (struct tb_semantics *semantics,
			      uint32_t opcode, uint64_t pc);

/* The "Branches, exception generating and system instructions" group.  */
void tb_semantics_a64_system (struct tb_semantics *semantics,
			      uint32_t opcode, uint64_t pc,
			      unsigned zero_block);

/* Loads and stores of memory tags (FEAT_MTE).  */
void tb_semantics_a64_tags (struct tb_semantics *semantics,
			    uint32_t opcode);

/* DST = A, whose tag (bits 59:56) becomes one that is not told.  T0, T1 are used.  */
void tb_a64_any_tag (struct tb_semantics *semantics, unsigned dst,
		     unsigned a);

/* The place that register N means where 31 is XZR: read, and written.  */
static inline unsigned
tb_a64_read (unsigned n)
{
  return n == 31 ? TB_A64_ZERO : n;
}

static inline unsigned
tb_a64_write (unsigned n)
{
  return n == 31 ? TB_A64_SINK : n;
}

/* The same as tb_emit_64 without an immediate, and with one as the second operand.  */
static inline void
emit (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
      unsigned b)
{
  tb_emit_64 (s, op, dst, a, b, 0);
}

static inline void
emit_imm (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	  uint64_t imm)
{
  tb_emit_64 (s, op, dst, a, TB_A64_IMM, imm);
}

/* DST = the value in FROM, cut to 32 bits where the operation is on W
   registers.  */
static inline void
result (struct tb_semantics *s, unsigned dst, unsigned from, bool wide)
{
  if (wide)
    emit (s, TB_OP_MOV, dst, from, TB_A64_NONE);
  else
    emit_imm (s, TB_OP_AND, dst, from, LOW_WORD);
}

/* A mask of the low N bits.  */
static inline uint64_t
ones (unsigned n)
{
  return n >= 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1;
}

/* DST = A + B (A - B); with FLAGS, T2 and T3 are used for the operands.  */
void tb_a64_add (struct tb_semantics *semantics, bool subtract,
		 unsigned dst, unsigned a, unsigned b, bool wide, bool flags);

/* DST = A AND B (OPC 0), ORR (1), EOR (2), or AND with the flags set (3).  */
void tb_a64_logic (struct tb_semantics *semantics, unsigned opc,
		   unsigned dst, unsigned a, unsigned b, bool wide);

/* The "Data Processing -- Register" group.  */
void tb_semantics_a64_register (struct tb_semantics *semantics,
				uint32_t opcode);

/* The scalar floating-point part of "Data Processing -- Scalar Floating-Point and
   Advanced SIMD".  */
void tb_semantics_a64_fp (struct tb_semantics *semantics, uint32_t opcode);

/* The Advanced SIMD part of it; and of that what moves elements (copy, extract,
   permute, modified immediate, two registers as far as bytes only change places):
   false: it is not one of these, or not followed exactly.  */
void tb_semantics_a64_simd (struct tb_semantics *semantics,
			    uint32_t opcode);
bool tb_semantics_a64_lanes (struct tb_semantics *semantics,
			     uint32_t opcode);

/* "Advanced SIMD load/store multiple structures" and "single structure".  */
void tb_semantics_a64_structures (struct tb_semantics *semantics,
				  uint32_t opcode);

/* The bits of FPSR that arithmetic may set: IDC, IXC, UFC, OFC, DZC, IOC; QC
   (DDI 0487, C5.2.9).  */
#define TB_FPSR_FP UINT64_C (0x9f)
#define TB_FPSR_QC UINT64_C (0x08000000)

static inline void
emit_fpsr (struct tb_semantics *s, uint64_t bits)
{
  if (bits != 0)
    tb_emit_64 (s, TB_OP_FPSR, TB_A64_FPSR, TB_A64_NONE, TB_A64_NONE, bits);
}

/* DST = a value that is not told, at most MOST.  */
static inline void
emit_unknown (struct tb_semantics *s, unsigned dst, uint64_t most)
{
  tb_emit_64 (s, TB_OP_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE, most);
}

/* Who knows what it does to vector registers.  */
static inline void
emit_forget_vectors (struct tb_semantics *s)
{
  emit (s, TB_OP_FORGET_VECTORS, TB_A64_VECTOR, TB_A64_NONE, TB_A64_NONE);
}

/* Both halves of vector register D become unknown.  */
static inline void
emit_forget (struct tb_semantics *s, unsigned d)
{
  emit_unknown (s, TB_A64_LOW (d), UINT64_MAX);
  emit_unknown (s, TB_A64_HIGH (d), UINT64_MAX);
}

/* Vector register D becomes what scalar floating point computes, of at most the bits
   MOST.  */
static inline void
emit_scalar_fp (struct tb_semantics *s, unsigned d, uint64_t most)
{
  if (most == UINT64_MAX)
    emit_unknown (s, TB_A64_LOW (d), most);
  else
    tb_emit_64 (s, TB_OP_MERGED, TB_A64_LOW (d), TB_A64_FPCR, TB_A64_NONE,
		most);
  tb_emit_64 (s, TB_OP_MERGED, TB_A64_HIGH (d), TB_A64_FPCR, TB_A64_NONE, 0);
}

/* PLACE = VALUE.  */
static inline void
emit_constant (struct tb_semantics *s, unsigned place, uint64_t value)
{
  emit_imm (s, TB_OP_MOV, place, TB_A64_IMM, value);
}

/* Vector register D = the low SIZE (1 to 8) bytes of place FROM; the rest is 0.  */
static inline void
emit_scalar (struct tb_semantics *s, unsigned d, unsigned from,
	     unsigned size)
{
  if (size < 8)
    emit_imm (s, TB_OP_AND, TB_A64_LOW (d), from, ones (8 * size));
  else
    emit (s, TB_OP_MOV, TB_A64_LOW (d), from, TB_A64_NONE);
  emit_constant (s, TB_A64_HIGH (d), 0);
}

/* Place DST = copies of its low SIZE bytes, to which it is cut; T5 is used.  */
static inline void
emit_copies (struct tb_semantics *s, unsigned dst, unsigned size)
{
  for (unsigned bits = 8 * size; bits < 64; bits *= 2)
    {
      emit_imm (s, TB_OP_LSL, TB_A64_T5, dst, bits);
      emit (s, TB_OP_ORR, dst, dst, TB_A64_T5);
    }
}

/* Insert the low SIZE bytes of place FROM, to which it is cut, into HALF of a vector
   register at bit AT.  T5 is used.  */
static inline void
emit_insert (struct tb_semantics *s, unsigned half, unsigned from,
	     unsigned size, unsigned at)
{
  if (size == 8)
    {
      emit (s, TB_OP_MOV, half, from, TB_A64_NONE);
      return;
    }
  emit_imm (s, TB_OP_LSL, TB_A64_T5, from, at);
  emit_imm (s, TB_OP_AND, half, half, ~(ones (8 * size) << at));
  emit (s, TB_OP_ORR, half, half, TB_A64_T5);
}

#endif /* TB_ARM_LIFT_A64_IMPL_H */
