/* The run that is there when a client connects.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Its one tracepoint, at the first PC, has a frame at every position.  */

#ifndef TB_GDBSTUB_TRACING_H
#define TB_GDBSTUB_TRACING_H

#define RUN_TRACEPOINT 1

#endif /* TB_GDBSTUB_TRACING_H */
