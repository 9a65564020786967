/* Naming of system registers and their fields.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/builder.h"
#include "state/window/it.h"

uint32_t
tb_state_it_zero (struct tb_state *s, uint64_t pc)
{
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  if (s->profile->arch == TB_ARCH_V6M || s->profile->arch == TB_ARCH_V8M_BASE)
    return TB_PSR_IT;
  if (!tb_it_never (s, pc)
      || tb_state_template_at (s, pc, &t, uops) == NULL
      || t.flags & (TB_SEM_MULTIPLE | TB_SEM_CONTINUES))
    return 0;
  return TB_PSR_IT;
}

tb_vid
tb_build_privileged (struct tb_builder *b)
{
  const tb_vid *slot = b->names->slot;
  tb_vid one = tb_namer_constant (&b->n, 1);
  if (!b->state->profile->is_m)
    return tb_build_privileged_mode (b);
  if (slot[TB_SLOT_HANDLER] == one)
    return one;
  tb_vid allowed = tb_namer_valuei (&b->n, TB_OP_EOR, slot[TB_SLOT_NPRIV], 1);
  return tb_namer_value (&b->n, TB_OP_ORR, slot[TB_SLOT_HANDLER], allowed);
}

/* WIDTH bits of X from AT up, as they are or, if AT is 0, with what is above them.  */
static tb_vid
shifted (struct tb_builder *b, tb_vid x, unsigned at)
{
  return at == 0 ? x : tb_namer_valuei (&b->n, TB_OP_LSR, x, at);
}

/* State that PART is WIDTH bits of X from AT up.  */
static void
tie (struct tb_builder *b, tb_vid x, unsigned at, unsigned width, tb_vid part)
{
  if (width == 1)
    tb_namer_node (&b->n, TB_OP_BIT, part, x, tb_namer_constant (&b->n, at));
  else
    tb_namer_node (&b->n, TB_OP_AND, part, shifted (b, x, at),
		   tb_namer_constant (&b->n, tb_field_ones (width)));
}

void
tb_build_tie_psr (struct tb_builder *b, tb_vid x)
{
  struct tb_system_register psr = tb_system_psr (b->state->profile);
  for (unsigned i = 0; i < psr.count; i++)
    {
      const struct tb_system_field *f = &psr.fields[i];
      if (b->names->slot[f->slot] != 0)
	tie (b, x, f->at, f->width, b->names->slot[f->slot]);
    }
}

void
tb_build_field (struct tb_builder *b, const struct tb_uop *u)
{
  unsigned at = TB_FIELD_AT (u->imm), width = TB_FIELD_WIDTH (u->imm);
  tb_vid x = tb_build_read (b, u->dst, 0), part = tb_build_read (b, u->a, 0);
  tb_vid condition = b->condition;
  if (condition == 0 || condition == tb_namer_constant (&b->n, 1))
    {
      tie (b, x, at, width, part);
      if (u->a == TB_SLOT_MODE && !b->state->profile->is_m)
	tb_build_note_mode (b, x);
    }
  else if (width == 1)
    tb_namer_node (&b->n, TB_NODE_IF1, part,
		   tb_namer_valuei (&b->n, TB_OP_BIT, x, at), condition);
  else
    tb_namer_node (&b->n, TB_NODE_IF1, part,
		   tb_namer_valuei (&b->n, TB_OP_AND, shifted (b, x, at),
				    tb_field_ones (width)), condition);
}

void
tb_build_spsel (struct tb_builder *b, tb_vid value)
{
  tb_vid *slot = b->names->slot, old = slot[TB_SLOT_SPSEL], sp = slot[TB_SLOT_SP];
  tb_vid other = slot[TB_SLOT_SP_OTHER];
  slot[TB_SLOT_SPSEL] = value;
  if (value == old)
    return;
  tb_vid change = tb_namer_value (&b->n, TB_OP_EOR, value, old);
  slot[TB_SLOT_SP] = tb_namer_select (&b->n, change, other, sp);
  slot[TB_SLOT_SP_OTHER] = tb_namer_select (&b->n, change, sp, other);
}
