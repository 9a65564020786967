/* Code of tasks.  See task-code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/task-code.h"

#include <string.h>

#include "arm/flow/flow.h"
#include "util/number.h"

/* Functions are looked at so far from where execution is, in both directions, and in so many
   pieces without a branch.  */
#define REACH 8192
#define PIECES_MOST 512

/* The longest way from an IT instruction to the last one of its block, and how many instructions
   that has behind the first (DDI 0403, A7.7.38).  */
#define IT_BEFORE 14
#define IT_LEFT_MOST 3

struct code_walk
{
  const struct tb_memmap *map;
  const struct tb_profile *profile;
  enum tb_space space;
  uint64_t low;			/* The first address that is looked at.  */
  uint8_t seen[2 * REACH / 2 / 8];	/* A bit for two bytes.  */
  uint64_t pieces[PIECES_MOST];	/* Where they begin: */
  unsigned count;		/* so many are to be walked.  */
};

/* The instruction at ADDRESS, as tb_flow_t32 takes it, and its *SIZE; false: it is not known.  */
static bool
read_code (const struct tb_memmap *map, enum tb_space space, uint64_t address,
	   uint32_t *opcode, unsigned *size)
{
  uint8_t bytes[4] = { 0 };
  size_t n = tb_memmap_read (map, space, address, bytes, 4);
  *opcode = (uint32_t) tb_number (bytes, 2);
  *size = tb_t32_size (*opcode);
  *opcode = *opcode << 16 | (*size == 4 ? (uint32_t) tb_number (bytes + 2, 2) : 0);
  return n >= *size;
}

/* Walk on at ADDRESS later; false: that is too far.  */
static bool
add_piece (struct code_walk *w, uint64_t address)
{
  if (address - w->low >= 2 * REACH || w->count == PIECES_MOST)
    return false;
  w->pieces[w->count++] = address;
  return true;
}

/* Walk from ADDRESS to a branch that is always taken, or to where that was walked before; the
   first IT_LEFT instructions may not be executed.  False: it leaves the function, or nobody
   knows.  */
static bool
walk_piece (struct code_walk *w, uint64_t address, unsigned it_left)
{
  for (;;)
    {
      uint32_t opcode;
      unsigned size;
      struct tb_flow flow;
      uint64_t at = (address - w->low) / 2;
      if (at >= REACH)
	return false;
      if (w->seen[at / 8] >> at % 8 & 1)
	return true;
      w->seen[at / 8] |= (uint8_t) (1 << at % 8);
      if (!read_code (w->map, w->space, address, &opcode, &size))
	return false;
      tb_flow_t32 (&flow, opcode, address, it_left > 0, w->profile);
      bool passes = flow.conditional || it_left > 0;
      it_left = flow.it_length > 0 ? flow.it_length : it_left > 0 ? it_left - 1 : 0;
      address += size;
      switch (flow.kind)
	{
	case TB_FLOW_INDIRECT:
	  if (flow.sub != TB_SUB_LINK)
	    return false;
	  break;
	case TB_FLOW_BRANCH:
	  if (flow.sub == TB_SUB_LINK)
	    break;
	  if (!add_piece (w, flow.target))
	    return false;
	  if (!passes)
	    return true;
	  break;
	case TB_FLOW_UNDEFINED:
	  return false;
	default:
	  break;
	}
    }
}

/* So many instructions from ADDRESS on may be in an IT block that began before: where
   instructions begin there is not known, what looks like one counts.  */
static unsigned
find_it (const struct code_walk *w, uint64_t address)
{
  uint8_t bytes[IT_BEFORE];
  size_t before = address < IT_BEFORE ? (size_t) address : IT_BEFORE;
  if (tb_memmap_read (w->map, w->space, address - before, bytes, before) != before)
    return IT_LEFT_MOST;
  for (size_t i = 0; i + 2 <= before; i += 2)
    {
      unsigned half = (unsigned) tb_number (bytes + i, 2);
      if ((half & 0xff00) == 0xbf00 && (half & 15) != 0)
	return IT_LEFT_MOST;
    }
  return 0;
}

bool
tb_code_is_endless (const struct tb_recording *recording, unsigned space,
		    uint64_t address)
{
  struct code_walk w = { .map = tb_recording_memmap (recording),
		    .profile = tb_recording_profile (recording),
		    .space = (enum tb_space) space,
		    .low = address - REACH };
  if (address < REACH)
    w.low = 0;
  bool inside = walk_piece (&w, address, find_it (&w, address));
  while (inside && w.count > 0)
    {
      uint64_t piece = w.pieces[--w.count];
      inside = walk_piece (&w, piece, 0);
    }
  return inside;
}

/* The longest way from where an interrupt is let in to where it is taken: what writes a special
   register, two barriers.  */
#define BEFORE 12

#define BRANCH_TO_ITSELF 0xe7fe

bool
tb_code_is_waiting (const struct tb_recording *recording, unsigned space,
		    uint64_t address)
{
  const struct tb_memmap *map = tb_recording_memmap (recording);
  uint8_t bytes[BEFORE + 2];
  if (address < BEFORE
      || tb_memmap_read (map, (enum tb_space) space, address - BEFORE, bytes,
			 sizeof bytes) != sizeof bytes)
    return true;
  /* Where instructions begin is not known: what looks like one counts.  DDI 0403, A5.2.5, A5.3.4:
     CPS; WFE, WFI; SVC; MSR, DSB, DMB and ISB.  */
  for (unsigned i = 0; i < BEFORE; i += 2)
    {
      unsigned half = (unsigned) tb_number (bytes + i, 2);
      if ((half & 0xffec) == 0xb660 || half == 0xbf20 || half == 0xbf30
	  || (half & 0xff00) == 0xdf00 || (half & 0xffe0) == 0xf380 || half == 0xf3bf)
	return true;
    }
  /* What lets interrupts in may be the last but the return of what was called here: BL, BLX.  */
  unsigned first = (unsigned) tb_number (bytes + BEFORE - 4, 2);
  unsigned last = (unsigned) tb_number (bytes + BEFORE - 2, 2);
  return ((first & 0xf800) == 0xf000 && (last & 0xd000) == 0xd000)
	 || (last & 0xff87) == 0x4780
	 || tb_number (bytes + BEFORE, 2) == BRANCH_TO_ITSELF;
}
