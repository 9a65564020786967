/* What a client sees where it stands: registers, memory, and what was made up of them.  See
   client.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "client.h"

#include <inttypes.h>
#include <string.h>

#include "experiment.h"
#include "tasks.h"
#include "threads.h"

uint64_t
client_position (const struct client *c)
{
  const struct tb_trace_frame *frame = experiment_frame (c);
  if (frame != NULL)
    return frame->step;
  if (c->frame < 0)
    return c->position;
  return (uint64_t) c->local + (c->nthreads == 1 ? c->target->first_frame : 0);
}

const struct tb_moment *
client_core_moment (struct client *c)
{
  uint64_t position = client_position (c);
  if (!c->moment_valid || c->moment_position != position)
    {
      bool before = target_glance (c->target, true);
      c->moment_valid = target_moment (c->target, position, &c->moment,
				       &c->moment_has_pc);
      target_glance (c->target, before);
      c->moment_position = position;
      c->stacked_valid = c->filled_here = c->view_valid = false;
    }
  return c->moment_valid ? &c->moment : NULL;
}

const struct tb_moment *
client_moment (struct client *c)
{
  const struct tb_moment *moment = client_core_moment (c);
  /* All threads show the core of a trace frame.  */
  if (moment == NULL || c->task == 0 || c->frame >= 0)
    return moment;
  if (!c->view_valid || c->view_task != c->task)
    {
      c->waits = tasks_see (c, moment, &c->view);
      c->view_valid = true;
      c->view_task = c->task;
    }
  return c->waits ? &c->view : moment;
}

bool
client_looks_at_waiting (struct client *c)
{
  return c->task != 0 && client_moment (c) == &c->view;
}

enum unknown_policy
client_policy (const struct client *c)
{
  if (c->policy == UNKNOWN_FILLED || c->policy == UNKNOWN_AUTO)
    return c->is_lldb ? UNKNOWN_EXACT : UNKNOWN_AUTO;
  return c->policy;
}

const struct stacked *
client_stacked (struct client *c)
{
  const struct tb_moment *moment = client_moment (c);
  /* A task that waits is no handler.  */
  if (moment == NULL || moment == &c->view || client_policy (c) == UNKNOWN_EXACT)
    return NULL;
  if (!c->stacked_valid)
    stacked_find (c, moment, &c->stacked);
  c->stacked_valid = true;
  return c->stacked.count != 0 ? &c->stacked : NULL;
}

void
client_memory (struct client *c, uint64_t address, uint8_t *bytes,
	       uint8_t *origins, size_t length)
{
  target_memory (c->target, client_core_moment (c), address, bytes, origins, length);
  if (memchr (origins, TB_UNKNOWN, length) == NULL)
    return;
  const struct stacked *stacked = client_stacked (c);
  if (stacked != NULL && stacked_fill (stacked, address, bytes, origins, length))
    c->made_up_read = true;
}

void
client_put_refusal (const struct client *c, struct tb_buffer *text)
{
  if (c->write_refused)
    tb_buffer_printf (text, "Memory at 0x%" PRIx64 " was not written: the program has run, and "
		      "what was recorded cannot be changed.", c->write_address);
  else if (c->part_refused && !c->part_said)
    tb_buffer_printf (text, "Memory at 0x%" PRIx64 " is not known, so GDB shows nothing of what "
		      "it is a part of; after \"tfind\" it shows the rest, and \"monitor unknown "
		      "filled\" fills it.", c->part_address);
}

void
client_refusal_told (struct client *c)
{
  c->part_said |= c->part_refused && !c->write_refused;
  c->write_refused = c->part_refused = false;
}

/* GDB has one program for all threads: tell of each that is a core which ran another one.  */
static void
tell_other_programs (struct client *c)
{
  const char *elf = NULL;
  for (size_t i = 0; i < c->nthreads && elf == NULL; i++)
    elf = threads_target (c, i)->elf;
  for (size_t i = 0; i < c->nthreads && elf != NULL; i++)
    {
      const struct target *t = threads_target (c, i);
      if (t->wrong_elf != NULL && t->elf == NULL)
	client_console (c, "%s ran another program than %s: functions and lines that GDB shows of "
			"thread %" PRIu64 " are not what\nran (--threads=none has a GDB for each "
			"core).\n", t->name, elf, threads_number ((struct thread_id) { i, 0 }));
    }
}

void
client_tell_made_up (struct client *c)
{
  if (!c->names_said && !c->is_lldb)
    tell_other_programs (c);
  c->names_said = true;
  if (c->made_up_read && !c->made_up_said)
    client_console (c, "Memory that GDB has read for the way out of a handler has bits "
		    "that are made up, as\nthey are not known.  \"monitor where\" lists "
		    "such words where there are any; there\n$unknown_memory is 1.\n");
  c->made_up_said = c->made_up_read;
  /* LLDB reads far more than what it shows.  */
  uint64_t first, filled = filled_bytes (&c->filled, &first);
  if (filled != 0 && c->is_lldb && !c->filled_said)
    client_console (c, "Memory that is not known shows 0xbad00bad, as LLDB would show that "
		    "of the program file\notherwise.\n");
  else if (filled != 0 && !c->is_lldb)
    client_console (c, "Of the memory that GDB has read in pieces that are known in part, %s%"
		    PRIu64 " bytes are not known\n(the first at 0x%" PRIx64 "); they show "
		    "0xbad00bad%s.\n", c->filled.more != 0 ? "up to " : "", filled, first,
		    c->filled.more != 0 ? " where they are not marked" : "");
  c->filled_said |= filled != 0;
  struct tb_buffer text = { 0 };
  if (!c->is_lldb)
    client_put_refusal (c, &text);
  if (text.size != 0 && !text.failed)
    client_console (c, "%.*s\n", (int) text.size, (const char *) text.data);
  tb_buffer_fini (&text);
  client_refusal_told (c);
  if (c->keeps_frame)
    client_console (c, "GDB still looks at a trace frame, so it shows no memory of what runs now: "
		    "type \"tfind none\".\n");
  c->keeps_frame = false;
  c->filled.count = c->filled.more = 0;
}
