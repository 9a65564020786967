/* Code, one instruction at a time.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/code.h"

#include <stdlib.h>

#include "decode/accesses.h"

#define FIRST_SLOTS 1024
#define CHUNK 512

/* The most instructions that are decoded together.  */
#define LINE 32

/* As many as a block cache may keep.  */
#define LIMIT TB_BLOCK_CACHE_LIMIT

/* What tb_etmv3_range copies.  */
#define SAME_PLACE(in_instruction, in_element)				\
  _Static_assert (offsetof (struct tb_etmv3_instruction, in_instruction) \
		  - offsetof (struct tb_etmv3_instruction, element)	\
		  == offsetof (struct tb_element, in_element)		\
		     - offsetof (struct tb_element, kind),		\
		  "an instruction's bytes are those of its range")
SAME_PLACE (reason, reason);
SAME_PLACE (no_flags, flags);
SAME_PLACE (isa, isa);
SAME_PLACE (kind, last_kind);
SAME_PLACE (sub, last_sub);
SAME_PLACE (size, last_size);
SAME_PLACE (space, space);
SAME_PLACE (start, u.range.start);
SAME_PLACE (end, u.range.end);
SAME_PLACE (count, u.range.count);
SAME_PLACE (no_wide, u.range.wide);
_Static_assert (sizeof (struct tb_etmv3_instruction) <= 64,
		"an instruction fits into a cache line");

/* Instructions never move.  */
struct tb_etmv3_chunk
{
  struct tb_etmv3_instruction instructions[CHUNK];
  struct tb_etmv3_chunk *older;
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
  code->used = CHUNK;
  return code;
}

void
tb_etmv3_code_free (struct tb_etmv3_code *code)
{
  if (code == NULL)
    return;
  while (code->chunks != NULL)
    {
      struct tb_etmv3_chunk *older = code->chunks->older;
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
  uint32_t i = tb_etmv3_code_slot (code, space, isa, address);

  for (;; i = (i + 1) & code->mask)
    {
      const struct tb_etmv3_instruction *in = code->slots[i];
      if (in == NULL || tb_etmv3_code_is (in, space, isa, address))
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
      slots[find_slot (code, (enum tb_space) old[i]->space,
		       (enum tb_isa) old[i]->isa, (uint32_t) old[i]->start)]
	= old[i];
  free (old);
  return true;
}

/* Room for instructions, one after the other, of which there are to be *COUNT;
   *COUNT becomes how many can be.  NULL: no memory.  */
static struct tb_etmv3_instruction *
new_instructions (struct tb_etmv3_code *code, unsigned *count)
{
  if (code->count > LIMIT - *count)
    return NULL;
  if (code->lines >= (code->mask + 1) / 2 && !grow (code))
    return NULL;
  if (code->used == CHUNK)
    {
      struct tb_etmv3_chunk *chunk = aligned_alloc (64, (sizeof *chunk + 63) / 64 * 64);
      if (chunk == NULL)
	return NULL;
      chunk->older = code->chunks;
      code->chunks = chunk;
      code->used = 0;
    }
  if (*count > CHUNK - code->used)
    *count = CHUNK - code->used;
  struct tb_etmv3_instruction *first
    = &code->chunks->instructions[code->used];
  code->used += *count;
  code->count += *count;
  return first;
}

static void
fill (struct tb_etmv3_instruction *in, const struct tb_flow *flow,
      enum tb_space space, enum tb_isa isa, uint32_t address)
{
  *in = (struct tb_etmv3_instruction) {
    .element = TB_ELEMENT_RANGE, .isa = isa, .kind = flow->kind,
    .sub = flow->sub, .size = flow->size, .space = space, .start = address,
    .end = (uint64_t) address + flow->size, .count = 1,
    .target = (uint32_t) flow->target, .target_isa = flow->target_isa
  };
  /* Here no instruction is a waypoint but those that may go elsewhere.  */
  if (flow->kind == TB_FLOW_BARRIER || flow->kind == TB_FLOW_WAIT
      || flow->kind == TB_FLOW_TSTART)
    in->kind = TB_FLOW_OTHER;
  in->flags[1] = TB_RANGE_EXECUTED
		 | (flow->conditional ? TB_RANGE_CONDITIONAL : 0)
		 | (flow->conditional != flow->marked_conditional
		    ? TB_RANGE_UNMARKED : 0);
  /* What fails its condition has one, if only from an IT instruction.  */
  in->flags[0] = TB_RANGE_CONDITIONAL
		 | (flow->marked_conditional ? 0 : TB_RANGE_UNMARKED);
}

static enum tb_etmv3_transfers
transfers_of (const struct tb_etmv3_code *code, enum tb_isa isa,
	      const struct tb_follow_instruction *read, uint32_t address)
{
  unsigned accesses = tb_accesses_of (code->profile, isa, read->opcode,
				      read->flow.size, address);

  if (accesses & TB_ACCESSES_UNKNOWN)
    return TB_ETMV3_PERHAPS;
  if (accesses & TB_ACCESSES_MOVE)
    return code->coprocessor ? TB_ETMV3_COPROCESSOR : TB_ETMV3_NEVER;
  return accesses != 0 ? TB_ETMV3_MEMORY : TB_ETMV3_NEVER;
}

/* Is there nothing to do after IN, whose atom was EXECUTED, but to go on?  Faults
   are to be counted each time.  */
static bool
goes_on (const struct tb_etmv3_instruction *in, bool executed)
{
  return executed ? in->kind != TB_FLOW_UNDEFINED
		  : in->always == TB_ETMV3_SOMETIMES;
}

/* Only the opcode says what is plain, so that runs do not depend on which way the
   code was reached.  */
static bool
is_plain (const struct tb_etmv3_instruction *in)
{
  return in->kind == TB_FLOW_OTHER && in->sub == TB_SUB_NONE
	 && in->flags[true] == TB_RANGE_EXECUTED;
}

/* Let each of the COUNT instructions at FIRST, a line, know what follows it.  */
static void
note_runs (struct tb_etmv3_instruction *first, unsigned count)
{
  unsigned plain = 0, wide = first[count - 1].size == 4;
  unsigned transferring = first[count - 1].transfers != TB_ETMV3_NEVER;

  first[count - 1].open = is_plain (&first[count - 1]);
  first[count - 1].wide = (uint16_t) wide;
  first[count - 1].transferring = (uint16_t) transferring;
  for (unsigned i = count - 1; i-- > 0;)
    {
      plain = is_plain (&first[i]) ? plain + 1 : 0;
      wide = wide << 1 | (first[i].size == 4);
      transferring = transferring << 1 | (first[i].transfers != TB_ETMV3_NEVER);
      first[i].plain = (uint8_t) plain;
      first[i].wide = (uint16_t) wide;
      first[i].transferring = (uint16_t) transferring;
    }
}

const struct tb_etmv3_instruction *
tb_etmv3_code_miss (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address)
{
  uint32_t slot = find_slot (code, space, isa, address);
  struct tb_follow_instruction line[LINE];

  if (code->slots[slot] != NULL)
    return code->slots[slot];
  /* What is not readable is not kept.  */
  unsigned count = tb_follow_line (code->follow, space, isa, address,
				   UINT32_MAX, line, LINE);
  if (count == 0)
    return NULL;
  uint32_t mask = code->mask;
  struct tb_etmv3_instruction *first = new_instructions (code, &count);
  if (first == NULL)
    {
      code->follow->no_memory = true;
      return NULL;
    }
  enum tb_etmv3_always always
    = isa == TB_ISA_A32 ? TB_ETMV3_ALWAYS
      : isa == TB_ISA_T32 ? TB_ETMV3_ASK : TB_ETMV3_SOMETIMES;
  for (unsigned i = 0; i < count; i++)
    {
      struct tb_etmv3_instruction *in = &first[i];
      const struct tb_flow *flow = &line[i].flow;
      fill (in, flow, space, isa, address);
      if (!flow->conditional && flow->kind != TB_FLOW_UNDEFINED)
	in->always = always;
      if (code->profile != NULL)
	in->transfers = transfers_of (code, isa, &line[i], address);
      address += flow->size;
      if (i + 1 == count)
	break;
      in->successor[true] = in + 1;
      if (goes_on (in, false))
	in->successor[false] = in + 1;
    }
  note_runs (first, count);
  if (code->mask != mask)
    slot = find_slot (code, space, isa, (uint32_t) first->start);
  code->slots[slot] = first;
  code->lines++;
  return first;
}

const struct tb_etmv3_instruction *
tb_etmv3_code_next (struct tb_etmv3_code *code,
		    const struct tb_etmv3_instruction *instruction,
		    bool executed)
{
  bool branches = executed && instruction->kind == TB_FLOW_BRANCH;
  const struct tb_etmv3_instruction *found
    = (branches
       ? tb_etmv3_code_at (code, (enum tb_space) instruction->space,
			   (enum tb_isa) instruction->target_isa,
			   instruction->target)
       : tb_etmv3_code_at (code, (enum tb_space) instruction->space,
			   (enum tb_isa) instruction->isa,
			   (uint32_t) instruction->end));

  /* Every instruction is in a chunk of this cache, which alone writes there. */
  if (goes_on (instruction, executed))
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
  own->always = may_be_in_it (code, (enum tb_space) own->space,
			      (uint32_t) own->start)
		? TB_ETMV3_SOMETIMES : TB_ETMV3_ALWAYS;
  return own->always == TB_ETMV3_ALWAYS;
}
