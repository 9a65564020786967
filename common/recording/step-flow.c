/* How an instruction that ran goes on.  See step-flow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/step-flow.h"

#include "arm/ir/semantics.h"

void
tb_step_flow (struct tb_flow *flow, const struct tb_step *step,
	      const struct tb_profile *profile)
{
  *flow = (struct tb_flow) { .kind = TB_FLOW_UNDEFINED };
  tb_flow_of (flow, step->isa, step->opcode, step->size, step->pc, false, profile);
}

bool
tb_step_leads_to (const struct tb_step *step, uint64_t pc,
		  const struct tb_profile *profile)
{
  struct tb_flow flow;
  if (pc == step->pc + step->size || step->flags & TB_STEP_NOT_TAKEN)
    return pc == step->pc + step->size;
  tb_step_flow (&flow, step, profile);
  return flow.kind == TB_FLOW_INDIRECT
	 || (flow.kind == TB_FLOW_BRANCH && flow.target == pc);
}

void
tb_step_transfers (const struct tb_step *step, const struct tb_profile *profile,
		   bool *loads, bool *stores)
{
  struct tb_semantics s;
  *loads = *stores = false;
  tb_semantics_of (&s, step->isa, step->opcode, step->size, step->pc, TB_IT_NONE,
		   profile);
  for (unsigned i = 0; i < s.count; i++)
    {
      unsigned op = s.uops[i].op;
      *loads |= tb_op_is (op, TB_LOADS);
      *stores |= tb_op_is (op, TB_STORES) || op == TB_OP_FP
		 || (op == TB_OP_FORGET && s.uops[i].imm == 1);
    }
  if (!s.modelled)
    *loads = *stores = true;
}
