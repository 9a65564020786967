/* The stack where the number in SP is not known: what is pushed comes back.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Addresses that are SP plus a constant are equal or apart although none of them
   is known.  The stack is taken to be RAM; any other symbol may be a device,
   whose loads are never the same.  A store through any other address, known or
   not, may hit the stack, unless what it stored is not what is read there.  */

#include "config.h"
#include "state/memory/bit-band.h"
#include "state/memory/memory.h"

#include <stdlib.h>

/* Accesses between a load and its source that are looked at.  */
#define REACH 400

/* The last access of a word of a stack.  */
struct stack_entry
{
  uint32_t root;		/* Class of the address; 0: free.  */
  tb_word word;
  uint32_t access;
};

/* A hash of such entries; another one has by class of addresses a stack pointer
   of it instead.  */
struct stack_table
{
  struct stack_entry *entries;
  size_t size;			/* A power of two, or 0.  */
  size_t count;
};

static struct stack_entry *
find (const struct stack_table *table, uint32_t root, tb_word word)
{
  size_t at = (root * UINT32_C (2654435761)
	       ^ (uint32_t) word * UINT32_C (40503)) >> 2;
  for (at &= table->size - 1; table->entries[at].root != 0;
       at = (at + 1) & (table->size - 1))
    if (table->entries[at].root == root && table->entries[at].word == word)
      break;
  return &table->entries[at];
}

/* Let the entry of WORD of ROOT say ACCESS; false without memory.  */
static bool
put (struct stack_table *table, uint32_t root, tb_word word, uint32_t access)
{
  if (2 * (table->count + 1) > table->size)
    {
      struct stack_table larger = { .size = table->size != 0 ? 2 * table->size : 64,
			      .count = table->count };
      larger.entries = calloc (larger.size, sizeof *larger.entries);
      if (larger.entries == NULL)
	return false;
      for (size_t i = 0; i < table->size; i++)
	if (table->entries[i].root != 0)
	  *find (&larger, table->entries[i].root, table->entries[i].word)
	    = table->entries[i];
      free (table->entries);
      *table = larger;
    }
  struct stack_entry *e = find (table, root, word);
  table->count += e->root == 0;
  *e = (struct stack_entry) { root, word, access };
  return true;
}

/* Is the address of access ID on a stack whose number is not known?  *AT is its
   distance from a stack pointer of the class.  */
static bool
on_stack (const struct tb_memory *m, const struct stack_table *anchors, uint32_t id,
	  uint32_t *root, tb_word *at)
{
  tb_vid address = m->accesses[id].address;
  if (!tb_graph_open (m->graph, address))
    return false;
  *root = tb_graph_class (m->graph, address, at);
  const struct stack_entry *anchor = find (anchors, *root, 0);
  if (anchor->root == 0)
    return false;
  tb_word of_anchor;
  tb_graph_class (m->graph, anchor->access, &of_anchor);
  *at = (*at - of_anchor) & m->graph->ones;
  return true;
}

/* May the store K have hit the SIZE bytes at AT of stack ROOT and left X?  */
static bool
may_hit (const struct tb_memory *m, const struct stack_table *anchors, uint32_t k,
	 uint32_t root, tb_word at, unsigned size, struct tb_known x)
{
  const struct tb_mem_access *a = &m->accesses[k];
  uint32_t its_root;
  tb_word its_at;
  unsigned its_size = tb_access_size (a);
  if (a->kind == TB_MEM_LOAD || a->kind == TB_MEM_NONE)
    return false;
  if (m->doubt & TB_PREMISE_ONE_ADDRESS)
    return true;
  if (on_stack (m, anchors, k, &its_root, &its_at) && its_root == root
      && tb_untagged ((its_at - at) & m->graph->ones) >= size
      && tb_untagged ((at - its_at) & m->graph->ones) >= its_size)
    return false;
  if (m->bit_band && tb_bit_band_may_be (tb_graph_known (m->graph, a->address)))
    return true;
  struct tb_known v = tb_graph_known (m->graph, a->value);
  /* How far it may begin behind what is read.  Where accesses are aligned, one
     lies within the other.  */
  int step = !m->aligned ? 1 : its_size < size ? (int) its_size : (int) size;
  for (int apart = step - (int) its_size; apart < (int) size; apart += step)
    {
      unsigned in_x = apart > 0 ? (unsigned) apart : 0;
      unsigned in_v = apart < 0 ? (unsigned) -apart : 0;
      unsigned length = size - in_x < its_size - in_v ? size - in_x
			: its_size - in_v;
      tb_word all = UINT64_MAX >> (64 - 8 * length);
      if (((x.bits >> 8 * in_x ^ v.bits >> 8 * in_v) & all
	   & x.mask >> 8 * in_x & v.mask >> 8 * in_v) == 0)
	return true;
    }
  return false;
}

/* Tie load J to its source I if nothing came in between.  */
static bool
tie (struct tb_memory *m, const struct stack_table *anchors, uint32_t i, uint32_t j,
     uint32_t root, tb_word at)
{
  struct tb_mem_access *a = &m->accesses[j];
  const struct tb_mem_access *source = &m->accesses[i];
  unsigned size = tb_access_size (a);
  uint32_t source_root;
  tb_word source_at;
  if (tb_memory_epoch (m, i) != tb_memory_epoch (m, j)
      || source->size_1 != a->size_1 || j - i > REACH
      || !on_stack (m, anchors, i, &source_root, &source_at)
      || source_at != at)
    return false;
  struct tb_known x = tb_graph_known (m->graph, a->value);
  /* What was in the way last time mostly still is.  */
  if (a->watch > i && a->watch < j
      && may_hit (m, anchors, a->watch, root, at, size, x))
    return false;
  for (uint32_t k = i + 1; k < j; k++)
    if (may_hit (m, anchors, k, root, at, size, x))
      {
	a->watch = k;
	return false;
      }
  if (size == tb_word_bytes (m) || source->kind == TB_MEM_LOAD)
    tb_graph_equal (m->graph, a->value, source->value);
  else
    for (unsigned b = 0; b < size; b++)
      tb_graph_byte (m->graph, a->value, b, source->value, b);
  a->tied = true;
  return true;
}

/* One look at all accesses; adds to *TIED how many loads were tied.  False
   without memory.  */
static bool
look (struct tb_memory *m, const struct stack_table *anchors, struct stack_table *last,
      size_t *tied)
{
  for (uint32_t id = 1; id <= m->built; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      uint32_t root;
      tb_word at;
      if (!on_stack (m, anchors, id, &root, &at))
	continue;
      tb_word word = tb_word_at (m, at);
      uint32_t before = 0;
      if (last->size != 0)
	before = find (last, root, word)->access;
      bool is_load = a->kind == TB_MEM_LOAD;
      /* It is no source, but may be in the way of one.  */
      if (!is_load && a->kind != TB_MEM_STORE)
	continue;
      if (is_load && !a->tied && before != 0)
	*tied += tie (m, anchors, before, id, root, at);
      if ((!is_load || before == 0
	   || tb_memory_epoch (m, before) != tb_memory_epoch (m, id))
	  && !put (last, root, word, id))
	return false;
    }
  return true;
}

bool
tb_stack_tie (struct tb_memory *m, size_t *tied)
{
  struct stack_table anchors = { NULL, 0, 0 }, last = { NULL, 0, 0 };
  bool ok = true;

  *tied = 0;
  if (m->built == 0 || tb_memory_stack_shared (m))
    return true;
  /* A stack pointer of each class that has one.  */
  for (uint32_t id = 1; id < m->graph->nvalues && ok; id++)
    if (m->graph->values[id].stack && tb_graph_open (m->graph, id))
      {
	tb_word offset;
	ok = put (&anchors, tb_graph_class (m->graph, id, &offset), 0, id);
      }
  if (ok && anchors.count != 0)
    ok = look (m, &anchors, &last, tied);
  if (!ok)
    m->graph->failed = true;
  free (anchors.entries);
  free (last.entries);
  return ok && !m->graph->failed;
}
