/* The flow of ThumbEE instructions.  See flow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, chapter A9 "The ThumbEE Instruction Set": T32 but for the
   16-bit encodings of load and store multiple.  Which branches a trace unit takes
   for direct is in IHI 0014, 4.10.3, and IHI 0035, 2.2: ENTERX and LEAVEX are,
   branches to handlers are not.  Null and index checks that fail are exceptions of
   the trace.  */

#include "config.h"
#include "arm/flow/impl.h"

/* Halfwords 0xc000 to 0xcfff.  */
static void
handler_or_access (struct tb_flow *flow, uint32_t half)
{
  switch (tb_bits (half, 11, 8))
    {
    case 0: case 2:		/* HBP, HB  */
      flow->kind = TB_FLOW_INDIRECT;
      break;
    case 3: case 4: case 5: case 6: case 7:	/* HBL, HBLP  */
      flow->kind = TB_FLOW_INDIRECT;
      flow->sub = TB_SUB_LINK;
      break;
    case 1:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    default:			/* LDR, STR, CHKA  */
      break;
    }
}

void
tb_flow_t32ee (struct tb_flow *flow, uint32_t opcode, uint64_t pc, bool in_it,
	       const struct tb_profile *profile)
{
  if (opcode >> 28 == 0xc)
    {
      tb_flow_plain (flow, 2, TB_ISA_T32EE);
      flow->conditional = flow->marked_conditional = in_it;
      handler_or_access (flow, opcode >> 16);
      return;
    }
  if ((opcode & 0xfff0d0f0) == 0xf3b08000)	/* LEAVEX  */
    {
      tb_flow_plain (flow, 4, TB_ISA_T32);
      flow->kind = TB_FLOW_BRANCH;
      flow->target = (uint32_t) (pc + 4);
      return;
    }
  tb_flow_t32 (flow, opcode, pc, in_it, profile);
  if ((opcode & 0xfff0d0f0) == 0xf3b08010)	/* ENTERX has no effect here.  */
    flow->kind = TB_FLOW_OTHER;
  flow->target = flow->kind == TB_FLOW_BRANCH ? flow->target : 0;
  if (flow->target_isa == TB_ISA_T32)
    flow->target_isa = TB_ISA_T32EE;
}
