/* Trials of stores of unknown address: could they have hit what is read?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_MEMORY_HITS_H
#define TB_STATE_MEMORY_HITS_H

#include "state/memory/memory.h"

/* Nodes that these trials may look at.  */
struct tb_hit_budget
{
  size_t visits;		/* In all.  */
  size_t first;			/* Before any suspect turns out to be none.  */
};

/* Try what follows if suspects that are in the way of loads, or of what is known of the end,
   hit what these read: where that cannot be, they are none.  BUDGET, which is reduced by what
   is spent, follows what comes of it; *LEARNED: a load has its source now.  False without
   memory.  */
bool tb_memory_try_hits (struct tb_memory *memory, struct tb_hit_budget *budget,
			 bool *learned);

#endif /* TB_STATE_MEMORY_HITS_H */
