/* Classes of values: the same symbol plus a constant.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   When one of a class becomes known its nodes tell the others: each class is what the
   nodes made of it that add a constant, or found two values to be the same.  */

#include "config.h"
#include "state/solver/graph-nodes.h"

tb_vid
tb_graph_class (const struct tb_graph *graph, tb_vid id, tb_word *offset)
{
  const struct tb_graph_value *v = &graph->values[id];
  tb_word sum = 0;
  while (!v->all && v->parent != id)
    {
      sum += tb_value_offset (graph, v);
      id = v->parent;
      v = &graph->values[id];
    }
  *offset = sum & graph->ones;
  return id;
}

/* May NODE conclude anything of two of its values being of one class?  */
static bool
asks_class (const struct tb_graph *graph, const struct tb_node *node)
{
  tb_word k;
  tb_vid d = node->v[0], a = node->v[1], b = node->v[2];
  if (node->op != TB_OP_ADD && node->op != TB_OP_LTU && node->op != TB_OP_LTS)
    return false;
  if (node->op == TB_OP_ADD)
    return (tb_graph_open (graph, b) && tb_graph_difference (graph, d, a, &k))
	   || (tb_graph_open (graph, a)
	       && tb_graph_difference (graph, d, b, &k));
  return tb_graph_open (graph, a) && tb_graph_open (graph, b)
	 && tb_graph_difference (graph, a, b, &k)
	 && (node->op == TB_OP_LTU || (k == 0 && tb_graph_open (graph, d)));
}

/* A member of a class that gets the root INTO, DELTA further.  */
static void
move (struct tb_graph *graph, tb_vid id, tb_vid into, tb_word delta)
{
  struct tb_graph_value *v = &graph->values[id];
  tb_graph_put_offset (graph, id, tb_value_offset (graph, v) + delta);
  v->parent = into & (TB_MOST_VALUES - 1);
}

/* Give the members of the class FROM, of which ID is one, the root INTO.  They hang
   together by nodes.  Some of these may conclude something of it.  */
static void
move_class (struct tb_graph *graph, tb_vid from, tb_vid id, tb_vid into,
	    tb_word delta)
{
  struct tb_node node;
  uint32_t before;
  size_t count = 1;
  tb_graph_put_offset (graph, from, 0);
  if (!tb_graph_room (graph, &graph->queue, &graph->queue_room, 0, 1,
		      sizeof *graph->queue))
    return;
  graph->queue[0] = id;
  move (graph, id, into, delta);
  for (size_t i = 0; i < count; i++)
    {
      id = graph->queue[i];
      for (uint32_t use = graph->values[id].users; use != 0; use = before)
	{
	  before = tb_node_use (graph, use, id, &node);
	  for (unsigned k = tb_node_is_access (node.op) ? 3 : 0; k < 3; k++)
	    if (node.v[k] != 0 && tb_graph_open (graph, node.v[k])
		&& graph->values[node.v[k]].parent == from
		&& tb_graph_room (graph, &graph->queue, &graph->queue_room,
				  count, 1, sizeof *graph->queue))
	      {
		move (graph, node.v[k], into, delta);
		graph->queue[count++] = node.v[k];
	      }
	}
    }
  if (graph->values[from].parent == from)
    move (graph, from, into, delta);
  for (size_t i = 0; i < count; i++)
    for (uint32_t use = graph->values[graph->queue[i]].users; use != 0;
	 use = before)
      {
	before = tb_node_use (graph, use, graph->queue[i], &node);
	if (asks_class (graph, &node))
	  tb_graph_enqueue (graph, use);
      }
}

/* X is Y + OFFSET; both are open.  */
static void
join (struct tb_graph *graph, tb_vid x, tb_vid y, tb_word offset)
{
  struct tb_graph_value *values = graph->values;
  tb_word of_x, of_y;
  tb_vid from = tb_graph_class (graph, x, &of_x);
  tb_vid into = tb_graph_class (graph, y, &of_y);
  if (from == into)
    {
      if (of_x != ((of_y + offset) & graph->ones))
	graph->conflict = true;
      return;
    }
  /* One of the class may be known just now.  */
  if (values[from].all)
    {
      tb_graph_set (graph, y, tb_value_word (&values[from]) + of_x - offset);
      return;
    }
  if (values[into].all)
    {
      tb_graph_set (graph, x, tb_value_word (&values[into]) + of_y + offset);
      return;
    }
  /* Value of FROM = value of INTO + DELTA.  */
  tb_word delta = of_y + offset - of_x;
  tb_word from_size = tb_value_offset (graph, &values[from]);
  tb_word into_size = tb_value_offset (graph, &values[into]);
  if (from_size > into_size)
    {
      tb_vid swap = into;
      into = from;
      from = swap;
      x = y;
      delta = -delta;
    }
  move_class (graph, from, x, into, delta);
  tb_graph_put_offset (graph, into, into_size + from_size);
}

/* The root of ID's class, whatever is known of it; where causes are kept.  */
static tb_vid
root (const struct tb_graph *graph, tb_vid id)
{
  for (;;)
    {
      const struct tb_graph_value *v = &graph->values[id];
      tb_vid parent = v->all ? graph->causes[id].parent : v->parent;
      if (parent == id)
	return id;
      id = parent;
    }
}

/* X becomes known as it is the known Y plus a constant.  */
static void
follow (struct tb_graph *graph, tb_vid x, tb_vid y, tb_word value)
{
  uint32_t cause = graph->cause;
  if (graph->causes_on && !(x & TB_CONSTANT) && !(y & TB_CONSTANT)
      && root (graph, x) == root (graph, y))
    {
      uint32_t from = graph->causes[y].cause;
      graph->cause = from & TB_CAUSE_CLASS ? from : y | TB_CAUSE_CLASS;
    }
  tb_graph_set (graph, x, value);
  graph->cause = cause;
}

void
tb_graph_link (struct tb_graph *graph, tb_vid x, tb_vid y, tb_word offset)
{
  tb_word word;
  if (tb_graph_settled (graph, y, &word))
    follow (graph, x, y, word + offset);
  else if (tb_graph_settled (graph, x, &word))
    follow (graph, y, x, word - offset);
  else if (!graph->trial)
    join (graph, x, y, offset);
}

bool
tb_graph_difference (const struct tb_graph *graph, tb_vid a, tb_vid b,
		     tb_word *difference)
{
  tb_word x, y;
  bool known = tb_graph_settled (graph, a, &x);
  if (known != tb_graph_settled (graph, b, &y))
    return false;
  if (known)
    *difference = (x - y) & graph->ones;
  else
    {
      tb_word of_a, of_b;
      if (tb_graph_class (graph, a, &of_a) != tb_graph_class (graph, b, &of_b))
	return false;
      *difference = (of_a - of_b) & graph->ones;
    }
  return true;
}
