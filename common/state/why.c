/* Explanations.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The graph keeps for each value by what it became wholly known; which step made
   it is found by its number, as numbers are given in the order of the steps.  */

#include "config.h"
#include "state/why.h"

#include <stdlib.h>

#include "state/internal.h"
#include "state/log.h"

/* The step of the window that made the value ID.  */
static uint64_t
made_by (struct tb_state *s, tb_vid id)
{
  uint64_t low = 0, high = s->ncheckpoints;
  while (high - low > 1)
    {
      uint64_t middle = low + (high - low) / 2;
      if (s->checkpoints[middle].next_value <= id)
	low = middle;
      else
	high = middle;
    }
  uint64_t end = (low + 1) * TB_CHECKPOINT_STEPS;
  if (end > s->steps)
    end = s->steps;
  for (uint64_t i = low * TB_CHECKPOINT_STEPS; i < end; i++)
    {
      tb_state_seek (s, i + 1);
      if (s->names.next_value > id)
	return i;
    }
  return end;
}

static unsigned
rule_of (const struct tb_state *s, uint32_t cause)
{
  if (cause & TB_CAUSE_CLASS)
    return TB_WHY_SAME;
  switch (cause)
    {
    case TB_CAUSE_NONE: case TB_CAUSE_TRACE:
      return TB_WHY_TRACE;
    case TB_CAUSE_HALT:
      return TB_WHY_HALT;
    case TB_CAUSE_CONSTANTS:
      return TB_WHY_FUNCTION;
    case TB_CAUSE_SPLIT:
      return TB_WHY_FEW;
    case TB_CAUSE_MEMORY:
      return TB_WHY_MEMORY;
    }
  size_t node = cause - TB_CAUSE_NODE;
  if (node >= s->facts.kept_nodes && node < s->facts.kept_nodes_end)
    return TB_WHY_KEPT;
  switch (tb_graph_node_at (&s->graph, node).op)
    {
    case TB_NODE_BYTE:
      return TB_WHY_ACCESS;
    case TB_NODE_IF0: case TB_NODE_IF1:
      return TB_WHY_CONDITION;
    default:
      return TB_WHY_OPERATION;
    }
}

/* The number of ID's item, made if there is room; -1: there is none.  */
static int
item_of (struct tb_state *s, tb_vid id, struct tb_why *items, tb_vid *ids,
	 size_t *count, size_t capacity)
{
  for (size_t i = 0; i < *count; i++)
    if (ids[i] == id)
      return (int) i;
  struct tb_known known = tb_graph_known (&s->graph, id);
  if (*count == capacity || !tb_known_all (known))
    return -1;
  ids[*count] = id;
  items[*count] = (struct tb_why) {
    .step = s->base + made_by (s, id), .value = known.bits,
    .rule = (uint8_t) rule_of (s, tb_graph_cause (&s->graph, id))
  };
  return (int) (*count)++;
}

/* Add what item AT, of value ID, follows from.  */
static void
follow (struct tb_state *s, size_t at, tb_vid id, struct tb_why *items,
	tb_vid *ids, size_t *count, size_t capacity)
{
  uint32_t cause = tb_graph_cause (&s->graph, id);
  tb_vid from[3] = { 0 };
  if (cause & TB_CAUSE_CLASS)
    from[0] = cause & ~TB_CAUSE_CLASS;
  else if (cause >= TB_CAUSE_NODE)
    {
      struct tb_node node = tb_graph_node_at (&s->graph,
					      cause - TB_CAUSE_NODE);
      for (unsigned k = 0; k < 3; k++)
	from[k] = node.v[k];
    }
  for (unsigned k = 0; k < 3; k++)
    {
      if (from[k] == 0 || from[k] == id || from[k] & TB_CONSTANT
	  || items[at].from_count == 2)
	continue;
      int item = item_of (s, from[k], items, ids, count, capacity);
      if (item >= 0 && item != (int) at)
	items[at].from[items[at].from_count++] = (uint16_t) item;
    }
}

static void
be_silent (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  (void) message;
}

/* S with what explanations need; NULL: no memory.  */
static struct tb_state *
explained (struct tb_state *s)
{
  if (s->options.explain)
    return s;
  if (s->explained == NULL)
    {
      struct tb_diag diag = { .report = be_silent };
      struct tb_state_options options = s->options;
      options.explain = true;
      s->explained = tb_state_open (s->recording, &options, &diag);
    }
  return s->explained;
}

size_t
tb_state_why (struct tb_state *s, uint64_t step, unsigned reg,
	      struct tb_why *items, size_t capacity)
{
  struct tb_value values[TB_NREGS_MAX];
  if (capacity > UINT16_MAX)
    capacity = UINT16_MAX;
  if (s->log != NULL)
    return reg > TB_LR || capacity == 0 || s->profile->has_a64
	   ? 0 : tb_state_log_why (s->log, step, reg, items);
  s = explained (s);
  if (s == NULL || reg > TB_LR || capacity == 0)
    return 0;
  tb_state_registers (s, step, values);
  if (values[reg].mask != UINT32_MAX || step < s->base
      || step - s->base > s->steps)
    return 0;
  bool assumed = values[reg].origin == TB_ASSUMED;
  if (assumed)
    s = s->assumed;
  tb_state_seek (s, step - s->base);
  tb_vid id = s->names.slot[reg];
  tb_vid *ids = calloc (capacity, sizeof *ids);
  size_t count = 0;
  if (ids == NULL || id == 0)
    {
      free (ids);
      return 0;
    }
  if (id & TB_CONSTANT)
    {
      /* The instruction itself has it.  */
      items[count++] = (struct tb_why) {
	.step = step, .value = (uint32_t) values[reg].bits,
	.rule = TB_WHY_TRACE
      };
    }
  else
    {
      item_of (s, id, items, ids, &count, capacity);
      for (size_t i = 0; i < count; i++)
	follow (s, i, ids[i], items, ids, &count, capacity);
    }
  for (size_t i = 0; i < count; i++)
    items[i].assumed = assumed;
  free (ids);
  return count;
}
