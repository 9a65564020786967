/* GDB waits for an answer that takes long: look at what it says meanwhile, and tell it how far
   the command is.  See client.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "wire.h"

#include <inttypes.h>

#include "clock.h"
#include "server.h"

/* Searches ask far more often than there is anything new.  */
#define POLL_MS 2

/* A monitor command that looks for something tells after so long how far it is; a "-" that comes
   less than so long after that was sent before.  */
#define SIGN_MS 1000
#define CROSSED_MS 500
/* What comes so long after a monitor command was begun with was not sent ahead.  */
#define GIVE_UP_MS 1000
/* What GDB's "-" says counts no longer than this.  */
#define WAITING_MS 1000
/* GDB gives up on a packet, and looks at ^C, at each third "-".  */
#define GDB_TRIES 3

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
  client_queue_console (c, c->held.data, c->held.size);
  tb_buffer_clear (&c->held);
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
