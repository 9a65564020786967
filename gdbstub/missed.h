/* Where calls begin and end that GDB would miss.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MISSED_H
#define TB_GDBSTUB_MISSED_H

#include "client.h"

/* Why the stub ends a command of GDB: the function has returned; an exception came in place of its
   first instruction, or that has an odd address in the program; a handler began in the middle of
   it.  */
enum missed
{
  MISSED_NOTHING, MISSED_RETURN, MISSED_FAULT, MISSED_ODD, MISSED_VECTOR
};

/* Of the calls under way where CLIENT stands: one that returns to one of the COUNT sorted PCs
   BREAKS, while the stack pointer is not known here, but there.  GDB finishes a function by a
   breakpoint where it returns to, in the frame that it had, which it knows by its stack pointer or
   by what qTracebridge.Callers tells.  *POSITION: where it has returned.  False: there is none.  */
bool missed_return (struct client *client, const struct tb_visit_range *breaks,
		    size_t count, uint64_t *position);

/* Of the same calls: one of a function that begins at one of BREAKS, but an exception came in
   place of its first instruction, and its handler went on behind that (as one of a fault that has
   mended something).  Backward GDB goes out of a function by a breakpoint there.  *POSITION: the
   call.  */
bool missed_entry (struct client *client, const struct tb_visit_range *breaks,
		   size_t count, uint64_t *position);

/* Of the exceptions under way: one whose handler began in the function that runs here, but not at
   its first instruction, where one of BREAKS is: all vectors may lie in one function, and GDB goes
   out of it backward by a breakpoint there.  *POSITION: the last one of what was interrupted.  */
bool missed_vector (struct client *client, const struct tb_visit_range *breaks,
		    size_t count, uint64_t *position);

#endif /* TB_GDBSTUB_MISSED_H */
