/* The calls and exceptions under way, by the trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_CALLS_H
#define TB_GDBSTUB_CALLS_H

#include "client.h"
#include "recording/levels.h"

struct calls
{
  struct tb_level *levels;	/* The outermost first; to be freed.  */
  size_t count;
  bool found;			/* Else there is no memory, or CLIENT's user interrupted.  */
  bool interrupted;
};

/* Find those where CLIENT looks, of its core, which has steps, or of TASK of that (0: what runs).
   The recording is walked up to there.  False: it is not known what the task does.  */
bool calls_find (struct client *client, unsigned task, struct calls *found);

/* Before which step the call is over that began at FIRST, in LEVELS[AT] of such; it is walked up to
   there.  False: it is not over by a return in the recording, or as CALLS_FIND.  */
bool calls_find_end (struct client *client, size_t at, uint64_t first, uint64_t *over);

#endif /* TB_GDBSTUB_CALLS_H */
