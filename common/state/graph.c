/* The graph of values: facts, classes, worklist.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A node is a word that says what it is, then its values, then for each value that
   was used before where that was, so that the uses of a value are a chain.  Its
   first use, mostly the node that makes it, has no link; a constant has none
   either, and where there is but one its number is in the first word if it is
   small.  */

#include "config.h"
#include "state/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* A loop could narrow an interval one by one, for ever.  */
#define NARROW_LIMIT 40

/* The first word of a node: bits 0 to 7 are the operation.  */
#define QUEUED UINT32_C (0x100)
#define CONSTANT(k) (UINT32_C (0x200) << (k))	/* Value K is no value.  */
#define CONSTANTS UINT32_C (0xe00)
#define LINK(k) (UINT32_C (0x1000) << (k))	/* It has a link.  */
#define LINKS UINT32_C (0x7000)
#define TWO UINT32_C (0x8000)		/* There is no value 2.  */
#define INSIDE UINT32_C (0x10000)	/* A constant's number is above.  */
/* So is else X and Y of TB_NODE_BYTE.  */
#define ABOVE 17

/* Words of all nodes; values.  */
#define MOST_WORDS (UINT32_MAX / 4)
#define MOST_VALUES (1u << TB_VALUE_BITS)

#define SHAPE(m, top) { .mask = (tb_word) (m), .hi = (tb_word) (top) }
const struct tb_known tb_graph_shapes[TB_KIND_SHAPES] = {
  [TB_KIND_NOTHING] = SHAPE (0, TB_WORD_MAX),
  [TB_KIND_FLAG] = SHAPE (~(tb_word) 1, 1),
  [TB_KIND_BYTE] = SHAPE (~(tb_word) 0xff, 0xff),
  [TB_KIND_HALF] = SHAPE (~(tb_word) 0xffff, 0xffff),
#ifdef TB_STATE_WIDE
  [TB_KIND_LOW] = SHAPE (~(tb_word) UINT32_MAX, UINT32_MAX),
#else
  [TB_KIND_LOW] = SHAPE (0, 0),	/* None.  */
#endif
  [TB_KIND_EVEN] = SHAPE (1, TB_WORD_MAX - 1),
  [TB_KIND_WORDS] = SHAPE (3, TB_WORD_MAX - 3)
};

void
tb_graph_init (struct tb_graph *graph)
{
  memset (graph, 0, sizeof *graph);
  graph->nvalues = 1;
  graph->nnodes = 1;
  graph->swept = 1;
}

void
tb_graph_fini (struct tb_graph *graph)
{
  free (graph->values);
  free (graph->words);
  free (graph->kinds);
  free (graph->parts);
  free (graph->nodes);
  free (graph->constants);
  free (graph->interned);
  free (graph->queue[0]);
  free (graph->queue[1]);
  free (graph->causes);
  free (graph->undo);
  memset (graph, 0, sizeof *graph);
}

void
tb_graph_freeze (struct tb_graph *graph)
{
  if (graph->kinds != NULL)
    return;
  tb_word *words = malloc (graph->nvalues * sizeof *words);
  uint8_t *kinds = malloc (graph->nvalues);
  if (words == NULL || kinds == NULL)
    {
      free (words);
      free (kinds);
      return;
    }
  for (size_t i = 0; i < graph->nvalues; i++)
    {
      words[i] = i != 0 ? graph->values[i].word : 0;
      kinds[i] = i != 0 ? graph->values[i].kind : 0;
    }
  free (graph->values);
  free (graph->nodes);
  free (graph->queue[0]);
  free (graph->queue[1]);
  free (graph->undo);
  free (graph->causes);
  graph->words = words;
  graph->kinds = kinds;
  graph->values = NULL;
  graph->nodes = NULL;
  graph->queue[0] = graph->queue[1] = NULL;
  graph->undo = NULL;
  graph->causes = NULL;
  graph->values_room = graph->nodes_room = graph->undo_room = 0;
  graph->queue_room[0] = graph->queue_room[1] = graph->causes_room = 0;
}

/* Room for EXTRA more in an array; false, and FAILED, without memory.  */
static bool
room (struct tb_graph *graph, void *items, size_t *capacity, size_t count,
      size_t extra, size_t size)
{
  void **array = items;
  if (count + extra <= *capacity)
    return true;
  if (count >= MOST_WORDS || !tb_grow (array, capacity, count, extra, size))
    graph->failed = true;
  return !graph->failed;
}

static void
fit (void *items, size_t *capacity, size_t want, size_t size)
{
  tb_fit (items, capacity, want, size);
}

size_t
tb_graph_bytes (const struct tb_graph *g)
{
  return g->values_room * sizeof *g->values
	 + (g->kinds != NULL ? g->nvalues * (sizeof *g->words + 1) : 0)
	 + g->parts_room * sizeof *g->parts + g->nodes_room * sizeof *g->nodes
	 + g->constants_room * sizeof *g->constants
	 + (g->interned_room + g->queue_room[0] + g->queue_room[1]
	    + g->causes_room) * sizeof (uint32_t)
	 + g->undo_room * sizeof *g->undo;
}

void
tb_graph_expect (struct tb_graph *graph, double times)
{
  size_t values = (size_t) ((double) graph->nvalues * times) + 64;
  size_t nodes = (size_t) ((double) graph->nnodes * times) + 64;
  if (graph->failed || nodes > MOST_WORDS || values > MOST_VALUES)
    return;
  fit (&graph->values, &graph->values_room, values, sizeof *graph->values);
  if (graph->causes_on)
    fit (&graph->causes, &graph->causes_room, values, sizeof *graph->causes);
  fit (&graph->nodes, &graph->nodes_room, nodes, sizeof *graph->nodes);
}

tb_vid
tb_graph_new (struct tb_graph *graph)
{
  tb_vid id = (tb_vid) graph->nvalues;
  if (id >= MOST_VALUES)
    graph->failed = true;
  if (graph->failed
      || !room (graph, &graph->values, &graph->values_room, graph->nvalues, 1,
		sizeof *graph->values)
      || (graph->causes_on
	  && !room (graph, &graph->causes, &graph->causes_room,
		    graph->nvalues, 1, sizeof *graph->causes)))
    return 0;
  graph->nvalues++;
  graph->values[id] = (struct tb_graph_value) {
    .word = 1, .root = id & (MOST_VALUES - 1), .next = id & INT32_MAX
  };
  if (graph->causes_on)
    graph->causes[id] = (struct tb_graph_cause) { .cause = TB_CAUSE_NONE };
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
		graph->nconstants, 1, sizeof *graph->constants))
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

/* Words of the values of a node whose first word is H.  */
static inline unsigned
value_words (uint32_t h)
{
  return 3 - (h >> 15 & 1) - (h >> 16 & 1);
}

static inline unsigned
links (uint32_t h)
{
  return (h >> 12 & 1) + (h >> 13 & 1) + (h >> 14 & 1);
}

static inline unsigned
node_words (uint32_t h)
{
  return 1 + value_words (h) + links (h);
}

/* The use of a value before USE; 0: it is the first.  */
static inline uint32_t
use_before (const struct tb_graph *graph, uint32_t use)
{
  const uint32_t *node = &graph->nodes[use >> 2];
  unsigned k = use & 3;
  uint32_t h = *node;
  if (!(h & LINK (k)))
    return 0;
  return node[1 + value_words (h) + links (h & (LINK (k) - 1))];
}

static inline struct tb_node
node_at (const struct tb_graph *graph, size_t number)
{
  const uint32_t *at = &graph->nodes[number];
  uint32_t h = *at++, inside = h & INSIDE ? h & CONSTANTS : 0;
  tb_vid constant = TB_CONSTANT | h >> ABOVE;
  struct tb_node node = { .op = h & 255, .x = h >> ABOVE & 15,
			  .y = h >> (ABOVE + 4) & 15 };
  node.v[0] = inside & CONSTANT (0) ? constant : *at++;
  node.v[1] = inside & CONSTANT (1) ? constant : *at++;
  if (!(h & TWO))
    node.v[2] = inside & CONSTANT (2) ? constant : *at;
  return node;
}

struct tb_node
tb_graph_node_at (const struct tb_graph *graph, size_t number)
{
  return node_at (graph, number);
}

static void
enqueue (struct tb_graph *graph, uint32_t node)
{
  if (graph->nodes[node] & QUEUED
      || !room (graph, &graph->queue[1], &graph->queue_room[1],
		graph->nqueue[1], 1, sizeof **graph->queue))
    return;
  graph->nodes[node] |= QUEUED;
  graph->queue[1][graph->nqueue[1]++] = node;
}

static void
add_node (struct tb_graph *graph, unsigned op, unsigned x, unsigned y,
	  const uint32_t v[3])
{
  bool access = op == TB_NODE_LOAD || op == TB_NODE_STORE;
  unsigned count = v[2] != 0 ? 3 : 2, nconstants = 0;
  if (graph->failed
      || !room (graph, &graph->nodes, &graph->nodes_room, graph->nnodes, 7,
		sizeof *graph->nodes))
    return;
  uint32_t number = (uint32_t) graph->nnodes, h = op, small = 0;
  for (unsigned k = 0; k < count; k++)
    if (v[k] & TB_CONSTANT || (k == 0 && access))
      {
	h |= CONSTANT (k);
	nconstants++;
	small = v[k] & ~TB_CONSTANT;
      }
  bool inside = nconstants == 1 && !access && op != TB_NODE_BYTE
		&& small < 1u << (32 - ABOVE);
  if (inside)
    h |= INSIDE | small << ABOVE;
  else if (op == TB_NODE_BYTE)
    h |= (x | y << 4) << ABOVE;
  if (count == 2)
    h |= TWO;
  uint32_t *at = &graph->nodes[number] + 1;
  for (unsigned k = 0; k < count; k++)
    if (!(h & CONSTANT (k) && inside))
      *at++ = v[k];
  for (unsigned k = 0; k < count; k++)
    if (!(h & CONSTANT (k)) && v[k] != 0)
      {
	struct tb_graph_value *value = &graph->values[v[k]];
	if (value->users != 0)
	  {
	    h |= LINK (k);
	    *at++ = value->users;
	  }
	value->users = number << 2 | k;
      }
  graph->nodes[number] = h;
  graph->nnodes = (size_t) (at - graph->nodes);
  if (graph->started)
    enqueue (graph, number);
  else
    graph->nodes[number] |= QUEUED;
}

void
tb_graph_node (struct tb_graph *graph, unsigned op, uint32_t v0, tb_vid v1,
	       tb_vid v2)
{
  add_node (graph, op, 0, 0, (uint32_t[]) { v0, v1, v2 });
}

void
tb_graph_byte (struct tb_graph *graph, tb_vid a, unsigned x, tb_vid b,
	       unsigned y)
{
  add_node (graph, TB_NODE_BYTE, x, y, (uint32_t[]) { a, b, 0 });
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
  for (uint32_t use = graph->values[id].users; use != 0;
       use = use_before (graph, use))
    enqueue (graph, use >> 2);
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

/* The offset of ID, or of a root the size of its class.  */
static tb_word
raw_offset (const struct tb_graph *graph, const struct tb_graph_value *v)
{
  return v->kind == TB_KIND_PART ? graph->parts[v->word].offset : v->word;
}

static unsigned
narrowed (const struct tb_graph *graph, tb_vid id)
{
  const struct tb_graph_value *v = &graph->values[id];
  return v->kind == TB_KIND_PART ? graph->parts[v->word].narrowed : 0;
}

/* A free part, in *NUMBER; false without memory.  */
static bool
take_part (struct tb_graph *graph, tb_word *number)
{
  if (graph->free_part != 0)
    {
      *number = graph->free_part - 1;
      graph->free_part = graph->parts[*number].offset;
      return true;
    }
  if (!room (graph, &graph->parts, &graph->parts_room, graph->nparts, 1,
	     sizeof *graph->parts))
    return false;
  *number = (tb_word) graph->nparts++;
  return true;
}

static unsigned
kind_of (struct tb_known known, unsigned times)
{
  if (tb_known_all (known))
    return TB_KIND_ALL;
  for (unsigned kind = 0; kind < TB_KIND_SHAPES && times == 0; kind++)
    if (known.mask == tb_graph_shapes[kind].mask && known.bits == 0
	&& known.lo == 0 && known.hi == tb_graph_shapes[kind].hi)
      return kind;
  return TB_KIND_PART;
}

/* Let KNOWN be what is known of ID, OFFSET its offset, and TIMES how often its
   interval was narrowed.  */
static void
put (struct tb_graph *graph, tb_vid id, struct tb_known known, tb_word offset,
     unsigned times)
{
  struct tb_graph_value *v = &graph->values[id];
  unsigned kind = kind_of (known, times);
  if (kind == TB_KIND_PART)
    {
      tb_word number = v->word;
      if (v->kind != TB_KIND_PART && !take_part (graph, &number))
	return;
      graph->parts[number] = (struct tb_graph_part) {
	.known = known, .offset = offset, .narrowed = (uint16_t) times
      };
      v->word = number;
    }
  else
    {
      if (v->kind == TB_KIND_PART)
	{
	  graph->parts[v->word].offset = graph->free_part;
	  graph->free_part = v->word + 1;
	}
      v->word = kind == TB_KIND_ALL ? known.bits : offset;
    }
  v->kind = kind & 15;
}

/* Note what ID is before it changes.  */
static void
note (struct tb_graph *graph, tb_vid id)
{
  if (!graph->trial
      || !room (graph, &graph->undo, &graph->undo_room, graph->nundo, 1,
		sizeof *graph->undo))
    return;
  graph->undo[graph->nundo++] = (struct tb_graph_undo) {
    .known = tb_graph_known (graph, id), .id = id,
    .offset = raw_offset (graph, &graph->values[id]),
    .cause = tb_graph_cause (graph, id).cause, .narrowed = (uint16_t) narrowed (graph, id)
  };
}

/* ID's value is known; so is its whole class.  */
static void
settle (struct tb_graph *graph, tb_vid id, tb_word value)
{
  if (!tb_graph_open (graph, id))
    {
      graph->conflict |= graph->values[id].word != value;
      return;
    }
  tb_word base = value - tb_graph_offset (graph, id);
  tb_vid m = id;
  do
    {
      tb_word c = base + tb_graph_offset (graph, m);
      struct tb_known fact = { TB_WORD_MAX, c, c, c };
      struct tb_known known = tb_graph_known (graph, m);
      note (graph, m);
      if (graph->causes_on)
	graph->causes[m] = (struct tb_graph_cause) {
	  m == id ? graph->cause : id | TB_CAUSE_CLASS, ++graph->settled
	};
      if (!meet (&known, fact))
	graph->conflict = true;
      put (graph, m, fact, 0, 0);
      wake (graph, m);
      m = graph->values[m].next;
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
  if (now.mask == TB_WORD_MAX)
    {
      settle (graph, id, now.bits);
      return;
    }
  note (graph, id);
  unsigned times = narrowed (graph, id);
  if (now.mask == old.mask && times++ >= NARROW_LIMIT)
    return;
  put (graph, id, now, raw_offset (graph, &graph->values[id]), times);
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

static void
put_offset (struct tb_graph *graph, tb_vid id, tb_word offset)
{
  struct tb_graph_value *v = &graph->values[id];
  if (v->kind == TB_KIND_PART)
    graph->parts[v->word].offset = offset;
  else
    v->word = offset;
}

/* X is Y + OFFSET; both are open.  */
static void
join (struct tb_graph *graph, tb_vid x, tb_vid y, tb_word offset)
{
  struct tb_graph_value *values = graph->values;
  tb_vid into = values[y].root, from = values[x].root;
  /* Value of FROM = value of INTO + DELTA.  */
  tb_word delta = tb_graph_offset (graph, y) + offset
		  - tb_graph_offset (graph, x);
  if (into == from)
    {
      if (delta != 0)
	graph->conflict = true;
      return;
    }
  tb_word into_size = raw_offset (graph, &values[into]);
  tb_word from_size = raw_offset (graph, &values[from]);
  if (from_size > into_size)
    {
      tb_vid swap = into;
      into = from;
      from = swap;
      delta = -delta;
    }
  put_offset (graph, from, 0);
  tb_vid m = from;
  do
    {
      put_offset (graph, m, raw_offset (graph, &values[m]) + delta);
      values[m].root = into & (MOST_VALUES - 1);
      wake (graph, m);
      m = values[m].next;
    }
  while (m != from);
  tb_vid next = values[into].next;
  values[into].next = values[from].next;
  values[from].next = next & INT32_MAX;
  put_offset (graph, into, into_size + from_size);
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
    join (graph, x, y, offset);
}

bool
tb_graph_difference (const struct tb_graph *graph, tb_vid a, tb_vid b,
		     tb_word *difference)
{
  struct tb_known ka = tb_graph_known (graph, a);
  struct tb_known kb = tb_graph_known (graph, b);
  if (tb_known_all (ka) && tb_known_all (kb))
    *difference = ka.bits - kb.bits;
  else if (tb_graph_open (graph, a) && tb_graph_open (graph, b)
	   && graph->values[a].root == graph->values[b].root)
    *difference = tb_graph_offset (graph, a) - tb_graph_offset (graph, b);
  else
    return false;
  return true;
}

/* Take the next node off the queues; false: there is none.  */
static bool
next_node (struct tb_graph *graph, uint32_t *number)
{
  if (graph->swept < graph->sweep_end)
    {
      *number = (uint32_t) graph->swept;
      graph->swept += node_words (graph->nodes[*number]);
      graph->nodes[*number] &= ~QUEUED;
      return true;
    }
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
  graph->nodes[*number] &= ~QUEUED;
  return true;
}

static void
look_at (struct tb_graph *graph, uint32_t number)
{
  struct tb_node node = node_at (graph, number);
  graph->cause = TB_CAUSE_MEMORY;
  if (node.op == TB_NODE_LOAD || node.op == TB_NODE_STORE)
    graph->access_changed (graph->context, node.v[0]);
  else
    {
      graph->cause = number + TB_CAUSE_NODE;
      tb_rule_apply (graph, node.op, node.x | node.y << 4u, node.v[0],
		     node.v[1], node.v[2]);
    }
}

struct tb_graph_cause
tb_graph_cause (const struct tb_graph *graph, tb_vid id)
{
  return graph->causes_on ? graph->causes[id]
	 : (struct tb_graph_cause) { .cause = TB_CAUSE_NONE };
}

size_t
tb_graph_maker (const struct tb_graph *graph, tb_vid id)
{
  size_t maker = 0;
  for (uint32_t use = graph->values[id].users; use != 0;
       use = use_before (graph, use))
    {
      struct tb_node node = node_at (graph, use >> 2);
      bool newest = node.op != TB_NODE_BYTE && node.op != TB_NODE_STORE;
      for (unsigned k = node.op == TB_NODE_LOAD; k < 3; k++)
	newest &= node.v[k] & TB_CONSTANT || node.v[k] <= id;
      if (newest)
	maker = use >> 2;
    }
  return maker;
}

void
tb_graph_solve (struct tb_graph *graph)
{
  uint32_t number;
  if (!graph->started)
    {
      graph->started = true;
      graph->sweep_end = graph->nnodes;
    }
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
      if (graph->causes_on)
	graph->causes[u->id].cause = u->cause;
      put (graph, u->id, u->known, u->offset, u->narrowed);
    }
  graph->trial = false;
  graph->conflict = false;
}
