/* The system's time in a recording.  See stamps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/stamps.h"

#include <stdlib.h>

#include "recording/event-walk.h"
#include "recording/facts.h"
#include "util/search.h"

struct tb_stamp
tb_stamps_get (const struct tb_stamps *s, size_t number)
{
  if (s->facts == NULL)
    return s->items[number];
  struct tb_stamp stamp = { .step = number + 1, .later = false };
  tb_facts_time (s->facts, number, &stamp.time);
  return stamp;
}

/* The same of the log FACTS.  */
static void
read_log (struct tb_stamps *s, const struct tb_columns *facts)
{
  uint64_t time, before = 0;
  for (uint64_t step = 0; step < facts->steps; step++, before = time)
    {
      if (!tb_facts_time (facts, step, &time))
	return;
      s->go_back = time < before;
      if (s->go_back)
	return;
    }
  s->facts = facts;
  s->count = facts->steps;
}

/* Did E, which stands between two steps, come about at a time of its own?  */
static bool
takes_time (const struct tb_event *e)
{
  switch ((enum tb_event_kind) e->kind)
    {
    case TB_EVENT_EXCEPTION:
    case TB_EVENT_EXCEPTION_RETURN:
    case TB_EVENT_GAP:
    case TB_EVENT_HALT:
      return true;
    case TB_EVENT_CONTEXT:
    case TB_EVENT_TIMESTAMP:
    case TB_EVENT_CYCLES:
    case TB_EVENT_MARKER:
      break;
    }
  return false;
}

/* Read those of the hardware's trace of RECORDING.  Returns what tb_stamps_read does.  */
static bool
read_trace (struct tb_stamps *s, struct tb_recording *recording, struct tb_cycle_rate rate)
{
  struct tb_event_walk walk = { .recording = recording };
  struct tb_cycle_reader cycles = { .to = &s->cycles, .rate = rate };
  uint64_t other = UINT64_MAX;	/* Before this step stands something that took time.  */
  struct tb_stamp marked = { 0 };	/* What the next timestamp is of, ...  */
  bool is_marked = false;	/* ... if that was told.  */
  for (const struct tb_event *e; (e = tb_event_next (&walk)) != NULL;)
    {
      if (e->kind == TB_EVENT_CYCLES)
	tb_cycle_counted (&cycles, e->step, e->value);
      else if (e->kind == TB_EVENT_GAP)
	tb_cycle_gap (&cycles);
      if (takes_time (e))
	other = e->step;
      struct tb_stamp stamp = { e->step, e->value, e->step == other };
      if (e->kind == TB_EVENT_MARKER)
	{
	  marked = stamp;
	  is_marked = true;
	}
      if (e->kind != TB_EVENT_TIMESTAMP)
	continue;
      if (is_marked && !(e->flags & TB_EVENT_MARKED))
	{
	  stamp.step = marked.step;
	  stamp.later = marked.later;
	  /* Cycles may have been counted since.  */
	  if (stamp.step != e->step)
	    tb_cycle_gap (&cycles);
	}
      is_marked = false;
      if (e->value == 0)
	continue;
      if (s->count > 0 && e->value < s->items[s->count - 1].time)
	{
	  s->count = s->cycles.count = 0;
	  s->go_back = true;
	  return true;
	}
      if (!TB_GROW (s->items, s->capacity, s->count, 1)
	  || !tb_cycle_stated (&cycles, stamp.step, e->value))
	return false;
      s->items[s->count++] = stamp;
    }
  return !walk.failed;
}

bool
tb_stamps_read (struct tb_stamps *s, struct tb_recording *recording,
		const struct tb_cycle_rate *rate)
{
  const struct tb_columns *facts = tb_recording_facts (recording);
  struct tb_cycle_rate none = { 0 };
  if (facts != NULL)
    {
      read_log (s, facts);
      return true;
    }
  bool ok = read_trace (s, recording, rate != NULL ? *rate : none);
  if (!ok || !s->cycles.contradicted)
    return ok;
  s->count = s->cycles.count = 0;
  s->cycles.contradicted = false;
  ok = read_trace (s, recording, none);
  s->cycles.contradicted = true;
  return ok;
}

/* TIME in microseconds, in *RESULT; false: they are too many.  */
static bool
microseconds (uint64_t time, uint64_t frequency, uint64_t *result)
{
  long double value = (long double) time * 1e6L / frequency;
  if (value >= 0x1p64L)
    return false;
  *result = (uint64_t) value;
  return true;
}

bool
tb_stamps_span (struct tb_recording *recording, uint64_t frequency,
		uint64_t *first, uint64_t *last)
{
  uint64_t steps = tb_recording_steps (recording), begin = 0, end;
  const struct tb_columns *facts = tb_recording_facts (recording);
  if (facts != NULL)
    {
      uint64_t own = tb_facts_frequency (facts);
      frequency = own != 0 ? own : frequency;
      return frequency != 0 && steps > 0 && tb_facts_time (facts, 0, &begin)
	     && tb_facts_time (facts, steps - 1, &end) && begin <= end
	     && microseconds (begin, frequency, first)
	     && microseconds (end, frequency, last);
    }
  if (frequency == 0 || !tb_recording_timestamp (recording, steps, &end)
      || end == 0)
    return false;
  struct tb_event_walk walk = { .recording = recording };
  for (const struct tb_event *e; begin == 0 && (e = tb_event_next (&walk)) != NULL;)
    if (e->kind == TB_EVENT_TIMESTAMP)
      begin = e->value;
  return begin != 0 && begin <= end && microseconds (begin, frequency, first)
	 && microseconds (end, frequency, last);
}

void
tb_stamps_fini (struct tb_stamps *stamps)
{
  free (stamps->items);
  tb_cycle_times_fini (&stamps->cycles);
  *stamps = (struct tb_stamps) { .count = 0 };
}

/* How many state a time before TIME.  */
static size_t
times_before (const struct tb_stamps *s, uint64_t time)
{
  size_t low;
  TB_LOWER_BOUND (low, s->count, tb_stamps_get (s, low).time < time);
  return low;
}

/* How many are stated before STEP or an earlier one.  */
static size_t
stated_before (const struct tb_stamps *s, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, s->count, tb_stamps_get (s, low).step <= step);
  return low;
}

struct tb_when
tb_stamps_bounds (const struct tb_stamps *s, uint64_t step)
{
  size_t behind = stated_before (s, step);
  struct tb_when when = { .from = behind > 0, .to = behind < s->count };
  if (when.from)
    when.earliest = tb_stamps_get (s, behind - 1).time;
  if (when.to)
    when.latest = tb_stamps_get (s, behind).time;
  size_t points = tb_cycle_points_to (&s->cycles, step);
  tb_cycle_narrow (&s->cycles, points, points, &when);
  return when;
}

struct tb_when
tb_stamps_bounds_before (const struct tb_stamps *s, uint64_t step)
{
  struct tb_when when = tb_stamps_bounds (s, step);
  struct tb_when behind = { .from = false };
  if (step > 0)
    behind = tb_stamps_bounds (s, step - 1);
  when.from = behind.from;
  when.earliest = behind.earliest;
  return when;
}

/* The time between BEFORE and NEXT at which STEP begins.  */
static double
between (const struct tb_stamps *s, struct tb_stamp before, struct tb_stamp next, uint64_t step)
{
  const struct tb_cycle_point *points = s->cycles.points;
  size_t to = tb_cycle_points_to (&s->cycles, step);
  if (to > 0 && points[to - 1].step >= before.step && points[to - 1].about >= before.time)
    before = (struct tb_stamp) { points[to - 1].step, points[to - 1].about, false };
  if (to < s->cycles.count && points[to].step <= next.step && points[to].about <= next.time)
    next = (struct tb_stamp) { points[to].step, points[to].about, false };
  return (double) before.time
	 + (double) (next.time - before.time) * (double) (step - before.step)
	   / (double) (next.step - before.step);
}

double
tb_stamps_time (const struct tb_stamps *s, uint64_t step)
{
  size_t next = stated_before (s, step);
  if (next == 0)
    return (double) tb_stamps_get (s, 0).time;
  struct tb_stamp before = tb_stamps_get (s, next - 1);
  if (next == s->count)
    return (double) before.time;
  return between (s, before, tb_stamps_get (s, next), step);
}

/* The time from when on a core can have stood at POSITION.  False: it is not known.  */
static bool
stood_from (const struct tb_stamps *s, uint64_t position, uint64_t *time)
{
  size_t earlier = position > 0 ? stated_before (s, position - 1) : 0;
  /* Of those that are stated before the same step the first is of when the one before it
     had run.  */
  if (earlier < s->count && tb_stamps_get (s, earlier).step == position
      && !tb_stamps_get (s, earlier).later)
    earlier++;
  if (earlier > 0)
    *time = tb_stamps_get (s, earlier - 1).time;
  return earlier > 0;
}

struct tb_when
tb_stamps_stood (const struct tb_stamps *s, uint64_t position)
{
  size_t next = stated_before (s, position);
  struct tb_when when = { .latest = UINT64_MAX, .to = next < s->count };
  when.from = stood_from (s, position, &when.earliest);
  if (when.to)
    when.latest = tb_stamps_get (s, next).time;
  /* The step before it has run.  */
  size_t behind = position > 0 ? tb_cycle_points_to (&s->cycles, position - 1) : 0;
  tb_cycle_narrow (&s->cycles, behind, tb_cycle_points_to (&s->cycles, position), &when);
  return when;
}

bool
tb_stamps_place (const struct tb_stamps *s, uint64_t end, const struct tb_when *when,
		 uint64_t *first, uint64_t *last)
{
  bool closed = false;
  *first = 0;
  *last = end;
  if (when->from)
    {
      /* In one tick a core runs many instructions: what has the same time was before or
	 behind them.  */
      size_t earlier = times_before (s, when->earliest);
      size_t over = tb_cycle_points_over (&s->cycles, when->earliest);
      if (earlier > 0)
	*first = tb_stamps_get (s, earlier - 1).step;
      if (over > 0 && s->cycles.points[over - 1].step > *first)
	*first = s->cycles.points[over - 1].step;
    }
  if (when->to && when->latest < UINT64_MAX)
    {
      size_t next = times_before (s, when->latest + 1);
      size_t begun = tb_cycle_points_begun (&s->cycles, when->latest);
      closed = next < s->count || begun < s->cycles.count;
      if (next < s->count)
	*last = tb_stamps_get (s, next).step;
      if (begun < s->cycles.count && s->cycles.points[begun].step < *last)
	*last = s->cycles.points[begun].step;
    }
  if (*last < *first)
    *last = *first;
  return closed;
}

void
tb_stamps_standing (const struct tb_stamps *s, uint64_t end,
		    const struct tb_when *when, uint64_t *first, uint64_t *last)
{
  size_t earlier = when->from ? times_before (s, when->earliest) : 0;
  size_t later = when->to && when->latest < UINT64_MAX
		 ? times_before (s, when->latest + 1) : s->count;
  *first = earlier > 0 ? tb_stamps_get (s, earlier - 1).step : 0;
  *last = UINT64_MAX;
  if (later < s->count)
    {
      uint64_t step = tb_stamps_get (s, later).step, from;
      bool there = !stood_from (s, step, &from) || from <= when->latest;
      *last = step - (there || step == 0 ? 0 : 1);
    }
  size_t over = when->from ? tb_cycle_points_over (&s->cycles, when->earliest) : 0;
  size_t begun = when->to && when->latest < UINT64_MAX
		 ? tb_cycle_points_begun (&s->cycles, when->latest) : s->cycles.count;
  if (over > 0 && s->cycles.points[over - 1].step > *first)
    *first = s->cycles.points[over - 1].step;
  if (begun < s->cycles.count && s->cycles.points[begun].step < *last)
    *last = s->cycles.points[begun].step;
  if (*last > end)
    *last = end;
  if (*first > *last)
    *first = *last;
}

/* The mean time of a step.  */
static double
pace (const struct tb_stamps *s)
{
  struct tb_stamp first = tb_stamps_get (s, 0), last = tb_stamps_get (s, s->count - 1);
  return last.step > first.step
	 ? (double) (last.time - first.time) / (double) (last.step - first.step)
	 : 1;
}

double
tb_stamps_ran (const struct tb_stamps *s, uint64_t step)
{
  /* Those that are stated before the next step are of when STEP had run.  */
  size_t earlier = stated_before (s, step);
  if (earlier == s->count)
    {
      struct tb_stamp last = tb_stamps_get (s, s->count - 1);
      return (double) last.time + pace (s) * (double) (step + 1 - last.step);
    }
  struct tb_stamp next = tb_stamps_get (s, earlier);
  const struct tb_cycle_point *points = s->cycles.points;
  size_t to = tb_cycle_points_to (&s->cycles, step);
  if (to < s->cycles.count && points[to].step == step + 1 && points[to].about < next.time)
    return (double) points[to].about;
  if (next.step == step + 1)
    return (double) next.time;
  if (earlier == 0)
    return (double) next.time - pace (s) * (double) (next.step - (step + 1));
  return between (s, tb_stamps_get (s, earlier - 1), next, step + 1);
}

uint64_t
tb_stamps_ran_before (const struct tb_stamps *s, uint64_t end, double time,
		      bool with)
{
  uint64_t low;
  if (with)
    TB_LOWER_BOUND (low, end, tb_stamps_ran (s, low) <= time);
  else
    TB_LOWER_BOUND (low, end, tb_stamps_ran (s, low) < time);
  return low;
}
