/* Slices of tasks: where one is left, and goes on.  See slices.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "slices.h"

#include "run.h"

uint64_t
slices_pass_handlers (const struct tb_open_exceptions *all, uint64_t last, uint64_t from,
		      bool backward, uint64_t position, uint64_t *first, uint64_t *over)
{
  /* One may follow another.  */
  while (backward ? tb_open_exceptions_outermost (all, position, 1, from, first, over)
	 : tb_open_exceptions_outermost (all, position, from + 1, last, first, over))
    position = backward ? *first - 1 : *over;
  return position;
}

/* Is a handler in ALL under way before STEP that interrupts SLICE?  */
static bool
in_handler (const struct tb_open_exceptions *all, const struct tb_task_slice *slice,
	    uint64_t step)
{
  struct tb_open_exception open;
  return tb_open_exceptions_at (all, step, &open, 1) != 0
	 && open.first >= slice->step;
}

/* Does the task of the slice EARLIER for certain go on in the slice LATER, and nowhere between
   them?  A slice that is open may be another task's.  */
static bool
goes_on_in (struct target *t, const struct tb_open_exceptions *all,
	    const struct tb_task_slice *earlier, const struct tb_task_slice *later)
{
  for (const struct tb_task_slice *slice = earlier + 1; slice <= later; slice++)
    {
      uint64_t pc, first, over;
      /* It may have been interrupted before its first instruction.  */
      uint64_t at = slices_pass_handlers (all, t->last, slice->step - 1, false,
					  slice->step, &first, &over);
      bool there = position_pc (t, at, &pc)
		   && (pc | 1) == (earlier->address | 1);
      if (slice == later ? slice->open || !there : slice->open && there)
	return false;
    }
  return true;
}

/* The slice nearest to SLICE, one of COUNT from ALL on, of its task; NULL: there is none.  */
static const struct tb_task_slice *
find_slice (const struct tb_task_slice *all, size_t count,
	    const struct tb_task_slice *slice, bool backward)
{
  for (const struct tb_task_slice *other = slice;
       backward ? other-- > all : ++other < all + count;)
    if (other->task == slice->task)
      return other;
  return NULL;
}

bool
slices_left (const struct tb_open_exceptions *all, const struct tb_task_slice *slice,
	     uint64_t position, uint64_t *left)
{
  uint64_t first, over;
  /* Nothing is before the recording, and behind a gap nobody knows.  */
  if (slice->suspended == 0 || slice->suspended == UINT64_MAX)
    return false;
  *left = slices_pass_handlers (all, 0, position, true, slice->suspended - 1, &first,
				&over);
  return *left >= slice->step && !in_handler (all, slice, *left);
}

uint64_t
slices_pass (struct client *c, const struct tb_open_exceptions *all, uint64_t from,
	     bool backward, uint64_t position, bool *other)
{
  struct target *t = c->target;
  size_t count;
  const struct tb_tasks *tasks = target_profile (t)->is_m ? target_tasks (t) : NULL;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &count);
  const struct tb_task_slice *mine = tb_tasks_at (tasks, from), *same;
  uint64_t first, over;
  if (mine == NULL || mine->task == 0
      || (backward ? position >= mine->step || mine == slices
	  : position < mine->suspended || mine + 1 == slices + count))
    return position;
  /* A handler is no task's, and returns to where it likes, or what follows it does.  */
  if (in_handler (all, mine, from))
    return backward || from >= mine->suspended ? position
	   : slices_pass_handlers (all, t->last, from, false, mine[1].step, &first, &over);
  same = find_slice (slices, count, mine, backward);
  uint64_t left;
  *other = c->follows_core || same == NULL
	   || !(backward ? goes_on_in (t, all, same, mine)
			   && slices_left (all, same, from, &left)
		: goes_on_in (t, all, mine, same));
  if (!backward)
    return slices_pass_handlers (all, t->last, from, false,
				 *other ? mine[1].step : same->step, &first, &over);
  if (*other && !slices_left (all, mine - 1, from, &left))
    return position;
  return left;
}

bool
slices_next (struct target *t, const struct tb_open_exceptions *all,
	     const struct tb_task_standing *standing, uint64_t position, uint64_t *next)
{
  uint64_t first, over;
  if (standing->next == NULL || standing->next->open || standing->beyond
      || standing->unsure != UINT64_MAX || standing->state == TB_TASK_LOST
      || (standing->slice != NULL
	  && !goes_on_in (t, all, standing->slice, standing->next)))
    return false;
  *next = slices_pass_handlers (all, t->last, standing->next->step - 1, false,
				standing->next->step, &first, &over);
  /* Its first step there may not have come before one that does not return.  */
  return *next > position && !in_handler (all, standing->next, *next);
}
