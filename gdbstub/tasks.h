/* Tasks of a kernel as threads beside the core that runs them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The model is that of recording/tasks.h.  The task that runs has the core's registers, one
   that waits those that it was suspended with, and one that has not run yet those that it
   begins with.  No value is shown of one that may be another.

   GDB looks for what a thread does next, as for the return of a function, where that very
   thread stops.  So what stops is always the task that runs, and the core's own thread is not
   there beside it, but where no task runs or the user follows the core.  */

#ifndef TB_GDBSTUB_TASKS_H
#define TB_GDBSTUB_TASKS_H

#include "client.h"
#include "recording/task-standing.h"

/* Of so many cores tasks are threads: see threads_number.  */
#define THREADS_CORES_MOST 1000

/* How many tasks core NUMBER of CLIENT has; 0 where they are no threads.  */
unsigned tasks_count (struct client *client, size_t number);

/* The task that the core that CLIENT looks at runs at POSITION; 0: none, or not known.  */
unsigned tasks_runner_at (struct client *client, uint64_t position);

/* Is ID, a core or a task of one, a thread where CLIENT stands?  */
bool tasks_listed (struct client *client, struct thread_id id);

/* What GDB is told to have stopped, where CLIENT stands: a task of the core that it looks at,
   or that.  It looks at this one from now on, and so does its user.  */
void tasks_stop (struct client *client);

/* No task is looked at any more: CLIENT moves.  */
void tasks_leave (struct client *client);

/* The same, and none that was named before exists.  */
void tasks_forget (struct client *client);

/* How the task NUMBER, of the core that CLIENT looks at, stands.  */
void tasks_stand (struct client *client, unsigned number,
		  struct tb_task_standing *standing);

/* What the task that CLIENT looks at shows at MOMENT, of its core, into VIEW; false: it is
   what runs then.  */
bool tasks_see (struct client *client, const struct tb_moment *moment,
		struct tb_moment *view);

/* Put the name of ID into TEXT; false: it is a core.  */
bool tasks_put_name (struct client *client, struct thread_id id, struct tb_buffer *text);

/* Put what the task ID does into TEXT.  Returns whether it runs.  */
bool tasks_put_standing (struct client *client, struct thread_id id,
			 struct tb_buffer *text);

/* Append what the kernel of TARGET calls its task NUMBER, its priority and state at POSITION, where
   that is known.  */
void tasks_put_kernel (struct target *target, unsigned number, uint64_t position,
		       struct tb_buffer *text);

#endif /* TB_GDBSTUB_TASKS_H */
