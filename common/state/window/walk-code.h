/* What a step does to names and numbers, found out once.  See walk.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_WALK_CODE_H
#define TB_STATE_WINDOW_WALK_CODE_H

#include "state/window/builder.h"

/* One instruction with one outcome, and one set of flags that are read later.  */
struct tb_walk_code
{
  uint32_t next;		/* The next one of the template + 1, or 0.  */
  uint8_t bits;			/* Of the step's info.  */
  uint8_t visits;		/* So often it was met before it was found out. */
  bool found;			/* What is below is.  */
  bool simple;			/* The same, whatever the names.  */
  uint8_t c, v;			/* What the rules of C and V are now.  */
  uint8_t needs;		/* Flags N Z C V, bits 0 .. 3, that must have a
				   name.  */
  bool forgets;			/* The condition of an IT block.  */
  bool computes;		/* Its numbers can be computed by OP.  */
  bool skips;			/* It is done if the trace says so.  */
  struct tb_walk_moves moves;
  uint32_t values, accesses;	/* Numbers that are given.  */
  uint32_t op;
  uint32_t reads, writes;	/* Slots.  */
  uint32_t may_write;		/* If the outcome were another one, too.  */
};

/* What step I does; NULL: it must be named anew.  */
const struct tb_walk_code *tb_walk_code (struct tb_state *state, uint64_t i);

/* Do it to NAMES.  */
void tb_walk_name (const struct tb_walk *walk,
		   const struct tb_walk_code *code, struct tb_names *names);

#endif /* TB_STATE_WINDOW_WALK_CODE_H */
