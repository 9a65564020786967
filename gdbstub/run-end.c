/* Where a motion comes to an end of the recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Stop Reply Packets"; details as GDB 13.1 needs them:
   - At an end of the recording the reason is "replaylog".  After a step over a
     breakpoint (which GDB leaves out where execution stands) or a watchpoint, GDB 13
     does not notice then that the step is over, and the next command hangs, quit
     too.  GDB makes such a step as one of an instruction, never as one of a range.  So
     the first one of an instruction ends as any other, with the text of the reason; if GDB
     makes another one by itself, as for "next", the reason ends that.  Where a breakpoint
     or a watchpoint is known to be stepped over, the end is signal 0, which GDB shows as
     "stopped", and front ends as an exception of the program.
   - Of an end GDB 13 tells front ends no reason; they know none, or "no-history" of later ones,
     and show that as an exception, too (MIEngine, DebuggedProcess.cs).  What they all show as
     a pause is SIGINT.
   - LLDB 14 does not know that reason, and goes on stepping for ever where a step does
     not move, but for a signal that stops.  */

#include "config.h"
#include "run.h"

#include "handlers.h"
#include "motion.h"

#define SIGNAL_NONE 0
#define SIGNAL_INTERRUPT 2
#define SIGNAL_TRAP 5

/* Is a step of C from here one over a watchpoint?  */
static bool
steps_over_watch (const struct client *c)
{
  return c->watch_stop && !c->watch_backward && c->watch_position == c->position;
}

/* May this step at the end be one over a breakpoint or watchpoint?  GDB does not tell,
   but makes no step over a breakpoint where one is inserted.  */
static bool
may_step_over (struct motion *m)
{
  struct client *c = m->client;
  const struct tb_moment *moment = client_moment (c);
  if (m->backward || m->extent != GO_STEP || moment == NULL)
    return false;
  if (steps_over_watch (c))
    return true;
  for (size_t i = 0; i < m->nbreaks; i++)
    if (m->breaks[i].first == moment->pc)
      return false;
  return !c->end_stepped;
}

void
motion_stop_at_end (struct motion *m)
{
  struct client *c = m->client;
  if (!c->is_lldb && may_step_over (m))
    {
      const struct tb_moment *moment = client_moment (c);
      bool over = steps_over_watch (c)
		  || (moment != NULL && !breakpoint_is_new (c, moment->pc));
      client_console (c, "No more reverse-execution history.\n");
      c->end_stepped = !over;
      c->position = c->target->last;
      if (over)
	reply_stop (c, SIGNAL_NONE, "");
      else
	run_stop_at (c, c->position, "");
      return;
    }
  c->end_stepped = false;
  if (m->anew && m->extent == GO_ON && !m->backward)
    motion_tell_never (m);
  else if (m->waited != 0 && !m->backward && breakpoint_any_new (c))
    client_console (c, "Task %u does not go on before the end of the recording.\n", m->waited);
  else if (m->extent == GO_ON && !m->backward)
    handlers_tell_end (c);
  c->position = m->backward ? 0 : c->target->last;
  if (c->has_front_end)
    {
      client_console (c, "No more reverse-execution history.\n");
      reply_stop (c, SIGNAL_NONE, "");
      return;
    }
  reply_stop (c, c->is_lldb ? SIGNAL_INTERRUPT : SIGNAL_TRAP,
	      m->backward ? "replaylog:begin;" : "replaylog:end;");
  if (c->is_lldb)
    reply_description (c, m->backward ? "beginning of the recording" : "end of the recording");
}
