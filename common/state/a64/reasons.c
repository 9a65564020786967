/* State of A64 code: why values are not known.  See reasons.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/explain/reasons-window.h"

#include <assert.h>

size_t
tb_a64_reasons_naccesses (const struct tb_a64 *s)
{
  return s->memory.naccesses;
}

/* Has T an operation that OP or OTHER is?  */
static bool
does (const struct tb_a64 *s, const struct tb_a64_template *t,
      unsigned properties)
{
  for (unsigned k = 0; k < t->count; k++)
    if (tb_op_is (s->uops[t->first + k].op, properties))
      return true;
  return false;
}

/* Why what changes before step I make is not known.  */
static enum tb_why_not
by_changes (const struct tb_a64 *s, uint64_t i)
{
  size_t count;
  const struct tb_a64_change *change = tb_a64_changes (s, i, &count);
  for (size_t k = 0; k < count; k++)
    if (change[k].kind == TB_A64_LOST)
      return TB_WHY_NOT_GAP;
  return TB_WHY_NOT_EXCEPTION;
}

/* As behind_step of reasons.c.  */
static enum tb_why_not
behind_step (struct tb_a64 *s, uint64_t i, tb_vid *end)
{
  uint32_t number = s->info[i] & TB_A64_TEMPLATE;
  const struct tb_a64_template *t = &s->templates[number];
  bool changes = i + 1 == s->steps || s->info[i + 1] & TB_A64_CHANGES
		 || does (s, t, TB_SWITCHES);
  enum tb_why_not why = TB_WHY_NOT_INSTRUCTION;
  if (!t->modelled && s->own_templates != 0 && number >= s->own_templates)
    why = TB_WHY_NOT_ANALYSED;
  if (changes)
    {
      struct tb_a64_names after = s->names;
      struct tb_a64_builder b = tb_a64_builder_of (s, &after, true);
      tb_a64_step (&b, i);
      *end = after.next_value;
      if (t->modelled)
	why = by_changes (s, i + 1);
      tb_a64_seek (s, i + 1);
      return why;
    }
  *end = s->names.next_value;
  tb_a64_seek (s, i + 1);
  if (t->modelled)
    *end = s->names.next_value;
  return why;
}

bool
tb_a64_reasons_begin (struct tb_a64 *s, struct tb_reasons_window *w)
{
  assert (s->graph.kinds == NULL);
  if (!tb_reasons_values_begin (&w->values, &s->graph, &s->memory))
    return false;
  tb_a64_seek (s, 0);
  tb_reasons_mark (&w->values, 1, s->names.next_value,
		   s->base == 0 ? TB_WHY_NOT_START : TB_WHY_NOT_WINDOW);
  for (uint64_t i = 0; i < s->steps; i++)
    {
      tb_vid begin = s->names.next_value, end;
      const struct tb_a64_template *t
	= &s->templates[s->info[i] & TB_A64_TEMPLATE];
      w->accesses[i] = s->names.next_access;
      bool foreign = s->names.foreign
		     && does (s, t, TB_LOADS);
      enum tb_why_not why = behind_step (s, i, &end);
      tb_reasons_mark (&w->values, begin, end,
		       foreign ? TB_WHY_NOT_SPACE : TB_WHY_NOT_INSTRUCTION);
      tb_reasons_mark (&w->values, end, s->names.next_value, why);
    }
  w->accesses[s->steps] = s->names.next_access;
  return true;
}

tb_vid
tb_a64_reasons_value (struct tb_a64 *s, uint64_t i, unsigned place)
{
  tb_a64_seek (s, i);
  if (s->names.lost || (place > TB_A64_SP && place < TB_EFFECT_N))
    return 0;
  return s->names.slot[place <= TB_A64_SP ? place
		       : TB_A64_N + (place - TB_EFFECT_N)];
}

size_t
tb_a64_reasons_accesses (struct tb_a64 *s, uint64_t i,
			 struct tb_reasons_access *accesses, size_t room)
{
  tb_a64_seek (s, i);
  const struct tb_a64_template *t
    = &s->templates[s->info[i] & TB_A64_TEMPLATE];
  uint32_t id = s->names.next_access;
  size_t count = 0;
  for (unsigned k = 0; k < t->count && count < room; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (!tb_op_is (u->op, TB_LOADS | TB_STORES))
	continue;
      struct tb_reasons_access a = { .foreign = s->names.foreign };
      if (!a.foreign && id < s->memory.naccesses)
	{
	  a.address = s->memory.accesses[id].address;
	  a.value = s->memory.accesses[id++].value;
	}
      a.maybe = u->op == TB_OP_STORE_MAYBE;
      accesses[count++] = a;
    }
  return count;
}

enum tb_why_not
tb_a64_reasons_find (struct tb_reasons_values *values, tb_vid id,
		     uint32_t *store)
{
  return tb_reasons_find (values, id, store);
}

void
tb_a64_reasons_settle (struct tb_reasons_values *values, tb_vid id,
		       enum tb_why_not why, uint32_t store)
{
  tb_reasons_settle (values, id, why, store);
}
