/* Code, one instruction at a time.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/code.h"

#include <stdlib.h>

#include "decode/accesses.h"

#define FIRST_SLOTS 1024
#define CHUNK 512

/* As many as a block cache may keep.  */
#define LIMIT TB_BLOCK_CACHE_LIMIT

_Static_assert (sizeof (struct tb_etmv3_instruction) <= 64,
		"an instruction fits into a cache line");

/* Instructions never move.  */
struct chunk
{
  struct tb_etmv3_instruction instructions[CHUNK];
  struct chunk *older;
};

struct tb_etmv3_code
{
  const struct tb_etmv3_instruction **slots;	/* Open addressing.  */
  uint32_t mask;		/* Number of slots - 1; a power of two.  */
  unsigned shift;		/* 64 - log2 (number of slots).  */
  uint32_t count;
  struct tb_follow *follow;
  const struct tb_profile *profile;
  bool coprocessor;
  struct chunk *chunks;
};

struct tb_etmv3_code *
tb_etmv3_code_new (struct tb_follow *follow, const struct tb_profile *profile,
		   bool coprocessor)
{
  struct tb_etmv3_code *code = calloc (1, sizeof *code);
  const struct tb_etmv3_instruction **slots
    = calloc (FIRST_SLOTS, sizeof *slots);

  if (code == NULL || slots == NULL)
    {
      free (code);
      free (slots);
      return NULL;
    }
  code->slots = slots;
  code->mask = FIRST_SLOTS - 1;
  code->shift = 64 - __builtin_ctz (FIRST_SLOTS);
  code->follow = follow;
  code->profile = profile;
  code->coprocessor = coprocessor;
  return code;
}

void
tb_etmv3_code_free (struct tb_etmv3_code *code)
{
  if (code == NULL)
    return;
  while (code->chunks != NULL)
    {
      struct chunk *older = code->chunks->older;
      free (code->chunks);
      code->chunks = older;
    }
  free (code->slots);
  free (code);
}

/* The slot where the instruction is, or else where it would go.  */
static uint32_t
find_slot (const struct tb_etmv3_code *code, enum tb_space space,
	   enum tb_isa isa, uint32_t address)
{
  uint64_t key = address ^ (uint64_t) (space << 3 | isa) << 56;
  uint32_t i = key * UINT64_C (0x9e3779b97f4a7c15) >> code->shift;

  for (;; i = (i + 1) & code->mask)
    {
      const struct tb_etmv3_instruction *in = code->slots[i];
      if (in == NULL
	  || (in->range.u.range.start == address && in->range.isa == isa
	      && in->range.space == space))
	return i;
    }
}

/* Twice as many slots, so that at most half of them are in use.  */
static bool
grow (struct tb_etmv3_code *code)
{
  const struct tb_etmv3_instruction **old = code->slots;
  uint32_t nold = code->mask + 1;
  const struct tb_etmv3_instruction **slots
    = calloc ((size_t) nold * 2, sizeof *slots);

  if (slots == NULL)
    return false;
  code->slots = slots;
  code->mask = nold * 2 - 1;
  code->shift--;
  for (uint32_t i = 0; i < nold; i++)
    if (old[i] != NULL)
      {
	const struct tb_element *e = &old[i]->range;
	slots[find_slot (code, (enum tb_space) e->space, (enum tb_isa) e->isa,
			 (uint32_t) e->u.range.start)] = old[i];
      }
  free (old);
  return true;
}

/* Room for one more; NULL: no memory.  */
static struct tb_etmv3_instruction *
new_instruction (struct tb_etmv3_code *code)
{
  uint32_t used = code->count % CHUNK;

  if (code->count == LIMIT)
    return NULL;
  if (code->count >= (code->mask + 1) / 2 && !grow (code))
    return NULL;
  if (used == 0)
    {
      struct chunk *chunk = aligned_alloc (64, (sizeof *chunk + 63) / 64 * 64);
      if (chunk == NULL)
	return NULL;
      chunk->older = code->chunks;
      code->chunks = chunk;
    }
  code->count++;
  return &code->chunks->instructions[used];
}

static void
fill (struct tb_etmv3_instruction *in, const struct tb_flow *flow,
      enum tb_space space, enum tb_isa isa, uint32_t address)
{
  struct tb_element *e = &in->range;

  *in = (struct tb_etmv3_instruction) { .target = (uint32_t) flow->target };
  in->target_isa = flow->target_isa;
  e->kind = TB_ELEMENT_RANGE;
  e->isa = isa;
  e->space = space;
  e->last_kind = flow->kind;
  e->last_sub = flow->sub;
  e->last_size = flow->size;
  e->u.range.start = address;
  e->u.range.end = (uint64_t) address + flow->size;
  e->u.range.count = 1;
  /* Here no instruction is a waypoint but those that may go elsewhere.  */
  if (flow->kind == TB_FLOW_BARRIER || flow->kind == TB_FLOW_WAIT
      || flow->kind == TB_FLOW_TSTART)
    e->last_kind = TB_FLOW_OTHER;
  in->flags[1] = TB_RANGE_EXECUTED
		 | (flow->conditional ? TB_RANGE_CONDITIONAL : 0)
		 | (flow->conditional != flow->marked_conditional
		    ? TB_RANGE_UNMARKED : 0);
  /* What fails its condition has one, if only from an IT instruction.  */
  in->flags[0] = TB_RANGE_CONDITIONAL
		 | (flow->marked_conditional ? 0 : TB_RANGE_UNMARKED);
}

static enum tb_etmv3_transfers
transfers_of (const struct tb_etmv3_code *code, enum tb_space space,
	      enum tb_isa isa, uint32_t address)
{
  uint32_t opcode;
  unsigned size = tb_follow_opcode (code->follow, space, isa, address,
				    &opcode);
  unsigned accesses = tb_accesses_of (code->profile, isa, opcode, size,
				      address);

  if (accesses & TB_ACCESSES_UNKNOWN)
    return TB_ETMV3_PERHAPS;
  if (accesses & TB_ACCESSES_MOVE)
    return code->coprocessor ? TB_ETMV3_COPROCESSOR : TB_ETMV3_NEVER;
  return accesses != 0 ? TB_ETMV3_MEMORY : TB_ETMV3_NEVER;
}

const struct tb_etmv3_instruction *
tb_etmv3_code_at (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address)
{
  uint32_t slot = find_slot (code, space, isa, address);
  uint32_t mask = code->mask;
  struct tb_flow flow;
  uint64_t reached;

  if (code->slots[slot] != NULL)
    return code->slots[slot];
  /* What is not readable is not kept.  */
  if (tb_follow_straight (code->follow, space, isa, address,
			  (uint64_t) address + 1, &reached, &flow) != 1)
    return NULL;
  struct tb_etmv3_instruction *in = new_instruction (code);
  if (in == NULL)
    {
      code->follow->no_memory = true;
      return NULL;
    }
  fill (in, &flow, space, isa, address);
  if (!flow.conditional && flow.kind != TB_FLOW_UNDEFINED)
    in->always = isa == TB_ISA_A32 ? TB_ETMV3_ALWAYS
		 : isa == TB_ISA_T32 ? TB_ETMV3_ASK : TB_ETMV3_SOMETIMES;
  if (code->profile != NULL)
    in->transfers = transfers_of (code, space, isa, address);
  if (code->mask != mask)
    slot = find_slot (code, space, isa, address);
  code->slots[slot] = in;
  return in;
}

const struct tb_etmv3_instruction *
tb_etmv3_code_next (struct tb_etmv3_code *code,
		    const struct tb_etmv3_instruction *instruction,
		    bool executed)
{
  const struct tb_element *e = &instruction->range;
  bool branches = executed && e->last_kind == TB_FLOW_BRANCH;
  const struct tb_etmv3_instruction *found
    = (branches
       ? tb_etmv3_code_at (code, (enum tb_space) e->space,
			   (enum tb_isa) instruction->target_isa,
			   instruction->target)
       : tb_etmv3_code_at (code, (enum tb_space) e->space,
			   (enum tb_isa) e->isa, (uint32_t) e->u.range.end));

  /* Faults are to be counted each time.  */
  bool fault = executed ? e->last_kind == TB_FLOW_UNDEFINED
			: instruction->always != TB_ETMV3_SOMETIMES;
  /* Every instruction is in a chunk of this cache, which alone writes there. */
  if (!fault)
    ((struct tb_etmv3_instruction *) instruction)->successor[executed] = found;
  return found;
}

/* What is at ADDRESS, T32, may be in an IT block: a halfword not too far before
   it looks like an IT instruction.  */
static bool
may_be_in_it (const struct tb_etmv3_code *code, enum tb_space space,
	      uint32_t address)
{
  /* An IT instruction governs four instructions of up to four bytes.  */
  for (uint32_t back = 2; back <= 14 && back <= address; back += 2)
    {
      uint32_t opcode;
      unsigned size = tb_follow_opcode (code->follow, space, TB_ISA_T32,
					address - back, &opcode);
      uint32_t half = size == 4 ? opcode >> 16 : opcode;
      if (size == 0 || ((half & 0xff00) == 0xbf00 && (half & 0xf) != 0))
	return true;
    }
  return false;
}

bool
tb_etmv3_code_always (struct tb_etmv3_code *code,
		      const struct tb_etmv3_instruction *instruction)
{
  struct tb_etmv3_instruction *own
    = (struct tb_etmv3_instruction *) instruction;
  const struct tb_element *e = &own->range;
  own->always = may_be_in_it (code, (enum tb_space) e->space,
			      (uint32_t) e->u.range.start)
		? TB_ETMV3_SOMETIMES : TB_ETMV3_ALWAYS;
  return own->always == TB_ETMV3_ALWAYS;
}
