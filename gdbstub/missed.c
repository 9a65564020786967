/* Where calls begin and end that GDB would miss.  See missed.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB 13.1, infcmd.c (finish_forward) and infrun.c (process_event_stop_test, of a
   function that was stepped into backward).  */

#include "config.h"
#include "missed.h"

#include <stdlib.h>

#include "calls.h"
#include "decode/element.h"
#include "interrupted.h"
#include "recording/open-exceptions.h"
#include "run.h"

/* Of longer recordings neither calls nor exceptions are looked for: see callers.c.  */
#define STEPS_MOST (UINT64_C (1) << 20)

/* Calls that are looked at.  */
#define ENTRIES 16

/* Exceptions one in another that are looked at.  */
#define NESTED 16

static bool
is_among (const struct tb_visit_range *breaks, size_t count, uint64_t pc)
{
  for (size_t i = 0; i < count; i++)
    if (breaks[i].first == pc)
      return true;
  return false;
}

/* The call that opened LEVEL into *CALL; false: it was opened by something else.  */
static bool
read_call (struct target *t, const struct tb_level *level, struct tb_step *call)
{
  return level->kind == TB_LEVEL_CALL && level->step > 0
	 && tb_recording_read (t->recording, level->step - 1, call, 1) == 1;
}

bool
missed_return (struct client *c, const struct tb_visit_range *breaks, size_t count,
	       uint64_t *position)
{
  struct target *t = c->target;
  struct calls calls;
  struct tb_step call;
  bool found = false;
  if (count == 0 || t->steps == 0 || t->steps > STEPS_MOST || !target_profile (t)->is_m
      || target_knows_sp (t, c->position))
    return false;
  if (calls_find (c, 0, &calls))
    for (size_t i = calls.count; i-- > 0 && !found;)
      found = read_call (t, &calls.levels[i], &call)
	      && is_among (breaks, count, call.pc + call.size)
	      && calls_find_end (c, i, calls.levels[i].step, position)
	      && *position > c->position && target_knows_sp (t, *position);
  free (calls.levels);
  return found;
}

/* Did what the exception that was taken before STEP interrupted go on elsewhere than at ADDRESS,
   at POSITION or before that?  In a handler that is not over the breakpoint is the user's.  */
static bool
went_on (struct target *t, const struct tb_open_exceptions *all, uint64_t step,
	 uint64_t address, uint64_t position)
{
  uint64_t first, over = step, pc;
  /* Others may follow it.  */
  while (tb_open_exceptions_outermost (all, over, step, t->last, &first, &over))
    ;
  return over > step && over <= position && position_pc (t, over, &pc) && pc != address;
}

bool
missed_entry (struct client *c, const struct tb_visit_range *breaks, size_t count,
	      uint64_t *position)
{
  struct target *t = c->target;
  const struct tb_open_exceptions *all;
  uint64_t steps[ENTRIES];
  struct tb_event event;
  if (count == 0 || t->steps == 0 || t->steps > STEPS_MOST
      || tb_recording_info (t->recording)->exceptions == 0
      || (all = interrupted_find (c)) == NULL)
    return false;
  size_t found = tb_open_exceptions_entries (all, c->position, steps, ENTRIES);
  for (size_t i = 0; i < found; i++)
    if (tb_exception_taken (t->recording, steps[i], &event)
	&& !(event.flags & TB_EXCEPTION_NO_RETURN)
	&& is_among (breaks, count, event.address & ~UINT64_C (1))
	&& went_on (t, all, steps[i], event.address & ~UINT64_C (1), c->position))
      {
	*position = steps[i] - 1;
	return true;
      }
  return false;
}

/* The last position before the exception that was taken before step FIRST at which what it
   interrupted ran: where "reverse-stepi" leads to.  */
static uint64_t
interrupted_at (const struct client *c, const struct tb_open_exceptions *all, uint64_t first)
{
  uint64_t over, position = first - 1;
  /* One right behind another.  */
  while (!c->steps_into_handlers
	 && tb_open_exceptions_outermost (all, position, 1, position + 1, &first, &over)
	 && first > 0)
    position = first - 1;
  return position;
}

bool
missed_vector (struct client *c, const struct tb_visit_range *breaks, size_t count,
	       uint64_t *position)
{
  struct target *t = c->target;
  const struct tb_symbols *symbols = target_symbols (t);
  struct tb_open_exception open[NESTED];
  const struct tb_open_exceptions *all;
  const struct tb_function *function;
  uint64_t pc;
  if (count == 0 || symbols == NULL || t->steps > STEPS_MOST
      || tb_recording_info (t->recording)->exceptions == 0
      || !position_pc (t, c->position, &pc)
      || (function = tb_symbols_function_at (symbols, pc)) == NULL || function->address == pc
      || !is_among (breaks, count, function->address)
      || (all = interrupted_find (c)) == NULL)
    return false;
  size_t nested = tb_open_exceptions_at (all, c->position, open, NESTED);
  for (size_t i = 0; i < nested; i++)
    if (open[i].first > 0 && position_pc (t, open[i].first, &pc) && pc != function->address
	&& tb_symbols_function_at (symbols, pc) == function)
      {
	*position = interrupted_at (c, all, open[i].first);
	return true;
      }
  return false;
}
