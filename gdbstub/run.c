/* Moving through the recording.  See run.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets", "vCont packet", "Reverse Execution", "Stop Reply
   Packets"; details as GDB 13.1 needs them:
   - A breakpoint is reported on arrival at its address, in either direction, and so
     never at the position where execution starts.
   - For Arm, GDB takes a watchpoint to be reported before the access is made: it
     removes the watchpoint, steps once more the same way, and compares the
     values.  So forward the position of the access is reported, backward the one
     behind it.
   - What comes with a stop GDB does not read with the others, but later, when it needs one
     of them: if "monitor goto" came in between it has a PC and other registers of two
     moments, and "next" ends it with an internal error.  So nothing comes with it.  */

#include "config.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handlers.h"
#include "interrupted.h"
#include "learned.h"
#include "motion.h"
#include "registers.h"
#include "slices.h"
#include "software.h"
#include "tasks.h"
#include "threads.h"
#include "together.h"

#define SIGNAL_NONE 0
#define SIGNAL_INTERRUPT 2
#define SIGNAL_TRAP 5

void
reply_stand (struct client *c, unsigned signal, const char *reason)
{
  c->moved = false;
  /* This one front ends show as a pause.  */
  if (signal == SIGNAL_NONE && c->has_front_end)
    signal = SIGNAL_INTERRUPT;
  c->stop_signal = signal;
  c->stop_thread = (struct thread_id) { c->thread, c->task };
  c->stop_description = NULL;
  tb_buffer_clear (&c->reply);
  reply_printf (c, "T%02x%sthread:%" PRIx64 ";", signal, reason,
		threads_number (c->stop_thread));
  if (c->is_lldb)
    append_pc (c, &c->reply);
}

void
reply_stop (struct client *c, unsigned signal, const char *reason)
{
  tasks_stop (c);
  reply_stand (c, signal, reason);
}

void
reply_description (struct client *c, const char *description)
{
  c->stop_description = description;
  reply_text (c, "description:");
  tb_hex_append (&c->reply, description, strlen (description));
  reply_text (c, ";");
}

void
run_stop_at (struct client *c, uint64_t position, const char *reason)
{
  bool steps = c->steps;
  unsigned stepped = c->stepped;
  c->position = position;
  reply_stop (c, SIGNAL_TRAP, reason);
  /* GDB takes a trap of another thread than the one that it steps for the program's own.  */
  if (steps && c->task != stepped && *reason == 0 && !c->is_lldb)
    reply_stand (c, SIGNAL_NONE, reason);
}

/* Arrive at POSITION: is a breakpoint there?  */
static void
arrive (struct client *c, uint64_t position)
{
  c->position = position;
  const struct tb_moment *moment = client_moment (c);
  const struct breakpoint *b = NULL;
  const char *reason = "", *why = NULL;
  if (moment != NULL && c->moment_has_pc)
    b = breakpoint_hit (c, moment->pc, position, &why);
  if (why != NULL)
    threads_say (c, "The condition of the breakpoint at 0x%" PRIx64
		 " has no known outcome here: %s.\n", b->address, why);
  if (b == NULL)
    ;
  else if (b->kind == BREAK_SOFTWARE && c->wants_swbreak)
    reason = "swbreak:;";
  else if (b->kind == BREAK_HARDWARE && c->wants_hwbreak)
    reason = "hwbreak:;";
  run_stop_at (c, position, reason);
}

/* The search did not come to its end.  */
static void
give_up (struct motion *m, enum tb_search why)
{
  struct client *c = m->client;
  if (why == TB_SEARCH_NO_MEMORY)
    client_console (c, "There is no memory for the search.\n");
  motion_tell_interrupted (m, why);
  reply_stop (c, SIGNAL_INTERRUPT, "");
}

static uint64_t
accesses_reached (const struct motion *m)
{
  return tb_accesses_reached (m->client->target->accesses);
}

uint64_t
motion_watch_from (const struct client *c, bool backward)
{
  bool again = c->watch_stop && c->watch_backward == backward
	       && c->watch_position == c->position;
  if (!again)
    return c->position;
  return backward ? c->position - 1 : c->position + 1;
}

/* Where M stands when it has passed FOUND.  */
static uint64_t
behind (const struct motion *m, const struct tb_access_found *found)
{
  return m->backward ? found->step : found->step + 1;
}

/* Find a watched access among the steps FIRST to LAST - 1; true when E is where the motion
   ends.  */
static bool
find_watch (struct motion *m, uint64_t first, uint64_t last, struct motion_end *e)
{
  struct client *c = m->client;
  struct target *t = c->target;
  enum watched_look looks;
  if (m->nwatches == 0 || first >= last)
    return false;
  if (!target_prepare_accesses (t))
    {
      *e = (struct motion_end) { MOTION_FAILED, .why = TB_SEARCH_NO_MEMORY };
      return true;
    }
  m->reached = accesses_reached;
  tb_accesses_set_poll (t->accesses, motion_go_on, m);
  enum tb_search result
    = m->backward ? tb_accesses_previous (t->accesses, m->watches, m->nwatches,
					  last, first, &e->found)
		  : tb_accesses_next (t->accesses, m->watches, m->nwatches,
				      first, last, &e->found);
  e->looked = result == TB_SEARCH_NONE || result == TB_SEARCH_FOUND;
  e->first = result == TB_SEARCH_FOUND ? e->found.step : first;
  if (result == TB_SEARCH_NONE)
    return false;
  if (result != TB_SEARCH_FOUND)
    *e = (struct motion_end) { MOTION_FAILED, .why = result };
  else if ((looks = watched_find (m, &e->found, behind (m, &e->found))) != WATCHED_STOPS)
    {
      e->kind = looks == WATCHED_DARK ? MOTION_IN_THE_DARK : MOTION_CHANGES;
      e->position = behind (m, &e->found);
    }
  else
    {
      e->kind = MOTION_ACCESSES;
      e->position = m->backward ? e->found.step + 1 : e->found.step;
    }
  return true;
}

/* Stop M at E, by what it accesses there.  */
static void
stop_at_watch (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  static const char *const names[] = {
    [WATCH_WRITE] = "watch", [WATCH_READ] = "rwatch", [WATCH_ACCESS] = "awatch"
  };
  char reason[64];
  snprintf (reason, sizeof reason, "%s:%" PRIx64 ";",
	    names[m->which[e->found.watch]->kind], e->found.address);
  run_stop_at (c, e->position, reason);
  watched_report (c, e->found.address, behind (m, &e->found));
  c->watch_stop = true;
  c->watch_backward = m->backward;
  c->watch_position = c->position;
}

void
motion_find_end (struct motion *m, struct motion_end *e)
{
  struct target *t = m->client->target;
  *e = (struct motion_end) { .kind = MOTION_AT_END };
  if (m->backward ? m->from == 0 : m->from >= t->last)
    return;
  enum tb_search found = motion_find_stop (m, &e->position);
  if (found != TB_SEARCH_FOUND && found != TB_SEARCH_NONE)
    {
      *e = (struct motion_end) { MOTION_FAILED, .why = found };
      return;
    }
  /* Which steps are made, or unmade, on the way there?  */
  uint64_t to = found == TB_SEARCH_FOUND ? e->position
		: m->backward ? m->limit
		: m->limit < t->steps ? m->limit + 1 : t->steps;
  if (m->backward ? find_watch (m, to, m->look, e) : find_watch (m, m->look, to, e))
    return;
  if (found == TB_SEARCH_FOUND)
    e->kind = m->elsewhere != HANDLER_NOT_OVER ? MOTION_ELSEWHERE
	      : m->missed != MISSED_NOTHING ? MOTION_MISSED
	      : m->other ? MOTION_OTHER : MOTION_ARRIVES;
}

/* What is said where the stub ends a command for it.  */
static const char *const why_over[] = {
  [HANDLER_ELSEWHERE] = "The handler is over, but what it interrupted goes on elsewhere.",
  [HANDLER_WITHOUT_SP] = "The handler is over; by the stack pointer, which is not known, GDB would "
  "not see that.",
  [HANDLER_GUESSED] = "The handler is over; without the commands for GDB (\"Commands for GDB\" in "
  "the manual) GDB would not see that."
};

static const char *const why_missed[] = {
  [MISSED_RETURN] = "The function has returned; by the stack pointer, which was not known, GDB "
  "would not see that.",
  [MISSED_FAULT] = "GDB would miss the function's first instruction, as an exception came in place "
  "of it;\nexecution stands at its call.",
  [MISSED_ODD] = "GDB would miss the function's first instruction, as the program has an odd "
  "address for it;\nexecution stands at its call.",
  [MISSED_VECTOR] = "GDB would miss the begin of the handler, which is not its function's first "
  "instruction;\nexecution stands at what was interrupted."
};

/* Would M, a step of a task alone, end at E where another one runs?  GDB steps one alone over a
   breakpoint, also over one of its own that belongs to another; it ends with an internal error
   where that one stops.  */
static bool
leaves_task (const struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  unsigned task;
  if (!m->alone || !c->steps || c->stepped == 0 || c->is_lldb
      || (e->kind != MOTION_ARRIVES && e->kind != MOTION_OTHER))
    return false;
  task = tasks_runner_at (c, e->position);
  return task != 0 && task != c->stepped;
}

/* The task that M steps stays where it is.  */
static void
stay (const struct motion *m)
{
  struct client *c = m->client;
  /* Where one is set GDB most likely steps over another one, and the user never asked.  */
  if (m->nbreaks == 0)
    client_console (c, "Task %u makes no step here alone: another one runs.\n", c->stepped);
  c->task = c->stepped;
  c->user = c->chosen = (struct thread_id) { c->thread, c->task };
  c->steps = false;
  c->stop_told = true;
  reply_stand (c, SIGNAL_TRAP, "");
}

void
motion_stop (struct motion *m, const struct motion_end *e)
{
  struct client *c = m->client;
  if (leaves_task (m, e))
    {
      stay (m);
      return;
    }
  motion_tell_unknown (m, e);
  if (e->kind == MOTION_FAILED)
    {
      give_up (m, e->why);
      return;
    }
  handlers_tell_passed (c, &m->passed, m->backward, e->kind != MOTION_AT_END ? e->position
			: m->backward ? 0 : c->target->last);
  if (e->kind == MOTION_ACCESSES)
    {
      stop_at_watch (m, e);
      return;
    }
  /* At the end nothing moves: a step over what is watched there is one still.  */
  if (e->kind != MOTION_AT_END || (m->backward ? m->from > 0 : m->from < c->target->last))
    c->watch_stop = false;
  switch (e->kind)
    {
    case MOTION_FAILED: case MOTION_ACCESSES:
      break;
    case MOTION_AT_END:
      motion_stop_at_end (m);
      break;
    case MOTION_ARRIVES:
      arrive (c, e->position);
      break;
    case MOTION_IN_THE_DARK:
      threads_say (c, "Step %" PRIu64 " stores to 0x%" PRIx64 ", which is watched; "
		   "execution stops there although it is not known whether that changed it.\n",
		   e->found.step, e->found.address);
      c->position = e->position;
      reply_stop (c, SIGNAL_NONE, "");
      break;
    case MOTION_CHANGES:
      watched_tell (m, &e->found);
      c->position = e->position;
      reply_stop (c, SIGNAL_NONE, "");
      break;
    case MOTION_ELSEWHERE:
      client_console (c, "%s\n", why_over[m->elsewhere]);
      c->position = e->position;
      reply_stop (c, SIGNAL_NONE, "");
      break;
    case MOTION_MISSED:
      client_console (c, "%s\n", why_missed[m->missed]);
      c->position = e->position;
      reply_stop (c, SIGNAL_NONE, "");
      break;
    case MOTION_OTHER:
      handlers_tell_other (c, c->position, e->position);
      if (c->is_lldb || motion_breaks_at (m, e->position))
	arrive (c, e->position);
      else
	{
	  /* GDB would go on stepping there.  */
	  c->position = e->position;
	  reply_stop (c, SIGNAL_NONE, "");
	}
      break;
    }
}

/* Move as M says, whose client has one core.  */
static void
move (struct motion *m)
{
  struct motion_end end;
  uint64_t from = m->from;
  motion_find_end (m, &end);
  motion_stop (m, &end);
  software_tell (m->client, from);
}

/* The task that C looks at, NUMBER, waits, and M is a step of it; ALONE as below.  Find out where
   that begins, or backward leads to.  False: it makes none, which C is told.  */
static bool
begin_waiting (struct motion *m, unsigned number, bool alone)
{
  struct client *c = m->client;
  struct tb_task_standing standing;
  const struct tb_open_exceptions *all = interrupted_find (c);
  tasks_stand (c, number, &standing);
  m->waits = true;
  /* LLDB keeps the others from running in each step.  */
  if (alone && !c->is_lldb)
    client_console (c, "Task %u waits here: it makes a step when the others run, too "
		    "(\"set scheduler-locking off\").\n", number);
  else if (all != NULL && m->backward && standing.unsure == UINT64_MAX
	   && standing.state == TB_TASK_WAITS
	   && slices_left (all, standing.slice, c->position, &m->begin))
    return true;
  else if (all != NULL && !m->backward
	   && slices_next (c->target, all, &standing, c->position, &m->begin))
    return true;
  else
    client_console (c, "Task %u waits here; the recording does not show for certain where it "
		    "%s.\n", number, m->backward ? "ran before" : "goes on");
  /* GDB's own step over a breakpoint is over, and goes on.  */
  reply_stand (c, c->is_lldb ? SIGNAL_INTERRUPT : alone ? SIGNAL_TRAP : SIGNAL_NONE, "");
  return false;
}

void
run_go (struct client *c, bool backward, enum run_extent extent,
	struct tb_visit_range range, bool alone)
{
  struct motion m = { .client = c, .backward = backward, .extent = extent,
		      .range = range, .from = c->position,
		      .look = motion_watch_from (c, backward),
		      .anew = c->anew && c->position == 0, .alone = alone,
		      .limit = backward ? 0 : UINT64_MAX };
  if (c->ended)
    {
      reply_error (c);
      return;
    }
  client_tell_made_up (c);
  learned_tell (c);
  watched_move (c, extent == GO_ON);
  if (run_moved (c, backward, extent))
    return;
  c->anew = false;
  unsigned task = c->task;
  if (client_looks_at_waiting (c) && extent != GO_ON && !begin_waiting (&m, task, alone))
    return;
  m.waited = client_looks_at_waiting (c) ? task : 0;
  c->steps = extent != GO_ON;
  c->steps_over = alone && c->steps;
  c->stepped = task;
  tasks_leave (c);
  if (extent == GO_ON && !backward)
    handlers_finish (c);
  size_t room = c->nbreakpoints + 1;
  m.breaks = calloc (room, sizeof *m.breaks);
  m.watches = calloc (room, sizeof *m.watches);
  m.which = calloc (room, sizeof *m.which);
  if (m.breaks == NULL || m.watches == NULL || m.which == NULL)
    give_up (&m, TB_SEARCH_NO_MEMORY);
  else
    {
      m.nbreaks = breakpoint_ranges (c, m.breaks);
      m.nwatches = watch_ranges (c, m.watches, m.which);
      if (c->nthreads == 1)
	move (&m);
      else
	together_go (&m, alone);
    }
  for (size_t i = 0; i < c->nthreads; i++)
    {
      struct target *t = threads_target (c, i);
      if (t->visits != NULL)
	tb_visits_set_poll (t->visits, NULL, NULL);
      if (t->accesses != NULL)
	tb_accesses_set_poll (t->accesses, NULL, NULL);
    }
  /* GDB's own breakpoint for "finish" was not the user's.  */
  uint64_t pc;
  if (m.elsewhere == HANDLER_NOT_OVER && position_pc (c->target, m.from, &pc))
    breakpoints_ran (c, pc, extent != GO_ON);
  free (m.breaks);
  free (m.watches);
  free (m.which);
}
