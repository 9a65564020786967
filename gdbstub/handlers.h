/* Steps over handlers of exceptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_HANDLERS_H
#define TB_GDBSTUB_HANDLERS_H

#include "client.h"

/* CLIENT stands at FROM, and a step that is made, or BACKWARD unmade, leads to POSITION.
   Where handlers of exceptions that were taken, or backward were over, in between pass
   until what they interrupted goes on: that position; else POSITION.  The same if the
   client wants steps to stop in handlers.

   Where a handler switches between the tasks of a kernel, that is where the same task goes on;
   if the recording does not tell this for certain, *OTHER is true, and the position is where
   another task does (backward: did last).  */
uint64_t handlers_pass (struct client *client, uint64_t from, bool backward,
			uint64_t position, bool *other);

/* Tell CLIENT of that: a step from FROM ends at POSITION, in another task.  */
void handlers_tell_other (struct client *client, uint64_t from, uint64_t position);

/* Of the exceptions under way where CLIENT stands: a handler that returns to elsewhere
   than where it interrupted (one of a fault that has mended something), where one of the
   COUNT sorted PCs BREAKS is; or one that returns there (*THERE), but the stack pointer is not
   known in it or there.  *POSITION: where that is over.  False: there is none.

   GDB finishes a handler by a breakpoint at what was interrupted, in the frame that it had,
   which it knows by its stack pointer, and would miss it.  */
bool handlers_elsewhere (struct client *client, const struct tb_visit_range *breaks,
			 size_t count, uint64_t *position, bool *there);

#endif /* TB_GDBSTUB_HANDLERS_H */
