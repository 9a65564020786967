/* A log that contradicts what its instructions do: how much of it is relied on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/evidence.h"

#include <inttypes.h>
#include <stdio.h>

#include "state/a64/a64.h"
#include "state/evidence/stated.h"

bool
tb_state_doubt_log (struct tb_state *s, struct tb_state *home)
{
  if (home->options.stated != TB_STATED_NONE)
    home->options.stated++;
  s->options.stated = home->options.stated;
  home->stated_fault.found = false;
  bool lines = home->options.stated == TB_STATED_NONE;
  if (s->a64 != NULL)
    tb_a64_find_fault (s->a64, lines, &home->stated_fault);
  else
    tb_stated_find_fault (s, lines, &home->stated_fault);
  if (home->options.stated == TB_STATED_NONE)
    return tb_evidence_give_up (s);
  if (home->a64 == NULL)
    return tb_state_reload (home);
  tb_a64_rely_on_lines (home->a64);
  return true;
}

void
tb_state_say_doubt (const struct tb_state *home, struct tb_diag *diag)
{
  const struct tb_stated_fault *f = &home->stated_fault;
  size_t count;
  const struct tb_reg_info *regs = tb_regs (home->profile, &count);
  char where[160] = "";
  if (f->found)
    snprintf (where, sizeof where, "  Behind step %" PRIu64 ": %s is 0x%"
	      PRIx64 " by the log, 0x%" PRIx64 " by the instruction.", f->step,
	      f->name != NULL ? f->name : regs[f->reg].name, f->told, f->made);
  if (home->options.stated == TB_STATED_NONE)
    tb_warning (diag, "The log contradicts what its instructions do.%s  What its "
		"lines tell is shown up to the next write, nothing more is worked out.", where);
  else
    tb_warning (diag, "The log has no lines for registers that its instructions "
		"change.%s  Only what its lines tell, and what follows from that, "
		"is known.", where);
}
