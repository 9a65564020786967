/* Export: a reconstructed recording as a GDB trace file, or in CTF.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_EXPORT_H
#define TB_FRAME_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "frame/choose.h"
#include "frame/collect.h"
#include "frame/kept.h"
#include "recording/recording.h"
#include "state/state.h"
#include "util/diag.h"
#include "util/status.h"

struct tb_export_options
{
  enum tb_export_form form;
  struct tb_choose_options choose;
  struct tb_collect_options collect;
  const char *notes;		/* For tstatus: where the trace is from; may be
				   NULL.  */
  /* Called now and then; false makes the export stop.  May be NULL.  */
  bool (*progress) (void *context, uint64_t done, uint64_t all);
  void *context;
  const struct tb_tdesc *tdesc;	/* Of the core: what GDB is told of registers.  */
  uint64_t start, stop;		/* For tstatus, in microseconds; 0: not known.  */
};

#define TB_EXPORT_DEFAULTS \
  { TB_EXPORT_TFILE, TB_CHOOSE_DEFAULTS, TB_COLLECT_DEFAULTS, NULL, NULL, NULL, \
    NULL, 0, 0 }

/* What the file has and has not.  */
struct tb_export_summary
{
  uint64_t steps;		/* In the recording.  */
  uint64_t begin, end;		/* The moments chosen: BEGIN to END - 1.  */
  uint64_t frames;		/* Written.  */
  uint64_t masked;		/* Of these, with poison in unknown registers. */
  uint64_t bare;		/* Of these, without registers.  */
  uint64_t skipped;		/* Chosen, but left out: unknown registers.  */
  uint64_t crowded;		/* Chosen, but left out: bare, at more PCs than
				   GDB takes tracepoints.  */
  uint64_t bytes;		/* Of the file's frames.  */
  unsigned tracepoints;
  bool tfind_pc;		/* A tracepoint a PC and frames of one size: GDB's
				   tfind pc, range and line work (after a first
				   "tfind 0").  */
  size_t moved;			/* Tracepoints that GDB may move: moved.h.  */
  bool end_state;		/* The last frame is the state at the end of the
				   trace.  */
};

/* Write the trace file PATH ("-": standard output; in CTF it is a folder).  What
   was left out is for the caller to tell from SUMMARY.  An error, after a
   diagnostic: there would be no frame at all.  */
enum tb_status tb_export_tracefile (struct tb_state *state,
				    struct tb_recording *recording,
				    const struct tb_export_options *options,
				    const char *path,
				    struct tb_export_summary *summary,
				    struct tb_diag *diag);

#endif /* TB_FRAME_EXPORT_H */
