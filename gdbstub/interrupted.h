/* Which exceptions were under way at each step of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_INTERRUPTED_H
#define TB_GDBSTUB_INTERRUPTED_H

/* Found when a client first asks (qTracebridge.Interrupted), by one walk over the
   recording.  */
struct interruptions;

struct client;
struct tb_buffer;

/* Append to TEXT, a line for each exception, which registers of what it interrupted GDB
   was told with bits made up by CLIENT's policy, at its moment.  */
void interrupted_made_up (struct client *client, struct tb_buffer *text);

/* ALL may be NULL.  */
void interruptions_free (struct interruptions *all);

#endif /* TB_GDBSTUB_INTERRUPTED_H */
