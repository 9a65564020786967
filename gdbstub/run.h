/* Moving through the recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_RUN_H
#define TB_GDBSTUB_RUN_H

#include "client.h"

/* How far to go: one step; steps while the PC is in a range; to a stop.  */
enum run_extent
{
  GO_STEP, GO_RANGE, GO_ON
};

/* Reply that execution stands at the position, by SIGNAL; REASON is "" or of the
   form "NAME:VALUE;".  */
void reply_stop (struct client *client, unsigned signal, const char *reason);

/* The same for the thread that CLIENT looks at, whichever runs.  */
void reply_stand (struct client *client, unsigned signal, const char *reason);

/* Stop CLIENT at POSITION for REASON.  */
void run_stop_at (struct client *client, uint64_t position, const char *reason);

/* If "monitor goto" has moved CLIENT, the motion that is asked for is none: reply where it stands,
   and return true.  */
bool run_moved (struct client *client, bool backward, enum run_extent extent);

/* Append to the reply of a stop that CLIENT's user, who has LLDB, reads DESCRIPTION, which stays
   valid.  */
void reply_description (struct client *client, const char *description);

/* Move CLIENT's position, BACKWARD or forward, and reply where it stands then.  It looks at no
   trace frame, and at the thread that leads.  RANGE is that of GO_RANGE.  ALONE: breakpoints of
   other threads do not stop it.  */
void run_go (struct client *client, bool backward, enum run_extent extent,
	     struct tb_visit_range range, bool alone);

/* The PC at POSITION of TARGET; false: it is not known.  */
bool position_pc (struct target *target, uint64_t position, uint64_t *pc);

/* What is set, for the searches: the PCs of breakpoints, sorted and without
   doubles, into RANGES of at least NBREAKPOINTS entries; returns how many.  */
size_t breakpoint_ranges (const struct client *client,
			  struct tb_visit_range *ranges);

/* CLIENT has run, from PC; STEPPED: one instruction.  Keep in mind what was set, for
   breakpoint_is_new.  GDB takes all away for a step over one, which thus does not count.  */
void breakpoints_ran (struct client *client, uint64_t pc, bool stepped);

/* Was none set at ADDRESS when CLIENT ran before?  GDB's own for "finish" was not.  */
bool breakpoint_is_new (const struct client *client, uint64_t address);

/* Is one of CLIENT's?  */
bool breakpoint_any_new (const struct client *client);

/* The breakpoint that stops execution at POSITION, whose PC is PC; NULL: none.
   *WHY is NULL, or says why it cannot be told whether its condition holds: it
   then stops, too.  */
const struct breakpoint *breakpoint_hit (struct client *client, uint64_t pc,
					 uint64_t position, const char **why);

/* Forget all of CLIENT's.  */
void breakpoints_free (struct client *client);

/* The watchpoints, into WATCHES and WHICH of at least NBREAKPOINTS entries;
   returns how many.  */
size_t watch_ranges (const struct client *client,
		     struct tb_watch_range *watches,
		     const struct breakpoint **which);

#endif /* TB_GDBSTUB_RUN_H */
