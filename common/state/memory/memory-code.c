/* Stores to code that ran.  See memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

/* Put into STORED which bytes of VALUE are known, and which are what is in the dump
   at its address.  */
static void
compare_dump (const struct tb_memory *m, struct tb_known value,
	      struct tb_stored *stored)
{
  const uint8_t *bytes;
  bool ram = tb_memory_kind (m, stored->address, stored->size, &bytes)
	     == TB_MEMORY_RAM;
  for (unsigned i = 0; i < stored->size; i++)
    if ((value.mask >> 8 * i & 255) == 255)
      {
	stored->known |= (uint8_t) (1u << i);
	if (ram && (value.bits >> 8 * i & 255) == bytes[i])
	  stored->same |= (uint8_t) (1u << i);
      }
}

bool
tb_memory_stores (const struct tb_memory *m, tb_take_stored *take,
		  void *context)
{
  for (uint32_t id = 1; id <= m->built; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      if (a->kind != TB_MEM_STORE && a->kind != TB_MEM_MAYBE)
	continue;
      struct tb_known at
	= tb_known_untagged (tb_graph_known (m->graph, a->address));
      if (!tb_known_all (at))
	continue;
      struct tb_stored stored = {
	.address = at.bits, .access = id,
	.size = (uint8_t) tb_access_size (a), .maybe = a->kind == TB_MEM_MAYBE,
	.given = id >= m->given && id < m->given_end
      };
      compare_dump (m, tb_graph_known (m->graph, a->value), &stored);
      if (!take (context, &stored))
	return false;
    }
  return true;
}
