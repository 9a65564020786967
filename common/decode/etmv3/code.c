/* Code, one instruction at a time.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/code.h"

#include <stdlib.h>

#include "decode/accesses.h"

#define FIRST_SLOTS 1024

/* Lines are handed out from chunks, in units as large as an instruction.  */
#define CHUNK 2048
#define UNIT sizeof (struct tb_etmv3_instruction)
#define WAY ((sizeof (struct tb_etmv3_way) + UNIT - 1) / UNIT)

/* As many as a block cache may keep.  */
#define LIMIT TB_BLOCK_CACHE_LIMIT

/* What tb_etmv3_run_range copies.  */
#define SAME_PLACE(in_instruction, in_element)				\
  _Static_assert (offsetof (struct tb_etmv3_instruction, in_instruction) \
		  == offsetof (struct tb_element, in_element)		\
		     - offsetof (struct tb_element, kind),		\
		  "an instruction's bytes are those of its range")
SAME_PLACE (element, kind);
SAME_PLACE (flags[0], reason);
SAME_PLACE (flags[1], flags);
SAME_PLACE (isa, isa);
SAME_PLACE (kind, last_kind);
SAME_PLACE (sub, last_sub);
SAME_PLACE (size, last_size);
SAME_PLACE (space, space);
SAME_PLACE (start, u);
_Static_assert (sizeof (struct tb_etmv3_instruction) == 16, "instructions are small");
_Static_assert ((int) TB_FOLLOW_LINE <= (int) TB_ETMV3_PLAIN, "a line's numbers fit");

/* Lines never move.  */
struct tb_etmv3_chunk
{
  struct tb_etmv3_instruction units[CHUNK];
  struct tb_etmv3_chunk *older;
};

static void
free_code (void *beside)
{
  struct tb_etmv3_code *code = beside;

  while (code->chunks != NULL)
    {
      struct tb_etmv3_chunk *older = code->chunks->older;
      free (code->chunks);
      code->chunks = older;
    }
  free (code->slots);
  free (code);
}

struct tb_etmv3_code *
tb_etmv3_code_of (struct tb_follow *follow, bool data, bool coprocessor)
{
  if (follow->beside != NULL)
    return follow->beside;
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
  code->data = data;
  code->coprocessor = coprocessor;
  code->used = CHUNK;
  follow->beside = code;
  follow->free_beside = free_code;
  return code;
}

/* The slot where the line is, or else where it would go.  */
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
		       (enum tb_isa) old[i]->isa, old[i]->start)]
	= old[i];
  free (old);
  return true;
}

/* Room for a line of COUNT instructions.  NULL: no memory.  */
static struct tb_etmv3_instruction *
new_line (struct tb_etmv3_code *code, unsigned count)
{
  unsigned units = count + WAY;

  if (code->count > LIMIT - count)
    return NULL;
  if (code->lines >= (code->mask + 1) / 2 && !grow (code))
    return NULL;
  if (units > CHUNK - code->used)
    {
      struct tb_etmv3_chunk *chunk = aligned_alloc (64, (sizeof *chunk + 63) / 64 * 64);
      if (chunk == NULL)
	return NULL;
      chunk->older = code->chunks;
      code->chunks = chunk;
      code->used = 0;
    }
  struct tb_etmv3_instruction *line = &code->chunks->units[code->used];
  code->used += units;
  code->count += count;
  code->lines++;
  return line;
}

static enum tb_etmv3_transfers
transfers_of (const struct tb_etmv3_code *code, enum tb_isa isa,
	      uint32_t opcode, unsigned size, uint32_t address)
{
  unsigned accesses = tb_accesses_of (&code->follow->profile, isa, opcode, size, address);

  if (accesses & TB_ACCESSES_UNKNOWN)
    return TB_ETMV3_PERHAPS;
  if (accesses & TB_ACCESSES_MOVE)
    return code->coprocessor ? TB_ETMV3_COPROCESSOR : TB_ETMV3_NEVER;
  return accesses != 0 ? TB_ETMV3_MEMORY : TB_ETMV3_NEVER;
}

/* Is there nothing to do after IN, the last one of its line, whose atom was EXECUTED, but
   to go on?  Faults are to be counted each time.  */
static bool
goes_on (const struct tb_etmv3_instruction *in, bool executed)
{
  return executed ? in->kind != TB_FLOW_UNDEFINED
		  : in->always == TB_ETMV3_SOMETIMES;
}

/* The kind that an instruction of KIND has here, where none is a waypoint but those that may
   go elsewhere.  */
static unsigned
kind_of (unsigned kind)
{
  return kind == TB_FLOW_BARRIER || kind == TB_FLOW_WAIT || kind == TB_FLOW_TSTART
	 ? TB_FLOW_OTHER : kind;
}

/* An instruction of FLOW is plain, but for being the last one of its line.  Only the opcode
   says so: runs do not depend on which way the code was reached.  */
static bool
is_plain (const struct tb_flow *flow)
{
  return !flow->conditional && kind_of (flow->kind) == TB_FLOW_OTHER
	 && (flow->kind == TB_FLOW_OTHER || flow->sub == TB_SUB_NONE);
}

/* Make IN, which is as usual, what FLOW says.  */
static void
describe (struct tb_etmv3_instruction *in, const struct tb_flow *flow)
{
  if (flow->kind == TB_FLOW_OTHER && !flow->conditional)
    return;
  in->kind = (uint8_t) kind_of (flow->kind);
  in->sub = flow->sub;
  if (flow->conditional || flow->kind == TB_FLOW_UNDEFINED)
    in->always = TB_ETMV3_SOMETIMES;
  if (flow->marked_conditional)
    in->flags[false] = TB_RANGE_CONDITIONAL;
  if (flow->conditional)
    in->flags[true] |= in->flags[false];
}

/* Fill LINE with the instructions READ, from ADDRESS on, of which most are USUAL, which is not
   made again for each.  */
static __attribute__ ((noinline)) void
fill (const struct tb_etmv3_code *code, struct tb_etmv3_instruction *line,
      const struct tb_follow_line *read, uint32_t address,
      const struct tb_etmv3_instruction *usual)
{
  const struct tb_etmv3_instruction *end = line + read->count;
  const uint32_t last = 1u << (read->count - 1);
  const uint32_t others = ~read->plain & (last | (last - 1));
  uint32_t plain = read->plain, wide = read->wide;

  for (uint32_t rest = others; rest != 0; rest &= rest - 1)
    if (is_plain (&read->in[__builtin_ctz (rest)].flow))
      plain |= rest & -rest;
  uint32_t runs = plain & ~last;
  for (struct tb_etmv3_instruction *in = line; in < end; in++)
    {
      *in = *usual;
      in->size = (uint8_t) (2 + (wide & 1) * 2);
      in->start = address;
      in->run = (uint8_t) __builtin_ctz (~runs);
      in->wide = (uint16_t) wide;
      address += in->size;
      wide >>= 1;
      runs >>= 1;
    }
  line[read->count - 1].run = plain & last ? TB_ETMV3_LAST | TB_ETMV3_OPEN : TB_ETMV3_LAST;
  for (uint32_t rest = others; rest != 0; rest &= rest - 1)
    describe (&line[__builtin_ctz (rest)], &read->in[__builtin_ctz (rest)].flow);
  if (code->data)
    for (struct tb_etmv3_instruction *in = line; in < end; in++)
      in->transfers = transfers_of (code, (enum tb_isa) in->isa,
				    read->in[in - line].opcode, in->size, in->start) & 15;
}

const struct tb_etmv3_instruction *
tb_etmv3_code_miss (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address)
{
  uint32_t slot = find_slot (code, space, isa, address);
  struct tb_follow_line read;

  if (code->slots[slot] != NULL)
    return code->slots[slot];
  enum tb_etmv3_always always
    = isa == TB_ISA_A32 ? TB_ETMV3_ALWAYS
      : isa == TB_ISA_T32 ? TB_ETMV3_ASK : TB_ETMV3_SOMETIMES;
  /* What fails its condition has one, if only from an IT instruction.  It is made here, long
     before it is copied: a copy waits for what was just stored field by field.  */
  const struct tb_etmv3_instruction usual = {
    .element = TB_ELEMENT_RANGE, .kind = TB_FLOW_OTHER, .sub = TB_SUB_NONE,
    .flags = { TB_RANGE_CONDITIONAL | TB_RANGE_UNMARKED, TB_RANGE_EXECUTED },
    .isa = isa, .space = space, .always = always & 15
  };
  /* What is not readable is not kept.  */
  tb_follow_line (code->follow, space, isa, address, UINT32_MAX, &read);
  unsigned count = read.count;
  if (count == 0)
    return NULL;
  uint32_t mask = code->mask;
  struct tb_etmv3_instruction *line = new_line (code, count);
  if (line == NULL)
    {
      code->follow->no_memory = true;
      return NULL;
    }
  const struct tb_flow *last = &read.in[count - 1].flow;
  bool goes = !(read.plain >> (count - 1) & 1);
  *(struct tb_etmv3_way *) (line + count) = (struct tb_etmv3_way) {
    .target = goes ? (uint32_t) last->target : 0,
    .target_isa = (uint8_t) (goes ? last->target_isa : isa)
  };
  fill (code, line, &read, address, &usual);
  if (code->mask != mask)
    slot = find_slot (code, space, isa, address);
  code->slots[slot] = line;
  return line;
}

const struct tb_etmv3_instruction *
tb_etmv3_code_next (struct tb_etmv3_code *code,
		    const struct tb_etmv3_instruction *instruction,
		    bool executed)
{
  if (!(instruction->run & TB_ETMV3_LAST))
    return instruction + 1;
  const struct tb_etmv3_way *way = tb_etmv3_way (instruction);
  bool branches = executed && instruction->kind == TB_FLOW_BRANCH;
  const struct tb_etmv3_instruction *found
    = (branches
       ? tb_etmv3_code_at (code, (enum tb_space) instruction->space,
			   (enum tb_isa) way->target_isa, way->target)
       : tb_etmv3_code_at (code, (enum tb_space) instruction->space,
			   (enum tb_isa) instruction->isa,
			   (uint32_t) tb_etmv3_end (instruction)));

  /* Every line is in a chunk of this cache, which alone writes there.  */
  if (goes_on (instruction, executed))
    ((struct tb_etmv3_way *) way)->successor[executed] = found;
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
			      own->start)
		? TB_ETMV3_SOMETIMES : TB_ETMV3_ALWAYS;
  return own->always == TB_ETMV3_ALWAYS;
}
