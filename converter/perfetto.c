/* --format=perfetto: calls and exceptions on a time line, for trace viewers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing read:
   a process a recording; a thread for what the core runs, one for each task of a kernel
   (recording/tasks.h), with what runs in that, and one for what software said.  Time
   is the system's, in microseconds, of each recording that states it, if it is known how
   fast it counts; so that several cores stand beside each other.  Between two
   timestamps steps then take the same time each; what software said stands at its own
   time, the latest at which it can have been, and its arguments have both.  Else it is
   the number of the step, shown as microseconds, because few traces state a time for each
   call.  Where a
   timestamp is stated, it is among the arguments of what begins there.

   Each --history is two counters of its process: EXPRESSION has the values that are known;
   "EXPRESSION: known" is 2 while the value is certain, 1 while it is assumed or perhaps
   another, 0 while it is not known and the first one still shows the last that was.  */

#include "config.h"
#include "perfetto.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "histories.h"
#include "json.h"
#include "recording/clock.h"
#include "recording/event-walk.h"
#include "recording/level-names.h"
#include "recording/stamps.h"
#include "software.h"

struct perfetto_timeline
{
  const struct named_recording *named;
  unsigned process;
  FILE *out;
  struct tb_stamps stamps;	/* None: time is in steps.  */
  uint64_t frequency;		/* Else: of their time, a second.  */
};

/* Write the member for the time of STEP.  */
static void
put_time (const struct perfetto_timeline *t, uint64_t step)
{
  if (t->stamps.count == 0)
    fprintf (t->out, "\"ts\":%" PRIu64, step);
  else
    fprintf (t->out, "\"ts\":%.3f",
	     tb_stamps_time (&t->stamps, step) * 1e6 / (double) t->frequency);
}

unsigned
perfetto_process (const struct job *job, const struct tb_session_stream *stream)
{
  return (unsigned) (stream - job->session.streams) + 1;
}

/* The thread of what the core runs; that of task N is N behind it.  */
#define CORE 1u

/* The thread, beside CORE, that the last of LEVELS is drawn in; 0: none.  */
static unsigned
task_thread (const struct tb_level *levels, size_t count)
{
  return count > 1 && levels[0].kind == TB_LEVEL_TASK
	 ? CORE + levels[0].number : 0;
}

static void
put_begin (const struct perfetto_timeline *t, const char *name,
	   const struct tb_level *level, unsigned thread, uint64_t step)
{
  uint64_t timestamp;
  fputs (",\n{\"name\":", t->out);
  json_string (name, t->out);
  fprintf (t->out, ",\"cat\":\"%s\",\"ph\":\"B\",",
	   level->kind == TB_LEVEL_EXCEPTION ? "exception"
	   : level->kind == TB_LEVEL_TASK ? "task" : "function");
  put_time (t, step);
  fprintf (t->out, ",\"pid\":%u,\"tid\":%u,\"args\":{\"step\":%" PRIu64,
	   t->process, thread, step);
  if (tb_recording_timestamp (t->named->recording, step, &timestamp))
    fprintf (t->out, ",\"timestamp\":%" PRIu64, timestamp);
  fprintf (t->out, "%s}}", level->resumed ? ",\"resumed\":true" : "");
}

static bool
begin (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  const struct perfetto_timeline *t = context;
  char *name = tb_level_name (&levels[count - 1],
			   &t->named->stream->core->profile);
  unsigned thread = task_thread (levels, count);
  if (name == NULL)
    return false;
  put_begin (t, name, &levels[count - 1], CORE, step);
  if (thread != 0)
    put_begin (t, name, &levels[count - 1], thread, step);
  free (name);
  return true;
}

static bool
end (void *context, struct tb_level *levels, size_t count, uint64_t step,
     enum tb_level_end end, uint64_t by)
{
  const struct perfetto_timeline *t = context;
  unsigned threads[] = { CORE, task_thread (levels, count) };
  (void) end;
  (void) by;
  for (int i = 0; i < 2; i++)
    if (threads[i] != 0)
      {
	fputs (",\n{\"ph\":\"E\",", t->out);
	put_time (t, step);
	fprintf (t->out, ",\"pid\":%u,\"tid\":%u}", t->process, threads[i]);
      }
  return true;
}

void
perfetto_name_process (unsigned process, const char *name, FILE *out)
{
  fprintf (out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
	   "\"args\":{\"name\":", process);
  json_string (name, out);
  fputs ("}}", out);
}

void
perfetto_name_thread (unsigned process, unsigned thread, const char *name, FILE *out)
{
  fprintf (out, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,"
	   "\"tid\":%u,\"args\":{\"name\":", process, thread);
  json_string (name, out);
  fputs ("}}", out);
}

/* The names of the threads, if there are tasks.  */
static bool
put_threads (const struct perfetto_timeline *t)
{
  size_t count = tb_tasks_count (t->named->tasks);
  for (size_t i = 0; i <= count && count > 0; i++)
    {
      char *name = i == 0 ? strdup ("what runs")
		   : tb_task_name (tb_tasks_get (t->named->tasks, (unsigned) i));
      if (name == NULL)
	return false;
      perfetto_name_thread (t->process, CORE + (unsigned) i, name, t->out);
      free (name);
    }
  return true;
}

bool
perfetto_said (const struct tb_lane_item *item, uint64_t frequency, uint64_t place,
	       unsigned process, unsigned thread, FILE *out)
{
  struct tb_when when = tb_said_time (item->said);
  struct tb_buffer text = { 0 };
  const char *lead = "";
  fputs (",\n{\"name\":", out);
  bool ok = software_item (item, out);
  fputs (",\"cat\":\"software\",\"ph\":\"i\",\"s\":\"t\",", out);
  if (frequency == 0)
    {
      fprintf (out, "\"ts\":%" PRIu64, place);
      if (item->last == UINT64_MAX
	  && item->said->flags & (TB_SAID_LOCAL | TB_SAID_EARLIEST | TB_SAID_LATEST))
	tb_said_when (&text, item->software, item->said);
    }
  else
    {
      fprintf (out, "\"ts\":%.3f", (double) (when.to ? when.latest : when.earliest)
				   * 1e6 / (double) frequency);
      tb_when_text (&text, &when, frequency);
    }
  tb_buffer_append (&text, "", 1);
  fprintf (out, ",\"pid\":%u,\"tid\":%u,\"args\":{", process, thread);
  if (!text.failed && text.size > 1)
    {
      fprintf (out, "\"when\":\"%s\"", (const char *) text.data);
      lead = ",";
    }
  /* Without an earlier bound it may have been said before the trace began; without a later one,
     when it had ended.  */
  if (item->first != UINT64_MAX && item->first > 0)
    {
      fprintf (out, "%s\"after_step\":%" PRIu64, lead, item->first);
      lead = ",";
    }
  if (item->last != UINT64_MAX)
    fprintf (out, "%s\"before_step\":%" PRIu64, lead, item->last);
  fputs ("}}", out);
  ok = ok && !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

void
perfetto_leave_out (struct perfetto_left_out *left, const char *why)
{
  unsigned i = 0;
  while (i < left->nreasons && strcmp (left->why[i], why) != 0)
    i++;
  assert (i < sizeof left->why / sizeof left->why[0]);
  if (i == left->nreasons)
    left->why[left->nreasons++] = why;
  left->items[i]++;
}

void
perfetto_said_thread (struct job *job, unsigned process, unsigned thread,
		      const struct perfetto_left_out *left, FILE *out)
{
  char name[1024] = "software";
  for (unsigned i = 0; i < left->nreasons; i++)
    {
      size_t end = strlen (name);
      snprintf (name + end, sizeof name - end, "%s%zu: %s%s", i == 0 ? " (left out: " : "; ",
		left->items[i], left->why[i], i + 1 == left->nreasons ? ")" : "");
      tb_warning (job->diag, "%s: left out %zu item%s of software trace: %s (--format=software "
		  "lists all)", job->input, left->items[i], left->items[i] > 1 ? "s" : "",
		  left->why[i]);
    }
  perfetto_name_thread (process, thread, name, out);
}

/* Count in *LEFT what has no place in LANE; in time all has that has one.  */
static void
find_left_out (const struct tb_lane *lane, bool in_time, struct perfetto_left_out *left)
{
  struct tb_lane_walk walk = { .lane = lane };
  struct tb_lane_item item;
  const char *why;
  for (size_t beyond = 0; (why = tb_lane_next_elsewhere (&walk, &item)) != NULL;
       beyond = walk.beyond)
    if (!in_time || walk.beyond == beyond)
      perfetto_leave_out (left, why);
}

/* What software said, in a thread behind those of the tasks.  Where time is known, what was
   said while the steps tell none has its place, too.  */
static bool
put_software (const struct perfetto_timeline *t, struct job *job)
{
  unsigned thread = CORE + (unsigned) tb_tasks_count (t->named->tasks) + 1;
  struct tb_lane lane;
  if (!software_lane (&lane, job, t->named))
    return false;
  bool ok = true;
  bool in_time = t->stamps.count > 0;
  size_t drawn = lane.count + (in_time ? lane.beyond : 0);
  struct perfetto_left_out left = { .nreasons = 0 };
  find_left_out (&lane, in_time, &left);
  if (drawn > 0 || left.nreasons > 0)
    perfetto_said_thread (job, t->process, thread, &left, t->out);
  for (size_t i = 0; ok && i < drawn; i++)
    ok = perfetto_said (&lane.items[i], in_time ? t->frequency : 0,
			lane.items[i].last, t->process, thread, t->out);
  tb_lane_fini (&lane);
  return ok;
}

/* Gaps, as events of no length.  */
static bool
put_gaps (const struct perfetto_timeline *t)
{
  struct tb_event_walk walk = { .recording = t->named->recording };
  for (const struct tb_event *e; (e = tb_event_next (&walk)) != NULL;)
    if (e->kind == TB_EVENT_GAP)
      {
	fputs (",\n{\"name\":\"gap\",\"cat\":\"gap\",\"ph\":\"i\",\"s\":\"p\",", t->out);
	put_time (t, e->step);
	fprintf (t->out, ",\"pid\":%u,\"tid\":%u}", t->process, CORE);
      }
  return !walk.failed;
}

/* A history that is drawn.  */
struct perfetto_history
{
  const struct perfetto_timeline *timeline;
  const char *expression;
  int known;			/* What its second counter shows; -1: nothing yet.  */
};

/* Write the begin of a counter's event, up to its value.  */
static void
put_counter (const struct perfetto_history *h, const char *what, uint64_t step)
{
  const struct perfetto_timeline *t = h->timeline;
  struct tb_buffer name = { 0 };
  tb_buffer_printf (&name, "%s%s", h->expression, what);
  tb_buffer_append (&name, "", 1);
  fputs (",\n{\"name\":", t->out);
  json_string (name.failed ? h->expression : (const char *) name.data, t->out);
  fputs (",\"cat\":\"history\",\"ph\":\"C\",", t->out);
  put_time (t, step);
  fprintf (t->out, ",\"pid\":%u,\"args\":{\"value\":", t->process);
  tb_buffer_fini (&name);
}

static bool
begin_history (void *context, const char *expression, struct tb_variables *variables)
{
  struct perfetto_history *h = context;
  (void) variables;
  h->expression = expression;
  h->known = -1;
  return true;
}

static bool
draw_change (void *context, const struct tb_history_change *change, const struct tb_type *type)
{
  struct perfetto_history *h = context;
  FILE *out = h->timeline->out;
  const char *tier = tb_history_tier (change, type);
  int known = strcmp (tier, "certain") == 0 ? 2 : strcmp (tier, "unknown") == 0 ? 0 : 1;
  /* What a step changes holds before the next one.  */
  uint64_t step = change->step + !change->is_first;
  struct tb_buffer text = { 0 };
  struct tb_type decimal = *type;
  if (type->kind == TB_TYPE_POINTER || type->kind == TB_TYPE_REFERENCE)
    decimal.kind = TB_TYPE_INTEGER;
  tb_history_put_value (&text, &change->after, &decimal);
  if (!text.failed && text.data[0] != '?' && tb_history_is_number (&change->after, type))
    {
      put_counter (h, "", step);
      fprintf (out, "%.*s}}", (int) text.size, (const char *) text.data);
    }
  else
    /* A counter can show no infinity; the number before it does not hold.  */
    known = 0;
  if (known != h->known)
    {
      put_counter (h, ": known", step);
      fprintf (out, "%d}}", known);
    }
  h->known = known;
  bool ok = !text.failed && !ferror (out);
  tb_buffer_fini (&text);
  return ok;
}

/* What may have changed it without being told stands as an event at the begin.  */
static bool
end_history (void *context, const struct tb_history_missed *missed)
{
  const struct perfetto_history *h = context;
  const struct perfetto_timeline *t = h->timeline;
  struct tb_buffer text = { 0 };
  tb_history_put_missed (&text, "", missed);
  if (text.size != 0)
    {
      tb_buffer_append (&text, "", 1);
      fputs (",\n{\"name\":", t->out);
      json_string (h->expression, t->out);
      fputs (",\"cat\":\"history\",\"ph\":\"i\",\"s\":\"p\",", t->out);
      put_time (t, 0);
      fprintf (t->out, ",\"pid\":%u,\"tid\":%u,\"args\":{\"missed\":", t->process, CORE);
      json_string (text.failed ? "" : (const char *) text.data, t->out);
      fputs ("}}", t->out);
    }
  bool ok = !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

static enum tb_status
put_histories (const struct perfetto_timeline *t, struct job *job)
{
  struct perfetto_history h = { .timeline = t };
  const struct history_teller teller = {
    .begin = begin_history, .take = draw_change, .end = end_history, .context = &h,
    .out = t->out
  };
  const struct tb_choice whole = { .end = tb_recording_steps (t->named->recording) };
  return job->options->nhistories == 0 ? TB_OK
	 : tell_histories (job, t->named, &whole, &teller);
}

/* Does another recording of JOB have the name of that of STREAM, its core's?  */
static bool
is_one_of_several (const struct job *job, const struct tb_session_stream *stream)
{
  bool other = false;
  for (size_t i = 0; i < job->session.nstreams && stream->core->device != NULL; i++)
    {
      const struct tb_session_stream *s = &job->session.streams[i];
      other |= s != stream && s->core == stream->core && job_has_steps (job, s);
    }
  return other;
}

/* Name the process of T: the core's, by what it is told apart, and what its time is if that is not
   that of others.  */
static bool
put_process (const struct perfetto_timeline *t, const struct job *job)
{
  const struct tb_session_stream *stream = t->named->stream;
  struct tb_buffer name = { 0 };
  tb_buffer_printf (&name, "%s", t->named->core[0] != '\0' ? t->named->core
				 : stream->source->name);
  if (stream->buffer != NULL && is_one_of_several (job, stream))
    tb_buffer_printf (&name, " in %s", stream->buffer->name);
  if (job->in_time && t->stamps.count == 0)
    tb_buffer_printf (&name, " (in steps)");
  tb_buffer_append (&name, "", 1);
  bool ok = !name.failed;
  if (ok)
    perfetto_name_process (t->process, (const char *) name.data, t->out);
  tb_buffer_fini (&name);
  return ok;
}

/* Is RECORDING in time, where it has STAMPS?  */
static bool
is_timed (struct tb_recording *recording, const struct tb_stamps *stamps)
{
  return stamps->count > 1 || tb_recording_steps (recording) == 0;
}

static enum tb_status
put_timeline (struct job *job, const struct named_recording *named, FILE *out)
{
  struct perfetto_timeline t = { .named = named, .out = out,
			.process = perfetto_process (job, named->stream) };
  const struct tb_level_user user = { .open = begin, .close = end,
				      .context = &t,
				      .sp = tb_level_sp,
				      .sp_context = named->sp,
				      .tasks = named->tasks };
  t.frequency = tb_session_clock (&job->session);
  bool ok = !job->in_time || tb_session_stamps (&job->session, named->stream,
						named->recording, &t.stamps, job->diag);
  if (ok && !is_timed (named->recording, &t.stamps))
    tb_stamps_fini (&t.stamps);
  ok = ok && put_process (&t, job) && put_threads (&t)
	    && tb_levels_walk (named->recording, named->symbols, &user)
	    && put_gaps (&t) && put_software (&t, job);
  enum tb_status status = ok ? put_histories (&t, job) : TB_ERR_MEMORY;
  tb_stamps_fini (&t.stamps);
  return status;
}

/* Has some recording that is wanted times, which count as fast as the snapshot
   says?  *ALL: each has.  */
static bool
have_time (struct job *job, bool *all)
{
  bool some = false, known = tb_session_clock (&job->session) != 0;
  uint64_t instructions = job->instructions;
  *all = known;
  for (size_t i = 0; i < job->session.nstreams && known; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (!job_has_steps (job, stream))
	continue;
      struct tb_recording *recording = job_recording (job, stream);
      struct tb_stamps stamps = { 0 };
      bool timed = recording != NULL
		   && tb_session_stamps (&job->session, stream, recording, &stamps, job->diag)
		   && is_timed (recording, &stamps);
      some |= timed && stamps.count > 1;
      *all &= timed;
      /* Who said how fast it counts expects time.  */
      if (!timed && recording != NULL && job->session.frequency_told)
	tb_warning (job->diag, "%s: --timestamp-frequency has no effect on %s, which is in steps: "
		    "expected two timestamps or more in its trace, found %zu",
		    job->input, stream->source->name, stamps.count);
      tb_stamps_fini (&stamps);
      tb_recording_close (recording);
    }
  /* They are counted where they are written.  */
  job->instructions = instructions;
  return some;
}

enum tb_status
list_perfetto (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  fputs ("{\"otherData\":{\"input\":", stream);
  json_string (job->input, stream);
  bool alone = job_has_software_alone (job);
  bool all = true;
  job->in_time = alone ? perfetto_sparse_in_time (job) : have_time (job, &all);
  fprintf (stream, ",\"time\":\"%s\"},\"traceEvents\":[\n"
	   "{\"name\":\"tracebridge\",\"ph\":\"M\",\"pid\":0}",
	   job->in_time && all ? "microseconds"
	   : job->in_time || alone ? "as each process says" : "steps");
  enum tb_status status = job_each_named (job, stream, true, put_timeline);
  if (status == TB_OK)
    status = perfetto_sparse (job, stream);
  fputs ("\n]}\n", stream);
  return status;
}
