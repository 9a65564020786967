/* Chains of values through a graph.  See why-chain.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/why-chain.h"

#include "arm/ir/semantics-a64.h"

/* The step of the window that made value ID or, if that is 0, access ACCESS.  */
static uint64_t
made_by (const struct tb_why_chain *c, tb_vid id, uint32_t access)
{
  uint64_t low = 0, high = c->window->steps;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      tb_state_seek (c->window, middle + 1);
      const struct tb_names *n = &c->window->names;
      if (id != 0 ? n->next_value <= id : n->next_access <= access)
	low = middle + 1;
      else
	high = middle;
    }
  return c->window->base + low;
}

/* The step of the window that made PLACE the constant ID, which it is before
   STEP.  */
static uint64_t
set_by (const struct tb_why_chain *c, const tb_vid *place, tb_vid id,
	uint64_t step)
{
  enum { BLOCK = 256 };		/* Names are gone through from there on.  */
  uint64_t begin, found = 0;
  for (uint64_t end = step - c->window->base; end > 0 && found == 0; end = begin)
    {
      bool was = true;
      begin = (end - 1) / BLOCK * BLOCK;
      for (uint64_t i = begin; i <= end; i++)
	{
	  tb_state_seek (c->window, i);
	  if (*place == id && !was)
	    found = i;
	  was = *place == id;
	}
    }
  return c->window->base + (found != 0 ? found - 1 : 0);
}

static unsigned
rule_of (const struct tb_why_chain *c, uint32_t cause)
{
  if (cause & TB_CAUSE_CLASS)
    return TB_WHY_SAME;
  switch (cause)
    {
    case TB_CAUSE_NONE: case TB_CAUSE_TRACE:
      return TB_WHY_TRACE;
    case TB_CAUSE_LOG:
      return TB_WHY_LOG;
    case TB_CAUSE_DATA:
      return TB_WHY_DATA;
    case TB_CAUSE_HALT:
      return TB_WHY_HALT;
    case TB_CAUSE_BORDER:
      return TB_WHY_BORDER;
    case TB_CAUSE_START:
      return TB_WHY_START;
    case TB_CAUSE_CONSTANTS:
      return TB_WHY_FUNCTION;
    case TB_CAUSE_OBJECTS:
      return TB_WHY_OBJECT;
    case TB_CAUSE_SPLIT:
      return TB_WHY_FEW;
    case TB_CAUSE_MEMORY:
      return TB_WHY_MEMORY;
    }
  size_t number = cause - TB_CAUSE_NODE;
  if (number >= c->window->facts.task_nodes && number < c->window->facts.kept_nodes)
    return TB_WHY_TASK;
  if (number >= c->window->facts.kept_nodes && number < c->window->facts.saved_nodes)
    return TB_WHY_KEPT;
  if (number >= c->window->facts.saved_nodes && number < c->window->facts.kept_nodes_end)
    return TB_WHY_SAVED;
  if (number >= c->window->facts.kept_nodes_end
      && number < c->window->facts.constant_nodes_end)
    return TB_WHY_FUNCTION;
  struct tb_node node = tb_graph_node_at (&c->window->graph, number);
  switch (node.op)
    {
    case TB_NODE_BYTE:
      return TB_WHY_ACCESS;
    case TB_NODE_IF0: case TB_NODE_IF1: case TB_NODE_EITHER:
      return TB_WHY_CONDITION;
    case TB_OP_ADD:
      /* Instructions that add 0 make no node; what memory carried does.  */
      return node.v[2] & TB_CONSTANT
	     && tb_graph_known (&c->window->graph, node.v[2]).bits == 0
	     ? TB_WHY_ACCESS : TB_WHY_OPERATION;
    default:
      return TB_WHY_OPERATION;
    }
}

/* A new item; NULL: there is no room.  */
static struct tb_why *
add_item (struct tb_why_chain *c, tb_vid id, uint64_t step)
{
  if (c->count == c->capacity)
    return NULL;
  c->ids[c->count] = id;
  c->items[c->count] = (struct tb_why) { .step = step };
  return &c->items[c->count++];
}

/* Item AT follows from that of value ID, which is made if there is room.  */
static void
add_from (struct tb_why_chain *c, size_t at, tb_vid id)
{
  size_t i = 0;
  while (i < c->count && c->ids[i] != id)
    i++;
  if (i == c->count
      && (c->items[at].from_count == TB_WHY_FROM
	  || add_item (c, id, made_by (c, id, 0)) == NULL))
    return;
  struct tb_why *item = &c->items[at];
  for (unsigned k = 0; k < item->from_count; k++)
    if (item->from[k] == i)
      return;
  if (item->from_count < TB_WHY_FROM && i != at)
    item->from[item->from_count++] = (uint16_t) i;
}

static bool
is_known (const struct tb_why_chain *c, tb_vid id)
{
  return tb_known_all (tb_graph_known (&c->window->graph, id));
}

/* The value of STEP that is the constant ID: an instruction has it.  Its number; or
   C->count: there is no room.  */
static size_t
add_constant (struct tb_why_chain *c, tb_vid id, uint64_t step)
{
  size_t at = c->count;
  struct tb_why *item = add_item (c, 0, step);
  if (item != NULL)
    {
      item->rule = TB_WHY_TRACE;
      item->known = true;
      item->value = tb_graph_known (&c->window->graph, id).bits;
    }
  return item != NULL ? at : c->count;
}

/* Item AT, of value ID, is known by memory, which carried the constant CONSTANT: one
   that was stored, or what the dump holds.  */
static void
follow_carried (struct tb_why_chain *c, size_t at, tb_vid id, tb_vid constant)
{
  struct tb_memory *m = &c->window->memory;
  size_t maker = tb_graph_maker (&c->window->graph, id);
  c->items[at].rule = TB_WHY_MEMORY;
  if (maker == 0)
    return;
  struct tb_node node = tb_graph_node_at (&c->window->graph, maker);
  if (node.op != TB_NODE_LOAD || !is_known (c, node.v[1]))
    return;
  uint8_t byte;
  uint32_t access = node.v[0];
  if (!tb_memory_byte (m, tb_graph_known (&c->window->graph, node.v[1]).bits, access,
		       tb_memory_epoch (m, access), &byte)
      || m->source == 0 || m->accesses[m->source].kind != TB_MEM_STORE
      || m->accesses[m->source].value != constant)
    return;
  c->items[at].rule = TB_WHY_ACCESS;
  size_t from = add_constant (c, constant, made_by (c, 0, m->source));
  if (from < c->count && c->items[at].from_count < TB_WHY_FROM)
    c->items[at].from[c->items[at].from_count++] = (uint16_t) from;
}

/* Say by what item AT, of the known value ID, is known.  */
static void
follow_known (struct tb_why_chain *c, size_t at, tb_vid id)
{
  struct tb_graph_cause cause = tb_graph_cause (&c->window->graph, id);
  struct tb_why *item = &c->items[at];
  item->known = true;
  item->value = tb_graph_known (&c->window->graph, id).bits;
  item->rule = (uint8_t) rule_of (c, cause.cause);
  if (cause.cause & TB_CAUSE_CLASS)
    {
      add_from (c, at, cause.cause & ~TB_CAUSE_CLASS);
      return;
    }
  if (cause.cause < TB_CAUSE_NODE)
    return;
  struct tb_node node = tb_graph_node_at (&c->window->graph,
					  cause.cause - TB_CAUSE_NODE);
  item->op = node.op;
  for (unsigned k = 0; k < 3; k++)
    {
      tb_vid v = node.v[k];
      if (v == 0)
	continue;
      /* What became known later is not what it follows from.  */
      if (v != id && !(v & TB_CONSTANT)
	  && (!is_known (c, v)
	      || tb_graph_cause (&c->window->graph, v).order >= cause.order))
	{
	  item->partly = true;
	  continue;
	}
      item->told |= (uint8_t) (1u << k);
      item->operands[k] = tb_graph_known (&c->window->graph, v).bits;
      if (v != id && !(v & TB_CONSTANT))
	{
	  add_from (c, at, v);
	  item = &c->items[at];
	}
    }
  for (unsigned k = 0; k < 2 && item->rule == TB_WHY_ACCESS
		       && item->from_count == 0 && !item->partly; k++)
    if (node.v[k] & TB_CONSTANT)
      {
	follow_carried (c, at, id, node.v[k]);
	return;
      }
}

/* The store that is in the way of load ID.  */
static void
add_store (struct tb_why_chain *c, size_t at, uint32_t store)
{
  struct tb_why *item = add_item (c, 0, made_by (c, 0, store));
  if (item == NULL || c->items[at].from_count == TB_WHY_FROM)
    return;
  item->rule = TB_WHY_STORE;
  c->items[at].from[c->items[at].from_count++] = (uint16_t) (c->count - 1);
}

/* The last store before access TIME of EPOCH that may have written at ADDRESS; 0: there
   is none, or none near.  */
static uint32_t
last_store (struct tb_memory *m, uint64_t address, uint32_t time,
	    uint32_t epoch)
{
  enum { NEAR = 2000 };
  struct tb_known any = { 0, 0, 0, UINT64_MAX };
  tb_word word = tb_word_at (m, address);
  unsigned byte = 1u << tb_word_byte (m, address), cost = 0;
  for (uint32_t s = tb_memory_suspect (m, time - 1);
       s != 0 && tb_memory_epoch (m, s) == epoch && cost < NEAR;
       s = tb_memory_suspect (m, s - 1), cost++)
    if (tb_memory_may_write (m, s, word, byte, &any))
      return s;
  return 0;
}

/* What is said of the SIZE bytes at ADDRESS where what memory held there is not known.  */
static enum tb_why_rule
contents_rule (const struct tb_memory *m, uint64_t address, unsigned size)
{
  if (tb_memory_is_trace_ram (m, address, size))
    return TB_WHY_TRACE_RAM;
  return tb_extents_hit (m->disputed, tb_word_at (m, address), tb_word_bytes (m))
	 ? TB_WHY_DISPUTED : TB_WHY_CONTENTS;
}

/* Say in ITEM what is in the way of ID; returns what it is made of that is not known,
   either; 0: nothing is.  *STORE: the store that is in the way.  */
static tb_vid
blocker (const struct tb_why_chain *c, struct tb_why *item, tb_vid id,
	 uint32_t *store)
{
  struct tb_memory *m = &c->window->memory;
  size_t maker = tb_graph_maker (&c->window->graph, id);
  item->rule = TB_WHY_BEGIN;
  if (maker == 0)
    return 0;
  struct tb_node node = tb_graph_node_at (&c->window->graph, maker);
  if (node.op == TB_NODE_LOAD && !is_known (c, node.v[1]))
    {
      item->rule = TB_WHY_LOADED;
      return node.v[1];
    }
  if (node.op == TB_NODE_LOAD)
    {
      uint32_t access = node.v[0];
      uint64_t address = tb_graph_known (&c->window->graph, node.v[1]).bits;
      unsigned size = tb_access_size (&m->accesses[access]);
      item->rule = (uint8_t) contents_rule (m, address, size);
      item->operands[1] = address;
      /* What the unit writes no store of the program explains.  */
      for (unsigned b = 0; b < size && item->rule != TB_WHY_TRACE_RAM; b++)
	{
	  uint8_t byte;
	  if (tb_memory_byte (m, address + b, access,
			      tb_memory_epoch (m, access), &byte))
	    continue;
	  *store = m->in_way;
	  tb_vid source = m->source != 0 && m->source < access
			  ? m->accesses[m->source].value : 0;
	  /* What is there was stored, or read before, and is not known, either.  */
	  if (*store == 0 && source != 0 && source < id && !is_known (c, source))
	    return source;
	  if (*store == 0)
	    *store = last_store (m, address + b, access,
				 tb_memory_epoch (m, access));
	  if (*store != 0)
	    break;
	}
      return 0;
    }
  item->rule = TB_WHY_UNKNOWN;
  for (unsigned k = 0; k < 3; k++)
    if (node.v[k] != 0 && node.v[k] != id && !is_known (c, node.v[k]))
      return node.v[k];
  return 0;			/* What is known of it was not enough.  */
}

/* Say what is in the way of item AT, of value ID: one step after the other back to
   the first one, which is always the last item.  */
static void
follow_unknown (struct tb_why_chain *c, size_t at, tb_vid id)
{
  uint32_t store = 0;
  while (id != 0)
    {
      struct tb_why *item = &c->items[at], next = { .step = item->step };
      tb_vid from = blocker (c, &next, id, &store);
      bool room = c->count + 2 < c->capacity;
      if (from == 0 || room)
	{
	  uint64_t step = made_by (c, id, 0);
	  if (step != item->step || item->rule != TB_WHY_UNKNOWN)
	    {
	      size_t i = c->count;
	      item = add_item (c, id, step);
	      if (item == NULL)
		return;
	      c->items[at].from[c->items[at].from_count++] = (uint16_t) i;
	      at = i;
	    }
	  item->rule = next.rule;
	  item->operands[1] = next.operands[1];
	}
      id = from;
    }
  if (store != 0)
    add_store (c, at, store);
}

/* Follow all items from number FROM on, which are known, and those that come of
   it.  */
static void
follow (struct tb_why_chain *c, size_t from)
{
  for (size_t i = from; i < c->count; i++)
    if (c->ids[i] != 0)
      follow_known (c, i, c->ids[i]);
}

void
tb_why_value (struct tb_why_chain *c, tb_vid id, uint64_t step)
{
  struct tb_known known = tb_graph_known (&c->window->graph, id);
  if (id & TB_CONSTANT)
    {
      add_constant (c, id, c->place != NULL ? set_by (c, c->place, id, step)
		    : step);
      return;
    }
  if (add_item (c, id, made_by (c, id, 0)) == NULL)
    return;
  if (tb_known_all (known))
    follow (c, 0);
  else
    follow_unknown (c, 0, id);
}

void
tb_why_values (struct tb_why_chain *c, const tb_vid *ids, unsigned count,
	       uint64_t step, bool known, uint64_t value)
{
  struct tb_why *item = add_item (c, 0, step);
  if (item == NULL)
    return;
  item->rule = known ? TB_WHY_OPERATION : TB_WHY_UNKNOWN;
  item->known = known;
  item->value = value;
  item->partly = known;
  for (unsigned k = 0; k < count; k++)
    if (ids[k] != 0 && !(ids[k] & TB_CONSTANT) && is_known (c, ids[k]) == known)
      {
	if (!known)
	  {
	    follow_unknown (c, 0, ids[k]);
	    return;
	  }
	add_from (c, 0, ids[k]);
      }
    else if ((ids[k] & TB_CONSTANT) && known && c->place != NULL)
      {
	size_t at = add_constant (c, ids[k],
				  set_by (c, c->place + k, ids[k], step));
	if (at < c->count && c->items[0].from_count < TB_WHY_FROM)
	  c->items[0].from[c->items[0].from_count++] = (uint16_t) at;
      }
  follow (c, 1);
}

void
tb_why_bytes (struct tb_why_chain *c, uint64_t address, unsigned size,
	      uint64_t step, uint32_t time, uint32_t epoch)
{
  struct tb_why *item = add_item (c, 0, step);
  if (item == NULL)
    return;
  struct tb_memory *m = &c->window->memory;
  uint32_t sources[TB_WHY_FROM], in_way = 0;
  unsigned count = 0, known = 0;
  for (unsigned b = 0; b < size && b < TB_WHY_FROM; b++)
    {
      uint8_t byte;
      if (tb_memory_byte (m, address + b, time, epoch, &byte))
	{
	  item->value |= (uint64_t) byte << 8 * b;
	  known++;
	  if (m->source != 0 && (count == 0 || sources[count - 1] != m->source))
	    sources[count++] = m->source;
	}
      else if (in_way == 0)
	in_way = m->in_way != 0 ? m->in_way
		 : last_store (m, address + b, time, epoch);
    }
  item->operands[1] = address;
  item->known = known == size;
  enum tb_why_rule from = count != 0 ? TB_WHY_ACCESS : TB_WHY_MEMORY;
  item->rule = (uint8_t) (item->known ? from : contents_rule (m, address, size));
  if (!item->known && in_way != 0 && item->rule != TB_WHY_TRACE_RAM)
    add_store (c, 0, in_way);
  for (unsigned k = 0; k < count && item->known; k++)
    {
      tb_vid id = m->accesses[sources[k]].value;
      if (id & TB_CONSTANT)
	{
	  size_t at = add_constant (c, id, made_by (c, 0, sources[k]));
	  if (at < c->count && c->items[0].from_count < TB_WHY_FROM)
	    c->items[0].from[c->items[0].from_count++] = (uint16_t) at;
	}
      else if (is_known (c, id))
	add_from (c, 0, id);
      else
	c->items[0].partly = true;
    }
  follow (c, 1);
}
