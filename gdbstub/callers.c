/* Callers of each frame where no stack tells them: qTracebridge.Callers:THREAD.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB goes from a frame to its caller by the stack.  Where the stack pointer is not known it
   gets nowhere, but the trace has the calls and what exceptions interrupted.  The project's
   commands for GDB (gdb/tracebridge/exceptions.py) ask this.

   The reply has an item for each frame, the innermost first, each ended by
   ';': the frame's PC, the first step of its function, which tells it from others, and the
   registers of its caller, as in interrupted.c: those that calls leave alone, as they were
   at the call, or all that were known of what an exception interrupted; none where nobody called
   it in the trace.  An exception of which
   EXC_RETURN and the stack pointer are known leads to GDB's own frame for that.  Nothing is
   made up, but for bits of that EXC_RETURN.  The reply is empty by UNKNOWN_EXACT: GDB has no
   frame from Python without an address of its own, which shows in the addresses of its
   variables.

   Where the stack pointer is known, what lies on the stack need not be.  Of a task that waits
   the reply is told then, too, with "stack;" before it: the commands take callers from it where
   GDB would find none.  Of what runs it is empty then, as steps want frames that stay the same.

   On the A and R profile it is told where a handler is under way whose stack lies above that of
   what it interrupted: GDB takes the frames behind for a mistake, and the commands show them.

   The packet names the thread, as GDB has not always selected the one of whose frames it asks.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "calls.h"
#include "dispatch.h"
#include "interrupted.h"
#include "state/effect.h"
#include "tasks.h"
#include "threads.h"

/* The recording is walked for it, at each stop; of longer ones nothing is told.  */
#define STEPS_MOST (UINT64_C (1) << 20)

#define FRAMES_MOST 64

/* r4 to r11.  */
#define SAVED_FIRST 4
#define SAVED_LAST 11

/* Append the registers that are wholly known after STEP: ALL of them, or those that calls leave
   alone.  */
static void
put_known (struct target *t, uint64_t step, bool all, struct tb_buffer *text)
{
  struct tb_value values[TB_NREGS_MAX];
  tb_state_after (t->state, step, values);
  for (unsigned i = 0; i < t->tdesc->count; i++)
    {
      const struct tb_tdesc_slot *slot = &t->tdesc->slots[i];
      bool saved = slot->reg == TB_SP
		   || (slot->reg >= SAVED_FIRST && slot->reg <= SAVED_LAST);
      if (i != t->tdesc->pc && slot->size == 4 && (all || saved)
	  && tb_moment_whole (&values[slot->reg], slot->size))
	tb_buffer_printf (text, ",%s=%" PRIx64, tb_tdesc_find (t->tdesc, slot->gdb)->name,
			  values[slot->reg].bits);
    }
}

/* Append what called the function of LEVELS[AT], and move *PC and *AT on to that.  False: it is
   not known.  */
static bool
put_caller (struct client *c, const struct tb_level *levels, size_t *at, uint64_t *pc,
	    struct tb_buffer *text)
{
  struct target *t = c->target;
  const struct tb_level *own = &levels[*at];
  const struct tb_level *below = *at > 0 ? own - 1 : NULL;
  struct tb_step call;
  if (below != NULL && below->kind == TB_LEVEL_EXCEPTION && *at > 1 && below->step > 0)
    {
      struct tb_event event;
      if (!tb_exception_taken (t->recording, below->step, &event)
	  || event.flags & TB_EXCEPTION_NO_RETURN)
	return false;
      *pc = event.address & ~UINT64_C (1);
      if (!target_profile (t)->is_m || !interrupted_put_entry (c, below->step, text))
	{
	  tb_buffer_printf (text, ",pc=%" PRIx64, *pc);
	  put_known (t, below->step - 1, true, text);
	}
      *at -= 2;
      return true;
    }
  if (below == NULL || own->kind != TB_LEVEL_CALL || below->kind == TB_LEVEL_TASK || own->step == 0
      || tb_recording_read (t->recording, own->step - 1, &call, 1) != 1)
    return false;
  *pc = call.pc + call.size;
  tb_buffer_printf (text, ",pc=%" PRIx64, *pc);
  put_known (t, own->step - 1, false, text);
  (*at)--;
  return true;
}

/* Append all items of what C looks at, whose innermost frame is at PC.  */
static void
put_callers (struct client *c, uint64_t pc, struct tb_buffer *text)
{
  struct calls calls;
  if (!calls_find (c, c->task, &calls) || !calls.found || calls.count == 0)
    {
      free (calls.levels);
      return;
    }
  size_t at = calls.count - 1;
  for (unsigned i = 0; i < FRAMES_MOST; i++)
    {
      struct tb_buffer caller = { 0 };
      uint64_t own = pc, first = calls.levels[at].step;
      bool any = put_caller (c, calls.levels, &at, &pc, &caller);
      tb_buffer_printf (text, "%" PRIx64 ",%" PRIx64, own, first);
      if (any)
	tb_buffer_append (text, caller.data, caller.size);
      tb_buffer_append (text, ";", 1);
      text->failed |= caller.failed;
      tb_buffer_fini (&caller);
      if (!any)
	break;
    }
  free (calls.levels);
}

/* Is what C looks at a task that waits?  */
static bool
waits (struct client *c)
{
  struct tb_task_standing standing;
  if (c->frame >= 0 || c->task == 0)
    return false;
  tasks_stand (c, c->task, &standing);
  return standing.state == TB_TASK_WAITS;
}

/* The same, to C's reply.  GDB asks for each frame.  */
static void
reply_callers (struct client *c)
{
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL || !c->moment_has_pc || c->target->steps == 0
      || c->target->steps > STEPS_MOST || client_policy (c) == UNKNOWN_EXACT)
    return;
  bool is_m = target_profile (c->target)->is_m;
  bool stack = is_m && tb_moment_whole (&moment->values[TB_SP], 4);
  if (is_m ? stack && !waits (c) : !interrupted_below (c))
    return;
  if (!c->callers_valid || c->callers_position != moment->number
      || c->callers_thread.core != c->thread || c->callers_thread.task != c->task)
    {
      tb_buffer_clear (&c->callers);
      put_callers (c, moment->pc, &c->callers);
      c->callers_valid = !c->callers.failed;
      c->callers_position = moment->number;
      c->callers_thread = (struct thread_id) { c->thread, c->task };
    }
  if (c->callers_valid && stack && c->callers.size != 0)
    tb_buffer_printf (&c->reply, "stack;");
  if (c->callers_valid)
    tb_buffer_append (&c->reply, c->callers.data, c->callers.size);
}

static void
callers (struct client *c, const struct packet_args *args)
{
  threads_ask (c, args, reply_callers);
}

const struct packet_handler packets_callers[] = {
  { "qTracebridge.Callers:", "*", callers },
  { NULL, NULL, NULL }
};
