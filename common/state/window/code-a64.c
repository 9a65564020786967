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
  tb_a64_note_vectors (s, semantics->uops, semantics->count);
}

void
tb_a64_set_level (struct tb_state *s, uint8_t el)
{
  s->a64->el = el <= 3 ? el
	       : s->teller->level != NULL ? s->teller->level (s, s->base)
	       : TB_A64_NO_EL;
}

bool
tb_a64_describe_at (const struct tb_state *s, uint64_t address,
		    struct tb_semantics *semantics)
{
  uint8_t b[4];
  if (tb_memmap_read (s->memory.map, s->memory.space, address, b, 4) != 4)
    return false;
  tb_semantics_a64 (semantics, b[0] | (uint32_t) b[1] << 8
		    | (uint32_t) b[2] << 16 | (uint32_t) b[3] << 24, address,
		    s->a64->zero_block);
  return semantics->modelled;
}
