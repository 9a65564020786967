/* Jumps that look like returns.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A function that is nested in another one may go on at a label there, which may stand right
   behind the call: with the stack pointer of the outer function, but whatever is in the registers
   that it would have kept.  Where it returns is a value that was handed to it; where it jumps is
   one that the code makes of nothing else.  */

#include "config.h"
#include "state/assume/calls.h"

#include "state/window/internal.h"

/* How many steps before the branch are looked at.  */
#define REACH 16

static const struct tb_template *
template_of (const struct tb_state *s, uint64_t i)
{
  return &s->templates[s->info[i] & TB_INFO_TEMPLATE];
}

/* What step I does with slots, in EFFECT.  False: it also makes them of memory at an address that
   is no constant, or more is not known.  */
static bool
take_effect (const struct tb_state *s, uint64_t i, struct tb_semantics_effect *effect)
{
  const struct tb_template *t = template_of (s, i);
  bool loads = false;
  tb_semantics_effect (s->uops + t->first, t->count, s->a64 != NULL, effect);
  for (unsigned k = 0; k < t->count; k++)
    loads |= tb_op_is (s->uops[t->first + k].op, TB_LOADS);
  return t->modelled && !(loads && effect->reads != 0);
}

static bool
is_indirect (const struct tb_state *s, uint64_t i)
{
  const struct tb_template *t = template_of (s, i);
  for (unsigned k = 0; k < t->count; k++)
    if (s->uops[t->first + k].op == TB_OP_TARGET)
      return true;
  return false;
}

bool
tb_calls_jumps_out (const struct tb_state *s, uint64_t i)
{
  const uint64_t lr = UINT64_C (1) << (s->a64 != NULL ? (unsigned) TB_X30 : (unsigned) TB_SLOT_LR);
  struct tb_semantics_effect effect;
  if (!is_indirect (s, i) || !take_effect (s, i, &effect))
    return false;
  uint64_t wanted = effect.reads, k = i;
  for (; k > 0 && i - k < REACH && wanted != 0 && (wanted & lr) == 0; k--)
    {
      if (s->info[k] & TB_INFO_EVENTS)
	return false;
      bool whole = take_effect (s, k - 1, &effect);
      if (((effect.writes | effect.may_write) & wanted) == 0 && template_of (s, k - 1)->modelled)
	continue;
      if (!whole || (effect.may_write & ~effect.writes & wanted) != 0)
	return false;
      wanted = (wanted & ~effect.writes) | effect.reads;
    }
  /* What the window before made of it is not looked at: then nothing is claimed.  */
  return wanted == 0 || (k == 0 && s->base != 0 && (wanted & lr) == 0);
}
