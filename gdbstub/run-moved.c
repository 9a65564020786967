/* The first motion behind "monitor goto", which tells GDB where execution stands.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "run.h"

#include "together.h"

#define SIGNAL_NONE 0
#define SIGNAL_INTERRUPT 2
#define SIGNAL_TRAP 5

/* Is the "stepi" that the commands for GDB make behind "monitor goto", of task STEPPED, a step to
   GDB where C stands now?  It is one of that thread, to where no breakpoint would count it.  What
   is no step IDEs take for an exception of the program.  */
static bool
is_made_step (struct client *c, enum run_extent extent, bool backward, unsigned stepped)
{
  uint64_t pc;
  if (!c->refreshes || extent != GO_STEP || backward || c->task != stepped
      || !position_pc (c->target, c->position, &pc))
    return false;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if ((c->breakpoints[i].kind == BREAK_SOFTWARE || c->breakpoints[i].kind == BREAK_HARDWARE)
	&& (c->breakpoints[i].address | 1) == (pc | 1))
      return false;
  return true;
}

/* "monitor goto" of LLDB has said where C goes.  */
static void
go_there (struct client *c)
{
  c->goes = c->watch_stop = false;
  c->position = c->goes_to;
  if (c->goes_to_bound)
    together_begin (c, c->position != 0);
  else
    together_follow (c);
}

bool
run_moved (struct client *c, bool backward, enum run_extent extent)
{
  if (!c->moved)
    return false;
  if (c->goes)
    go_there (c);
  if (!c->refreshes)
    client_console (c, "Execution stands where \"monitor goto\" has moved it; it has made no "
		    "step.\n");
  /* LLDB does not hear of another thread than the one that it steps.  */
  if (c->is_lldb)
    reply_stand (c, SIGNAL_INTERRUPT, "");
  else
    {
      unsigned stepped = c->task;
      reply_stop (c, SIGNAL_NONE, "");
      if (is_made_step (c, extent, backward, stepped))
	reply_stand (c, SIGNAL_TRAP, "");
    }
  breakpoints_ran (c, 0, false);
  return true;
}
