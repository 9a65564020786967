/* Cores at one moment.  See together.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "together.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "software.h"
#include "threads.h"

/* GDB steps a thread alone over a breakpoint, and over what is watched.  What others come by
   meanwhile stops them later, unless the user does without it for more steps.  */
#define STEPS_OVER 2

/* A moment: before the step that ran on CORE at TIME, or BEHIND it.  */
struct moment
{
  double time;
  size_t core;
  bool behind;
};

static bool
is_before (const struct moment *a, const struct moment *b)
{
  return a->time != b->time ? a->time < b->time
	 : a->core != b->core ? a->core < b->core : a->behind < b->behind;
}

bool
together_tied (const struct client *c, size_t number)
{
  const struct tb_stamps *stamps = target_stamps (threads_target (c, number));
  return stamps != NULL && stamps->count > 0;
}

/* The moment at which thread NUMBER leads at POSITION.  */
static struct moment
moment_of (const struct client *c, size_t number, uint64_t position)
{
  const struct target *t = threads_target (c, number);
  bool behind = position >= t->steps;
  double time = tb_stamps_ran (&t->stamps, behind ? t->steps - 1 : position);
  return (struct moment) { time, number, behind };
}

/* How many steps thread NUMBER, which does not lead, has made at MOMENT.  */
static uint64_t
steps_at (const struct client *c, size_t number, const struct moment *moment)
{
  const struct target *t = threads_target (c, number);
  return tb_stamps_ran_before (&t->stamps, t->steps, moment->time,
			       number < moment->core);
}

/* Where it stands.  */
static uint64_t
standing (const struct client *c, size_t number, const struct moment *moment)
{
  uint64_t steps = steps_at (c, number, moment), last = threads_target (c, number)->last;
  return steps < last ? steps : last;
}

double
together_time (const struct client *c, size_t number, uint64_t step)
{
  return moment_of (c, number, step).time;
}

uint64_t
together_rank (const struct client *c, size_t number, uint64_t step)
{
  const struct moment moment = moment_of (c, number, step);
  uint64_t rank = step;
  for (size_t i = 0; i < c->nthreads; i++)
    if (i != number && together_tied (c, i))
      rank += standing (c, i, &moment);
  return rank;
}

/* Nothing that thread NUMBER came by so far is to stop it.  */
static void
settle (struct client *c, size_t number)
{
  struct thread *t = &c->threads[number];
  t->reported = t->looked = threads_position (c, number);
}

static uint64_t
least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t
most (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* T, which does not lead, has moved from FROM to TO.  UNREPORTED: what it comes by was not
   looked for.  Where what was not reported before stops another thread, T may have moved
   against the way that all go.  */
static void
note_move (struct thread *t, uint64_t from, uint64_t to, bool backward,
	   bool unreported)
{
  if (from == to)
    return;
  if (backward && to < from)
    {
      t->reported = unreported ? most (t->reported, from) : to;
      t->looked = unreported ? most (t->looked, from) : to;
    }
  else if (backward)
    {
      t->reported = most (t->reported, to);
      t->looked = most (t->looked, to);
    }
  else if (to > from)
    {
      /* A breakpoint where it stands now comes later than this moment.  */
      t->reported = unreported ? least (t->reported, from) : to - 1;
      t->looked = unreported ? least (t->looked, from) : to;
    }
  else
    {
      t->reported = least (t->reported, to);
      t->looked = least (t->looked, to);
    }
}

/* Take all but the one that leads to MOMENT; UNREPORTED as above.  */
static void
take_others (struct client *c, const struct moment *moment, bool backward,
	     bool unreported)
{
  for (size_t i = 0; i < c->nthreads; i++)
    {
      struct thread *t = &c->threads[i];
      if (i == c->leader || !together_tied (c, i))
	continue;
      uint64_t from = threads_position (c, i);
      uint64_t to = moment->time == INFINITY ? threads_target (c, i)->last
		    : moment->time == -INFINITY ? 0 : standing (c, i, moment);
      threads_move (c, i, to);
      note_move (t, from, to, backward, unreported);
    }
}

/* Let M, of what its client looks at, find what that thread came by when others were moved,
   too.  */
static void
look_back (struct motion *m)
{
  const struct client *c = m->client;
  const struct thread *t = &c->threads[c->thread];
  if (m->backward ? t->reported > m->from : t->reported < m->from)
    m->from = t->reported;
  if (m->backward ? t->looked > c->position : t->looked < c->position)
    m->look = t->looked;
}

/* Make M, of the thread that leads, one of thread NUMBER, which its client looks at now,
   up to MOMENT.  False: there is nothing to look for.  */
static bool
follow_motion (struct motion *m, size_t number, const struct moment *moment)
{
  struct client *c = m->client;
  uint64_t steps = moment->time == INFINITY ? c->target->steps
		   : moment->time == -INFINITY ? 0 : steps_at (c, number, moment);
  m->extent = GO_ON;
  m->anew = false;
  m->follows = true;
  m->other = m->passed.any = false;
  m->elsewhere = HANDLER_NOT_OVER;
  m->missed = MISSED_NOTHING;
  m->reached = NULL;
  m->from = c->position;
  m->look = motion_watch_from (c, m->backward);
  look_back (m);
  if (m->backward)
    {
      m->limit = steps;
      return m->from > steps || m->look > steps;
    }
  if (steps == 0)
    return false;
  m->limit = steps == c->target->steps ? UINT64_MAX : steps - 1;
  return steps > m->from || steps > m->look;
}

/* The moment at which M, of thread NUMBER, ends at E; ALONE as for together_go.  */
static struct moment
moment_of_end (const struct motion *m, size_t number, const struct motion_end *e,
	       bool alone)
{
  const struct target *t = threads_target (m->client, number);
  if (e->kind != MOTION_AT_END)
    return moment_of (m->client, number, e->position);
  if (m->extent == GO_ON && !alone)
    return (struct moment) { m->backward ? -INFINITY : INFINITY, number, false };
  return moment_of (m->client, number, m->backward ? 0 : t->last);
}

/* What was looked for on one core, and up to which moment.  */
struct core_search
{
  bool made;
  struct moment limit;
  struct motion_end end;
};

/* Thread NUMBER comes no further than MOMENT, where another one ends M: tell what it may have
   missed until then, which is known from SEARCH where that ended there.  */
static void
tell_unknown_of (const struct motion *m, size_t number, const struct moment *moment,
		 struct core_search *search)
{
  struct motion other = *m;
  threads_select (m->client, number);
  if (!follow_motion (&other, number, moment))
    return;
  if (!search->made || search->limit.time != moment->time || search->limit.core != moment->core
      || search->limit.behind != moment->behind)
    motion_find_end (&other, &search->end);
  if (search->end.kind == MOTION_FAILED)
    threads_say (m->client, "What was passed over on the way was not looked for to the end.\n");
  else
    motion_tell_unknown (&other, &search->end);
}

/* Find out whether another core than the one that M moves to E stops first: then *M, *E and
   *MOMENT are of that one.  E may be MOTION_FAILED.  Otherwise tell what all but that one may
   have missed.  */
static void
find_first (struct motion *m, struct motion_end *e, struct moment *moment)
{
  struct client *c = m->client;
  size_t leader = c->thread, first = leader;
  struct core_search *searches = NULL;
  /* Without watchpoints there is nothing to miss.  */
  if (m->nwatches != 0
      && (searches = calloc (c->nthreads, sizeof *searches)) == NULL)
    {
      *e = (struct motion_end) { MOTION_FAILED, .why = TB_SEARCH_NO_MEMORY };
      return;
    }
  for (size_t i = 0; i < c->nthreads; i++)
    {
      struct motion_end end;
      struct motion other = *m;
      if (i == leader || !together_tied (c, i))
	continue;
      threads_select (c, i);
      if (!follow_motion (&other, i, moment))
	continue;
      motion_find_end (&other, &end);
      m->told = other.told;
      if (end.kind == MOTION_FAILED)
	{
	  *e = end;
	  /* The search that did not come to its end is none of the leader.  */
	  motion_tell_interrupted (&other, end.why);
	  m->reached = NULL;
	  break;
	}
      if (searches != NULL)
	searches[i] = (struct core_search) { true, *moment, end };
      struct moment when = { 0 };
      if (end.kind != MOTION_AT_END)
	when = moment_of_end (&other, i, &end, false);
      if (end.kind != MOTION_AT_END
	  && (m->backward ? is_before (moment, &when) : is_before (&when, moment)))
	{
	  *m = other;
	  *e = end;
	  *moment = when;
	  first = i;
	}
    }
  for (size_t i = 0; searches != NULL && e->kind != MOTION_FAILED && i < c->nthreads; i++)
    if (i != first && together_tied (c, i))
      tell_unknown_of (m, i, moment, &searches[i]);
  free (searches);
  threads_select (c, e->kind == MOTION_FAILED ? leader : first);
}

/* Tell what software said on the way of each thread.  */
static void
tell_software (struct client *c)
{
  size_t selected = c->thread;
  for (size_t i = 0; i < c->nthreads; i++)
    if (threads_position (c, i) != c->threads[i].from)
      {
	threads_select (c, i);
	software_tell (c, c->threads[i].from);
      }
  threads_select (c, selected);
}

/* Say once which threads move only while they lead.  */
static void
tell_untied (struct client *c)
{
  if (c->untied_said)
    return;
  c->untied_said = true;
  for (size_t i = 0; i < c->nthreads; i++)
    if (threads_target (c, i)->steps != 0 && !together_tied (c, i))
      client_console (c, "No timestamps say when %s ran: it moves only while GDB looks at its "
		      "thread, %zu, and the others\nstay where they are then.\n",
		      threads_target (c, i)->name, i + 1);
}

void
together_go (struct motion *m, bool alone)
{
  struct client *c = m->client;
  struct motion_end end;
  size_t leader = c->thread;
  bool step = m->extent == GO_STEP;
  for (size_t i = 0; i < c->nthreads; i++)
    c->threads[i].from = threads_position (c, i);
  if (m->extent == GO_ON)
    look_back (m);
  c->steps_alone = alone && step ? c->steps_alone + 1 : 0;
  bool tied = together_tied (c, leader);
  tell_untied (c);
  motion_find_end (m, &end);
  struct moment moment = { 0 };
  if (tied)
    moment = moment_of_end (m, leader, &end, alone);
  /* One that is at its end already can make no step; the others can go on.  */
  bool stays = !tied || end.kind == MOTION_FAILED
	       || (end.kind == MOTION_AT_END && m->extent != GO_ON
		   && (m->backward ? m->from == 0 : m->from >= c->target->last));
  if (!stays && !alone)
    find_first (m, &end, &moment);
  motion_stop (m, &end);
  if (end.kind == MOTION_FAILED)
    return;
  if (stays)
    {
      if (!tied)
	c->leader = c->thread;
      settle (c, c->thread);
      tell_software (c);
      return;
    }
  c->leader = c->thread;
  settle (c, c->thread);
  take_others (c, &moment, m->backward,
	       alone && step && c->steps_alone <= STEPS_OVER);
  tell_software (c);
}

void
together_follow (struct client *c)
{
  if (c->nthreads == 1)
    return;
  c->leader = c->thread;
  if (together_tied (c, c->thread))
    {
      struct moment moment = moment_of (c, c->thread, c->position);
      take_others (c, &moment, false, false);
    }
  for (size_t i = 0; i < c->nthreads; i++)
    settle (c, i);
}

void
together_begin (struct client *c, bool end)
{
  threads_forget_stops (c);
  for (size_t i = 0; i < c->nthreads; i++)
    {
      threads_move (c, i, end ? threads_target (c, i)->last : 0);
      if (c->nthreads > 1)
	settle (c, i);
    }
  c->leader = c->thread;
}

/* Does thread NUMBER stand at the time of the one that leads?  *FIRST and *LAST: where it
   can stand then, as far as timestamps tell.  */
static bool
find_range (struct client *c, size_t number, uint64_t *first, uint64_t *last)
{
  const struct target *t = threads_target (c, number);
  if (number == c->leader || !together_tied (c, number) || !together_tied (c, c->leader))
    return false;
  const struct target *leader = threads_target (c, c->leader);
  struct tb_when when = tb_stamps_stood (&leader->stamps,
					 threads_position (c, c->leader));
  tb_stamps_standing (&t->stamps, t->last, &when, first, last);
  return true;
}

void
together_put_place (struct client *c, size_t number, struct tb_buffer *text)
{
  const struct target *t = threads_target (c, number);
  /* All show the core of a trace frame, whichever leads.  */
  bool frame = c->frame >= 0;
  uint64_t position = frame ? client_position (c) : threads_position (c, number);
  uint64_t first, last;
  if (frame)
    t = c->target;
  if (t->steps == 0)
    tb_buffer_printf (text, "halted");
  else if (position == t->steps)
    tb_buffer_printf (text, "end of the trace, after %" PRIu64 " steps", t->steps);
  else
    tb_buffer_printf (text, "step %" PRIu64 " of %" PRIu64, position, t->steps);
  if (t->steps == 0 || number == c->leader || frame)
    return;
  /* "monitor goto start" takes all to the begin of what each has.  */
  if (find_range (c, number, &first, &last) && first <= position && position <= last)
    {
      if (first < last)
	tb_buffer_printf (text, ", from %" PRIu64 " to %" PRIu64 " as timestamps tell",
			  first, last);
      /* It stands at an end of what was traced of it, before or since.  */
      else if (first == 0)
	tb_buffer_printf (text, ", the trace may begin later");
      else if (first == t->steps)
	tb_buffer_printf (text, ", it may have ended before");
    }
  else
    tb_buffer_printf (text, ", of another time");
}
