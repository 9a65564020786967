/* Flow of an instruction of any instruction set.  See flow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/flow/flow.h"

bool
tb_flow_of (struct tb_flow *flow, enum tb_isa isa, uint32_t opcode, unsigned size,
	    uint64_t pc, bool in_it, const struct tb_profile *profile)
{
  uint32_t t32 = size == 2 ? opcode << 16 : opcode;
  if (size == 0)
    return false;
  switch (isa)
    {
    case TB_ISA_A64:
      tb_flow_a64 (flow, opcode, pc);
      return true;
    case TB_ISA_A32:
      tb_flow_a32 (flow, opcode, pc, profile);
      return true;
    case TB_ISA_T32:
      tb_flow_t32 (flow, t32, pc, in_it, profile);
      return true;
    case TB_ISA_T32EE:
      tb_flow_t32ee (flow, t32, pc, in_it, profile);
      return true;
    case TB_ISA_UNKNOWN:
      break;
    }
  return false;
}
