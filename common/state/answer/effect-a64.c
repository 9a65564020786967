/* State of A64 code: what the steps do to registers.  See effect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
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
