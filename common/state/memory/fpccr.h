/* FPCCR in memory: whether exceptions of the M profile save FP registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Two bits of this register say so: ASPEN, and LSPEN, by which that is left until they are
   used again.  Software alone changes them, so its upmost byte is remembered as one of RAM
   is, while the core changes other bits.  The core looks at that byte by loads of its own,
   which no instruction makes; what instructions load from there is not told.  What a store
   of less than the word does is not told either (DDI 0403, B3.2, "Floating-Point Context
   Control Register"; DDI 0553, "FPCCR").  */

#ifndef TB_STATE_MEMORY_FPCCR_H
#define TB_STATE_MEMORY_FPCCR_H

#include "state/memory/memory.h"

#define TB_FPCCR UINT32_C (0xe000ef34)
#define TB_FPCCR_TOP (TB_FPCCR + 3)
/* Bits of the upmost byte.  */
#define TB_FPCCR_ASPEN 7
#define TB_FPCCR_LSPEN 6

static inline bool
tb_fpccr_is_at (const struct tb_memory *memory, tb_word word)
{
  return word == TB_FPCCR && memory->has_fpccr;
}

/* Does the core look at it by access ID?  No instruction has that address as a constant.  */
static inline bool
tb_fpccr_asks (const struct tb_memory *memory, uint32_t id)
{
  const struct tb_mem_access *a = &memory->accesses[id];
  return memory->has_fpccr && a->kind == TB_MEM_LOAD && a->size_1 == 0
	 && a->address & TB_CONSTANT
	 && tb_graph_known (memory->graph, a->address).bits == TB_FPCCR_TOP;
}

/* Is access ID, at ADDRESS, one by which what it holds is asked for or set?  */
static inline bool
tb_fpccr_remembers (const struct tb_memory *memory, uint32_t id, tb_word address)
{
  return tb_fpccr_asks (memory, id)
	 || (memory->accesses[id].kind == TB_MEM_STORE && tb_fpccr_is_at (memory, address));
}

/* Is access ID, at ADDRESS, a store of some of its bytes?  */
static inline bool
tb_fpccr_in_part (const struct tb_memory *memory, uint32_t id, tb_word address)
{
  unsigned size = tb_access_size (&memory->accesses[id]);
  return memory->has_fpccr && memory->accesses[id].kind == TB_MEM_STORE
	 && (address != TB_FPCCR || size != tb_word_bytes (memory))
	 && tb_word_covered (memory, TB_FPCCR, address, size) != 0;
}

/* Put the numbers of the accesses from FIRST to END, but those by which the core looks at
   it, into IDS, ROOM entries.  Returns how many there are.  */
static inline uint32_t
tb_fpccr_leave_out (const struct tb_memory *memory, uint32_t first, uint32_t end,
		    uint32_t *ids, uint32_t room)
{
  uint32_t count = 0;
  for (uint32_t id = first; id < end; id++)
    if (!tb_fpccr_asks (memory, id))
      {
	if (count < room)
	  ids[count] = id;
	count++;
      }
  return count;
}

#endif /* TB_STATE_MEMORY_FPCCR_H */
