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
#include "tracing.h"

/* GDB's "no frame": -1 in 32 bits.  */
#define NO_FRAME UINT32_MAX

static void
select_frame (struct client *c, uint64_t number)
{
  client_tell_made_up (c);
  c->frame = (int64_t) number;
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
  if (number < experiment_frames (c))
    {
      select_frame (c, number);
      return;
    }
  if (number == NO_FRAME)
    c->frame = -1;
  not_found (c);
}

static void
find_tracepoint (struct client *c, const struct packet_args *args)
{
  const struct tb_experiment *e = experiment_of (c);
  uint64_t next = (uint64_t) (c->frame + 1);
  if (e != NULL && args->number[0] <= UINT32_MAX)
    next = tb_experiment_find_tracepoint (e, (size_t) next,
					  (unsigned) args->number[0]);
  else if (args->number[0] != c->run_number)
    next = UINT64_MAX;
  if (next < experiment_frames (c))
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

/* The next frame whose PC is in FIRST to LAST, or is not.  */
static void
find_pc (struct client *c, uint64_t first, uint64_t last, bool outside)
{
  struct target *t = c->target;
  const struct tb_experiment *e = experiment_of (c);
  if (e != NULL)
    {
      size_t at = tb_experiment_find_pc (e, (size_t) (c->frame + 1), first, last,
					 outside);
      if (at < e->count && first <= last)
	select_frame (c, at);
      else
	not_found (c);
      return;
    }
  if (!target_prepare_visits (t))
    {
      not_looked (c, TB_SEARCH_NO_MEMORY);
      return;
    }
  struct tb_visit_range range = { first, last };
  struct tb_visit_query query = { &range, 1, outside };
  uint64_t from = t->first_frame + (uint64_t) (c->frame + 1), step;
  c->keep_alive = true;
  tb_visits_set_poll (t->visits, client_poll, c);
  enum tb_search found = TB_SEARCH_NONE;
  if (first <= last)
    found = tb_visits_next (t->visits, &query, from, t->steps, &step);
  /* The moment after the last step has a PC too.  */
  uint64_t end;
  if (found == TB_SEARCH_NONE && from <= t->last && first <= last
      && target_end_pc (t, &end) && (end >= first && end <= last) != outside)
    {
      found = TB_SEARCH_FOUND;
      step = t->last;
    }
  if (found == TB_SEARCH_FOUND)
    select_frame (c, step - t->first_frame);
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
