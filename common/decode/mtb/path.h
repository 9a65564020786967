/* Does the code lead from one packet of a Micro Trace Buffer to the next?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_MTB_PATH_H
#define TB_DECODE_MTB_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/follow.h"
#include "decode/mtb/mtb.h"

/* What the code says of a packet.  */
enum tb_mtb_path
{
  TB_MTB_PATH_FITS,
  TB_MTB_PATH_BLOCKED,		/* It does not lead to the packet's source.  */
  TB_MTB_PATH_ELSEWHERE,	/* What is at the source leads elsewhere.  */
  TB_MTB_PATH_UNKNOWN		/* Some is missing, or would have stopped the core; or no
				   effort is left.  */
};

struct tb_mtb_effort;

/* Compare PACKET with the code that FOLLOW reads, which execution went through in sequence
   from PC, not an address where nothing executes, up to the packet's source: behind it where the
   packet is of a branch.  RESUMED: no branch led to PC.  *AT: where the code begins that decided.
   It costs a look at each block on the way, which is taken off EFFORT (find.h; NULL: whatever it
   takes).  */
enum tb_mtb_path tb_mtb_path (struct tb_follow *follow, uint32_t pc, bool resumed,
			      const struct tb_mtb_packet *packet,
			      struct tb_mtb_effort *effort, uint32_t *at);

/* May the last instruction of BLOCK, the source of PACKET, which is of a branch, lead to its
   destination?  */
static inline bool
tb_mtb_may_jump (const struct tb_block *block, const struct tb_mtb_packet *packet)
{
  return block->kind == TB_FLOW_INDIRECT
	 || (block->kind == TB_FLOW_BRANCH && block->target == packet->destination);
}

#endif /* TB_DECODE_MTB_PATH_H */
