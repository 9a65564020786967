/* Where tasks stand at a step, and how much of them ran until then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TASK_STANDING_H
#define TB_RECORDING_TASK_STANDING_H

#include "recording/tasks.h"
#include "util/buffer.h"

enum tb_task_state
{
  TB_TASK_UNSEEN,		/* It has not run yet.  */
  TB_TASK_RUNS,			/* Also while an exception interrupts it.  */
  TB_TASK_WAITS,
  TB_TASK_LOST			/* It ran before a gap.  */
};

struct tb_task_standing
{
  enum tb_task_state state;
  uint64_t since;		/* RUNS: the first step of the slice; WAITS: that before
				   which it was suspended; LOST: the gap's.  */
  uint64_t address;		/* WAITS: where it goes on; TB_BACK_NONE: not known.  */
  /* The first step of a slice that may be this task's, or, if it is said to be this one's,
     another one's; UINT64_MAX: none is.  What the task does may then be something else.  */
  uint64_t unsure;
  bool beyond;			/* UNSEEN: it is not known before a gap that comes.  */
  /* The slice that it runs in, or ran in last (UNSEEN: NULL); and the one that it runs in
     next (NULL: none).  */
  const struct tb_task_slice *slice, *next;
};

/* How the task with NUMBER of TASKS stands before STEP.  */
void tb_task_stand (const struct tb_tasks *tasks, unsigned number, uint64_t step,
		    struct tb_task_standing *standing);

/* Put that into TEXT; SYMBOLS name where it waits (NULL: none).  */
void tb_task_put_standing (struct tb_buffer *text, const struct tb_task_standing *standing,
			   const struct tb_symbols *symbols);

/* Put a line for each of TASKS, as it stands before STEP, of TOTAL, into TEXT; a star
   marks the one that runs.  SYMBOLS name where they wait (NULL: none).  False: no
   memory.  */
bool tb_tasks_put (struct tb_buffer *text, const struct tb_tasks *tasks, uint64_t step,
		   uint64_t total, const struct tb_symbols *symbols);

#endif /* TB_RECORDING_TASK_STANDING_H */
