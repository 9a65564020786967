/* Dumps for developers: the micro-operations of steps, and the values that they made.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_DUMP_H
#define TB_STATE_EXPLAIN_DUMP_H

#include "state/state.h"
#include "util/buffer.h"

/* What is shown of a step, a bit each.  */
enum
{
  TB_DUMP_IR = 1,		/* Its micro-operations.  */
  /* The values that it made (single assignment): the node that made each, what is known
     of it and by what; and its accesses.  */
  TB_DUMP_GRAPH = 2
};

/* Append lines on what STATE has of STEP, WHAT of it; those of the window that it is in
   come before its first step.  Lines are for people: they change with the solver.  The
   first call works the steps out once more.  False: no memory.  */
bool tb_dump_step (struct tb_buffer *text, struct tb_state *state, uint64_t step,
		   unsigned what);

#endif /* TB_STATE_EXPLAIN_DUMP_H */
