/* What is known of values: how it is kept, and how it grows.  See graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Most values are of which nothing is known, or all.  Of the others many know the
   same: that is kept once.  */

#include "config.h"
#include "state/solver/graph-nodes.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

#define SHAPE(m, top) { .mask = m, .hi = top }
#define ABOVE(most) SHAPE (~UINT64_C (most), UINT64_C (most))
const struct tb_known tb_graph_shapes[TB_KIND_SHAPES] = {
  [TB_KIND_NOTHING] = SHAPE (0, UINT64_MAX),
  [TB_KIND_FLAG] = ABOVE (1),
  [TB_KIND_BYTE] = ABOVE (0xff),
  [TB_KIND_HALF] = ABOVE (0xffff),
  [TB_KIND_LOW] = ABOVE (0xffffffff),
  [TB_KIND_EVEN] = SHAPE (1, UINT64_MAX - 1),
  [TB_KIND_WORDS] = SHAPE (3, UINT64_MAX - 3),
  [TB_KIND_LOW_EVEN] = SHAPE (~UINT64_C (0xfffffffe), 0xfffffffe),
  [TB_KIND_LOW_WORDS] = SHAPE (~UINT64_C (0xfffffffc), 0xfffffffc)
};

/* Put the facts of B into A; false when they exclude each other.  */
static bool
meet (struct tb_known *a, const struct tb_known *b)
{
  if (((a->bits ^ b->bits) & a->mask & b->mask) != 0)
    return false;
  a->bits |= b->bits & b->mask;
  a->mask |= b->mask;
  if (b->lo > a->lo)
    a->lo = b->lo;
  if (b->hi < a->hi)
    a->hi = b->hi;
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
      tb_word same = differ == 0 ? UINT64_MAX
		     : ~(UINT64_MAX >> __builtin_clzll (differ));
      if (((a->lo ^ a->bits) & a->mask & same) != 0)
	return false;
      if ((same & ~a->mask) == 0)
	break;
      a->bits |= a->lo & same;
      a->mask |= same;
    }
  if (a->mask == UINT64_MAX)
    {
      if (a->bits < a->lo || a->bits > a->hi)
	return false;
      a->lo = a->hi = a->bits;
    }
  return true;
}

static size_t
hash_known (struct tb_known k)
{
  uint64_t sum = k.mask * UINT64_C (0x9e3779b97f4a7c15)
		 ^ k.bits * UINT64_C (0xc2b2ae3d27d4eb4f)
		 ^ k.lo * UINT64_C (0x165667b19e3779f9)
		 ^ k.hi * UINT64_C (0xd6e8feb86659fd93);
  return (size_t) (sum >> 29);
}

static void
hash_shape (struct tb_graph *graph, size_t number)
{
  uint32_t *head = &graph->shape_hash[hash_known (graph->shapes[number])
				      & (graph->shape_heads - 1)];
  graph->uses[number].next = *head;
  *head = (uint32_t) number + 1;
}

/* Room for a quarter more.  */
static bool
make_shape_room (struct tb_graph *graph)
{
  size_t room = graph->shapes_room + graph->shapes_room / 4 + 16, heads = 16;
  void *items = room <= 1u << TB_SHAPE_BITS
		? realloc (graph->shapes, room * sizeof *graph->shapes) : NULL;
  if (items == NULL)
    return false;
  graph->shapes = items;
  items = realloc (graph->uses, room * sizeof *graph->uses);
  if (items == NULL)
    return false;
  graph->uses = items;
  while (heads < room)
    heads *= 2;
  if (heads != graph->shape_heads)
    {
      uint32_t *hash = malloc (heads * sizeof *hash);
      if (hash == NULL)
	return false;
      free (graph->shape_hash);
      graph->shape_hash = hash;
      graph->shape_heads = heads;
    }
  /* Only now: who sees room takes it that there is a hash.  */
  graph->shapes_room = room;
  return true;
}

/* Free the shapes that no part has any more and, if these are not many, make room
   for some more.  */
static bool
make_shapes (struct tb_graph *graph)
{
  size_t unused = 0;
  for (size_t i = 0; i < graph->nshapes; i++)
    unused += graph->uses[i].users == 0;
  if (8 * unused <= graph->nshapes && !make_shape_room (graph))
    return false;
  memset (graph->shape_hash, 0,
	  graph->shape_heads * sizeof *graph->shape_hash);
  graph->free_shape = 0;
  for (size_t i = graph->nshapes; i-- > 0;)
    if (graph->uses[i].users != 0)
      hash_shape (graph, i);
    else
      {
	graph->uses[i].next = graph->free_shape;
	graph->free_shape = (uint32_t) i + 1;
      }
  return true;
}

/* The shape that says KNOWN, in *NUMBER; false without memory.  */
static bool
find_shape (struct tb_graph *graph, struct tb_known known, uint32_t *number)
{
  uint32_t at = graph->shapes_room == 0 ? 0
		: graph->shape_hash[hash_known (known)
				    & (graph->shape_heads - 1)];
  for (; at != 0; at = graph->uses[at - 1].next)
    {
      const struct tb_known *k = &graph->shapes[at - 1];
      *number = at - 1;
      if (k->mask == known.mask && k->bits == known.bits && k->lo == known.lo
	  && k->hi == known.hi)
	return true;
    }
  if (graph->free_shape == 0 && graph->nshapes == graph->shapes_room
      && !make_shapes (graph))
    {
      graph->failed = true;
      return false;
    }
  if (graph->free_shape != 0)
    {
      *number = graph->free_shape - 1;
      graph->free_shape = graph->uses[*number].next;
    }
  else
    *number = (uint32_t) graph->nshapes++;
  graph->shapes[*number] = known;
  graph->uses[*number].users = 0;
  hash_shape (graph, *number);
  return true;
}

/* A free part, in *NUMBER; false without memory.  */
static bool
take_part (struct tb_graph *graph, uint32_t *number)
{
  if (graph->free_part != 0)
    {
      *number = graph->free_part - 1;
      graph->free_part = graph->parts[*number].offset;
      return true;
    }
  if (!tb_graph_room (graph, &graph->parts, &graph->parts_room, graph->nparts,
		      1, sizeof *graph->parts)
      || (graph->bits != 32
	  && !tb_graph_room (graph, &graph->highs, &graph->highs_room,
			     graph->nparts, 1, sizeof *graph->highs)))
    return false;
  *number = (uint32_t) graph->nparts++;
  return true;
}

static void
free_part (struct tb_graph *graph, uint32_t number)
{
  graph->parts[number].offset = graph->free_part;
  graph->free_part = number + 1;
}

static unsigned
kind_of (struct tb_known known, unsigned times)
{
  if (tb_known_all (known))
    return TB_KIND_ALL;
  if (times != 0 || known.bits != 0 || known.lo != 0)
    return TB_KIND_PART;
  for (unsigned kind = 0; kind < TB_KIND_SHAPES; kind++)
    if (known.mask == tb_graph_shapes[kind].mask
	&& known.hi == tb_graph_shapes[kind].hi)
      return kind;
  return TB_KIND_PART;
}

/* Need OFFSET no part to be in?  */
static inline bool
is_short (tb_word offset)
{
  return (tb_word) (int64_t) (int32_t) offset == offset;
}

/* Let KNOWN be what is known of ID, which was open, OFFSET its offset, and TIMES how
   often its interval was narrowed.  */
static void
put (struct tb_graph *graph, tb_vid id, struct tb_known known,
     tb_word offset, unsigned times)
{
  struct tb_graph_value *v = &graph->values[id];
  unsigned kind = kind_of (known, times);
  bool has_part = v->kind == TB_KIND_PART;
  if (kind == TB_KIND_PART || (kind != TB_KIND_ALL && !is_short (offset)))
    {
      uint32_t number = v->low, shape;
      if (!find_shape (graph, known, &shape)
	  || (!has_part && !take_part (graph, &number)))
	return;
      graph->uses[shape].users++;
      if (has_part)
	graph->uses[graph->parts[number].shape].users--;
      graph->parts[number] = (struct tb_graph_part) {
	.shape = shape & ((1u << TB_SHAPE_BITS) - 1), .narrowed = times & 63
      };
      tb_part_put_offset (graph, number, offset);
      v->low = number;
      v->kind = TB_KIND_PART;
      return;
    }
  if (has_part)
    {
      graph->uses[graph->parts[v->low].shape].users--;
      free_part (graph, v->low);
    }
  v->all = kind == TB_KIND_ALL;
  v->low = (uint32_t) (v->all ? known.bits : offset);
  if (v->all)
    v->high = (uint32_t) (known.bits >> 32);
  else
    v->kind = kind & 15;
}

void
tb_graph_put_offset (struct tb_graph *graph, tb_vid id, tb_word offset)
{
  struct tb_graph_value *v = &graph->values[id];
  offset = tb_graph_wrap (graph, offset);
  if (v->kind == TB_KIND_PART)
    tb_part_put_offset (graph, v->low, offset);
  else if (is_short (offset))
    v->low = (uint32_t) offset;
  else
    put (graph, id, tb_graph_known (graph, id), offset, 0);
}

struct tb_graph_cause
tb_graph_cause (const struct tb_graph *graph, tb_vid id)
{
  return graph->causes_on ? graph->causes[id]
	 : (struct tb_graph_cause) { .cause = TB_CAUSE_NONE };
}

/* Note what ID, which is open, is before it changes.  */
static void
note (struct tb_graph *graph, tb_vid id)
{
  if (!graph->trial
      || !tb_graph_room (graph, &graph->undo, &graph->undo_room, graph->nundo,
			 1, sizeof *graph->undo))
    return;
  const struct tb_graph_value *v = &graph->values[id];
  struct tb_graph_undo *u = &graph->undo[graph->nundo++];
  u->id = id;
  u->cause = tb_graph_cause (graph, id).cause;
  u->parent = v->parent;
  u->kind = v->kind;
  u->offset = tb_value_offset (graph, v);
  if (v->kind == TB_KIND_PART)
    {
      u->part = graph->parts[v->low];
      graph->uses[u->part.shape].users++;
    }
}

void
tb_graph_restore (struct tb_graph *graph, const struct tb_graph_undo *u)
{
  struct tb_graph_value *v = &graph->values[u->id];
  bool has_part = tb_value_kind (v) == TB_KIND_PART;
  uint32_t number = v->low;
  if (graph->causes_on)
    graph->causes[u->id].cause = u->cause;
  if (has_part)
    graph->uses[graph->parts[number].shape].users--;
  if (u->kind == TB_KIND_PART)
    {
      /* There is room: it had one.  */
      if (!has_part && !take_part (graph, &number))
	return;
      graph->parts[number] = u->part;
      tb_part_put_offset (graph, number, u->offset);
      v->low = number;
    }
  else
    {
      if (has_part)
	free_part (graph, number);
      v->low = (uint32_t) u->offset;
    }
  v->all = false;
  v->parent = u->parent;
  v->kind = u->kind;
}

/* ID's value is known.  */
static void
settle (struct tb_graph *graph, tb_vid id, struct tb_known known)
{
  note (graph, id);
  if (graph->causes_on)
    graph->causes[id] = (struct tb_graph_cause) {
      graph->cause, ++graph->settled, graph->values[id].parent
    };
  put (graph, id, known, 0, 0);
  tb_graph_wake (graph, id);
}

/* What is known of ID, which is open.  */
static inline const struct tb_known *
known_of (const struct tb_graph *graph, tb_vid id)
{
  const struct tb_graph_value *v = &graph->values[id];
  return v->kind == TB_KIND_PART
	 ? &graph->shapes[graph->parts[v->low].shape]
	 : &tb_graph_shapes[v->kind];
}

/* FACT says more of ID, which is open, than KNOWN, what is known of it.  */
static void
improve (struct tb_graph *graph, tb_vid id, const struct tb_known *known,
	 const struct tb_known *fact)
{
  struct tb_known old = *known, now = old;
  if (!meet (&now, fact))
    {
      graph->conflict = true;
      return;
    }
  if (now.mask == old.mask && now.lo == old.lo && now.hi == old.hi)
    return;
  if (now.mask == UINT64_MAX)
    {
      settle (graph, id, now);
      return;
    }
  note (graph, id);
  const struct tb_graph_value *v = &graph->values[id];
  unsigned times = v->kind == TB_KIND_PART ? graph->parts[v->low].narrowed : 0;
  if (now.mask == old.mask && times++ >= TB_NARROW_LIMIT)
    return;
  put (graph, id, now, tb_value_offset (graph, v), times);
  if (graph->exact)
    return;
  if (now.mask == old.mask)
    tb_graph_wake_later (graph, id);
  else
    tb_graph_wake (graph, id);
}

void
tb_graph_refine (struct tb_graph *graph, tb_vid id, struct tb_known fact)
{
  tb_word word;
  if (tb_graph_settled (graph, id, &word))
    {
      if (((fact.bits ^ word) & fact.mask) != 0 || word < fact.lo
	  || word > fact.hi)
	graph->conflict = true;
      return;
    }
  const struct tb_known *old = known_of (graph, id);
  if ((fact.mask & (~old->mask | (fact.bits ^ old->bits))) != 0
      || fact.lo > old->lo || fact.hi < old->hi)
    improve (graph, id, old, &fact);
}

void
tb_graph_set_bits (struct tb_graph *graph, tb_vid id, tb_word mask,
		   tb_word bits)
{
  tb_word word;
  if (id == 0)
    return;
  if (tb_graph_settled (graph, id, &word))
    {
      if (((bits ^ word) & mask) != 0)
	graph->conflict = true;
      return;
    }
  const struct tb_known *old = known_of (graph, id);
  if ((mask & (~old->mask | (bits ^ old->bits))) != 0)
    improve (graph, id, old,
	     &(struct tb_known) { mask, bits & mask, 0, UINT64_MAX });
}

void
tb_graph_set_range (struct tb_graph *graph, tb_vid id, tb_word lo,
		    tb_word hi)
{
  tb_word word;
  if (lo > hi)
    graph->conflict = true;
  else if (id != 0 && tb_graph_settled (graph, id, &word))
    graph->conflict |= word < lo || word > hi;
  else if (id != 0)
    {
      const struct tb_known *old = known_of (graph, id);
      if (lo > old->lo || hi < old->hi)
	improve (graph, id, old, &(struct tb_known) { 0, 0, lo, hi });
    }
}
