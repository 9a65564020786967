/* The graph of values: facts, classes, worklist.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* A loop could narrow an interval one by one, for ever.  */
#define NARROW_LIMIT 40

void
tb_graph_init (struct tb_graph *graph)
{
  memset (graph, 0, sizeof *graph);
  graph->nvalues = 1;
}

void
tb_graph_fini (struct tb_graph *graph)
{
  free (graph->values);
  free (graph->nodes);
  free (graph->constants);
  free (graph->interned);
  free (graph->queue[0]);
  free (graph->queue[1]);
  free (graph->undo);
  memset (graph, 0, sizeof *graph);
}

/* Room for one more in an array; false, and FAILED, without memory.  */
static bool
room (struct tb_graph *graph, void *items, size_t *capacity, size_t count,
      size_t size)
{
  void **array = items;
  if (count < *capacity)
    return true;
  if (count >= UINT32_MAX / 4
      || !tb_grow (array, capacity, count, 1, size))
    graph->failed = true;
  return !graph->failed;
}

tb_vid
tb_graph_new (struct tb_graph *graph)
{
  if (!room (graph, &graph->values, &graph->values_room, graph->nvalues,
	     sizeof *graph->values))
    return 0;
  tb_vid id = (tb_vid) graph->nvalues++;
  graph->values[id] = (struct tb_graph_value) {
    .known = { .hi = TB_WORD_MAX }, .root = id, .next = id, .size = 1
  };
  return id;
}

static size_t
hash (tb_word c)
{
  uint32_t folded = (uint32_t) ((uint64_t) c >> 32 ^ c);
  return (folded * UINT32_C (2654435761)) >> 4;
}

static void
grow_interned (struct tb_graph *graph)
{
  size_t size = graph->interned_room != 0 ? 2 * graph->interned_room : 256;
  uint32_t *table = calloc (size, sizeof *table);
  if (table == NULL)
    {
      graph->failed = true;
      return;
    }
  for (size_t i = 0; i < graph->nconstants; i++)
    {
      size_t at = hash (graph->constants[i]) & (size - 1);
      while (table[at] != 0)
	at = (at + 1) & (size - 1);
      table[at] = (uint32_t) i + 1;
    }
  free (graph->interned);
  graph->interned = table;
  graph->interned_room = size;
}

tb_vid
tb_graph_constant (struct tb_graph *graph, tb_word c)
{
  if (2 * (graph->nconstants + 1) > graph->interned_room)
    grow_interned (graph);
  if (graph->failed
      || !room (graph, &graph->constants, &graph->constants_room,
		graph->nconstants, sizeof *graph->constants))
    return 0;
  size_t at = hash (c) & (graph->interned_room - 1);
  for (; graph->interned[at] != 0;
       at = (at + 1) & (graph->interned_room - 1))
    if (graph->constants[graph->interned[at] - 1] == c)
      return TB_CONSTANT | (graph->interned[at] - 1);
  graph->constants[graph->nconstants] = c;
  graph->interned[at] = (uint32_t) ++graph->nconstants;
  return TB_CONSTANT | (uint32_t) (graph->nconstants - 1);
}

static void
enqueue (struct tb_graph *graph, uint32_t node)
{
  if (graph->nodes[node].queued
      || !room (graph, &graph->queue[1], &graph->queue_room[1],
		graph->nqueue[1], sizeof **graph->queue))
    return;
  graph->nodes[node].queued = true;
  graph->queue[1][graph->nqueue[1]++] = node;
}

void
tb_graph_node (struct tb_graph *graph, unsigned op, uint32_t v0, tb_vid v1,
	       tb_vid v2)
{
  unsigned first = op == TB_NODE_LOAD || op == TB_NODE_STORE;
  if (graph->failed
      || !room (graph, &graph->nodes, &graph->nodes_room, graph->nnodes,
		sizeof *graph->nodes))
    return;
  uint32_t number = (uint32_t) graph->nnodes++;
  struct tb_node *node = &graph->nodes[number];
  *node = (struct tb_node) { .op = (uint8_t) op, .v = { v0, v1, v2 } };
  for (unsigned k = first; k < 3; k++)
    if (node->v[k] != 0 && !(node->v[k] & TB_CONSTANT))
      {
	struct tb_graph_value *value = &graph->values[node->v[k]];
	node->next[k] = value->users;
	value->users = number * 3 + k + 1;
      }
  enqueue (graph, number);
}

void
tb_graph_byte (struct tb_graph *graph, tb_vid a, unsigned x, tb_vid b,
	       unsigned y)
{
  tb_graph_node (graph, TB_NODE_BYTE, a, b, 0);
  if (!graph->failed)
    {
      graph->nodes[graph->nnodes - 1].x = (uint8_t) x;
      graph->nodes[graph->nnodes - 1].y = (uint8_t) y;
    }
}

void
tb_graph_equal (struct tb_graph *graph, tb_vid a, tb_vid b)
{
  if (a != b)
    tb_graph_node (graph, TB_OP_ADD, a, b, tb_graph_constant (graph, 0));
}

static void
wake (struct tb_graph *graph, tb_vid id)
{
  for (uint32_t user = graph->values[id].users; user != 0;
       user = graph->nodes[(user - 1) / 3].next[(user - 1) % 3])
    enqueue (graph, (user - 1) / 3);
}

/* Put the facts of B into A; false when they exclude each other.  */
static bool
meet (struct tb_known *a, struct tb_known b)
{
  if (((a->bits ^ b.bits) & a->mask & b.mask) != 0)
    return false;
  a->bits |= b.bits & b.mask;
  a->mask |= b.mask;
  if (b.lo > a->lo)
    a->lo = b.lo;
  if (b.hi < a->hi)
    a->hi = b.hi;
  /* Bits bound the interval, and the leading bits that both ends share are
     known; the second may allow the first once more.  */
  for (unsigned i = 0; i < 2; i++)
    {
      if (a->bits > a->lo)
	a->lo = a->bits;
      if ((a->bits | ~a->mask) < a->hi)
	a->hi = a->bits | ~a->mask;
      if (a->lo > a->hi)
	return false;
      tb_word differ = a->lo ^ a->hi;
      tb_word same = differ == 0 ? TB_WORD_MAX
		     : ~(TB_WORD_MAX >> tb_word_clz (differ));
      if (((a->lo ^ a->bits) & a->mask & same) != 0)
	return false;
      if ((same & ~a->mask) == 0)
	break;
      a->bits |= a->lo & same;
      a->mask |= same;
    }
  if (a->mask == TB_WORD_MAX)
    {
      if (a->bits < a->lo || a->bits > a->hi)
	return false;
      a->lo = a->hi = a->bits;
    }
  return true;
}

/* Note what ID is before it changes.  */
static void
note (struct tb_graph *graph, tb_vid id)
{
  if (!graph->trial
      || !room (graph, &graph->undo, &graph->undo_room, graph->nundo,
		sizeof *graph->undo))
    return;
  const struct tb_graph_value *v = &graph->values[id];
  graph->undo[graph->nundo++] = (struct tb_graph_undo) {
    .known = v->known, .id = id, .cause = v->cause, .narrowed = v->narrowed
  };
}

/* ID's value is known; so is its whole class.  */
static void
settle (struct tb_graph *graph, tb_vid id, tb_word value)
{
  tb_word base = value - graph->values[id].offset;
  tb_vid m = id;
  do
    {
      struct tb_graph_value *v = &graph->values[m];
      tb_word c = base + v->offset;
      struct tb_known fact = { TB_WORD_MAX, c, c, c };
      note (graph, m);
      if (!tb_known_all (v->known))
	v->cause = m == id ? graph->cause : id | TB_CAUSE_CLASS;
      if (!meet (&v->known, fact))
	graph->conflict = true;
      v->known = fact;
      wake (graph, m);
      m = v->next;
    }
  while (m != id);
}

void
tb_graph_refine (struct tb_graph *graph, tb_vid id, struct tb_known fact)
{
  struct tb_known old = tb_graph_known (graph, id), now = old;
  if ((fact.mask & (~old.mask | (fact.bits ^ old.bits))) == 0
      && fact.lo <= old.lo && fact.hi >= old.hi)
    return;
  if (!meet (&now, fact))
    {
      graph->conflict = true;
      return;
    }
  if (now.mask == old.mask && now.lo == old.lo && now.hi == old.hi)
    return;
  struct tb_graph_value *value = &graph->values[id];
  if (now.mask == TB_WORD_MAX)
    {
      settle (graph, id, now.bits);
      return;
    }
  note (graph, id);
  if (now.mask == old.mask && value->narrowed++ >= NARROW_LIMIT)
    {
      value->narrowed = NARROW_LIMIT;
      return;
    }
  value->known = now;
  wake (graph, id);
}

void
tb_graph_set_bits (struct tb_graph *graph, tb_vid id, tb_word mask,
		   tb_word bits)
{
  if (id != 0)
    tb_graph_refine (graph, id, (struct tb_known) { mask, bits & mask, 0,
						    TB_WORD_MAX });
}

void
tb_graph_set_range (struct tb_graph *graph, tb_vid id, tb_word lo,
		    tb_word hi)
{
  if (lo > hi)
    graph->conflict = true;
  else if (id != 0)
    tb_graph_refine (graph, id, (struct tb_known) { 0, 0, lo, hi });
}

void
tb_graph_link (struct tb_graph *graph, tb_vid x, tb_vid y, tb_word offset)
{
  struct tb_known kx = tb_graph_known (graph, x);
  struct tb_known ky = tb_graph_known (graph, y);
  if (tb_known_all (ky))
    tb_graph_set (graph, x, ky.bits + offset);
  else if (tb_known_all (kx))
    tb_graph_set (graph, y, kx.bits - offset);
  else if (!graph->trial)
    {
      struct tb_graph_value *values = graph->values;
      tb_vid into = values[y].root, from = values[x].root;
      /* Value of FROM = value of INTO + DELTA.  */
      tb_word delta = values[y].offset + offset - values[x].offset;
      if (into == from)
	{
	  if (delta != 0)
	    graph->conflict = true;
	  return;
	}
      if (values[from].size > values[into].size)
	{
	  tb_vid swap = into;
	  into = from;
	  from = swap;
	  delta = -delta;
	}
      tb_vid m = from;
      do
	{
	  values[m].root = into;
	  values[m].offset += delta;
	  wake (graph, m);
	  m = values[m].next;
	}
      while (m != from);
      tb_vid next = values[into].next;
      values[into].next = values[from].next;
      values[from].next = next;
      values[into].size += values[from].size;
    }
}

bool
tb_graph_difference (const struct tb_graph *graph, tb_vid a, tb_vid b,
		     tb_word *difference)
{
  struct tb_known ka = tb_graph_known (graph, a);
  struct tb_known kb = tb_graph_known (graph, b);
  if (tb_known_all (ka) && tb_known_all (kb))
    *difference = ka.bits - kb.bits;
  else if (!((a | b) & TB_CONSTANT)
	   && graph->values[a].root == graph->values[b].root)
    *difference = graph->values[a].offset - graph->values[b].offset;
  else
    return false;
  return true;
}

/* Take the next node off the queues; false: there is none.  */
static bool
next_node (struct tb_graph *graph, uint32_t *number)
{
  if (graph->done == graph->nqueue[0])
    {
      uint32_t *swap = graph->queue[0];
      size_t swap_room = graph->queue_room[0];
      graph->queue[0] = graph->queue[1];
      graph->queue_room[0] = graph->queue_room[1];
      graph->nqueue[0] = graph->nqueue[1];
      graph->queue[1] = swap;
      graph->queue_room[1] = swap_room;
      graph->nqueue[1] = 0;
      graph->done = 0;
      if (graph->nqueue[0] == 0)
	return false;
    }
  *number = graph->queue[0][graph->done++];
  graph->nodes[*number].queued = false;
  return true;
}

static void
look_at (struct tb_graph *graph, uint32_t number)
{
  const struct tb_node *node = &graph->nodes[number];
  graph->cause = TB_CAUSE_MEMORY;
  if (node->op == TB_NODE_LOAD || node->op == TB_NODE_STORE)
    graph->access_changed (graph->context, node->v[0]);
  else
    {
      /* Rules may add nodes and so move them.  */
      struct tb_node copy = *node;
      graph->cause = number + TB_CAUSE_NODE;
      tb_rule_apply (graph, &copy);
    }
}

void
tb_graph_solve (struct tb_graph *graph)
{
  uint32_t number;
  while (!graph->conflict && !graph->failed && next_node (graph, &number))
    look_at (graph, number);
}

void
tb_graph_try (struct tb_graph *graph, tb_vid id, tb_word value,
	      size_t *visits)
{
  uint32_t number;
  graph->trial = true;
  graph->nundo = 0;
  tb_graph_set (graph, id, value);
  /* What is noted costs as well: a class may be large.  */
  while (!graph->conflict && !graph->failed && *visits > graph->nundo
	 && next_node (graph, &number))
    {
      --*visits;
      look_at (graph, number);
    }
  *visits -= graph->nundo < *visits ? graph->nundo : *visits;
}

void
tb_graph_undo (struct tb_graph *graph)
{
  uint32_t number;
  while (next_node (graph, &number))
    continue;
  while (graph->nundo > 0)
    {
      const struct tb_graph_undo *u = &graph->undo[--graph->nundo];
      struct tb_graph_value *v = &graph->values[u->id];
      v->known = u->known;
      v->cause = u->cause;
      v->narrowed = u->narrowed;
    }
  graph->trial = false;
  graph->conflict = false;
}
