/* The calls and exceptions under way, by the trace.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "calls.h"

#include "state/answer/level-sp.h"
#include "tasks.h"
#include "util/buffer.h"

/* The recording is looked through from its start: so many pieces of code between two
   looks at whether GDB interrupts.  */
#define PIECES 65536

struct search
{
  struct client *client;
  uint64_t step;		/* Whose levels are wanted.  */
  struct calls *found;
  size_t room;
  unsigned pieces;
  bool interrupted_task;	/* Only those of the task that exceptions interrupt.  */
  bool failed;
  size_t depth;			/* The level whose end is wanted, and its first step; */
  uint64_t first, over;		/* that; 0: it has none.  */
};

static bool
take (struct search *s, const struct tb_level *levels, size_t count)
{
  s->failed = !TB_GROW (s->found->levels, s->room, 0, count);
  for (size_t i = 0; i < count && !s->failed; i++)
    s->found->levels[i] = levels[i];
  s->found->count = s->failed ? 0 : count;
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
      s->found->found = take (s, levels, count);
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
  s->found->interrupted = ++s->pieces % PIECES == 0 && !client_poll (s->client);
  return !s->found->interrupted;
}

/* The step at which the calls of task NUMBER of the core that C looks at are those of now, into
   *STEP.  False: it is not known.  */
static bool
find_suspended (struct client *c, unsigned number, struct search *s)
{
  struct tb_task_standing standing;
  if (number == 0)
    return true;
  tasks_stand (c, number, &standing);
  if (standing.state == TB_TASK_RUNS)
    return true;
  if (standing.unsure != UINT64_MAX || standing.state == TB_TASK_LOST || standing.beyond)
    return false;
  s->interrupted_task = true;
  s->step = standing.state == TB_TASK_WAITS ? standing.slice->suspended : standing.next->step;
  return true;
}

/* Walk the levels of C's core for S, which has what is called back.  */
static void
walk (struct client *c, struct tb_level_user *user)
{
  struct target *t = c->target;
  struct tb_level_sp sp = { .recording = t->recording, .state = t->state };
  user->open = open_one;
  user->sp = tb_level_sp;
  user->sp_context = &sp;
  user->tasks = target_tasks (t);
  if (user->tasks != NULL)
    tb_levels_walk (t->recording, target_symbols (t), user);
  tb_level_sp_fini (&sp);
}

bool
calls_find (struct client *c, unsigned task, struct calls *found)
{
  struct target *t = c->target;
  uint64_t position = client_position (c);
  /* At the end what ran last is still open.  */
  struct search s = { .client = c, .found = found,
		      .step = position < t->steps ? position : t->steps - 1 };
  *found = (struct calls) { 0 };
  if (!find_suspended (c, task, &s))
    return false;
  struct tb_level_user user = { .ran = ran, .context = &s };
  walk (c, &user);
  return true;
}

/* The level that is waited for has ended?  */
static bool
closed (void *context, struct tb_level *levels, size_t count, uint64_t step,
	enum tb_level_end end, uint64_t by)
{
  struct search *s = context;
  const struct tb_level *level = &levels[count - 1];
  (void) by;
  if (count != s->depth || level->step != s->first || level->kind != TB_LEVEL_CALL)
    return true;
  s->over = end == TB_LEVEL_RETURNED ? step : 0;
  return false;
}

bool
calls_find_end (struct client *c, size_t at, uint64_t first, uint64_t *over)
{
  struct calls none = { 0 };
  struct search s = { .client = c, .found = &none, .depth = at + 1, .first = first };
  struct tb_level_user user = { .close = closed, .context = &s };
  walk (c, &user);
  *over = s.over;
  return s.over != 0;
}
