/* Clients.  See client.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "client.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
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

/* Input that is kept while nobody looks at it, and output that nobody reads.  A
   client that has more outstanding has to wait.  */
#define INPUT_MAX ((size_t) 4 * PACKET_LIMIT)
#define OUTPUT_MAX ((size_t) 16 * PACKET_LIMIT)

/* Searches ask far more often than there is anything new.  */
#define POLL_MS 2

/* A monitor command that looks for something tells after so long how far it is; a "-" that comes
   less than so long after that was sent before.  */
#define SIGN_MS 1000
#define CROSSED_MS 500
/* What comes so long after a monitor command was begun with was not sent ahead.  */
#define GIVE_UP_MS 1000
/* In so long its user may have typed ^C.  */
#define PATIENCE_MS 500
/* What GDB's "-" says counts no longer than this.  */
#define WAITING_MS 1000
/* GDB gives up on a packet, and looks at ^C, at each third "-".  */
#define GDB_TRIES 3
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

/* There is no memory to talk to C: it has to go.  */
static void
lose (struct client *c)
{
  if (!c->gone)
    tb_error (c->server->targets->items[0].diag, "%s%sno memory to talk to a client; its "
	      "connection is closed", c->target != NULL ? c->target->name : "",
	      c->target != NULL ? ": " : "");
  c->gone = true;
}

void
client_receive (struct client *c)
{
  if (c->input_used != 0)
    {
      memmove (c->input.data, c->input.data + c->input_used,
	       c->input.size - c->input_used);
      c->input.size -= c->input_used;
      c->input_used = 0;
    }
  while (!c->gone && c->input.size < INPUT_MAX)
    {
      struct pollfd ready = { .fd = c->in, .events = POLLIN };
      if (poll (&ready, 1, 0) <= 0)
	return;
      uint8_t bytes[16384];
      ssize_t n = read (c->in, bytes, sizeof bytes);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
	return;
      if (n <= 0)
	c->gone = true;
      else
	tb_buffer_append (&c->input, bytes, (size_t) n);
      if (c->input.failed)
	lose (c);
    }
}

void
client_drop_repeats (struct client *c)
{
  const uint8_t *data = c->input.data, *first, *last = NULL;
  if (c->input.size == 0
      || (first = memchr (data, '$', c->input.size)) == NULL)
    return;
  for (const uint8_t *p = first; p != NULL;
       p = memchr (p + 1, '$', (size_t) (data + c->input.size - p - 1)))
    last = p;
  size_t length = (size_t) (data + c->input.size - last);
  bool whole = length > 4 && last[length - 3] == '#';
  for (const uint8_t *p = first; whole && p < last; p++)
    if (*p == '$')
      whole = (size_t) (last - p) >= length && memcmp (p, last, length) == 0;
  if (whole)
    c->input_used = (size_t) (last - data);
}

void
client_send (struct client *c)
{
  while (!c->gone && c->output_sent < c->output.size)
    {
      struct pollfd ready = { .fd = c->out, .events = POLLOUT };
      if (poll (&ready, 1, 0) <= 0)
	return;
      /* A pipe that is ready takes this much without waiting.  */
      size_t rest = c->output.size - c->output_sent;
      if (c->in != c->out && rest > 4096)
	rest = 4096;
      ssize_t n = write (c->out, c->output.data + c->output_sent, rest);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
	return;
      if (n <= 0)
	c->gone = true;
      else
	c->output_sent += (size_t) n;
    }
  if (c->output_sent == c->output.size)
    {
      tb_buffer_clear (&c->output);
      c->output_sent = 0;
    }
}

/* Put the packet with these contents into the output.  */
static void
queue (struct client *c, const uint8_t *contents, size_t length, bool again)
{
  struct tb_buffer *packet = &c->sent;
  struct tb_buffer once = { 0 };
  if (!again)
    packet = &once;
  tb_buffer_clear (packet);
  packet_append (packet, contents, length);
  tb_buffer_append (&c->output, packet->data, packet->size);
  if (packet->failed || c->output.failed)
    lose (c);
  tb_buffer_fini (&once);
  c->said = now_ms ();
  client_send (c);
}

/* Send TEXT for GDB's console.  */
static void
queue_console (struct client *c, const void *text, size_t length)
{
  struct tb_buffer contents = { 0 };
  tb_buffer_append (&contents, "O", 1);
  tb_hex_append (&contents, text, length);
  if (contents.failed)
    lose (c);
  else
    queue (c, contents.data, contents.size, false);
  tb_buffer_fini (&contents);
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
    queue_console (c, text, length);
  if (c->held.failed)
    lose (c);
}

void
client_console (struct client *c, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  client_console_of (c, "", format, arguments);
  va_end (arguments);
}

/* GDB waits for the answer to a monitor command, or one of trace frames: tell what there is to
   tell, and how far the command is.  In one packet: GDB looks at ^C behind each, and reads no
   other.  */
static void
tell_progress (struct client *c, uint64_t now)
{
  if (c->reached < c->target->steps)
    client_console (c, "Looking: step %" PRIu64 " of %" PRIu64 ".\n", c->reached,
		    c->target->steps);
  else
    client_console (c, "Working it out: %" PRIu64 " seconds.\n", (now - c->begun) / 1000);
  queue_console (c, c->held.data, c->held.size);
  tb_buffer_clear (&c->held);
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
	lose (c);
      else
	queue (c, contents.data, contents.size, true);
      tb_buffer_fini (&contents);
      return;
    }
  for (size_t at = 0; at < length; at += CONSOLE_PIECE)
    queue_console (c, text + at, length - at < CONSOLE_PIECE ? length - at : CONSOLE_PIECE);
  queue (c, c->reply.data, c->reply.size, true);
}

void
client_attend (struct client *c)
{
  uint64_t now = now_ms ();
  if (now - c->polled < POLL_MS)
    return;
  bool prompt = now - (c->polled > c->begun ? c->polled : c->begun) < WAITING_MS;
  bool waits = false;
  c->polled = now;
  size_t received = c->input.size - c->input_used;
  client_receive (c);
  client_send (c);
  /* Between the packet that is being worked on and the next one there may be
     acknowledgements, and ^C; of a GDB that waits for the answer to such a command "-" each 2
     seconds ("set remotetimeout").  That is how the stub knows that it does: its user's ^C then
     sends nothing.  Behind the third "-" it gives up the packets of trace frames by itself.  */
  while (c->input_used < c->input.size)
    {
      uint8_t byte = c->input.data[c->input_used];
      if (byte == 3)
	c->interrupted = true;
      else if (byte == '-' && c->may_give_up)
	waits = ++c->waited % GDB_TRIES != 0;
      else if (byte != '+')
	break;
      c->input_used++;
      received -= received > 0;
    }
  if (waits && c->signalled != 0 && now - c->signalled < CROSSED_MS)
    {
      waits = false;
      c->waited = 0;
    }
  /* A client that sends packets ahead sends them at once.  */
  if (c->may_give_up && received == 0 && c->input_used < c->input.size
      && now - c->begun > GIVE_UP_MS)
    c->given_up = c->interrupted = true;
  else if (waits && (prompt || !c->takes_text))
    {
      c->signalled = now;
      tell_progress (c, now);
      c->waited = 0;
    }
  /* GDB looks at ^C when it has sent the command, and then not before a packet comes or it has said
     "-" three times: so it waits for the first one still.  */
  else if (c->may_give_up && !c->is_lldb && c->signalled == 0 && c->waited == 0
	   && c->reached < c->target->steps && now - c->begun >= SIGN_MS)
    {
      c->signalled = now;
      tell_progress (c, now);
    }
}

bool
client_poll (void *client)
{
  struct client *c = client;
  bool ended = false;
  if (now_ms () - c->polled >= POLL_MS)
    {
      client_attend (c);
      ended = !server_attend (c->server);
    }
  return !ended && !c->gone && !c->interrupted;
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
    lose (c);
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
  queue (c, (const uint8_t *) "E01", 3, true);
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
