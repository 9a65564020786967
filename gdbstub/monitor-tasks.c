/* Monitor command for the tasks of a kernel: tasks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <string.h>

#include "monitor.h"
#include "recording/task-standing.h"
#include "tasks.h"

/* Say what the user may give where stack pointers of tasks that wait are not known.  */
static void
tell_missing (const struct monitor_call *call)
{
  struct client *c = call->client;
  unsigned missing = 0;
  if (c->frame >= 0 || c->target->assume & TB_ASSUME_TASKS)
    return;
  for (unsigned i = tasks_count (c, c->thread); i > 0; i--)
    {
      c->task = i;
      const struct tb_moment *moment = client_moment (c);
      missing += moment != NULL && client_looks_at_waiting (c)
		 && !tb_moment_whole (&moment->values[TB_SP], 4);
    }
  c->task = 0;
  if (missing != 0)
    monitor_print (call, "Of %u tasks that wait the stack pointer is not known here: \"monitor "
		   "assume tasks on\" (--assume=tasks)\ntakes it that each goes on with what it "
		   "was suspended with, and may tell it.\n", missing);
}

/* tasks  */
static bool
tasks (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  struct tb_buffer text = { 0 };
  if (call->count != 1)
    return false;
  const struct tb_tasks *all = target_tasks (t);
  if (all == NULL)
    monitor_print (call, "There is no memory to work that out.\n");
  else if (tb_tasks_count (all) == 0)
    monitor_print (call, "The trace shows no tasks: no exception returned elsewhere "
		   "than where it interrupted.\n");
  else if (!tb_tasks_put (&text, all, client_position (call->client), t->steps,
			  t->symbols))
    {
      /* What is there may end anywhere.  */
      text.size = 0;
      monitor_print (call, "There is no memory to tell that.\n");
    }
  unsigned number = 0;
  for (size_t at = 0; at < text.size;)
    {
      const char *line = (const char *) text.data + at;
      const char *next = memchr (line, '\n', text.size - at);
      struct tb_buffer kernel = { 0 };
      tasks_put_kernel (t, ++number, client_position (call->client), &kernel);
      monitor_print (call, "%.*s%.*s\n", (int) (next - line), line, (int) kernel.size,
		     kernel.size != 0 ? (const char *) kernel.data : "");
      tb_buffer_fini (&kernel);
      at += (size_t) (next + 1 - line);
    }
  tb_buffer_fini (&text);
  if (tb_tasks_count (all) != 0)
    tell_missing (call);
  return true;
}

/* follow [task|core]  */
static bool
follow (const struct monitor_call *call)
{
  struct client *c = call->client;
  if (call->count > 2
      || (call->count == 2 && strcmp (call->words[1], "task") != 0
	  && strcmp (call->words[1], "core") != 0))
    return false;
  if (call->count == 2)
    c->follows_core = strcmp (call->words[1], "core") == 0;
  monitor_print (call, c->follows_core
		 ? "core: steps stop in the task that is switched to, and all stops are of the "
		 "core's thread: breakpoints\nof a task's thread (\"break ... "
		 "thread N\") never stop.\n"
		 : "task: steps go on where the same task does, and stops are of the task that "
		 "runs.\n");
  if (c->follows_core && c->chosen.task != 0)
    monitor_print (call, "Look at the thread of %s (\"info threads\") to go on from here.\n",
		   c->target->name);
  return true;
}

const struct monitor_verb verbs_tasks[] = {
  { "tasks", "", "Tell by the trace which tasks of a kernel run and wait, where, and since "
    "when.", tasks },
  { "follow", "[task|core]",
    "Tell or set what steps do where a kernel switches: go on with the same task, or stop "
    "in the next.", follow },
  { NULL, NULL, NULL, NULL }
};
