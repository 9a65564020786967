/* Which instructions load and store.  See accesses.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/accesses.h"

#include "arm/ir/semantics.h"
#include "arm/ir/semantics-a64.h"

/* DDI 0406, A5.6 and A7.8, A7.9.  */
static bool
moves_registers (uint32_t opcode)
{
  return (opcode & 0x0f000010) == 0x0e000010
	 || (opcode & 0x0fe00000) == 0x0c400000;
}

unsigned
tb_accesses_of (const struct tb_profile *profile, enum tb_isa isa,
		uint32_t opcode, unsigned size, uint64_t pc)
{
  struct tb_semantics s;
  unsigned set = 0;
  bool is_a32 = isa == TB_ISA_A32;

  if (isa != TB_ISA_A64 && !is_a32 && isa != TB_ISA_T32)
    return TB_ACCESSES_UNKNOWN;
  if (isa != TB_ISA_A64
      && (is_a32 ? opcode >> 28 != 15
		 : size == 4 && (opcode >> 28 & 14) == 14)
      && moves_registers (opcode))
    return TB_ACCESSES_MOVE;
  if (!tb_semantics_of (&s, isa, opcode, size, pc, TB_IT_NONE, profile))
    return TB_ACCESSES_UNKNOWN;
  for (unsigned i = 0; i < s.count; i++)
    set |= (tb_op_is (s.uops[i].op, TB_LOADS) ? TB_ACCESSES_LOAD : 0)
	   | (tb_op_is (s.uops[i].op, TB_STORES) ? TB_ACCESSES_STORE : 0);
  return set;
}

void
tb_accesses_flow (struct tb_flow *flow, unsigned set, uint32_t opcode,
		  unsigned size, uint64_t pc, enum tb_isa isa,
		  const struct tb_profile *profile)
{
  bool narrow = (isa == TB_ISA_T32 || isa == TB_ISA_T32EE) && size == 2;

  if (flow->kind != TB_FLOW_OTHER)
    return;
  unsigned accesses = tb_accesses_of (profile, isa,
				      narrow ? opcode >> 16 : opcode, size, pc);
  if (accesses & TB_ACCESSES_UNKNOWN)
    flow->kind = TB_FLOW_UNDEFINED;
  else if (accesses & set)
    flow->kind = TB_FLOW_ACCESS;
}
