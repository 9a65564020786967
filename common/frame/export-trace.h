/* Export of the frames of tracepoints as a GDB trace file.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_EXPORT_TRACE_H
#define TB_FRAME_EXPORT_TRACE_H

#include "frame/experiment.h"
#include "frame/export.h"
#include "frame/request-define.h"

struct tb_export_trace_summary
{
  uint64_t frames;		/* Written.  */
  uint64_t begin;		/* How many before them were left out.  */
  uint64_t behind;		/* And behind them.  */
  uint64_t masked, bare, skipped, crowded;	/* As in export.h.  */
  uint64_t bytes;
  size_t moved;			/* Likewise.  */
  uint64_t *counts;		/* Frames written by number, less one; to be
				   freed.  */
};

/* Make the frame of F, with all that its tracepoint collects, the NALWAYS ranges ALWAYS
   and the user's variables.  INFO may be NULL.  */
enum tb_collected tb_collect_traced (struct tb_collector *collector,
				     struct tb_experiment *experiment,
				     const struct tb_stage *stage,
				     const struct tb_trace_frame *f,
				     const struct tb_collect_range *always,
				     size_t nalways, struct tb_frame *frame,
				     struct tb_collect_info *info);

/* Write the trace file PATH of EXPERIMENT, which has run and whose tracepoints are
   those of DEFINITIONS.  Of OPTIONS->choose FIRST, LAST and FRAMES count frames.  GDB
   needs the symbols that conditions and commands name when it opens the file; one
   without frames is one, too.  */
enum tb_status tb_export_trace (struct tb_state *state,
				struct tb_recording *recording,
				struct tb_experiment *experiment,
				const struct tb_stage *stage,
				const struct tb_definitions *definitions,
				const struct tb_export_options *options,
				const char *path,
				struct tb_export_trace_summary *summary,
				struct tb_diag *diag);

#endif /* TB_FRAME_EXPORT_TRACE_H */
