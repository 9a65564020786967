/* What the parts of the semantics of A64 share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_A64_IMPL_H
#define TB_ARM_LIFT_A64_IMPL_H

#include "arm/ir/semantics-a64.h"
#include "arm/lift/rows.h"

#define T0 TB_A64_T0
#define T1 TB_A64_T1
#define T2 TB_A64_T2
#define T3 TB_A64_T3
#define T4 TB_A64_T4
#define T5 TB_A64_T5
#define ZERO TB_PLACE_ZERO

#define LOW_WORD UINT64_C (0xffffffff)

/* The fields of rows.  D is bits 4:0, which is written, N 9:5, M 20:16 and A 14:10,
   which are read; number 31 is XZR if nothing else is said.  */
enum
{
  RAW = 1,			/* All are numbers, of vector registers perhaps.  */
  D_SP = 2, N_SP = 4, M_SP = 8,	/* 31 is SP.  */
  W_FIVE = 16			/* Bit 15, of an amount, is 0 for W registers.  */
};

/* The tables, by their names in C4.1.  */
extern const struct tb_rows tb_a64_addresses_rows, tb_a64_add_immediate_rows,
  tb_a64_constants_rows, tb_a64_bit_fields_rows, tb_a64_logical_rows,
  tb_a64_add_rows, tb_a64_registers_rows, tb_a64_multiply_rows,
  tb_a64_branches_rows, tb_a64_exclusives_rows, tb_a64_literals_rows,
  tb_a64_ordered_rows, tb_a64_pairs_rows, tb_a64_single_rows,
  tb_a64_structures_rows, tb_a64_vectors_rows, tb_a64_scalars_rows,
  tb_a64_scalable_rows;

/* The place that register N means where 31 is XZR: read, and written.  */
static inline unsigned
tb_a64_read (unsigned n)
{
  return n == 31 ? ZERO : n;
}

static inline unsigned
tb_a64_write (unsigned n)
{
  return n == 31 ? TB_A64_SINK : n;
}

/* Append an operation without an immediate, and with one as the second operand.  */
static inline void
emit (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
      unsigned b)
{
  tb_sem_emit (s, op, dst, a, b, 0);
}

static inline void
emit_imm (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	  uint64_t imm)
{
  tb_sem_emit (s, op, dst, a, IMM, imm);
}

/* One with an immediate alone.  */
static inline void
emit_only (struct tb_semantics *s, unsigned op, unsigned dst, uint64_t imm)
{
  tb_sem_emit (s, op, dst, NONE, NONE, imm);
}

/* PLACE = VALUE.  */
static inline void
emit_constant (struct tb_semantics *s, unsigned place, uint64_t value)
{
  emit_imm (s, TB_OP_MOV, place, IMM, value);
}

/* DST = SIZE bytes at AT, and the reverse.  */
static inline void
emit_load (struct tb_semantics *s, unsigned dst, unsigned at, unsigned size)
{
  tb_sem_emit (s, TB_OP_LOAD, dst, at, NONE, size);
}

static inline void
emit_store (struct tb_semantics *s, unsigned at, unsigned from, unsigned size)
{
  tb_sem_emit (s, TB_OP_STORE, NONE, at, from, size);
}

/* The same if WHEN, which is 0 or 1, is 1.  */
static inline void
emit_store_if (struct tb_semantics *s, unsigned when, unsigned at, unsigned from,
	       unsigned size)
{
  s->when = (uint8_t) when;
  emit_store (s, at, from, size);
  s->when = TB_ALWAYS;
}

/* DST = what is in FROM, or the number IMM if that is IMM, if WHEN is 1; else it stays.  */
static inline void
emit_move_if (struct tb_semantics *s, unsigned when, unsigned dst, unsigned from,
	      uint64_t imm)
{
  s->when = (uint8_t) when;
  tb_sem_emit (s, TB_OP_MOV, dst, from, NONE, imm);
  s->when = TB_ALWAYS;
}

/* DST = the value in FROM, cut to 32 bits where the operation is on W
   registers.  */
static inline void
result (struct tb_semantics *s, unsigned dst, unsigned from, bool wide)
{
  if (wide)
    emit (s, TB_OP_MOV, dst, from, NONE);
  else
    emit_imm (s, TB_OP_AND, dst, from, LOW_WORD);
}

/* The same, sign-extended.  */
static inline void
extended (struct tb_semantics *s, unsigned dst, unsigned from, bool wide)
{
  emit (s, wide ? TB_OP_MOV : TB_OP_SXTW, dst, from, NONE);
}

/* A mask of the low N bits.  */
static inline uint64_t
ones (unsigned n)
{
  return n >= 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1;
}

/* DST = A + B (A - B); with FLAGS, T2 and T3 are used for the operands.  */
void tb_a64_sum (struct tb_semantics *semantics, bool subtract, unsigned dst,
		 unsigned a, unsigned b, bool wide, bool flags);

/* DST = A AND B (OPC 0), ORR (1), EOR (2), or AND with the flags set (3).  */
void tb_a64_logic (struct tb_semantics *semantics, unsigned opc,
		   unsigned dst, unsigned a, unsigned b, bool wide);

/* DST, which may be B but not A, = the greater of A and B, or the lesser if WHICH has
   bit 1; unsigned numbers if it has bit 0.  */
void tb_a64_extreme (struct tb_semantics *semantics, unsigned which,
		     unsigned dst, unsigned a, unsigned b);

/* Each byte of T0 becomes the number of ones in it.  T1 is used.  */
void tb_a64_count_ones (struct tb_semantics *semantics);

/* DST = A, whose tag (bits 59:56) becomes one that is not told.  T0, T1 are used.  */
void tb_a64_any_tag (struct tb_semantics *semantics, unsigned dst,
		     unsigned a);

/* Emitters that several tables have.  D becomes something below 2 to the power of the row's
   argument.  */
tb_emitter tb_a64_unknown;
/* Loads and stores of memory tags (FEAT_MTE).  */
tb_emitter tb_a64_tags, tb_a64_tags_bulk;

/* The bits of FPSR that arithmetic may set: IDC, IXC, UFC, OFC, DZC, IOC; QC
   (DDI 0487, C5.2.9).  */
#define TB_FPSR_FP UINT64_C (0x9f)
#define TB_FPSR_QC UINT64_C (0x08000000)

static inline void
emit_fpsr (struct tb_semantics *s, uint64_t bits)
{
  if (bits != 0)
    emit_only (s, TB_OP_FPSR, TB_A64_FPSR, bits);
}

/* DST = a value that is not told, at most MOST.  */
static inline void
emit_unknown (struct tb_semantics *s, unsigned dst, uint64_t most)
{
  emit_only (s, TB_OP_UNKNOWN, dst, most);
}

static inline void
emit_unknown_flags (struct tb_semantics *s)
{
  for (unsigned i = 0; i < 4; i++)
    emit_unknown (s, TB_A64_N + i, 1);
}

/* Memory may be another one or, if CHANGED, be changed where nobody knows.  */
static inline void
emit_forget_memory (struct tb_semantics *s, bool changed)
{
  emit_only (s, TB_OP_FORGET, NONE, changed);
}

/* Who knows what it does to vector registers.  */
static inline void
emit_forget_vectors (struct tb_semantics *s)
{
  emit (s, TB_OP_FORGET_VECTORS, TB_A64_VECTOR, NONE, NONE);
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
    tb_sem_emit (s, TB_OP_MERGED, TB_A64_LOW (d), TB_A64_FPCR, NONE, most);
  tb_sem_emit (s, TB_OP_MERGED, TB_A64_HIGH (d), TB_A64_FPCR, NONE, 0);
}

/* Vector register D = the low SIZE (1 to 8) bytes of place FROM; the rest is 0.  */
static inline void
emit_scalar (struct tb_semantics *s, unsigned d, unsigned from,
	     unsigned size)
{
  if (size < 8)
    emit_imm (s, TB_OP_AND, TB_A64_LOW (d), from, ones (8 * size));
  else
    emit (s, TB_OP_MOV, TB_A64_LOW (d), from, NONE);
  emit_constant (s, TB_A64_HIGH (d), 0);
}

/* Place DST = copies of its low SIZE bytes, to which it is cut; T5 is used.  */
static inline void
emit_copies (struct tb_semantics *s, unsigned dst, unsigned size)
{
  for (unsigned bits = 8 * size; bits < 64; bits *= 2)
    {
      emit_imm (s, TB_OP_LSL, T5, dst, bits);
      emit (s, TB_OP_ORR, dst, dst, T5);
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
      emit (s, TB_OP_MOV, half, from, NONE);
      return;
    }
  emit_imm (s, TB_OP_LSL, T5, from, at);
  emit_imm (s, TB_OP_AND, half, half, ~(ones (8 * size) << at));
  emit (s, TB_OP_ORR, half, half, T5);
}

#endif /* TB_ARM_LIFT_A64_IMPL_H */
