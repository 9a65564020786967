/* Follow: walk code between waypoints, each block decoded once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_FOLLOW_H
#define TB_DECODE_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arm/flow/flow.h"
#include "decode/element.h"
#include "snapshot/memmap.h"

/* A block: instructions in sequence from START up to and with the first
   waypoint, or up to where no code is readable.  */
struct tb_block
{
  uint64_t start;
  uint64_t end;			/* After the last instruction.  */
  uint64_t target;		/* Of a direct branch.  */
  /* Successors, filled by tb_follow_taken and tb_follow_next.  */
  union
  {
    struct { const struct tb_block *next, *taken; };
    const struct tb_block *successor[2];	/* By "taken".  */
  };
  uint32_t count;		/* Instructions; 0: nothing readable at START. */
  /* Eight bytes as in the element of a range that ends with this block, but for
     TB_RANGE_EXECUTED: see tb_block_range.  */
  uint8_t element;		/* TB_ELEMENT_RANGE  */
  uint8_t reason;		/* TB_REASON_NONE  */
  uint8_t flags;		/* TB_RANGE_CONDITIONAL, TB_RANGE_UNMARKED  */
  uint8_t isa;			/* Key, with SPACE and START.  */
  uint8_t kind;			/* enum tb_flow_kind of the last one; OTHER: the
				   block ends because END is not readable (or
				   the limit was reached).  */
  uint8_t sub;			/* enum tb_flow_sub  */
  uint8_t size;			/* Bytes of the last instruction.  */
  uint8_t space;
  uint8_t target_isa;
  /* As in struct tb_flow.  CONDITIONAL is true also where START may lie within
     an IT block that governs the last instruction, as after a return from an
     exception; MARKED_CONDITIONAL takes START as outside of any.  RESUMED:
     CONDITIONAL is true for that alone.  What looks like an IT instruction may
     be data before a function; where a branch led to START it is, for none
     leads into an IT block.  Who counts branches that cannot have been passed
     need not ask; who walks on past branches without trace must.  */
  bool conditional;
  bool marked_conditional;
  bool resumed;
  bool limit;			/* Cut at TB_BLOCK_LIMIT instructions.  */
};

/* Can BLOCK's last instruction be passed without having its effect?  BY_BRANCH:
   a branch led to its start.  */
static inline bool
tb_block_is_conditional (const struct tb_block *block, bool by_branch)
{
  return block->conditional && !(block->resumed && by_branch);
}

/* The longest block: a runaway range through zeros or data stops here.  */
#define TB_BLOCK_LIMIT 65536

/* The most blocks that one cache keeps.  More are far beyond any real program;
   trace made to visit ever new addresses is told that there is no memory.  */
#define TB_BLOCK_CACHE_LIMIT (UINT32_C (1) << 24)

/* Which instructions end a block, by the configuration of the trace unit.
   Branches and ISB always do, and so does what is no instruction
   (TB_FLOW_UNDEFINED) or never goes on by itself (tb_flow_traps).  */
struct tb_follow_options
{
  bool wait_is_branch;		/* WFI and WFE are waypoints.  */
  bool barrier_is_waypoint;	/* DSB and DMB (PTM with ETMCCER[24]).  */
  bool tstart_is_waypoint;	/* ETE.  */
  uint8_t accesses;		/* TB_ACCESSES_LOAD, TB_ACCESSES_STORE: such are
				   waypoints (TB_FLOW_ACCESS).  What is not
				   described may be one then, and is taken for
				   no instruction.  */
  bool it_is_unmarked;		/* IT blocks count for "conditional", but not
				   for "marked_conditional", as in reference
				   listings of PTM.  */
  /* Where a cache may be shared: whose it is, a protocol's, as each has its own rules for which
     blocks are linked; and what else must be the same, as a number.  */
  const void *user;
  unsigned variant;
};

/* The block cache of one core under one configuration.  Not for use by two
   threads at once; the memory map may be shared and must be sealed.  The fields
   are for the functions below only.  */
struct tb_follow
{
  const struct tb_block **slots;	/* Open addressing, linear.  */
  size_t mask;			/* Number of slots - 1; a power of two.  */
  unsigned shift;		/* 64 - log2 (number of slots).  */
  uint32_t count;		/* Blocks kept.  */
  const struct tb_memmap *map;
  struct tb_profile profile;
  struct tb_follow_options options;
  struct tb_block_chunk *chunks;	/* Where the blocks live.  */
  struct tb_block unreadable;	/* The last block without instructions.  */
  bool no_memory;		/* A block was not kept for want of memory.  */
  bool shared;			/* It is a share's (follow-share.h), which frees it.  */
  /* What a protocol keeps of the same code beside blocks, and what frees it with the rest.  */
  void *beside;
  void (*free_beside) (void *beside);
  /* Where the last address without code was: nothing is mapped from FIRST to
     LAST.  */
  struct { uint64_t first, last; } holes[TB_SPACE_LIMIT];
  /* Where code was found last: LENGTH bytes from FIRST on.  */
  struct
  {
    uint64_t first, length;
    const uint8_t *data;
    enum tb_space space;
  } run;
};

/* A cache for code of MAP, which is borrowed; PROFILE and OPTIONS are copied.
   NULL: no memory.  */
struct tb_follow *tb_follow_new (const struct tb_memmap *map,
				 const struct tb_profile *profile,
				 const struct tb_follow_options *options);
/* Free FOLLOW, which may be NULL, unless it is shared.  */
void tb_follow_free (struct tb_follow *follow);

/* The slot where the search for a block begins.  */
static inline size_t
tb_follow_slot (const struct tb_follow *follow, enum tb_space space,
		enum tb_isa isa, uint64_t start)
{
  /* The high bits of START seldom differ between the blocks of a program, so
     the rest of the key goes there; the multiplier is 2^64 / golden ratio.  */
  uint64_t key = start ^ (uint64_t) (space << 3 | isa) << 56;

  return key * UINT64_C (0x9e3779b97f4a7c15) >> follow->shift;
}

/* Nothing is mapped at START, as far as is known without looking.  */
static inline bool
tb_follow_in_hole (const struct tb_follow *follow, enum tb_space space,
		   uint64_t start)
{
  return start >= follow->holes[space].first
	 && start <= follow->holes[space].last;
}

/* Nothing is readable at START: remember how far that goes, if nothing is mapped there.  */
void tb_follow_note_hole (struct tb_follow *follow, enum tb_space space, uint64_t start);

/* What tb_follow_block does where its first slot is not the block.  */
const struct tb_block *tb_follow_miss (struct tb_follow *follow,
				       enum tb_space space, enum tb_isa isa,
				       uint64_t start);

/* The block at START.  Valid until the cache is freed; but one without
   instructions (COUNT 0) is overwritten by the next such block.  NULL: no
   memory, which NO_MEMORY keeps: what a decoder makes of it is not what the trace
   says, and who reads the decoder asks tb_decoder_no_memory.  */
static inline const struct tb_block *
tb_follow_block (struct tb_follow *follow, enum tb_space space,
		 enum tb_isa isa, uint64_t start)
{
  const struct tb_block *block
    = follow->slots[tb_follow_slot (follow, space, isa, start)];

  if (__builtin_expect (block != NULL && block->start == start
			&& block->isa == isa && block->space == space, 1))
    return block;
  return tb_follow_miss (follow, space, isa, start);
}

/* Find the successor of BLOCK that tb_follow_taken or tb_follow_next lacks, and
   remember it in BLOCK.  */
const struct tb_block *tb_follow_link (struct tb_follow *follow,
				       const struct tb_block *block,
				       bool taken);

/* The block at the target of BLOCK, which ends in a direct branch (kind
   TB_FLOW_BRANCH), in the same space; as tb_follow_block (space, target_isa,
   target), without a search from the second time on.  */
static inline const struct tb_block *
tb_follow_taken (struct tb_follow *follow, const struct tb_block *block)
{
  if (__builtin_expect (block->taken != NULL, 1))
    return block->taken;
  return tb_follow_link (follow, block, true);
}

/* The block at the end of BLOCK, in the same space and ISA; likewise.  */
static inline const struct tb_block *
tb_follow_next (struct tb_follow *follow, const struct tb_block *block)
{
  if (__builtin_expect (block->next != NULL, 1))
    return block->next;
  return tb_follow_link (follow, block, false);
}

/* Make *E the range of all of BLOCK, whose last instruction was TAKEN or not,
   told by the packet at INDEX.  */
static inline void
tb_block_range (struct tb_element *e, const struct tb_block *block,
		uint64_t index, bool taken)
{
  static const uint8_t executed_bytes[8] = { 0, 0, TB_RANGE_EXECUTED };
  uint64_t head, executed;

  /* In one piece: this is the inner loop of every decoder.  */
  memcpy (&head, (const char *) block + offsetof (struct tb_block, element),
	  sizeof head);
  memcpy (&executed, executed_bytes, sizeof executed);
  head |= taken ? executed : 0;
  e->index = index;
  memcpy ((char *) e + offsetof (struct tb_element, kind), &head,
	  sizeof head);
  e->u.range.start = block->start;
  e->u.range.end = block->end;
  e->u.range.count = block->count;
}

/* Make *E the range of COUNT instructions from START to the end of B.  */
static inline void
tb_block_joined_range (struct tb_element *e, const struct tb_block *b,
		       uint64_t index, uint64_t start, uint32_t count,
		       bool taken)
{
  e->index = index;
  e->kind = TB_ELEMENT_RANGE;
  e->reason = TB_REASON_NONE;
  e->flags = (taken ? TB_RANGE_EXECUTED : 0)
	     | (b->conditional ? TB_RANGE_CONDITIONAL : 0)
	     | (b->conditional != b->marked_conditional ? TB_RANGE_UNMARKED
							: 0);
  e->isa = b->isa;
  e->last_kind = b->kind;
  e->last_sub = b->sub;
  e->last_size = b->size;
  e->space = b->space;
  e->u.range.start = start;
  e->u.range.end = b->end;
  e->u.range.count = count;
}

/* Walk in sequence from START up to END, ignoring branches on the way; used
   where the trace gives the end (exceptions, Q, MTB).  Returns the number of
   instructions; *REACHED is where the walk stopped: END, or the first address
   that is not readable, or beyond END where no instruction boundary is at END.
   LAST gets the last instruction, all zero where there is none.  Bounded by
   TB_BLOCK_LIMIT.  */
uint32_t tb_follow_straight (struct tb_follow *follow, enum tb_space space,
			     enum tb_isa isa, uint64_t start, uint64_t end,
			     uint64_t *reached, struct tb_flow *last);

/* Make *E the range of COUNT instructions from START to END, the last one
   LAST, as tb_follow_straight found them in SPACE and ISA.  */
static inline void
tb_follow_straight_range (struct tb_element *e, const struct tb_flow *last,
			  enum tb_space space, enum tb_isa isa,
			  uint64_t start, uint64_t end, uint32_t count)
{
  e->flags = TB_RANGE_EXECUTED
	     | (last->conditional ? TB_RANGE_CONDITIONAL : 0)
	     | (last->conditional != last->marked_conditional
		? TB_RANGE_UNMARKED : 0);
  e->isa = isa;
  e->last_kind = last->kind;
  e->last_sub = last->sub;
  e->last_size = last->size;
  e->space = space;
  e->u.range.start = start;
  e->u.range.end = end;
  e->u.range.count = count;
}

/* Instructions in sequence, of two or four bytes each.  */
enum { TB_FOLLOW_LINE = 32 };

struct tb_follow_line
{
  unsigned count;
  /* By instruction, a bit: it has four bytes; it simply goes on, and its FLOW is not
     set.  */
  uint32_t wide, plain;
  struct tb_follow_instruction
  {
    uint32_t opcode;		/* As tb_follow_opcode has it.  */
    struct tb_flow flow;
  } in[TB_FOLLOW_LINE];
};

/* Decode the instructions of A32 or T32 in sequence from START, as many as LINE has room for, into
   LINE, each as one that no IT instruction governs.  A line ends with what does not
   simply go on, conditional or not, and before what is not readable or begins beyond LAST.
   For who keeps each instruction: code is looked up once a line.  */
void tb_follow_line (struct tb_follow *follow, enum tb_space space,
		     enum tb_isa isa, uint64_t start, uint64_t last,
		     struct tb_follow_line *line);

/* The opcode at ADDRESS (a 32-bit T32 opcode with its first halfword in the
   upper half; a 16-bit one in the lower half, upper half zero) and its size in
   bytes; 0 where it is not readable.  */
unsigned tb_follow_opcode (struct tb_follow *follow,
			   enum tb_space space, enum tb_isa isa,
			   uint64_t address, uint32_t *opcode);

#endif /* TB_DECODE_FOLLOW_H */
