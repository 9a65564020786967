/* Working ahead: what GDB will ask for is worked out while it asks for nothing.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_AHEAD_H
#define TB_GDBSTUB_AHEAD_H

#include "target.h"

/* Steps before the end that are worked out ahead unless options say otherwise.  */
#define AHEAD_STEPS WATCHED_STEPS

/* Work for a moment on what TARGET may be asked for: see enum ahead_stage.  A moment
   is AHEAD_MS or what working out a window of the state takes, whichever is longer; but that
   ends, mostly, when QUIET, which is asked each millisecond or so, says no.  True when there
   is more to do.  */
bool target_work_ahead (struct target *target, bool (*quiet) (void *context),
			void *context);

#define AHEAD_MS 20

#endif /* TB_GDBSTUB_AHEAD_H */
