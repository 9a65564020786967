/* Where calls begin and end that GDB would miss.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MISSED_H
#define TB_GDBSTUB_MISSED_H

#include "client.h"

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

#endif /* TB_GDBSTUB_MISSED_H */
