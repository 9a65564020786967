/* The walk over levels, for its parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_LEVELS_WALK_H
#define TB_RECORDING_LEVELS_WALK_H

#include "recording/levels.h"
#include "recording/open-calls.h"
#include "recording/run-ends.h"

/* The most exceptions that can be open without a known return address, behind an
   indirect branch.  */
#define WAITING_MOST 32

/* A branch that was taken before an exception, to where it is not told.  */
struct waiting
{
  size_t at;			/* The exception's level.  */
  struct tb_run_end end;
  uint64_t step;
};

struct tb_level_walk
{
  struct tb_recording *recording;
  const struct tb_symbols *symbols;
  const struct tb_level_user *user;
  struct tb_run_ends *ends;
  struct tb_open_calls open;	/* With a struct tb_level each.  */
  bool is_m;
  const struct tb_run_end *last;	/* Of the run before, if there is one */
  uint64_t last_step;		/* that ends there */
  bool taken;			/* with a branch that was taken,  */
  bool untold;			/* or with what may be one.  */
  bool leaving;			/* An exception returned; it is not yet known
				   where to.  */
  /* The exception that the one that is about to begin follows, if CHAINED.  */
  bool chained, chained_asked;
  uint16_t chained_first;
  uint64_t chained_handed;
  struct waiting waiting[WAITING_MOST];
  size_t nwaiting;
  struct tb_sleepers *sleepers;	/* Of tasks, and where these are not known yet,  */
  struct tb_task_finder *finder;	/* who finds them.  See levels-tasks.h.  */
  bool stopped;			/* By the user, or without memory.  */
  struct tb_run_end waited;	/* Of one of these, that goes on.  */
  bool asked;			/* Something was asked of the recording: the window
				   may be gone.  */
};

static inline struct tb_level *
level (const struct tb_level_walk *w, size_t at)
{
  return tb_open_extra (&w->open, at);
}

static inline struct tb_level *
top (const struct tb_level_walk *w)
{
  return level (w, w->open.count - 1);
}

/* The function at ADDRESS; NULL: none is known.  */
const struct tb_function *tb_levels_function (const struct tb_level_walk *w,
					      uint64_t address);

/* Close all but the COUNT outermost levels before STEP: the innermost one by END,
   what is around it is left, or lost.  */
void tb_levels_close (struct tb_level_walk *w, size_t count, uint64_t step,
		      enum tb_level_end end);

/* Open the level MADE before STEP.  CALL: when, and what ends it.  */
void tb_levels_open (struct tb_level_walk *w, const struct tb_open_call *call,
		     const struct tb_level *made, uint64_t step);

/* Execution goes on at ADDRESS, in FUNCTION, before STEP, by what came before.  */
void tb_levels_arrive (struct tb_level_walk *w, uint64_t step, uint64_t address,
		       const struct tb_function *function);

/* The same, by a branch that waited for it.  */
void tb_levels_waited (struct tb_level_walk *w, const struct waiting *waiting,
		       uint64_t step, uint64_t address);

/* An exception is over, before STEP; execution goes on at ADDRESS, in FUNCTION.  */
void tb_levels_leave (struct tb_level_walk *w, uint64_t step, uint64_t address,
		      const struct tb_function *function);

/* EVENT is an exception.  */
void tb_levels_exception (struct tb_level_walk *w, const struct tb_event *event);

#endif /* TB_RECORDING_LEVELS_WALK_H */
