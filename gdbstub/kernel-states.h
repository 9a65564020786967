/* What kernels say of the states of their tasks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where a task's object has a number for its state, that is looked up; FreeRTOS has lists, and
   tasks are what the lists are in which they stand.  */

#ifndef TB_GDBSTUB_KERNEL_STATES_H
#define TB_GDBSTUB_KERNEL_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_kind
{
  KERNEL_FREERTOS, KERNEL_THREADX, KERNEL_ZEPHYR, KERNEL_RTX5,
  KERNEL_RT_THREAD,		/* Until 4.0.  */
  KERNEL_RT_THREAD_FLAGS	/* Later ones, which suspend threads with flags.  */
};

/* A list of FreeRTOS' scheduler, or an array of such.  */
enum kernel_list
{
  LIST_READY, LIST_DELAYED_1, LIST_DELAYED_2, LIST_SUSPENDED, LIST_PENDING, LIST_ENDED,
  LIST_COUNT
};

/* Where it is; LAST is 0 where that is not known.  */
struct kernel_span
{
  uint64_t first, last;
};

/* The members of a task's object that its state is read from, of KIND: VALUES[i], where KNOWN[i].
   FreeRTOS: the lists in which its state's item and its event's item stand, 0: none; the others
   one number.  LISTS: FreeRTOS', LIST_COUNT of them.  Returns the state in words; NULL: it is not
   known, or none of those that are known of that kernel.  */
const char *kernel_state_text (enum kernel_kind kind, const uint64_t *values, const bool *known,
			       const struct kernel_span *lists);

/* Is STATE, which that returned, one that a task which runs has anyway?  */
bool kernel_state_runs (const char *state);

#endif /* TB_GDBSTUB_KERNEL_STATES_H */
