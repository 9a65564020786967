/* Constants through the code of the A and R profile, A32 and T32.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An instruction is at an address as BX takes it: bit 0 is set of T32.

   Source: DDI 0406, A5.1 (A32 encodings), A6.3 (T32), A8.8 (instructions);
   AAPCS32, 6.1.1 (what calls keep).  */

#include "config.h"
#include "state/assume/code-32.h"

#include "util/number.h"

#define BIT UINT64_C (1)

static bool
describe (const struct tb_constants *c, struct tb_insn *i,
	  struct tb_uop *uops)
{
  bool thumb = i->pc & BIT;
  return (thumb || (i->pc & 3) == 0)
	 && tb_code_32_describe (c, i, i->pc & ~BIT, thumb ? TB_ISA_T32 : TB_ISA_A32, uops);
}

static void
flow (const struct tb_constants *c, const struct tb_insn *i,
      struct tb_flow *result)
{
  /* What is not read in has no size.  */
  *result = (struct tb_flow) { .kind = TB_FLOW_UNDEFINED };
  tb_flow_of (result, i->pc & BIT ? TB_ISA_T32 : TB_ISA_A32, i->opcode, i->size,
	      i->pc & ~BIT, i->it != 0, c->profile);
  if (result->kind == TB_FLOW_BRANCH && result->target_isa == TB_ISA_T32)
    result->target |= BIT;
}

static bool
is_t32 (const struct tb_insn *i)
{
  return i->pc & BIT;
}

/* SVC, BKPT, HVC and SMC; BX.  */
static enum tb_code_role
role (const struct tb_insn *i)
{
  uint32_t op = i->opcode;
  bool serves, branches = false;
  if (is_t32 (i) && i->size == 2)
    {
      serves = (op & 0xff00) == 0xdf00 || (op & 0xff00) == 0xbe00;
      branches = (op & 0xff87) == 0x4700;
    }
  else if (is_t32 (i))
    serves = (op & 0xffe0f000) == 0xf7e08000;
  else
    {
      serves = op >> 28 != 15
	       && ((op & 0x0f000000) == 0x0f000000
		   || (op & 0x0f9000f0) == 0x01000070);
      branches = op >> 28 != 15 && (op & 0x0ffffff0) == 0x012fff10;
    }
  return serves ? TB_CODE_SERVICE : branches ? TB_CODE_TAIL : TB_CODE_PLAIN;
}

static unsigned
condition (const struct tb_constants *c, const struct tb_insn *i)
{
  if (is_t32 (i))
    return tb_code_32_condition (c, i);
  return (i->opcode & 0x0f000000) == 0x0a000000 && i->opcode >> 28 < 14
	 ? i->opcode >> 28 : 16;
}

/* The condition that an A32 instruction has itself.  */
static unsigned
governs (const struct tb_insn *i)
{
  return !is_t32 (i) && i->opcode >> 28 < 14 ? i->opcode >> 28 : 16;
}

/* CMP of a register with a number (of eight bits).  */
static bool
compare (const struct tb_insn *i, unsigned *index, uint64_t *bound)
{
  bool is = is_t32 (i)
	    ? i->it == 0 && (i->size == 2 ? (i->opcode & 0xf800) == 0x2800
			     : (i->opcode & 0xfff0ff00) == 0xf1b00f00)
	    : (i->opcode & 0xfff0ff00) == 0xe3500000;
  *index = i->size == 2 ? i->opcode >> 8 & 7 : i->opcode >> 16 & 15;
  *bound = i->opcode & 255;
  return is && *index < TB_CODE_32_REGISTERS;
}

/* BL; BLX of a label.  */
static bool
call_at (const uint8_t *b, struct tb_insn *i)
{
  i->size = 4;
  if (is_t32 (i))
    {
      b--;
      i->opcode = (uint32_t) b[1] << 24 | (uint32_t) b[0] << 16
		  | (uint32_t) b[3] << 8 | b[2];
      return (i->opcode & 0xf800c000) == 0xf000c000;
    }
  i->opcode = tb_number_32 (b);
  return (i->pc & 3) == 0 && ((i->opcode & 0x0f000000) == 0x0b000000
			      || (i->opcode & 0xfe000000) == 0xfa000000);
}

const struct tb_code_isa tb_code_ar = {
  .registers = TB_CODE_32_REGISTERS, .slots = TB_NSLOTS, .lr = TB_SLOT_LR,
  .kept = TB_CODE_32_KEPT, .pointer_bit = 0, .pointer_size = 4, .unit = 1,
  .width = 32, .places = TB_NPLACES, .flags = TB_SLOT_N,
  .describe = describe, .flow = flow, .role = role, .condition = condition,
  .governs = governs,
  /* That of A32 code.  */
  .frame = tb_code_32_frame, .frame_pointer = 11, .sp = TB_SLOT_SP,
  .compare = compare, .writes = tb_code_32_writes, .call_at = call_at,
};
