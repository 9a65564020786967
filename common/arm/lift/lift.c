/* An instruction of any instruction set as micro-operations.  See arm/ir/semantics.h and rows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/semantics-a64.h"
#include "arm/lift/rows.h"

#include <assert.h>

void
tb_sem_emit (struct tb_semantics *s, unsigned op, unsigned dst, unsigned a,
	     unsigned b, uint64_t imm)
{
  assert (s->count < TB_SEM_MAX);
  s->uops[s->count++] = (struct tb_uop) {
    .op = (uint8_t) op, .dst = (uint8_t) dst, .a = (uint8_t) a, .b = (uint8_t) b,
    .when = s->when, .imm = imm
  };
}

void
tb_sem_nothing (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) s;
  (void) f;
}

bool
tb_semantics_of (struct tb_semantics *s, enum tb_isa isa, uint32_t opcode,
		 unsigned size, uint64_t pc, unsigned it,
		 const struct tb_profile *profile)
{
  s->modelled = false;
  s->count = 0;
  if (size != 0 && isa == TB_ISA_A64)
    tb_semantics_a64 (s, opcode, pc, 0);
  else if (size != 0 && isa == TB_ISA_A32)
    tb_semantics_a32 (s, opcode, (uint32_t) pc, profile);
  else if (isa == TB_ISA_T32)
    tb_semantics_t32_it (s, opcode, size, (uint32_t) pc, it, profile);
  return s->modelled;
}
