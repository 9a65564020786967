/* What a log says of A64 code: what lies between its steps.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Exceptions are told by name only, if at all: anything may have happened there.  The
   mode of each instruction tells the exception level.  */

#include "config.h"
#include "state/evidence/stated.h"

#include <strings.h>

/* The name of the mode of STEP.  */
static const char *
mode_at (const struct tb_columns *f, uint64_t step)
{
  return f->modes[tb_facts_step (f, step)->mode];
}

uint8_t
tb_a64_stated_level (const struct tb_state *s, uint64_t step)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  const char *mode = step < f->steps ? mode_at (f, step) : "";
  return strncasecmp (mode, "EL", 2) == 0 && mode[2] >= '0' && mode[2] <= '3'
	 ? (uint8_t) (mode[2] - '0') : TB_A64_NO_EL;
}

static bool
add (struct tb_state *s, struct tb_change change)
{
  if (change.step < s->steps)
    s->info[change.step] |= TB_INFO_EVENTS;
  return tb_state_add_change (s, &change);
}

bool
tb_a64_stated_between (struct tb_state *s, uint64_t step,
		       const struct tb_step *previous,
		       const struct tb_step *next)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  const struct tb_profile *profile = tb_recording_profile (s->recording);
  struct tb_change change = { .step = step - s->base,
				  .kind = TB_CHANGE_LOST };
  struct tb_event events[TB_STATED_EVENTS];
  size_t count = next == NULL || next->flags & TB_STEP_EVENTS
		 ? tb_stated_events (s->recording, step, events) : 0;
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  bool lost = count != 0 || !tb_stated_goes_on (f, step, previous,
						next != NULL ? next->pc : 0,
						profile);
  if (next != NULL && count != 0)
    change.address = tb_stated_goes_through (f, events, count);
  else if (next != NULL)
    change.address = tb_stated_takes_exception (f, step);
  if (next == NULL)
    return !lost || add (s, change);
  if (previous->flags & TB_STEP_TAKEN)
    tb_step_flow (&flow, previous, profile);
  bool returns = flow.sub == TB_SUB_ERET;
  const char *before = mode_at (f, step - 1), *mode = mode_at (f, step);
  if (!lost && !returns && before == mode)
    return true;
  if (lost && !add (s, change))
    return false;
  change.kind = TB_CHANGE_CONTEXT;
  change.address = 0;
  change.el = tb_a64_stated_level (s, step);
  return add (s, change);
}

void
tb_a64_stated_step (const struct tb_state *s, uint64_t i, struct tb_step *step)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned how = tb_facts_step (f, s->base + i)->flags;
  bool last = s->base + i + 1 == f->steps;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  bool lost = count > 0 && change->kind == TB_CHANGE_LOST;
  /* It was not done, or may not have been.  */
  if (how & TB_CODE_SKIPPED || lost)
    step->isa = TB_ISA_UNKNOWN;
  else if (!last && !(step->flags & TB_STEP_TAKEN))
    step->flags |= TB_STEP_NOT_TAKEN;
}
