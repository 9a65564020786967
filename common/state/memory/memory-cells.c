/* The cells of memory: words with the accesses to them, in order.  See memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/search.h"

/* Words that are near each other go apart.  */
static inline uint32_t
cell_hash (tb_word word)
{
  return ((uint32_t) word * UINT32_C (2654435761)) >> 8;
}

struct tb_cell *
tb_memory_cell (const struct tb_memory *m, tb_word word)
{
  if (m->hash_room == 0)
    return NULL;
  size_t at = cell_hash (word) & (m->hash_room - 1);
  for (; m->cell_hash[at] != 0; at = (at + 1) & (m->hash_room - 1))
    if (m->cells[m->cell_hash[at] - 1].address == word)
      return &m->cells[m->cell_hash[at] - 1];
  return NULL;
}

static void
hash_cell (struct tb_memory *m, uint32_t number)
{
  tb_word word = m->cells[number].address;
  size_t at = cell_hash (word) & (m->hash_room - 1);
  while (m->cell_hash[at] != 0)
    at = (at + 1) & (m->hash_room - 1);
  m->cell_hash[at] = number + 1;
}

uint8_t
tb_memory_bytes_of (const struct tb_memory *m, tb_word mask)
{
  unsigned bytes = 0;
  for (unsigned b = 0; b < tb_word_bytes (m); b++)
    if ((mask >> 8 * b & 255) != 0)
      bytes |= 1u << b;
  return (uint8_t) bytes;
}

/* Add what is known at the end of cell NUMBER.  */
static void
add_final (struct tb_memory *m, uint32_t number)
{
  tb_word word = m->cells[number].address;
  struct tb_known known = tb_memory_at_end (m, word);
  if (known.mask == 0)
    return;
  tb_vid value = known.mask == m->graph->ones
		 ? tb_graph_constant (m->graph, known.bits)
		 : tb_graph_new (m->graph);
  tb_graph_set_bits (m->graph, value, known.mask, known.bits);
  tb_vid address = tb_graph_constant (m->graph, word);
  uint32_t id = tb_memory_add (m, TB_MEM_FINAL, address, value,
			       tb_word_bytes (m), m->final_epoch);
  /* Once there was no memory, what is made since is nothing.  */
  if (id == 0 || m->graph->failed)
    return;
  m->accesses[id].scan = (uint32_t) m->built;
  m->accesses[id].todo = tb_memory_bytes_of (m, known.mask);
  m->accesses[id].placed = true;
  m->cells[number].final = id;
}

void
tb_memory_use_final (struct tb_memory *m)
{
  m->final = true;
  for (size_t i = 0; i < m->ncells && !m->graph->failed; i++)
    {
      add_final (m, (uint32_t) i);
      if (m->cells[i].final != 0)
	tb_memory_resolve (m, m->cells[i].final);
    }
}

struct tb_cell *
tb_memory_make_cell (struct tb_memory *m, tb_word word)
{
  struct tb_cell *cell = tb_memory_cell (m, word);
  if (cell != NULL || m->graph->failed)
    return cell;
  if (!tb_memory_room (m, &m->cells, &m->cells_room, m->ncells, 1, sizeof *m->cells))
    return NULL;
  if (2 * (m->ncells + 1) > m->hash_room)
    {
      size_t size = m->hash_room != 0 ? 2 * m->hash_room : 256;
      free (m->cell_hash);
      m->cell_hash = calloc (size, sizeof *m->cell_hash);
      m->hash_room = m->cell_hash != NULL ? size : 0;
      if (m->cell_hash == NULL)
	{
	  m->graph->failed = true;
	  return NULL;
	}
      for (size_t i = 0; i < m->ncells; i++)
	hash_cell (m, (uint32_t) i);
    }
  uint32_t number = (uint32_t) m->ncells++;
  m->cells[number] = (struct tb_cell) { .address = word };
  hash_cell (m, number);
  add_final (m, number);
  return &m->cells[number];
}

uint32_t
tb_memory_position (const struct tb_cell *cell, uint32_t time)
{
  uint32_t low;
  TB_LOWER_BOUND (low, cell->count, tb_cell_access (cell, low) < time);
  return low;
}

void
tb_memory_insert (struct tb_memory *m, struct tb_cell *cell, uint32_t id)
{
  size_t old = cell->room, room = old, tail = cell->count - cell->gap;
  void *items = cell->entries;
  if (!tb_memory_room (m, &items, &room, cell->count, 1, sizeof *cell->entries))
    return;
  uint32_t *all = items;
  cell->entries = all;
  cell->room = (uint32_t) room;		/* MOST and half of it more.  */
  if (cell->room != old)
    memmove (all + cell->room - tail, all + old - tail, tail * sizeof *all);
  uint32_t at = tb_memory_position (cell, id);
  size_t hole = cell->room - cell->count;
  if (at < cell->gap)
    memmove (all + at + hole, all + at, (cell->gap - at) * sizeof *all);
  else
    memmove (all + cell->gap, all + cell->gap + hole,
	     (at - cell->gap) * sizeof *all);
  tb_word address = tb_graph_known (m->graph, m->accesses[id].address).bits;
  unsigned size = tb_access_size (&m->accesses[id]);
  all[at] = id << TB_ENTRY_BITS
	    | (uint32_t) tb_word_byte (m, address) << 2
	    | (uint32_t) __builtin_ctz (size);
  cell->gap = at + 1;
  cell->count++;
}
