/* What the exceptions under way have interrupted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_INTERRUPTED_H
#define TB_GDBSTUB_INTERRUPTED_H

#include "recording/open-exceptions.h"

struct client;
struct tb_buffer;

/* Those of the target of CLIENT, which waits for them when they are first asked for.
   NULL: it did not want to, or there is no memory.  */
const struct tb_open_exceptions *interrupted_find (struct client *client);

/* Does the stack of a handler that is under way where CLIENT stands lie above that of what it
   interrupted, as far as both are known?  */
bool interrupted_below (struct client *client);

/* Append to TEXT, a line for each exception, which registers of what it interrupted GDB
   was told with bits made up by CLIENT's policy, at its moment.  */
void interrupted_made_up (struct client *client, struct tb_buffer *text);

/* Append ",pc=EXC_RETURN" and then the registers with which a handler of the M profile began, as
   CLIENT sees them at its first step, FIRST.  False: EXC_RETURN or the stack pointer is not known
   there, and nothing is appended.  */
bool interrupted_put_entry (const struct client *client, uint64_t first,
			    struct tb_buffer *text);

#endif /* TB_GDBSTUB_INTERRUPTED_H */
