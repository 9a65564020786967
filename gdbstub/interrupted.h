/* Which exceptions were under way at each step of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_INTERRUPTED_H
#define TB_GDBSTUB_INTERRUPTED_H

/* Found when a client first asks (qTracebridge.Interrupted), by one walk over the
   recording.  */
struct interruptions;

/* ALL may be NULL.  */
void interruptions_free (struct interruptions *all);

#endif /* TB_GDBSTUB_INTERRUPTED_H */
