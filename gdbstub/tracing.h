/* The state of the trace run, and its frames' bytes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The run that is there when a client connects has a frame at every position.  GDB
   is told of no tracepoint for it: it would take one of the numbers that its user's
   breakpoints have in scripts.  */

#ifndef TB_GDBSTUB_TRACING_H
#define TB_GDBSTUB_TRACING_H

#include "client.h"

/* The tracepoint that its frames tell, unless GDB has one of that number.  */
#define RUN_TRACEPOINT 1

/* The state variables that CLIENT can ask for: the number of the next from *AT on
   (counted from 0), its name, its initial value, and whether it has a value at
   the moment that CLIENT looks at.  */
struct trace_variable
{
  unsigned number;
  const char *name;
  int64_t initial, value;
  bool has_value;
};
bool next_variable (struct client *client, size_t *at,
		    struct trace_variable *variable);

#endif /* TB_GDBSTUB_TRACING_H */
