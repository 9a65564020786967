/* Recordings of threads.  See session-threads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "recording/session-cores.h"
#include "recording/slices.h"
#include "util/buffer.h"
#include "util/search.h"

/* What one recording is made of.  */
struct joined
{
  struct tb_stitched stitched;
  struct tb_trace_buffer buffer;	/* For people to read.  */
  char *name;			/* Of the buffer.  */
};

struct tb_session_threads
{
  struct tb_stitch_lane *lanes;
  const struct tb_session_stream **streams;	/* By lane, while threads are made.  */
  size_t nlanes;
  struct tb_slices slices;
  struct joined **items;
  size_t count, capacity;
  /* Threads whose parts have no order, the first one, and why; and those beyond what there is
     room for.  */
  size_t apart, beyond;
  const struct tb_thread *first_apart;
  enum tb_slices_order why;
  bool timeless;		/* Of that one: a CPU that it was on states no times.  */
};

static enum tb_status
no_memory (const struct tb_session *s, struct tb_diag *diag)
{
  tb_error (diag, "%s: no memory", s->snapshot.path);
  return TB_ERR_MEMORY;
}

/* Find the lanes: the streams that tell of instructions.  */
static bool
find_lanes (struct tb_session *s, struct tb_session_threads *t)
{
  t->lanes = calloc (s->nstreams + 1, sizeof *t->lanes);
  t->streams = calloc (s->nstreams + 1, sizeof *t->streams);
  if (t->lanes == NULL || t->streams == NULL)
    return false;
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (stream->protocol == NULL || stream->protocol->software
	  || stream->core->device == NULL)
	continue;
      tb_session_decoder_config (stream, &t->lanes[t->nlanes].config);
      t->streams[t->nlanes++] = stream;
    }
  return true;
}

static const struct tb_thread *
thread_of (const struct tb_snapshot *snapshot, uint32_t number)
{
  size_t low;
  TB_LOWER_BOUND (low, snapshot->nthreads, snapshot->threads[low].number < number);
  return &snapshot->threads[low];
}

/* Name the buffer of JOINED after those that its parts are in: "aux0+aux3".  */
static bool
name_buffer (const struct tb_session_threads *t, struct joined *joined, uint64_t bytes)
{
  enum { SHOWN = 4 };
  struct tb_buffer name = { 0 };
  const struct tb_stitched *stitched = &joined->stitched;
  unsigned shown = 0;
  /* In the order of the lanes, each once.  */
  for (size_t lane = 0; lane < t->nlanes && shown <= SHOWN; lane++)
    for (size_t i = 0; i < stitched->nparts; i++)
      if (stitched->parts[i].lane == lane)
	{
	  const char *own = t->lanes[lane].config.buffer != NULL
			    ? t->lanes[lane].config.buffer->name : "RAM";
	  tb_buffer_printf (&name, "%s%s", shown > 0 ? "+" : "",
			    shown < SHOWN ? own : "more");
	  shown++;
	  break;
	}
  tb_buffer_append (&name, "", 1);
  joined->name = (char *) name.data;
  joined->buffer = (struct tb_trace_buffer) {
    .id = "threads", .name = joined->name, .format = TB_FORMAT_SOURCE_DATA,
    .format_name = "parts", .size = bytes
  };
  return !name.failed;
}

/* Make one recording of the COUNT SLICES, which are in order.  NULL: no memory.  */
static struct joined *
join (struct tb_session_threads *t, const struct tb_thread_slice *slices, size_t count)
{
  struct joined *joined = calloc (1, sizeof *joined);
  struct tb_stitch_part *parts = calloc (count, sizeof *parts);
  if (joined == NULL || parts == NULL
      || !TB_GROW (t->items, t->capacity, t->count, 1))
    {
      free (joined);
      free (parts);
      return NULL;
    }
  t->items[t->count++] = joined;
  uint64_t bytes = 0;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_stitch_part *part = &slices[i].part;
      bytes += slices[i].bytes;
      if (n > 0 && parts[n - 1].lane == part->lane && parts[n - 1].end == part->from)
	parts[n - 1].end = part->end;
      else
	parts[n++] = *part;
    }
  joined->stitched = (struct tb_stitched) {
    .lanes = t->lanes, .nlanes = t->nlanes, .parts = parts, .nparts = n, .bytes = bytes
  };
  return name_buffer (t, joined, bytes) ? joined : NULL;
}

/* Add a stream of CORE for the COUNT SLICES, which are in order.  */
static bool
add_stream (struct tb_session *s, struct tb_session_threads *t, size_t core,
	    const struct tb_thread_slice *slices, size_t count)
{
  struct tb_session_stream *streams = calloc (s->nstreams + 1, sizeof *streams);
  if (streams == NULL)
    return false;
  memcpy (streams, s->streams, s->nstreams * sizeof *streams);
  for (size_t i = 0; i < t->nlanes; i++)
    t->streams[i] = streams + (t->streams[i] - s->streams);
  free (s->streams);
  s->streams = streams;
  const struct joined *joined = join (t, slices, count);
  if (joined == NULL)
    return false;
  struct tb_session_stream *stream = &streams[s->nstreams++];
  *stream = *t->streams[slices[0].part.lane];
  stream->core = &s->cores[core];
  stream->buffer = &joined->buffer;
  stream->id = TB_ID_NONE;
  stream->stitched = &joined->stitched;
  return true;
}

/* Do the lanes of the COUNT SLICES have one protocol?  */
static bool
one_protocol (const struct tb_session_threads *t, const struct tb_thread_slice *slices,
	      size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (t->streams[slices[i].part.lane]->protocol
	!= t->streams[slices[0].part.lane]->protocol)
      return false;
  return true;
}

/* Does a lane of the COUNT SLICES state no times?  */
static bool
is_timeless (const struct tb_thread_slice *slices, size_t count)
{
  bool timeless = false;
  for (size_t i = 0, next; i < count; i = next)
    {
      bool has_time = false;
      for (next = i; next < count && slices[next].part.lane == slices[i].part.lane; next++)
	has_time |= slices[next].on_until != 0 || slices[next].begun_at != UINT64_MAX;
      timeless |= !has_time;
    }
  return timeless;
}

/* Put the COUNT SLICES of THREAD in order and add the streams of its core.  */
static bool
add_streams (struct tb_session *s, struct tb_session_threads *t, size_t core,
	     const struct tb_thread *thread, struct tb_thread_slice *slices, size_t count)
{
  enum tb_slices_order order;
  bool timeless = is_timeless (slices, count);
  if (!tb_slices_order (slices, count, t->nlanes, &order))
    return false;
  if (order == TB_SLICES_ORDERED && one_protocol (t, slices, count))
    return add_stream (s, t, core, slices, count);
  if (t->apart++ == 0)
    {
      t->first_apart = thread;
      t->why = order;
      t->timeless = timeless;
    }
  for (size_t i = 0, next; i < count; i = next)
    {
      for (next = i; next < count && slices[next].part.lane == slices[i].part.lane;)
	next++;
      if (!add_stream (s, t, core, &slices[i], next - i))
	return false;
    }
  return true;
}

/* Add the core of THREAD, and what the COUNT SLICES are.  */
static enum tb_status
add_thread (struct tb_session *s, const struct tb_session_options *options,
	    const struct tb_thread *thread, struct tb_thread_slice *slices, size_t count,
	    struct tb_diag *diag)
{
  struct tb_session_threads *t = s->threads;
  char name[32], location[64];
  unsigned length = (unsigned) snprintf (name, sizeof name, "thread%" PRIu32,
					 thread->number);
  for (unsigned n = 2; tb_snapshot_device (&s->snapshot, name) != NULL; n++)
    snprintf (name + length, sizeof name - length, "-%u", n);
  snprintf (location, sizeof location, "process %" PRIu32 "%s%.32s%s", thread->process,
	    *thread->name != 0 ? " (" : "", thread->name, *thread->name != 0 ? ")" : "");
  const struct tb_device *like = t->streams[slices[0].part.lane]->core->device;
  const struct tb_device *device = tb_snapshot_add_core (&s->snapshot, name, location, like);
  if (device == NULL)
    return no_memory (s, diag);
  size_t core = s->ncores - 1;
  enum tb_status status = tb_session_add_core (s, device, options, diag);
  if (status == TB_OK && !add_streams (s, t, core, thread, slices, count))
    status = TB_ERR_MEMORY;
  return status == TB_ERR_MEMORY ? no_memory (s, diag) : status;
}

/* Say what of threads is not joined.  */
static void
say_apart (const struct tb_session *s, struct tb_diag *diag)
{
  const struct tb_session_threads *t = s->threads;
  if (t->beyond > 0)
    tb_warning (diag, "%s: expected at most %d threads, found %zu more, which are no "
		"recordings", s->snapshot.path, TB_MOST_THREAD_CORES, t->beyond);
  if (t->apart == 0)
    return;
  tb_warning (diag, "%s: threads that have a recording for each CPU they ran on: %zu, "
	      "as its order is not certain: of thread %" PRIu32 ", which is the first, %s",
	      s->snapshot.path, t->apart, t->first_apart->number,
	      t->timeless ? "trace of a CPU has no timestamps, or they go back"
	      : t->why == TB_SLICES_WRONG ? "timestamps say that it ran on two CPUs at once"
	      : t->why == TB_SLICES_OPEN ? "timestamps do not say which part was before another"
	      : "the trace units are of different kinds");
}

/* Add the threads of the slices, which are sorted.  */
static enum tb_status
add_threads (struct tb_session *s, const struct tb_session_options *options,
	     struct tb_diag *diag)
{
  struct tb_session_threads *t = s->threads;
  enum tb_status status = TB_OK;
  size_t cores = 0;
  for (size_t i = 0, next; i < t->slices.count && status == TB_OK; i = next)
    {
      uint32_t number = t->slices.items[i].thread;
      for (next = i; next < t->slices.count && t->slices.items[next].thread == number;)
	next++;
      if (cores++ >= TB_MOST_THREAD_CORES)
	t->beyond++;
      else
	status = add_thread (s, options, thread_of (&s->snapshot, number),
			     &t->slices.items[i], next - i, diag);
    }
  return status;
}

/* The streams of the CPUs are not asked for: put them behind the others.  */
static enum tb_status
leave_cpus (struct tb_session *s, struct tb_diag *diag)
{
  struct tb_session_stream *sorted = calloc (s->nstreams + 1, sizeof *sorted);
  size_t used = 0, unused = s->nstreams;
  if (sorted == NULL)
    return no_memory (s, diag);
  for (size_t i = s->nstreams; i > 0; i--)
    if (s->streams[i - 1].stitched == NULL && s->streams[i - 1].protocol != NULL
	&& !s->streams[i - 1].protocol->software)
      sorted[--unused] = s->streams[i - 1];
  for (size_t i = 0; i < s->nstreams; i++)
    if (s->streams[i].stitched != NULL || s->streams[i].protocol == NULL
	|| s->streams[i].protocol->software)
      sorted[used++] = s->streams[i];
  free (s->streams);
  s->streams = sorted;
  s->nunused = s->nstreams - used;
  s->nstreams = used;
  return TB_OK;
}

enum tb_status
tb_session_make_threads (struct tb_session *s, const struct tb_session_options *options,
			 struct tb_diag *diag)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  if (options == NULL || (options->recordings & TB_RECORD_THREADS) == 0)
    return TB_OK;
  if (snapshot->nthreads == 0)
    {
      tb_error (diag, "--recordings=threads: expected a file of perf with trace that names "
		"contexts (perf record -e cs_etm/contextid/), or records of which thread ran when "
		"(perf record --switch-events), found %s", snapshot->path);
      return TB_ERR_INPUT;
    }
  struct tb_session_threads *t = s->threads = calloc (1, sizeof *t);
  if (t == NULL || !find_lanes (s, t))
    return no_memory (s, diag);
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < t->nlanes && status == TB_OK; i++)
    status = (snapshot->threads_by_time ? tb_slices_read_timed : tb_slices_read)
	     (&t->slices, &t->lanes[i], i, t->streams[i]->core->device, snapshot, diag);
  tb_slices_sort (&t->slices);
  if (status == TB_OK && t->slices.count == 0)
    {
      tb_error (diag, snapshot->threads_by_time
		? "%s: expected trace of threads, found none that is in the time of one: trace and "
		  "records have no times in common, or too few"
		: "%s: expected trace of threads, found none whose context is one's",
		snapshot->path);
      status = TB_ERR_INPUT;
    }
  if (status == TB_OK)
    status = add_threads (s, options, diag);
  say_apart (s, diag);
  if (status == TB_OK && (options->recordings & TB_RECORD_CPUS) == 0)
    status = leave_cpus (s, diag);
  tb_slices_fini (&t->slices);
  t->slices = (struct tb_slices) { 0 };
  free (t->streams);
  t->streams = NULL;
  return status;
}

void
tb_session_threads_close (struct tb_session *s)
{
  struct tb_session_threads *t = s->threads;
  if (t == NULL)
    return;
  for (size_t i = 0; i < t->count; i++)
    {
      free ((void *) t->items[i]->stitched.parts);
      free (t->items[i]->name);
      free (t->items[i]);
    }
  for (size_t i = 0; i < t->nlanes; i++)
    tb_stitch_lane_fini (&t->lanes[i]);
  tb_slices_fini (&t->slices);
  free (t->items);
  free (t->lanes);
  free (t->streams);
  free (t);
}
