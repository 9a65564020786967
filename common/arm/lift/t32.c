/* The T32 instructions as micro-operations: which encodings,
   and IT blocks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3; ARMv8-M (DDI
   0553), C2.2; for the A and R profile DDI 0406, A6.3.  */

#include "config.h"
#include "arm/lift/fp.h"

#include "arm/flow/flow.h"

/* Coprocessors and vectors on the A and R profile (DDI 0406, A6.3.18).  */
static bool
coprocessor (struct tb_semantics *s, uint32_t op, uint32_t pc,
	     const struct tb_profile *profile)
{
  if ((op >> 24 & 15) == 15)	/* U is bit 28 here, 24 in A32.  */
    return tb_sem_simd_data (s, (op & ~UINT32_C (0x01000000))
				| (op >> 4 & 0x01000000));
  return tb_sem_coprocessor (s, op, pc, op >> 28 & 1, profile);
}

/* 32-bit instructions; bits 28:27 are never 0.  */
static bool
wide (struct tb_semantics *s, uint32_t op, uint32_t pc,
      const struct tb_profile *profile)
{
  if (profile->arch == TB_ARCH_V6M)
    return tb_sem_t32_v6m (s, op, pc);
  if ((op & 0xec000000) == 0xec000000)
    return profile->is_m ? tb_sem_fp (s, op, pc, profile)
	   : coprocessor (s, op, pc, profile);
  switch (op >> 25)
    {
    case 0x74:			/* 1110100: load, store multiple, dual ...  */
      return tb_sem_t32_memory (s, op, pc, profile);
    case 0x75:
      return tb_sem_t32_data (s, op, pc, profile);
    case 0x7c:
      return tb_sem_t32_memory (s, op, pc, profile);
    case 0x7d:
      return op >> 24 & 1 ? tb_sem_t32_multiply (s, op)
			  : tb_sem_t32_data (s, op, pc, profile);
    default:			/* 11110  */
      return op >> 15 & 1 ? tb_sem_t32_branch (s, op, pc, profile)
			  : tb_sem_t32_data (s, op, pc, profile);
    }
}

/* Is the 16-bit OP a comparison, which sets flags within IT blocks too?  */
static bool
compares (uint32_t op)
{
  return op >> 11 == 5 || (op & 0xff80) == 0x4280 || (op & 0xffc0) == 0x4200
	 || (op & 0xff00) == 0x4500;
}

/* Within IT blocks other 16-bit instructions set no flags.  */
static void
drop_flags (struct tb_semantics *s)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < s->count; i++)
    switch (s->uops[i].op)
      {
      case TB_OP_NZ: case TB_OP_CV_ADD: case TB_OP_CV_SUB: case TB_OP_C_SHIFT:
	break;
      default:
	s->uops[kept++] = s->uops[i];
	break;
      }
  s->count = (uint8_t) kept;
}

void
tb_semantics_t32_it (struct tb_semantics *s, uint32_t opcode, unsigned size,
		     uint32_t pc, unsigned it,
		     const struct tb_profile *profile)
{
  s->count = 0;
  s->flags = 0;
  s->modelled = false;
  s->is_m = profile->is_m;
  if (size != 2 && size != 4)
    return;
  if (it < 14)
    {
      struct tb_flow flow;
      tb_sem_emit (s, TB_OP_IF, NONE, NONE, NONE, it);
      tb_flow_t32 (&flow, size == 2 ? opcode << 16 : opcode, pc, true,
		   profile);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT)
	s->flags |= TB_SEM_BRANCH;
    }
  s->modelled = size == 2 ? tb_sem_t16 (s, opcode & 0xffff, pc, profile)
		: wide (s, opcode, pc, profile);
  if (it <= 14 && size == 2 && !compares (opcode & 0xffff))
    drop_flags (s);
}

void
tb_semantics_t32 (struct tb_semantics *s, uint32_t opcode, unsigned size,
		  uint32_t pc, const struct tb_profile *profile)
{
  tb_semantics_t32_it (s, opcode, size, pc, TB_IT_NONE, profile);
}
