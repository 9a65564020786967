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
  bool (*is_quiet) (void *context);	/* Or when this says no.  */
  void *context;
  bool over;			/* That was said.  */
};

/* Does nobody want anything?  */
static bool
is_quiet (void *context)
{
  struct moment_end *end = context;
  end->over |= !end->is_quiet (end->context);
  return !end->over;
}

static bool
go_on (void *context)
{
  struct moment_end *end = context;
  end->over |= now_ms () >= end->at;
  return is_quiet (end);
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

/* Work on what stage T is at.  False: that cannot be.  */
static bool
work (struct target *t, struct moment_end *end)
{
  switch (t->stage)
    {
    case AHEAD_VISITS:
      return see_visits (t, end);
    case AHEAD_ACCESSES:
      return list_accesses (t, &t->accesses, end);
    case AHEAD_STATE:
      return tb_state_prepare (t->state, first_step (t), go_on, end, t->diag);
    case AHEAD_AGAIN:
      return list_accesses (t, &t->better_accesses, end);
    case AHEAD_DONE:
      break;
    }
  return true;
}

bool
target_work_ahead (struct target *t, bool (*quiet) (void *context), void *context)
{
  struct moment_end end = { now_ms () + AHEAD_MS, quiet, context, false };
  if (t->ahead != 0 && t->steps != 0 && !target_begin_prepare (t, go_on, &end))
    return true;
  if (t->ahead == 0 || t->steps == 0 || !target_prepare (t))
    {
      t->stage = AHEAD_DONE;
      return false;
    }
  tb_state_set_poll (t->state, is_quiet, &end);
  /* First what GDB shows now.  */
  bool more = tb_state_catch_up (t->state);
  if (!more && !work (t, &end))
    t->stage = AHEAD_DONE;
  else if (!more && !end.over && t->stage != AHEAD_DONE)
    t->stage = finish (t, t->stage);
  tb_state_set_poll (t->state, NULL, NULL);
  return more || t->stage != AHEAD_DONE;
}
