/* What an instruction of a log wrote before an exception behind it did.  See log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/log.h"

#include <string.h>

#include "recording/facts.h"

/* The registers of STEP's mode, a bit each, of which lines told in front of events that
   leave none known: those that no event writes before that.  VALUES, if it is not NULL,
   gets their values.  */
static uint64_t
undone (const struct tb_state_log *l, uint64_t step, const struct tb_profile *profile,
	struct tb_value *values)
{
  const struct tb_columns *f = tb_state_log_facts (l);
  unsigned mode = tb_facts_step (f, step)->mode;
  size_t count, nregs;
  const struct tb_facts_undone *u = tb_facts_undone (f, step + 1, &count);
  const struct tb_reg_info *regs = tb_regs (profile, &nregs);
  uint64_t set = 0;
  unsigned last = profile->has_a64 ? TB_X30 : profile->is_m ? 12 : 7;
  for (unsigned i = 0; i <= last && count != 0; i++)
    {
      const struct tb_facts_register *r = tb_state_log_place (l, mode, i);
      struct tb_value v = { .origin = TB_STATED };
      for (size_t k = 0; r != NULL && k < count; k++)
	if (strcmp (f->registers[u[k].reg].name, r->name) == 0 && u[k].lane < 2)
	  {
	    v.bits |= (uint64_t) u[k].value << 32 * u[k].lane;
	    v.mask |= (uint64_t) u[k].mask << 32 * u[k].lane;
	  }
      if (v.mask != (regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX))
	continue;
      set |= UINT64_C (1) << i;
      if (values != NULL)
	values[i] = v;
    }
  return set;
}

uint64_t
tb_state_log_before_entry (const struct tb_state_log *l, uint64_t step,
			   const struct tb_profile *profile)
{
  const struct tb_columns *f = tb_state_log_facts (l);
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  size_t first = tb_facts_event_at (f, step + 1);
  size_t end = tb_facts_event_at (f, step + 2);
  bool wide = profile->has_a64;
  /* SP, LR and what tells the mode are the entry's; FIQ mode has more of its own.  */
  unsigned last = wide ? TB_X30 : profile->is_m ? 12 : 7;
  unsigned mode = tb_facts_step (f, step)->mode;
  uint64_t set = 0;
  for (size_t i = first; i < end; i++)
    if (events[i].kind != TB_EVENT_EXCEPTION || events[i].exception == 1)
      return undone (l, step, profile, NULL);
  for (unsigned i = 0; i <= last && first < end; i++)
    {
      const struct tb_facts_register *r = tb_state_log_place (l, mode, i);
      uint32_t value, mask;
      /* What is not known any more no line told.  */
      if (r != NULL && tb_facts_changed (r, step + 1)
	  && tb_facts_register (r, 0, step + 1, &value, &mask))
	set |= UINT64_C (1) << i;
    }
  return set;
}

void
tb_state_log_after (struct tb_state_log *l, uint64_t step,
		    const struct tb_profile *profile, struct tb_value *values)
{
  const struct tb_columns *f = tb_state_log_facts (l);
  struct tb_value before[TB_NREGS_MAX];
  tb_state_log_registers (l, step + 1, values);
  /* What an exception changed on top is not told apart.  */
  if (tb_facts_event_at (f, step + 1)
      == tb_facts_event_at (f, step + 2))
    return;
  tb_state_log_registers (l, step, before);
  uint64_t sure = tb_state_log_before_entry (l, step, profile);
  for (size_t i = 0; i < TB_NREGS_MAX; i++)
    if ((i > TB_X30 || !(sure >> i & 1)) && (values[i].bits != before[i].bits
					     || values[i].mask != before[i].mask))
      values[i] = (struct tb_value) { .origin = TB_UNKNOWN };
  undone (l, step, profile, values);
}
