/* Solving the graph: which nodes are looked at, and trials.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nodes are looked at in their order, forward and backward in turns, so that what
   comes from one end gets to the other at once; in a trial in the order in which they
   were reached, so that it stays near.  */

#include "config.h"
#include "state/graph-nodes.h"

/* The first bit of MAP (COUNT words, if they are not all 0) from AT on; false:
   there is none.  */
static bool
find_up (const uint64_t *map, size_t count, size_t at, size_t *found)
{
  size_t word = at >> 6;
  if (word >= count)
    return false;
  uint64_t bits = map[word] & UINT64_MAX << (at & 63);
  while (bits == 0)
    {
      if (++word >= count)
	return false;
      bits = map[word];
    }
  *found = word << 6 | (unsigned) __builtin_ctzll (bits);
  return true;
}

/* The last one before AT.  */
static bool
find_down (const uint64_t *map, size_t at, size_t *found)
{
  size_t word = at >> 6;
  uint64_t bits = (at & 63) != 0 ? map[word] & UINT64_MAX >> (64 - (at & 63))
		  : 0;
  while (bits == 0)
    {
      if (word-- == 0)
	return false;
      bits = map[word];
    }
  *found = word << 6 | (63 - (unsigned) __builtin_clzll (bits));
  return true;
}

/* The next node that is queued, in this direction, from AT on.  */
static bool
find_queued (const struct tb_graph *graph, size_t *number)
{
  size_t word = graph->at >> 6;
  uint64_t here = graph->queued[word];
  if (!graph->backward)
    {
      here &= UINT64_MAX << (graph->at & 63);
      if (here != 0)
	*number = word << 6 | (unsigned) __builtin_ctzll (here);
      else if (find_up (graph->queued_64, graph->queued_room / 64, word + 1,
			&word))
	*number = word << 6
		  | (unsigned) __builtin_ctzll (graph->queued[word]);
      else
	return false;
      return true;
    }
  here &= (graph->at & 63) != 0 ? UINT64_MAX >> (64 - (graph->at & 63)) : 0;
  if (here != 0)
    *number = word << 6 | (63 - (unsigned) __builtin_clzll (here));
  else if (find_down (graph->queued_64, word, &word))
    *number = word << 6
	      | (63 - (unsigned) __builtin_clzll (graph->queued[word]));
  else
    return false;
  return true;
}

/* NODE is no longer queued.  */
static void
dequeue (struct tb_graph *graph, size_t node)
{
  uint64_t *word = &graph->queued[node >> 6];
  *word &= ~(UINT64_C (1) << (node & 63));
  if (*word == 0)
    graph->queued_64[node >> 12] &= ~(UINT64_C (1) << (node >> 6 & 63));
  graph->nqueued--;
}

/* Take the next node of a trial off the queue; false: there is none.  */
static bool
next_of_trial (struct tb_graph *graph, uint32_t *number)
{
  while (graph->queue_next < graph->queue_end)
    {
      *number = graph->queue[graph->queue_next++];
      if (graph->queued[*number >> 6] >> (*number & 63) & 1)
	{
	  dequeue (graph, *number);
	  return true;
	}
    }
  return false;
}

static void
look_at (struct tb_graph *graph, uint32_t number)
{
  struct tb_node node;
  tb_node_decode (graph, number, &node);
  graph->cause = TB_CAUSE_MEMORY;
  if (tb_node_is_access (node.op))
    graph->access_changed (graph->context, node.v[0]);
  else
    {
      graph->cause = number + TB_CAUSE_NODE;
      /* It need not be told what it has found out itself.  */
      if (tb_rule_apply (graph, node.op, node.x | node.y << 4u, node.v[0],
			 node.v[1], node.v[2])
	  && graph->queued[number >> 6] >> (number & 63) & 1)
	dequeue (graph, number);
    }
}

void
tb_graph_solve (struct tb_graph *graph)
{
  while (!graph->conflict && !graph->failed && graph->nqueued != 0)
    {
      size_t number;
      if (find_queued (graph, &number))
	{
	  graph->at = graph->backward ? number : number + 1;
	  dequeue (graph, number);
	  look_at (graph, (uint32_t) number);
	}
      else
	graph->backward = !graph->backward;
    }
}

void
tb_graph_try (struct tb_graph *graph, tb_vid id, tb_word value,
	      size_t *visits)
{
  uint32_t number;
  graph->trial = true;
  graph->nundo = 0;
  graph->queue_next = graph->queue_end = 0;
  tb_graph_set (graph, id, value);
  /* What is noted costs as well: a value may have many users.  */
  while (!graph->conflict && !graph->failed && *visits > graph->nundo
	 && next_of_trial (graph, &number))
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
  while (next_of_trial (graph, &number))
    continue;
  while (graph->nundo > 0)
    tb_graph_restore (graph, &graph->undo[--graph->nundo]);
  graph->trial = false;
  graph->conflict = false;
}
