/* Cores at one moment.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The steps of all recordings that have the same clock have one order, by what
   recording/stamps.h estimates, and of those at once the lower thread's is the first.  A
   moment is a place in that order: the one before the step that one thread, which leads,
   stands before.  So each core stands where those before that moment have run and no
   others.  A core of which no time is known moves only when it leads.  */

#ifndef TB_GDBSTUB_TOGETHER_H
#define TB_GDBSTUB_TOGETHER_H

#include "motion.h"

/* Move M, whose client has several cores, and all that are tied to the one that it looks
   at; reply where that or another one stops first.  ALONE: the others do not stop it.  */
void together_go (struct motion *m, bool alone);

/* CLIENT's execution was moved on the thread that it looks at: take the others there.  */
void together_follow (struct client *client);

/* Take all to the beginning of their recordings, or to the END.  */
void together_begin (struct client *client, bool end);

/* Is it known when thread NUMBER ran its steps?  Then: the time at which it ran STEP, and
   how many steps of all such threads were made before that.  */
bool together_tied (const struct client *client, size_t number);
double together_time (const struct client *client, size_t number, uint64_t step);
uint64_t together_rank (const struct client *client, size_t number, uint64_t step);

/* Append where thread NUMBER stands: its step and how sure that is.  */
void together_put_place (struct client *client, size_t number,
			 struct tb_buffer *text);

#endif /* TB_GDBSTUB_TOGETHER_H */
