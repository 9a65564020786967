/* Monitor command for calls: calls.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "calls.h"
#include "monitor.h"
#include "recording/level-names.h"
#include "tasks.h"
#include "util/buffer.h"

/* Of more levels only the innermost ones are told.  */
#define SHOWN_MOST 100

/* Find the calls of what CALL's user looks at, into FOUND; of a task that waits say what it does.
   False: it is not known what it does.  */
static bool
find (const struct monitor_call *call, struct calls *found)
{
  struct client *c = call->client;
  struct thread_id id = c->frame < 0 ? c->chosen : (struct thread_id) { c->thread, 0 };
  struct tb_task_standing standing;
  if (id.task != 0)
    tasks_stand (c, id.task, &standing);
  if (id.task != 0 && standing.state != TB_TASK_RUNS)
    {
      struct tb_buffer text = { 0 };
      tasks_put_name (c, id, &text);
      tb_buffer_printf (&text, ": ");
      tasks_put_standing (c, id, &text);
      monitor_print (call, "%.*s\n", (int) text.size, (const char *) text.data);
      tb_buffer_fini (&text);
    }
  return calls_find (c, id.task, found);
}

/* calls, backtrace  */
static bool
calls (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  if (call->count != 1)
    return false;
  if (t->steps == 0)
    {
      monitor_print (call, "There are no steps.\n");
      return true;
    }
  struct calls s;
  if (!find (call, &s))
    return true;
  if (s.interrupted)
    monitor_print (call, "Interrupted.\n");
  else if (!s.found)
    monitor_print (call, "There is no memory to work that out.\n");
  for (size_t i = s.count; i > 0 && s.count - i < SHOWN_MOST; i--)
    {
      const struct tb_level *l = &s.levels[i - 1];
      char *name = tb_level_name (l, &t->core->profile);
      monitor_print (call, "#%-3zu %s %s step %" PRIu64 "\n", s.count - i,
		     name != NULL ? name : "?",
		     l->kind == TB_LEVEL_BASE ? "runs without a call since"
					      : "since", l->step);
      free (name);
    }
  if (s.count > SHOWN_MOST)
    monitor_print (call, "... and %zu more.\n", s.count - SHOWN_MOST);
  free (s.levels);
  return true;
}

const struct monitor_verb verbs_calls[] = {
  { "calls", "", "Tell by the trace which functions and exceptions are active, and since "
    "when.", calls },
  { "backtrace", "", "The same: a backtrace where GDB's own ends as registers or the stack "
    "are not known.", calls },
  { NULL, NULL, NULL, NULL }
};
