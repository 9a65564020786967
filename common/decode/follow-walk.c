/* Follow: instructions in sequence, which no block cache keeps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/cursor.h"

#include "util/number.h"

/* Make LENGTH bytes at the cursor available, in its run or in SPARE, which has
   room for 4; NULL where not all are readable.  */
static const uint8_t *
bytes_at (struct tb_cursor *c, unsigned length, uint8_t *spare)
{
  if (c->left == 0)
    c->data = tb_memmap_at (c->map, c->space, c->address, &c->left, NULL);
  if (c->left >= length)
    return c->data;
  /* The instruction begins in one run and ends in another.  */
  if (c->left != 0
      && tb_memmap_read (c->map, c->space, c->address, spare, length) == length)
    return spare;
  return NULL;
}

unsigned
tb_cursor_fetch_slowly (struct tb_cursor *c, uint32_t *opcode)
{
  uint8_t spare[4];
  const uint8_t *bytes;

  switch (c->isa)
    {
    case TB_ISA_A64:
    case TB_ISA_A32:
      bytes = bytes_at (c, 4, spare);
      if (bytes == NULL)
	return 0;
      *opcode = tb_number_32 (bytes);
      return 4;

    case TB_ISA_T32:
    case TB_ISA_T32EE:
      bytes = bytes_at (c, 2, spare);
      if (bytes == NULL)
	return 0;
      *opcode = tb_number_16 (bytes) << 16;
      if (tb_t32_size (*opcode >> 16) == 2)
	return 2;
      bytes = bytes_at (c, 4, spare);
      if (bytes == NULL)
	return 0;
      *opcode |= tb_number_16 (bytes + 2);
      return 4;

    default:
      return 0;		/* Jazelle's is not followed.  */
    }
}

uint32_t
tb_follow_straight (struct tb_follow *follow, enum tb_space space,
		    enum tb_isa isa, uint64_t start, uint64_t end,
		    uint64_t *reached, struct tb_flow *last)
{
  struct tb_cursor c;
  uint32_t opcode, count = 0;
  unsigned in_it = 0;
  bool more = true;

  *last = (struct tb_flow) { .target_isa = isa };
  tb_cursor_find (&c, follow, space, isa, start);
  while (more && c.address < end && count < TB_BLOCK_LIMIT)
    {
      unsigned size = tb_cursor_fetch (&c, &opcode);
      if (size == 0)
	break;
      tb_cursor_decode (follow, &c, opcode, in_it != 0, last);
      in_it = last->it_length != 0 ? last->it_length : in_it - (in_it != 0);
      more = tb_cursor_advance (&c, size);
      count++;
    }
  *reached = c.address;
  return count;
}

/* Decode the one instruction at C into the next place of LINE.  False: the line ends before
   it or with it.  */
static bool
add_to_line (struct tb_follow *follow, struct tb_cursor *c, struct tb_follow_line *line)
{
  struct tb_follow_instruction *in = &line->in[line->count];
  unsigned size = tb_cursor_fetch (c, &in->opcode);

  if (size == 0)
    return false;
  tb_cursor_decode (follow, c, in->opcode, false, &in->flow);
  if (size == 2)
    in->opcode >>= 16;
  else
    line->wide |= 1u << line->count;
  line->count++;
  return tb_cursor_advance (c, size) && !tb_flow_leads_away (in->flow.kind);
}

void
tb_follow_line (struct tb_follow *follow, enum tb_space space,
		enum tb_isa isa, uint64_t start, uint64_t last,
		struct tb_follow_line *line)
{
  struct tb_cursor c;
  /* What an IT instruction governs is decoded as if there were none.  */
  bool more = true, has_wide = tb_flow_has_wide (&follow->profile);
  bool has_it = tb_flow_has_it (&follow->profile);

  tb_cursor_find (&c, follow, space, isa, start);
  line->count = 0;
  line->wide = line->plain = 0;
  while (more && line->count < TB_FOLLOW_LINE && c.address <= last)
    {
      if (isa == TB_ISA_T32)
	{
	  unsigned count = line->count;
	  struct tb_cursor_passed passed;
	  more = tb_cursor_pass_plain (&c, has_wide, has_it, last, TB_FOLLOW_LINE - count,
				       &line->in[count], &passed);
	  line->wide |= passed.wide << count;
	  line->plain |= (uint32_t) ((UINT64_C (1) << passed.count) - 1) << count;
	  line->count = count + passed.count;
	  if (!more || line->count == TB_FOLLOW_LINE || c.address > last)
	    break;
	}
      more = add_to_line (follow, &c, line);
    }
}

unsigned
tb_follow_opcode (struct tb_follow *follow, enum tb_space space,
		  enum tb_isa isa, uint64_t address, uint32_t *opcode)
{
  struct tb_cursor c;

  *opcode = 0;
  if (tb_follow_in_hole (follow, space, address))
    return 0;
  tb_cursor_find (&c, follow, space, isa, address);
  unsigned size = tb_cursor_fetch (&c, opcode);
  if (c.left == 0)
    tb_follow_note_hole (follow, space, address);
  if (size == 2)
    *opcode >>= 16;
  else if (size == 0)
    *opcode = 0;
  return size;
}
