/* State of A64 code: why values are not known.  See reasons.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/explain/reasons-window.h"

/* Has T an operation that OP or OTHER is?  */
static bool
does (const struct tb_state *s, const struct tb_template *t,
      unsigned properties)
{
  for (unsigned k = 0; k < t->count; k++)
    if (tb_op_is (s->uops[t->first + k].op, properties))
      return true;
  return false;
}

/* Why what changes before step I make is not known.  */
static enum tb_why_not
by_changes (const struct tb_state *s, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i, &count);
  for (size_t k = 0; k < count; k++)
    if (change[k].kind == TB_CHANGE_LOST)
      return TB_WHY_NOT_GAP;
  return TB_WHY_NOT_EXCEPTION;
}

/* As behind_step of reasons.c.  */
static enum tb_why_not
behind_step (struct tb_state *s, uint64_t i, tb_vid *end)
{
  uint32_t number = s->info[i] & TB_INFO_TEMPLATE;
  const struct tb_template *t = &s->templates[number];
  bool changes = i + 1 == s->steps || s->info[i + 1] & TB_INFO_EVENTS
		 || does (s, t, TB_SWITCHES);
  enum tb_why_not why = TB_WHY_NOT_INSTRUCTION;
  if (!t->modelled && s->own_templates != 0 && number >= s->own_templates)
    why = TB_WHY_NOT_ANALYSED;
  if (changes)
    {
      struct tb_a64_names after = s->a64->names;
      struct tb_a64_builder b = tb_a64_builder_of (s, &after, true);
      tb_a64_step (&b, i);
      *end = after.next_value;
      if (t->modelled)
	why = by_changes (s, i + 1);
      tb_a64_seek (s, i + 1);
      return why;
    }
  *end = s->a64->names.next_value;
  tb_a64_seek (s, i + 1);
  if (t->modelled)
    *end = s->a64->names.next_value;
  return why;
}

void
tb_a64_reasons_look (struct tb_state *s, struct tb_reasons_window *w)
{
  tb_a64_seek (s, 0);
  tb_reasons_mark (&w->values, 1, s->a64->names.next_value,
		   s->base == 0 ? TB_WHY_NOT_START : TB_WHY_NOT_WINDOW);
  for (uint64_t i = 0; i < s->steps; i++)
    {
      tb_vid begin = s->a64->names.next_value, end;
      const struct tb_template *t
	= &s->templates[s->info[i] & TB_INFO_TEMPLATE];
      w->accesses[i] = s->a64->names.next_access;
      bool foreign = s->a64->names.foreign
		     && does (s, t, TB_LOADS);
      enum tb_why_not why = behind_step (s, i, &end);
      tb_reasons_mark (&w->values, begin, end,
		       foreign ? TB_WHY_NOT_SPACE : TB_WHY_NOT_INSTRUCTION);
      tb_reasons_mark (&w->values, end, s->a64->names.next_value, why);
    }
  w->accesses[s->steps] = s->a64->names.next_access;
}

tb_vid
tb_a64_reasons_value (struct tb_state *s, uint64_t i, unsigned place)
{
  tb_a64_seek (s, i);
  if (s->a64->names.lost || (place > TB_A64_SP && place < TB_EFFECT_N))
    return 0;
  return s->a64->names.slot[place <= TB_A64_SP ? place
		       : TB_A64_N + (place - TB_EFFECT_N)];
}

size_t
tb_a64_reasons_accesses (struct tb_state *s, uint64_t i,
			 struct tb_reasons_access *accesses, size_t room)
{
  tb_a64_seek (s, i);
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  uint32_t id = s->a64->names.next_access;
  size_t count = 0;
  for (unsigned k = 0; k < t->count && count < room; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (!tb_op_is (u->op, TB_LOADS | TB_STORES))
	continue;
      struct tb_reasons_access a = { .foreign = s->a64->names.foreign };
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
