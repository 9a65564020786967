/* Flow of A32 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Which instructions branch the rows of arm/lift/a32.c say.  */

#include "config.h"

#include "arm/flow/impl.h"
#include "arm/lift/aarch32.h"

void
tb_flow_a32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
	     const struct tb_profile *profile)
{
  const struct tb_row *row = profile->is_m ? NULL : tb_a32_row (opcode);
  tb_flow_plain (flow, 4, TB_ISA_A32);
  if (profile->is_m)
    flow->kind = TB_FLOW_UNDEFINED;
  else
    flow->conditional = flow->marked_conditional = opcode >> 28 < 0xe;
  if (row == NULL)
    return;
  tb_flow_row (flow, row, opcode);
  if (flow->kind != TB_FLOW_BRANCH)
    return;
  flow->target = pc + 8 + (tb_sign_extend (tb_bits (opcode, 23, 0), 24) << 2);
  if (TB_GOES_HOW (row->fields) == TB_HOW_24_T32)
    {
      flow->target += opcode >> 23 & 2;
      flow->target_isa = TB_ISA_T32;
    }
  flow->target &= 0xffffffff;
}
