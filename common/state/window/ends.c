/* What is known where a window ends: by the halt, and by the windows beside it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

static void
fact (struct tb_state *s, unsigned slot, uint64_t value)
{
  if (s->names.slot[slot] != 0)
    tb_graph_set_bits (&s->graph, s->names.slot[slot], s->graph.ones,
		       value & s->graph.ones);
}

/* State the fields of the status register of 32 bits at the halt.  */
static void
use_status (struct tb_state *s)
{
  uint32_t psr = (uint32_t) s->at_halt[TB_PSR].bits;
  if (s->at_halt[TB_PSR].mask == 0)
    return;
  struct tb_system_register all = tb_system_psr (s->profile);
  for (unsigned i = 0; i < all.count; i++)
    {
      const struct tb_system_field *f = &all.fields[i];
      fact (s, f->slot, psr >> f->at & tb_field_ones (f->width));
    }
  if (s->profile->is_m)
    fact (s, TB_SLOT_HANDLER, (psr & TB_PSR_IPSR) != 0);
}

/* State CONTROL, PRIMASK and the stack pointers of the M profile at the halt.  */
static void
use_special (struct tb_state *s)
{
  const struct tb_value *at = s->at_halt;
  if (at[TB_CONTROL].mask != 0)
    {
      fact (s, TB_SLOT_NPRIV, at[TB_CONTROL].bits & 1);
      /* On ARMv8-M it says in handler mode what thread mode uses.  */
      if (s->profile->arch < TB_ARCH_V8M_BASE
	  || (at[TB_PSR].mask != 0 && (at[TB_PSR].bits & TB_PSR_IPSR) == 0))
	fact (s, TB_SLOT_SPSEL, at[TB_CONTROL].bits >> 1 & 1);
      if (s->has_fp)
	fact (s, TB_SLOT_FPCA, at[TB_CONTROL].bits >> 2 & 1);
    }
  if (at[TB_PRIMASK].mask != 0)
    fact (s, TB_SLOT_PRIMASK, at[TB_PRIMASK].bits & 1);
  if (at[TB_MSP].mask == 0 || at[TB_PSP].mask == 0 || at[TB_SP].mask == 0)
    return;
  /* SP is one of the two; where they differ that tells which is in use.  */
  uint32_t sp = (uint32_t) at[TB_SP].bits, msp = (uint32_t) at[TB_MSP].bits;
  uint32_t psp = (uint32_t) at[TB_PSP].bits;
  if (sp == msp || sp == psp)
    {
      fact (s, TB_SLOT_SP_OTHER, sp == msp ? psp : msp);
      if (msp != psp)
	fact (s, TB_SLOT_SPSEL, sp == psp);
    }
}

void
tb_build_use_halt (struct tb_state *s)
{
  bool wide = s->a64 != NULL;
  const struct tb_value *at = s->at_halt;
  for (unsigned i = 0; i <= (wide ? (unsigned) TB_SP64 : (unsigned) TB_LR); i++)
    if (at[i].mask != 0)
      fact (s, i, at[i].bits);
  for (unsigned i = 0; i < 4 && wide && at[TB_PSTATE].mask != 0; i++)
    fact (s, TB_A64_N + i, at[TB_PSTATE].bits >> (31 - i) & 1);
  if (!wide)
    use_status (s);
  if (s->profile->is_m)
    use_special (s);
  tb_fp_state_halt (s);
}

/* State what BORDER (NULL: nothing) knows of the registers whose names are in S->names.  */
static void
use_registers (struct tb_state *s, bool end, const struct tb_border *border)
{
  for (unsigned i = 0; border != NULL && i < tb_nslots (s); i++)
    if (s->names.slot[i] != 0)
      tb_graph_set_bits (&s->graph, s->names.slot[i], border->slots[i].mask,
			 border->slots[i].bits);
  for (unsigned i = 0; border != NULL && i < TB_NBANKED; i++)
    if (s->names.bank[i] != 0)
      tb_graph_set_bits (&s->graph, s->names.bank[i], border->banked[i].mask,
			 border->banked[i].bits);
  tb_fp_state_border (s, end, border);
}

void
tb_build_use_border (struct tb_state *s)
{
  use_registers (s, true, s->after[s->assuming]);
  const struct tb_border *before = s->before[s->assuming];
  if (before == NULL || !tb_state_states_late (s))
    return;
  struct tb_names end = s->names;
  uint64_t cursor = s->cursor;
  tb_state_seek (s, 0);
  use_registers (s, false, before);
  s->names = end;
  s->cursor = cursor;
}

bool
tb_build_take_border (struct tb_state *s, bool end, struct tb_border *border)
{
  const struct tb_names *n = &s->names;
  tb_state_seek (s, end ? s->steps : 0);
  for (unsigned i = 0; i < tb_nslots (s); i++)
    if (n->slot[i] != 0)
      border->slots[i] = tb_border_known (&s->graph, n->slot[i]);
  tb_fp_take_border (s, end, border);
  if (s->a64 != NULL && !n->lost && n->saved_el != TB_A64_NO_EL)
    border->saved_el = n->saved_el + 1;
  if (s->a64 == NULL && !s->profile->is_m)
    tb_state_take_modes (s, border);
  /* What the halt's space has at an address is not looked at from another.  */
  return n->foreign
	 || tb_memory_take_border (&s->memory, border, n->next_access, n->epoch);
}
