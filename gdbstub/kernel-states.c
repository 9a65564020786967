/* What kernels say of the states of their tasks.  See kernel-states.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: the kernels' own headers: FreeRTOS tasks.c (eTaskGetState, 10.x), ThreadX tx_api.h
   (TX_READY and the like, 6.x), Zephyr kernel_structs.h (_THREAD_PENDING and the like, 3.x and
   4.x), CMSIS RTX5 rtx_os.h (osRtxThreadReady and the like), RT-Thread rtdef.h (RT_THREAD_READY and
   the like, 3.x to 5.0).  */

#include "config.h"
#include "kernel-states.h"

#include <string.h>

static const char ready[] = "ready", runs[] = "running", blocked[] = "blocked",
  delayed[] = "delayed", suspended[] = "suspended", ended[] = "ended";

static bool
is_in (uint64_t list, const struct kernel_span *span)
{
  return span->last != 0 && list >= span->first && list <= span->last;
}

/* Where a task waits for a notification, it is in no list of events.  */
static const char *
freertos (const uint64_t *values, const bool *known, const struct kernel_span *lists)
{
  uint64_t list = values[0], event = values[1];
  if (!known[0])
    return NULL;
  if (is_in (list, &lists[LIST_READY]))
    return ready;
  if (is_in (list, &lists[LIST_ENDED]))
    return ended;
  if (!known[1])
    return NULL;
  /* It was woken while the scheduler was suspended.  */
  if (is_in (event, &lists[LIST_PENDING]))
    return ready;
  if (is_in (list, &lists[LIST_DELAYED_1]) || is_in (list, &lists[LIST_DELAYED_2]))
    return event != 0 ? blocked : delayed;
  if (is_in (list, &lists[LIST_SUSPENDED]))
    return event != 0 ? blocked : "suspended or waits for a notification";
  return list == 0 && event != 0 ? blocked : NULL;
}

static const char *
threadx (uint64_t state)
{
  static const char *const texts[] = {
    ready, ended, ended, suspended, delayed, blocked, blocked, blocked, blocked, blocked,
    blocked, blocked, blocked, blocked
  };
  return state < sizeof texts / sizeof texts[0] ? texts[state] : NULL;
}

/* Bit 2 and, until 3.x, bit 4 have two meanings.  */
static const char *
zephyr (uint64_t state)
{
  return state & 8 ? ended
	 : state & 2 ? blocked
	 : state & 4 ? "asleep or not started"
	 : state & 16 ? "suspended or asleep"
	 : state & 128 ? ready : NULL;
}

static const char *
rtx5 (uint64_t state)
{
  switch (state & 15)
    {
    case 1: return ready;
    case 2: return runs;
    case 3: return (state >> 4 & 15) == 1 ? delayed : blocked;
    case 4: return ended;
    default: return NULL;
    }
}

/* Who waits is suspended, too.  Before version 1 running was 0, and 3 ended.  */
static const char *
rt_thread (uint64_t state, bool flags)
{
  static const char waits[] = "suspended or blocked";
  static const char *const before[] = { NULL, ready, waits, NULL, ended };
  static const char *const later[] = {
    "not started", ended, ready, runs, waits, waits, waits, waits
  };
  state &= 7;
  if (flags)
    return later[state];
  return state < sizeof before / sizeof before[0] ? before[state] : NULL;
}

const char *
kernel_state_text (enum kernel_kind kind, const uint64_t *values, const bool *known,
		   const struct kernel_span *lists)
{
  if (kind == KERNEL_FREERTOS)
    return freertos (values, known, lists);
  if (!known[0])
    return NULL;
  switch (kind)
    {
    case KERNEL_THREADX: return threadx (values[0]);
    case KERNEL_ZEPHYR: return zephyr (values[0]);
    case KERNEL_RTX5: return rtx5 (values[0]);
    case KERNEL_RT_THREAD: return rt_thread (values[0], false);
    case KERNEL_RT_THREAD_FLAGS: return rt_thread (values[0], true);
    default: return NULL;
    }
}

bool
kernel_state_runs (const char *state)
{
  return strcmp (state, ready) == 0 || strcmp (state, runs) == 0;
}
