/* Trace frames: QTFrame.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets".  Of the preloaded run each position of
   the recording is a frame.  Searches begin behind the current frame and do not
   wrap; one that fails leaves it selected.  */

#include "config.h"

#include <inttypes.h>

#include "dispatch.h"
#include "experiment.h"
#include "frames.h"
#include "threads.h"
#include "tracing.h"

/* GDB's "no frame": -1 in 32 bits.  */
#define NO_FRAME UINT32_MAX

static void
select_frame (struct client *c, uint64_t number)
{
  c->keeps_frame = false;
  client_tell_made_up (c);
  frames_look (c, number);
  const struct tb_trace_frame *f = experiment_frame (c);
  unsigned tracepoint = c->run_number;
  if (f != NULL)
    tracepoint = c->target->experiment->trace.set.items[f->tracepoint].number;
  reply_printf (c, "F%" PRIx64 "T%x", number, tracepoint);
}

static void
not_found (struct client *c)
{
  client_tell_made_up (c);
  reply_text (c, "F-1");
}

static void
find_number (struct client *c, const struct packet_args *args)
{
  uint64_t number = args->number[0];
  /* There GDB shows what is known in part.  */
  c->part_refused &= number == NO_FRAME;
  if (number == FRAMES_HERE && frames_look_here (c))
    {
      reply_printf (c, "F%" PRIx64 "T%x", number, c->run_number);
      return;
    }
  if (number < frames_count (c))
    {
      select_frame (c, number);
      return;
    }
  if (number == NO_FRAME)
    {
      c->keeps_frame = false;
      frames_leave (c);
    }
  not_found (c);
}

/* The first frame from number FROM on that GDB's run made by tracepoint NUMBER (0: any) at a
   PC in FIRST to LAST, or OUTSIDE of them; the number of frames: there is none.  */
static uint64_t
find_made (struct client *c, uint64_t from, unsigned number, uint64_t first,
	   uint64_t last, bool outside)
{
  const struct tb_experiment *one = experiment_of (c);
  uint64_t count = frames_count (c);
  if (c->nthreads == 1)
    return number != 0 ? tb_experiment_find_tracepoint (one, (size_t) from, number)
	   : tb_experiment_find_pc (one, (size_t) from, first, last, outside);
  for (; from < count; from++)
    {
      size_t core;
      uint64_t local;
      frames_at (c, from, &core, &local);
      const struct tb_experiment *e = &threads_target (c, core)->experiment->trace;
      const struct tb_trace_frame *f = tb_experiment_frame (e, (size_t) local);
      if (number != 0 ? e->set.items[f->tracepoint].number == number
	  : (f->pc >= first && f->pc <= last) != outside)
	break;
    }
  return from;
}

static void
find_tracepoint (struct client *c, const struct packet_args *args)
{
  uint64_t next = (uint64_t) (c->frame + 1);
  if (experiment_of (c) != NULL && args->number[0] <= UINT32_MAX)
    next = args->number[0] != 0
	   ? find_made (c, next, (unsigned) args->number[0], 0, 0, false) : UINT64_MAX;
  else if (args->number[0] != c->run_number)
    next = UINT64_MAX;
  if (next < frames_count (c))
    select_frame (c, next);
  else
    not_found (c);
}

/* The search did not come to its end: that is no answer.  */
static void
not_looked (struct client *c, enum tb_search why)
{
  client_console (c, why == TB_SEARCH_NO_MEMORY
		     ? "There is no memory for the search.\n"
		     : "The search was interrupted.\n");
  not_found (c);
}

/* Find among the positions of the core that C looks at the first from FROM on that QUERY
   looks for.  */
static enum tb_search
find_position (struct client *c, const struct tb_visit_query *query, uint64_t from,
	       uint64_t *position)
{
  struct target *t = c->target;
  if (!target_prepare_visits (t))
    return TB_SEARCH_NO_MEMORY;
  tb_visits_set_poll (t->visits, client_poll, c);
  enum tb_search found = tb_visits_next (t->visits, query, from, t->steps, position);
  /* The moment after the last step has a PC too.  */
  uint64_t end;
  if (found == TB_SEARCH_NONE && from <= t->last && target_end_pc (t, &end)
      && (end >= query->ranges->first && end <= query->ranges->last) != query->outside)
    {
      found = TB_SEARCH_FOUND;
      *position = t->last;
    }
  return found;
}

/* The same for all cores, by the numbers of their frames.  */
static enum tb_search
find_anywhere (struct client *c, const struct tb_visit_query *query, uint64_t from,
	       uint64_t *number)
{
  size_t selected = c->thread;
  enum tb_search all = TB_SEARCH_NONE;
  for (size_t i = 0; i < c->nthreads && all <= TB_SEARCH_NONE; i++)
    {
      uint64_t position;
      threads_select (c, i);
      enum tb_search found = find_position (c, query, frames_first (c, i, from), &position);
      if (found == TB_SEARCH_NONE)
	continue;
      uint64_t at = found == TB_SEARCH_FOUND ? frames_number (c, i, position) : 0;
      if (found == TB_SEARCH_FOUND && (all == TB_SEARCH_NONE || at < *number))
	*number = at;
      all = found;
    }
  threads_select (c, selected);
  return all;
}

/* The next frame whose PC is in FIRST to LAST, or is not.  */
static void
find_pc (struct client *c, uint64_t first, uint64_t last, bool outside)
{
  uint64_t from = (uint64_t) (c->frame + 1), number = 0;
  if (experiment_of (c) != NULL)
    {
      uint64_t at = find_made (c, from, 0, first, last, outside);
      if (at < frames_count (c) && first <= last)
	select_frame (c, at);
      else
	not_found (c);
      return;
    }
  struct tb_visit_range range = { first, last };
  const struct tb_visit_query query = { &range, 1, outside };
  enum tb_search found = TB_SEARCH_NONE;
  c->may_give_up = true;
  if (first > last)
    ;
  else if (c->nthreads > 1)
    found = find_anywhere (c, &query, from, &number);
  else
    {
      found = find_position (c, &query, c->target->first_frame + from, &number);
      number -= c->target->first_frame;
    }
  if (found == TB_SEARCH_FOUND)
    select_frame (c, number);
  else if (found == TB_SEARCH_NONE)
    not_found (c);
  else
    not_looked (c, found);
}

static void
find_at (struct client *c, const struct packet_args *args)
{
  find_pc (c, args->number[0], args->number[0], false);
}

static void
find_inside (struct client *c, const struct packet_args *args)
{
  find_pc (c, args->number[0], args->number[1], false);
}

static void
find_outside (struct client *c, const struct packet_args *args)
{
  find_pc (c, args->number[0], args->number[1], true);
}

const struct packet_handler packets_tfind[] = {
  { "QTFrame:", "x", find_number },
  { "QTFrame:pc:", "x", find_at },
  { "QTFrame:tdp:", "x", find_tracepoint },
  { "QTFrame:range:", "x:x", find_inside },
  { "QTFrame:outside:", "x:x", find_outside },
  { NULL, NULL, NULL }
};
