/* Facts: steps, registers, times.  See facts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts-memory.h"
#include "util/search.h"

static void
free_changes (struct tb_facts_changes *changes)
{
  tb_column_fini (&changes->steps);
  tb_column_fini (&changes->values);
}

void
tb_facts_free (struct tb_columns *f)
{
  if (f == NULL)
    return;
  for (size_t i = 0; i < f->nregisters; i++)
    {
      struct tb_facts_register *r = &f->registers[i];
      for (unsigned k = 0; k < r->nlanes; k++)
	{
	  free_changes (&r->lanes[k].values);
	  free_changes (&r->lanes[k].masks);
	}
      free (r->lanes);
      free (r->name);
    }
  free (f->registers);
  for (size_t i = 0; i < f->nmodes; i++)
    free (f->modes[i]);
  free (f->modes);
  struct tb_column *const columns[] = {
    &f->codes, &f->run_steps, &f->run_codes, &f->times, &f->time_bytes,
    &f->lines, &f->blocks, &f->changes, &f->accesses, &f->access_marks,
    &f->late_accesses, &f->others, &f->events, &f->undone, &f->assumed_values,
    &f->assumed_memory
  };
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    tb_column_fini (columns[i]);
  free (f->name);
  free (f->unit);
  free (f->type);
  free (f);
}

uint64_t
tb_facts_size (const struct tb_columns *f)
{
  uint64_t size
    = f->codes.size + f->run_steps.size + f->run_codes.size + f->times.size
      + f->time_bytes.size + f->lines.size + f->blocks.size + f->changes.size
      + f->accesses.size + f->access_marks.size + f->late_accesses.size
      + f->others.size + f->events.size + f->undone.size
      + f->assumed_values.size + f->assumed_memory.size;
  for (size_t i = 0; i < f->nregisters; i++)
    {
      const struct tb_facts_register *r = &f->registers[i];
      for (unsigned k = 0; k < r->nlanes; k++)
	size += 2 * (r->lanes[k].values.steps.size
		     + r->lanes[k].masks.steps.size);
    }
  return size;
}

/* How many of the ascending numbers of COLUMN are at most LIMIT.  Changes come at an
   even pace, more or less: where the answer should be is a good place to begin.  */
static size_t
count_to (const struct tb_column *column, uint64_t limit)
{
  const uint32_t *items = (const uint32_t *) column->data;
  size_t all = TB_COLUMN_COUNT (column, uint32_t);
  if (all == 0 || items[0] > limit)
    return 0;
  if (items[all - 1] <= limit)
    return all;
  /* ITEMS[LOW] is at most LIMIT, ITEMS[HIGH] is more.  */
  size_t low = 0, high = all - 1;
  size_t guess = (size_t) ((double) (limit - items[0])
			   / (double) (items[high] - items[0])
			   * (double) high);
  if (guess > low && guess < high)
    {
      size_t reach = 16;
      if (items[guess] <= limit)
	for (low = guess; reach < high - low; reach *= 4)
	  {
	    if (items[low + reach] > limit)
	      {
		high = low + reach;
		break;
	      }
	    low += reach;
	  }
      else
	for (high = guess; reach < high - low; reach *= 4)
	  {
	    if (items[high - reach] <= limit)
	      {
		low = high - reach;
		break;
	      }
	    high -= reach;
	  }
    }
  /* Without branches that cannot be foretold.  */
  for (size_t n = high - low - 1; n > 0;)
    {
      size_t half = (n + 1) / 2;
      low = items[low + half] <= limit ? low + half : low;
      n -= half;
    }
  return low + 1;
}

/* The run that holds STEP.  */
static size_t
run_at (const struct tb_columns *f, uint64_t step)
{
  return count_to (&f->run_steps, step) - 1;
}

const struct tb_facts_code *
tb_facts_step (const struct tb_columns *f, uint64_t step)
{
  size_t run = run_at (f, step);
  const uint32_t *steps = (const uint32_t *) f->run_steps.data;
  const uint32_t *codes = (const uint32_t *) f->run_codes.data;
  return (const struct tb_facts_code *) f->codes.data + codes[run]
	 + (step - steps[run]);
}

size_t
tb_facts_event_at (const struct tb_columns *f, uint64_t step)
{
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  size_t low;
  TB_LOWER_BOUND (low, TB_COLUMN_COUNT (&f->events, struct tb_event),
		  events[low].step < step);
  return low;
}

size_t
tb_facts_read (const struct tb_columns *f, uint64_t first,
	       struct tb_step *steps, size_t count)
{
  if (first >= f->steps || count == 0)
    return 0;
  const uint32_t *run_steps = (const uint32_t *) f->run_steps.data;
  const uint32_t *run_codes = (const uint32_t *) f->run_codes.data;
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) f->codes.data;
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  size_t nevents = TB_COLUMN_COUNT (&f->events, struct tb_event);
  size_t event = tb_facts_event_at (f, first);
  uint64_t next_event = event < nevents ? events[event].step : UINT64_MAX;
  size_t run = run_at (f, first);
  size_t nruns = TB_COLUMN_COUNT (&f->run_steps, uint32_t);
  size_t done = 0;
  for (uint64_t at = first; at < f->steps && done < count; at++)
    {
      if (run + 1 < nruns && run_steps[run + 1] == at)
	run++;
      const struct tb_facts_code *c = &codes[run_codes[run]
					     + (at - run_steps[run])];
      struct tb_step *s = &steps[done++];
      *s = (struct tb_step) { .pc = c->pc, .opcode = c->opcode,
			      .size = c->size, .isa = c->isa };
      while (next_event <= at)
	{
	  s->flags |= TB_STEP_EVENTS;
	  if (events[event].kind == TB_EVENT_GAP)
	    s->flags |= TB_STEP_AFTER_GAP;
	  next_event = ++event < nevents ? events[event].step : UINT64_MAX;
	}
      if (c->flags & TB_CODE_SKIPPED)
	s->flags |= TB_STEP_NOT_TAKEN;
      else if (at + 1 < f->steps && c->size != 0
	       && (next_event != at + 1
		   || events[event].kind == TB_EVENT_EXCEPTION_RETURN))
	{
	  const struct tb_facts_code *next
	    = run + 1 < nruns && run_steps[run + 1] == at + 1
	      ? &codes[run_codes[run + 1]] : c + 1;
	  if (next->pc != c->pc + c->size)
	    s->flags |= TB_STEP_TAKEN;
	}
    }
  return done;
}

const char *const tb_time_units[TB_TIME_UNITS]
  = { "s", "ms", "us", "ns", "ps", "fs", "as" };

uint64_t
tb_facts_frequency (const struct tb_columns *f)
{
  uint64_t frequency = 1;
  for (size_t i = 0; f->has_times && i < TB_TIME_UNITS; i++, frequency *= 1000)
    if (strcmp (f->unit, tb_time_units[i]) == 0)
      return frequency;
  return 0;
}

bool
tb_facts_time (const struct tb_columns *f, uint64_t step, uint64_t *time)
{
  if (!f->has_times || f->steps == 0)
    return false;
  if (step >= f->steps)
    step = f->steps - 1;
  size_t block = step / TB_TIMES_BLOCK;
  const struct tb_facts_times *t
    = (const struct tb_facts_times *) f->times.data + block;
  uint64_t left = step % TB_TIMES_BLOCK;
  bool last = block + 1 == TB_COLUMN_COUNT (&f->times, struct tb_facts_times);
  uint64_t end = last ? f->time_bytes.size : t[1].offset;
  *time = t->time;
  if (t->offset == end)
    {
      *time += left * (uint64_t) t->delta;
      return true;
    }
  const uint8_t *p = f->time_bytes.data + t->offset;
  int64_t delta = t->delta;
  for (; left > 0; left--)
    {
      delta = (int64_t) ((uint64_t) delta
			 + (uint64_t) tb_unzigzag (tb_varint_get (&p)));
      *time += (uint64_t) delta;
    }
  return true;
}

const struct tb_facts_register *
tb_facts_find (const struct tb_columns *f, const char *name)
{
  for (size_t i = 0; i < f->nregisters; i++)
    if (strcmp (f->registers[i].name, name) == 0)
      return &f->registers[i];
  return NULL;
}

/* The value of CHANGES before STEP; false: there was none yet.  */
static bool
value_at (const struct tb_facts_changes *changes, uint64_t step,
	  uint32_t *value)
{
  size_t n = count_to (&changes->steps, step);
  if (n == 0)
    return false;
  *value = ((const uint32_t *) changes->values.data)[n - 1];
  return true;
}

bool
tb_facts_register (const struct tb_facts_register *reg, unsigned lane,
		   uint64_t step, uint32_t *value, uint32_t *mask)
{
  *mask = 0;
  if (lane >= reg->nlanes
      || !value_at (&reg->lanes[lane].values, step, value))
    return false;
  *mask = UINT32_MAX;
  value_at (&reg->lanes[lane].masks, step, mask);
  *value &= *mask;
  return *mask != 0;
}

bool
tb_facts_lane_changed (const struct tb_facts_register *reg, unsigned lane,
		       uint64_t step)
{
  if (lane >= reg->nlanes)
    return false;
  const struct tb_column *steps = &reg->lanes[lane].values.steps;
  size_t n = count_to (steps, step);
  return n > 0 && ((const uint32_t *) steps->data)[n - 1] == step;
}

bool
tb_facts_changed (const struct tb_facts_register *reg, uint64_t step)
{
  for (unsigned i = 0; i < reg->nlanes; i++)
    if (tb_facts_lane_changed (reg, i, step))
      return true;
  return false;
}

uint64_t
tb_facts_next (const struct tb_facts_register *reg, uint64_t step)
{
  uint64_t next = UINT64_MAX;
  for (unsigned i = 0; i < 2 * reg->nlanes; i++)
    {
      const struct tb_facts_lane *lane = &reg->lanes[i / 2];
      const struct tb_column *steps
	= i % 2 == 0 ? &lane->values.steps : &lane->masks.steps;
      const uint32_t *at = (const uint32_t *) steps->data;
      size_t n = count_to (steps, step);
      if (n < TB_COLUMN_COUNT (steps, uint32_t) && at[n] < next)
	next = at[n];
    }
  return next;
}

bool
tb_facts_told (const struct tb_facts_register *reg, uint64_t step)
{
  for (unsigned i = 0; i < reg->nlanes; i++)
    if (count_to (&reg->lanes[i].values.steps, step) > 0)
      return true;
  return false;
}

bool
tb_facts_stayed (const struct tb_facts_register *reg, uint64_t step)
{
  uint32_t value, before, after;
  bool told = false;
  if (tb_facts_changed (reg, step))
    return false;
  for (unsigned i = 0; i < reg->nlanes; i++)
    {
      tb_facts_register (reg, i, step - 1, &value, &before);
      tb_facts_register (reg, i, step, &value, &after);
      told |= before != 0;
      if ((before & ~after) != 0)
	return false;
    }
  return told;
}

bool
tb_facts_since (const struct tb_facts_register *reg, unsigned lane,
		uint64_t step, uint64_t *since)
{
  const struct tb_column *steps = &reg->lanes[lane].values.steps;
  size_t n = count_to (steps, step);
  if (n == 0)
    return false;
  *since = ((const uint32_t *) steps->data)[n - 1];
  return true;
}
