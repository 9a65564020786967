/* Explanations of the state of A64 code.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/explain/why-chain.h"

static void
numbers (void *window, uint64_t i, tb_vid *value, uint32_t *access)
{
  tb_a64_numbers (window, i, value, access);
}

/* The half (or the lower 4 bytes of one) that Q asks for.  */
static void
explain_vector (struct tb_why_chain *c, const struct tb_why_query *q,
		const struct tb_state *s, uint64_t step)
{
  tb_vid id = tb_a64_vector_name (s, q->number, (unsigned) q->address / 8);
  if (id == 0)
    tb_why_values (c, NULL, 0, step, false, 0);
  else if (q->size == 8)
    tb_why_value (c, id, step);
  else
    {
      struct tb_known k = tb_graph_known (&s->graph, id);
      uint64_t all = UINT64_C (0xffffffff);
      if (tb_known_all (k))
	tb_why_value (c, id, step);
      else
	tb_why_values (c, &id, 1, step, (k.mask & all) == all, k.bits & all);
    }
}

size_t
tb_a64_why (struct tb_state *s, uint64_t step,
	    const struct tb_why_query *q, struct tb_why *items,
	    tb_vid *ids, size_t capacity)
{
  if (step < s->base || step - s->base > s->steps)
    return 0;
  struct tb_why_chain c = {
    .graph = &s->graph, .memory = &s->memory, .facts = &s->facts,
    .base = s->base, .steps = s->steps, .numbers = numbers, .window = s,
    .items = items, .ids = ids, .capacity = capacity
  };
  tb_a64_seek (s, step - s->base);
  struct tb_a64_names names = s->a64->names;
  unsigned slot = q->kind == TB_WHY_FLAG ? TB_A64_N + q->number : q->number;
  if (q->kind == TB_WHY_BYTES)
    tb_why_bytes (&c, q->address, q->size, step, names.next_access,
		  names.epoch);
  else if (q->kind == TB_WHY_VECTOR)
    explain_vector (&c, q, s, step);
  else if (!names.lost)
    {
      c.place = &s->a64->names.slot[slot];
      tb_why_value (&c, names.slot[slot], step);
    }
  else
    tb_why_values (&c, NULL, 0, step, false, 0);
  return c.count;
}
