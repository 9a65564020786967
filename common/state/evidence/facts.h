/* What is assumed of the values of a window.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Found by the assumptions (assume.c, constants-claims.c) and stated, in an order
   that allows to leave out the last ones, before the window is solved.  */

#ifndef TB_STATE_EVIDENCE_FACTS_H
#define TB_STATE_EVIDENCE_FACTS_H

#include "state/assume/calls.h"

/* A value that a register is assumed to hold.  */
struct tb_assumed_constant
{
  tb_vid name;
  tb_vid base;			/* 0, or VALUE is the difference to this.  */
  bool disproved;
  uint64_t value;
  uint64_t function;		/* Address of its entry.  */
  uint64_t step;		/* Of the window: the first one.  */
};

struct tb_facts
{
  struct tb_pairs pairs;	/* Tasks and calls that keep registers.  */
  size_t ntasks;		/* So many are of tasks: the first ones.  */
  struct tb_assumed_constant *constants;
  size_t nconstants, constants_room;
  struct tb_left_open *open;	/* Where the window ends.  */
  size_t nopen;
  /* One that another window has a part in was disproved.  */
  bool disproved_outside;
  /* The nodes that say what tasks keep, and behind them those of calls and of
     constants.  */
  size_t task_nodes, kept_nodes, kept_nodes_end, constant_nodes_end;
};

/* State the first PAIRS calls and CONSTANTS constants, those disproved left
   out.  */
void tb_facts_state (struct tb_facts *facts, struct tb_graph *graph,
		     size_t pairs, size_t constants);

#endif /* TB_STATE_EVIDENCE_FACTS_H */
