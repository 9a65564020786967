/* Working out one of several windows: it is solved, what contradicts itself is weighed,
   and assumptions are made.  See window/internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/assume.h"
#include "state/evidence/evidence.h"
#include "state/window/windows.h"

/* Solve another window than the last one, HOME.  */
static bool
solve_earlier (struct tb_state *s, struct tb_state *home, bool *more,
	       struct tb_diag *diag)
{
  *more = tb_state_use_more (home, s);
  if (*more)
    return true;
  s->named &= !tb_state_use_more (s, home);
  s->stkalign = home->stkalign;
  s->halt = home->halt;
  tb_state_find_start (s, diag);
  tb_windows_begin_next (home, s);
  bool solved = tb_state_solve (s, 0, 0);
  /* To weigh what contradicts itself may change what all have.  */
  if (s->graph.conflict && home->windows != NULL)
    tb_windows_drop_next (home->windows);
  tb_windows_end_next (home, solved);
  if (!solved)
    return false;
  /* What follows may change HOME, which is not done by halves.  */
  s->options.poll = NULL;
  if (!tb_state_try_start (s, diag))
    return false;
  /* What was found not to be so was told once.  */
  if (s->base == 0)
    home->options.start = s->options.start = s->start;
  /* What a part of a window contradicts the window is asked about.  */
  if (s->graph.conflict && s->glance)
    return true;
  if (s->graph.conflict && !tb_evidence_weigh_windows (s, home, more, diag))
    return false;
  *more |= tb_state_use_more (home, s);
  return tb_state_share_code (home, s, more);
}

/* Solve the last window again.  */
static bool
solve_again (struct tb_state *s, bool *more, struct tb_diag *diag)
{
  enum tb_halt halt = s->halt;
  unsigned written = s->memory.nwritten;
  s->find_end = true;
  bool ok = tb_state_solve (s, 0, 0);
  s->find_end = false;
  if (!ok || !tb_state_find_end (s))
    return false;
  if (s->graph.conflict && s->halt != halt)
    {
      s->halt = TB_HALT_CONTRADICTED;
      if (!tb_state_solve (s, 0, 0))
	return false;
      tb_evidence_say_halt (s, diag);
    }
  if (s->graph.conflict && !tb_evidence_weigh_windows (s, s, more, diag))
    return false;
  /* The others are to be told.  */
  *more |= s->memory.nwritten != written;
  return tb_state_share_code (s, s, more);
}

bool
tb_state_work (struct tb_state *s, struct tb_state *home, bool *more,
	       struct tb_diag *diag)
{
  *more = false;
  s->assuming = false;
  tb_state_close (s->assumed);
  s->assumed = NULL;
  bool ok = s != home ? solve_earlier (s, home, more, diag)
	    : s->worked ? solve_again (s, more, diag)
	    : tb_state_solve_sound (s, diag);
  s->worked = true;
  if (ok && s->base == 0)
    home->start_used = s->start;
  if (!ok || *more || s->options.assume == 0)
    return ok;
  ok = tb_state_assume (s, home, diag);
  /* Others may have relied on it.  */
  if (ok && s->assumed != NULL && s->assumed->facts.disproved_outside
      && !home->options.calls_apart)
    home->options.calls_apart = *more = true;
  return ok;
}
