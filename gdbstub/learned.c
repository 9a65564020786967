/* What the project's commands for GDB ask in the middle of what GDB does.  See learned.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Python in GDB can send packets of its own in two ways.  The connection's send_packet makes GDB
   forget its frames, also those it is unwinding or showing; "maintenance packet", as each command
   that Python runs, makes GDB do the commands of a breakpoint that it is just telling of, which may
   move execution.  Both end in a crash of GDB 13.  So this is the document that the convenience
   variable $_sdata is read from, for which GDB does nothing else.  It has no parameters: what is
   asked about memory is asked of what was read just before.  There are no static tracepoints, whose
   data it is by the protocol (GDB manual, "General Query Packets", qXfer:statictrace:read).  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "frames.h"
#include "learned.h"
#include "threads.h"

/* Append what packet QUESTION is answered with, and END.  */
static void
put_answer (struct client *c, const char *question, const char *end, struct tb_buffer *text)
{
  struct tb_buffer kept = c->reply;
  c->reply = (struct tb_buffer) { 0 };
  packet_dispatch (c, (const uint8_t *) question, strlen (question));
  tb_buffer_append (text, c->reply.data, c->reply.size);
  tb_buffer_printf (text, "%s", end);
  text->failed |= c->reply.failed;
  tb_buffer_fini (&c->reply);
  c->reply = kept;
}

bool
make_learned (struct client *c, struct tb_buffer *text)
{
  char question[80];
  uint64_t thread = threads_number ((struct thread_id) { c->thread, c->task });
  c->learned = true;
  tb_buffer_printf (text, "tracebridge\n");
  snprintf (question, sizeof question, "qTracebridge.Interrupted:%" PRIx64, thread);
  put_answer (c, question, "\n", text);
  snprintf (question, sizeof question, "qTracebridge.Callers:%" PRIx64, thread);
  put_answer (c, question, "\n", text);
  tb_buffer_printf (text, "%" PRIx64 ",%" PRIx64 ",", c->read_address, c->read_length);
  snprintf (question, sizeof question, "qTracebridge.Known:%" PRIx64 ",%" PRIx64,
	    c->read_address, c->read_length);
  put_answer (c, question, "\n", text);
  /* The trace frame of this moment.  */
  uint64_t frame;
  if (!client_looks_at_waiting (c) && frames_here (c, &frame))
    tb_buffer_printf (text, "%" PRIu64, frame);
  tb_buffer_printf (text, "\n");
  client_put_refusal (c, text);
  tb_buffer_printf (text, "\n");
  c->read_marks = false;
  return true;
}

void
learned_tell (struct client *c)
{
  const struct tb_moment *moment = client_moment (c);
  if (c->learned || c->learned_said || c->is_lldb || moment == NULL || c->target->steps == 0)
    return;
  const struct tb_value *psr = &moment->values[TB_PSR];
  if (target_profile (c->target)->is_m
      && ((psr->bits & psr->mask & 0x1ff) == 0 || tb_moment_whole (&moment->values[TB_SP], 4)))
    return;
  c->learned_said = true;
  client_console (c, "This GDB has not loaded tracebridge's commands; without them \"backtrace\", "
		  "\"up\" and\n\"finish\" do not always get from handlers to what they "
		  "interrupted: \"source tracebridge.py\"\n(in build/gdb, or where it was "
		  "installed).\n");
}
