/* A motion: execution on its way to where it stops next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MOTION_H
#define TB_GDBSTUB_MOTION_H

#include "run.h"

struct motion
{
  struct client *client;
  bool backward;
  enum run_extent extent;
  struct tb_visit_range range;	/* GO_RANGE  */
  bool elsewhere;		/* See handlers_elsewhere.  */
  bool other;			/* A step ends in another task; see handlers_pass.  */
  /* How far the search has come that is under way; NULL: there was none.  */
  uint64_t (*reached) (const struct motion *motion);
  uint64_t told;		/* When that was last told, in ms.  */
  /* What is set.  */
  struct tb_visit_range *breaks;
  struct tb_watch_range *watches;
  const struct breakpoint **which;
  size_t nbreaks, nwatches;
};

/* Find the position where M stops but for watchpoints; TB_SEARCH_NONE when that is not
   before the end.  */
enum tb_search motion_find_stop (struct motion *m, uint64_t *position);

/* Does a breakpoint of CLIENT stop execution at POSITION, where there is one?  */
bool motion_stops_here (struct client *client, uint64_t position);

/* For long searches, as tb_visits_set_poll takes it; CONTEXT is the motion.  They tell now
   and then how far they are.  */
bool motion_go_on (void *context);

#endif /* TB_GDBSTUB_MOTION_H */
