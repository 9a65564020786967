/* Slices of tasks: where one is left, and goes on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_SLICES_H
#define TB_GDBSTUB_SLICES_H

#include "client.h"
#include "recording/open-exceptions.h"
#include "recording/task-standing.h"

/* Pass on from POSITION over handlers in ALL that were taken after FROM, or backward were over
   up to there, until what they interrupted goes on, and return where that is; LAST is the last
   position.  *FIRST, *OVER: the steps of one of them, if there is one.  */
uint64_t slices_pass_handlers (const struct tb_open_exceptions *all, uint64_t last,
			       uint64_t from, bool backward, uint64_t position,
			       uint64_t *first, uint64_t *over);

/* Where CLIENT stands at FROM, a task runs that a step to POSITION may leave because an
   exception switches to another one.  Return where the same task goes on, or backward was left;
   if the recording does not tell that, or the client follows the core, where the other one does,
   and *OTHER is true.  */
uint64_t slices_pass (struct client *client, const struct tb_open_exceptions *all,
		      uint64_t from, bool backward, uint64_t position, bool *other);

/* Put the last step that the task of SLICE, which goes on behind it, but not before POSITION, made
   there of its own into *LEFT.  False: the recording shows none, as handlers interrupted it
   before it made one, or the recording begins with the one that did.  */
bool slices_left (const struct tb_open_exceptions *all, const struct tb_task_slice *slice,
		  uint64_t position, uint64_t *left);

/* The position from which on a task of TARGET that does not run at POSITION, and so STANDING,
   makes its next step.  False: the recording does not tell for certain.  */
bool slices_next (struct target *target, const struct tb_open_exceptions *all,
		  const struct tb_task_standing *standing, uint64_t position,
		  uint64_t *next);

#endif /* TB_GDBSTUB_SLICES_H */
