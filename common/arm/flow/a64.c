/* Flow of A64 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The rows are in flow/a64-branches.def.  */

#include "config.h"

#include "arm/flow/impl.h"

/* WHEN_MARKED: as "c" in element listings.  */
enum when { WHEN_ALWAYS, WHEN_MARKED, WHEN_UNMARKED };

static const struct
{
  uint32_t mask, value;
  uint8_t kind, sub, low, width, when;
} rows[] =
{
#define ROW(mask, value, kind, sub, low, width, when, emitter) \
  { mask, value, TB_FLOW_##kind, TB_SUB_##sub, low, width, when },
#include "arm/flow/a64-branches.def"
#undef ROW
};

/* "Branches, exception generating and system instructions": bits 28:26 are
   101.  */
static void
branch_group (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if ((opcode & rows[i].mask) == rows[i].value)
      {
	flow->kind = rows[i].kind;
	flow->sub = rows[i].sub;
	flow->conditional = rows[i].when != WHEN_ALWAYS;
	flow->marked_conditional = rows[i].when == WHEN_MARKED;
	if (rows[i].width != 0)
	  flow->target
	    = pc + (tb_sign_extend (opcode >> rows[i].low
				    & ((1u << rows[i].width) - 1),
				    rows[i].width) << 2);
	return;
      }
  if (opcode >> 24 != 0xd5)	/* Other system instructions are none.  */
    flow->kind = TB_FLOW_UNDEFINED;
}

void
tb_flow_a64 (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  tb_flow_plain (flow, 4, TB_ISA_A64);
  switch (tb_bits (opcode, 28, 25))
    {
    case 0xa: case 0xb:
      branch_group (flow, opcode, pc);
      break;
    case 0x0:
      /* With bit 31 set SME, else "Reserved", UDF among them.  */
      if (opcode >> 31 == 0)
	flow->kind = TB_FLOW_UNDEFINED;
      break;
    case 0x1: case 0x3:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    default:
      break;
    }
}
