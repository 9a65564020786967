/* Is what goes on the task that it is taken for?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Many tasks wait at the same address, those that the recording has not shown before among
   them.  What tells them apart are the functions that they wait in.  So a slice is sure to be
   of a task if it returned out of all calls in which the task waited, to a function that is
   the task's own: one that nothing leads out of, or that it came back to and waited in again at
   the same place.  (Two tasks that run the same function from the beginning are not told
   apart.)  What it did until then proves the slices before, too, that did not come as far:
   nobody else has those callers.  Unless it goes on where one of these slices did, in the same
   calls: then that one may have been another task's, and the task may still have waited there.

   Where an interrupt came by chance, nobody else is taken to wait, unless what goes on there
   turns out to return to elsewhere.  */

#ifndef TB_RECORDING_TASK_PROOF_H
#define TB_RECORDING_TASK_PROOF_H

#include "recording/levels-tasks.h"
#include "recording/tasks-find.h"

#define TB_NOTE_NONE SIZE_MAX

/* What is known of a slice.  */
struct tb_slice_note
{
  /* The slice that its task was suspended in; TB_NOTE_NONE: it was not seen before, or is not
     known.  */
  size_t before;
  uint64_t base;		/* The first step of the outermost function that it waited in.  */
  uint64_t callers;		/* Made of where all calls return to that it waited in.  */
  bool told;			/* The trace tells where it waited.  */
  bool chance;			/* An interrupt that came by chance had suspended it.  */
  bool matched;			/* It returned to that function.  */
  bool refuted;			/* What went on behind it returned to elsewhere.  */
};

/* Of a function so many places are kept that it goes on at behind a wait.  */
#define TB_SITES_MOST 8

/* The outermost function that a task waits in.  */
struct tb_outermost
{
  uint64_t base;		/* Its first step.  */
  uint64_t sites[TB_SITES_MOST];	/* Where it came back to.  */
  unsigned nsites;
  bool own;			/* It is the task's.  */
  bool looked;			/* For its code, whether anything leads out of it.  */
};

struct tb_task_proof
{
  struct tb_slice_note *notes;	/* One a slice, in their order.  */
  size_t count, room;
  struct tb_outermost *outermost;	/* One a task, by their numbers.  */
  size_t ntasks, tasks_room;
  /* Where the slice that runs came back to behind a wait, in the function that begins with
     step ARRIVED; UINT64_MAX: nowhere yet.  */
  uint64_t arrived, site;
};

void tb_task_proof_fini (struct tb_task_proof *proof);

/* All is walked over again.  */
void tb_task_proof_restart (struct tb_task_proof *proof);

/* The note of a new slice.  NULL: no memory.  */
struct tb_slice_note *tb_task_proof_add (struct tb_task_proof *proof);

/* The slice that was added last is of what SLEEPER is (NULL: of a task that was not seen before),
   which goes on at ADDRESS, in COUNT levels.  */
void tb_task_proof_wake (struct tb_task_proof *proof, const struct tb_sleeper *sleeper,
			 size_t count, uint64_t address);

/* It returned out of all calls that it waited in, to ADDRESS in its outermost function.  */
void tb_task_proof_match (struct tb_task_proof *proof, uint64_t address);

/* TASK, a number from 1 on, which runs, left the outermost function that it has been seen in, to
   ADDRESS before STEP: that was not its own.  */
void tb_task_proof_leave (struct tb_task_proof *proof, unsigned task, uint64_t step,
			  uint64_t address);

/* The task that runs in W is suspended by exception level number ENTRY - 1, and is SLEEPER, whose
   PC is known, from now on; or (NULL) the recording ends.  OLD of its levels are of slices
   before.  False: no memory.  */
bool tb_task_proof_suspend (struct tb_task_proof *proof, struct tb_level_walk *w, size_t entry,
			    size_t old, struct tb_sleeper *sleeper);

/* What goes on, which has left LEFT levels of SLEEPER's, returns to elsewhere than that one does.
   True: so it may be that slices before were taken for SLEEPER's task and were another one's.  */
bool tb_task_proof_refuse (struct tb_task_proof *proof, const struct tb_sleeper *sleeper,
			   size_t left);

/* Say of all slices of TASKS whether they are guessed.  False: no memory.  */
bool tb_task_proof_judge (const struct tb_task_proof *proof, struct tb_tasks *tasks);

#endif /* TB_RECORDING_TASK_PROOF_H */
