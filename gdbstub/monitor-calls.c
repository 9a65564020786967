/* Monitor command for calls: calls.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "monitor.h"
#include "recording/level-names.h"
#include "state/answer/level-sp.h"
#include "tasks.h"
#include "util/buffer.h"

/* The recording is looked through from its start: so many pieces of code between two
   looks at whether GDB interrupts.  */
#define PIECES 65536

/* Of more levels only the innermost ones are told.  */
#define SHOWN_MOST 100

struct search
{
  struct client *client;
  uint64_t step;		/* Whose levels are wanted.  */
  struct tb_level *levels;	/* A copy; the outermost first.  */
  size_t count, room;
  unsigned pieces;
  bool interrupted_task;	/* Only those of the task that exceptions interrupt.  */
  bool found, failed, interrupted;
};

static bool
take (struct search *s, const struct tb_level *levels, size_t count)
{
  void *items = s->levels;
  s->failed = !tb_grow (&items, &s->room, 0, count, sizeof *s->levels);
  s->levels = items;
  for (size_t i = 0; i < count && !s->failed; i++)
    s->levels[i] = levels[i];
  s->count = s->failed ? 0 : count;
  return !s->failed;
}

static bool
ran (void *context, struct tb_level *levels, size_t count, uint64_t step,
     uint64_t address, uint32_t instructions)
{
  struct search *s = context;
  (void) address;
  if (s->step - step < instructions)
    {
      for (size_t i = 0; s->interrupted_task && i < count; i++)
	if (levels[i].kind == TB_LEVEL_EXCEPTION)
	  count = i;
      s->found = take (s, levels, count);
      return false;
    }
  return true;
}

/* Where a function or an exception begins the client may interrupt.  */
static bool
open_one (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct search *s = context;
  (void) levels;
  (void) count;
  (void) step;
  s->interrupted = ++s->pieces % PIECES == 0 && !client_poll (s->client);
  return !s->interrupted;
}

/* If CALL's user looks at a task that waits, let S look for its calls, and say what it does.
   False: it is not known what it does.  */
static bool
look_at_task (const struct monitor_call *call, struct search *s)
{
  struct client *c = call->client;
  struct tb_task_standing standing;
  struct tb_buffer text = { 0 };
  bool known = true;
  if (c->frame >= 0 || c->chosen.task == 0)
    return true;
  tasks_stand (c, c->chosen.task, &standing);
  if (standing.state == TB_TASK_RUNS)
    return true;
  tasks_put_name (c, c->chosen, &text);
  tb_buffer_printf (&text, ": ");
  tasks_put_standing (c, c->chosen, &text);
  monitor_print (call, "%.*s\n", (int) text.size, (const char *) text.data);
  s->interrupted_task = true;
  if (standing.unsure != UINT64_MAX || standing.state == TB_TASK_LOST || standing.beyond)
    known = false;
  else if (standing.state == TB_TASK_WAITS)
    s->step = standing.slice->suspended;
  else
    s->step = standing.next->step;
  tb_buffer_fini (&text);
  return known;
}

/* calls, backtrace  */
static bool
calls (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  uint64_t position = client_position (call->client);
  if (call->count != 1)
    return false;
  if (t->steps == 0)
    {
      monitor_print (call, "There are no steps.\n");
      return true;
    }
  const struct tb_symbols *symbols = target_symbols (t);
  struct tb_level_sp sp = { .recording = t->recording, .state = t->state };
  /* At the end what ran last is still open.  */
  struct search s = { .client = call->client,
		      .step = position < t->steps ? position : t->steps - 1 };
  if (!look_at_task (call, &s))
    return true;
  const struct tb_tasks *tasks = target_tasks (t);
  const struct tb_level_user user = {
    .open = open_one, .ran = ran, .context = &s, .sp = tb_level_sp,
    .sp_context = &sp, .tasks = tasks
  };
  if (tasks != NULL)
    tb_levels_walk (t->recording, symbols, &user);
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
  tb_level_sp_fini (&sp);
  return true;
}

const struct monitor_verb verbs_calls[] = {
  { "calls", "", "Tell by the trace which functions and exceptions are active, and since "
    "when.", calls },
  { "backtrace", "", "The same: a backtrace where GDB's own ends as registers or the stack "
    "are not known.", calls },
  { NULL, NULL, NULL, NULL }
};
