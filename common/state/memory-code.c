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
tb_memory_stores (const struct tb_memory *m, tb_memory_take_store *take,
		  void *context)
{
  for (uint32_t id = 1; id <= m->built; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      if (a->kind != TB_MEM_STORE && a->kind != TB_MEM_MAYBE)
	continue;
      struct tb_known at
	= tb_known_untagged (tb_graph_known (m->graph, a->address));
      unsigned size = tb_access_size (a);
      if (!tb_known_all (at))
	continue;
      bool leaves = leaves_dump (m, at.bits, size,
				 tb_graph_known (m->graph, a->value));
      bool given = id >= m->given && id < m->given_end;
      if (!(leaves && given) && !take (context, at.bits, size, leaves))
	return false;
    }
  return true;
}

/* The words that are looked at, and those that were hit.  */
struct hits
{
  const struct tb_words *words;
  struct tb_words *hit;
};

static bool
add_hit (void *context, uint64_t address, unsigned size, bool leaves)
{
  const struct hits *hits = context;
  bool news = false;
  return leaves || !tb_words_hit (hits->words, address, size)
	 || tb_words_add (hits->hit, address, size, &news);
}

bool
tb_memory_rewrites (const struct tb_memory *m, const struct tb_words *words,
		    struct tb_words *hit)
{
  struct hits hits = { words, hit };
  return tb_memory_stores (m, add_hit, &hits);
}
