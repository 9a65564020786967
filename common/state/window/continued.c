/* Naming of load and store multiples that are gone on with where an exception interrupted them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M (DDI 0403), B1.5.10, ARMv8-M (DDI 0553), "EPSR": a load or store multiple
   that is interrupted is given up and begun again after the return, or else the ICI bits of
   the xPSR that is saved have the number of the register that comes next, bits 15:12, and
   the instruction goes on with that.  In an IT block it is begun again, as these bits are those
   of the block then, of which bits 11:10 and 26:25 are not all 0.  */

#include "config.h"
#include "state/window/builder.h"
#include "state/window/it.h"

#include "arm/machine/m-frame.h"
#include "decode/element.h"

#define NEXT_AT 12
#define NEXT_MASK 15
/* Of TB_PSR_IT.  */
#define BLOCK UINT32_C (0x06000c00)

/* The register that PSR says comes next; 0: none.  */
static tb_vid
next_register (struct tb_builder *b, tb_vid psr)
{
  tb_vid no_block = tb_namer_value (&b->n, TB_OP_ISZERO,
				tb_namer_valuei (&b->n, TB_OP_AND, psr, BLOCK), 0);
  tb_vid next = tb_namer_valuei (&b->n, TB_OP_AND,
				 tb_namer_valuei (&b->n, TB_OP_LSR, psr, NEXT_AT), NEXT_MASK);
  return tb_namer_select (&b->n, no_block, next, tb_namer_constant (&b->n, 0));
}

tb_vid
tb_build_next_register (struct tb_builder *b, const struct tb_template *t,
			uint64_t address, tb_vid psr)
{
  if (!(t->flags & TB_SEM_CONTINUES) || b->state->aligned)
    return 0;
  if (b->state->profile->arch != TB_ARCH_V81M_MAIN && tb_it_never (b->state, address))
    tb_namer_bits (&b->n, psr, BLOCK, 0);
  /* If it was interrupted before, too, it loaded some of them then, perhaps, and memory may have
     changed.  */
  return b->names->ran ? next_register (b, psr) : 0;
}

tb_vid
tb_build_was_loaded (struct tb_builder *b, unsigned reg, tb_vid next)
{
  return tb_namer_value (&b->n, TB_OP_LTU, tb_namer_constant (&b->n, reg), next);
}

bool
tb_build_is_listed (const struct tb_uop *u, const struct tb_uop *uops, unsigned count)
{
  if (u->op != TB_OP_LOAD || u->dst > TB_SLOT_LR)
    return false;
  for (unsigned k = 0; k < count; k++)
    if (uops[k].a == u->dst || uops[k].b == u->dst)
      return false;
  return true;
}

/* The numbers of registers that can come next in an instruction, UOPS, that loads general
   registers (a bit each, that of 0 stands for none, too); 0: it does not.  What is loaded to
   another place is the PC.  */
static uint32_t
may_come_next (const struct tb_uop *uops, unsigned count)
{
  uint32_t set = 0;
  for (unsigned k = 0; k < count; k++)
    if (uops[k].op == TB_OP_LOAD && uops[k].dst < TB_PLACE_FP)
      set |= uops[k].dst <= TB_SLOT_LR ? UINT32_C (1) << uops[k].dst : UINT32_C (1) << 15;
  return set != 0 ? set | 1 : 0;
}

void
tb_build_resume (struct tb_builder *b, const struct tb_change *change, tb_vid psr, bool sure)
{
  const struct tb_state *s = b->state;
  struct tb_names *n = b->names;
  size_t count;
  n->goes_on = tb_namer_constant (&b->n, 0);
  n->next = 0;
  if (s->aligned || change->step >= s->steps)
    return;
  const struct tb_template *t
    = &s->templates[s->info[change->step] & TB_INFO_TEMPLATE];
  const struct tb_change *last = tb_build_changes (s, change->step, &count) + count - 1;
  bool written = false;
  for (; last > change && (last->kind == TB_CHANGE_WRITTEN || last->kind == TB_CHANGE_CONTEXT);
       last--)
    written |= last->kind == TB_CHANGE_WRITTEN;
  if (!(t->flags & TB_SEM_CONTINUES) || t->it != TB_IT_NONE || last != change)
    return;
  tb_vid bits = tb_namer_valuei (&b->n, TB_OP_AND, psr, TB_PSR_IT);
  n->goes_on = tb_namer_valuei (&b->n, TB_OP_EOR,
				tb_namer_value (&b->n, TB_OP_ISZERO, bits, 0), 1);
  if (written)
    return;
  n->next = next_register (b, psr);
  uint32_t values = may_come_next (&s->uops[t->first], t->count);
  if (sure && !b->n.replay && values != 0)
    tb_memory_note_worth (&b->state->memory, n->next, values);
}

tb_vid
tb_build_resumed (struct tb_builder *b, const struct tb_uop *u, uint64_t i, tb_vid value)
{
  const struct tb_state *s = b->state;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  /* What was loaded then may have been something else.  */
  if (b->names->next == 0 || !tb_build_is_listed (u, &s->uops[t->first], t->count))
    return tb_namer_select (&b->n, b->names->goes_on, tb_namer_new (&b->n), value);
  /* It need not be loaded again.  */
  tb_vid keeps = tb_namer_value (&b->n, TB_OP_AND, tb_build_was_loaded (b, u->dst, b->names->next),
				 tb_build_fresh (b, TB_SLOT_Z));
  return tb_namer_select (&b->n, keeps, tb_build_read (b, u->dst, 0), value);
}
