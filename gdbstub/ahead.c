/* Working ahead.  See ahead.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "ahead.h"

#include "clock.h"

/* When the moment is over.  */
struct moment_end
{
  uint64_t at;			/* In ms.  */
  bool over;			/* That was said.  */
};

static bool
go_on (void *context)
{
  struct moment_end *end = context;
  end->over |= now_ms () >= end->at;
  return !end->over;
}

/* The first step that is worked out ahead.  */
static uint64_t
first_step (const struct target *t)
{
  return t->steps > t->ahead ? t->steps - t->ahead : 0;
}

/* See which code ran where, from the end back.  */
static bool
see_visits (struct target *t, struct moment_end *end)
{
  if (!target_prepare_visits (t))
    return false;
  uint64_t first = first_step (t), step = t->steps;
  for (size_t n = tb_recording_windows (t->recording);
       n-- > 0 && step > first && go_on (end);)
    {
      step = tb_recording_window_step (t->recording, n);
      if (step < t->steps)
	tb_visits_see (t->visits, step);
    }
  return true;
}

/* List accesses, into *LIST, and work out what they need.  */
static bool
list_accesses (struct target *t, struct tb_accesses **list,
	       struct moment_end *end)
{
  if (*list == NULL)
    *list = tb_accesses_new (t->state, t->recording, t->watched);
  if (*list == NULL)
    return false;
  tb_accesses_set_poll (*list, go_on, end);
  enum tb_search listed = tb_accesses_prepare (*list, first_step (t));
  tb_accesses_set_poll (*list, NULL, NULL);
  return listed != TB_SEARCH_NO_MEMORY;
}

/* What comes after STAGE, which has come to its end.  */
static enum ahead_stage
finish (struct target *t, enum ahead_stage stage)
{
  if (stage != AHEAD_AGAIN)
    return stage + 1;
  tb_accesses_free (t->accesses);
  t->accesses = t->better_accesses;
  t->better_accesses = NULL;
  return AHEAD_DONE;
}

bool
target_work_ahead (struct target *t)
{
  struct moment_end end = { now_ms () + AHEAD_MS, false };
  bool ok = t->ahead != 0 && t->steps != 0 && target_prepare (t);
  /* First what GDB shows now.  */
  if (ok && tb_state_catch_up (t->state))
    return true;
  switch (t->stage)
    {
    case AHEAD_VISITS:
      ok = ok && see_visits (t, &end);
      break;
    case AHEAD_ACCESSES:
      ok = ok && list_accesses (t, &t->accesses, &end);
      break;
    case AHEAD_STATE:
      ok = ok && tb_state_prepare (t->state, first_step (t), go_on, &end,
				   t->diag);
      break;
    case AHEAD_AGAIN:
      ok = ok && list_accesses (t, &t->better_accesses, &end);
      break;
    case AHEAD_DONE:
      break;
    }
  if (!ok)
    t->stage = AHEAD_DONE;
  else if (!end.over && t->stage != AHEAD_DONE)
    t->stage = finish (t, t->stage);
  return t->stage != AHEAD_DONE;
}
