/* What is kept of memory in a window: accesses, and what decides about them.  See
   memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Of accesses: their numbers go into entries of cells.  */
#define MOST (UINT32_MAX >> TB_ENTRY_BITS)

void
tb_memory_init (struct tb_memory *m, struct tb_graph *graph)
{
  memset (m, 0, sizeof *m);
  m->graph = graph;
  m->visits = TB_VISITS_LEAST;
  m->naccesses = 1;
}

void
tb_memory_clear (struct tb_memory *m)
{
  tb_memory_find_fixed (m);
  for (size_t i = 0; i < m->ncells; i++)
    free (m->cells[i].entries);
  m->ncells = 0;
  if (m->cell_hash != NULL)
    memset (m->cell_hash, 0, m->hash_room * sizeof *m->cell_hash);
  m->naccesses = 1;
  m->built = 0;
  m->given = m->given_end = 0;
  m->nwatches = 0;
  m->free_watch = 0;
  m->nepochs = 0;
  m->nconditions = 0;
  m->nworth = 0;
  m->restart = false;
  m->frozen = false;
}

size_t
tb_memory_bytes (const struct tb_memory *m)
{
  size_t bytes = m->accesses_room * sizeof *m->accesses
		 + m->cells_room * sizeof *m->cells
		 + m->hash_room * sizeof *m->cell_hash
		 + m->watches_room * sizeof *m->watches
		 + m->worth_room * sizeof *m->worth
		 + m->conditions_room * sizeof *m->conditions;
  for (size_t i = 0; i < m->ncells; i++)
    bytes += m->cells[i].room * sizeof *m->cells[i].entries;
  return bytes;
}

void
tb_memory_freeze (struct tb_memory *m)
{
  TB_FIT (m->accesses, m->accesses_room, m->naccesses);
  free (m->watches);
  free (m->conditions);
  free (m->worth);
  m->watches = NULL;
  m->conditions = NULL;
  m->worth = NULL;
  m->nworth = m->worth_room = 0;
  m->nwatches = m->watches_room = m->free_watch = 0;
  m->nconditions = m->conditions_room = 0;
  m->frozen = true;
}

void
tb_memory_fini (struct tb_memory *m)
{
  tb_memory_clear (m);
  free (m->accesses);
  free (m->epoch_start);
  free (m->conditions);
  free (m->cells);
  free (m->cell_hash);
  free (m->watches);
  free (m->worth);
  free (m->code_dump);
  memset (m, 0, sizeof *m);
}

bool
tb_memory_room (struct tb_memory *m, void *items, size_t *capacity,
		size_t count, size_t extra, size_t size)
{
  void **array = items;
  if (count + extra <= *capacity)
    return true;
  if (count >= MOST || !tb_grow (array, capacity, count, extra, size))
    m->graph->failed = true;
  return !m->graph->failed;
}

void
tb_memory_expect (struct tb_memory *m, double times)
{
  size_t want = (size_t) ((double) m->naccesses * times) + 64;
  if (want >= MOST)
    return;
  TB_FIT (m->accesses, m->accesses_room, want);
}

uint32_t
tb_memory_add (struct tb_memory *m, unsigned kind, tb_vid address,
	       tb_vid value, unsigned size, uint32_t epoch)
{
  /* There are few of these behind the others, for which there was room.  */
  if (kind == TB_MEM_FINAL && m->naccesses == m->accesses_room)
    TB_FIT (m->accesses, m->accesses_room, m->naccesses + m->naccesses / 64 + 64);
  if (!tb_memory_room (m, &m->accesses, &m->accesses_room, m->naccesses, 1,
	     sizeof *m->accesses)
      || !tb_memory_room (m, &m->epoch_start, &m->epoch_room, epoch, 1,
		sizeof *m->epoch_start))
    return 0;
  if (m->naccesses == 1)
    memset (m->accesses, 0, sizeof *m->accesses);
  uint32_t id = (uint32_t) m->naccesses++;
  m->accesses[id] = (struct tb_mem_access) {
    .address = address, .value = value, .scan = id - 1,
    .kind = kind & 7, .size_1 = (size - 1) & 7,
    .before = kind == TB_MEM_LOAD ? id - 1 : id
  };
  while (m->nepochs <= epoch)
    m->epoch_start[m->nepochs++] = id;
  if (kind != TB_MEM_FINAL)
    tb_graph_node (m->graph, kind == TB_MEM_LOAD ? TB_NODE_LOAD
		   : TB_NODE_STORE, id, address, value);
  return id;
}

void
tb_memory_note_worth (struct tb_memory *m, tb_vid id, uint32_t values)
{
  if (!m->graph->failed && tb_memory_room (m, &m->worth, &m->worth_room, m->nworth, 1,
					   sizeof *m->worth))
    m->worth[m->nworth++] = (struct tb_worth) { id, values };
}

void
tb_memory_set_condition (struct tb_memory *m, uint32_t id, tb_vid condition,
			 bool if1, bool if0)
{
  if (m->graph->failed
      || !tb_memory_room (m, &m->conditions, &m->conditions_room, m->nconditions, 1,
		sizeof *m->conditions))
    return;
  m->conditions[m->nconditions++] = (struct tb_condition) {
    .access = id, .condition = condition, .if1 = if1, .if0 = if0
  };
  tb_graph_node (m->graph, TB_NODE_STORE, id, condition, 0);
}
