/* What threads did on the CPUs, and in which order.  See slices.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/slices.h"

#include <stdlib.h>
#include <string.h>

#include "recording/lane-times.h"
#include "util/buffer.h"

/* A lane while it is read.  */
struct lane_reading
{
  struct tb_slices *slices;
  size_t lane;
  const struct tb_snapshot *snapshot;
  struct tb_lane_times times;
  size_t unbounded;		/* The first of the lane's slices behind which no time is known.  */
  size_t first;			/* Of the lane's slices.  */
  size_t waiting;		/* The first of them that no timestamp came behind.  */
  struct tb_thread_slice now;
  bool open, ran;		/* Is there one?  Has it instructions?  */
  uint64_t index;		/* Byte in the buffer at which it began.  */
  uint64_t stamp;		/* The last one.  */
  bool backwards;
  struct tb_element context;	/* The last one stated.  */
  bool has_context;
};

/* The slice ends before element NUMBER, at byte INDEX.  One without instructions is none.  */
static bool
end_slice (struct lane_reading *r, uint64_t number, uint64_t index)
{
  struct tb_slices *to = r->slices;
  if (!r->open || !r->ran)
    {
      r->open = false;
      return true;
    }
  if (!TB_GROW (to->items, to->capacity, to->count, 1))
    return false;
  struct tb_thread_slice *last = to->count > r->first ? &to->items[to->count - 1] : NULL;
  /* Two between which no time was stated, nor in them, have the same bounds: they are no better
     than one.  */
  if (last != NULL && last->thread == r->now.thread && last->part.end == r->now.part.from
      && last->begun_at == UINT64_MAX && r->now.begun_at == UINT64_MAX
      && last->on_until == r->stamp)
    {
      last->part.end = number;
      last->before = tb_lane_times_before (&r->times);
      last->bytes += index > r->index ? index - r->index : 0;
      r->open = false;
      return true;
    }
  r->now.part.end = number;
  r->now.bytes = index > r->index ? index - r->index : 0;
  r->now.on_until = r->stamp;
  r->now.before = tb_lane_times_before (&r->times);
  to->items[to->count++] = r->now;
  r->open = false;
  return true;
}

/* One begins at element NUMBER, E, if the context is a thread's.  */
static void
begin_slice (struct lane_reading *r, uint64_t number, const struct tb_element *e)
{
  bool by_vmid = r->snapshot->threads_by_vmid;
  uint8_t flag = by_vmid ? TB_CONTEXT_VMID : TB_CONTEXT_CID;
  uint32_t thread = by_vmid ? r->context.u.context.vmid : r->context.u.context.cid;
  r->open = r->has_context && (r->context.flags & flag) != 0
	    && tb_snapshot_has_thread (r->snapshot, thread);
  r->ran = false;
  if (!r->open)
    return;
  r->now = (struct tb_thread_slice) {
    .thread = thread, .begun_at = UINT64_MAX, .after = r->times.after,
    .part = { .lane = r->lane, .from = number, .context = r->context,
	      .has_context = e->kind != TB_ELEMENT_CONTEXT }
  };
  r->now.part.context.index = e->index;
  r->index = e->index;
}

/* TIME is stated.  */
static void
take_stamp (struct lane_reading *r, uint64_t time)
{
  if (time == 0)
    return;
  r->backwards |= time < r->stamp;
  r->stamp = time;
  uint64_t before = tb_lane_times_stamp (&r->times, time);
  for (; r->unbounded < r->slices->count; r->unbounded++)
    if (r->slices->items[r->unbounded].before > before)
      r->slices->items[r->unbounded].before = before;
  for (; r->waiting < r->slices->count; r->waiting++)
    if (r->slices->items[r->waiting].begun_at == UINT64_MAX)
      r->slices->items[r->waiting].begun_at = time;
  /* Before its first waypoint it is a time of what was before.  */
  if (r->open && r->ran && r->now.begun_at == UINT64_MAX)
    r->now.begun_at = time;
}

static bool
take (void *context, uint64_t number, const struct tb_element *e)
{
  struct lane_reading *r = context;
  bool same;
  uint64_t before;
  /* A slice that goes on there ends with the later bytes.  */
  tb_lane_times_reach (&r->times, e->index, &before);
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_CONTEXT:
      same = r->has_context && e->flags == r->context.flags
	     && e->u.context.cid == r->context.u.context.cid
	     && e->u.context.vmid == r->context.u.context.vmid;
      r->context = *e;
      r->has_context = true;
      if (same && r->open && !r->ran)
	return true;
      if (!end_slice (r, number, e->index))
	return false;
      begin_slice (r, number, e);
      return true;
    case TB_ELEMENT_TRACE_ON:
      if (!r->open || !r->ran)
	return true;
      if (!end_slice (r, number, e->index))
	return false;
      begin_slice (r, number, e);
      return true;
    case TB_ELEMENT_NO_SYNC:
      r->has_context = false;
      return end_slice (r, number, e->index);
    case TB_ELEMENT_TIMESTAMP:
      take_stamp (r, e->u.value);
      return true;
    case TB_ELEMENT_RANGE:
      r->ran = true;
      return true;
    case TB_ELEMENT_END:
      return end_slice (r, number + 1, e->index);
    default:
      return true;
    }
}

enum tb_status
tb_slices_read (struct tb_slices *slices, struct tb_stitch_lane *lane, size_t number,
		const struct tb_device *core, const struct tb_snapshot *snapshot,
		struct tb_diag *diag)
{
  struct lane_reading r = {
    .slices = slices, .lane = number, .snapshot = snapshot, .first = slices->count,
    .waiting = slices->count, .unbounded = slices->count
  };
  tb_lane_times_init (&r.times, &snapshot->stays.clock, lane->config.buffer);
  enum tb_status status = tb_stitch_lane_read (lane, take, &r, diag);
  const struct tb_stays stays
    = tb_stays_of (&snapshot->stays, (size_t) (core - snapshot->devices));
  for (size_t i = r.first; i < slices->count; i++)
    if (r.backwards)
      {
	slices->items[i].after = 0;
	slices->items[i].before = UINT64_MAX;
      }
    else
      tb_stays_narrow (&stays, slices->items[i].thread, &slices->items[i].after,
		       &slices->items[i].before);
  if (!r.backwards && r.stamp != 0)
    return status;
  slices->timeless++;
  for (size_t i = r.first; i < slices->count; i++)
    {
      slices->items[i].begun_at = UINT64_MAX;
      slices->items[i].on_until = 0;
    }
  return status;
}

static int
compare_slices (const void *left, const void *right)
{
  const struct tb_thread_slice *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->part.lane != b->part.lane)
    return a->part.lane < b->part.lane ? -1 : 1;
  return a->part.from < b->part.from ? -1 : a->part.from > b->part.from;
}

void
tb_slices_sort (struct tb_slices *slices)
{
  if (slices->count > 1)
    qsort (slices->items, slices->count, sizeof *slices->items, compare_slices);
}

/* Can A have been before B?  */
static bool
may_precede (const struct tb_thread_slice *a, const struct tb_thread_slice *b)
{
  return a->on_until <= b->begun_at && a->after < b->before;
}

/* The slices of one thread that are left, by lane.  */
struct heads
{
  struct { size_t next, end; } *items;
  size_t count;
};

/* The number of the head that was before all others; HEADS->count: there is none.  */
static size_t
first_of (const struct tb_thread_slice *slices, const struct heads *heads,
	  enum tb_slices_order *order)
{
  size_t first = 0;
  for (size_t i = 1; i < heads->count; i++)
    if (may_precede (&slices[heads->items[i].next], &slices[heads->items[first].next]))
      first = i;
  const struct tb_thread_slice *it = &slices[heads->items[first].next];
  for (size_t i = 0; i < heads->count; i++)
    {
      const struct tb_thread_slice *other = &slices[heads->items[i].next];
      if (i == first)
	continue;
      bool before = may_precede (it, other), behind = may_precede (other, it);
      if (before && !behind)
	continue;
      *order = before || behind ? TB_SLICES_OPEN : TB_SLICES_WRONG;
      return heads->count;
    }
  return first;
}

/* Let HEADS be those of the COUNT SLICES.  */
static void
find_heads (struct heads *heads, const struct tb_thread_slice *slices, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      if (i == 0 || slices[i].part.lane != slices[i - 1].part.lane)
	heads->items[heads->count++].next = i;
      heads->items[heads->count - 1].end = i + 1;
    }
}

bool
tb_slices_order (struct tb_thread_slice *slices, size_t count, size_t lanes,
		 enum tb_slices_order *order)
{
  struct tb_thread_slice *sorted = calloc (count, sizeof *sorted);
  struct heads heads = { .items = calloc (lanes, sizeof *heads.items) };
  bool good = sorted != NULL && heads.items != NULL;
  size_t done = 0;
  *order = TB_SLICES_ORDERED;
  if (good)
    find_heads (&heads, slices, count);
  while (good && done < count)
    {
      size_t first = first_of (slices, &heads, order);
      if (first == heads.count)
	break;
      sorted[done++] = slices[heads.items[first].next++];
      if (heads.items[first].next == heads.items[first].end)
	heads.items[first] = heads.items[--heads.count];
    }
  if (good && done == count)
    memcpy (slices, sorted, count * sizeof *slices);
  free (sorted);
  free (heads.items);
  return good;
}

void
tb_slices_fini (struct tb_slices *slices)
{
  free (slices->items);
}
