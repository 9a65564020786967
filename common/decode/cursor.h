/* Code at a moving address, instruction by instruction.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Private to follow.  What runs for each instruction is inline.  */

#ifndef TB_DECODE_CURSOR_H
#define TB_DECODE_CURSOR_H

#include "arm/flow/plain.h"
#include "decode/follow.h"
#include "util/number.h"

/* Code at a moving address.  */
struct tb_cursor
{
  const struct tb_memmap *map;
  enum tb_space space;
  enum tb_isa isa;
  uint64_t address;
  const uint8_t *data;		/* The bytes at ADDRESS, LEFT of them.  */
  uint64_t left;
};

static inline void
tb_cursor_start (struct tb_cursor *c, const struct tb_follow *follow,
		 enum tb_space space, enum tb_isa isa, uint64_t address)
{
  *c = (struct tb_cursor) { .map = follow->map, .space = space, .isa = isa,
			    .address = address };
  if (space == follow->run.space
      && address - follow->run.first < follow->run.length)
    {
      c->data = follow->run.data + (address - follow->run.first);
      c->left = follow->run.length - (address - follow->run.first);
    }
}

/* An IT instruction is at most so many bytes before what it governs: up to three
   instructions of up to 4 bytes stand between the two.  */
#define TB_IT_BEFORE 14

/* Is one of the four HALVES like an IT instruction (0xbfxy, y not 0)?  */
static inline bool
tb_cursor_any_it (uint64_t halves)
{
  const uint64_t ones = UINT64_C (0x0001000100010001);
  /* In bit 8 of each: the high byte is another; in bit 4: y is not 0.  */
  uint64_t others = ((halves >> 8 & 0xff * ones) ^ 0xbf * ones) + 0xff * ones;
  uint64_t filled = (halves & 15 * ones) + 15 * ones;
  return (~others >> 8 & filled >> 4 & ones) != 0;
}

/* Is the code before START at hand, and no halfword in it like an IT instruction (0xbfxy, y
   not 0)?  False if in doubt.  */
static inline bool
tb_cursor_no_it_before (const struct tb_follow *follow, enum tb_space space,
			uint64_t start)
{
  uint64_t offset = start - follow->run.first;

  if (space != follow->run.space || offset < TB_IT_BEFORE || offset > follow->run.length)
    return false;
  const uint8_t *end = follow->run.data + offset;
  return !tb_cursor_any_it (tb_number_64 (end - TB_IT_BEFORE))
	 && !tb_cursor_any_it (tb_number_64 (end - 8));
}

/* As tb_cursor_start, and remember where the code is, with some before it, for who comes
   next.  */
static inline void
tb_cursor_find (struct tb_cursor *c, struct tb_follow *follow,
		enum tb_space space, enum tb_isa isa, uint64_t address)
{
  tb_cursor_start (c, follow, space, isa, address);
  if (c->left > 0)
    return;
  uint64_t before = address < TB_IT_BEFORE ? address : TB_IT_BEFORE, length;
  const uint8_t *data
    = tb_memmap_at (c->map, space, address - before, &length, NULL);
  if (data == NULL || length <= before)
    {
      before = 0;
      data = tb_memmap_at (c->map, space, address, &length, NULL);
    }
  c->data = data != NULL ? data + before : NULL;
  c->left = length - before;
  follow->run.space = space;
  follow->run.first = address - before;
  follow->run.length = length;
  follow->run.data = data;
}

/* As tb_cursor_fetch, where a run may end within the instruction.  */
unsigned tb_cursor_fetch_slowly (struct tb_cursor *c, uint32_t *opcode);

/* Read the opcode at the cursor, in the form that the flow decoders take.
   Returns its size, 0 where it is not wholly readable.  Instructions are
   little-endian whatever the data are (BE8).  */
static inline unsigned
tb_cursor_fetch (struct tb_cursor *c, uint32_t *opcode)
{
  if (__builtin_expect (c->left < 4, 0))
    return tb_cursor_fetch_slowly (c, opcode);
  switch (c->isa)
    {
    case TB_ISA_A64:
    case TB_ISA_A32:
      *opcode = tb_number_32 (c->data);
      return 4;

    case TB_ISA_T32:
    case TB_ISA_T32EE:
      *opcode = tb_number_16 (c->data) << 16;
      if (tb_t32_size (*opcode >> 16) == 2)
	return 2;
      *opcode |= tb_number_16 (c->data + 2);
      return 4;

    default:
      return 0;		/* Jazelle's is not followed.  */
    }
}

/* Move the cursor beyond an instruction of SIZE bytes.  False where the
   addresses end.  */
static inline bool
tb_cursor_advance (struct tb_cursor *c, unsigned size)
{
  c->address += size;
  if (c->left > size)
    {
      c->left -= size;
      c->data += size;
    }
  else
    c->left = 0;
  return c->address >= size;
}

/* Plain T32 instructions that were passed: how many, the size of the last one, and a bit for
   each of the first 32 that has four bytes.  */
struct tb_cursor_passed
{
  unsigned count, size;
  uint32_t wide;
};

/* Go behind what is certainly plain T32 from C on, MOST instructions that begin at LAST at the
   latest; no IT instruction governs the first one.  HAS_WIDE as tb_flow_has_wide has it; PASS_IT:
   IT instructions are plain.  IN, unless it is NULL, gets their opcodes.  False: addresses end
   behind them.  */
static inline __attribute__ ((always_inline)) bool
tb_cursor_pass_plain (struct tb_cursor *c, bool has_wide, bool pass_it, uint64_t last,
		      unsigned most, struct tb_follow_instruction *in,
		      struct tb_cursor_passed *passed)
{
  *passed = (struct tb_cursor_passed) { 0 };
  if (c->left < 4 || c->address > last)
    return true;
  uint64_t room = last - c->address < c->left - 4 ? last - c->address : c->left - 4;
  const uint8_t *at = c->data, *stop = c->data + room;
  unsigned count = 0, size = 0;
  uint32_t wide = 0;

  for (; at <= stop && count < most; at += size, count++)
    {
      uint32_t opcode = tb_number_16 (at);
      if (tb_t32_size (opcode) == 4)
	{
	  opcode = opcode << 16 | tb_number_16 (at + 2);
	  if (!has_wide || tb_t32_may_go (opcode))
	    break;
	  wide |= count < 32 ? 1u << count : 0;
	  size = 4;
	}
      else if (tb_t16_may_go (opcode) && !(pass_it && tb_flow_is_it (opcode)))
	break;
      else
	size = 2;
      if (in != NULL)
	in++->opcode = opcode;
    }
  *passed = (struct tb_cursor_passed) { .count = count, .size = size, .wide = wide };
  uint64_t length = (uint64_t) (at - c->data);
  c->address += length;
  c->left -= length;
  c->data = at;
  return count == 0 || c->address != 0;
}

/* The same of A64.  */
static inline __attribute__ ((always_inline)) bool
tb_cursor_pass_plain_a64 (struct tb_cursor *c, unsigned most, struct tb_cursor_passed *passed)
{
  uint64_t here = c->left / 4;
  unsigned count = 0, end = here < most ? (unsigned) here : most;

  while (count < end && !tb_flow_a64_may_go (tb_number_32 (c->data + 4 * (size_t) count)))
    count++;
  *passed = (struct tb_cursor_passed) { .count = count, .size = 4 };
  uint64_t length = 4 * (uint64_t) count;
  c->address += length;
  c->left -= length;
  if (count > 0)		/* Else there may be no data.  */
    c->data += length;
  return count == 0 || c->address != 0;
}

/* What flow says of the OPCODE at the cursor.  IN_IT: an IT instruction governs
   it.  */
static inline void
tb_cursor_decode (const struct tb_follow *follow, const struct tb_cursor *c,
		  uint32_t opcode, bool in_it, struct tb_flow *flow)
{
  switch (c->isa)
    {
    case TB_ISA_A64:
      tb_flow_a64 (flow, opcode, c->address);
      break;
    case TB_ISA_A32:
      tb_flow_a32 (flow, opcode, c->address, &follow->profile);
      break;
    default:
      if (c->isa == TB_ISA_T32EE)
	tb_flow_t32ee (flow, opcode, c->address, in_it, &follow->profile);
      else
	tb_flow_t32 (flow, opcode, c->address, in_it, &follow->profile);
      if (in_it && follow->options.it_is_unmarked)
	flow->marked_conditional = false;
      break;
    }
}

#endif /* TB_DECODE_CURSOR_H */
