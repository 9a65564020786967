/* The stack where the number in SP is not known: what is pushed comes back.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Addresses that are SP plus a constant are equal or apart although none of them
   is known.  The stack is taken to be RAM; any other symbol may be a device,
   whose loads are never the same.  A store through any other address, known or
   not, may hit the stack, unless what it stored is not what is read there.  */

#include "config.h"
#include "state/memory.h"

#include <stdlib.h>

/* Accesses between a load and its source that are looked at.  */
#define REACH 400

/* The last access of a word of a stack.  */
struct entry
{
  uint32_t root;		/* Class of the address; 0: free.  */
  tb_word word;
  uint32_t access;
};

struct table
{
  struct entry *entries;
  size_t size;			/* A power of two.  */
};

/* Is the address of access ID on a stack whose number is not known?  *AT is its
   distance from a stack pointer of the class.  */
static bool
on_stack (const struct tb_memory *m, const uint32_t *anchor, uint32_t id,
	  uint32_t *root, tb_word *at)
{
  tb_vid address = m->accesses[id].address;
  if (tb_known_all (tb_graph_known (m->graph, address)))
    return false;
  const struct tb_graph_value *v = &m->graph->values[address];
  if (anchor[v->root] == 0)
    return false;
  *root = v->root;
  *at = v->offset - m->graph->values[anchor[v->root]].offset;
  return true;
}

static struct entry *
find (const struct table *table, uint32_t root, tb_word word)
{
  size_t at = (root * UINT32_C (2654435761)
	       ^ (uint32_t) word * UINT32_C (40503)) >> 2;
  for (at &= table->size - 1; table->entries[at].root != 0;
       at = (at + 1) & (table->size - 1))
    if (table->entries[at].root == root && table->entries[at].word == word)
      break;
  return &table->entries[at];
}

/* May the store K have hit the SIZE bytes at AT of stack ROOT and left X?  */
static bool
may_hit (const struct tb_memory *m, const uint32_t *anchor, uint32_t k,
	 uint32_t root, tb_word at, unsigned size, struct tb_known x)
{
  const struct tb_mem_access *a = &m->accesses[k];
  uint32_t its_root;
  tb_word its_at;
  if (a->kind == TB_MEM_LOAD || a->kind == TB_MEM_NONE)
    return false;
  if (on_stack (m, anchor, k, &its_root, &its_at) && its_root == root
      && (its_at - at >= size && at - its_at >= a->size))
    return false;
  struct tb_known v = tb_graph_known (m->graph, a->value);
  /* How far it may begin behind what is read.  Where accesses are aligned, one
     lies within the other.  */
  int step = !m->aligned ? 1 : a->size < size ? a->size : (int) size;
  for (int apart = step - a->size; apart < (int) size; apart += step)
    {
      unsigned in_x = apart > 0 ? (unsigned) apart : 0;
      unsigned in_v = apart < 0 ? (unsigned) -apart : 0;
      unsigned length = size - in_x < a->size - in_v ? size - in_x
			: a->size - in_v;
      tb_word all = length == TB_WORD_BYTES ? TB_WORD_MAX
		    : ((tb_word) 1 << 8 * length) - 1;
      if (((x.bits >> 8 * in_x ^ v.bits >> 8 * in_v) & all
	   & x.mask >> 8 * in_x & v.mask >> 8 * in_v) == 0)
	return true;
    }
  return false;
}

/* Tie load J to its source I if nothing came in between.  */
static bool
tie (struct tb_memory *m, const uint32_t *anchor, uint32_t i, uint32_t j,
     uint32_t root, tb_word at)
{
  struct tb_mem_access *a = &m->accesses[j];
  const struct tb_mem_access *source = &m->accesses[i];
  uint32_t source_root;
  tb_word source_at;
  if (source->epoch != a->epoch || source->size != a->size || j - i > REACH
      || !on_stack (m, anchor, i, &source_root, &source_at)
      || source_at != at)
    return false;
  struct tb_known x = tb_graph_known (m->graph, a->value);
  for (uint32_t k = i + 1; k < j; k++)
    if (may_hit (m, anchor, k, root, at, a->size, x))
      return false;
  if (a->size == TB_WORD_BYTES || source->kind == TB_MEM_LOAD)
    tb_graph_equal (m->graph, a->value, source->value);
  else
    for (unsigned b = 0; b < a->size; b++)
      tb_graph_byte (m->graph, a->value, b, source->value, b);
  a->tied = true;
  return true;
}

/* One look at all accesses; how many loads were tied.  */
static size_t
look (struct tb_memory *m, const uint32_t *anchor, const struct table *table)
{
  size_t tied = 0;
  for (uint32_t id = 1; id <= m->built; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      uint32_t root;
      tb_word at;
      if (!on_stack (m, anchor, id, &root, &at))
	continue;
      tb_word word = at & ~(tb_word) (TB_WORD_BYTES - 1);
      struct entry *e = find (table, root, word);
      bool is_load = a->kind == TB_MEM_LOAD;
      /* It is no source, but may be in the way of one.  */
      if (!is_load && a->kind != TB_MEM_STORE)
	continue;
      if (is_load && !a->tied && e->root != 0)
	tied += tie (m, anchor, e->access, id, root, at);
      if (!is_load || e->root == 0
	  || m->accesses[e->access].epoch != a->epoch)
	*e = (struct entry) { root, word, id };
    }
  return tied;
}

bool
tb_stack_tie (struct tb_memory *m, size_t *tied)
{
  struct table table = { .size = 64 };
  uint32_t *anchor;

  *tied = 0;
  if (m->built == 0 || tb_memory_stack_shared (m))
    return true;
  while (table.size < 2 * (m->built + 1))
    table.size *= 2;
  table.entries = calloc (table.size, sizeof *table.entries);
  /* A stack pointer of each class that has one.  */
  anchor = calloc (m->graph->nvalues, sizeof *anchor);
  if (table.entries != NULL && anchor != NULL)
    {
      for (uint32_t id = 1; id < m->graph->nvalues; id++)
	if (m->graph->values[id].stack
	    && !tb_known_all (m->graph->values[id].known))
	  anchor[m->graph->values[id].root] = id;
      *tied = look (m, anchor, &table);
    }
  else
    m->graph->failed = true;
  free (table.entries);
  free (anchor);
  return !m->graph->failed;
}
