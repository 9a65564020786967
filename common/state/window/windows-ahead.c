/* Working windows out before somebody waits for them.  See state/state.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/windows-kept.h"

/* What is worked out from now on nobody waits for.  */
static void
begin_ahead (struct tb_windows *w)
{
  w->ahead = true;
  w->poll.stopped = false;
}

/* Until now.  False: it was given up.  */
static bool
end_ahead (struct tb_windows *w)
{
  bool stopped = tb_windows_stopped (w);
  w->ahead = false;
  return !stopped;
}

void
tb_state_set_poll (struct tb_state *s, bool (*go_on) (void *context), void *context)
{
  if (s->derived != NULL)
    s = s->derived;
  if (s->windows != NULL)
    s->windows->poll = (struct tb_poll) { .go_on = go_on, .context = context };
}

bool
tb_state_ready (struct tb_state *s, uint64_t step)
{
  if (s->derived != NULL)
    s = s->derived;
  struct tb_windows *w = s->windows;
  if (w == NULL || w->poll.go_on == NULL)
    return true;
  begin_ahead (w);
  bool found = tb_windows_reach (s, tb_windows_number (w, step)) != NULL;
  if (!end_ahead (w))
    return false;
  if (!found)
    tb_recording_lacks_memory (s->recording);
  return true;
}

bool
tb_windows_check_start (struct tb_state *home, struct tb_diag *diag)
{
  struct tb_windows *w = home->windows;
  if (home->options.start == 0)
    return true;
  if (w->total <= TB_WINDOWS_REACH)
    return tb_state_prepare (home, 0, NULL, NULL, diag);
  w->start = home->options.start;
  home->options.start = 0;
  return true;
}

/* The first window is to use the start from now on.  */
static void
use_start (struct tb_state *home)
{
  struct tb_windows *w = home->windows;
  if (w->start == 0)
    return;
  home->options.start = w->start;
  w->start = 0;
  tb_windows_evict (w, w->count - 1);
  w->slots[w->count - 1].solves = 0;
}

bool
tb_state_prepare (struct tb_state *home, uint64_t step,
		  bool (*go_on) (void *context), void *context,
		  struct tb_diag *diag)
{
  if (home->log != NULL)
    return home->derived == NULL
	   || home->derived->options.stated == TB_STATED_NONE
	   || tb_state_prepare (home->derived, step, go_on, context, diag);
  struct tb_windows *w = home->windows;
  if (w == NULL)
    return true;
  size_t number = tb_windows_number (w, step);
  if (number + 1 == w->count)
    use_start (home);
  /* Backward what the halt says, forward what the code does, backward what follows
     from both, and so on.  */
  for (unsigned sweep = 0; sweep < TB_WINDOW_SOLVES; sweep++)
    for (size_t k = 0; k <= number; k++)
      {
	size_t i = sweep % 2 == 0 ? k : number - k;
	unsigned begun = w->begun;
	if (w->slots[i].solves > sweep)
	  continue;
	if (home->options.stated == TB_STATED_NONE)
	  return true;
	if (go_on != NULL && !go_on (context))
	  return true;
	begin_ahead (w);
	bool found = tb_windows_get (home, i, diag) != NULL;
	if (!end_ahead (w))
	  return true;
	if (!found)
	  return false;
	w->slots[i].solves = (uint8_t) (sweep + 1);
	if (w->begun == begun || w->begun > TB_WINDOWS_BEGUN)
	  continue;
	/* What was solved before is to be solved again.  */
	w->slots[i].solves = 0;
	sweep = 0;
	k = SIZE_MAX;
      }
  return true;
}
