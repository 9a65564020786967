/* What ran on a core, and when.  See stays.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/stays.h"

#include "util/search.h"

/* What the kernel's arithmetic may lose, and how much later than the counter it is read.  */
#define SLACK 100

/* Stays of others that are passed over for one of a thread.  */
#define MOST_LOOKED_AT 4096

void
tb_kernel_time (const struct tb_kernel_clock *clock, uint64_t stamp, uint64_t *after,
		uint64_t *before)
{
  uint64_t rest = UINT64_C (1) << clock->shift;
  if (clock->mask != 0)
    stamp = clock->cycles + ((stamp - clock->cycles) & clock->mask);
  uint64_t time = clock->zero + (stamp >> clock->shift) * clock->mult
		  + ((stamp & (rest - 1)) * clock->mult >> clock->shift);
  *after = time > SLACK ? time - SLACK : 0;
  *before = time < UINT64_MAX - SLACK ? time + SLACK : UINT64_MAX;
}

struct tb_stays
tb_stays_of (const struct tb_stays *stays, size_t core)
{
  size_t first = 0, end;
  while (first < stays->count && stays->items[first].core != core)
    first++;
  for (end = first; end < stays->count && stays->items[end].core == core;)
    end++;
  return (struct tb_stays) {
    .items = first < end ? &stays->items[first] : NULL, .count = end - first,
    .clock = stays->clock
  };
}

const struct tb_stay *
tb_stays_during (const struct tb_stays *stays, uint64_t after, uint64_t before)
{
  size_t low;
  const struct tb_stay *its = stays->items;
  TB_LOWER_BOUND (low, stays->count, its[low].in <= after);
  return low > 0 && after <= before && before <= its[low - 1].out ? &its[low - 1] : NULL;
}

void
tb_stays_narrow (const struct tb_stays *stays, uint32_t thread, uint64_t *after,
		 uint64_t *before)
{
  size_t first, end;
  const struct tb_stay *its = stays->items;
  /* At the ends there may have been more than is told.  */
  if (stays->count == 0 || *after < its[0].from || *before > its[stays->count - 1].until)
    return;
  TB_LOWER_BOUND (first, stays->count, its[first].until < *after);
  TB_LOWER_BOUND (end, stays->count, its[end].from <= *before);
  size_t at = first;
  while (at < end && at - first < MOST_LOOKED_AT && its[at].thread != thread)
    at++;
  if (at < end && its[at].thread == thread && *after < its[at].from)
    *after = its[at].from;
  for (at = end; at > first && end - at < MOST_LOOKED_AT && its[at - 1].thread != thread;)
    at--;
  if (at > first && its[at - 1].thread == thread && *before > its[at - 1].until)
    *before = its[at - 1].until;
}
