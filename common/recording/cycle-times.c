/* What cycle counts say of the times of steps between two timestamps.  See cycle-times.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/cycle-times.h"

#include <stdlib.h>

#include "util/buffer.h"
#include "util/search.h"
#include "util/wide.h"

/* So much of the system's time at least takes it to count CYCLES.  */
static uint64_t
passed (const struct tb_cycle_rate *rate, uint64_t cycles)
{
  uint64_t time;
  if (rate->cycles == 0 || cycles <= 1)
    return 0;
  return tb_wide_divide (tb_wide_product (cycles - 1, rate->system), rate->cycles, &time)
	 ? time : UINT64_MAX;
}

void
tb_cycle_counted (struct tb_cycle_reader *r, uint64_t step, uint64_t cycles)
{
  r->sum = cycles;
  r->to->any = true;
  if (!r->begun)
    return;
  if (!r->counted)
    {
      r->counted = true;
      r->first = cycles;
      r->every = 1;
      r->skip = 0;
    }
  /* While the core waits, it is before the same step.  */
  if (r->nplaces > 0 && r->places[r->nplaces - 1].step == step)
    {
      r->places[r->nplaces - 1].cycles = cycles;
      return;
    }
  if (r->skip > 0)
    {
      r->skip--;
      return;
    }
  if (r->nplaces == 2 * TB_CYCLE_PLACES)
    {
      for (size_t i = 0; i < TB_CYCLE_PLACES; i++)
	r->places[i] = r->places[2 * i];
      r->nplaces = TB_CYCLE_PLACES;
      r->every *= 2;
    }
  r->places[r->nplaces++] = (struct tb_cycle_place) { step, cycles };
  r->skip = r->every - 1;
}

void
tb_cycle_gap (struct tb_cycle_reader *r)
{
  r->begun = r->counted = false;
  r->nplaces = 0;
}

/* From PART of WHOLE, which is not 0, the same of DISTANCE.  */
static uint64_t
share (uint64_t part, uint64_t whole, uint64_t distance)
{
  uint64_t result;
  return tb_wide_divide (tb_wide_product (part, distance), whole, &result) ? result : distance;
}

/* What PLACE says, between the last timestamp of R and TIME.  */
static struct tb_cycle_point
point_at (const struct tb_cycle_reader *r, const struct tb_cycle_place *place, uint64_t time)
{
  struct tb_cycle_point point = { .step = place->step };
  uint64_t distance = time - r->time, whole = r->sum - r->at_stamp;
  uint64_t before = passed (&r->rate, place->cycles - r->first);
  uint64_t behind = passed (&r->rate, r->sum - place->cycles);
  point.earliest = r->time + (before < distance ? before : distance);
  point.latest = time - (behind < distance ? behind : distance);
  r->to->narrow |= distance > 0 && (before > 0 || behind > 0);
  point.about = r->time + share (place->cycles - r->at_stamp, whole, distance);
  if (point.about < point.earliest)
    point.about = point.earliest;
  if (point.about > point.latest)
    point.about = point.latest;
  return point;
}

bool
tb_cycle_stated (struct tb_cycle_reader *r, uint64_t step, uint64_t time)
{
  struct tb_cycle_times *to = r->to;
  if (r->begun && r->counted && r->sum > r->at_stamp)
    {
      if (!TB_GROW (to->points, to->capacity, to->count, r->nplaces))
	return false;
      if (passed (&r->rate, r->sum - r->first) > time - r->time)
	to->contradicted = true;
      /* Of a place before this step the time itself says as much.  */
      for (size_t i = 0; i < r->nplaces && r->places[i].step < step; i++)
	to->points[to->count++] = point_at (r, &r->places[i], time);
    }
  r->begun = true;
  r->counted = false;
  r->nplaces = 0;
  r->time = time;
  r->at_stamp = r->sum;
  return true;
}

void
tb_cycle_times_fini (struct tb_cycle_times *times)
{
  free (times->points);
  *times = (struct tb_cycle_times) { .count = 0 };
}

size_t
tb_cycle_points_to (const struct tb_cycle_times *times, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, times->count, times->points[low].step <= step);
  return low;
}

size_t
tb_cycle_points_over (const struct tb_cycle_times *times, uint64_t time)
{
  size_t low;
  TB_LOWER_BOUND (low, times->count, times->points[low].latest < time);
  return low;
}

size_t
tb_cycle_points_begun (const struct tb_cycle_times *times, uint64_t time)
{
  size_t low;
  TB_LOWER_BOUND (low, times->count, times->points[low].earliest <= time);
  return low;
}

void
tb_cycle_narrow (const struct tb_cycle_times *times, size_t behind, size_t before,
		 struct tb_when *when)
{
  if (when->from && behind > 0 && times->points[behind - 1].earliest > when->earliest)
    when->earliest = times->points[behind - 1].earliest;
  if (when->to && before < times->count && times->points[before].latest < when->latest)
    when->latest = times->points[before].latest;
}
