/* State of A64 code: naming along the steps of a window, what lies before each and the
   step itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"

#include <string.h>

void
tb_a64_start (struct tb_a64_builder *b)
{
  struct tb_a64_names *n = b->names;
  memset (n, 0, sizeof *n);
  n->next_value = 1;
  n->next_access = 1;
  n->el = b->state->a64->el;
  n->context = b->state->context;
  tb_a64_lose (b);
}

/* State what the window before knows at its end.  */
static void
name_border (struct tb_a64_builder *b)
{
  struct tb_state *s = b->state;
  struct tb_a64_names *n = b->names;
  const struct tb_border *before = s->before[s->assuming];
  if (!b->n.replay)
    {
      size_t values = s->graph.nvalues;
      s->graph.cause = TB_CAUSE_BORDER;
      s->border_accesses = n->foreign ? 0
			   : tb_memory_put_border (&s->memory, before, n->epoch);
      s->border_values = (uint32_t) (s->graph.nvalues - values);
    }
  n->next_access += s->border_accesses;
  n->next_value += s->border_values;
  for (unsigned i = 0; before != NULL && i < TB_A64_NSLOTS; i++)
    if (n->slot[i] != 0)
      tb_namer_bits (&b->n, n->slot[i], before->slots[i].mask,
		     before->slots[i].bits);
  if (!b->n.replay)
    tb_a64_use_border_vectors (s, before);
  if (before != NULL && before->saved_el != 0 && !n->lost)
    n->saved_el = before->saved_el - 1;
  if (!b->n.replay)
    s->graph.cause = TB_CAUSE_TRACE;
}

void
tb_a64_arrive (struct tb_a64_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  struct tb_a64_names *n = b->names;
  bool here = i < s->steps;
  const struct tb_template *t
    = here ? &s->templates[s->info[i] & TB_INFO_TEMPLATE] : NULL;

  if (!here || s->info[i] & TB_INFO_EVENTS || n->returning || n->trapped)
    tb_a64_change (b, i);
  /* What another translation regime has at an address is not followed.  */
  bool foreign = here && t->space != s->memory.space;
  if (foreign != n->foreign)
    n->epoch++;
  n->foreign = foreign;
  if (!here || s->stated != NULL || t->modelled)
    tb_a64_name_all (b);
  if (i == 0)
    name_border (b);
  if (s->stated != NULL)
    tb_a64_stated_before (b, i);
}

void
tb_a64_step (struct tb_a64_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  uint32_t info = s->info[i];
  const struct tb_template *t = &s->templates[info & TB_INFO_TEMPLATE];
  b->names->target = 0;
  if (!t->modelled)
    {
      tb_vid before[TB_A64_SP];
      memcpy (before, b->names->slot, sizeof before);
      tb_a64_lose (b);
      tb_a64_stated_keep (b, i + 1, before);
      return;
    }
  for (unsigned k = 0; k < t->count; k++)
    tb_a64_name (b, &s->uops[t->first + k], i, info);
  if (!b->n.replay)
    tb_graph_mark_stack (&b->state->graph, b->names->slot[TB_A64_SP]);
}
