/* Explanations of the state of A64 code.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64-internal.h"
#include "state/why-chain.h"

static void
numbers (void *window, uint64_t i, tb_vid *value, uint32_t *access)
{
  struct tb_a64 *s = window;
  tb_a64_seek (s, i);
  *value = s->names.next_value;
  *access = s->names.next_access;
}

size_t
tb_a64_why (struct tb_a64 *s, const struct tb_facts *facts, uint64_t step,
	    const struct tb_why_query *q, struct tb_why *items,
	    tb_vid *ids, size_t capacity)
{
  if (step < s->base || step - s->base > s->steps)
    return 0;
  struct tb_why_chain c = {
    .graph = &s->graph, .memory = &s->memory, .facts = facts,
    .base = s->base, .steps = s->steps, .numbers = numbers, .window = s,
    .items = items, .ids = ids, .capacity = capacity
  };
  tb_a64_seek (s, step - s->base);
  struct tb_a64_names names = s->names;
  unsigned slot = q->kind == TB_WHY_FLAG ? TB_A64_N + q->number : q->number;
  if (q->kind == TB_WHY_BYTES)
    tb_why_bytes (&c, q->address, q->size, step, names.next_access,
		  names.epoch);
  else if (!names.lost)
    tb_why_value (&c, names.slot[slot], step);
  else
    tb_why_values (&c, NULL, 0, step, false, 0);
  return c.count;
}
