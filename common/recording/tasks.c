/* Tasks.  See tasks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tasks-find.h"

#include <stdlib.h>

#include "decode/exception.h"
#include "recording/event-walk.h"
#include "recording/facts.h"
#include "recording/open-calls.h"
#include "recording/run-ends.h"
#include "recording/stack-code.h"
#include "util/search.h"

/* Where so many runs have no switch by a function there is none: kernels switch all the time, and
   to look through the runs of a recording takes longer than its user may wait.  */
#define RUNS_MOST 262144

/* What the recording begins with is a guess, too, if the next slice of its task is: the task may
   have its name of that.  */
static void
guess_first (struct tb_tasks *t)
{
  size_t first = 0, next;
  while (first < t->nslices && t->slices[first].task == 0)
    first++;
  for (next = first + 1; next < t->nslices && t->slices[next].task != t->slices[first].task; next++)
    continue;
  if (next < t->nslices)
    t->slices[first].guessed |= t->slices[next].guessed;
}

/* Number the tasks that have slices, in order; keep these, and join those of one task.  */
static bool
number_tasks (struct tb_tasks *t)
{
  unsigned *numbers = calloc (t->count + 1, sizeof *numbers);
  struct tb_task *kept = calloc (t->count + 1, sizeof *kept);
  size_t count = 0, nslices = 0;
  t->parts = calloc (t->nslices + 1, sizeof *t->parts);
  bool ok = numbers != NULL && kept != NULL && t->parts != NULL;
  for (size_t i = 0; i < t->nslices && ok; i++)
    {
      struct tb_task_slice slice = t->slices[i];
      if (slice.task != 0 && numbers[slice.task] == 0)
	{
	  kept[count] = t->tasks[slice.task - 1];
	  numbers[slice.task] = kept[count].number = (unsigned) count + 1;
	  count++;
	}
      slice.task = numbers[slice.task];
      t->parts[t->nparts++] = slice;
      struct tb_task_slice *last = nslices > 0 ? &t->slices[nslices - 1] : NULL;
      if (last != NULL && last->task == slice.task)
	{
	  if (slice.open)
	    last->begin = !last->open || last->begin == slice.begin ? slice.begin
			  : TB_BACK_NONE;
	  last->open |= slice.open;
	  last->guessed |= slice.guessed;
	  last->suspended = slice.suspended;
	  last->address = slice.address;
	  last->by_call = slice.by_call;
	  last->handed = slice.handed;
	}
      else
	t->slices[nslices++] = slice;
    }
  free (numbers);
  if (ok)
    {
      free (t->tasks);
      t->tasks = kept;
      t->count = count;
      t->nslices = nslices;
      guess_first (t);
    }
  else
    free (kept);
  return ok;
}

/* The first instruction of WINDOW from STEP on; TB_BACK_NONE: it has none.  */
static uint64_t
pc_at (const struct tb_window *window, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, window->nruns, window->runs[low].step < step);
  return low < window->nruns ? window->runs[low].start : TB_BACK_NONE;
}

/* Does a function replace the stack pointer in the last RUNS_MOST runs of RECORDING, and in the
   whole window where these begin?  True without memory, too.  */
static bool
may_swap (struct tb_recording *recording)
{
  struct tb_run_ends *ends = tb_run_ends_new (recording, NULL);
  const struct tb_run_end *end = NULL;
  bool found = ends == NULL;
  size_t runs = 0;
  for (size_t i = tb_recording_windows (recording); i-- > 0 && runs < RUNS_MOST && !found;)
    {
      const struct tb_window *window = tb_recording_window (recording, i);
      for (size_t k = 0; window != NULL && k < window->nruns && !found; k++)
	{
	  runs++;
	  bool asked = false;
	  end = tb_run_ends_find (ends, &window->runs[k], &end, &asked);
	  found = end == NULL || end->stack & TB_SP_REPLACED;
	  if (asked)
	    window = tb_recording_window (recording, i);
	}
      found |= window == NULL;
    }
  tb_run_ends_free (ends);
  return found;
}

/* May there be a switch in RECORDING?  This asks for events at first, and then for
   the ends of runs, but not for calls: most recordings have no tasks.  */
static bool
may_switch (struct tb_recording *recording)
{
  enum { DEEPEST = 64 };
  uint64_t back[DEEPEST];
  size_t depth = 0;
  if (tb_recording_info (recording)->exceptions == 0)
    return may_swap (recording);
  /* The events of a log may leave returns out.  */
  if (tb_recording_facts (recording) != NULL)
    return true;
  struct tb_event_walk walk = { .recording = recording };
  for (const struct tb_event *e; (e = tb_event_next (&walk)) != NULL;)
    {
      if (e->kind == TB_EVENT_EXCEPTION
	  && (e->exception == TB_SVCALL || e->exception == TB_PENDSV))
	return true;
      if (e->kind == TB_EVENT_GAP)
	depth = 0;
      else if (e->kind == TB_EVENT_EXCEPTION && depth < DEEPEST
	       && tb_exception_enters ((enum tb_exception) e->taken)
	       && !(e->flags & TB_EXCEPTION_TAIL_CHAIN))
	back[depth++] = e->flags & TB_EXCEPTION_NO_RETURN ? TB_BACK_NONE : e->address;
      else if (e->kind == TB_EVENT_EXCEPTION_RETURN && depth > 0)
	{
	  uint64_t pc = pc_at (walk.window, e->step), told = back[--depth];
	  if (pc != TB_BACK_NONE && told != TB_BACK_NONE && pc - told > TB_BACK_OVER)
	    return true;
	}
    }
  /* Without memory nothing tells that there is none.  */
  return walk.failed || may_swap (recording);
}

struct tb_tasks *
tb_tasks_new (struct tb_recording *recording, const struct tb_symbols *symbols)
{
  struct tb_tasks *t = calloc (1, sizeof *t);
  if (t == NULL || !tb_recording_profile (recording)->is_m
      || !may_switch (recording))
    return t;
  if (tb_tasks_find (t, recording, symbols, &t->switched) && number_tasks (t))
    return t;
  tb_tasks_free (t);
  return NULL;
}

void
tb_tasks_free (struct tb_tasks *tasks)
{
  if (tasks == NULL)
    return;
  free (tasks->tasks);
  free (tasks->slices);
  free (tasks->parts);
  free (tasks);
}

size_t
tb_tasks_count (const struct tb_tasks *tasks)
{
  return tasks != NULL && tasks->switched ? tasks->count : 0;
}

const struct tb_task *
tb_tasks_get (const struct tb_tasks *tasks, unsigned number)
{
  return &tasks->tasks[number - 1];
}

const struct tb_task_slice *
tb_tasks_slices (const struct tb_tasks *tasks, size_t *count)
{
  *count = tasks != NULL && tasks->switched ? tasks->nslices : 0;
  return *count > 0 ? tasks->slices : NULL;
}

const struct tb_task_slice *
tb_tasks_resumes (const struct tb_tasks *tasks, size_t *count)
{
  *count = tasks != NULL ? tasks->nparts : 0;
  return *count > 0 ? tasks->parts : NULL;
}

const struct tb_task_slice *
tb_tasks_parts (const struct tb_tasks *tasks, size_t *count)
{
  const struct tb_task_slice *parts = tb_tasks_resumes (tasks, count);
  *count = *count > 0 && tasks->switched ? *count : 0;
  return *count > 0 ? parts : NULL;
}

const struct tb_task_slice *
tb_tasks_at (const struct tb_tasks *tasks, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, tasks != NULL && tasks->switched ? tasks->nslices : 0,
		  tasks->slices[low].step <= step);
  return low > 0 ? &tasks->slices[low - 1] : NULL;
}
