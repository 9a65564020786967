/* Where a task stands at a step.  See task-standing.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/task-standing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "recording/level-names.h"
#include "recording/open-calls.h"

/* May what waits at ADDRESS have gone on in SLICE, although that is said to be another
   one's?  */
static bool
may_be_in (const struct tb_task_slice *slice, uint64_t address)
{
  return slice->open
	 && (address == TB_BACK_NONE || slice->begin == TB_BACK_NONE
	     || (slice->begin & ~UINT64_C (1)) - (address & ~UINT64_C (1)) <= TB_BACK_OVER);
}

/* Is a gap behind SLICE, which is not the last one?  */
static bool
is_before_gap (const struct tb_task_slice *slice)
{
  return slice->task != 0 && slice->suspended == UINT64_MAX;
}

/* It has not run before slice NOW of ALL ends, and S->next is its first.  */
static void
stand_unseen (const struct tb_task_slice *all, const struct tb_task_slice *now,
	      struct tb_task_standing *s)
{
  for (const struct tb_task_slice *slice = now; slice < s->next; slice++)
    s->beyond |= is_before_gap (slice);
  if (s->next->open)
    s->unsure = s->next->step;
  for (const struct tb_task_slice *slice = s->next; slice-- > all && !is_before_gap (slice);)
    if (may_be_in (slice, s->next->begin))
      s->unsure = slice->step;
}

/* It has run in S->slice before slice NOW.  */
static void
stand_waiting (const struct tb_task_slice *now, struct tb_task_standing *s)
{
  s->state = TB_TASK_WAITS;
  s->since = s->slice->suspended;
  s->address = s->slice->address;
  for (const struct tb_task_slice *slice = s->slice; slice < now; slice++)
    if (is_before_gap (slice))
      {
	s->state = TB_TASK_LOST;
	s->since = slice[1].step;
	return;
      }
  for (const struct tb_task_slice *slice = s->slice + 1; slice <= now; slice++)
    if (may_be_in (slice, s->address) && s->unsure == UINT64_MAX)
      s->unsure = slice->step;
}

void
tb_task_stand (const struct tb_tasks *tasks, unsigned number, uint64_t step,
	       struct tb_task_standing *s)
{
  size_t n;
  const struct tb_task_slice *all = tb_tasks_slices (tasks, &n);
  const struct tb_task_slice *now = tb_tasks_at (tasks, step), *slice;
  *s = (struct tb_task_standing) { .address = TB_BACK_NONE, .unsure = UINT64_MAX };
  if (now == NULL)
    return;
  for (slice = now + 1; slice < all + n && s->next == NULL; slice++)
    if (slice->task == number)
      s->next = slice;
  for (slice = now + 1; slice-- > all && s->slice == NULL;)
    if (slice->task == number)
      s->slice = slice;
  if (s->slice == NULL)
    {
      if (s->next != NULL)
	stand_unseen (all, now, s);
      return;
    }
  if (s->slice->open || s->slice->guessed)
    s->unsure = s->slice->step;
  if (s->slice == now)
    {
      s->state = TB_TASK_RUNS;
      s->since = now->step;
      if (step >= now->handed)
	s->unsure = now->handed;
    }
  else
    stand_waiting (now, s);
}

void
tb_task_put_standing (struct tb_buffer *text, const struct tb_task_standing *standing,
		      const struct tb_symbols *symbols)
{
  const struct tb_function *function = NULL;
  bool unsure = standing->unsure != UINT64_MAX;
  switch (standing->state)
    {
    case TB_TASK_UNSEEN:
      tb_buffer_printf (text, "has not run yet");
      break;
    case TB_TASK_RUNS:
      tb_buffer_printf (text, "runs since step %" PRIu64 "%s", standing->since,
			unsure ? " (or another one that waited there does)" : "");
      break;
    case TB_TASK_WAITS:
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
    case TB_TASK_LOST:
      tb_buffer_printf (text, "is lost at the gap before step %" PRIu64,
			standing->since);
      break;
    }
  if (unsure && standing->state != TB_TASK_RUNS && standing->state != TB_TASK_LOST)
    tb_buffer_printf (text, " (or it is what goes on at step %" PRIu64 ", or is not)",
		      standing->unsure);
  if (standing->next != NULL)
    tb_buffer_printf (text, ", next from step %" PRIu64, standing->next->step);
}

/* Put how often, and for how many steps, the task with NUMBER ran before STEP.  */
static void
put_share (struct tb_buffer *text, const struct tb_tasks *tasks, unsigned number,
	   uint64_t step, uint64_t total)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &n);
  uint64_t times = 0, steps = 0;
  for (size_t i = 0; i < n && slices[i].step <= step; i++)
    if (slices[i].task == number)
      {
	uint64_t end = i + 1 < n ? slices[i + 1].step : total;
	times++;
	steps += (step < end ? step : end) - slices[i].step;
      }
  if (times != 0)
    tb_buffer_printf (text, "; %" PRIu64 " time%s so far, %" PRIu64 " steps",
		      times, times != 1 ? "s" : "", steps);
}

bool
tb_tasks_put (struct tb_buffer *text, const struct tb_tasks *tasks, uint64_t step,
	      uint64_t total, const struct tb_symbols *symbols)
{
  bool ok = true;
  for (size_t i = 1; i <= tb_tasks_count (tasks) && ok; i++)
    {
      struct tb_task_standing standing;
      char *name = tb_task_name (tb_tasks_get (tasks, (unsigned) i));
      ok = name != NULL;
      tb_task_stand (tasks, (unsigned) i, step, &standing);
      tb_buffer_printf (text, "%c %s: ", standing.state == TB_TASK_RUNS ? '*' : ' ',
			ok ? name : "");
      tb_task_put_standing (text, &standing, symbols);
      put_share (text, tasks, (unsigned) i, step, total);
      tb_buffer_printf (text, "\n");
      free (name);
    }
  return ok && !text->failed;
}
