/* Flow of A64 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Which instructions branch the rows of arm/lift/a64-system.c say.  */

#include "config.h"

#include "arm/flow/impl.h"
#include "arm/lift/a64-impl.h"

/* The target of a direct branch: HOW says where its offset is.  */
static void
branch (struct tb_flow *flow, enum tb_how how, uint32_t opcode, uint64_t pc)
{
  unsigned width = how == TB_HOW_26 ? 26 : how == TB_HOW_19 ? 19
		   : how == TB_HOW_14 ? 14 : 9;
  unsigned low = how == TB_HOW_26 ? 0 : 5;
  flow->conditional = how != TB_HOW_26;
  flow->marked_conditional = how == TB_HOW_19 || how == TB_HOW_14;
  flow->target = pc + (tb_sign_extend (tb_bits (opcode, low + width - 1, low), width)
		       << 2);
}

void
tb_flow_a64 (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  unsigned group = tb_bits (opcode, 28, 25);
  const struct tb_row *row = NULL;
  tb_flow_plain (flow, 4, TB_ISA_A64);
  if (!tb_flow_a64_may_go (opcode))
    return;
  /* "Branches, exception generating and system instructions".  */
  if (group >> 1 == 5)
    row = tb_find_row (&tb_a64_branches_rows, opcode, 1);
  if (row != NULL)
    {
      tb_flow_row (flow, row, opcode);
      if (flow->kind == TB_FLOW_BRANCH)
	branch (flow, TB_GOES_HOW (row->fields), opcode, pc);
    }
  /* Other system instructions (0xd5) are none; with bit 31 group 0 is SME, else
     "Reserved", UDF among them.  */
  else if ((group >> 1 == 5 && opcode >> 24 != 0xd5) || group == 1 || group == 3
	   || (group == 0 && opcode >> 31 == 0))
    flow->kind = TB_FLOW_UNDEFINED;
}
