/* The A32 instructions as micro-operations: which encodings.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What the manuals call UNPREDICTABLE is not modelled; that includes fields that
   should be zero and are not.

   Source: ARMv7-A and ARMv7-R Architecture Reference Manual (DDI 0406), A5.1;
   DDI 0487, F4.1.  */

#include "config.h"
#include "arm/lift/emit.h"

#include "arm/flow/flow.h"

/* A5.2: bits 27:26 are 00.  */
static bool
data (struct tb_semantics *s, uint32_t op, uint32_t pc,
      const struct tb_profile *profile)
{
  bool immediate = op >> 25 & 1;
  bool operation = (op & 0x01900000) != 0x01000000;
  if (!immediate && (op & 0x90) == 0x90)
    {
      if (op & 0x60)
	return tb_sem_a32_extra (s, op, pc);
      return op >> 24 & 1 ? tb_sem_a32_exclusive (s, op)
			  : tb_sem_a32_multiply (s, op);
    }
  if (operation)
    return tb_sem_a32_data (s, op, pc, profile);
  if (!immediate && op & 0x80)
    return tb_sem_a32_multiply (s, op);
  return tb_sem_a32_miscellaneous (s, op, pc);
}

/* B, BL.  */
static void
branch (struct tb_semantics *s, uint32_t op, uint32_t pc)
{
  if (op >> 24 & 1)
    tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, pc + 4);
}

static bool
conditional (struct tb_semantics *s, uint32_t op, uint32_t pc,
	     const struct tb_profile *profile)
{
  switch (op >> 25 & 7)
    {
    case 0: case 1:
      return data (s, op, pc, profile);
    case 2:
      return tb_sem_a32_memory (s, op, pc);
    case 3:
      return op >> 4 & 1 ? tb_sem_a32_media (s, op)
			 : tb_sem_a32_memory (s, op, pc);
    case 4:
      return tb_sem_a32_multiple (s, op, pc);
    case 5:
      branch (s, op, pc);
      return true;
    default:
      if ((op >> 24 & 15) == 15)	/* SVC  */
	{
	  s->flags |= TB_SEM_TRAPS;
	  return true;
	}
      return tb_sem_coprocessor (s, op, pc + 4, false, profile);
    }
}

void
tb_semantics_a32 (struct tb_semantics *s, uint32_t op, uint32_t pc,
		  const struct tb_profile *profile)
{
  unsigned condition = op >> 28;
  s->count = 0;
  s->flags = 0;
  s->modelled = false;
  s->is_m = false;
  if (profile->is_m)
    return;
  if (condition == 15)
    {
      s->modelled = tb_sem_a32_unconditional (s, op, pc, profile);
      return;
    }
  if (condition != 14)
    {
      struct tb_flow flow;
      tb_sem_emit (s, TB_OP_IF, NONE, NONE, NONE, condition);
      tb_flow_a32 (&flow, op, pc, profile);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT)
	s->flags |= TB_SEM_BRANCH;
    }
  s->modelled = conditional (s, op, pc, profile);
}
