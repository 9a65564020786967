/* What the steps do to registers.  See state/effect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/effect.h"

#include "arm/ir/semantics-a64.h"
#include "state/evidence/log-state.h"
#include "state/window/windows.h"

uint64_t
tb_effect_registers (uint64_t slots, bool a64)
{
  uint64_t flags = slots >> (a64 ? (unsigned) TB_A64_N : (unsigned) TB_SLOT_N) & 15;
  return (slots & (a64 ? TB_EFFECT_ALL64 : TB_EFFECT_ALL32) & ~TB_EFFECT_NZCV)
	 | flags << TB_EFFECT_N;
}

/* What UOPS do to FP and vector registers: of A64 by halves, of others by words.  */
static void
add_vectors (struct tb_effect *effect, const struct tb_uop *uops,
	     unsigned count)
{
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool all = u->op == TB_OP_FORGET_VECTORS;
      if (u->dst < TB_PLACE_FP || u->dst >= TB_PLACE_END)
	continue;
      effect->controls |= all || u->dst >= TB_PLACE_FPSCR;
      if (u->dst >= TB_PLACE_FPSCR)
	continue;
      uint64_t part = (all ? UINT64_MAX : UINT64_C (1)) << (u->dst - TB_PLACE_FP);
      effect->may_vectors |= part;
      effect->vectors |= u->when == TB_ALWAYS ? part : 0;
    }
}

void
tb_effect_of_uops (struct tb_effect *effect, const struct tb_uop *uops,
		   unsigned count, bool a64)
{
  struct tb_semantics_effect slots;
  tb_semantics_effect (uops, count, a64, &slots);
  *effect = (struct tb_effect) {
    .reads = tb_effect_registers (slots.reads, a64),
    .writes = tb_effect_registers (slots.writes, a64),
    .may_write = tb_effect_registers (slots.may_write, a64)
  };
  add_vectors (effect, uops, count);
}

bool
tb_state_effect (struct tb_state *s, uint64_t step, struct tb_effect *effect)
{
  if (s->log != NULL)
    return tb_log_state_effect (s, step, effect);
  s = tb_windows_at (s, step);
  uint64_t all = s->a64 != NULL ? TB_EFFECT_ALL64 : TB_EFFECT_ALL32;
  *effect = (struct tb_effect) { .reads = all, .may_write = all };
  if (step < s->base || step - s->base >= s->steps)
    return false;
  const struct tb_template *t
    = &s->templates[s->info[step - s->base] & TB_INFO_TEMPLATE];
  if (!t->modelled || tb_state_calls_out (s, step - s->base))
    return false;
  tb_effect_of_uops (effect, s->uops + t->first, t->count, s->a64 != NULL);
  return true;
}
