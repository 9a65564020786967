/* Export of a recording as a GDB trace file.  See export.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arm/tdesc.h"
#include "frame/ctf.h"
#include "frame/frame.h"
#include "frame/tracefile.h"
#include "util/buffer.h"

/* How often progress is told, in frames.  */
#define PROGRESS_EVERY 1024

/* One collected frame.  */
struct kept_frame
{
  size_t offset, size;		/* Of its blocks in export.blocks.  */
  uint64_t step;
};

struct export
{
  const struct tb_export_options *options;
  struct tb_export_summary *summary;
  struct tb_recording *recording;
  const char *path;
  struct tb_diag *diag;
  struct tb_buffer blocks;	/* Of all frames.  */
  struct kept_frame *kept;
  struct tb_choose_frame *frames;	/* Parallel to KEPT.  */
  size_t count, kept_capacity, frames_capacity;
  size_t longest;		/* The largest frame.  */
};

static enum tb_status
no_memory (struct export *export)
{
  tb_error (export->diag, "%s: no memory for %zu frames", export->path,
	    export->count);
  return TB_ERR_MEMORY;
}

static enum tb_status
keep_frame (struct export *export, const struct tb_frame *frame,
	    uint64_t step, uint64_t pc, bool bare)
{
  size_t size = frame->bytes.size;
  if (size > TB_EXPORT_LIMIT - export->blocks.size)
    {
      tb_error (export->diag, "%s: the frames take more than %zu MiB; choose "
		"fewer steps", export->path, TB_EXPORT_LIMIT >> 20);
      return TB_ERR_UNSUPPORTED;
    }
  void *kept = export->kept, *frames = export->frames;
  bool good = tb_grow (&kept, &export->kept_capacity, export->count, 1,
		       sizeof *export->kept);
  export->kept = kept;
  good = good && tb_grow (&frames, &export->frames_capacity, export->count, 1,
			  sizeof *export->frames);
  export->frames = frames;
  size_t offset = export->blocks.size;
  if (good)
    tb_buffer_append (&export->blocks, frame->bytes.data, size);
  if (!good || frame->bytes.failed || export->blocks.failed)
    return no_memory (export);

  export->kept[export->count] = (struct kept_frame) { offset, size, step };
  export->frames[export->count] = (struct tb_choose_frame) { pc, bare };
  if (size > export->longest)
    export->longest = size;
  export->count++;
  return TB_OK;
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
	  tb_error (export->diag, "%s: stopped", export->path);
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
  for (size_t i = 0; i < export->count; i++)
    if (tb_tracepoints_find (tracepoints, &export->frames[i]) == 0)
      summary->crowded++;
    else
      {
	summary->frames++;
	summary->bare += export->frames[i].bare;
	summary->end_state = export->kept[i].step == summary->steps;
      }
  summary->tracepoints = (unsigned) tracepoints->count;
  summary->tfind_pc = tracepoints->each;
}

/* The least size that all frames can be filled up to.  */
static size_t
common_size (const struct export *export)
{
  size_t size = export->longest;
  for (; size < export->longest + TB_FRAME_PAD_MIN; size++)
    {
      size_t i = 0;
      while (i < export->count
	     && tb_frame_can_pad (size - export->kept[i].size))
	i++;
      if (i == export->count)
	break;
    }
  return size;
}

/* Write the frames; all of the same size where GDB needs that to search: it
   skips frames by the size of the one before.  */
static enum tb_status
write_frames (struct export *export, const struct tb_tracepoints *tracepoints,
	      struct tb_tracefile *file)
{
  size_t size = 0;
  if (tracepoints->each)
    size = common_size (export);
  for (size_t i = 0; i < export->count; i++)
    {
      unsigned number = tb_tracepoints_find (tracepoints, &export->frames[i]);
      if (number == 0)
	continue;
      const struct kept_frame *kept = &export->kept[i];
      tb_tracefile_begin (file, number);
      tb_tracefile_blocks (file, export->blocks.data + kept->offset,
			   kept->size);
      if (size != 0)
	tb_tracefile_pad (file, size, TB_VAR_STEP, (int64_t) kept->step);
      enum tb_status status = tb_tracefile_end (file);
      if (status != TB_OK)
	return status;
      export->summary->bytes += size != 0 ? size : kept->size;
    }
  return TB_OK;
}

/* The same in CTF, where frames are found by their headers.  */
static enum tb_status
write_packets (struct export *export, const struct tb_tracepoints *tracepoints,
	       struct tb_ctf *ctf)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < export->count && status == TB_OK; i++)
    {
      unsigned number = tb_tracepoints_find (tracepoints, &export->frames[i]);
      const struct kept_frame *kept = &export->kept[i];
      if (number == 0)
	continue;
      status = tb_ctf_frame (ctf, number, export->blocks.data + kept->offset,
			     kept->size);
      export->summary->bytes += kept->size;
    }
  return status;
}

/* Write all in the form that is wanted.  */
static enum tb_status
write_form (struct export *export, const struct tb_tracepoints *tracepoints,
	    const struct tb_tracefile_header *header)
{
  enum tb_status status;
  if (export->options->form == TB_EXPORT_CTF)
    {
      struct tb_ctf *ctf = tb_ctf_create (export->path, header, export->diag);
      if (ctf == NULL)
	return TB_ERR_IO;
      status = write_packets (export, tracepoints, ctf);
      if (status == TB_OK)
	return tb_ctf_finish (ctf);
      tb_ctf_abandon (ctf);
      return status;
    }
  struct tb_tracefile *file
    = tb_tracefile_create (export->path, header, export->diag);
  if (file == NULL)
    return TB_ERR_IO;
  status = write_frames (export, tracepoints, file);
  if (status == TB_OK)
    return tb_tracefile_finish (file);
  tb_tracefile_abandon (file);
  return status;
}

static enum tb_status
write_file (struct export *export, const struct tb_tracepoints *tracepoints)
{
  const struct tb_profile *profile = tb_recording_profile (export->recording);
  static const char *const collect[] = { "collect $regs" };
  const struct tb_tdesc described = { .profile = profile };
  struct tb_buffer tdesc = { 0 };
  tb_tdesc_compose (&tdesc, &described);
  tb_buffer_append (&tdesc, "", 1);
  struct tb_tracepoint_def *defs
    = calloc (tracepoints->count + 1, sizeof *defs);
  if (tdesc.failed || defs == NULL)
    {
      tb_buffer_fini (&tdesc);
      free (defs);
      return no_memory (export);
    }
  for (size_t i = 0; i < tracepoints->count; i++)
    defs[i] = (struct tb_tracepoint_def)
      {
	(unsigned) i + 1, tracepoints->items[i].address,
	tracepoints->items[i].hits, collect, 1
      };

  struct tb_tracefile_header header =
    {
      .register_bytes = tb_tdesc_layout (profile)->size,
      .tdesc = (const char *) tdesc.data,
      .frames = export->summary->frames,
      .created = export->summary->steps + export->summary->end_state,
      .stop_note = "end of the trace",
      .notes = export->options->notes,
      .tracepoints = defs,
      .ntracepoints = tracepoints->count
    };
  header.variables = tb_moment_variables (profile, &header.nvariables);
  enum tb_status status = write_form (export, tracepoints, &header);
  free (defs);
  tb_buffer_fini (&tdesc);
  return status;
}

/* Say why there is nothing to write.  */
static enum tb_status
no_frames (const struct export *export)
{
  const struct tb_export_summary *summary = export->summary;
  if (summary->skipped != 0)
    tb_error (export->diag, "%s: no frame to write: registers are unknown in "
	      "all of the %" PRIu64 " steps chosen", export->path,
	      summary->skipped);
  else if (summary->begin == summary->end)
    tb_error (export->diag, "%s: no frame to write: no step was chosen out of "
	      "%" PRIu64, export->path, summary->steps);
  else
    tb_error (export->diag, summary->steps == 0
	      ? "%s: no frame to write: there is no trace, and the PC at the halt is "
		"not known"
	      : "%s: no frame to write: only the end of the trace was chosen, where "
		"the PC is not known", export->path);
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
      .path = path, .diag = diag
    };
  struct tb_tracepoints tracepoints = { 0 };
  enum tb_status status;
  struct tb_collector *collector
    = tb_collector_new (state, recording, &options->collect);
  if (collector == NULL)
    status = no_memory (&export);
  else
    status = collect_all (&export, collector);
  tb_collector_free (collector);
  if (status == TB_OK
      && tb_choose_tracepoints (&tracepoints, export.frames, export.count)
      != TB_OK)
    status = no_memory (&export);
  if (status == TB_OK)
    {
      count_frames (&export, &tracepoints);
      status = summary->frames == 0 ? no_frames (&export)
	: write_file (&export, &tracepoints);
    }
  tb_tracepoints_fini (&tracepoints);
  tb_buffer_fini (&export.blocks);
  free (export.kept);
  free (export.frames);
  return status;
}
