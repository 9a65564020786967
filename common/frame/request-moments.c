/* Moments of events.  See request-moments.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-moments.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "frame/request-value.h"
#include "recording/levels.h"
#include "recording/window.h"
#include "state/answer/level-sp.h"
#include "util/buffer.h"

struct moment_listing
{
  enum tb_request_kind kind;
  const struct tb_request_subject *subject;
  const struct tb_request_trace *trace;
  struct tb_request_moments *moments;
  enum tb_listed status;
  bool ended;			/* The end is reached.  */
};

/* STEP is one, if it is asked for; they come in order.  False: no more.  */
static bool
add (struct moment_listing *l, uint64_t step)
{
  struct tb_request_moments *m = l->moments;
  if (step >= l->trace->end)
    {
      l->ended = true;
      return false;
    }
  if (step == tb_recording_steps (l->trace->recording) && !l->trace->end_known)
    {
      m->at_end = true;
      return true;
    }
  if (step < l->trace->from
      || (m->count > 0 && m->items[m->count - 1] >= step))
    return true;
  if (m->count == TB_REQUEST_MOMENTS_MAX)
    l->status = TB_LISTED_TOO_MANY;
  else if (!TB_GROW (m->items, m->capacity, m->count, 1))
    l->status = TB_LISTED_NO_MEMORY;
  if (l->status != TB_LISTED)
    return false;
  m->items[m->count++] = step;
  return true;
}

/* Branches that are taken in WINDOW: each ends a run.  */
static bool
add_branches (struct moment_listing *l, const struct tb_window *window)
{
  for (size_t i = 0; i < window->nruns; i++)
    if ((window->runs[i].last_flags & TB_STEP_TAKEN)
	&& !add (l, window->runs[i].step + window->runs[i].count - 1))
      return false;
  return true;
}

/* Before step 0 there is nothing that a gap could be behind.  */
static bool
add_events (struct moment_listing *l, const struct tb_window *window)
{
  bool gaps = l->kind == TB_REQUEST_GAPS;
  for (size_t i = 0; i < window->nevents; i++)
    {
      const struct tb_event *e = &window->events[i];
      if (e->kind == (gaps ? TB_EVENT_GAP : TB_EVENT_EXCEPTION)
	  && !(gaps && e->step == 0) && !add (l, e->step))
	return false;
    }
  return true;
}

static void
list_windows (struct moment_listing *l)
{
  struct tb_recording *r = l->trace->recording;
  /* Events before the first step may stand at the end of the window before.  */
  size_t number = tb_recording_window_at (r, l->trace->from);
  while (number > 0 && tb_recording_window_step (r, number) >= l->trace->from)
    number--;
  for (; number < tb_recording_windows (r); number++)
    {
      const struct tb_window *window = tb_recording_window (r, number);
      if (window == NULL)
	{
	  l->status = TB_LISTED_NO_MEMORY;
	  return;
	}
      if (l->kind == TB_REQUEST_BRANCHES ? !add_branches (l, window)
					 : !add_events (l, window))
	return;
    }
}

/* Is ADDRESS where one of the functions begins (ENTRY), or in one?  */
static bool
is_subject (const struct moment_listing *l, uint64_t address, bool entry)
{
  const struct tb_request_subject *s = l->subject;
  for (size_t i = 0; i < s->nfunctions; i++)
    if (entry ? s->functions[i]->address == address
	: s->functions[i]->address <= address && address < s->functions[i]->end)
      return true;
  return s->nfunctions == 0;
}

/* The PC of STEP, which exists.  */
static uint64_t
pc_of (const struct moment_listing *l, uint64_t step)
{
  struct tb_step found = { .pc = 0 };
  tb_recording_read (l->trace->recording, step, &found, 1);
  return found.pc;
}

/* The step of a call is that of the first instruction of what was called, behind the
   exceptions that came before it (one that a fault handler steps over does not run);
   jumps to where a function begins are calls if they come from another one.  */
static bool
take_call (void *context, struct tb_level *levels, size_t count, uint64_t step,
	   uint64_t address, uint32_t instructions)
{
  struct moment_listing *l = context;
  const struct tb_level *level = &levels[count - 1];
  (void) instructions;
  if (step >= l->trace->end)
    return !(l->ended = true);
  return level->ran || address != level->address
	 || (level->kind != TB_LEVEL_CALL && level->kind != TB_LEVEL_TAIL)
	 || !is_subject (l, address, true) || add (l, step);
}

/* What returns is an instruction of the level that ends.  */
static bool
take_return (void *context, struct tb_level *levels, size_t count,
	     uint64_t step, enum tb_level_end end, uint64_t by)
{
  struct moment_listing *l = context;
  (void) levels;
  (void) count;
  if (step > l->trace->end)
    return !(l->ended = true);
  return end != TB_LEVEL_RETURNED
	 || (l->subject->nfunctions != 0
	     && !is_subject (l, pc_of (l, by), false))
	 || add (l, by);
}

static void
list_levels (struct moment_listing *l)
{
  struct tb_level_sp sp = { .recording = l->trace->recording,
			    .state = l->trace->state };
  struct tb_tasks *tasks = tb_tasks_new (l->trace->recording, l->trace->symbols);
  const struct tb_level_user user = {
    .ran = l->kind == TB_REQUEST_CALLS ? take_call : NULL,
    .close = l->kind == TB_REQUEST_RETURNS ? take_return : NULL,
    .context = l, .sp = tb_level_sp, .sp_context = &sp,
    .tasks = tasks
  };
  if ((tasks == NULL || !tb_levels_walk (l->trace->recording, l->trace->symbols, &user))
      && l->status == TB_LISTED && !l->ended)
    l->status = TB_LISTED_NO_MEMORY;
  tb_tasks_free (tasks);
  tb_level_sp_fini (&sp);
}

static void
list_writes (struct moment_listing *l)
{
  const struct tb_watch_range watch = {
    .address = l->subject->address, .length = l->subject->length,
    .stores = true
  };
  uint64_t steps = tb_recording_steps (l->trace->recording);
  uint64_t end = l->trace->end < steps ? l->trace->end : steps;
  for (uint64_t at = l->trace->from; at < end;)
    {
      struct tb_access_found found;
      enum tb_search result = tb_accesses_next (l->trace->accesses, &watch, 1,
						at, end, &found);
      if (result == TB_SEARCH_NO_MEMORY)
	l->status = TB_LISTED_NO_MEMORY;
      else
	{
	  l->moments->unknown += found.unknown_stores + found.unknown_steps;
	  l->moments->gaps += found.gaps;
	}
      if (result != TB_SEARCH_FOUND || !add (l, found.step))
	return;
      at = found.step + 1;
    }
}

static bool
take_value (void *context, const struct tb_value_found *found)
{
  return add (context, found->step);
}

static void
list_values (struct moment_listing *l)
{
  const struct tb_values_source source = {
    .state = l->trace->state, .recording = l->trace->recording
  };
  struct tb_values_missed missed;
  if (tb_values_find (&source, &l->subject->value, l->trace->from, l->trace->end,
		      take_value, l, &missed) == TB_SEARCH_NO_MEMORY)
    l->status = TB_LISTED_NO_MEMORY;
  l->moments->unknown += missed.values + missed.steps;
  l->moments->gaps += missed.gaps;
}

bool
tb_request_needs_state (const struct tb_request *request)
{
  return request->kind == TB_REQUEST_WRITES || tb_request_is_of_value (request);
}

bool
tb_request_needs_lane (const struct tb_request *request)
{
  return request->kind == TB_REQUEST_SOFTWARE;
}

static bool
read_channel (const char *text, size_t length, struct tb_request_channel *channel)
{
  *channel = (struct tb_request_channel) { .any = length == 0 };
  if (length == 0)
    return true;
  channel->dwt = length == 3 && strncasecmp (text, "dwt", 3) == 0;
  if (channel->dwt)
    return true;
  const char *colon = memchr (text, ':', length);
  channel->has_master = colon != NULL;
  if (colon != NULL)
    {
      size_t before = (size_t) (colon - text);
      if (!tb_request_number (text, before, &channel->master))
	return false;
      text = colon + 1;
      length -= before + 1;
    }
  return tb_request_number (text, length, &channel->channel);
}

bool
tb_request_read_channel (const struct tb_request *request,
			 struct tb_request_channel *channel, struct tb_diag *diag)
{
  if (read_channel (tb_request_at (request, request->subject),
		    request->subject.length, channel))
    return true;
  tb_request_error (request, request->subject.offset, diag,
		    "expected the number of a channel, MASTER:CHANNEL or dwt");
  return false;
}

/* Is SAID something that software or the DWT said, by the channel that is asked for?  */
static bool
is_asked_for (const struct tb_request_channel *c, const struct tb_said *said)
{
  bool dwt = said->kind == TB_SAID_DWT;
  if (!dwt && !(said->flags & TB_SAID_SENDER
		&& (said->kind == TB_SAID_NUMBER || said->kind == TB_SAID_TEXT
		    || said->kind == TB_SAID_FLAG)))
    return false;
  if (c->any || c->dwt)
    return c->any || dwt;
  return !dwt && said->channel == c->channel
	 && (!c->has_master || (said->source == TB_ELEMENT_SOFTWARE
				&& said->master == c->master));
}

/* One more, at STEP, if the steps asked for have that.  */
static bool
add_said (struct moment_listing *l, uint64_t step, const struct tb_said *said)
{
  struct tb_request_moments *m = l->moments;
  if (step < l->trace->from || step >= l->trace->end)
    return true;
  if (m->count == TB_REQUEST_MOMENTS_MAX)
    l->status = TB_LISTED_TOO_MANY;
  else if (!TB_GROW (m->items, m->capacity, m->count, 1)
	   || !TB_GROW (m->said, m->said_capacity, m->count, 1))
    l->status = TB_LISTED_NO_MEMORY;
  if (l->status != TB_LISTED)
    return false;
  bool known = said->kind == TB_SAID_NUMBER
	       || (said->kind == TB_SAID_DWT && said->bits > 0);
  m->items[m->count] = step;
  m->said[m->count++] = (struct tb_said_value) { said->value, known };
  return true;
}

static void
list_said (struct moment_listing *l)
{
  const struct tb_lane *lane = l->trace->lane;
  const struct tb_request_channel *channel = &l->subject->channel;
  uint64_t all = 0, placed = 0;
  for (size_t i = 0; lane != NULL && i < lane->nstreams; i++)
    for (size_t k = 0; k < lane->streams[i].software.count; k++)
      all += is_asked_for (channel, &lane->streams[i].software.items[k]);
  uint64_t last = tb_recording_steps (l->trace->recording) - !l->trace->end_known;
  for (size_t i = 0; lane != NULL && i < lane->count; i++)
    if (lane->items[i].last <= last && is_asked_for (channel, lane->items[i].said))
      {
	placed++;
	if (!add_said (l, lane->items[i].last, lane->items[i].said))
	  return;
      }
  l->moments->elsewhere = all - placed;
}

enum tb_listed
tb_request_list (enum tb_request_kind kind,
		 const struct tb_request_subject *subject,
		 const struct tb_request_trace *trace,
		 struct tb_request_moments *moments)
{
  struct moment_listing l = { .kind = kind, .subject = subject, .trace = trace,
		       .moments = moments };
  switch (kind)
    {
    case TB_REQUEST_CALLS: case TB_REQUEST_RETURNS:
      list_levels (&l);
      break;
    case TB_REQUEST_WRITES:
      list_writes (&l);
      break;
    case TB_REQUEST_STORES: case TB_REQUEST_TAKES:
      list_values (&l);
      break;
    case TB_REQUEST_SOFTWARE:
      list_said (&l);
      break;
    default:
      list_windows (&l);
      break;
    }
  return l.status;
}
