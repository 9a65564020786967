/* Follow: walk code between waypoints, each block decoded once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_FOLLOW_H
#define TB_DECODE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/flow.h"
#include "snapshot/memmap.h"

/* A block: instructions in sequence from START up to and with the first
   waypoint, or up to where no code is readable.  */
struct tb_block
{
  uint64_t start;
  uint64_t end;			/* After the last instruction.  */
  uint64_t target;		/* Of a direct branch.  */
  uint32_t count;		/* Instructions; 0: nothing readable at START. */
  uint8_t kind;			/* enum tb_flow_kind of the last one; OTHER: the
				   block ends because END is not readable (or
				   the limit was reached).  */
  uint8_t sub;			/* enum tb_flow_sub  */
  uint8_t size;			/* Bytes of the last instruction.  */
  uint8_t isa, space;		/* Key, with START.  */
  uint8_t target_isa;
  bool conditional;
  bool limit;			/* Cut at TB_BLOCK_LIMIT instructions.  */
};

/* The longest block: a runaway range through zeros or data stops here.  */
#define TB_BLOCK_LIMIT 65536

/* Which instructions end a block, by the configuration of the trace unit.
   Branches and ISB always do.  */
struct tb_follow_options
{
  bool wait_is_branch;		/* WFI and WFE are waypoints.  */
  bool barrier_is_waypoint;	/* DSB and DMB (PTM with ETMCCER[24]).  */
  bool tstart_is_waypoint;	/* ETE.  */
};

/* The block cache of one core under one configuration.  Not for use by two
   threads at once; the memory map may be shared.  */
struct tb_follow;

struct tb_follow *tb_follow_new (const struct tb_memmap *map,
				 const struct tb_profile *profile,
				 const struct tb_follow_options *options);
void tb_follow_free (struct tb_follow *follow);

/* The block at START.  Valid until the cache is freed.  NULL: no memory.  */
const struct tb_block *tb_follow_block (struct tb_follow *follow,
					enum tb_space space, enum tb_isa isa,
					uint64_t start);

/* Walk in sequence from START up to END, ignoring branches on the way; used
   where the trace gives the end (exceptions, Q, MTB).  Returns the number of
   instructions; *REACHED is where the walk stopped: END, or the first address
   that is not readable, or beyond END where no instruction boundary is at END.
   LAST gets the last instruction.  Bounded by TB_BLOCK_LIMIT.  */
uint32_t tb_follow_straight (struct tb_follow *follow, enum tb_space space,
			     enum tb_isa isa, uint64_t start, uint64_t end,
			     uint64_t *reached, struct tb_flow *last);

/* The opcode at ADDRESS (a 32-bit T32 opcode with its first halfword in the
   upper half; a 16-bit one in the lower half, upper half zero) and its size in
   bytes; 0 where it is not readable.  */
unsigned tb_follow_opcode (const struct tb_follow *follow,
			   enum tb_space space, enum tb_isa isa,
			   uint64_t address, uint32_t *opcode);

#endif /* TB_DECODE_FOLLOW_H */
