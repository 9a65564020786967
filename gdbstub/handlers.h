/* Steps over handlers of exceptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_HANDLERS_H
#define TB_GDBSTUB_HANDLERS_H

#include "client.h"

/* Handlers that a step passes over, if nothing stops it there.  */
struct handlers_passed
{
  bool any;
  uint64_t first, over;		/* They begin at step FIRST; what they interrupted went on
				   at OVER.  */
  bool others;			/* Other tasks ran in between.  */
};

/* CLIENT stands at FROM, and a step that is made, or BACKWARD unmade, leads to POSITION.
   Where handlers of exceptions that were taken, or backward were over, in between pass
   until what they interrupted goes on: that position, and *PASSED tells of them if it told of
   none; else POSITION.  The same if the client wants steps to stop in handlers.

   Where a handler switches between the tasks of a kernel, that is where the same task goes on;
   if the recording does not tell this for certain, *OTHER is true, and the position is where
   another task does (backward: did last).  */
uint64_t handlers_pass (struct client *client, uint64_t from, bool backward,
			uint64_t position, bool *other, struct handlers_passed *passed);

/* A step, or BACKWARD one that is unmade, has led CLIENT to POSITION.  If that is over those
   PASSED, say once that steps do this.  */
void handlers_tell_passed (struct client *client, const struct handlers_passed *passed,
			   bool backward, uint64_t position);

/* Tell CLIENT that a step from FROM ends at POSITION, in another task.  */
void handlers_tell_other (struct client *client, uint64_t from, uint64_t position);

/* Why the stub ends "finish" of a handler.  */
enum handler_over
{
  HANDLER_NOT_OVER,		/* It does not.  */
  HANDLER_ELSEWHERE,		/* What was interrupted goes on elsewhere: one of a fault, which has
				   mended something.  */
  HANDLER_WITHOUT_SP,		/* The stack pointer is not known in it, or where it returns to.  */
  HANDLER_GUESSED		/* GDB took something else for its caller.  */
};

/* Of the exceptions under way where CLIENT stands: one whose handler GDB finishes by one of the
   COUNT sorted PCs BREAKS, and would miss that.  *POSITION: where it is over.

   GDB finishes a handler by a breakpoint at what was interrupted, in the frame that it had, which
   it knows by its stack pointer.  Of the A and R profile it takes LR, or what lies on the stack,
   for that where its backtraces do not ask what was interrupted.  */
enum handler_over handlers_elsewhere (struct client *client,
				      const struct tb_visit_range *breaks, size_t count,
				      uint64_t *position);

/* CLIENT is to go on.  Note if GDB finishes a handler: the outermost function of one runs, and a
   breakpoint that was set after the last run is at what it interrupted.  */
void handlers_finish (struct client *client);

/* CLIENT has come to the end of the recording: tell why, if GDB finishes a handler.  */
void handlers_tell_end (struct client *client);

#endif /* TB_GDBSTUB_HANDLERS_H */
