/* Assumption: a task goes on with the registers and the stack that it was suspended with.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Which task runs when is found in the flow alone (recording/tasks.h).  What is tied are
   names of values: those before the exception that another task went on after, and those
   behind the return to the task.  What was suspended last is in the dump: where just one
   frame there fits what is known of the task, and something points to it or just below,
   where software saves the other registers, that is where the task's stack ends.  */

#ifndef TB_STATE_ASSUME_TASKS_H
#define TB_STATE_ASSUME_TASKS_H

#include "recording/tasks.h"
#include "state/window/internal.h"

/* Find the tasks of HOME's recording, if nobody has.  False: no memory.  */
bool tb_assume_make_tasks (struct tb_state *home);

/* The number of the change that is the exception's entry which suspended SLICE; false: it
   is not in the window, or not clear.  Between it and the slice that follows others may
   have gone on and been interrupted before their first instruction.  */
bool tb_assume_find_entry (const struct tb_state *s, const struct tb_task_slice *slice,
			   size_t *entry);

/* How far did the handlers from change number ENTRY of S to the return before step TO move the
   stack pointer in SLOT, TB_SLOT_SP or TB_SLOT_SP_OTHER?  False: that is not known.  S is before TO
   then.  */
bool tb_assume_moved (struct tb_state *s, size_t entry, uint64_t to, unsigned slot,
		      tb_word *distance);

/* What a thread has that is interrupted: slots, first those that its frame holds.  */
#define TB_TASK_OWN 21
#define TB_TASK_STACKED 10
extern const uint8_t tb_task_own[TB_TASK_OWN];

/* The names of these in what change number ENTRY of S interrupts, 0 where it need not go on
   with what it had; behind the last instruction before the entry S is at access *ACCESSES,
   with *FPCA.  S is before the entry then, with the names of that in its own.  */
void tb_assume_find_own (struct tb_state *s, size_t entry, tb_vid *own, tb_vid *fpca,
			 uint32_t *accesses);

/* Put what is tied in S, a window that has been solved, to its pairs; HOME has the
   tasks.  False: no memory.  */
bool tb_assume_find_tasks (struct tb_state *s, const struct tb_state *home);

/* The same of the stack pointers of what was suspended last, by the dump; S has been
   solved with those pairs.  */
bool tb_assume_find_suspended (struct tb_state *s, const struct tb_state *home);

/* Is it certain that SLICE, its task's last one of TASKS, is?  The task may have gone on where
   another one is said to have.  */
static inline bool
tb_assume_is_last (const struct tb_tasks *tasks, const struct tb_task_slice *slice)
{
  uint64_t unsure = tb_tasks_get (tasks, slice->task)->unsure;
  uint64_t guessed = tb_tasks_get (tasks, slice->task)->guessed;
  return (unsure == UINT64_MAX || unsure <= slice->step)
	 && (guessed == UINT64_MAX || guessed <= slice->step);
}

#endif /* TB_STATE_ASSUME_TASKS_H */
