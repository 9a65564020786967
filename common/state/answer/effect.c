/* What the steps do to registers.  See effect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/effect.h"

#include <stdlib.h>

#include "arm/ir/semantics-a64.h"
#include "state/evidence/log-state.h"
#include "state/window/windows.h"

/* The registers of the slots in SLOTS, of A64 or not.  */
static uint64_t
registers_of (uint64_t slots, bool a64)
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
  bool certain = true;
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool all = u->op == TB_OP_FORGET_VECTORS;
      certain &= !tb_op_is (u->op, TB_MAY_SKIP);
      if (u->dst < TB_PLACE_FP || u->dst >= TB_PLACE_END)
	continue;
      effect->controls |= all || u->dst >= TB_PLACE_FPSCR;
      if (u->dst >= TB_PLACE_FPSCR)
	continue;
      uint64_t part = (all ? UINT64_MAX : UINT64_C (1)) << (u->dst - TB_PLACE_FP);
      effect->may_vectors |= part;
      effect->vectors |= certain ? part : 0;
    }
}

void
tb_effect_of_uops (struct tb_effect *effect, const struct tb_uop *uops,
		   unsigned count, bool a64)
{
  struct tb_semantics_effect slots;
  if (a64)
    tb_semantics_effect_a64 (uops, count, &slots);
  else
    tb_semantics_effect (uops, count, &slots);
  *effect = (struct tb_effect) {
    .reads = registers_of (slots.reads, a64),
    .writes = registers_of (slots.writes, a64),
    .may_write = registers_of (slots.may_write, a64)
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

/* What an exception's frame holds of the registers.  */
#define FRAME (UINT64_C (0x500f) | TB_EFFECT_NZCV)
#define SP (UINT64_C (1) << TB_SP)

/* The registers that are live before CHANGE, of which LIVE are behind it; A64: only their
   SP is banked, and an entry saves the flags.  */
static uint64_t
before_change (const struct tb_change *change, uint64_t live, bool a64)
{
  if (a64)
    return change->kind == TB_CHANGE_LOST ? TB_EFFECT_ALL64
	   : change->kind == TB_CHANGE_ENTRY
	   ? live | TB_EFFECT_NZCV | UINT64_C (1) << TB_A64_SP : live;
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      return live | FRAME | SP;
    case TB_CHANGE_RETURN:
      return (live & ~FRAME) | SP;
    case TB_CHANGE_RETURN_MAYBE:
      return live | SP;
    case TB_CHANGE_TAIL:
      return live & ~FRAME;
    case TB_CHANGE_WRITTEN:
      return live & ~registers_of (change->address, false);
    default:
      return TB_EFFECT_ALL32;
    }
}

/* The sets before the steps of window S of which the first is FIRST, into SETS; LIVE
   are the registers that are live behind it.  Returns those before it.  */
static uint64_t
live_in (struct tb_state *s, uint64_t first, uint64_t count, uint64_t live,
	 uint64_t *sets)
{
  size_t change = s->nchanges;
  for (uint64_t i = count; i-- > 0;)
    {
      struct tb_effect effect;
      for (; change > 0 && s->changes[change - 1].step > i; change--)
	live = before_change (&s->changes[change - 1], live, s->a64 != NULL);
      tb_state_effect (s, first + i, &effect);
      live = (live & ~effect.writes) | effect.reads;
      sets[i] = live;
    }
  return live;
}

/* Steps whose sets are kept at once.  */
#define LIVE_MOST (UINT64_C (1) << 27)

uint64_t *
tb_state_live (struct tb_state *s, uint64_t *first, uint64_t *count)
{
  if (s->derived != NULL)
    return tb_state_live (s->derived, first, count);
  uint64_t total = s->log != NULL ? 0 : tb_recording_steps (s->recording);
  uint64_t all = s->a64 != NULL ? TB_EFFECT_ALL64 : TB_EFFECT_ALL32;
  uint64_t live = all;
  *first = total < LIVE_MOST ? 0 : total - LIVE_MOST;
  *count = total - *first;
  uint64_t *sets = calloc (*count + 1, sizeof *sets);
  for (uint64_t end = total; sets != NULL && end > *first;)
    {
      struct tb_state *w = tb_windows_at (s, end - 1);
      uint64_t base = w->base, steps = w->steps;
      if (end <= base || end > base + steps || base < *first)
	/* It was given up.  */
	sets[--end - *first] = live = all;
      else
	{
	  live = live_in (w, base, steps, live, sets + (base - *first));
	  end = base;
	}
    }
  return sets;
}
