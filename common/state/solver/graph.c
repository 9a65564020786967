/* The graph of values: its storage, values and constants.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/graph-nodes.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

void
tb_graph_init (struct tb_graph *graph, unsigned bits)
{
  memset (graph, 0, sizeof *graph);
  graph->bits = bits;
  graph->ones = UINT64_MAX >> (64 - bits);
  graph->nvalues = 1;
  graph->nnodes = 1;
}

/* Let go of what only solving needs.  */
static void
free_solving (struct tb_graph *graph)
{
  free (graph->nodes);
  free (graph->bases);
  tb_marks_fini (&graph->queued);
  tb_marks_fini (&graph->narrowed);
  free (graph->queue);
  free (graph->causes);
  free (graph->undo);
  free (graph->shape_hash);
  free (graph->uses);
  graph->nodes = NULL;
  graph->bases = NULL;
  graph->queue = NULL;
  graph->causes = NULL;
  graph->undo = NULL;
  graph->shape_hash = NULL;
  graph->uses = NULL;
  graph->nodes_room = graph->bases_room = graph->queue_room = 0;
  graph->causes_room = graph->undo_room = 0;
}

static void
free_parts (struct tb_graph *graph)
{
  free (graph->parts);
  free (graph->highs);
  graph->parts = NULL;
  graph->highs = NULL;
  graph->parts_room = graph->highs_room = 0;
}

void
tb_graph_fini (struct tb_graph *graph)
{
  free_solving (graph);
  free (graph->values);
  free (graph->words);
  free (graph->kinds);
  free_parts (graph);
  free (graph->shapes);
  free (graph->constants);
  free (graph->interned);
  memset (graph, 0, sizeof *graph);
}

void
tb_graph_freeze (struct tb_graph *graph)
{
  if (graph->kinds != NULL)
    return;
  free_solving (graph);
  uint8_t *kinds = malloc (graph->nvalues);
  if (kinds == NULL)
    return;
  kinds[0] = 0;
  for (size_t i = 1; i < graph->nvalues; i++)
    kinds[i] = (uint8_t) tb_value_kind (&graph->values[i]);
  /* Their words go where the values were: each is not behind its value.  */
  unsigned char *words = (unsigned char *) graph->values;
  size_t size = graph->bits / 8;
  for (size_t i = 1; i < graph->nvalues; i++)
    {
      const struct tb_graph_value *v = &graph->values[i];
      tb_word word = kinds[i] == TB_KIND_PART ? graph->parts[v->low].shape
		     : tb_value_word (v);
      uint32_t low = (uint32_t) word;
      memcpy (words + i * size, size == sizeof low ? (void *) &low : &word, size);
    }
  void *items = graph->values;
  size_t room = graph->values_room;
  if (items != NULL)
    tb_fit (&items, &room, graph->nvalues, size);
  free_parts (graph);
  graph->words = items;
  graph->kinds = kinds;
  graph->values = NULL;
  graph->values_room = 0;
}

bool
tb_graph_grow (struct tb_graph *graph, void *items, size_t *capacity,
	       size_t count, size_t extra, size_t size)
{
  void **array = items;
  if (graph->expected && count >= 1024 && count < TB_MOST_PLACES)
    tb_fit (array, capacity,
	    count + extra + count / (graph->built ? 64 : 16), size);
  if (count >= TB_MOST_PLACES
      || !tb_grow (array, capacity, count, extra, size))
    graph->failed = true;
  return !graph->failed;
}

size_t
tb_graph_bytes (const struct tb_graph *g)
{
  return g->values_room * sizeof *g->values
	 + (g->kinds != NULL ? g->nvalues * (g->bits / 8 + 1) : 0)
	 + g->parts_room * sizeof *g->parts + g->highs_room * sizeof *g->highs
	 + g->shapes_room * (sizeof *g->shapes
			     + (g->uses != NULL ? sizeof *g->uses : 0))
	 + (g->shape_hash != NULL ? g->shape_heads : 0) * sizeof (uint32_t)
	 + g->nodes_room * sizeof *g->nodes + g->bases_room * sizeof *g->bases
	 + tb_marks_bytes (&g->queued) + tb_marks_bytes (&g->narrowed)
	 + g->constants_room * sizeof *g->constants
	 + (g->interned_room + g->queue_room) * sizeof (uint32_t)
	 + g->causes_room * sizeof *g->causes
	 + g->undo_room * sizeof *g->undo;
}

/* Make room for just so many values, and units of nodes.  */
static void
fit (struct tb_graph *graph, size_t values, size_t nodes)
{
  if (graph->failed || nodes > TB_MOST_PLACES || values > TB_MOST_VALUES)
    return;
  TB_FIT (graph->values, graph->values_room, values);
  if (graph->causes_on)
    TB_FIT (graph->causes, graph->causes_room, values);
  TB_FIT (graph->nodes, graph->nodes_room, nodes);
}

void
tb_graph_expect (struct tb_graph *graph, double times)
{
  graph->expected = true;
  fit (graph, (size_t) ((double) graph->nvalues * times) + 64,
       (size_t) ((double) graph->nnodes * times) + 256);
}

void
tb_graph_trim (struct tb_graph *graph)
{
  fit (graph, graph->nvalues + graph->nvalues / 256 + 16,
       graph->nnodes + graph->nnodes / 256 + 64);
  graph->expected = graph->built = true;
}

tb_vid
tb_graph_new (struct tb_graph *graph)
{
  tb_vid id = (tb_vid) graph->nvalues;
  if (id >= TB_MOST_VALUES)
    graph->failed = true;
  if (graph->failed
      || !tb_graph_room (graph, &graph->values, &graph->values_room,
			 graph->nvalues, 1, sizeof *graph->values)
      || (graph->causes_on
	  && !tb_graph_room (graph, &graph->causes, &graph->causes_room,
			     graph->nvalues, 1, sizeof *graph->causes)))
    return 0;
  graph->nvalues++;
  graph->values[id] = (struct tb_graph_value) {
    .low = 1, .parent = id & (TB_MOST_VALUES - 1),
    .kind = graph->bits == 32 ? TB_KIND_LOW : TB_KIND_NOTHING
  };
  if (graph->causes_on)
    graph->causes[id] = (struct tb_graph_cause) { .cause = TB_CAUSE_NONE };
  return id;
}

static size_t
hash (tb_word c)
{
  uint32_t folded = (uint32_t) (c >> 32 ^ c);
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
  c &= graph->ones;
  if (2 * (graph->nconstants + 1) > graph->interned_room)
    grow_interned (graph);
  if (graph->failed)
    return 0;
  size_t at = hash (c) & (graph->interned_room - 1);
  for (; graph->interned[at] != 0;
       at = (at + 1) & (graph->interned_room - 1))
    if (graph->constants[graph->interned[at] - 1] == c)
      return TB_CONSTANT | (graph->interned[at] - 1);
  if (!tb_graph_room (graph, &graph->constants, &graph->constants_room,
		      graph->nconstants, 1, sizeof *graph->constants))
    return 0;
  graph->constants[graph->nconstants] = c;
  graph->interned[at] = (uint32_t) ++graph->nconstants;
  return TB_CONSTANT | (uint32_t) (graph->nconstants - 1);
}
