/* Flow of T32 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Which instructions branch the rows of arm/lift/t16.c and arm/lift/t32.c say.  */

#include "config.h"

#include "arm/flow/impl.h"
#include "arm/flow/plain.h"

/* The offset of B.W, BL and BLX.  */
static uint64_t
long_offset (uint32_t opcode)
{
  uint32_t s = tb_bits (opcode, 26, 26);
  uint32_t i1 = !(tb_bits (opcode, 13, 13) ^ s);
  uint32_t i2 = !(tb_bits (opcode, 11, 11) ^ s);

  return tb_sign_extend (s << 24 | i1 << 23 | i2 << 22
			 | tb_bits (opcode, 25, 16) << 12
			 | tb_bits (opcode, 10, 0) << 1, 25);
}

/* Where branches lead, as offsets from PC.  */
static uint64_t
offset_of (enum tb_how how, uint32_t opcode)
{
  uint64_t loop = tb_bits (opcode, 10, 1) << 2 | tb_bits (opcode, 11, 11) << 1;
  switch (how)
    {
    case TB_HOW_25: case TB_HOW_25_A32:
      return long_offset (opcode);
    case TB_HOW_21:
      return tb_sign_extend (tb_bits (opcode, 26, 26) << 20
			     | tb_bits (opcode, 11, 11) << 19
			     | tb_bits (opcode, 13, 13) << 18
			     | tb_bits (opcode, 21, 16) << 12
			     | tb_bits (opcode, 10, 0) << 1, 21);
    case TB_HOW_BACK: case TB_HOW_LOOP:
      return -loop;
    case TB_HOW_PAST:
      return loop;
    /* Of 16 bits.  */
    case TB_HOW_8:
      return tb_sign_extend (tb_bits (opcode, 7, 0), 8) << 1;
    case TB_HOW_11:
      return tb_sign_extend (tb_bits (opcode, 10, 0), 11) << 1;
    case TB_HOW_ZERO:
      return tb_bits (opcode, 9, 9) << 6 | tb_bits (opcode, 7, 3) << 1;
    default:
      return 0;
    }
}

/* The target of a branch, and the condition that it has by itself, not by an IT
   instruction.  That of a loop is not marked.  */
static void
find_target (struct tb_flow *flow, enum tb_how how, uint32_t opcode, uint64_t pc)
{
  uint64_t from = how == TB_HOW_25_A32 ? pc & ~UINT64_C (3) : pc;
  flow->target = (from + 4 + offset_of (how, opcode)) & 0xffffffff;
  if (how == TB_HOW_25_A32)
    flow->target_isa = TB_ISA_A32;
  else if (how == TB_HOW_T32EE)
    flow->target_isa = TB_ISA_T32EE;
  else if (how == TB_HOW_LOOP || how == TB_HOW_PAST)
    flow->conditional = true;
  else if (how == TB_HOW_8 || how == TB_HOW_21 || how == TB_HOW_ZERO)
    flow->conditional = flow->marked_conditional = true;
}

void
tb_flow_t32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc, bool in_it,
	     const struct tb_profile *profile)
{
  unsigned size = tb_t32_size (opcode >> 16);
  tb_flow_plain (flow, size, TB_ISA_T32);
  flow->conditional = flow->marked_conditional = in_it;
  if (tb_flow_t32_is_plain (opcode, tb_flow_has_wide (profile)))
    return;
  unsigned groups = tb_profile_groups (profile);
  const struct tb_row *row = size == 2 ? tb_t16_row (opcode >>= 16, groups)
			     : tb_t32_row (opcode, groups);
  if (row == NULL)
    return;
  tb_flow_row (flow, row, opcode);
  if (flow->kind == TB_FLOW_BRANCH)
    find_target (flow, TB_GOES_HOW (row->fields), opcode, pc);
  else if (TB_GOES_HOW (row->fields) == TB_HOW_IT)
    flow->it_length = (uint8_t) (4 - __builtin_ctz (opcode));
}
