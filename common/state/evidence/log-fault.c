/* A log that contradicts what its instructions do: how much of it is relied on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/evidence.h"

#include <inttypes.h>
#include <stdio.h>

#include "recording/tarmac.h"
#include "state/evidence/stated.h"

bool
tb_state_doubt_log (struct tb_state *s, struct tb_state *home)
{
  if (home->options.stated != TB_STATED_NONE)
    home->options.stated++;
  s->options.stated = home->options.stated;
  home->stated_fault = (struct tb_stated_fault) { .first = s->base };
  home->stated_fault.last = home->stated_fault.first + s->steps - 1;
  bool lines = home->options.stated == TB_STATED_NONE;
  tb_stated_find_fault (s, lines, &home->stated_fault);
  if (home->options.stated == TB_STATED_NONE)
    return tb_evidence_give_up (s);
  /* What A64 does is described alike.  */
  return home->a64 != NULL || tb_state_reload (home);
}

/* Where F is, to WHERE.  */
static void
say_where (char *where, size_t size, const struct tb_state *home,
	   const struct tb_stated_fault *f)
{
  const struct tb_columns *facts = tb_state_log_facts (home->stated);
  size_t count;
  const struct tb_reg_info *regs = tb_regs (home->profile, &count);
  char what[40], line[24] = "";
  if (!f->found)
    {
      snprintf (where, size, "  It takes several steps of %" PRIu64 " to %" PRIu64
		" to show that.", f->first, f->last);
      return;
    }
  uint64_t number = tb_tarmac_line_of (facts, f->step);
  if (number != 0)
    snprintf (line, sizeof line, ":%" PRIu64, number);
  if (f->stored)
    snprintf (what, sizeof what, "what is stored at 0x%" PRIx64, f->address);
  else
    snprintf (what, sizeof what, "%s", f->name != NULL ? f->name : regs[f->reg].name);
  snprintf (where, size, "  Behind step %" PRIu64 "%s%s%s%s: %s is 0x%" PRIx64
	    " by the log, 0x%" PRIx64 " by the instruction.", f->step,
	    number != 0 ? " (" : "", number != 0 ? facts->path : "", line,
	    number != 0 ? ")" : "", what, f->told, f->made);
}

void
tb_state_say_doubt (const struct tb_state *home, struct tb_diag *diag)
{
  char where[600];
  say_where (where, sizeof where, home, &home->stated_fault);
  if (home->options.stated == TB_STATED_NONE)
    tb_warning (diag, "The log contradicts what its instructions do.%s  What its "
		"lines tell is shown up to the next write, nothing more is worked out.", where);
  else
    tb_warning (diag, "The log has no lines for registers that its instructions "
		"change.%s  Only what its lines tell, and what follows from that, "
		"is known.", where);
}
