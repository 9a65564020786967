/* --format=timeline: what all sources tell, on one axis of time.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of the listing: four columns, apart by tabs: when, the core or source, the step or the
   byte in the buffer, and what.  Of cores these are the functions and exceptions that
   began, exceptions that ended, and gaps; of an ITM or STM all that was said.  The lines
   before say what the time of each source is.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/element-stats.h"
#include "names.h"
#include "recording/axis.h"
#include "recording/clock.h"
#include "recording/event-walk.h"
#include "recording/level-names.h"
#include "recording/lane.h"
#include "recording/software.h"
#include "recording/stamps.h"
#include "software.h"

/* A gap is before a step.  */
struct gap
{
  uint64_t step, address;
  uint8_t reason;
};

/* One recording's.  */
struct core_lane
{
  struct tb_axis *axis;
  const struct named_recording *named;
  struct tb_stamps stamps;
  unsigned number;
  size_t settled;		/* So many items of AXIS have the times that they keep.  */
  struct gap *gaps;
  size_t ngaps, gap_capacity, passed;	/* PASSED of them were added.  */
};

/* Add what STEP begins with, or (BEFORE) what stands before it.  */
static bool
add_at (struct core_lane *l, uint64_t step, bool before, const char *lead, const char *name)
{
  struct tb_buffer text = { 0 };
  struct tb_when when = before ? tb_stamps_bounds_before (&l->stamps, step)
			       : tb_stamps_bounds (&l->stamps, step);
  tb_buffer_printf (&text, "%s%s", lead, name);
  tb_buffer_append (&text, "", 1);
  bool ok = !text.failed && tb_axis_add (l->axis, l->number, &when, true, step,
					 (const char *) text.data);
  tb_buffer_fini (&text);
  return ok;
}

/* Add the gaps up to the one before STEP.  */
static bool
add_gaps (struct core_lane *l, uint64_t step)
{
  for (; l->passed < l->ngaps && l->gaps[l->passed].step <= step; l->passed++)
    {
      const struct gap *gap = &l->gaps[l->passed];
      if (!add_at (l, gap->step, true, "gap: ",
		   gap->reason != TB_REASON_NONE
		   ? tb_reason_name ((enum tb_reason) gap->reason)
		   : "code that cannot be read"))
	return false;
    }
  return true;
}

/* An exception stands before STEP: nothing ran of what was added for STEP before it, which is
   no later than the exception.  */
static void
put_before (struct core_lane *l, uint64_t step)
{
  for (size_t i = l->axis->count; i-- > l->settled && l->axis->items[i].place == step;)
    l->axis->items[i].when = tb_stamps_bounds_before (&l->stamps, step);
  l->settled = l->axis->count;
}

static bool
add_level (struct core_lane *l, const struct tb_level *level, uint64_t step,
	   bool begins)
{
  char *name = tb_level_name (level, &l->named->stream->core->profile);
  const char *lead = level->kind == TB_LEVEL_EXCEPTION
		     ? begins ? "exception " : "end of exception "
		     : level->kind == TB_LEVEL_TASK ? "" : "function ";
  bool before = level->kind == TB_LEVEL_EXCEPTION || level->kind == TB_LEVEL_TASK;
  if (before)
    put_before (l, step);
  bool ok = name != NULL && add_gaps (l, step) && add_at (l, step, before, lead, name);
  free (name);
  return ok;
}

static bool
open_level (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  return add_level (context, &levels[count - 1], step, true);
}

static bool
close_level (void *context, struct tb_level *levels, size_t count, uint64_t step,
	     enum tb_level_end end, uint64_t by)
{
  (void) by;
  if (levels[count - 1].kind != TB_LEVEL_EXCEPTION || end == TB_LEVEL_LOST)
    return true;
  return add_level (context, &levels[count - 1], step, false);
}

static bool
find_gaps (struct core_lane *l)
{
  struct tb_event_walk walk = { .recording = l->named->recording };
  for (const struct tb_event *e; (e = tb_event_next (&walk)) != NULL;)
    {
      if (e->kind != TB_EVENT_GAP)
	continue;
      if (!TB_GROW (l->gaps, l->gap_capacity, l->ngaps, 1))
	return false;
      l->gaps[l->ngaps++] = (struct gap) { e->step, e->address, e->reason };
    }
  return !walk.failed;
}

#define NO_CLOCK "its times go back: they are no one clock's, and left out"

/* What is known of a stream.  IN is its buffer, if that must be told as its name is not the only
   one of its kind; else NULL.  */
struct axis_lane
{
  const char *name, *in;
  bool has_steps;
};

static const char *
lane_name (const struct tb_session_stream *stream)
{
  bool of_core = !stream->protocol->software && stream->core->device != NULL;
  return of_core ? stream->core->device->name : stream->source->name;
}

/* What lines call each stream of JOB.  */
static void
name_lanes (struct job *job, struct axis_lane *lanes)
{
  const struct tb_session *session = &job->session;
  for (size_t i = 0; i < session->nstreams; i++)
    if (session->streams[i].protocol != NULL && job_wants (job, &session->streams[i]))
      lanes[i].name = lane_name (&session->streams[i]);
  for (size_t i = 0; i < session->nstreams; i++)
    for (size_t k = 0; k < session->nstreams && lanes[i].name != NULL; k++)
      if (k != i && lanes[k].name != NULL && session->streams[i].buffer != NULL
	  && strcmp (lanes[i].name, lanes[k].name) == 0)
	lanes[i].in = session->streams[i].buffer->name;
}

/* Append what lines call LANE.  */
static void
put_lane (struct tb_buffer *text, const struct axis_lane *lane)
{
  tb_buffer_printf (text, "%s%s%s", lane->name, lane->in != NULL ? " in " : "",
		    lane->in != NULL ? lane->in : "");
}

/* The line that says what the time of a core is.  */
static void
put_core (const struct core_lane *l, const struct axis_lane *lane, uint64_t frequency,
	  FILE *out)
{
  struct tb_buffer text = { 0 };
  size_t count = l->stamps.count;
  tb_buffer_printf (&text, "# ");
  put_lane (&text, lane);
  uint64_t steps = tb_recording_steps (l->named->recording);
  tb_buffer_printf (&text, ": %" PRIu64 " step%s, %zu time%s", steps, steps == 1 ? "" : "s",
		    count, count == 1 ? "" : "s");
  if (count > 0)
    {
      struct tb_when when = { tb_stamps_get (&l->stamps, 0).time,
			      tb_stamps_get (&l->stamps, count - 1).time, true, true };
      tb_buffer_printf (&text, ", ");
      tb_when_text (&text, &when, frequency);
    }
  if (l->stamps.go_back)
    tb_buffer_printf (&text, "; " NO_CLOCK);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    fprintf (out, "%s\n", (const char *) text.data);
  tb_buffer_fini (&text);
}

static enum tb_status
add_core (struct job *job, const struct named_recording *named, FILE *out)
{
  struct core_lane l = { .axis = job->axis, .named = named,
			 .settled = job->axis->count,
			 .number = (unsigned) (named->stream
					       - job->session.streams) };
  const struct tb_level_user user = { .open = open_level, .close = close_level,
				      .context = &l, .sp = tb_level_sp,
				      .sp_context = named->sp,
				      .tasks = named->tasks };
  job->axis_lanes[l.number].has_steps = tb_recording_steps (named->recording) > 0;
  bool ok = tb_session_stamps (&job->session, named->stream, named->recording,
			       &l.stamps, job->diag)
	    && find_gaps (&l)
	    && tb_levels_walk (named->recording, named->symbols, &user)
	    && add_gaps (&l, UINT64_MAX);
  if (ok)
    put_core (&l, &job->axis_lanes[l.number], job->axis_frequency, out);
  tb_stamps_fini (&l.stamps);
  free (l.gaps);
  return ok ? TB_OK : TB_ERR_MEMORY;
}

/* Add what SOFTWARE has, with times if they are the system's.  */
static bool
add_items (struct tb_axis *axis, unsigned lane, const struct tb_software *software)
{
  struct tb_buffer text = { 0 };
  bool ok = true;
  for (size_t i = 0; i < software->count && ok; i++)
    {
      const struct tb_said *said = &software->items[i];
      struct tb_when when = { 0 };
      if (tb_software_has_time (software))
	when = tb_said_time (said);
      tb_buffer_clear (&text);
      tb_said_who (&text, said);
      tb_buffer_printf (&text, ": ");
      tb_said_what (&text, software, said);
      if (said->flags & TB_SAID_LOCAL)
	tb_buffer_printf (&text, " (local time %s%" PRIu64 ")",
			  said->flags & TB_SAID_LATE ? "<=" : "", said->local);
      tb_buffer_append (&text, "", 1);
      ok = !text.failed
	   && tb_axis_add (axis, lane, &when, false, said->index,
			   (const char *) text.data);
    }
  tb_buffer_fini (&text);
  return ok;
}

/* What a stream of software's says.  */
struct said_lane
{
  const struct tb_session_stream *stream;
  struct tb_software software;
};

static enum tb_status
read_software (struct job *job, struct said_lane *l)
{
  struct tb_decoder *decoder = tb_session_decoder (&job->session, l->stream,
						   job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  bool ok = tb_lane_read (&l->software, decoder, &job->session, l->stream, job->diag);
  job_judge (job, l->stream, &decoder->stats);
  software_say_empty (job, l->stream, &decoder->stats);
  tb_decoder_close (decoder);
  return ok ? TB_OK : TB_ERR_MEMORY;
}

static enum tb_status
add_software (struct job *job, const struct said_lane *l, FILE *out)
{
  const struct tb_software *software = &l->software;
  unsigned number = (unsigned) (l->stream - job->session.streams);
  struct tb_buffer name = { 0 };
  put_lane (&name, &job->axis_lanes[number]);
  fprintf (out, "# %.*s: %zu item%s", (int) name.size, (const char *) name.data,
	   software->count, software->count == 1 ? "" : "s");
  tb_buffer_fini (&name);
  if (software->foreign && software->frequency != 0)
    fprintf (out, ", whose time counts %" PRIu64 " a second: another one",
	     software->frequency);
  else if (software->foreign)
    fprintf (out, ", whose time counts at several rates: another one");
  if (software->goes_back)
    fprintf (out, "; " NO_CLOCK);
  fputc ('\n', out);
  return add_items (job->axis, number, software) ? TB_OK : TB_ERR_MEMORY;
}

static enum tb_status
put_items (const struct job *job, const struct tb_axis *axis, uint64_t frequency,
	   struct tb_outfile *out)
{
  struct tb_buffer text = { 0 };
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < axis->count && status == TB_OK; i++)
    {
      const struct tb_axis_item *item = &axis->items[i];
      if (item->when.from || item->when.to)
	tb_when_text (&text, &item->when, frequency);
      else
	tb_buffer_append (&text, "-", 1);
      tb_buffer_printf (&text, "\t");
      put_lane (&text, &job->axis_lanes[item->lane]);
      tb_buffer_printf (&text, "\t%s %" PRIu64 "\t%s\n",
			item->has_step ? "step" : "byte", item->place,
			(const char *) axis->text.data + item->text);
      status = tb_outfile_put (out, &text, i + 1 == axis->count);
    }
  tb_buffer_fini (&text);
  return status;
}

/* Say of which trace of instructions there is no step, and why; the code that is missing as
   SEVERITY.  False: none is.  */
static bool
say_no_steps (struct job *job, enum tb_severity severity)
{
  bool missing = false;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (job_has_steps (job, stream) && !job->axis_lanes[i].has_steps)
	missing |= job_say_no_step (job, stream, severity);
    }
  return missing;
}

enum tb_status
list_timeline (struct job *job, struct tb_outfile *out)
{
  struct tb_axis axis = { 0 };
  FILE *file = tb_outfile_stream (out);
  uint64_t frequency = tb_session_clock (&job->session);
  size_t nlanes = 0;
  struct said_lane *lanes = calloc (job->session.nstreams + 1, sizeof *lanes);
  struct axis_lane *axis_lanes = calloc (job->session.nstreams + 1, sizeof *axis_lanes);
  enum tb_status status = lanes != NULL && axis_lanes != NULL ? TB_OK : TB_ERR_MEMORY;
  if (status == TB_OK)
    name_lanes (job, axis_lanes);
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (stream->protocol == NULL || !stream->protocol->software
	  || !job_wants (job, stream))
	continue;
      struct said_lane *l = &lanes[nlanes++];
      l->stream = stream;
      status = read_software (job, l);
    }
  job->axis = &axis;
  job->axis_lanes = axis_lanes;
  job->axis_frequency = frequency;
  if (status == TB_OK)
    status = job_each_named (job, file, true, add_core);
  for (size_t i = 0; i < nlanes && status == TB_OK; i++)
    status = add_software (job, &lanes[i], file);
  /* An ITM or STM that said nothing is in the list, and told.  */
  bool nothing = axis.count == 0 && nlanes == 0;
  bool missing = status == TB_OK && say_no_steps (job, nothing ? TB_ERROR : TB_WARNING);
  if (status == TB_OK && nothing)
    {
      if (!missing)
	tb_error (job->diag, "%s: expected trace that tells of instructions, or of an "
		  "ITM or STM, found none; --list shows what there is", job->input);
      status = TB_ERR_INPUT;
    }
  if (frequency != 0)
    fprintf (file, "# time: %" PRIu64 " a second\n", frequency);
  else
    fprintf (file, "# time: in ticks; it is not known how many there are a second\n");
  if (status == TB_OK)
    {
      tb_axis_order (&axis);
      status = put_items (job, &axis, frequency, out);
    }
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  tb_axis_fini (&axis);
  for (size_t i = 0; i < nlanes; i++)
    tb_software_fini (&lanes[i].software);
  free (lanes);
  free (axis_lanes);
  job->axis = NULL;
  job->axis_lanes = NULL;
  return status;
}
