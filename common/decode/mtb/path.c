/* Does the code lead from one packet of a Micro Trace Buffer to the next?  See path.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A packet that one flipped bit made wrong mostly does not fit.  Who walked as far as the code
   goes would tell of a path that was not taken.  */

#include "config.h"
#include "decode/mtb/path.h"

#include "decode/mtb/find.h"

/* Each branch that is taken makes a packet: no code goes on for so many bytes without one, and
   bytes by chance that say so are not worth the walk.  */
#define WALK_BYTES (4u * TB_BLOCK_LIMIT)

/* What a block that is decoded for the first time takes, in instructions, beside its own:
   bounds the memory for blocks, too.  */
#define BLOCK_EFFORT 32

bool
tb_mtb_spend (struct tb_mtb_effort *effort, uint64_t count)
{
  if (effort == NULL)
    return true;
  bool enough = count <= effort->instructions;
  effort->instructions -= enough ? count : effort->instructions;
  effort->spent |= !enough;
  return enough;
}

/* The block at PC; NULL: none, no memory, or no effort is left for it.  */
static const struct tb_block *
block_at (struct tb_follow *follow, uint32_t pc, struct tb_mtb_effort *effort)
{
  uint32_t known = follow->count;
  if (!tb_mtb_spend (effort, 1))
    return NULL;
  const struct tb_block *block = tb_follow_block (follow, TB_SPACE_ANY, TB_ISA_T32, pc);
  if (block == NULL || block->count == 0
      || (follow->count != known && !tb_mtb_spend (effort, BLOCK_EFFORT + block->count)))
    return NULL;
  return block;
}

/* Does the last instruction of BLOCK, which is not the source of a packet, never go on to the
   next one?  An undefined instruction may be the source of a fault, never a step on the way;
   an unconditional branch is always taken.  WALKED, RESUMED: instructions before BLOCK, and as
   of tb_mtb_path.  */
static bool
blocks (const struct tb_block *block, uint32_t walked, bool resumed)
{
  return block->kind == TB_FLOW_UNDEFINED
	 || ((block->kind == TB_FLOW_BRANCH || block->kind == TB_FLOW_INDIRECT)
	     && !tb_block_is_conditional (block, walked == 0 && !resumed));
}

/* The source of PACKET is in BLOCK: does the code there do what it says?  */
static enum tb_mtb_path
path_within (struct tb_follow *follow, const struct tb_block *block,
	     const struct tb_mtb_packet *packet, struct tb_mtb_effort *effort)
{
  if (!packet->atomic)
    {
      if (packet->source == block->end - block->size
	  && (block->kind == TB_FLOW_BRANCH || block->kind == TB_FLOW_INDIRECT))
	return tb_mtb_may_jump (block, packet) ? TB_MTB_PATH_FITS : TB_MTB_PATH_ELSEWHERE;
      /* An instruction that makes a packet without branching leads to the next one: memory
	 that is 0 has no packets.  */
      if (packet->destination == packet->source || packet->destination - packet->source > 4)
	return TB_MTB_PATH_ELSEWHERE;
    }
  uint64_t reached;
  struct tb_flow flow;
  if (!tb_mtb_spend (effort, (packet->source - block->start) / 2))
    return TB_MTB_PATH_UNKNOWN;
  tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_T32, block->start, packet->source, &reached,
		      &flow);
  return reached == packet->source ? TB_MTB_PATH_FITS : TB_MTB_PATH_BLOCKED;
}

enum tb_mtb_path
tb_mtb_path (struct tb_follow *follow, uint32_t pc, bool resumed,
	     const struct tb_mtb_packet *packet, struct tb_mtb_effort *effort, uint32_t *at)
{
  uint32_t opcode;
  *at = pc;
  if (packet->source > pc && packet->source - pc > WALK_BYTES
      && tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32, pc, &opcode) != 0)
    return TB_MTB_PATH_BLOCKED;
  for (uint32_t walked = 0; *at = pc, pc <= packet->source;)
    {
      if (packet->atomic && pc == packet->source)
	return TB_MTB_PATH_FITS;
      const struct tb_block *block = block_at (follow, pc, effort);
      if (block == NULL)
	return TB_MTB_PATH_UNKNOWN;
      if (packet->source < block->end)
	return path_within (follow, block, packet, effort);
      /* Behind SVC its exception is taken, which leads elsewhere.  */
      if (tb_flow_traps (block->kind))
	return block->kind == TB_FLOW_SERVICE && packet->atomic && packet->source == block->end
	       && packet->destination != packet->source
	       ? TB_MTB_PATH_FITS : TB_MTB_PATH_UNKNOWN;
      if (blocks (block, walked, resumed))
	return TB_MTB_PATH_BLOCKED;
      walked += block->count;
      pc = (uint32_t) block->end;
    }
  return TB_MTB_PATH_BLOCKED;
}
