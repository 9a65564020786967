/* Code that the trace itself writes: what ran need not be what the dump holds.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Instructions are read from the dump at the halt.  A store to one that ran that
   may not have stored what is there now means that another one may have run.  Base
   assumption: stores to addresses that are not known do not write code.  */

#include "config.h"
#include "state/internal.h"

#include <stdlib.h>

/* Executed code that is not constant.  */
struct code
{
  uint32_t address;
  uint32_t number;		/* Of its template.  */
};

static int
compare (const void *a, const void *b)
{
  uint32_t x = ((const struct code *) a)->address;
  uint32_t y = ((const struct code *) b)->address;
  return x < y ? -1 : x > y;
}

/* Does VALUE, stored at ADDRESS, leave what is in the dump there?  */
static bool
leaves_dump (const struct tb_state *s, uint64_t address, unsigned size,
	     struct tb_known value)
{
  const uint8_t *bytes;
  if (tb_memory_kind (&s->memory, address, size, &bytes) != TB_MEMORY_RAM)
    return false;
  for (unsigned i = 0; i < size; i++)
    if ((value.mask >> 8 * i & 255) != 255
	|| (value.bits >> 8 * i & 255) != bytes[i])
      return false;
  return true;
}

/* The store ID has a known address: which of the COUNT instructions CODE did it
   overwrite?  True: one that was trusted.  */
static bool
overwrites (struct tb_state *s, const struct code *code, size_t count,
	    uint32_t id)
{
  const struct tb_mem_access *a = &s->memory.accesses[id];
  uint32_t address = tb_graph_known (&s->graph, a->address).bits;
  unsigned size = tb_access_size (a);
  size_t low = 0, high = count;
  bool news = false;
  /* No instruction is longer than 4 bytes.  */
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (code[middle].address + 4 <= address)
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < count && code[low].address < address + size; low++)
    {
      struct tb_template *t = &s->templates[code[low].number];
      if (t->pc + t->size <= address || !t->modelled
	  || leaves_dump (s, address, size,
			  tb_graph_known (&s->graph, a->value)))
	continue;
      /* The certain tier trusts it.  */
      if (s->assuming)
	s->graph.conflict = true;
      else
	t->modelled = false;
      news |= !s->assuming;
    }
  return news;
}

bool
tb_state_distrust_code (struct tb_state *s)
{
  struct code *code = NULL;
  size_t count = 0;
  bool news = false;
  const uint8_t *bytes;
  for (size_t i = 0; i < s->ntemplates; i++)
    {
      uint32_t pc = s->templates[i].pc;
      if (tb_memory_kind (&s->memory, pc, s->templates[i].size, &bytes)
	  == TB_MEMORY_CONSTANT)
	continue;
      if (code == NULL)
	code = malloc (s->ntemplates * sizeof *code);
      if (code == NULL)
	{
	  s->graph.failed = true;
	  return false;
	}
      code[count++] = (struct code) { pc, (uint32_t) i };
    }
  if (count == 0)
    return false;
  qsort (code, count, sizeof *code, compare);
  for (uint32_t id = 1; id <= s->memory.built; id++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      if ((a->kind == TB_MEM_STORE || a->kind == TB_MEM_MAYBE)
	  && tb_known_all (tb_graph_known (&s->graph, a->address)))
	news |= overwrites (s, code, count, id);
    }
  free (code);
  return news;
}
