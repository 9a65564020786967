/* --format=perfetto: calls and exceptions on a time line, for trace viewers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing read:
   a process a recording; a thread for what the core runs, and one for each task of a
   kernel (recording/tasks.h), with what runs in that.  Time is the number of the step,
   shown as microseconds, because few traces state a time for each call.  Where a
   timestamp is stated, it is among the arguments of what begins there.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "names.h"
#include "recording/level-names.h"
#include "recording/window.h"

struct perfetto_timeline
{
  const struct named_recording *named;
  unsigned process;
  FILE *out;
};

/* How many recordings were written so far is in the first event of each: a viewer
   needs numbers.  */
static unsigned
process_of (const struct job *job, const struct named_recording *named)
{
  return (unsigned) (named->stream - job->session.streams) + 1;
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
  fprintf (t->out, ",\"cat\":\"%s\",\"ph\":\"B\",\"ts\":%" PRIu64
	   ",\"pid\":%u,\"tid\":%u,\"args\":{\"step\":%" PRIu64,
	   level->kind == TB_LEVEL_EXCEPTION ? "exception"
	   : level->kind == TB_LEVEL_TASK ? "task" : "function", step,
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
      fprintf (t->out, ",\n{\"ph\":\"E\",\"ts\":%" PRIu64
	       ",\"pid\":%u,\"tid\":%u}", step, t->process, threads[i]);
  return true;
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
      fprintf (t->out, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,"
	       "\"tid\":%u,\"args\":{\"name\":", t->process,
	       CORE + (unsigned) i);
      json_string (name, t->out);
      fputs ("}}", t->out);
      free (name);
    }
  return true;
}

/* Gaps, as events of no length.  */
static bool
put_gaps (const struct perfetto_timeline *t)
{
  struct tb_recording *recording = t->named->recording;
  for (size_t i = 0; i < tb_recording_windows (recording); i++)
    {
      const struct tb_window *window = tb_recording_window (recording, i);
      if (window == NULL)
	return false;
      for (size_t k = 0; k < window->nevents; k++)
	if (window->events[k].kind == TB_EVENT_GAP)
	  fprintf (t->out, ",\n{\"name\":\"gap\",\"cat\":\"gap\",\"ph\":\"i\","
		   "\"s\":\"p\",\"ts\":%" PRIu64 ",\"pid\":%u,\"tid\":1}",
		   window->events[k].step, t->process);
    }
  return true;
}

static enum tb_status
put_timeline (struct job *job, const struct named_recording *named, FILE *out)
{
  struct perfetto_timeline t = { .named = named, .out = out,
			.process = process_of (job, named) };
  const struct tb_level_user user = { .open = begin, .close = end,
				      .context = &t,
				      .sp = tb_level_sp,
				      .sp_context = named->sp,
				      .tasks = named->tasks };
  fprintf (out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
	   "\"args\":{\"name\":", t.process);
  json_string (named->core[0] != '\0' ? named->core
				      : named->stream->source->name, out);
  fputs ("}}", out);
  return put_threads (&t)
	 && tb_levels_walk (named->recording, named->symbols, &user)
	 && put_gaps (&t) ? TB_OK : TB_ERR_MEMORY;
}

enum tb_status
list_perfetto (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  fputs ("{\"otherData\":{\"input\":", stream);
  json_string (job->input, stream);
  fputs (",\"time\":\"steps\"},\"traceEvents\":[\n"
	 "{\"name\":\"tracebridge\",\"ph\":\"M\",\"pid\":0}", stream);
  enum tb_status status = job_each_named (job, stream, true, put_timeline);
  fputs ("\n]}\n", stream);
  return status;
}
