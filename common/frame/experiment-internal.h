/* A run of tracepoints over a recording (private to frame/experiment-run.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_EXPERIMENT_INTERNAL_H
#define TB_FRAME_EXPERIMENT_INTERNAL_H

#include "frame/experiment.h"

struct point
{
  uint64_t address;
  size_t place;			/* In the set.  */
  bool listed;
  size_t next;			/* LISTED: of its moments.  */
};

struct experiment_run
{
  struct tb_experiment *e;
  const struct tb_experiment_input *in;
  uint64_t steps;		/* In the recording.  */
  uint64_t end;			/* Behind the last moment.  */
  /* Of those that take part: the first NPLACED by address, then those that are
     listed.  */
  struct point *points;
  size_t npoints, nplaced;
  struct tb_visit_range *ranges;	/* Their addresses.  */
  size_t nranges;
  uint64_t *left;		/* By place: frames of steps still to make.  */
  size_t nstepping;		/* How many have some.  */
  size_t *cost[2];		/* By STEPPING and place: bytes of a frame.  */
  bool *sets;			/* By place: its actions set variables.  */
  bool passed;			/* No more hits, only steps.  */
  bool values_changed;		/* Since the last frame.  */
  uint64_t polled;
};

/* Find out where the tracepoints of RUN's experiment are and what their frames cost;
   E, IN and STEPS are set.  False: no memory; call tb_run_fini in any case.  */
bool tb_run_init (struct experiment_run *run);
void tb_run_fini (struct experiment_run *run);

#endif /* TB_FRAME_EXPERIMENT_INTERNAL_H */
