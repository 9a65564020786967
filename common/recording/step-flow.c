/* How an instruction that ran goes on.  See step-flow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/step-flow.h"

void
tb_step_flow (struct tb_flow *flow, const struct tb_step *step,
	      const struct tb_profile *profile)
{
  *flow = (struct tb_flow) { .kind = TB_FLOW_UNDEFINED };
  if (step->size == 0)
    return;
  if (step->isa == TB_ISA_A64)
    tb_flow_a64 (flow, step->opcode, step->pc);
  else if (step->isa == TB_ISA_A32)
    tb_flow_a32 (flow, step->opcode, step->pc, profile);
  else if (step->isa == TB_ISA_T32)
    tb_flow_t32 (flow, step->size == 2 ? step->opcode << 16 : step->opcode,
		 step->pc, false, profile);
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
