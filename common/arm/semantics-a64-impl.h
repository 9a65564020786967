/* What the parts of the semantics of A64 share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_SEMANTICS_A64_IMPL_H
#define TB_ARM_SEMANTICS_A64_IMPL_H

#include "arm/flow-impl.h"
#include "arm/semantics-a64.h"

#define LOW_WORD UINT64_C (0xffffffff)

/* Append an operation.  */
void tb_emit_64 (struct tb_semantics_64 *semantics, unsigned op, unsigned dst,
		 unsigned a, unsigned b, uint64_t imm);

/* The "Loads and stores" group.  */
void tb_semantics_a64_memory (struct tb_semantics_64 *semantics,
			      uint32_t opcode, uint64_t pc);

/* The "Branches, exception generating and system instructions" group.  */
void tb_semantics_a64_system (struct tb_semantics_64 *semantics,
			      uint32_t opcode, uint64_t pc);

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

/* The same without an immediate, and with one as the second operand.  */
static inline void
emit (struct tb_semantics_64 *s, unsigned op, unsigned dst, unsigned a,
      unsigned b)
{
  tb_emit_64 (s, op, dst, a, b, 0);
}

static inline void
emit_imm (struct tb_semantics_64 *s, unsigned op, unsigned dst, unsigned a,
	  uint64_t imm)
{
  tb_emit_64 (s, op, dst, a, TB_A64_IMM, imm);
}

/* DST = the value in FROM, cut to 32 bits where the operation is on W
   registers.  */
static inline void
result (struct tb_semantics_64 *s, unsigned dst, unsigned from, bool wide)
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
void tb_a64_add (struct tb_semantics_64 *semantics, bool subtract,
		 unsigned dst, unsigned a, unsigned b, bool wide, bool flags);

/* DST = A AND B (OPC 0), ORR (1), EOR (2), or AND with the flags set (3).  */
void tb_a64_logic (struct tb_semantics_64 *semantics, unsigned opc,
		   unsigned dst, unsigned a, unsigned b, bool wide);

/* The "Data Processing -- Register" group.  */
void tb_semantics_a64_register (struct tb_semantics_64 *semantics,
				uint32_t opcode);

#endif /* TB_ARM_SEMANTICS_A64_IMPL_H */
