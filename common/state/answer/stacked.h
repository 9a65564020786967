/* What exceptions put on the stack.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_ANSWER_STACKED_H
#define TB_STATE_ANSWER_STACKED_H

#include "state/state.h"

/* The stores that exceptions taken before STEP, behind the step before it, make by
   themselves, in order; returns how many there are, at most CAPACITY stored.  Only
   cores of the M profile make any.  */
size_t tb_state_stacked (struct tb_state *state, uint64_t step,
			 struct tb_access_info *accesses, size_t capacity);

#endif /* TB_STATE_ANSWER_STACKED_H */
