/* Steps over handlers of exceptions.  See handlers.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB takes a handler for a function that nobody called, and ends a step over a line where
   one interrupts it.  Forward it leaves most of such a step to the target (as a range),
   but not one from a breakpoint; backward it makes each step by itself.  What it asks for
   then is what "stepi" and "reverse-stepi" ask for, so these pass over handlers too, as
   they do where a debugger masks interrupts of a core that it steps.

   Source: GDB 13.1, infrun.c.  */

#include "config.h"
#include "handlers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/element.h"
#include "decode/exception.h"
#include "interrupted.h"
#include "monitor.h"
#include "recording/event-walk.h"
#include "recording/level-names.h"
#include "recording/open-exceptions.h"
#include "run.h"
#include "slices.h"
#include "state/effect.h"

/* Exceptions one in another that are looked through.  */
#define NESTED 16

/* Names of exceptions that one message has.  */
#define NAMED 4

/* Append the names of the exceptions that were taken before the steps FIRST to OVER - 1.  */
static void
put_names (struct client *c, struct tb_buffer *text, uint64_t first, uint64_t over)
{
  struct tb_event_walk walk = tb_event_walk_from (c->target->recording, first);
  unsigned count = 0;
  const struct tb_event *e;
  while ((e = tb_event_next (&walk)) != NULL && e->step < over)
    {
      struct tb_buffer name = { 0 };
      if (e->step < first || e->kind != TB_EVENT_EXCEPTION
	  || !tb_exception_enters ((enum tb_exception) e->taken)
	  || !tb_exception_put_name (&name, e->exception, e->taken, target_profile (c->target)))
	;
      else if (count++ < NAMED)
	tb_buffer_printf (text, "%s%.*s", count > 1 ? ", " : "", (int) name.size,
			  (const char *) name.data);
      tb_buffer_fini (&name);
      if (count > NAMED)
	{
	  tb_buffer_printf (text, " and more");
	  break;
	}
    }
}

void
handlers_tell_passed (struct client *c, const struct handlers_passed *passed, bool backward,
		      uint64_t position)
{
  struct tb_buffer name = { 0 };
  /* A breakpoint there may have stopped the step.  */
  if (c->passing_said || !passed->any
      || (backward ? position >= passed->first : position < passed->over))
    return;
  c->passing_said = true;
  put_names (c, &name, passed->first, passed->others ? passed->first + 1 : passed->over);
  client_console (c, "Steps pass over handlers that interrupt them%s, here over steps %"
		  PRIu64 " to %" PRIu64 "%s%.*s%s; breakpoints there still\nstop.  "
		  "\"monitor interrupts stop\" makes steps stop in handlers.\n",
		  passed->others ? ", and the tasks that these switch to" : "",
		  passed->first, passed->over - 1, name.size != 0 ? " (" : "", (int) name.size,
		  name.size != 0 ? (const char *) name.data : "",
		  name.size != 0 ? ")" : "");
  tb_buffer_fini (&name);
}

uint64_t
handlers_pass (struct client *c, uint64_t from, bool backward, uint64_t position,
	       bool *other, struct handlers_passed *passed)
{
  const struct target *t = c->target;
  const struct tb_open_exceptions *all;
  uint64_t first = UINT64_MAX, over;
  *other = false;
  if (c->steps_into_handlers || t->steps == 0
      || tb_recording_info (t->recording)->exceptions == 0)
    return position;
  if (!backward)
    {
      struct tb_event event;
      /* Which no handler comes before that another was not taken.  */
      if (!tb_exception_taken (c->target->recording, position, &event))
	return position;
    }
  all = interrupted_find (c);
  if (all == NULL)
    return position;
  uint64_t behind = slices_pass_handlers (all, t->last, from, backward, position, &first,
					  &over);
  uint64_t to = slices_pass (c, all, from, backward, behind, other);
  bool others = to != behind;
  if (*other || passed->any || (!others && first == UINT64_MAX))
    return to;
  *passed = (struct handlers_passed) {
    .any = true, .first = backward ? to + 1 : position,
    /* One may have come right behind the other: FIRST and OVER are of one of them.  */
    .over = !backward ? to : others ? from : position + 1, .others = others
  };
  return to;
}

/* Append what the task of SLICE is called.  */
static void
put_task (struct tb_buffer *text, const struct tb_tasks *tasks,
	  const struct tb_task_slice *slice)
{
  char *name = slice->task != 0 ? tb_task_name (tb_tasks_get (tasks, slice->task))
	       : NULL;
  tb_buffer_printf (text, "%s", name != NULL ? name : "a handler");
  free (name);
}

void
handlers_tell_other (struct client *c, uint64_t from, uint64_t position)
{
  const struct tb_tasks *tasks = target_tasks (c->target);
  const struct tb_task_slice *left = tb_tasks_at (tasks, from);
  const struct tb_task_slice *now = tb_tasks_at (tasks, position);
  struct tb_buffer text = { 0 };
  if (left == NULL || now == NULL)
    return;
  put_task (&text, tasks, left);
  tb_buffer_printf (&text, position < from ? " was switched to, here from "
		    : " was switched away from, here to ");
  put_task (&text, tasks, now);
  tb_buffer_printf (&text, "%s", now->open ? " (or another one that waited there)" : "");
  if (c->follows_core)
    client_console (c, "%.*s; \"monitor follow task\" makes steps go on with the same one.\n",
		    (int) text.size, (const char *) text.data);
  else
    client_console (c, "%.*s; the recording does not tell for certain where it %s.\n",
		    (int) text.size, (const char *) text.data,
		    position < from ? "ran before" : "goes on");
  tb_buffer_fini (&text);
}

/* Is all of the stack pointer known before the exception that was taken before step FIRST?  What
   it interrupted is on a stack of its own, but for the M profile.  */
static bool
knows_sp_left (struct target *t, uint64_t first)
{
  struct tb_value values[TB_NREGS_MAX];
  const struct tb_tdesc_slot *slot = &t->tdesc->slots[t->tdesc->sp];
  if (target_profile (t)->is_m || first == 0)
    return true;
  tb_state_after (t->state, first - 1, values);
  return tb_moment_whole (&values[slot->reg], slot->size);
}

/* The link register before STEP, without the Thumb bit, into *LR; false: it is not known.  */
static bool
read_lr (struct target *t, uint64_t step, uint64_t *lr)
{
  struct tb_value values[TB_NREGS_MAX];
  bool wide = t->tdesc->slots[t->tdesc->pc].size == 8;
  const struct tb_value *value = &values[wide ? 30 : TB_LR];
  tb_state_registers (t->state, step, values);
  *lr = wide ? value->bits : value->bits & ~UINT64_C (1);
  return tb_moment_whole (value, wide ? 8 : 4);
}

/* Does GDB, without the project's commands, take ADDRESS for the caller of the handler OPEN, whose
   outermost function runs where C stands?  WAS: what it interrupted.  Where no function is, what
   lies on the stack was taken for an address.  A breakpoint that was set before is the user's.  */
static bool
is_guessed (const struct client *c, const struct tb_open_exception *open, uint64_t was,
	    uint64_t address)
{
  struct target *t = c->target;
  const struct tb_symbols *symbols = target_symbols (t);
  uint64_t lr;
  return !target_profile (t)->is_m && !c->asked_interrupted && open->called == UINT64_MAX
	 && breakpoint_is_new (c, address)
	 && (address == was || (read_lr (t, c->position, &lr) && address == lr)
	     || (read_lr (t, open->first, &lr) && address == lr)
	     || (symbols != NULL && tb_symbols_function_at (symbols, address) == NULL));
}

enum handler_over
handlers_elsewhere (struct client *c, const struct tb_visit_range *breaks, size_t count,
		    uint64_t *position)
{
  struct target *t = c->target;
  struct tb_open_exception open[NESTED];
  const struct tb_open_exceptions *all;
  if (count == 0 || t->steps == 0
      || tb_recording_info (t->recording)->exceptions == 0
      || (all = interrupted_find (c)) == NULL)
    return HANDLER_NOT_OVER;
  size_t nested = tb_open_exceptions_at (all, c->position, open, NESTED);
  for (size_t i = 0; i < nested; i++)
    {
      struct tb_event event;
      uint64_t first, over, pc;
      if (!tb_exception_taken (t->recording, open[i].first, &event)
	  || event.flags & TB_EXCEPTION_NO_RETURN
	  || !tb_open_exceptions_outermost (all, c->position, open[i].first,
					    t->last, &first, &over)
	  || first != open[i].first)
	continue;
      uint64_t was = event.address;
      if (!target_profile (t)->has_a64)
	was &= ~UINT64_C (1);
      /* Others may follow it.  */
      while (tb_open_exceptions_outermost (all, over, c->position + 1, t->last,
					   &first, &over))
	;
      if (!position_pc (t, over, &pc))
	continue;
      for (size_t j = 0; j < count; j++)
	{
	  *position = over;
	  if (breaks[j].first == was && pc != was)
	    return HANDLER_ELSEWHERE;
	  if (breaks[j].first == was
	      && (!target_knows_sp (t, c->position) || !target_knows_sp (t, over)
		  || !knows_sp_left (t, open[i].first)))
	    return HANDLER_WITHOUT_SP;
	  if (i == 0 && is_guessed (c, open, was, breaks[j].first))
	    return HANDLER_GUESSED;
	}
    }
  return HANDLER_NOT_OVER;
}

/* Is a breakpoint of C at ADDRESS?  */
static bool
has_breakpoint (const struct client *c, uint64_t address)
{
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind < WATCH_WRITE && c->breakpoints[i].address == address)
      return true;
  return false;
}

void
handlers_finish (struct client *c)
{
  struct target *t = c->target;
  struct tb_open_exception open;
  struct tb_event event;
  /* GDB goes on where its breakpoint is hit in another frame.  */
  if (c->finishes && has_breakpoint (c, c->finish_address))
    return;
  c->finishes = false;
  if (!breakpoint_any_new (c) || tb_recording_info (t->recording)->exceptions == 0)
    return;
  const struct tb_open_exceptions *all = interrupted_find (c);
  if (all == NULL || tb_open_exceptions_at (all, c->position, &open, 1) == 0
      || open.called != UINT64_MAX || !tb_exception_taken (t->recording, open.first, &event)
      || event.flags & TB_EXCEPTION_NO_RETURN)
    return;
  uint64_t address = target_profile (t)->has_a64 ? event.address
		     : event.address & ~UINT64_C (1);
  c->finishes = breakpoint_is_new (c, address) && has_breakpoint (c, address);
  c->finish_address = address;
  c->finish_first = open.first;
}

void
handlers_tell_end (struct client *c)
{
  struct tb_exception_over over[NESTED];
  const struct tb_open_exceptions *all = c->finishes ? interrupted_find (c) : NULL;
  if (all == NULL)
    return;
  c->finishes = false;
  /* The last one of those that were taken there is the one that ran.  */
  size_t taken = tb_open_exceptions_taken (all, c->finish_first, over, NESTED);
  if (taken == 0 || taken > NESTED || over[taken - 1].left)
    return;
  if (over[taken - 1].over >= c->target->steps)
    client_console (c, "The handler that began at step %" PRIu64 " is not over at the end of the "
		    "recording.\n", c->finish_first);
  else
    client_console (c, "The handler that began at step %" PRIu64 " is over before step %" PRIu64
		    "; what it interrupted\ndoes not go on for certain before the end of the "
		    "recording.\n", c->finish_first, over[taken - 1].over);
}

static bool
interrupts (const struct monitor_call *call)
{
  struct client *c = call->client;
  if (call->count > 2
      || (call->count == 2 && strcmp (call->words[1], "stop") != 0
	  && strcmp (call->words[1], "skip") != 0))
    return false;
  if (call->count == 2)
    c->steps_into_handlers = strcmp (call->words[1], "stop") == 0;
  monitor_print (call, c->steps_into_handlers
		 ? "stop: steps stop in handlers that interrupt them.\n"
		 : "skip: steps pass over handlers that interrupt them and return; "
		 "breakpoints there still stop.\n");
  return true;
}

const struct monitor_verb verbs_handlers[] = {
  { "interrupts", "[skip|stop]",
    "Tell or set what steps do where a handler interrupts them: pass over it, or stop "
    "in it.", interrupts },
  { NULL, NULL, NULL, NULL }
};
