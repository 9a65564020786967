/* Assumptions: what is usual but not certain.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The certain state is worked out to its end first and stays as it is.  With
   assumptions the same steps are solved once more, in a state of their own, with
   the assumed facts added; a query asks the certain state and, for what it does
   not know, the assumed one.  Nothing can flow back.  */

#ifndef TB_STATE_ASSUME_ASSUME_H
#define TB_STATE_ASSUME_ASSUME_H

#include "state/window/internal.h"

/* Solve once more with the assumptions of CERTAIN's options, into
   CERTAIN->assumed; what disproves them is reported.  HOME: the last window.  False:
   no memory.  */
bool tb_state_assume (struct tb_state *certain, struct tb_state *home,
		      struct tb_diag *diag);

/* Find the calls of the window that return in it.  STATE must have been built.
   False: no memory.  */
bool tb_assume_find_calls (struct tb_state *state);

/* Is it news for the user of CERTAIN that WHAT (see there: TOLD) was disproved?  */
bool tb_assume_is_news (struct tb_state *certain, uint64_t what);

#endif /* TB_STATE_ASSUME_ASSUME_H */
