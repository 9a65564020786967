/* The trace run of a target, where GDB made one ("tstart").

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_EXPERIMENT_H
#define TB_GDBSTUB_EXPERIMENT_H

#include "client.h"
#include "frame/experiment.h"

struct experiment
{
  struct tb_experiment trace;
  bool started;
  bool stopped;			/* By QTStop, since it was started.  */
  bool stale;			/* Definitions changed since it was run.  */
  bool fixed;			/* Its frames are a trace file's: nothing runs again.  */
  bool keep;			/* When the client leaves.  */
  char *user, *notes, *stop_notes;	/* Free texts; NULL: none.  */
};

/* Does X go on until GDB stops it?  The recording was looked through when it
   started; but a user who types "tstop" is to find something to stop, as on a
   target that runs.  A run that ended for a reason of its own does not go on.  */
bool experiment_runs (const struct experiment *x);

/* Let TARGET, whose input is a trace file, have the run that it is of: its tracepoints and
   frames.  What cannot be had is a warning; then each frame is of one tracepoint.  */
void experiment_from_file (struct target *target);

/* Forget the run of TARGET, if it has one.  */
void experiment_free (struct target *target);

/* The run that CLIENT looks at, brought up to date; NULL: the preloaded one, where
   every position is a frame.  */
const struct tb_experiment *experiment_of (struct client *client);

/* Say on CLIENT's console what its user should know of the run E before looking at the frames.  */
void experiment_tell (struct client *client, const struct tb_experiment *e);

/* CLIENT has left.  */
void experiment_left (struct target *target);

/* The recording is another one now: run it again when it is asked for.  */
void experiment_outdated (struct target *target);

/* The number of trace frames that there are for CLIENT.  */
uint64_t experiment_frames (struct client *client);

/* The frame that CLIENT looks at; NULL: none, or the run is the preloaded one.  */
const struct tb_trace_frame *experiment_frame (const struct client *client);

#endif /* TB_GDBSTUB_EXPERIMENT_H */
