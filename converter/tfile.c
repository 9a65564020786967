/* --format=tfile and --format=ctf: trace files for GDB.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/found.h"
#include "frame/export.h"
#include "json.h"
#include "names.h"
#include "output.h"
#include "recordings.h"
#include "recording/clock.h"
#include "recording/facts.h"
#include "recording/session-streams.h"
#include "recording/stamps.h"
#include "state/state.h"
#include "tfile.h"
#include "trace.h"
#include "util/buffer.h"

/* Where the trace ends and what is at the halt; behind it the text says whether that counts, if
   *COUNTS is set.  */
static const char *
halt_text (const struct tb_session_stream *stream, enum tb_halt halt, bool *counts)
{
  *counts = false;
  if (stream == NULL)
    return "no trace: the state at the halt";
  if (stream->protocol == &tb_protocol_tfile)
    return "values are those that the frames have";
  *counts = true;
  if (stream->core->device != NULL && stream->core->device->late)
    return "registers and RAM were dumped at different times, and";
  if (stream->core->device != NULL && stream->core->device->unsure)
    return "the trace may be another core's: registers and RAM at the halt";
  *counts = false;
  if (stream->facts != NULL && halt == TB_HALT_NONE)
    return "values are those that the log tells, and what follows from them";
  if (halt == TB_HALT_USED)
    return "the trace ends at the halt";
  if (halt == TB_HALT_NONE)
    return "the snapshot has no registers of the halt";
  *counts = true;
  return halt == TB_HALT_ELSEWHERE ? "the trace ends before the halt, whose registers and RAM"
	 : halt == TB_HALT_UNCONFIRMED ? "the trace ends at the PC of the halt, which alone does "
					 "not do: its registers and RAM"
	 : "the registers and RAM at the halt contradict the trace and";
}

void
tfile_ends (const struct tb_session_stream *stream, struct tb_state *state,
	    char *text, size_t size)
{
  const char *start = tb_state_start_name (tb_state_start (state));
  bool counts;
  const char *halt = halt_text (stream, tb_state_halt (state), &counts);
  snprintf (text, size, "%s%s%s%s", halt,
	    !counts ? "" : tb_state_halt_assumed (state) ? " count by assumption (--assume=halt)"
	    : " do not count",
	    start != NULL ? "; the trace begins as given by --start=" : "",
	    start != NULL ? start : tb_state_begins_as_reset (state)
	    ? "; the trace begins as at a reset (--start=reset makes more known, if it does)" : "");
}

void
tfile_moved (size_t moved)
{
  if (moved != 0)
    printf ("  %zu tracepoint%s in IT blocks: gdb-multiarch moves %s to the IT "
	    "instruction, so that tfind pc does not find the frames there, unless "
	    "\"set osabi none\" comes before the program's file.\n", moved,
	    moved == 1 ? " is" : "s are", moved == 1 ? "it" : "them");
}

static void
report_json (const struct tb_session_core *core,
	     const struct tb_recording_info *info,
	     const struct tb_export_summary *made, const char *halt,
	     const char *path)
{
  fputs ("{\"output\":", stdout);
  json_string (path, stdout);
  fputs (",\"core\":", stdout);
  json_string (core->device != NULL ? core->device->name : "", stdout);
  printf (",\"instructions\":%" PRIu64 ",\"exceptions\":%" PRIu64
	  ",\"gaps\":%" PRIu64 ",\"first\":%" PRIu64 ",\"frames\":%" PRIu64
	  ",\"masked\":%" PRIu64 ",\"bare\":%" PRIu64 ",\"left_out\":%" PRIu64
	  ",\"tracepoints\":%u,\"moved\":%zu,\"halt\":", info->steps, info->exceptions,
	  info->gaps, made->begin, made->frames, made->masked, made->bare,
	  made->skipped + made->crowded, made->tracepoints, made->moved);
  json_string (halt, stdout);
  fputs ("}\n", stdout);
}

/* "1 frame", "2 frames".  */
static void
count (uint64_t n, const char *what)
{
  printf ("%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

/* Count the exceptions and gaps before the steps of the frames.  */
static void
count_events (struct tb_recording *recording,
	      const struct tb_export_summary *made, uint64_t *exceptions,
	      uint64_t *gaps)
{
  *exceptions = *gaps = 0;
  size_t n = tb_recording_events (recording, made->begin, made->end - 1, NULL, 0);
  struct tb_event *events = calloc (n + 1, sizeof *events);
  if (events == NULL)
    {
      tb_recording_lacks_memory (recording);
      return;
    }
  tb_recording_events (recording, made->begin, made->end - 1, events, n);
  for (size_t i = 0; i < n; i++)
    {
      *exceptions += events[i].kind == TB_EVENT_EXCEPTION;
      *gaps += events[i].kind == TB_EVENT_GAP;
    }
  free (events);
}

/* Which moments the frames are.  */
static void
report_moments (const struct tb_recording_info *info,
		const struct tb_export_summary *made)
{
  uint64_t end = made->end < info->steps ? made->end : info->steps;
  if (made->begin < end)
    printf ("steps %" PRIu64 " to %" PRIu64 " of %" PRIu64 " instructions",
	    made->begin, end - 1, info->steps);
  if (made->end_state)
    printf (made->begin < end ? " and the end" : "the end");
}

/* A line about N frames, unless there are none.  */
static void
report_frames (uint64_t n, const char *one, const char *several,
	       const char *what)
{
  if (n == 0)
    return;
  fputs ("  ", stdout);
  count (n, "frame");
  printf (" %s %s\n", n == 1 ? one : several, what);
}

/* What was made, in a line or two.  */
static void
report (const struct options *o, const struct tb_session_core *core,
	struct tb_recording *recording,
	const struct tb_export_summary *made, const char *halt,
	const char *path)
{
  const struct tb_recording_info *info = tb_recording_info (recording);
  uint64_t exceptions, gaps;
  if (o->quiet || strcmp (path, "-") == 0)
    return;
  if (o->json)
    {
      report_json (core, info, made, halt, path);
      return;
    }
  printf ("%s: ", path);
  count (made->frames, "frame");
  printf (" of %s: ", core->device != NULL ? core->device->name : "-");
  report_moments (info, made);
  count_events (recording, made, &exceptions, &gaps);
  if (exceptions != 0)
    {
      fputs (", ", stdout);
      count (exceptions, "exception");
    }
  if (gaps != 0)
    {
      fputs (", ", stdout);
      count (gaps, "gap");
    }
  printf ("; %s.\n", halt);
  if (!made->tfind_pc)
    puts ("  So many addresses that they share tracepoints: GDB's tfind pc, line "
	  "and range do not work here; with fewer frames (--last) they do.");
  tfile_moved (made->moved);
  if (made->begin > 0 && o->choose.from == 0 && o->choose.last == 0)
    printf ("  %" PRIu64 " earlier steps were left out; --first, --last, --from "
	    "and --to choose others.\n", made->begin);
  report_frames (made->skipped, "was", "were", "left out: registers not known.");
  report_frames (made->crowded, "was", "were", "left out: without registers, at "
		 "more addresses than GDB takes tracepoints.");
  report_frames (made->bare, "has", "have", "an unknown register and so none but "
		 "the PC.");
  report_frames (made->masked, "has", "have", "unknown registers: they show "
		 "0xbad00bad, and $unknown_registers tells which.");
}

/* Make the trace file PATH of steps.  */
static enum tb_status
export_steps (struct job *job, const struct tb_session_core *core,
	      const struct tb_session_stream *stream,
	      struct tb_recording *recording,
	      struct tb_export_options *wanted, const char *path)
{
  struct tb_state *state = job_state (job, core, stream, recording);
  if (state == NULL)
    return TB_ERR_MEMORY;
  uint64_t steps = tb_recording_steps (recording);
  struct tb_choice choice = tb_choose_steps (steps + 1, &wanted->choose);
  struct tb_collect_range *ranges;
  struct tb_export_summary made;
  enum tfile_ram ram;
  enum tb_status status
    = tfile_ranges (job, core, state, steps == 0 ? 0 : steps - 1,
		    choice.end - choice.begin, steps == 0, &wanted->collect,
		    &ranges, &ram);
  if (status == TB_OK)
    status = tb_export_tracefile (state, recording, wanted, path, &made,
				  job->diag);
  progress_clear (&job->progress);
  free (ranges);
  if (status == TB_OK)
    {
      char ends[200];
      tfile_ends (stream, state, ends, sizeof ends);
      report (job->options, core, recording, &made, ends, path);
      if (!job->options->quiet && !job->options->json
	  && strcmp (path, "-") != 0)
	tfile_report_ram (ram);
    }
  tb_state_close (state);
  return status;
}

/* Make the trace file PATH of one core.  STREAM is NULL without trace.  */
static enum tb_status
export (struct job *job, const struct tb_session_core *core,
	const struct tb_session_stream *stream,
	struct tb_recording *recording, const char *path)
{
  if (!output_claim (job, path))
    return TB_ERR_INPUT;
  struct tb_buffer notes = { 0 };
  const char *premise = "";
  if (stream != NULL && stream->source->evidence != NULL)
    premise = tb_source_is_found (stream->source)
	      ? " (of packets that were found: premise found-packets)"
	      : " (its settings were worked out: premise unit-settings)";
  tb_buffer_printf (&notes, "%s%s%s%s%s%s%s", job->input, ": ",
		    core->device != NULL ? core->device->name : "-",
		    stream != NULL ? ", trace of " : "",
		    stream != NULL ? stream->source->name : "",
		    premise,
		    *job->session.snapshot.description != 0 ? "; " : "");
  tb_buffer_printf (&notes, "%s", job->session.snapshot.description);
  tb_buffer_append (&notes, "", 1);

  struct tb_export_options wanted = TB_EXPORT_DEFAULTS;
  if (job->options->format->traits & TRAIT_FOLDER)
    wanted.form = TB_EXPORT_CTF;
  wanted.choose = job->options->choose;
  wanted.collect = job->options->collect;
  struct found_tasks found = { .job = job, .core = core, .recording = recording };
  wanted.collect.tasks = job_find_tasks;
  wanted.collect.tasks_context = &found;
  if (notes.failed)
    {
      tb_buffer_fini (&notes);
      return TB_ERR_MEMORY;
    }
  wanted.notes = (const char *) notes.data;
  wanted.progress = progress_show;
  wanted.context = &job->progress;
  if (!tb_stamps_span (recording, tb_session_clock (&job->session),
		       &wanted.start, &wanted.stop))
    wanted.start = wanted.stop = 0;
  wanted.tdesc = tb_session_tdesc (&job->session, core, job->diag);
  for (unsigned i = 0; wanted.tdesc != NULL && job->take_input != NULL
			&& i < wanted.tdesc->nfiles; i++)
    job->take_input (job->take_input_context, wanted.tdesc->files[i]);
  enum tb_status status
    = wanted.tdesc == NULL ? TB_ERR_INPUT
      : job->options->traces.count != 0
      ? trace_export (job, core, stream, recording, &wanted, path)
      : export_steps (job, core, stream, recording, &wanted, path);
  job_forget_tasks (&found);
  tb_buffer_fini (&notes);
  return status;
}

/* Is there trace that should have been decoded?  */
static bool
has_trace (const struct job *job)
{
  for (size_t i = 0; i < job->session.nstreams; i++)
    if (job_has_steps (job, &job->session.streams[i])
	&& tb_session_stream_bytes (&job->session.streams[i]) > 0)
      return true;
  return false;
}

/* No step was traced: each core as it was at the halt.  */
static enum tb_status
export_halts (struct job *job)
{
  size_t wanted = 0;
  const struct tb_session *s = &job->session;
  const char *only = job->options->shared.core;
  if (job->options->traces.count != 0)
    {
      tb_error (job->diag, "%s: expected trace of instructions for the "
		"tracepoints, found none", job->input);
      return TB_ERR_INPUT;
    }
  for (size_t i = 0; i < s->ncores; i++)
    wanted += s->cores[i].device != NULL
	      && (only == NULL || strcmp (only, s->cores[i].device->name) == 0);
  if (wanted == 0 || (wanted > 1 && job->options->output != NULL))
    {
      tb_error (job->diag, wanted == 0
		? "%s: nothing to show: no trace of instructions, and no "
		  "core"
		: "%s: no trace, and several cores; choose one with --core, or "
		  "leave -o out to get a file of each", job->input);
      return TB_ERR_INPUT;
    }
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < s->ncores && status == TB_OK; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      if (core->device == NULL
	  || (only != NULL && strcmp (only, core->device->name) != 0))
	continue;
      struct tb_recording *recording = tb_recording_empty (&core->profile,
							   core->map);
      char *name = output_name (job, core, NULL);
      status = recording == NULL || name == NULL ? TB_ERR_MEMORY
	       : export (job, core, NULL, recording, name);
      free (name);
      tb_recording_close (recording);
    }
  return status;
}

enum tb_status
write_tracefiles (struct job *job)
{
  size_t count;
  struct found *found;
  enum tb_status status = recordings_find (job, &found, &count);
  if (status == TB_OK && count > 1 && job->options->output != NULL)
    status = recordings_refuse (job, found, count,
				"-o names one trace file; choose one, or leave -o "
				"out to get a file of each");
  else if (status == TB_OK && count == 0)
    status = job_lacks_code (job)
	     || (has_trace (job) && !job_found_packets (job))
	     ? TB_ERR_INPUT : export_halts (job);
  for (size_t i = 0; i < count && status == TB_OK; i++)
    {
      /* A core may have trace by two sources, or in two buffers.  */
      const struct tb_session_stream *stream = found[i].stream;
      char *name = output_name (job, stream->core, stream);
      status = name == NULL ? TB_ERR_MEMORY
	       : export (job, stream->core, stream, found[i].recording, name);
      free (name);
    }
  recordings_free (job, found, count);
  return status;
}
