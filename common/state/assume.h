/* Assumptions: what is usual but not certain.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The certain state is worked out to its end first and stays as it is.  With
   assumptions the same steps are solved once more, in a state of their own, with
   the assumed facts added; a query asks the certain state and, for what it does
   not know, the assumed one.  Nothing can flow back.  */

#ifndef TB_STATE_ASSUME_H
#define TB_STATE_ASSUME_H

#include "state/internal.h"

/* r4 to r11 and SP: what a function gives back to its caller (AAPCS32, 6.1.1
   "Core registers").  */
#define TB_KEPT 9

/* A call and its return, or an exception's entry and return.  */
struct tb_assumed_pair
{
  uint64_t from, to;		/* Steps of the window: the call; the step that
				   it returned to.  */
  tb_vid before[TB_KEPT], after[TB_KEPT];	/* 0: no name.  */
  bool disproved;
};

/* Find the calls of the window that return in it, in the order of their
   returns.  STATE must have been built.  False: no memory.  */
bool tb_assume_find_calls (struct tb_state *state);

/* State that the first COUNT pairs, those disproved left out, kept their
   registers.  */
void tb_assume_calls (struct tb_state *state, size_t count);

#endif /* TB_STATE_ASSUME_H */
