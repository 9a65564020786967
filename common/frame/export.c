/* Export of a recording as a GDB trace file.  See export.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/tdesc.h"
#include "frame/frame.h"
#include "frame/moved.h"
#include "frame/tracefile.h"
#include "util/buffer.h"

/* How often progress is told, in frames.  */
#define PROGRESS_EVERY 1024

struct export
{
  const struct tb_export_options *options;
  struct tb_export_summary *summary;
  struct tb_recording *recording;
  struct tb_kept kept;
  struct tb_choose_frame *frames;	/* Parallel to KEPT's.  */
  size_t frames_capacity;
};

static enum tb_status
keep_frame (struct export *export, const struct tb_frame *frame,
	    uint64_t step, uint64_t pc, bool bare)
{
  void *frames = export->frames;
  size_t count = export->kept.count;
  bool good = tb_grow (&frames, &export->frames_capacity, count, 1,
		       sizeof *export->frames);
  export->frames = frames;
  if (!good)
    return tb_kept_no_memory (&export->kept);
  export->frames[count] = (struct tb_choose_frame) { pc, bare };
  return tb_keep (&export->kept, frame, step, 0);
}

static enum tb_status
collect_all (struct export *export, struct tb_collector *collector)
{
  struct tb_export_summary *summary = export->summary;
  const struct tb_export_options *options = export->options;
  struct tb_frame frame = { 0 };
  enum tb_status status = TB_OK;
  for (uint64_t step = summary->begin;
       status == TB_OK && step < summary->end; step++)
    {
      struct tb_collect_info info;
      enum tb_collected what = tb_collect (collector, step, &frame, &info);
      if (what == TB_COLLECTED_SKIP)
	summary->skipped++;
      else if (what != TB_COLLECTED_NO_PC)
	{
	  status = keep_frame (export, &frame, step, info.pc,
			       what == TB_COLLECTED_BARE);
	  if (what == TB_COLLECTED && info.unknown != 0)
	    summary->masked++;
	}
      uint64_t done = step - summary->begin + 1;
      if (options->progress != NULL && done % PROGRESS_EVERY == 0
	  && !options->progress (options->context, done,
				 summary->end - summary->begin))
	{
	  tb_error (export->kept.diag, "%s: stopped", export->kept.path);
	  status = TB_ERR_IO;
	}
    }
  tb_frame_fini (&frame);
  return status;
}

/* The frames that can be written under TRACEPOINTS: all but bare ones for which
   there was no tracepoint left.  */
static void
count_frames (struct export *export, const struct tb_tracepoints *tracepoints)
{
  struct tb_export_summary *summary = export->summary;
  for (size_t i = 0; i < export->kept.count; i++)
    {
      struct tb_kept_frame *kept = &export->kept.frames[i];
      kept->tracepoint = tb_tracepoints_find (tracepoints, &export->frames[i]);
      if (kept->tracepoint == 0)
	{
	  summary->crowded++;
	  continue;
	}
      summary->frames++;
      summary->bare += export->frames[i].bare;
      summary->end_state = kept->step == summary->steps;
    }
  summary->tracepoints = (unsigned) tracepoints->count;
  summary->tfind_pc = tracepoints->each;
}

static enum tb_status
write_file (struct export *export, const struct tb_tracepoints *tracepoints)
{
  static const char *const collect[] = { "collect $regs" };
  const struct tb_tdesc *tdesc = export->options->tdesc;
  struct tb_tracepoint_def *defs
    = calloc (tracepoints->count + 1, sizeof *defs);
  if (defs == NULL)
    return tb_kept_no_memory (&export->kept);
  for (size_t i = 0; i < tracepoints->count; i++)
    defs[i] = (struct tb_tracepoint_def)
      {
	.number = (unsigned) i + 1, .address = tracepoints->items[i].address,
	.hits = tracepoints->items[i].hits, .collect = collect, .ncollect = 1
      };

  struct tb_tracefile_header header =
    {
      .register_bytes = tdesc->size,
      .tdesc = tdesc->text,
      .frames = export->summary->frames,
      .created = export->summary->steps + export->summary->end_state,
      .stop_note = "end of the trace",
      .notes = export->options->notes,
      .start = export->options->start,
      .stop = export->options->stop,
      .tracepoints = defs,
      .ntracepoints = tracepoints->count
    };
  header.variables = tb_moment_variables (&header.nvariables);
  /* All of the same size where GDB needs that to search.  */
  enum tb_status status
    = tb_kept_write (&export->kept, export->options->form, &header,
		     tracepoints->each, &export->summary->bytes);
  if (tracepoints->each)
    export->summary->moved = tb_count_moved (export->recording, &export->kept,
					     defs, tracepoints->count);
  free (defs);
  return status;
}

/* Say why there is nothing to write.  */
static enum tb_status
no_frames (const struct export *export)
{
  const struct tb_export_summary *summary = export->summary;
  if (summary->skipped != 0)
    tb_error (export->kept.diag, "%s: no frame to write: registers are unknown in "
	      "all of the %" PRIu64 " steps chosen", export->kept.path,
	      summary->skipped);
  else if (summary->begin == summary->end)
    tb_error (export->kept.diag, "%s: no frame to write: no step was chosen out of "
	      "%" PRIu64, export->kept.path, summary->steps);
  else
    tb_error (export->kept.diag, summary->steps == 0
	      ? "%s: no frame to write: there is no trace, and the PC at the halt is "
		"not known"
	      : "%s: no frame to write: only the end of the trace was chosen, where "
		"the PC is not known", export->kept.path);
  return TB_ERR_INPUT;
}

enum tb_status
tb_export_tracefile (struct tb_state *state, struct tb_recording *recording,
		     const struct tb_export_options *options, const char *path,
		     struct tb_export_summary *summary, struct tb_diag *diag)
{
  *summary = (struct tb_export_summary) { 0 };
  summary->steps = tb_recording_steps (recording);
  /* One moment more than steps: the state at the end.  */
  struct tb_choice choice
    = tb_choose_steps (summary->steps + 1, &options->choose);
  summary->begin = choice.begin;
  summary->end = choice.end;

  struct export export =
    {
      .options = options, .summary = summary, .recording = recording,
      .kept = { .path = path, .diag = diag }
    };
  struct tb_tracepoints tracepoints = { 0 };
  enum tb_status status;
  struct tb_collector *collector
    = tb_collector_new (state, recording, options->tdesc, &options->collect);
  if (collector == NULL)
    status = tb_kept_no_memory (&export.kept);
  else
    status = collect_all (&export, collector);
  if (status == TB_OK && tb_state_no_memory (state))
    status = tb_kept_no_memory (&export.kept);
  tb_collector_free (collector);
  if (status == TB_OK
      && tb_choose_tracepoints (&tracepoints, export.frames,
				export.kept.count)
      != TB_OK)
    status = tb_kept_no_memory (&export.kept);
  if (status == TB_OK)
    {
      count_frames (&export, &tracepoints);
      status = summary->frames == 0 ? no_frames (&export)
	: write_file (&export, &tracepoints);
    }
  tb_tracepoints_fini (&tracepoints);
  tb_kept_fini (&export.kept);
  free (export.frames);
  return status;
}
