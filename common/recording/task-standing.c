/* Where a task stands at a step.  See task-standing.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/task-standing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "recording/level-names.h"
#include "recording/open-calls.h"

enum standing_state
{
  TASK_UNSEEN,		/* It has not run yet.  */
  TASK_RUNS,			/* Also while an exception interrupts it.  */
  TASK_WAITS,
  TASK_LOST			/* It ran before a gap.  */
};

struct standing
{
  enum standing_state state;
  uint64_t since;		/* RUNS: the first step of the slice; WAITS: that before
				   which it was suspended; LOST: the gap's.  */
  uint64_t address;		/* WAITS: where it goes on.  */
  uint64_t next;		/* Its next slice's first step; UINT64_MAX: none.  */
  uint64_t slices, steps;	/* Before the step; the exceptions that interrupt it
				   count.  */
  bool open;			/* RUNS: another task may, instead.  */
};

/* That of the task with NUMBER of TASKS before STEP, of a recording of TOTAL steps.  */
static void
stand (const struct tb_tasks *tasks, unsigned number, uint64_t step, uint64_t total,
       struct standing *standing)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &n);
  *standing = (struct standing) { .next = UINT64_MAX };
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_task_slice *slice = &slices[i];
      uint64_t end = i + 1 < n ? slices[i + 1].step : total;
      if (slice->task != number)
	continue;
      if (slice->step > step)
	{
	  standing->next = slice->step;
	  return;
	}
      standing->slices++;
      standing->steps += (step < end ? step : end) - slice->step;
      /* What ran last goes on at the end.  */
      if (step < end || i + 1 == n)
	{
	  standing->state = TASK_RUNS;
	  standing->since = slice->step;
	  standing->open = slice->open;
	}
      else if (slice->suspended != UINT64_MAX)
	{
	  standing->state = TASK_WAITS;
	  standing->since = slice->suspended;
	  standing->address = slice->address;
	}
      else
	{
	  standing->state = TASK_LOST;
	  standing->since = end;
	}
    }
}

static void
put_standing (struct tb_buffer *text, const struct standing *standing,
	      const struct tb_symbols *symbols)
{
  const struct tb_function *function = NULL;
  switch (standing->state)
    {
    case TASK_UNSEEN:
      tb_buffer_printf (text, "has not run yet");
      break;
    case TASK_RUNS:
      tb_buffer_printf (text, "runs since step %" PRIu64 "%s", standing->since,
			standing->open ? " (or another one that waited there does)" : "");
      break;
    case TASK_WAITS:
      tb_buffer_printf (text, "waits since step %" PRIu64, standing->since);
      if (standing->address == TB_BACK_NONE)
	break;
      tb_buffer_printf (text, " at %#" PRIx64, standing->address);
      if (symbols != NULL)
	function = tb_symbols_function_at (symbols, standing->address);
      if (function != NULL)
	{
	  char *name = tb_symbols_demangle (function->name);
	  tb_buffer_printf (text, " in %s", name != NULL ? name : function->name);
	  free (name);
	}
      break;
    case TASK_LOST:
      tb_buffer_printf (text, "is lost at the gap before step %" PRIu64,
			standing->since);
      break;
    }
  if (standing->next != UINT64_MAX)
    tb_buffer_printf (text, ", next from step %" PRIu64, standing->next);
  if (standing->slices != 0)
    tb_buffer_printf (text, "; %" PRIu64 " time%s so far, %" PRIu64 " steps",
		      standing->slices, standing->slices != 1 ? "s" : "",
		      standing->steps);
}

bool
tb_tasks_put (struct tb_buffer *text, const struct tb_tasks *tasks, uint64_t step,
	      uint64_t total, const struct tb_symbols *symbols)
{
  bool ok = true;
  for (size_t i = 1; i <= tb_tasks_count (tasks) && ok; i++)
    {
      struct standing standing;
      char *name = tb_task_name (tb_tasks_get (tasks, (unsigned) i));
      ok = name != NULL;
      stand (tasks, (unsigned) i, step, total, &standing);
      tb_buffer_printf (text, "%c %s: ", standing.state == TASK_RUNS ? '*' : ' ',
			ok ? name : "");
      put_standing (text, &standing, symbols);
      tb_buffer_printf (text, "\n");
      free (name);
    }
  return ok && !text->failed;
}
