/* The walk over levels: a stack for each task.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_LEVELS_TASKS_H
#define TB_RECORDING_LEVELS_TASKS_H

#include "recording/levels-walk.h"
#include "recording/tasks.h"

/* The levels of a task that does not run.  */
struct tb_sleeper
{
  unsigned task;
  uint64_t pc;			/* Where it goes on; TB_BACK_NONE: not known.  */
  bool told;			/* That is exact.  */
  struct waiting waiting;	/* A branch that was taken there, if */
  bool waits;			/* there is one.  */
  bool chosen;			/* It is what runs, unless what follows says otherwise:
				   this is a copy.  */
  bool candidate;		/* It is one of those that may run.  */
  struct tb_open_call *open;
  struct tb_level *levels;
  size_t count;
  /* For the finder: the slice that it was suspended in; by chance (task-proof.h); and so many
     of its outermost levels are those of slices before, which this one did not return
     from.  */
  size_t slice, unproved;
  bool chance;
};

struct tb_sleepers
{
  struct tb_sleeper *items;
  size_t count, room;
  unsigned running;		/* The task that runs; 0: none.  */
};

/* What a function in thread mode leaves that has replaced the stack pointer.  */
struct tb_swap
{
  /* The LEVELS outermost levels wait at PC.  TB_BACK_NONE: it is not known where, and unless
     KNOWN not in which levels either.  */
  size_t levels;
  uint64_t pc;
  bool known;
  bool same;			/* It may be what goes on there, too (longjmp).  */
  uint64_t step;		/* The function's first.  */
};

/* A user of the walk that finds out which task goes on; see tasks-find.c.  NULL where the
   tasks are known.  */
struct tb_task_finder;

/* Keep the COUNT outermost levels of W as those of the task that runs, asleep.  NULL: no
   memory, or no task runs.  */
struct tb_sleeper *tb_levels_sleep (struct tb_level_walk *w, size_t count);

/* Open the COUNT outermost levels of SLEEPER before STEP; nothing is open.  */
void tb_levels_wake (struct tb_level_walk *w, const struct tb_sleeper *sleeper,
		     size_t count, uint64_t step);

/* Forget sleeper number AT.  */
void tb_levels_forget (struct tb_level_walk *w, size_t at);

void tb_levels_tasks_fini (struct tb_level_walk *w);

/* Open the level of the task that STEP belongs to, if nothing is open.  */
void tb_levels_root (struct tb_level_walk *w, uint64_t step);

/* The innermost exception, whose level is number ENTRY - 1 (ENTRY 0: it was taken before
   the recording), returns to ADDRESS before STEP.  WAITING: a branch before it, or NULL.
   True: another task goes on there, which has been seen to.  */
bool tb_levels_switch (struct tb_level_walk *w, size_t entry, uint64_t step,
		       uint64_t address, const struct waiting *waiting);

/* A branch that is no call leads from the innermost level, whose code has replaced the stack
   pointer, to ADDRESS before STEP.  True: another task goes on there, which has been seen
   to.  */
bool tb_levels_swap (struct tb_level_walk *w, uint64_t step, uint64_t address);

/* For the finder: SWAP is left, and something goes on at ADDRESS before STEP.  */
void tb_finder_swap (struct tb_level_walk *w, const struct tb_swap *swap, uint64_t step,
		     uint64_t address);

/* For the finder: tb_levels_switch, when the tasks are not known yet.  */
bool tb_finder_switch (struct tb_level_walk *w, size_t entry, uint64_t step,
		       uint64_t address, const struct waiting *waiting);

/* For the finder: an instruction that returns led to ADDRESS.  */
void tb_finder_returns (struct tb_level_walk *w, uint64_t address);

/* For the finder: a gap before STEP.  */
void tb_finder_gap (struct tb_level_walk *w, uint64_t step);

/* For the finder: the recording is over.  */
void tb_finder_end (struct tb_level_walk *w);

/* Walk RECORDING for FINDER, as tb_levels_walk does.  */
bool tb_levels_find_tasks (struct tb_recording *recording,
			   const struct tb_symbols *symbols,
			   struct tb_task_finder *finder);

#endif /* TB_RECORDING_LEVELS_TASKS_H */
