/* Flow: is an instruction a branch, of which kind, where to?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Architecture Reference Manuals (DDI 0487 for A64 and A32/T32,
   DDI 0553 for v8-M, DDI 0419 for v6-M).  */

#ifndef TB_ARM_FLOW_FLOW_H
#define TB_ARM_FLOW_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/lift/kinds.h"
#include "arm/machine/profile.h"

/* One instruction, as far as flow is concerned.  */
struct tb_flow
{
  uint64_t target;		/* TB_FLOW_BRANCH: where to.  */
  uint8_t kind;			/* enum tb_flow_kind  */
  uint8_t sub;			/* enum tb_flow_sub  */
  uint8_t size;			/* 2 or 4 bytes.  */
  uint8_t target_isa;		/* enum tb_isa after the branch, where it is
				   direct.  */
  bool conditional;		/* May not be taken: B.cond, CBZ, TBZ, A32
				   condition; T32 in an IT block; LE/WLS.  */
  bool marked_conditional;	/* The "c" of element listings: CONDITIONAL,
				   save for loop branches (LE, WLS ...) and
				   A64 compare-and-branch (FEAT_CMPBR), which
				   the reference listings leave unmarked.  */
  uint8_t it_length;		/* T32 IT: how many instructions it governs. */
};

/* Decode the A64 OPCODE at PC.  */
void tb_flow_a64 (struct tb_flow *flow, uint32_t opcode, uint64_t pc);

/* Decode the A32 OPCODE at PC.  */
void tb_flow_a32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		  const struct tb_profile *profile);

/* Decode the T32 instruction at PC whose first halfword is in bits 31:16 of
   OPCODE, its second (or zero) in bits 15:0.  IN_IT: it is governed by an IT
   instruction.  */
void tb_flow_t32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		  bool in_it, const struct tb_profile *profile);

/* The same for ThumbEE.  */
void tb_flow_t32ee (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		    bool in_it, const struct tb_profile *profile);

/* Decode the instruction OPCODE of SIZE bytes (as in struct tb_step: 16 bits are in bits
   15:0) of ISA at PC; IN_IT as above.  False, and FLOW as it was: SIZE is 0, or ISA has no
   flow.  */
bool tb_flow_of (struct tb_flow *flow, enum tb_isa isa, uint32_t opcode, unsigned size,
		 uint64_t pc, bool in_it, const struct tb_profile *profile);

/* Bytes of the T32 or ThumbEE instruction whose first halfword is HALF: 2 or 4.  */
static inline unsigned
tb_t32_size (uint32_t half)
{
  return (half & 0xffff) >= 0xe800 ? 4 : 2;
}

/* Start FLOW as a plain instruction of SIZE bytes in ISA.  */
static inline void
tb_flow_plain (struct tb_flow *flow, unsigned size, enum tb_isa isa)
{
  *flow = (struct tb_flow) { .kind = TB_FLOW_OTHER, .sub = TB_SUB_NONE,
			     .size = (uint8_t) size, .target_isa = isa };
}

/* Has the A64 OPCODE perhaps more to say than that it goes on?  By bits 28:25 (C4.1): what is
   reserved (group 0 is SME, too), and branches, exceptions and system instructions.  */
static inline bool
tb_flow_a64_may_go (uint32_t opcode)
{
  return UINT32_C (0x0c0b) >> (opcode >> 25 & 15) & 1;
}

#endif /* TB_ARM_FLOW_FLOW_H */
