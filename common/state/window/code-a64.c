/* State of A64 code: describing instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/teller.h"

void
tb_a64_describe (struct tb_state *s, struct tb_template *t,
		 struct tb_semantics *semantics)
{
  if (t->isa == TB_ISA_A64 && t->size == 4)
    tb_semantics_a64 (semantics, t->opcode, t->pc, s->a64->zero_block);
  if (!semantics->modelled)
    return;
  if (semantics->count == 1 && semantics->uops[0].op == TB_OP_TRAP)
    semantics->flags = TB_SEM_TRAPS;
  unsigned loads = 0;
  for (unsigned k = 0; k < semantics->count; k++)
    {
      unsigned op = semantics->uops[k].op;
      loads += tb_op_is (op, TB_LOADS);
      if (tb_op_is (op, TB_STORES) || op == TB_OP_FORGET)
	semantics->flags |= TB_SEM_STORES;
    }
  if (loads > 1)
    semantics->flags |= TB_SEM_MULTIPLE;
}

void
tb_a64_set_level (struct tb_state *s, uint8_t el)
{
  s->a64->el = el <= 3 ? el
	       : s->teller->level != NULL ? s->teller->level (s, s->base)
	       : TB_A64_NO_EL;
}
