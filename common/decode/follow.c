/* Follow: walk code between waypoints, each block decoded once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/cursor.h"

#include <stdlib.h>

#include "decode/accesses.h"
#include "util/number.h"

#define FIRST_SLOTS 2048
#define CHUNK_BLOCKS 256
#define CACHE_LINE 64

/* How many halfwords to look back for the boundary of a T32 instruction; even,
   so that a longer row of them counts as whole instructions.  */
#define LOOK_BACK 32

/* Blocks are handed out from chunks that never move, each block in a cache
   line of its own.  */
union line
{
  struct tb_block block;
  char bytes[CACHE_LINE];
};

_Static_assert (sizeof (union line) == CACHE_LINE, "a block fits into a cache line");

struct tb_block_chunk
{
  union line lines[CHUNK_BLOCKS];
  struct tb_block_chunk *older;
};

/* What tb_block_range copies.  */
#define SAME_PLACE(in_block, in_element)				\
  _Static_assert (offsetof (struct tb_block, in_block)			\
		  - offsetof (struct tb_block, element)			\
		  == offsetof (struct tb_element, in_element)		\
		     - offsetof (struct tb_element, kind),		\
		  "a block's bytes are those of its range")
SAME_PLACE (reason, reason);
SAME_PLACE (flags, flags);
SAME_PLACE (isa, isa);
SAME_PLACE (kind, last_kind);
SAME_PLACE (sub, last_sub);
SAME_PLACE (size, last_size);
SAME_PLACE (space, space);

static bool
ends_block (const struct tb_follow *follow, enum tb_flow_kind kind)
{
  switch (kind)
    {
    case TB_FLOW_OTHER:
      return false;
    case TB_FLOW_BARRIER:
      return follow->options.barrier_is_waypoint;
    case TB_FLOW_WAIT:
      return follow->options.wait_is_branch;
    case TB_FLOW_TSTART:
      return follow->options.tstart_is_waypoint;
    default:
      return true;
    }
}

/* Can a T32 instruction begin at ADDRESS, as far as the code before it tells?
   A halfword below 0xe800 ends an instruction wherever it stands, and those
   above it pair up from there on.  */
static bool
is_boundary (const struct tb_follow *follow, enum tb_space space,
	     uint64_t address)
{
  bool boundary = true;
  uint8_t half[2];

  for (unsigned i = 0; i < LOOK_BACK && address >= 2; i++)
    {
      address -= 2;
      if (tb_memmap_read (follow->map, space, address, half, 2) != 2
	  || tb_t32_size (tb_number_16 (half)) == 2)
	break;
      boundary = !boundary;
    }
  return boundary;
}

/* How many instructions from START on may be governed by an IT instruction
   before it.  Code never jumps into an IT block, but exceptions return into
   them, and a waypoint such as ISB may stand in one.  The answer errs towards
   too many: data before START may look like IT.  Nothing in the code tells, only
   how START was reached; see "resumed" in struct tb_block.  */
static unsigned
governed_from (const struct tb_follow *follow, enum tb_space space,
	       uint64_t start)
{
  struct tb_cursor c;
  struct tb_flow flow;
  uint32_t opcode;

  if (tb_cursor_no_it_before (follow, space, start))
    return 0;
  for (uint64_t back = 2; back <= TB_IT_BEFORE && back <= start; back += 2)
    {
      tb_cursor_start (&c, follow, space, TB_ISA_T32, start - back);
      unsigned size = tb_cursor_fetch (&c, &opcode);
      if (size == 0)
	return 0;
      /* Most often there is no IT instruction (0xbfxy, y not 0).  */
      if ((opcode & 0xff000000) != 0xbf000000 || (opcode & 0xf0000) == 0)
	continue;
      tb_cursor_decode (follow, &c, opcode, false, &flow);

      unsigned left = flow.it_length;
      while (left != 0 && tb_cursor_advance (&c, size) && c.address < start)
	{
	  size = tb_cursor_fetch (&c, &opcode);
	  left = size != 0 ? left - 1 : 0;
	}
      if (left != 0 && c.address == start
	  && is_boundary (follow, space, start - back))
	return left;
    }
  return 0;
}

/* The slot where the block is, or else where it would go.  */
static size_t
find_slot (const struct tb_follow *follow, enum tb_space space,
	   enum tb_isa isa, uint64_t start)
{
  size_t i = tb_follow_slot (follow, space, isa, start);

  for (;; i = (i + 1) & follow->mask)
    {
      const struct tb_block *block = follow->slots[i];
      if (block == NULL
	  || (block->start == start && block->isa == isa
	      && block->space == space))
	return i;
    }
}

/* Twice as many slots: at most half are in use.  */
static bool
grow (struct tb_follow *follow)
{
  const struct tb_block **old = follow->slots;
  size_t nold = follow->mask + 1;
  const struct tb_block **slots = calloc (nold * 2, sizeof *slots);

  if (slots == NULL)
    return false;
  follow->slots = slots;
  follow->mask = nold * 2 - 1;
  follow->shift--;
  for (size_t i = 0; i < nold; i++)
    if (old[i] != NULL)
      slots[find_slot (follow, old[i]->space, old[i]->isa, old[i]->start)]
	= old[i];
  free (old);
  return true;
}

/* Room for one more block; NULL: no memory.  */
static struct tb_block *
new_block (struct tb_follow *follow)
{
  uint32_t used = follow->count % CHUNK_BLOCKS;

  if (follow->count == TB_BLOCK_CACHE_LIMIT)
    return NULL;
  if (follow->count >= (follow->mask + 1) / 2 && !grow (follow))
    return NULL;
  if (used == 0)
    {
      size_t size = (sizeof (struct tb_block_chunk) + CACHE_LINE - 1)
		    / CACHE_LINE * CACHE_LINE;
      struct tb_block_chunk *chunk = aligned_alloc (CACHE_LINE, size);
      if (chunk == NULL)
	return NULL;
      chunk->older = follow->chunks;
      follow->chunks = chunk;
    }
  follow->count++;
  return &follow->chunks->lines[used].block;
}

/* What stands at START, which is not readable.  It is not kept: it would fill the cache with
   nothing.  */
static struct tb_block *
unreadable (struct tb_follow *follow, enum tb_space space, enum tb_isa isa, uint64_t start)
{
  follow->unreadable
    = (struct tb_block) { .start = start, .end = start,
			  .element = TB_ELEMENT_RANGE, .isa = isa,
			  .target_isa = isa, .space = space };
  return &follow->unreadable;
}

/* Decode the block at START into a new one, or the unreadable one; NULL: no memory.  PASSES: it
   is T32 or A64 of which no accesses are waypoints; what is plain is passed by itself.  */
static inline __attribute__ ((always_inline)) struct tb_block *
build_block (struct tb_follow *follow, enum tb_space space, enum tb_isa isa,
	     uint64_t start, bool passes)
{
  struct tb_cursor c;
  struct tb_flow flow;
  uint32_t opcode, count = 0;
  unsigned in_it = 0, governed = 0, size;
  bool more = true, ends = false, resumed = false;

  tb_cursor_find (&c, follow, space, isa, start);
  if (isa == TB_ISA_T32 || isa == TB_ISA_T32EE)
    governed = governed_from (follow, space, start);
  while (more && !ends && count < TB_BLOCK_LIMIT)
    {
      if (passes && in_it == 0 && count >= governed)
	{
	  struct tb_cursor_passed passed;
	  more = isa == TB_ISA_A64
		 ? tb_cursor_pass_plain_a64 (&c, TB_BLOCK_LIMIT - count, &passed)
		 : tb_cursor_pass_plain (&c, tb_flow_has_wide (&follow->profile), false,
					 UINT64_MAX, TB_BLOCK_LIMIT - count, NULL, &passed);
	  if (passed.count > 0)
	    {
	      count += passed.count;
	      tb_flow_plain (&flow, passed.size, isa);
	      resumed = false;
	      continue;
	    }
	}
      size = tb_cursor_fetch (&c, &opcode);
      if (size == 0)
	break;
      tb_cursor_decode (follow, &c, opcode, in_it != 0, &flow);
      if (follow->options.accesses != 0)
	tb_accesses_flow (&flow, follow->options.accesses, opcode, size,
			  c.address, c.isa, &follow->profile);
      in_it = flow.it_length != 0 ? flow.it_length : in_it - (in_it != 0);
      more = tb_cursor_advance (&c, size);
      count++;
      resumed = !flow.conditional && count <= governed;
      /* An SVC that an IT instruction may govern may have been passed.  */
      bool passed = flow.kind == TB_FLOW_SERVICE
		    && (flow.conditional || resumed);
      ends = ends_block (follow, flow.kind) && !passed;
    }
  if (count == 0)
    return unreadable (follow, space, isa, start);

  struct tb_block *block = new_block (follow);
  if (block == NULL)
    return NULL;
  bool conditional = flow.conditional || resumed;
  unsigned flags = (conditional ? TB_RANGE_CONDITIONAL : 0)
		   | (conditional != flow.marked_conditional ? TB_RANGE_UNMARKED : 0);
  /* Written where it stays: a copy waits for what was just stored field by field.  */
  *block = (struct tb_block) {
    .start = start, .end = c.address, .count = count,
    .element = TB_ELEMENT_RANGE, .isa = isa, .space = space,
    .size = flow.size, .sub = flow.sub, .resumed = resumed,
    .conditional = conditional, .marked_conditional = flow.marked_conditional,
    .flags = (uint8_t) flags,
    .kind = ends ? flow.kind : TB_FLOW_OTHER,
    .target = ends ? flow.target : 0,
    .target_isa = (uint8_t) (ends ? flow.target_isa : isa),
    .limit = !ends && more && count == TB_BLOCK_LIMIT
  };
  return block;
}

static struct tb_block *
build (struct tb_follow *follow, enum tb_space space, enum tb_isa isa, uint64_t start)
{
  /* The ISA as a number, so that what depends on it is decided here.  */
  if (isa == TB_ISA_T32 && follow->options.accesses == 0)
    return build_block (follow, space, TB_ISA_T32, start, true);
  if (isa == TB_ISA_A64 && follow->options.accesses == 0)
    return build_block (follow, space, TB_ISA_A64, start, true);
  return build_block (follow, space, isa, start, false);
}

void
tb_follow_note_hole (struct tb_follow *follow, enum tb_space space, uint64_t start)
{
  uint64_t first, last;

  if (!tb_memmap_hole (follow->map, space, start, &first, &last))
    return;
  follow->holes[space].first = first;
  follow->holes[space].last = last;
}

const struct tb_block *
tb_follow_miss (struct tb_follow *follow, enum tb_space space,
		enum tb_isa isa, uint64_t start)
{
  if (tb_follow_in_hole (follow, space, start))
    return unreadable (follow, space, isa, start);
  size_t slot = find_slot (follow, space, isa, start), mask = follow->mask;

  if (follow->slots[slot] != NULL)
    return follow->slots[slot];

  struct tb_block *kept = build (follow, space, isa, start);
  follow->no_memory |= kept == NULL;
  if (kept == NULL)
    return NULL;
  if (kept == &follow->unreadable)
    {
      tb_follow_note_hole (follow, space, start);
      return kept;
    }
  if (follow->mask != mask)
    slot = find_slot (follow, space, isa, start);
  follow->slots[slot] = kept;
  return kept;
}

const struct tb_block *
tb_follow_link (struct tb_follow *follow, const struct tb_block *block,
		bool taken)
{
  const struct tb_block *found
    = (taken
       ? tb_follow_block (follow, block->space, block->target_isa,
			  block->target)
       : tb_follow_block (follow, block->space, block->isa, block->end));

  /* Only blocks that stay may be pointed to.  Every block but the unreadable
     one is in a chunk of this cache, which alone writes to it.  */
  if (found != NULL && found->count != 0 && block != &follow->unreadable)
    {
      struct tb_block *own = (struct tb_block *) block;
      if (taken)
	own->taken = found;
      else
	own->next = found;
    }
  return found;
}

struct tb_follow *
tb_follow_new (const struct tb_memmap *map, const struct tb_profile *profile,
	       const struct tb_follow_options *options)
{
  struct tb_follow *follow = calloc (1, sizeof *follow);
  const struct tb_block **slots = calloc (FIRST_SLOTS, sizeof *slots);

  if (follow == NULL || slots == NULL)
    {
      free (follow);
      free (slots);
      return NULL;
    }
  follow->slots = slots;
  follow->mask = FIRST_SLOTS - 1;
  follow->shift = 64 - __builtin_ctz (FIRST_SLOTS);
  follow->map = map;
  for (unsigned i = 0; i < TB_SPACE_LIMIT; i++)
    follow->holes[i].first = 1;	/* And LAST is 0: none.  */
  follow->profile = *profile;
  follow->options = *options;
  return follow;
}

void
tb_follow_free (struct tb_follow *follow)
{
  if (follow == NULL || follow->shared)
    return;
  if (follow->beside != NULL)
    follow->free_beside (follow->beside);
  while (follow->chunks != NULL)
    {
      struct tb_block_chunk *older = follow->chunks->older;
      free (follow->chunks);
      follow->chunks = older;
    }
  free (follow->slots);
  free (follow);
}
