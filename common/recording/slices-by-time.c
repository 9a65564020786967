/* What threads did on a CPU whose trace names no contexts, by when they ran there.  See slices.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A section is what is between two places in the trace whose times are known.  It is a thread's if
   the CPU was that thread's for all of this time; sections in which the CPU changed from one to
   another are nobody's.  */

#include "config.h"
#include "recording/slices.h"

#include "recording/lane-times.h"
#include "util/buffer.h"

/* A lane while it is read.  */
struct timed_reading
{
  struct tb_slices *slices;
  size_t lane;			/* Its number.  */
  struct tb_stays stays;	/* Of its core.  */
  const struct tb_snapshot *snapshot;
  struct tb_lane_times times;
  size_t first;			/* Of the lane's slices.  */
  const struct tb_stay *stay;	/* Of the last one.  */
  struct tb_stitch_part section;
  uint64_t index, reached;	/* Bytes: where the section began, and of the last element.  */
  uint64_t after;		/* When it began, at the earliest.  */
  bool open, ran;		/* Is there one?  Has it instructions?  */
  uint64_t stamp;		/* The last one.  */
  bool backwards;
  struct tb_element context;	/* The last one stated.  */
  bool has_context;
};

/* The section ends before element NUMBER, no later than BEFORE.  False: no memory.  */
static bool
end_section (struct timed_reading *r, uint64_t number, uint64_t before)
{
  struct tb_slices *to = r->slices;
  if (!r->open)
    return true;
  r->open = false;
  const struct tb_stay *stay = tb_stays_during (&r->stays, r->after, before);
  if (stay == NULL || !tb_snapshot_has_thread (r->snapshot, stay->thread))
    return true;
  struct tb_thread_slice *last = to->count > r->first ? &to->items[to->count - 1] : NULL;
  if (last != NULL && r->stay == stay && last->part.end == r->section.from)
    {
      last->part.end = number;
      last->bytes += r->reached - r->index;
      return true;
    }
  if (!r->ran)
    return true;
  if (!TB_GROW (to->items, to->capacity, to->count, 1))
    return false;
  r->section.end = number;
  to->items[to->count++] = (struct tb_thread_slice) {
    .thread = stay->thread, .part = r->section, .begun_at = UINT64_MAX, .after = stay->from,
    .before = stay->until, .bytes = r->reached - r->index
  };
  r->stay = stay;
  return true;
}

/* One begins at element NUMBER, E.  */
static void
begin_section (struct timed_reading *r, uint64_t number, const struct tb_element *e)
{
  r->open = true;
  r->ran = false;
  r->after = r->times.after;
  r->index = r->reached;
  r->section = (struct tb_stitch_part) {
    .lane = r->lane, .from = number, .context = r->context,
    .has_context = r->has_context && e->kind != TB_ELEMENT_CONTEXT
  };
  r->section.context.index = e->index;
}

static bool
take (void *context, uint64_t number, const struct tb_element *e)
{
  struct timed_reading *r = context;
  uint64_t before;
  if (tb_lane_times_reach (&r->times, e->index, &before) && !end_section (r, number, before))
    return false;
  if (!r->open)
    begin_section (r, number, e);
  r->reached = e->index > r->reached ? e->index : r->reached;
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_CONTEXT:
      r->context = *e;
      r->has_context = true;
      return true;
    case TB_ELEMENT_NO_SYNC:
      r->has_context = false;
      return true;
    case TB_ELEMENT_RANGE:
      r->ran = true;
      return true;
    case TB_ELEMENT_TIMESTAMP:
      if (e->u.value == 0)
	return true;
      r->backwards |= e->u.value < r->stamp;
      r->stamp = e->u.value;
      if (!r->snapshot->stays.clock.known)
	return true;
      before = tb_lane_times_stamp (&r->times, e->u.value);
      return end_section (r, number + 1, before);
    case TB_ELEMENT_END:
      return end_section (r, number + 1, tb_lane_times_before (&r->times));
    default:
      return true;
    }
}

enum tb_status
tb_slices_read_timed (struct tb_slices *slices, struct tb_stitch_lane *lane, size_t number,
		      const struct tb_device *core, const struct tb_snapshot *snapshot,
		      struct tb_diag *diag)
{
  struct timed_reading r = {
    .slices = slices, .lane = number,
    .stays = tb_stays_of (&snapshot->stays, (size_t) (core - snapshot->devices)),
    .snapshot = snapshot, .first = slices->count
  };
  tb_lane_times_init (&r.times, &snapshot->stays.clock, lane->config.buffer);
  enum tb_status status = tb_stitch_lane_read (lane, take, &r, diag);
  if (r.backwards)
    {
      slices->timeless++;
      slices->count = r.first;
    }
  return status;
}
