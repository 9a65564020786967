/* Assumption: an access through an object's address and an index stays within the object.
   See objects.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Compilers reach one object from the address of another (section anchors), and arrays from
   what is just before or behind them (&a[-1], the end of a loop).  So each object that any
   part of the sum may mean counts, with those next to it.  */

#include "config.h"
#include "state/assume/objects.h"

#include <stdlib.h>

#include "state/window/builder.h"
#include "state/window/it.h"
#include "util/buffer.h"
#include "util/search.h"

/* So many bytes before an object still mean it, and its end does.  */
#define NEAR 16

/* Sums that one address is made of, one in another; operands of a known one.  */
#define SUMS 64
#define OPERANDS 16

/* What is below this is no pointer.  */
#define SMALL 0x10000

struct object_finder
{
  struct tb_state *s;
  uint32_t *makers;		/* By value: its maker + 1; 0: not looked for.  */
};

/* What an address is a sum of.  */
struct sum
{
  bool based;			/* BASE is known ...  */
  bool weak;			/* ... but not whether it was made of an object's
				   address.  */
  bool twice;			/* There are two such.  */
  bool wild;			/* A part that is not known may be a pointer.  */
  tb_word base;
  tb_word offset;		/* From there to what is known.  */
  /* Constants that are added to that: of the outermost, of the innermost sum, of all COUNT,
     with OFFSET; to an index, as far as that is one.  */
  tb_word first, last, all, inner;
  unsigned count;
  tb_word scale;		/* An index is a multiple of it.  */
};

/* The node that makes ID; false: none does.  */
static bool
find_maker (struct object_finder *f, tb_vid id, struct tb_node *node)
{
  const struct tb_graph *g = &f->s->graph;
  if (f->makers[id] == 0)
    f->makers[id] = (uint32_t) tb_graph_maker (g, id) + 1;
  if (f->makers[id] == 1)
    return false;
  *node = tb_graph_node_at (g, f->makers[id] - 1);
  return true;
}

/* The first object that ends behind ADDRESS.  */
static size_t
object_behind (const struct tb_state *s, tb_word address)
{
  const struct tb_elf_object *o = s->options.objects;
  size_t low;
  TB_LOWER_BOUND (low, s->options.nobjects, o[low].end <= address);
  return low;
}

/* Is ADDRESS in an object, or just behind one?  Distances are small numbers, too.  */
static bool
is_in_object (const struct tb_state *s, tb_word address)
{
  if (address < SMALL)
    return false;
  size_t n = s->options.nobjects, at = object_behind (s, address);
  const struct tb_elf_object *o = s->options.objects;
  return (at < n && o[at].address <= address) || (at > 0 && o[at - 1].end == address);
}

/* Was the known value ID made of an object's address, *ROOT?  0: no; 1: it may have been, as it
   is one; 2: yes.  */
static unsigned
find_root (struct object_finder *f, tb_vid id, tb_word *root)
{
  const struct tb_state *s = f->s;
  unsigned weak = 0;
  for (unsigned i = 0; i < OPERANDS; i++)
    {
      struct tb_known k = tb_graph_known (&s->graph, id);
      struct tb_node node;
      if (!tb_known_all (k))
	return weak;
      bool inside = is_in_object (s, k.bits);
      if (inside && weak == 0)
	{
	  weak = 1;
	  *root = k.bits;
	}
      if (id & TB_CONSTANT)
	{
	  if (inside)
	    *root = k.bits;
	  return inside ? 2 : weak;
	}
      if (!find_maker (f, id, &node))
	return weak;
      if (node.op == TB_NODE_LOAD)
	{
	  const uint8_t *bytes;
	  struct tb_known at = tb_graph_known (&s->graph, node.v[1]);
	  if (!inside || !tb_known_all (at)
	      || tb_memory_kind (&s->memory, at.bits, 4, &bytes) != TB_MEMORY_CONSTANT)
	    return weak;
	  *root = k.bits;
	  return 2;
	}
      if (node.op != TB_OP_ADD)
	return weak;
      /* The larger part is the pointer.  */
      tb_vid a = node.v[0] == id ? node.v[1] : node.v[0], b = node.v[2];
      struct tb_known of_a = tb_graph_known (&s->graph, a);
      struct tb_known of_b = tb_graph_known (&s->graph, b);
      id = node.v[0] == id && tb_known_all (of_b)
	   && (!tb_known_all (of_a) || is_in_object (s, of_b.bits)) ? b : a;
    }
  return weak;
}

/* The known value ID is a part of SUM, subtracted if MINUS.  */
static void
add_known (struct object_finder *f, struct sum *sum, tb_vid id, bool minus)
{
  const struct tb_graph *g = &f->s->graph;
  tb_word value = tb_graph_known (g, id).bits, root;
  unsigned how = minus ? 0 : find_root (f, id, &root);
  if (how == 0)
    {
      tb_word c = minus ? 0 - value : value;
      if (sum->count++ == 0)
	sum->first = c;
      sum->last = c;
      sum->all += c;
      return;
    }
  sum->twice |= sum->based;
  sum->based = true;
  sum->weak = how == 1;
  sum->base = root;
  sum->offset = value - root;
  sum->all += sum->offset;
}

/* ID, which is not known, is a part of SUM that is no sum itself.  */
static void
add_unknown (struct object_finder *f, struct sum *sum, tb_vid id)
{
  const struct tb_graph *g = &f->s->graph;
  struct tb_known k = tb_graph_known (g, id);
  struct tb_node node, of;
  bool shifted = !(id & TB_CONSTANT) && find_maker (f, id, &node) && node.op == TB_OP_LSL
		 && node.v[0] == id;
  struct tb_known by = { 0 };
  if (shifted)
    by = tb_graph_known (g, node.v[2]);
  shifted = shifted && tb_known_all (by) && (by.bits & 255) > 0 && (by.bits & 255) < 16;
  sum->wild |= !shifted && k.hi >= SMALL;
  if (shifted && (tb_word) 1 << (by.bits & 255) > sum->scale)
    sum->scale = (tb_word) 1 << (by.bits & 255);
  /* Of an array in a structure the distance may be in the index.  */
  if (shifted && !(node.v[1] & TB_CONSTANT) && find_maker (f, node.v[1], &of)
      && of.op == TB_OP_ADD)
    {
      bool minus = of.v[0] != node.v[1];
      struct tb_known c = tb_graph_known (g, of.v[2]);
      tb_word distance = c.bits << (by.bits & 255);
      if (tb_known_all (c))
	sum->inner = minus ? 0 - distance : distance;
    }
}

/* Find what ADDRESS, which is not known, is a sum of.  False: it is none of an object.  */
static bool
take_apart (struct object_finder *f, tb_vid address, struct sum *sum)
{
  const struct tb_graph *g = &f->s->graph;
  tb_vid open[4];
  unsigned n = 0, sums = 0;
  *sum = (struct sum) { .based = false };
  open[n++] = address;
  while (n > 0)
    {
      struct tb_node node;
      tb_vid id = open[--n];
      bool is_sum = ++sums < SUMS && find_maker (f, id, &node) && node.op == TB_OP_ADD;
      if (!is_sum)
	{
	  add_unknown (f, sum, id);
	  continue;
	}
      /* It is the sum, or what something was subtracted from.  */
      bool minus = node.v[0] != id;
      tb_vid parts[2] = { minus ? node.v[0] : node.v[1], node.v[2] };
      for (unsigned k = 0; k < 2; k++)
	if (tb_known_all (tb_graph_known (g, parts[k])))
	  add_known (f, sum, parts[k], minus && k == 1);
	else if (n < sizeof open / sizeof open[0] && parts[k] != id && !(minus && k == 1))
	  open[n++] = parts[k];
	else
	  sum->wild = true;
    }
  return sum->based && !sum->twice && !(sum->weak && sum->wild);
}

/* The objects that an access may mean.  */
struct meant
{
  tb_word low, end;
  const struct tb_elf_object *object;	/* The likely one; NULL: none yet.  */
};

/* Add what POINT, computed without the index of elements of ELEMENT bytes, means.  False: it is
   in no object, so there may be one without a symbol.  */
static bool
add_meant (const struct tb_state *s, tb_word point, tb_word element, struct meant *meant)
{
  const struct tb_elf_object *o = s->options.objects;
  size_t at = object_behind (s, point);
  if (at == s->options.nobjects || o[at].address > point)
    return false;
  for (size_t i = at > 0 ? at - 1 : 0; i < s->options.nobjects; i++)
    {
      bool here = i == at;
      if (o[i].address > point && o[i].address - point > NEAR)
	break;
      /* What has no second element is not reached from elsewhere.  */
      if (!here && (o[i].end < point || o[i].end - o[i].address < 2 * element))
	continue;
      if (meant->object == NULL || o[i].address < meant->low)
	meant->low = o[i].address;
      if (meant->object == NULL || o[i].end > meant->end)
	meant->end = o[i].end;
      if (meant->object == NULL || here)
	meant->object = &o[i];
    }
  return true;
}

/* Find the objects that SUM, where SIZE bytes are accessed, may mean.  False: that is not
   told.  */
static bool
find_meant (const struct tb_state *s, const struct sum *sum, unsigned size,
	    struct meant *meant)
{
  tb_word element = sum->scale > size ? sum->scale : size;
  tb_word points[4] = { sum->all };
  unsigned n = 1;
  /* In a loop constants are added again and again.  */
  if (sum->count > 2)
    {
      points[0] = sum->offset;
      points[n++] = sum->offset + sum->first;
      points[n++] = sum->offset + sum->last;
      points[n++] = sum->offset + sum->first + sum->last;
    }
  for (unsigned i = 0; i < n; i++)
    {
      tb_word point = (sum->base + points[i]) & s->graph.ones;
      tb_word other = (point + sum->inner) & s->graph.ones;
      if (!add_meant (s, point, element, meant) || !add_meant (s, other, element, meant))
	return false;
    }
  return meant->end - meant->low >= size;
}

/* Access ID has an address that is not known.  False: no memory.  */
static bool
look_at (struct object_finder *f, uint32_t id)
{
  struct tb_state *s = f->s;
  const struct tb_mem_access *a = &s->memory.accesses[id];
  struct tb_known at = tb_graph_known (&s->graph, a->address);
  struct sum sum;
  struct meant meant = { .object = NULL };
  if (!take_apart (f, a->address, &sum))
    return true;
  if (!find_meant (s, &sum, tb_access_size (a), &meant))
    return true;
  tb_word high = meant.end - tb_access_size (a);
  if (at.lo >= meant.low && at.hi <= high)
    return true;
  struct tb_facts *facts = &s->facts;
  if (!TB_GROW (facts->ranges, facts->ranges_room, facts->nranges, 1))
    return false;
  facts->ranges[facts->nranges++] = (struct tb_assumed_range) {
    .access = id, .address = a->address, .low = meant.low, .high = high,
    .object = meant.object
  };
  return true;
}

/* Was the access ID of step I surely done?  The condition of one that perhaps was not may be
   just whether it is in the object.  */
static bool
is_done (const struct tb_state *s, uint64_t i, uint32_t id)
{
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (s->memory.accesses[id].kind != TB_MEM_LOAD)
    return s->memory.accesses[id].kind == TB_MEM_STORE;
  if (t->it == TB_IT_UNSURE)
    return false;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (tb_op_is (u->op, TB_LOADS) && u->when != TB_ALWAYS
	  && !(u->when == TB_PLACE_IF && tb_build_told (s, t)))
	return false;
    }
  return true;
}

bool
tb_assume_find_objects (struct tb_state *s, bool *news)
{
  struct object_finder f = { .s = s };
  size_t before = s->facts.nranges;
  bool ok = true;
  *news = false;
  if (s->options.nobjects == 0)
    return true;
  uint8_t *has = calloc (s->memory.built + 1, 1);
  f.makers = calloc (s->graph.nvalues + 1, sizeof *f.makers);
  ok = has != NULL && f.makers != NULL;
  for (size_t i = 0; ok && i < before; i++)
    has[s->facts.ranges[i].access] = 1;
  for (uint64_t i = 0; ok && i < s->steps; i++)
    {
      uint32_t end, id = tb_owners_first (&s->owners, i, &end);
      for (; ok && id < end && id <= s->memory.built; id++)
	if (!has[id] && tb_graph_open (&s->graph, s->memory.accesses[id].address)
	    && is_done (s, i, id))
	  ok = look_at (&f, id);
    }
  free (f.makers);
  free (has);
  *news = s->facts.nranges != before;
  return ok;
}
