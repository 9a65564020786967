/* Where a kernel keeps the stack pointers of tasks that wait.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   On the way from one task to another software stores where it has saved the registers
   that exceptions do not save, below the frame, into what it keeps of the task, always by
   the same instruction, and always at the same place for a task.  In the dump that place
   has what was stored last.  So the pointer to what a kernel keeps of a task becomes known,
   and with it what else it does there.  */

#ifndef TB_STATE_ASSUME_TASK_HEADS_H
#define TB_STATE_ASSUME_TASK_HEADS_H

#include "recording/tasks.h"
#include "state/window/internal.h"

/* Tie the addresses of such stores in S, a window that has been solved with what else is
   assumed of TASKS, to each other and to the dump: add pairs.  False: no memory.  */
bool tb_assume_find_heads (struct tb_state *s, const struct tb_tasks *tasks);

#endif /* TB_STATE_ASSUME_TASK_HEADS_H */
