/* Inside of the graph: nodes, and what its files share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A node is a few units of 16 bits: one that says what it is, its values, and for each
   of these that an older node has too the way back to that one, so that the uses of
   a value are a chain from the newest to the oldest.  Values are told by how far they
   are from one that the nodes of a block are near.  */

#ifndef TB_STATE_SOLVER_GRAPH_NODES_H
#define TB_STATE_SOLVER_GRAPH_NODES_H

#include "state/solver/graph.h"

/* A loop could narrow an interval one by one, for ever.  */
#define TB_NARROW_LIMIT 40

/* Places of nodes; values.  */
#define TB_MOST_PLACES (1u << TB_PLACE_BITS)
#define TB_MOST_VALUES (1u << TB_VALUE_BITS)

/* The first unit of a node: bits 0 to 7 are the operation, then come: value K has a
   link; there is no value 2.  */
#define TB_UNIT_LINK(k) (0x100u << (k))
#define TB_UNIT_LINKS 0x700u
#define TB_UNIT_TWO 0x800u

/* Units of a block, in powers of two.  */
#define TB_BLOCK_BITS 12

/* A unit that tells of a value: how far it is below the base, or from TB_UNIT_CONSTANT
   on the number of a constant, or that the next two tell.  A link: how far back, or
   that.  */
#define TB_UNIT_CONSTANT 0xc000u
#define TB_UNIT_FAR 0xffffu

static inline uint32_t
tb_unit_pair (const uint16_t **at)
{
  uint32_t pair = (*at)[0] | (uint32_t) (*at)[1] << 16;
  *at += 2;
  return pair;
}

static inline uint32_t
tb_unit_value (const uint16_t **at, uint32_t base)
{
  uint32_t unit = *(*at)++;
  if (unit < TB_UNIT_CONSTANT)
    return base - unit;
  if (unit < TB_UNIT_FAR)
    return TB_CONSTANT | (unit - TB_UNIT_CONSTANT);
  return tb_unit_pair (at);
}

static inline bool
tb_node_is_access (unsigned op)
{
  return op == TB_NODE_LOAD || op == TB_NODE_STORE;
}

/* Node NUMBER, in *NODE; returns its links.  */
__attribute__ ((always_inline)) static inline const uint16_t *
tb_node_decode (const struct tb_graph *graph, size_t number,
		struct tb_node *node)
{
  const uint16_t *at = &graph->nodes[number];
  const struct tb_graph_base *base = &graph->bases[number >> TB_BLOCK_BITS];
  unsigned h = *at++;
  node->op = h & 255;
  if (tb_node_is_access (node->op))
    {
      uint32_t unit = *at++;
      node->v[0] = unit != TB_UNIT_FAR ? base->access + unit
		   : tb_unit_pair (&at);
    }
  else
    node->v[0] = tb_unit_value (&at, base->value);
  node->v[1] = tb_unit_value (&at, base->value);
  node->v[2] = h & TB_UNIT_TWO ? 0 : tb_unit_value (&at, base->value);
  node->x = node->y = 0;
  if (node->op == TB_NODE_BYTE)
    {
      node->x = *at & 15;
      node->y = *at++ >> 4 & 15;
    }
  return at;
}

/* Node NUMBER, in *NODE, which has ID; returns the node before it that has it, too,
   0: there is none.  */
static inline uint32_t
tb_node_use (const struct tb_graph *graph, uint32_t number, tb_vid id,
	     struct tb_node *node)
{
  const uint16_t *at = tb_node_decode (graph, number, node);
  unsigned h = graph->nodes[number];
  for (unsigned k = tb_node_is_access (node->op); k < 3; k++)
    {
      bool here = node->v[k] == id;
      if (!(h & TB_UNIT_LINK (k)))
	{
	  if (here)
	    return 0;
	  continue;
	}
      uint32_t back = *at++;
      if (back == TB_UNIT_FAR)
	back = tb_unit_pair (&at);
      if (here)
	return number - back;
    }
  return 0;
}

/* The same where only that is of interest.  */
static inline uint32_t
tb_node_use_before (const struct tb_graph *graph, uint32_t number, tb_vid id)
{
  struct tb_node node;
  const uint16_t *at = &graph->nodes[number];
  unsigned h = *at++, n = h & TB_UNIT_TWO ? 2 : 3;
  /* Most often it is the only one.  */
  if (!(h & TB_UNIT_LINKS))
    return 0;
  uint32_t below = graph->bases[number >> TB_BLOCK_BITS].value - id;
  if (below >= TB_UNIT_CONSTANT || at[0] == TB_UNIT_FAR || at[1] == TB_UNIT_FAR
      || at[n - 1] == TB_UNIT_FAR)
    return tb_node_use (graph, number, id, &node);
  /* A unit each.  */
  const uint16_t *links = at + n + ((h & 255) == TB_NODE_BYTE);
  for (unsigned k = tb_node_is_access (h & 255); k < n; k++)
    {
      bool here = at[k] == below;
      if (!(h & TB_UNIT_LINK (k)))
	{
	  if (here)
	    return 0;
	  continue;
	}
      uint32_t back = *links++;
      if (back == TB_UNIT_FAR)
	back = tb_unit_pair (&links);
      if (here)
	return number - back;
    }
  return 0;
}

/* Let NODE be looked at.  */
static inline void
tb_graph_enqueue (struct tb_graph *graph, uint32_t node)
{
  tb_marks_set (&graph->queued, node);
}

/* Let an array grow; see tb_graph_room.  */
bool tb_graph_grow (struct tb_graph *graph, void *items, size_t *capacity,
		    size_t count, size_t extra, size_t size);

/* Room for EXTRA more in an array; false, and FAILED, without memory.  */
static inline bool
tb_graph_room (struct tb_graph *graph, void *items, size_t *capacity,
	       size_t count, size_t extra, size_t size)
{
  return count + extra <= *capacity
	 || tb_graph_grow (graph, items, capacity, count, extra, size);
}

/* The nodes that have ID are to be looked at.  */
void tb_graph_wake (struct tb_graph *graph, tb_vid id);

/* The same, when there is nothing else to do: less will come of it.  */
void tb_graph_wake_later (struct tb_graph *graph, tb_vid id);

/* Let what U tells of be again what it was.  */
void tb_graph_restore (struct tb_graph *graph, const struct tb_graph_undo *u);

/* Is ID wholly known?  Then it is *WORD.  */
static inline bool
tb_graph_settled (const struct tb_graph *graph, tb_vid id, tb_word *word)
{
  if (id & TB_CONSTANT)
    {
      *word = graph->constants[id & ~TB_CONSTANT];
      return true;
    }
  const struct tb_graph_value *v = &graph->values[id];
  *word = (uint64_t) v->high << 32 | v->low;
  return v->all;
}

/* Let OFFSET be that of the part of number PART.  */
static inline void
tb_part_put_offset (struct tb_graph *graph, uint32_t part, tb_word offset)
{
  graph->parts[part].offset = (uint32_t) offset;
  if (graph->bits != 32)
    graph->highs[part] = (uint32_t) (offset >> 32);
}

/* Let OFFSET be that of ID, which is open, or of a root the size of its class.  */
void tb_graph_put_offset (struct tb_graph *graph, tb_vid id, tb_word offset);

/* OFFSET, modulo the word, as it is kept: of 32 bits with a sign, so that it needs no
   part.  */
static inline tb_word
tb_graph_wrap (const struct tb_graph *graph, tb_word offset)
{
  return graph->bits == 32 ? (tb_word) (int64_t) (int32_t) offset : offset;
}

/* The offset of V, which is open, or of a root the size of its class.  */
static inline tb_word
tb_value_offset (const struct tb_graph *graph, const struct tb_graph_value *v)
{
  if (v->kind != TB_KIND_PART)
    return tb_value_word (v);
  return graph->bits == 32 ? (tb_word) (int64_t) (int32_t) graph->parts[v->low].offset
	 : (tb_word) graph->highs[v->low] << 32 | graph->parts[v->low].offset;
}

/* A hash of TB_LOOK_BITS bits of KIND and of what ID looks like by the nodes it is in: mostly
   the same in each turn of a loop.  */
#define TB_LOOK_BITS 13
uint32_t tb_graph_look (const struct tb_graph *graph, tb_vid id, uint32_t kind);

#endif /* TB_STATE_SOLVER_GRAPH_NODES_H */
