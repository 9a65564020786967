/* Clients.  See client.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "dispatch.h"
#include "experiment.h"
#include "frames.h"
#include "run.h"
#include "server.h"
#include "tasks.h"
#include "threads.h"
#include "tracing.h"
#include "wire.h"

/* Output that nobody reads.  A client that has more outstanding has to wait.  */
#define OUTPUT_MAX ((size_t) 16 * PACKET_LIMIT)

/* In so long its user may have typed ^C.  */
#define PATIENCE_MS 500
/* The text of an O packet.  */
#define CONSOLE_PIECE 1000

/* Why a second client is turned away.  GDB shows it because it comes as the
   reply to vMustReplyEmpty: "Remote replied unexpectedly to ...".  */
#define REFUSAL "E.another GDB is connected to this core; disconnect it first"

/* What GDB may ask before that (vCont? since GDB 16): it takes an error there for
   an answer, and goes on.  */
static const char *const before_refusal[] = { "qSupported", "vCont?" };

bool
client_begin (struct client *c, const struct target_group *group)
{
  c->frame = c->local = -1;
  c->run_number = RUN_TRACEPOINT;
  c->reader.limit = PACKET_LIMIT;
  if (group == NULL)
    return true;
  for (size_t i = 0; i < group->count; i++)
    target_know_end (group->members[i]);
  if (!threads_begin (c, group))
    return false;
  c->position = c->target->last;
  return true;
}

void
client_fini (struct client *c)
{
  tb_buffer_fini (&c->input);
  tb_buffer_fini (&c->output);
  tb_buffer_fini (&c->sent);
  tb_buffer_fini (&c->reply);
  tb_buffer_fini (&c->held);
  tb_buffer_fini (&c->callers);
  tb_buffer_fini (&c->document.text);
  packet_reader_fini (&c->reader);
  breakpoints_free (c);
  tb_collector_free (c->collector);
  tb_frame_fini (&c->save_frame);
  if (c->in > 2)
    close (c->in);
  for (size_t i = 0; !c->refused && i < c->nthreads; i++)
    experiment_left (threads_target (c, i));
  threads_end (c);
  frames_outdated (c);
  *c = (struct client) { .in = -1, .out = -1 };
}

void
reply_text (struct client *c, const char *text)
{
  tb_buffer_append (&c->reply, text, strlen (text));
}

void
reply_ok (struct client *c)
{
  reply_text (c, "OK");
}

void
reply_error (struct client *c)
{
  tb_buffer_clear (&c->reply);
  reply_text (c, "E01");
}

/* GDB 13 shows the text where registers are written, with the packet's name; of
   memory it says that it cannot be accessed.  */
void
reply_read_only (struct client *c)
{
  tb_buffer_clear (&c->reply);
  reply_text (c, "E.the program has run: what was recorded cannot be changed");
}

/* How many bytes are there of LENGTH that were printed into SIZE bytes, with a 0 behind them.  */
static size_t
fitting (int length, size_t size)
{
  return length < 0 ? 0 : (size_t) length < size ? (size_t) length : size - 1;
}

void
client_console_of (struct client *c, const char *who, const char *format, va_list arguments)
{
  char text[1024];
  size_t head = fitting (snprintf (text, sizeof text, "%s%s", who, *who != 0 ? ": " : ""),
			 sizeof text);
  size_t length = head + fitting (vsnprintf (text + head, sizeof text - head, format, arguments),
				  sizeof text - head);
  /* A packet that GDB no longer waits for it would take for the answer to the next.  */
  if (c->may_give_up)
    tb_buffer_append (&c->held, text, length);
  else
    client_queue_console (c, text, length);
  if (c->held.failed)
    client_lose (c);
}

void
client_console (struct client *c, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  client_console_of (c, "", format, arguments);
  va_end (arguments);
}

/* The answer to such a command: what it has to say, and REPLY.  */
static void
queue_monitor (struct client *c)
{
  const uint8_t *text = c->held.data;
  size_t length = c->held.size;
  struct tb_buffer contents = { 0 };
  if (length != 0 && c->takes_text && !c->is_lldb && now_ms () - c->begun > PATIENCE_MS
      && c->reply.size == 2 && memcmp (c->reply.data, "OK", 2) == 0)
    {
      tb_hex_append (&contents, text, length);
      if (contents.failed)
	client_lose (c);
      else
	client_queue (c, contents.data, contents.size, true);
      tb_buffer_fini (&contents);
      return;
    }
  for (size_t at = 0; at < length; at += CONSOLE_PIECE)
    client_queue_console (c, text + at, length - at < CONSOLE_PIECE ? length - at : CONSOLE_PIECE);
  client_queue (c, c->reply.data, c->reply.size, true);
}

void
client_forget (struct client *c)
{
  c->moment_valid = c->save_valid = c->callers_valid = false;
  c->document.object = NULL;
  tb_collector_free (c->collector);
  c->collector = NULL;
}

/* Is the packet one of those?  */
static bool
is_before_refusal (const struct client *c)
{
  for (size_t i = 0; i < sizeof before_refusal / sizeof *before_refusal; i++)
    {
      size_t length = strlen (before_refusal[i]);
      if (c->reader.size >= length
	  && memcmp (c->reader.data, before_refusal[i], length) == 0)
	return true;
    }
  return false;
}

/* Something that was asked for found no memory: tell of it, once.  */
static void
say_missing (const struct client *c)
{
  struct target *t = c->target;
  if (t == NULL || t->lacks_memory || t->recording == NULL
      || !(t->state != NULL ? tb_state_no_memory (t->state)
	   : tb_recording_no_memory (t->recording)))
    return;
  t->lacks_memory = true;
  tb_error (t->diag, "%s: no memory for all that GDB asked for; more may be known than "
	    "is shown from now on", t->name);
}

/* Take in that recordings have become other ones.  */
static void
look_for_changes (struct client *c)
{
  for (size_t i = 0; i < c->nthreads; i++)
    {
      struct target *t = threads_target (c, i);
      if (!target_changed (t))
	continue;
      target_know_end (t);
      /* Nothing that was said of the recording so far counts.  */
      client_forget (c);
      experiment_outdated (t);
      frames_outdated (c);
      frames_leave (c);
      threads_forget_stops (c);
      tasks_forget (c);
      if (threads_position (c, i) > t->last)
	threads_move (c, i, t->last);
    }
}

static void
answer (struct client *c)
{
  if (!c->refused)
    look_for_changes (c);
  tb_buffer_clear (&c->reply);
  tb_buffer_clear (&c->held);
  c->no_reply = false;
  c->interrupted = c->may_give_up = c->takes_text = c->given_up = false;
  c->said = c->begun = now_ms ();
  c->reached = UINT64_MAX;
  c->waited = 0;
  c->signalled = 0;
  bool acked = !c->no_ack;
  if (acked)
    tb_buffer_append (&c->output, "+", 1);
  if (c->refused)
    {
      bool early = is_before_refusal (c);
      c->leaving = !early;
      reply_text (c, early ? "" : REFUSAL);
    }
  else
    {
      c->busy = true;
      packet_dispatch (c, c->reader.data, c->reader.size);
      c->busy = false;
    }
  say_missing (c);
  if (c->reply.failed)
    client_lose (c);
  else if (!c->no_reply && !c->given_up)
    queue_monitor (c);
}

/* A packet that cannot be used.  */
static void
complain (struct client *c, bool damaged)
{
  if (damaged && !c->no_ack)
    {
      /* It will be sent again.  */
      tb_buffer_append (&c->output, "-", 1);
      return;
    }
  if (!c->no_ack)
    tb_buffer_append (&c->output, "+", 1);
  client_queue (c, (const uint8_t *) "E01", 3, true);
}

void
client_process (struct client *c)
{
  while (!c->gone && !c->leaving && c->input_used < c->input.size
	 && c->output.size - c->output_sent < OUTPUT_MAX)
    switch (packet_feed (&c->reader, c->input.data[c->input_used++]))
      {
      case PACKET_WHOLE:
	answer (c);
	break;
      case PACKET_DAMAGED:
	complain (c, true);
	break;
      case PACKET_TOO_LONG:
	complain (c, false);
	break;
      case PACKET_NAK:
	if (!c->no_ack)
	  tb_buffer_append (&c->output, c->sent.data, c->sent.size);
	break;
      case PACKET_NOTHING:
      case PACKET_ACK:
      case PACKET_INTERRUPT:	/* Nothing runs.  */
	break;
      }
  client_send (c);
}
