/* Nodes of the graph, and the uses of values.  See graph-nodes.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/graph-nodes.h"

#include <stdlib.h>

/* Of a node at most.  */
#define MOST_UNITS 20

/* How far the base of a block is above the first values in it.  */
#define ABOVE 4096

void
tb_graph_wake (struct tb_graph *graph, tb_vid id)
{
  uint32_t use = graph->values[id].users;
  if (!graph->trial)
    for (; use != 0; use = tb_node_use_before (graph, use, id))
      tb_graph_enqueue (graph, use);
  else
    for (; use != 0; use = tb_node_use_before (graph, use, id))
      if (!tb_marks_has (&graph->queued, use)
	  && tb_graph_room (graph, &graph->queue, &graph->queue_room,
			    graph->queue_end, 1, sizeof *graph->queue))
	{
	  graph->queue[graph->queue_end++] = use;
	  tb_graph_enqueue (graph, use);
	}
}

void
tb_graph_wake_later (struct tb_graph *graph, tb_vid id)
{
  uint32_t use = graph->values[id].users;
  while (use != 0 && tb_marks_has (&graph->queued, use))
    use = tb_node_use_before (graph, use, id);
  if (use == 0)
    return;
  if (tb_marks_room (&graph->narrowed, graph->nvalues))
    tb_marks_set (&graph->narrowed, id);
  else
    graph->failed = true;
}

struct tb_node
tb_graph_node_at (const struct tb_graph *graph, size_t number)
{
  struct tb_node node;
  tb_node_decode (graph, number, &node);
  return node;
}

size_t
tb_graph_maker (const struct tb_graph *graph, tb_vid id)
{
  size_t maker = 0;
  struct tb_node node;
  for (uint32_t use = graph->values[id].users, before; use != 0; use = before)
    {
      before = tb_node_use (graph, use, id, &node);
      bool newest = node.op != TB_NODE_BYTE && node.op != TB_NODE_STORE;
      for (unsigned k = node.op == TB_NODE_LOAD; k < 3; k++)
	newest &= node.v[k] & TB_CONSTANT || node.v[k] <= id;
      if (newest)
	maker = use;
    }
  return maker;
}

/* Room for one more node; a bit of each place, too.  */
static bool
make_room (struct tb_graph *graph)
{
  if (!tb_graph_room (graph, &graph->nodes, &graph->nodes_room, graph->nnodes,
		      MOST_UNITS, sizeof *graph->nodes)
      || !tb_graph_room (graph, &graph->bases, &graph->bases_room,
			 graph->nbases, 1, sizeof *graph->bases))
    return false;
  if ((graph->nnodes + MOST_UNITS) >> 6 >= graph->queued.room
      && !tb_marks_room (&graph->queued, graph->nodes_room))
    graph->failed = true;
  return !graph->failed;
}

/* The units of a node that is being made.  */
struct units
{
  uint16_t *at;
};

static void
put_far (struct units *u, uint32_t pair)
{
  *u->at++ = TB_UNIT_FAR;
  *u->at++ = (uint16_t) pair;
  *u->at++ = (uint16_t) (pair >> 16);
}

static void
put_value (struct units *u, uint32_t base, tb_vid id)
{
  uint32_t below = base - id, constant = id & ~TB_CONSTANT;
  if (!(id & TB_CONSTANT) && below < TB_UNIT_CONSTANT)
    *u->at++ = (uint16_t) below;
  else if (id & TB_CONSTANT && constant < TB_UNIT_FAR - TB_UNIT_CONSTANT)
    *u->at++ = (uint16_t) (TB_UNIT_CONSTANT + constant);
  else
    put_far (u, id);
}

/* The base of the block of the next node, which has the values V.  */
static struct tb_graph_base *
find_base (struct tb_graph *graph, bool access, const uint32_t v[3])
{
  size_t block = graph->nnodes >> TB_BLOCK_BITS;
  if (block == graph->nbases)
    {
      tb_vid most = 0;
      for (unsigned k = access; k < 3; k++)
	if (!(v[k] & TB_CONSTANT) && v[k] > most)
	  most = v[k];
      graph->bases[graph->nbases++] = (struct tb_graph_base) {
	.value = most + ABOVE
      };
    }
  struct tb_graph_base *base = &graph->bases[block];
  if (access && base->access == 0)
    base->access = v[0];
  return base;
}

static void
add_node (struct tb_graph *graph, unsigned op, const uint32_t v[3],
	  unsigned bytes)
{
  bool access = tb_node_is_access (op);
  if (graph->nnodes >= TB_MOST_PLACES)
    graph->failed = true;
  if (graph->failed || !make_room (graph))
    return;
  const struct tb_graph_base *base = find_base (graph, access, v);
  uint32_t number = (uint32_t) graph->nnodes;
  unsigned h = op;
  struct units u = { .at = &graph->nodes[number + 1] };
  if (!access)
    put_value (&u, base->value, v[0]);
  else if (v[0] - base->access < TB_UNIT_FAR)
    *u.at++ = (uint16_t) (v[0] - base->access);
  else
    put_far (&u, v[0]);
  put_value (&u, base->value, v[1]);
  if (v[2] == 0)
    h |= TB_UNIT_TWO;
  else
    put_value (&u, base->value, v[2]);
  if (op == TB_NODE_BYTE)
    *u.at++ = (uint16_t) bytes;
  for (unsigned k = access; k < 3; k++)
    {
      if (v[k] & TB_CONSTANT || v[k] == 0)
	continue;
      struct tb_graph_value *value = &graph->values[v[k]];
      uint32_t before = value->users;
      if (before == number)	/* It has it twice.  */
	continue;
      value->users = number & (TB_MOST_PLACES - 1);
      if (before == 0)
	continue;
      h |= TB_UNIT_LINK (k);
      if (number - before < TB_UNIT_FAR)
	*u.at++ = (uint16_t) (number - before);
      else
	put_far (&u, number - before);
    }
  graph->nodes[number] = (uint16_t) h;
  graph->nnodes = (size_t) (u.at - graph->nodes);
  tb_graph_enqueue (graph, number);
}

void
tb_graph_node (struct tb_graph *graph, unsigned op, uint32_t v0, tb_vid v1,
	       tb_vid v2)
{
  add_node (graph, op, (uint32_t[]) { v0, v1, v2 }, 0);
}

void
tb_graph_byte (struct tb_graph *graph, tb_vid a, unsigned x, tb_vid b,
	       unsigned y)
{
  add_node (graph, TB_NODE_BYTE, (uint32_t[]) { a, b, 0 }, x | y << 4);
}

void
tb_graph_equal (struct tb_graph *graph, tb_vid a, tb_vid b)
{
  if (a != b)
    tb_graph_node (graph, TB_OP_ADD, a, b, tb_graph_constant (graph, 0));
}

/* By what values are alike: so many of their nodes, by values so near.  */
#define LOOK_NODES 8
#define LOOK_NEAR 64

static inline uint32_t
mix (uint32_t sum, uint32_t more)
{
  return ((sum << 5 | sum >> 27) ^ more) * UINT32_C (0x9e3779b1);
}

/* What V looks like from ID.  */
static uint32_t
look_from (const struct tb_graph *g, tb_vid id, tb_vid v)
{
  if (v & TB_CONSTANT || v == 0)
    return v;
  uint32_t away = v + LOOK_NEAR - id;
  if (away > 2 * LOOK_NEAR)
    away = 2 * LOOK_NEAR + 1;
  return away << 1 | g->values[v].all;
}

uint32_t
tb_graph_look (const struct tb_graph *g, tb_vid id, uint32_t kind)
{
  struct tb_node node;
  uint32_t look = kind ^ (uint32_t) tb_graph_known (g, id).mask, before;
  unsigned left = LOOK_NODES;
  for (uint32_t use = g->values[id].users; use != 0 && left-- > 0; use = before)
    {
      before = tb_node_use (g, use, id, &node);
      look = mix (look, node.op);
      for (unsigned k = tb_node_is_access (node.op); k < 3; k++)
	look = mix (look, look_from (g, id, node.v[k]));
    }
  return look >> (32 - TB_LOOK_BITS);
}
