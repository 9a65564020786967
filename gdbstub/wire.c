/* The bytes of a connection.  See wire.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "server.h"

/* Input that is kept while nobody looks at it.  A client that has more outstanding has to
   wait.  */
#define INPUT_MAX ((size_t) 4 * PACKET_LIMIT)

void
client_lose (struct client *c)
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
	client_lose (c);
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

void
client_queue (struct client *c, const uint8_t *contents, size_t length, bool again)
{
  struct tb_buffer *packet = &c->sent;
  struct tb_buffer once = { 0 };
  if (!again)
    packet = &once;
  tb_buffer_clear (packet);
  packet_append (packet, contents, length);
  tb_buffer_append (&c->output, packet->data, packet->size);
  if (packet->failed || c->output.failed)
    client_lose (c);
  tb_buffer_fini (&once);
  c->said = now_ms ();
  client_send (c);
}

void
client_queue_console (struct client *c, const void *text, size_t length)
{
  struct tb_buffer contents = { 0 };
  tb_buffer_append (&contents, "O", 1);
  tb_hex_append (&contents, text, length);
  if (contents.failed)
    client_lose (c);
  else
    client_queue (c, contents.data, contents.size, false);
  tb_buffer_fini (&contents);
}
