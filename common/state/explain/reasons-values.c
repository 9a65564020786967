/* Why values of a graph are not known.  See reasons-values.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   From a value that is not known the way goes to one that it comes from and that is
   not known either, always to an older one, until there is none.  */

#include "config.h"
#include "state/explain/reasons-values.h"
#include "state/solver/graph-nodes.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Accesses of a word that one load looks at.  */
#define NEAR 1000

static bool
is_known (const struct tb_reasons_values *v, tb_vid id)
{
  return tb_known_all (tb_graph_known (v->graph, id));
}

/* Is ID older than THAN, and not known, either?  */
static bool
leads_on (const struct tb_reasons_values *v, tb_vid id, tb_vid than)
{
  return id != 0 && !(id & TB_CONSTANT) && id < than && !is_known (v, id);
}

/* How a value was made.  */
struct made
{
  struct tb_node node;		/* That made it, if MADE.  */
  bool made;
  tb_vid if0;			/* A choice: what it is if the condition is 0.  */
  tb_vid tied;			/* The source of a load, if that is not known,
				   either; 0: there is none.  */
};

/* Does NODE compute ID?  Others only tie it to what is older.  */
static bool
makes (const struct tb_node *node, tb_vid id)
{
  if (node->op == TB_NODE_BYTE || node->op == TB_NODE_STORE)
    return false;
  for (unsigned k = node->op == TB_NODE_LOAD; k < 3; k++)
    if (!(node->v[k] & TB_CONSTANT) && node->v[k] > id)
      return false;
  /* What is subtracted from is a sum.  */
  return node->v[node->op == TB_NODE_LOAD ? 2 : 0] == id
	 || (node->op == TB_OP_ADD && node->v[1] == id);
}

static struct made
find_made (const struct tb_reasons_values *v, tb_vid id)
{
  const struct tb_graph *graph = v->graph;
  struct made m = { .made = false };
  struct tb_node node;
  for (uint32_t use = graph->values[id].users, before; use != 0; use = before)
    {
      before = tb_node_use (graph, use, id, &node);
      if (makes (&node, id))
	{
	  m.node = node;
	  m.made = true;
	}
      if (node.op == TB_NODE_IF0 && node.v[0] == id)
	m.if0 = node.v[1];
      if ((node.op == TB_NODE_BYTE
	   || (node.op == TB_OP_ADD && node.v[2] & TB_CONSTANT
	       && tb_graph_known (graph, node.v[2]).bits == 0))
	  && node.v[0] == id && leads_on (v, node.v[1], id))
	m.tied = node.v[1];
    }
  return m;
}

/* Why what is at ADDRESS, LENGTH bytes, is never remembered.  */
static enum tb_why_not
elsewhere (const struct tb_memory *m, uint64_t address, unsigned length)
{
  const struct tb_region *region;
  uint64_t there;
  uint64_t first = tb_word_at (m, address);
  uint64_t span = tb_word_span (m, address, length);
  bool private = tb_extents_hold (m->privates, first, span);
  if (!m->usable)
    return TB_WHY_NOT_CONTENTS;
  if (tb_extents_hit (m->volatiles, first, span)
      || (tb_memory_is_device (m, address) && !private)
      || tb_memory_is_trace_ram (m, address, length))
    return TB_WHY_NOT_DEVICE;
  if (tb_memmap_at (m->map, m->space, address, &there, &region) != NULL
      && region->halt_contents && !private
      && tb_extents_hit (m->shared, first, span))
    return TB_WHY_NOT_SHARED;
  if (tb_extents_hit (m->disputed, first, span))
    return TB_WHY_NOT_SHARED;
  return TB_WHY_NOT_DUMPED;
}

/* Is the byte of a word that is the bit BYTE known where access ID left or found
   it?  */
static bool
has_byte (const struct tb_memory *m, uint32_t id, unsigned byte)
{
  unsigned shift = 8 * (unsigned) __builtin_ctz (byte);
  return (tb_memory_in_word (m, id).mask >> shift & 255) == 255;
}

/* The store that is in the way between access J and the one that looks back from
   access LATER on for BYTE; 0: none is.  */
static uint32_t
in_way (const struct tb_memory *m, uint32_t later, uint32_t j, unsigned byte)
{
  const struct tb_mem_access *a = &m->accesses[later];
  return a->todo & byte && a->watch > j ? a->watch : 0;
}

/* The last access of CELL before number AT that has BYTE, of the epoch of J; 0: there
   is none near.  */
static uint32_t
before (const struct tb_memory *m, const struct tb_cell *cell, uint32_t at,
	uint32_t j, unsigned byte)
{
  for (uint32_t k = at; k-- > 0 && at - k <= NEAR;)
    {
      uint32_t entry = tb_cell_entry (cell, k), id = entry >> TB_ENTRY_BITS;
      if (tb_entry_bytes (entry) & byte)
	return tb_memory_epoch (m, id) == tb_memory_epoch (m, j) ? id : 0;
    }
  return 0;
}

/* The store that is in the way between access J, which has a byte that is the bit BYTE
   of its word, and the next one that has it, or the dump, if that is known or would
   be but for another such store; 0: there is none.  */
static uint32_t
behind (const struct tb_reasons_values *v, const struct tb_cell *cell,
	uint32_t j, unsigned byte)
{
  const struct tb_memory *m = v->memory;
  uint32_t epoch = tb_memory_epoch (m, j), at = tb_memory_position (cell, j);
  for (uint32_t k = at + 1; k < cell->count && k - at <= NEAR; k++)
    {
      uint32_t entry = tb_cell_entry (cell, k), id = entry >> TB_ENTRY_BITS;
      if (!(tb_entry_bytes (entry) & byte))
	continue;
      const struct tb_mem_access *a = &m->accesses[id];
      uint32_t store = in_way (m, id, j, byte);
      if (a->kind != TB_MEM_LOAD || tb_memory_epoch (m, id) != epoch)
	return 0;
      if (has_byte (m, id, byte))
	return store;
      uint32_t later = a->value & TB_CONSTANT || a->value >= v->count ? 0
		       : v->stores[a->value];
      return later != 0 && store != 0 ? store : later;
    }
  if (!m->final || cell->final == 0 || epoch != m->final_epoch
      || !has_byte (m, cell->final, byte))
    return 0;
  return in_way (m, cell->final, j, byte);
}

/* The same behind the access of NODE, which has the value ID.  */
static uint32_t
behind_access (const struct tb_reasons_values *v, tb_vid id,
	       const struct tb_node *node)
{
  const struct tb_memory *m = v->memory;
  struct tb_known at = tb_graph_known (v->graph, node->v[1]);
  if (node->v[2] != id || !tb_known_all (at))
    return 0;
  unsigned low = tb_word_byte (m, at.bits), b = 0;
  unsigned size = tb_access_size (&m->accesses[node->v[0]]);
  const struct tb_cell *cell = tb_memory_cell (m, at.bits - low);
  tb_word mask = tb_graph_known (v->graph, id).mask;
  while (b < size && (mask >> 8 * b & 255) == 255)
    b++;
  if (cell == NULL || b == size || (at.bits & (size - 1u)) != 0
      || !m->accesses[node->v[0]].placed)
    return 0;
  return behind (v, cell, node->v[0], 1u << (low + b));
}

/* Find the values that would be known by what memory held later but for stores in the
   way.  Those that are newer come first.  */
static void
find_blocked (struct tb_reasons_values *v)
{
  const struct tb_graph *graph = v->graph;
  memset (v->stores, 0, (v->count + 1) * sizeof *v->stores);
  for (tb_vid id = (tb_vid) v->count; id-- > 1;)
    {
      if (is_known (v, id))
	continue;
      struct tb_node node;
      uint32_t store = 0, use = graph->values[id].users;
      while (use != 0 && store == 0)
	{
	  uint32_t next = tb_node_use (graph, use, id, &node);
	  if (node.op == TB_NODE_LOAD || node.op == TB_NODE_STORE)
	    store = behind_access (v, id, &node);
	  else if (node.op == TB_OP_ADD && node.v[1] == id && node.v[0] > id
		   && leads_on (v, node.v[0], (tb_vid) v->count)
		   && node.v[2] & TB_CONSTANT)
	    store = v->stores[node.v[0]];
	  use = next;
	}
      v->stores[id] = store;
    }
}

bool
tb_reasons_values_begin (struct tb_reasons_values *v,
			 const struct tb_graph *graph,
			 const struct tb_memory *memory)
{
  *v = (struct tb_reasons_values) {
    .graph = graph, .memory = memory, .count = graph->nvalues
  };
  v->why = malloc (v->count + 1);
  v->stores = malloc ((v->count + 1) * sizeof *v->stores);
  if (v->why == NULL || v->stores == NULL)
    return false;
  memset (v->why, TB_WHY_NOT_ENOUGH, v->count);
  find_blocked (v);
  return true;
}

void
tb_reasons_values_fini (struct tb_reasons_values *v)
{
  free (v->why);
  free (v->stores);
  free (v->path);
}

void
tb_reasons_mark (struct tb_reasons_values *v, tb_vid from, tb_vid end,
		 enum tb_why_not why)
{
  if (end > v->count)
    end = (tb_vid) v->count;
  if (from < end)
    memset (v->why + from, (int) why, end - from);
}

void
tb_reasons_settle (struct tb_reasons_values *v, tb_vid id,
		   enum tb_why_not why, uint32_t store)
{
  v->why[id] = (uint8_t) (why | TB_REASONS_DONE);
  v->stores[id] = store;
}

/* What is looked for: the value to go on with, or 0; the reason, or TB_WHY_NOTS if it
   is that of the next one; where there is no next one, the store in the way.  */
struct found
{
  tb_vid next;
  enum tb_why_not why;
  uint32_t store;
};

/* ID is not known for the reason WHY, and that for the reason of NEXT if this is older
   and not known, either.  */
static struct found
by (const struct tb_reasons_values *v, tb_vid id, enum tb_why_not why,
    tb_vid next)
{
  return (struct found) { .why = why, .next = leads_on (v, next, id) ? next : 0 };
}

/* Why the value ID of load J, from ADDRESS in RAM, is not known.  */
static struct found
from_ram (const struct tb_reasons_values *v, tb_vid id, uint32_t j,
	  tb_word address)
{
  const struct tb_memory *m = v->memory;
  const struct tb_mem_access *a = &m->accesses[j];
  unsigned size = tb_access_size (a), low = tb_word_byte (m, address);
  struct found found = { .why = TB_WHY_NOT_ENOUGH };
  tb_word mask = tb_graph_known (v->graph, id).mask;
  const struct tb_cell *cell = tb_memory_cell (m, address - low);
  /* Accesses that are not aligned are not remembered.  */
  if (cell == NULL || (address & (size - 1u)) != 0)
    return found;
  uint32_t at = tb_memory_position (cell, j);
  for (unsigned b = 0; b < size; b++)
    {
      unsigned byte = 1u << (low + b);
      if ((mask >> 8 * b & 255) == 255)
	continue;
      uint32_t source = before (m, cell, at, j, byte);
      found.why = TB_WHY_NOT_CONTENTS;
      if (source != 0 && has_byte (m, source, byte))
	found.store = in_way (m, j, source, byte);
      if (found.store != 0)
	found.why = TB_WHY_NOT_STORE;
      else if (source != 0 && leads_on (v, m->accesses[source].value, id))
	return by (v, id, TB_WHY_NOTS, m->accesses[source].value);
      return found;
    }
  return found;
}

static struct found
from_load (const struct tb_reasons_values *v, tb_vid id, const struct made *made)
{
  const struct tb_memory *m = v->memory;
  const uint8_t *bytes;
  uint32_t j = made->node.v[0];
  if (made->tied != 0)
    return by (v, id, TB_WHY_NOTS, made->tied);
  struct tb_known at = tb_graph_known (v->graph, made->node.v[1]);
  if (!tb_known_all (at))
    return by (v, id, TB_WHY_NOT_ADDRESS, made->node.v[1]);
  unsigned size = tb_access_size (&m->accesses[j]);
  switch (tb_memory_kind (m, at.bits, size, &bytes))
    {
    case TB_MEMORY_RAM:
      return from_ram (v, id, j, at.bits);
    case TB_MEMORY_OTHER:
      return (struct found) { .why = elsewhere (m, at.bits, size) };
    default:
      return (struct found) { .why = TB_WHY_NOT_ENOUGH };
    }
}

/* What ID, which is not known, comes from.  */
static struct found
look (const struct tb_reasons_values *v, tb_vid id)
{
  if (v->stores[id] != 0)
    return (struct found) { .why = TB_WHY_NOT_STORE, .store = v->stores[id] };
  struct made made = find_made (v, id);
  enum tb_why_not from_nothing = v->why[id];
  struct found found = { .why = TB_WHY_NOT_ENOUGH };
  if (!made.made)
    return (struct found) { .why = from_nothing };
  if (made.node.op == TB_NODE_LOAD)
    return from_load (v, id, &made);
  if (made.node.op == TB_NODE_IF1)
    {
      struct tb_known condition = tb_graph_known (v->graph, made.node.v[2]);
      tb_vid chosen = condition.bits != 0 ? made.node.v[1] : made.if0;
      if (!tb_known_all (condition))
	return by (v, id, from_nothing == TB_WHY_NOT_EXCEPTION
		   ? TB_WHY_NOT_EXCEPTION : TB_WHY_NOT_CONDITION,
		   made.node.v[2]);
      if (leads_on (v, chosen, id))
	return by (v, id, TB_WHY_NOTS, chosen);
      return found;
    }
  for (unsigned k = 0; k < 3; k++)
    if (leads_on (v, made.node.v[k], id))
      return by (v, id, TB_WHY_NOTS, made.node.v[k]);
  return found;
}

enum tb_why_not
tb_reasons_find (struct tb_reasons_values *v, tb_vid id, uint32_t *store)
{
  struct found found = { .next = id, .why = TB_WHY_NOT_ENOUGH };
  size_t n = 0;
  *store = 0;
  if (id == 0 || id & TB_CONSTANT || id >= v->count || is_known (v, id))
    return TB_WHY_NOT_ENOUGH;
  while (found.next != 0)
    {
      tb_vid at = found.next;
      if (v->why[at] & TB_REASONS_DONE)
	{
	  found = (struct found) { .why = v->why[at] & ~TB_REASONS_DONE,
				   .store = v->stores[at] };
	  break;
	}
      if (!TB_GROW (v->path, v->path_room, n, 1))
	{
	  v->failed = true;
	  return TB_WHY_NOT_ENOUGH;
	}
      found = look (v, at);
      v->path[n++] = (struct tb_reasons_path) { at, found.why };
    }
  while (n-- > 0)
    {
      if (v->path[n].why != TB_WHY_NOTS)
	found.why = v->path[n].why;
      tb_reasons_settle (v, v->path[n].id, found.why, found.store);
    }
  *store = found.store;
  return found.why;
}
