/* Inside of explanations: chains of values through a graph.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The graph keeps for each value by what it became wholly known, and in which order
   values did; which step made it is found by its number, as numbers are given in the
   order of the steps.  */

#ifndef TB_STATE_EXPLAIN_WHY_CHAIN_H
#define TB_STATE_EXPLAIN_WHY_CHAIN_H

#include "state/explain/why.h"
#include "state/window/internal.h"

struct tb_why_chain
{
  struct tb_state *window;
  /* Where the names of the window have the one that is asked for (or the first of several
     in a row); NULL: nowhere.  A constant has no number that tells which step made it.  */
  const tb_vid *place;
  struct tb_why *items;
  tb_vid *ids;			/* Of the items' values; 0: of memory.  */
  size_t count, capacity;
};

/* Explain value ID, of which STEP asks.  */
void tb_why_value (struct tb_why_chain *chain, tb_vid id, uint64_t step);

/* Explain a value that follows from the COUNT values IDS, KNOWN if VALUE is
   it.  */
void tb_why_values (struct tb_why_chain *chain, const tb_vid *ids,
		    unsigned count, uint64_t step, bool known, uint64_t value);

/* Explain SIZE bytes of memory at ADDRESS before access TIME of EPOCH.  */
void tb_why_bytes (struct tb_why_chain *chain, uint64_t address, unsigned size,
		   uint64_t step, uint32_t time, uint32_t epoch);

#endif /* TB_STATE_EXPLAIN_WHY_CHAIN_H */
