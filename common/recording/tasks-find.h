/* Finding tasks: for its parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TASKS_FIND_H
#define TB_RECORDING_TASKS_FIND_H

#include "recording/tasks.h"

struct tb_tasks
{
  struct tb_task *tasks;
  size_t count, room;
  struct tb_task_slice *slices;
  size_t nslices, slices_room;
  struct tb_task_slice *parts;	/* As tb_tasks_resumes has them.  */
  size_t nparts;
  bool switched;		/* One of them went on elsewhere than it was interrupted.  */
};

/* Find the tasks and the slices of RECORDING; *SWITCHED: one of them went on elsewhere than
   where it was interrupted.  Numbers may have gaps, and neighbours may be of one task.
   False: no memory.  */
bool tb_tasks_find (struct tb_tasks *tasks, struct tb_recording *recording,
		    const struct tb_symbols *symbols, bool *switched);

#endif /* TB_RECORDING_TASKS_FIND_H */
