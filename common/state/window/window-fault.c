/* What one of several windows shows not to hold is given up in all of them.  See
   windows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A window may contradict itself; or what it shows contradicts what its neighbours
   know, all of which is of the same stretch of steps between two gaps, or of the
   halt.  The halt is the first to be wrong, then the code that the stretch ran, and
   with it all stretches that ran any of it (see trust.h).  */

#include "config.h"
#include "state/window/windows.h"

static void
drop_borders (struct tb_state *s)
{
  for (unsigned i = 0; i < 2; i++)
    {
      tb_border_unref (s->before[i]);
      tb_border_unref (s->after[i]);
      s->before[i] = s->after[i] = NULL;
    }
}

void
tb_windows_say_halt (struct tb_diag *diag)
{
  tb_warning (diag, "The registers and memory at the halt contradict the "
	      "trace: expected a state that the traced instructions can "
	      "lead to.  They are not used.");
}

/* What all windows of HOME have lost; NULL without memory.  */
static struct tb_trust *
all_trust (struct tb_state *home)
{
  struct tb_trust *all = &home->all_trust;
  if (all->count == 0
      && !tb_trust_init (all, home->recording, 0,
			 tb_recording_steps (home->recording)))
    return NULL;
  home->options.trust = all;
  return all;
}

bool
tb_windows_lose (struct tb_state *home, const struct tb_state *s, bool *more)
{
  uint64_t lost;
  if (tb_trust_lost (&s->trust, &lost) == 0)
    return true;
  struct tb_trust *all = all_trust (home);
  if (all == NULL)
    return false;
  *more |= tb_trust_add (all, &s->trust);
  return true;
}

/* The same of the stretch at step STEP.  */
static bool
lose_at (struct tb_state *home, uint64_t step, bool *more)
{
  struct tb_trust *all = all_trust (home);
  uint64_t before, after;
  if (all == NULL)
    return false;
  tb_trust_lost (all, &before);
  tb_trust_lose_at (all, step);
  tb_trust_lost (all, &after);
  *more |= after != before;
  return true;
}

/* S contradicts what the windows before it (BEFORE), or after it, know.  */
static void
say_border (const struct tb_state *s, const struct tb_state *home, bool before,
	    struct tb_diag *diag)
{
  uint64_t lost, base = tb_state_base (s), end = base + tb_state_count (s);
  tb_trust_lost (&home->all_trust, &lost);
  tb_warning (diag, "The trace contradicts itself: what steps %llu to %llu show is "
	      "not what those %s them lead to.  If others write RAM (DMA, a "
	      "debugger) --volatile=LIST can say where; else the code in the "
	      "snapshot is not what ran.  No register or memory is worked out "
	      "where the trace, from one gap to the next, runs the same code: "
	      "%llu of %llu steps.", (unsigned long long) base,
	      (unsigned long long) end - 1, before ? "before" : "after",
	      (unsigned long long) lost,
	      (unsigned long long) home->all_trust.steps);
}

static bool
solve_once (struct tb_state *s)
{
  return tb_state_solve (s, 0, 0);
}

bool
tb_windows_find_fault (struct tb_state *s, struct tb_state *home, bool *more,
		       struct tb_diag *diag)
{
  bool device = false;
  if (!tb_state_try_devices (s, solve_once, s->halt, &device, diag))
    return false;
  *more |= device;
  if (device)
    return true;
  struct tb_border *before = tb_border_ref (s->before[0]);
  enum tb_halt halt = s->halt;
  const struct tb_trust *all = all_trust (home);
  uint64_t base = tb_state_base (s), end = base + tb_state_count (s);
  drop_borders (s);
  s->halt = TB_HALT_NONE;
  bool ok = all != NULL && tb_state_solve (s, 0, 0), own = s->graph.conflict;
  bool past = before != NULL && ok && !own;
  if (past)			/* By that one alone?  */
    {
      s->before[0] = tb_border_ref (before);
      ok = tb_state_solve (s, 0, 0);
      past = s->graph.conflict;
      drop_borders (s);
    }
  tb_border_unref (before);
  if (ok && s->stated != NULL && (own || halt != TB_HALT_USED))
    {
      s->halt = halt;
      bool news = home->options.stated != TB_STATED_NONE;
      ok = tb_state_doubt_log (s, home);
      if (news)
	tb_state_say_doubt (home, diag);
      *more = home->options.stated != TB_STATED_NONE;
      return ok;
    }
  if (ok && own)
    ok = tb_state_solve_sound (s, diag) && tb_windows_lose (home, s, more);
  s->halt = halt;
  if (!ok || own)
    return ok;
  /* What is said of the start is the first to go, wherever that may be from.  */
  if (home->options.start != 0)
    {
      tb_warning (diag, "What is said of the start of the trace (--start) "
		  "contradicts the rest of it or the halt, or the code in the "
		  "snapshot is not what ran.  It is not used.");
      home->options.start = s->options.start = 0;
      *more = true;
      return true;
    }
  /* What the halt says is known back to the last gap.  */
  if (halt == TB_HALT_USED && tb_trust_reaches_end (all, past ? base : end - 1))
    {
      tb_windows_say_halt (diag);
      home->halt = s->halt = TB_HALT_CONTRADICTED;
      *more = true;
      return true;
    }
  if (!lose_at (home, past ? base - 1 : end, more))
    return false;
  if (*more)
    say_border (s, home, past, diag);
  /* What is left is to be sound all the same.  */
  return tb_state_solve (s, 0, 0);
}
