/* What is assumed of the values of a window.  See facts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/facts.h"

/* PAIR is half of another window.  */
static void
state_half (struct tb_graph *graph, const struct tb_assumed_pair *pair)
{
  uint32_t cause = graph->cause;
  graph->cause = TB_CAUSE_BORDER;
  for (unsigned k = 0; k < TB_KEPT_MOST; k++)
    {
      const struct tb_border_register *r = &pair->outside->kept[k];
      tb_vid name = pair->before[k] != 0 ? pair->before[k] : pair->after[k];
      if (name != 0 && r->mask != 0)
	tb_graph_set_bits (graph, name, r->mask, r->bits);
    }
  graph->cause = cause;
}

static void
state_pair (struct tb_graph *graph, const struct tb_assumed_pair *pair)
{
  if (pair->outside != NULL)
    {
      state_half (graph, pair);
      return;
    }
  if (pair->kind == TB_PAIR_FRAME || pair->kind == TB_PAIR_LEFT)
    {
      tb_graph_equal (graph, pair->before[0], tb_graph_constant (graph, pair->to));
      return;
    }
  for (unsigned k = 0; k < TB_KEPT_MOST; k++)
    if (pair->before[k] != 0 && pair->after[k] != 0)
      tb_graph_equal (graph, pair->before[k], pair->after[k]);
}

void
tb_facts_state (struct tb_facts *facts, struct tb_graph *graph, size_t pairs,
		size_t constants)
{
  facts->task_nodes = facts->kept_nodes = facts->saved_nodes = graph->nnodes;
  for (size_t i = 0; i < pairs && !graph->failed && !graph->conflict; i++)
    {
      if (!facts->pairs.items[i].disproved)
	state_pair (graph, &facts->pairs.items[i]);
      if (i < facts->ntasks)
	facts->kept_nodes = graph->nnodes;
      if (i < facts->nkept)
	facts->saved_nodes = graph->nnodes;
    }
  facts->kept_nodes_end = graph->nnodes;
  graph->cause = TB_CAUSE_CONSTANTS;
  for (size_t i = 0; i < constants && !graph->failed && !graph->conflict; i++)
    {
      const struct tb_assumed_constant *constant = &facts->constants[i];
      if (constant->disproved)
	continue;
      if (constant->base != 0)
	tb_graph_node (graph, TB_OP_ADD, constant->name, constant->base,
		       tb_graph_constant (graph, constant->value));
      else
	tb_graph_set (graph, constant->name, constant->value);
    }
  facts->constant_nodes_end = graph->nnodes;
  graph->cause = TB_CAUSE_OBJECTS;
  for (size_t i = 0; i < facts->ranges_stated && !graph->failed && !graph->conflict; i++)
    if (!facts->ranges[i].disproved)
      tb_graph_set_range (graph, facts->ranges[i].address, facts->ranges[i].low,
			  facts->ranges[i].high);
}
