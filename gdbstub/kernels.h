/* What kernels call their tasks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Tasks are found without symbols (recording/tasks.h).  Where the program file describes the
   objects of a kernel that is known, the one that the kernel takes for running while a task
   runs tells the task's name and priority.  */

#ifndef TB_GDBSTUB_KERNELS_H
#define TB_GDBSTUB_KERNELS_H

#include "target.h"

struct kernel;

void kernels_free (struct kernel *kernel);

/* What the kernel of TARGET calls its task NUMBER, by its object at the end of the recording;
   NULL: not known.  Valid until the next call.  */
const char *kernels_title (struct target *target, unsigned number);

/* The priority of that task at POSITION; false: not known.  */
bool kernels_priority (struct target *target, unsigned number, uint64_t position,
		       int64_t *priority);

/* The state that the kernel gives that task at POSITION, in words; NULL: not known.  */
const char *kernels_state (struct target *target, unsigned number, uint64_t position);

#endif /* TB_GDBSTUB_KERNELS_H */
