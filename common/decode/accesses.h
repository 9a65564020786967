/* Which instructions load and store, for trace units that tell of these apart.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ACCESSES_H
#define TB_DECODE_ACCESSES_H

#include <stdint.h>

#include "arm/flow/flow.h"
#include "arm/machine/profile.h"
#include "snapshot/snapshot.h"

enum
{
  TB_ACCESSES_LOAD = 1, TB_ACCESSES_STORE = 2,
  /* It moves registers to or from a coprocessor, or the FP registers.  */
  TB_ACCESSES_MOVE = 4,
  TB_ACCESSES_UNKNOWN = 8	/* It is not described.  */
};

/* What the instruction OPCODE of SIZE bytes (as tb_follow_opcode has it) at PC does:
   TB_ACCESSES_...  Prefetches, and barriers, do nothing of these.  */
unsigned tb_accesses_of (const struct tb_profile *profile, enum tb_isa isa,
			 uint32_t opcode, unsigned size, uint64_t pc);

/* FLOW is that of an instruction, whose OPCODE of SIZE bytes has a first halfword of T32
   in bits 31:16: make it TB_FLOW_ACCESS if it is an access of those in SET and no
   waypoint by itself, and TB_FLOW_UNDEFINED where that cannot be told.  */
void tb_accesses_flow (struct tb_flow *flow, unsigned set, uint32_t opcode,
		       unsigned size, uint64_t pc, enum tb_isa isa,
		       const struct tb_profile *profile);

#endif /* TB_DECODE_ACCESSES_H */
