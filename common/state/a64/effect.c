/* State of A64 code: what the steps do to registers.  See effect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/answer/effect.h"

#include <string.h>

/* The register or flag at PLACE; 0: it is neither.  */
static uint64_t
at_place (unsigned place)
{
  if (place <= TB_A64_SP)
    return UINT64_C (1) << place;
  if (place >= TB_A64_N && place <= TB_A64_V)
    return UINT64_C (1) << (TB_EFFECT_N + (place - TB_A64_N));
  return 0;
}

/* What U does to vector registers.  */
static void
add_vectors (struct tb_effect *effect, const struct tb_uop *u)
{
  if (u->dst < TB_A64_VECTOR || u->dst >= TB_A64_END)
    return;
  unsigned half = u->dst - TB_A64_VECTOR;
  bool all = u->op == TB_OP_FORGET_VECTORS;
  effect->controls |= all || half >= 64;
  if (half >= 64)
    return;
  effect->vectors |= (all ? UINT64_MAX : UINT64_C (1)) << half;
  effect->may_vectors |= effect->vectors;
}

void
tb_a64_add_effect (struct tb_effect *effect, const struct tb_uop *u)
{
  add_vectors (effect, u);
  uint64_t reads = at_place (u->a) | at_place (u->b);
  uint64_t writes = at_place (u->dst);
  if (tb_op_is (u->op, TB_READS_FLAGS))
    reads |= (uint64_t) (tb_condition_reads ((unsigned) u->imm) >> TB_SLOT_N)
	     << TB_EFFECT_N;
  switch (u->op)
    {
    case TB_OP_ERET:
      /* Perhaps to another stack pointer.  */
      reads |= at_place (TB_A64_SP);
      effect->may_write |= at_place (TB_A64_SP);
      writes |= TB_EFFECT_NZCV;
      break;
    case TB_OP_WRITE_SPSEL:
      reads |= at_place (TB_A64_SP);
      effect->may_write |= at_place (TB_A64_SP);
      break;
    }
  effect->reads |= reads & ~effect->writes;
  effect->writes |= writes;
  effect->may_write |= writes;
}

void
tb_a64_effect (const struct tb_state *s, const struct tb_template *t,
	       struct tb_effect *effect)
{
  for (unsigned k = 0; k < t->count; k++)
    tb_a64_add_effect (effect, &s->uops[t->first + k]);
}

uint64_t
tb_a64_live (const struct tb_change *change, uint64_t live)
{
  if (change->kind == TB_CHANGE_LOST)
    return TB_EFFECT_ALL64;
  if (change->kind == TB_CHANGE_ENTRY)
    return live | TB_EFFECT_NZCV | at_place (TB_A64_SP);
  return live;
}

/* Follow a return from an exception, which the builder has followed as far as the step
   itself, up to step I of the window, to which it leads; false: more lies between
   them, or it is not known what.  */
static bool
follow_return (struct tb_a64_builder *b, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (b->state, i, &count);
  if (i >= b->state->steps || count > 1
      || (count == 1 && change->kind != TB_CHANGE_CONTEXT))
    return false;
  tb_a64_change (b, i);
  return true;
}

void
tb_a64_after (struct tb_state *s, uint64_t step, struct tb_value *values)
{
  if (step < s->base || step - s->base >= s->steps)
    return;
  uint64_t i = step - s->base;
  tb_a64_seek (s, i);
  struct tb_a64_names before = s->a64->names;
  struct tb_a64_vectors vectors = s->a64->vectors;
  struct tb_a64_builder b = tb_a64_builder_of (s, &s->a64->names, true);
  tb_a64_step (&b, i);
  bool unknown = s->a64->names.returning && !follow_return (&b, i + 1);
  tb_a64_values (s, UINT64_MAX, values);
  if (unknown)
    values[TB_SP64] = values[TB_PSTATE] = (struct tb_value) { 0 };
  s->a64->names = before;
  s->a64->vectors = vectors;
}
