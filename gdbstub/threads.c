/* Threads.  See threads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets", "General Query Packets"; GDB 13.1, remote.c: a stop reply
   selects its thread for all requests that follow, without an H packet.  "multiprocess" is
   not offered: identifiers would have to have a process.  */

#include "config.h"
#include "threads.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "tasks.h"
#include "together.h"

bool
threads_begin (struct client *c, const struct target_group *group)
{
  c->target = group->members[0];
  c->nthreads = group->count;
  c->resumed.core = SIZE_MAX;
  if (group->count == 1)
    return true;
  c->threads = calloc (group->count, sizeof *c->threads);
  for (size_t i = 0; c->threads != NULL && i < group->count; i++)
    {
      struct target *t = group->members[i];
      c->threads[i] = (struct thread) { .target = t, .position = t->last,
					.reported = t->last, .looked = t->last };
    }
  return c->threads != NULL;
}

void
threads_end (struct client *c)
{
  free (c->threads);
  c->threads = NULL;
}

void
threads_select (struct client *c, size_t number)
{
  if (number == c->thread)
    return;
  struct thread *before = &c->threads[c->thread], *t = &c->threads[number];
  before->position = c->position;
  before->task = c->task;
  before->watch_stop = c->watch_stop;
  before->watch_backward = c->watch_backward;
  before->watch_position = c->watch_position;
  before->narrow_said = c->narrow_said;
  before->btrace = c->btrace;
  before->btrace_read = c->btrace_read;
  before->btrace_at = c->btrace_at;
  before->btrace_size = c->btrace_size;
  c->thread = number;
  c->target = t->target;
  c->position = t->position;
  c->task = t->task;
  c->watch_stop = t->watch_stop;
  c->watch_backward = t->watch_backward;
  c->watch_position = t->watch_position;
  c->narrow_said = t->narrow_said;
  c->btrace = t->btrace;
  c->btrace_read = t->btrace_read;
  c->btrace_at = t->btrace_at;
  c->btrace_size = t->btrace_size;
  /* What is being saved goes on with another core's frame.  */
  bool saving = c->save_valid;
  client_forget (c);
  c->save_valid = saving;
}

struct target *
threads_target (const struct client *c, size_t number)
{
  return number == c->thread ? c->target : c->threads[number].target;
}

uint64_t
threads_position (const struct client *c, size_t number)
{
  return number == c->thread ? c->position : c->threads[number].position;
}

void
threads_move (struct client *c, size_t number, uint64_t position)
{
  /* What was reported where it stood is no news there only as long as it stays.  */
  if (number == c->thread)
    {
      c->watch_stop &= c->position == position;
      c->position = position;
    }
  else
    {
      struct thread *t = &c->threads[number];
      t->watch_stop &= t->position == position;
      t->position = position;
    }
}

void
threads_forget_stops (struct client *c)
{
  c->watch_stop = false;
  for (size_t i = 0; c->threads != NULL && i < c->nthreads; i++)
    c->threads[i].watch_stop = false;
}

void
threads_look (struct client *c, struct thread_id id)
{
  threads_select (c, id.core);
  c->task = id.task;
}

bool
threads_next (struct client *c, struct thread_id *at)
{
  struct thread_id id = *at;
  if (c->ended)
    return false;
  do
    if (id.core == SIZE_MAX || id.task >= tasks_count (c, id.core))
      id = (struct thread_id) { id.core + 1, 0 };
    else
      id.task++;
  while (id.core < c->nthreads && !tasks_listed (c, id));
  *at = id;
  return id.core < c->nthreads;
}

bool
threads_announce (struct client *c)
{
  while (c->announces && threads_next (c, &c->announced))
    if (c->announced.core != c->stop_thread.core || c->announced.task != c->stop_thread.task)
      {
	reply_printf (c, "T05create:;thread:%" PRIx64 ";", threads_number (c->announced));
	/* What GDB reads of its registers has no H packet before it.  */
	threads_look (c, c->announced);
	return true;
      }
  c->announces = false;
  return false;
}

uint64_t
threads_number (struct thread_id id)
{
  return (uint64_t) id.task * THREADS_CORES_MOST + id.core + 1;
}

bool
threads_parse (struct client *c, const char *text, size_t length,
	       struct thread_id *id)
{
  struct packet_args args;
  if (!packet_parse ("x", text, length, &args) || args.number[0] == 0)
    return false;
  uint64_t number = args.number[0] - 1, task = 0;
  size_t core = (size_t) number;
  if (c->nthreads <= THREADS_CORES_MOST)
    {
      task = number / THREADS_CORES_MOST;
      core = (size_t) (number % THREADS_CORES_MOST);
    }
  if (core >= c->nthreads || (task != 0 && task > tasks_count (c, core)))
    return false;
  *id = (struct thread_id) { core, (unsigned) task };
  return true;
}

void
threads_ask (struct client *c, const struct packet_args *args,
	     void (*answer) (struct client *))
{
  struct thread_id before = { c->thread, c->task }, id;
  if (c->frame >= 0)
    answer (c);
  else if (!threads_parse (c, args->text, args->length, &id))
    reply_error (c);
  else
    {
      threads_look (c, id);
      answer (c);
      threads_look (c, before);
    }
}

void
threads_put_name (struct client *c, struct thread_id id, struct tb_buffer *text)
{
  const struct target *t = c->frame >= 0 ? c->target : threads_target (c, id.core);
  if (c->frame >= 0 || !tasks_put_name (c, id, text))
    tb_buffer_printf (text, "%s", t->name);
}

void
threads_put_standing (struct client *c, struct thread_id id, struct tb_buffer *text)
{
  if (id.task != 0 && c->frame < 0)
    {
      tb_buffer_printf (text, "%s: ", threads_target (c, id.core)->name);
      if (!tasks_put_standing (c, id, text))
	return;
      tb_buffer_printf (text, "; ");
    }
  together_put_place (c, id.core, text);
}

/* Hg: what requests are about.  */
static void
look_at (struct client *c, const struct packet_args *args)
{
  struct thread_id id;
  if (threads_parse (c, args->text, args->length, &id))
    {
      if (c->frame < 0)
	threads_look (c, id);
      c->user = id;
    }
  reply_ok (c);
}

/* Hc: what the next request to run is about.  */
static void
resume_next (struct client *c, const struct packet_args *args)
{
  if (!threads_parse (c, args->text, args->length, &c->resumed))
    c->resumed.core = SIZE_MAX;
  reply_ok (c);
}

static void
accept_it (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_ok (c);
}

static void
current_thread (struct client *c, const struct packet_args *args)
{
  (void) args;
  /* What it has not been told of yet it asks for before it asks what stopped.  */
  if (!c->stop_told)
    tasks_stop (c);
  if (!c->ended)
    reply_printf (c, "QC%" PRIx64, threads_number (c->user));
}

static void
first_threads (struct client *c, const struct packet_args *args)
{
  (void) args;
  char before = 'm';
  c->end_stepped = c->announces = false;
  for (struct thread_id id = THREADS_FIRST; threads_next (c, &id); before = ',')
    reply_printf (c, "%c%" PRIx64, before, threads_number (id));
  if (before == 'm')
    reply_text (c, "l");
}

static void
more_threads (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_text (c, "l");
}

/* GDB asks this of a thread that its user selects, and what it knows of that one it does
   not ask for again.  */
static void
thread_alive (struct client *c, const struct packet_args *args)
{
  struct thread_id id;
  if (!c->ended && threads_parse (c, args->text, args->length, &id)
      && tasks_listed (c, id))
    {
      c->user = c->chosen = id;
      c->chose_core = id.task == 0 && tasks_count (c, id.core) != 0;
      reply_ok (c);
    }
  else
    reply_error (c);
}

const struct packet_handler packets_threads[] = {
  { "H", "*", accept_it },
  { "Hg", "*", look_at },
  { "Hc", "*", resume_next },
  { "qC", "", current_thread },
  { "qfThreadInfo", "", first_threads },
  { "qsThreadInfo", "", more_threads },
  { "T", "*", thread_alive },
  { NULL, NULL, NULL }
};

void
threads_say (struct client *c, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  client_console_of (c, c->nthreads > 1 ? c->target->name : "", format, arguments);
  va_end (arguments);
}
