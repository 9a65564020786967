/* Which of the stores whose address is not known has likely been to a place.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A guess for who looks for the store that is to blame, and no knowledge: nothing that is
   shown as known rests on it.  Two kinds are likely: a store into an array, whose address is
   for certain one of a few around the place; and one through a pointer in memory, which at a
   later step is known to point where this store would have hit the place.  */

#ifndef TB_STATE_ANSWER_LIKELY_H
#define TB_STATE_ANSWER_LIKELY_H

#include <stdbool.h>
#include <stdint.h>

#include "state/state.h"

struct tb_likely
{
  uint64_t step;
  /* Through the pointer in memory at POINTER; otherwise to a byte from LOW to HIGH, and
     those behind.  */
  bool through;
  uint64_t pointer, low, high;
};

/* How many steps are looked at.  */
#define TB_LIKELY_MOST (UINT64_C (1) << 19)

/* Find in *LIKELY the last store before step FROM, not before step BEGIN, that has likely
   been to one of the LENGTH bytes at ADDRESS, and left there what they hold at FROM, as far
   as that is known.  False: there is none.  */
bool tb_likely_store (struct tb_state *state, uint64_t address, uint64_t length,
		      uint64_t from, uint64_t begin, struct tb_likely *likely);

#endif /* TB_STATE_ANSWER_LIKELY_H */
