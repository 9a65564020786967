/* States that kernels give their tasks, by numbers and by lists.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "kernel-states.h"

/* Lists of FreeRTOS, as if each had 20 bytes; five of tasks that are ready.  */
static const struct kernel_span lists[LIST_COUNT] = {
  [LIST_READY] = { 0x1000, 0x1063 }, [LIST_DELAYED_1] = { 0x1064, 0x1077 },
  [LIST_DELAYED_2] = { 0x1078, 0x108b }, [LIST_SUSPENDED] = { 0x108c, 0x109f },
  [LIST_PENDING] = { 0x10a0, 0x10b3 }, [LIST_ENDED] = { 0x10b4, 0x10c7 }
};

static const struct
{
  enum kernel_kind kind;
  uint64_t values[2];
  const char *text;
} rows[] = {
  { KERNEL_FREERTOS, { 0x1000, 0 }, "ready" },
  { KERNEL_FREERTOS, { 0x1050, 0 }, "ready" },
  { KERNEL_FREERTOS, { 0x1064, 0 }, "delayed" },
  { KERNEL_FREERTOS, { 0x1078, 0 }, "delayed" },
  { KERNEL_FREERTOS, { 0x1078, 0x2000 }, "blocked" },
  { KERNEL_FREERTOS, { 0x1078, 0x10a0 }, "ready" },
  { KERNEL_FREERTOS, { 0x108c, 0 }, "suspended or waits for a notification" },
  { KERNEL_FREERTOS, { 0x108c, 0x2000 }, "blocked" },
  { KERNEL_FREERTOS, { 0x108c, 0x10a0 }, "ready" },
  { KERNEL_FREERTOS, { 0x10b4, 0 }, "ended" },
  { KERNEL_FREERTOS, { 0, 0x2000 }, "blocked" },
  { KERNEL_FREERTOS, { 0, 0 }, NULL },
  { KERNEL_FREERTOS, { 0x3000, 0 }, NULL },
  { KERNEL_THREADX, { 0 }, "ready" },
  { KERNEL_THREADX, { 1 }, "ended" },
  { KERNEL_THREADX, { 3 }, "suspended" },
  { KERNEL_THREADX, { 4 }, "delayed" },
  { KERNEL_THREADX, { 5 }, "blocked" },
  { KERNEL_THREADX, { 13 }, "blocked" },
  { KERNEL_THREADX, { 14 }, NULL },
  { KERNEL_ZEPHYR, { 0 }, NULL },
  { KERNEL_ZEPHYR, { 0x80 }, "ready" },
  { KERNEL_ZEPHYR, { 2 }, "blocked" },
  { KERNEL_ZEPHYR, { 4 }, "asleep or not started" },
  { KERNEL_ZEPHYR, { 0x10 }, "suspended or asleep" },
  { KERNEL_ZEPHYR, { 0x18 }, "ended" },
  { KERNEL_RTX5, { 1 }, "ready" },
  { KERNEL_RTX5, { 2 }, "running" },
  { KERNEL_RTX5, { 0x13 }, "delayed" },
  { KERNEL_RTX5, { 0x83 }, "blocked" },
  { KERNEL_RTX5, { 3 }, "blocked" },
  { KERNEL_RTX5, { 4 }, "ended" },
  { KERNEL_RTX5, { 0 }, NULL },
  { KERNEL_RT_THREAD, { 1 }, "ready" },
  { KERNEL_RT_THREAD, { 0x12 }, "suspended or blocked" },
  { KERNEL_RT_THREAD, { 4 }, "ended" },
  { KERNEL_RT_THREAD, { 0 }, NULL },
  { KERNEL_RT_THREAD, { 3 }, NULL },
  { KERNEL_RT_THREAD, { 7 }, NULL },
  { KERNEL_RT_THREAD_FLAGS, { 1 }, "ended" },
  { KERNEL_RT_THREAD_FLAGS, { 2 }, "ready" },
  { KERNEL_RT_THREAD_FLAGS, { 3 }, "running" },
  { KERNEL_RT_THREAD_FLAGS, { 4 }, "suspended or blocked" },
  { KERNEL_RT_THREAD_FLAGS, { 0x17 }, "suspended or blocked" },
};

static void
check_text (const char *got, const char *want)
{
  if (want == NULL)
    CHECK (got == NULL);
  else
    CHECK_STR (got, want);
}

int
main (void)
{
  static const bool all[2] = { true, true }, none[2] = { false, false }, first[2] = { true, false };
  static const struct kernel_span no_lists[LIST_COUNT];
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      check_text (kernel_state_text (rows[i].kind, rows[i].values, all, lists), rows[i].text);
      CHECK (kernel_state_text (rows[i].kind, rows[i].values, none, lists) == NULL);
      /* Lists that the program file does not tell of are not guessed.  */
      if (rows[i].kind == KERNEL_FREERTOS && rows[i].values[0] != 0)
	CHECK (kernel_state_text (rows[i].kind, rows[i].values, all, no_lists) == NULL);
      /* Where the event is not known, only some are.  */
      if (rows[i].kind == KERNEL_FREERTOS && rows[i].text != NULL)
	CHECK_INT (kernel_state_text (rows[i].kind, rows[i].values, first, lists) != NULL,
		   rows[i].values[0] >= 0x1000
		   && (rows[i].values[0] < 0x1064 || rows[i].values[0] >= 0x10b4));
    }
  CHECK (kernel_state_runs ("ready") && kernel_state_runs ("running")
	 && !kernel_state_runs ("blocked"));
  return check_done ();
}
