/* Solving the graph: which nodes are looked at, and trials.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nodes are looked at in their order, forward and backward in turns, so that what
   comes from one end gets to the other at once; in a trial in the order in which they
   were reached, so that it stays near.  Intervals that shrink, which in a loop go one
   by one through the whole trace, have to wait: most of these values become known by
   something else.  */

#include "config.h"
#include "state/solver/graph-nodes.h"

/* Take the next node of a trial off the queue; false: there is none.  */
static bool
next_of_trial (struct tb_graph *graph, uint32_t *number)
{
  while (graph->queue_next < graph->queue_end)
    {
      *number = graph->queue[graph->queue_next++];
      if (tb_marks_has (&graph->queued, *number))
	{
	  tb_marks_clear (&graph->queued, *number);
	  return true;
	}
    }
  return false;
}

static void
look_at (struct tb_graph *graph, uint32_t number)
{
  struct tb_node node;
  if (!tb_poll_goes_on (graph->poll, 1))
    graph->failed = true;
  tb_node_decode (graph, number, &node);
  graph->cause = TB_CAUSE_MEMORY;
  if (tb_node_is_access (node.op))
    graph->access_changed (graph->context, node.v[0]);
  else
    {
      graph->cause = number + TB_CAUSE_NODE;
      /* It need not be told what it has found out itself.  */
      if (tb_rule_apply (graph, node.op, node.x | (unsigned) node.y << 4, node.v[0],
			 node.v[1], node.v[2])
	  && tb_marks_has (&graph->queued, number))
	tb_marks_clear (&graph->queued, number);
    }
}

/* Do what comes next; false: there is nothing, or no sense in it.  */
static inline bool
go_on (struct tb_graph *graph)
{
  size_t number;
  if (graph->conflict || graph->failed)
    return false;
  if (tb_marks_take (&graph->queued, &number))
    look_at (graph, (uint32_t) number);
  else if (!tb_marks_take (&graph->narrowed, &number))
    return false;
  else if (!graph->values[number].all)
    tb_graph_wake (graph, (tb_vid) number);
  return true;
}

void
tb_graph_solve (struct tb_graph *graph)
{
  while (go_on (graph))
    continue;
}

void
tb_graph_solve_for (struct tb_graph *graph, tb_vid id)
{
  while ((id == 0 || tb_graph_open (graph, id)) && go_on (graph))
    continue;
}

bool
tb_graph_solve_some (struct tb_graph *graph, unsigned units)
{
  while (units > 0 && go_on (graph))
    units--;
  return units == 0;
}

/* May a value of NODE become wholly known now by the others, or may they contradict
   each other?  */
static bool
may_settle (const struct tb_graph *graph, const struct tb_node *node)
{
  bool open[3] = { false };
  unsigned count = 0;
  for (unsigned k = tb_node_is_access (node->op); k < 3; k++)
    {
      open[k] = node->v[k] != 0 && tb_graph_open (graph, node->v[k]);
      count += open[k];
    }
  switch (node->op)
    {
    case TB_NODE_BYTE: case TB_NODE_LOAD:
      return true;
    case TB_NODE_STORE:
    case TB_NODE_IF0: case TB_NODE_IF1:
      return count < 2;
    default:
      return node->op <= TB_OP_LAST_VALUE && tb_op_is (node->op, TB_REVERSIBLE)
	     ? count < 2 : count == open[0];
    }
}

/* Look at node NUMBER in a trial.  */
static void
look_in_trial (struct tb_graph *graph, uint32_t number)
{
  struct tb_node node;
  if (graph->exact)
    {
      tb_node_decode (graph, number, &node);
      if (!may_settle (graph, &node))
	return;
    }
  look_at (graph, number);
}

void
tb_graph_try (struct tb_graph *graph, tb_vid id, tb_word value,
	      bool exact, size_t *visits)
{
  uint32_t number;
  graph->trial = true;
  graph->exact = exact;
  graph->nundo = 0;
  graph->queue_next = graph->queue_end = 0;
  tb_graph_set (graph, id, value);
  /* What is noted costs as well: a value may have many users.  */
  size_t narrowed;
  while (!graph->conflict && !graph->failed && *visits > graph->nundo)
    if (next_of_trial (graph, &number))
      {
	--*visits;
	look_in_trial (graph, number);
      }
    else if (!tb_marks_take (&graph->narrowed, &narrowed))
      break;
    else if (!graph->values[narrowed].all)
      tb_graph_wake (graph, (tb_vid) narrowed);
  *visits -= graph->nundo < *visits ? graph->nundo : *visits;
}

void
tb_graph_undo (struct tb_graph *graph)
{
  uint32_t number;
  size_t narrowed;
  while (next_of_trial (graph, &number))
    continue;
  while (tb_marks_take (&graph->narrowed, &narrowed))
    continue;
  while (graph->nundo > 0)
    tb_graph_restore (graph, &graph->undo[--graph->nundo]);
  graph->trial = graph->exact = false;
  graph->conflict = false;
}
