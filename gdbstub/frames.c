/* Trace frames of all cores.  See frames.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frames.h"

#include <math.h>
#include <stdlib.h>

#include "experiment.h"
#include "threads.h"
#include "together.h"
#include "util/search.h"

/* A frame of GDB's run.  */
struct merged_frame
{
  double time;
  uint32_t core, local;
};

static int
in_time (const void *a, const void *b)
{
  const struct merged_frame *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->core != y->core)
    return x->core < y->core ? -1 : 1;
  return x->local < y->local ? -1 : x->local > y->local;
}

void
frames_outdated (struct client *c)
{
  free (c->merged);
  c->merged = NULL;
  c->nmerged = 0;
}

/* The run of thread NUMBER, brought up to date; NULL: there is none.  */
static const struct tb_experiment *
run_of (struct client *c, size_t number)
{
  size_t selected = c->thread;
  threads_select (c, number);
  const struct tb_experiment *e = experiment_of (c);
  threads_select (c, selected);
  return e;
}

/* Put the frames of all runs in order.  Without memory there are none.  */
static void
merge (struct client *c)
{
  size_t count = 0;
  for (size_t i = 0; i < c->nthreads; i++)
    {
      const struct experiment *x = threads_target (c, i)->experiment;
      if (x != NULL && x->stale)
	frames_outdated (c);
      const struct tb_experiment *e = run_of (c, i);
      count += e != NULL ? e->count : 0;
    }
  if (c->merged != NULL)
    return;
  c->merged = calloc (count + 1, sizeof *c->merged);
  if (c->merged == NULL)
    {
      tb_recording_lacks_memory (c->target->recording);
      return;
    }
  for (size_t i = 0; i < c->nthreads; i++)
    {
      const struct tb_experiment *e = run_of (c, i);
      bool tied = together_tied (c, i);
      for (size_t k = 0; e != NULL && k < e->count; k++)
	c->merged[c->nmerged++] = (struct merged_frame) {
	  tied ? together_time (c, i, tb_experiment_frame (e, k)->step) : INFINITY,
	  (uint32_t) i, (uint32_t) k
	};
    }
  qsort (c->merged, c->nmerged, sizeof *c->merged, in_time);
}

/* How many frames those of thread NUMBER are whose place in time is known, and those behind
   all of these.  */
static void
count_of (struct client *c, size_t number, uint64_t *timed, uint64_t *others)
{
  uint64_t last = threads_target (c, number)->last;
  *timed = together_tied (c, number) ? last : 0;
  *others = last + 1 - *timed;
}

uint64_t
frames_count (struct client *c)
{
  uint64_t all = 0, timed, others;
  if (c->nthreads == 1)
    return experiment_frames (c);
  if (c->target->experiment != NULL)
    {
      merge (c);
      return c->nmerged;
    }
  for (size_t i = 0; i < c->nthreads; i++)
    {
      count_of (c, i, &timed, &others);
      all += timed + others;
    }
  /* GDB counts them in an int.  */
  return all < INT32_MAX ? all : INT32_MAX;
}

uint64_t
frames_number (struct client *c, size_t core, uint64_t local)
{
  uint64_t timed, others, number = 0;
  count_of (c, core, &timed, &others);
  if (local < timed)
    return together_rank (c, core, local);
  local -= timed;
  for (size_t i = 0; i < c->nthreads; i++)
    {
      count_of (c, i, &timed, &others);
      number += timed + (i < core ? others : 0);
    }
  return number + local;
}

bool
frames_find (struct client *c, uint64_t step, uint64_t *number)
{
  uint64_t first = c->nthreads == 1 ? c->target->first_frame : 0;
  if (c->target->experiment != NULL || step < first)
    return false;
  *number = c->nthreads == 1 ? step - first : frames_number (c, c->thread, step);
  return *number < frames_count (c);
}

bool
frames_here (struct client *c, uint64_t *number)
{
  if (c->target->experiment == NULL || c->frame >= 0)
    return frames_find (c, client_position (c), number);
  *number = FRAMES_HERE;
  return true;
}

bool
frames_look_here (struct client *c)
{
  /* GDB asks for it again when it reads the first register.  */
  if (c->at_moment)
    return true;
  if (c->target->experiment == NULL || c->frame >= 0)
    return false;
  c->local = (int64_t) (c->position - (c->nthreads == 1 ? c->target->first_frame : 0));
  c->frame = FRAMES_HERE;
  c->at_moment = true;
  return true;
}

uint64_t
frames_first (struct client *c, size_t core, uint64_t from)
{
  uint64_t local;
  TB_LOWER_BOUND (local, threads_target (c, core)->last + 1,
		  frames_number (c, core, local) < from);
  return local;
}

void
frames_at (struct client *c, uint64_t number, size_t *core, uint64_t *local)
{
  *core = c->thread;
  *local = number;
  if (c->nthreads == 1)
    return;
  if (c->target->experiment != NULL)
    {
      *core = c->merged[number].core;
      *local = c->merged[number].local;
      return;
    }
  for (*core = 0; *core < c->nthreads; ++*core)
    {
      *local = frames_first (c, *core, number);
      if (*local <= threads_target (c, *core)->last
	  && frames_number (c, *core, *local) == number)
	return;
    }
  /* Not reached: each number is one core's.  */
  *core = c->thread;
  *local = 0;
}

void
frames_look (struct client *c, uint64_t number)
{
  size_t core;
  uint64_t local;
  frames_at (c, number, &core, &local);
  threads_select (c, core);
  c->at_moment = false;
  c->frame = (int64_t) number;
  c->local = (int64_t) local;
}

void
frames_leave (struct client *c)
{
  if (c->frame < 0)
    return;
  c->frame = c->local = -1;
  c->at_moment = false;
  threads_look (c, c->user);
}
