/* What the project's commands for GDB ask in the middle of what GDB does: qXfer:statictrace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_LEARNED_H
#define TB_GDBSTUB_LEARNED_H

#include <stdbool.h>

struct client;
struct tb_buffer;

/* Append to TEXT what CLIENT's GDB may ask where it looks: six lines, the word "tracebridge", the
   answers to qTracebridge.Interrupted and to qTracebridge.Callers of the thread that is selected,
   "ADDRESS,LENGTH," with the answer to qTracebridge.Known of the memory that was read last, and
   the number of the trace frame of this moment of the thread, if there is one, and why memory was
   not written or read, if that was not told yet.  */
bool make_learned (struct client *client, struct tb_buffer *text);

/* Where CLIENT is about to move: tell a GDB that has not asked for that what it lacks without the
   project's commands: of the A and R profile at once, of the M profile in a handler whose stack
   pointer is not known.  Once.  */
void learned_tell (struct client *client);

#endif /* TB_GDBSTUB_LEARNED_H */
