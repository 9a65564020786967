/* Which values of registers matter: those that are read later.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_ANSWER_LIVE_H
#define TB_STATE_ANSWER_LIVE_H

#include "state/effect.h"

/* The registers whose values are live before steps of a state: read later before
   they are written, or still there at the end of the trace, at a gap or before an
   instruction that is not understood.  A few bytes a window, and 8 a step of one
   window.  */
struct tb_live;

/* For the steps from BEGIN on; STATE is borrowed.  It works out all windows from BEGIN
   to the end of the trace.  Free with tb_live_free.  NULL: no memory.  */
struct tb_live *tb_live_new (struct tb_state *state, uint64_t begin);
void tb_live_free (struct tb_live *live);

/* Let *SET be those before STEP, from BEGIN on; cheap if one step is asked for after
   the other.  False: it is not known which instructions ran (a log), or there is no
   memory, which tb_live_no_memory tells.  */
bool tb_live_before (struct tb_live *live, uint64_t step, uint64_t *set);
bool tb_live_no_memory (const struct tb_live *live);

#endif /* TB_STATE_ANSWER_LIVE_H */
