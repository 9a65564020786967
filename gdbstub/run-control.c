/* Beginning, ending and leaving: ?, !, vRun, vAttach, R, vKill, k and D.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   By "target extended-remote" GDB can begin again: the recorded run begins at its first
   step.  It can also end or leave the program and stay connected, and begin or attach later.

   Source: GDB manual, "Packets", "Stop Reply Packets"; GDB 13.1, remote.c.  */

#include "config.h"

#include "dispatch.h"
#include "frames.h"
#include "run.h"
#include "threads.h"
#include "together.h"

#define SIGNAL_TRAP 5

static void
why_stopped (struct client *c, const struct packet_args *args)
{
  (void) args;
  /* It has exited, as far as GDB can know.  */
  if (c->ended)
    reply_text (c, "W00");
  else
    {
      reply_stop (c, SIGNAL_TRAP, "");
      /* LLDB shows no messages before the first motion.  */
      if (c->is_lldb && c->policy != UNKNOWN_EXACT && c->policy != UNKNOWN_NAVIGABLE)
	reply_description (c, "attached; memory that is not known shows 0xbad00bad");
    }
}

static void
extend (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->extended = true;
  reply_ok (c);
}

/* Make C's execution stand at the beginning or the END, when GDB knows nothing of it.  */
static void
begin_at (struct client *c, bool end)
{
  c->ended = c->moved = c->goes = c->watch_stop = false;
  c->anew = !end;
  c->keeps_frame |= c->frame >= 0;
  frames_leave (c);
  /* GDB has looked at each core, and a core without trace would be at its end.  */
  for (size_t i = 0; !end && c->nthreads > 1 && i < c->nthreads; i++)
    if (threads_target (c, i)->steps != 0)
      {
	threads_look (c, (struct thread_id) { i, 0 });
	break;
      }
  together_begin (c, end);
}

/* vRun;PROGRAM[;ARGUMENT...]: what has run had its own.  */
static void
run (struct client *c, const struct packet_args *args)
{
  (void) args;
  begin_at (c, false);
  reply_stop (c, SIGNAL_TRAP, "");
  c->announces = c->knows_threads_made;
  c->announced = THREADS_FIRST;
}

/* R has no reply.  */
static void
restart (struct client *c, const struct packet_args *args)
{
  (void) args;
  begin_at (c, false);
  c->no_reply = true;
}

static void
attach (struct client *c, const struct packet_args *args)
{
  (void) args;
  if (c->ended)
    begin_at (c, true);
  reply_stop (c, SIGNAL_TRAP, "");
}

/* The recording stays as it is; there is nothing to leave but the client.  */
static void
detach (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_ok (c);
  c->ended = c->extended;
  c->leaving = !c->extended;
}

static void
kill_it (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->no_reply = true;
  c->leaving = true;
}

/* qTracebridge.FrontEnd: the project's commands for GDB have found that a front end uses it.  */
static void
front_end (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->has_front_end = true;
  reply_ok (c);
}

const struct packet_handler packets_control[] = {
  { "?", "", why_stopped },
  { "!", "", extend },
  { "vRun;", "*", run },
  { "R", "*", restart },
  { "vAttach;", "*", attach },
  { "D", "*", detach },
  { "vKill;", "*", detach },
  { "k", "", kill_it },
  { "qTracebridge.FrontEnd", "", front_end },
  { NULL, NULL, NULL }
};
