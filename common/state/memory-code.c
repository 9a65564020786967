/* Stores to code that ran.  See memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory.h"

/* Does VALUE, stored at ADDRESS, leave what is in the dump there?  */
static bool
leaves_dump (const struct tb_memory *m, uint64_t address, unsigned size,
	     struct tb_known value)
{
  const uint8_t *bytes;
  if (tb_memory_kind (m, address, size, &bytes) != TB_MEMORY_RAM)
    return false;
  for (unsigned i = 0; i < size; i++)
    if ((value.mask >> 8 * i & 255) != 255
	|| (value.bits >> 8 * i & 255) != bytes[i])
      return false;
  return true;
}

bool
tb_memory_rewrites (const struct tb_memory *m, const struct tb_words *words,
		    bool (*take) (void *context, uint64_t address,
				  unsigned size), void *context)
{
  for (uint32_t id = 1; id <= m->built; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      if (a->kind != TB_MEM_STORE && a->kind != TB_MEM_MAYBE)
	continue;
      struct tb_known at
	= tb_known_untagged (tb_graph_known (m->graph, a->address));
      unsigned size = tb_access_size (a);
      if (tb_known_all (at)
	  && (words == NULL || tb_words_hit (words, at.bits, size))
	  && !leaves_dump (m, at.bits, size, tb_graph_known (m->graph, a->value))
	  && !take (context, at.bits, size))
	return false;
    }
  return true;
}
