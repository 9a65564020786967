/* Which thread a CPU went on to, and when.  See switches.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/switches.h"

#include <stdlib.h>

#include "util/buffer.h"
#include "util/number.h"

/* Where a record SWITCH_CPU_WIDE names the other thread; the bit of misc: THREAD is left.  */
#define OTHER_TID 12
#define MISC_OUT 0x2000
/* The number of a thread that ends.  */
#define ENDED UINT32_MAX

struct tb_perf_switch
{
  uint32_t cpu, thread, other;
  uint64_t time;
  size_t order;			/* In the file.  */
  bool out;
  bool lost;			/* Here records are missing.  */
};

bool
tb_perf_switches_take (struct tb_perf_switches *switches, const struct tb_perf_record *record)
{
  bool lost = record->type == TB_PERF_LOST;
  if (!record->has_cpu || (!lost && (!record->has_tid || record->time == 0)))
    {
      switches->untold = true;
      return true;
    }
  if (!TB_GROW (switches->items, switches->capacity, switches->count, 1))
    return false;
  switches->items[switches->count] = (struct tb_perf_switch) {
    .cpu = record->cpu, .thread = record->tid, .time = record->time, .lost = lost,
    .other = lost ? 0 : tb_number_32 (record->bytes + OTHER_TID),
    .order = switches->count, .out = (record->misc & MISC_OUT) != 0
  };
  switches->count++;
  return true;
}

static int
compare_switches (const void *left, const void *right)
{
  const struct tb_perf_switch *a = left, *b = right;
  if (a->cpu != b->cpu)
    return a->cpu < b->cpu ? -1 : 1;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool
is_same (uint32_t one, uint32_t other)
{
  return one == other || one == ENDED || other == ENDED;
}

/* Does B come behind A, both of one CPU, if no record is missing?  */
static bool
fits (const struct tb_perf_switch *a, const struct tb_perf_switch *b)
{
  if (a->lost || b->lost || a->out == b->out)
    return false;
  return is_same (a->thread, b->out ? b->thread : b->other)
	 && (b->out || is_same (a->other, b->thread));
}

/* Give MAKER the stays that the N switches of one CPU at S tell of, on CORE.  */
static void
make_stays (const struct tb_perf_switch *s, size_t n, size_t core, struct tb_maker *maker)
{
  /* Out of the one before, in, out, into the one behind.  */
  for (size_t i = s[0].out ? 0 : 1; i + 3 < n; i += 2)
    {
      const struct tb_stay stay = {
	.core = core, .thread = s[i + 1].thread, .from = s[i].time, .in = s[i + 1].time,
	.out = s[i + 2].time, .until = s[i + 3].time
      };
      tb_maker_stay (maker, &stay);
    }
}

bool
tb_perf_switches_make (struct tb_perf_switches *switches, const struct tb_perf_units *units,
		       struct tb_maker *maker)
{
  struct tb_perf_switch *s = switches->items;
  if (switches->untold)
    return true;
  if (switches->count > 1)
    qsort (s, switches->count, sizeof *s, compare_switches);
  for (size_t i = 0, next; i < switches->count; i = next)
    {
      bool whole = !s[i].lost;
      size_t core = TB_MADE_NONE;
      for (next = i + 1; next < switches->count && s[next].cpu == s[i].cpu; next++)
	whole &= fits (&s[next - 1], &s[next]);
      for (size_t k = 0; k < units->count; k++)
	if (units->items[k].cpu == s[i].cpu)
	  core = units->items[k].core;
      switches->broken += !whole;
      if (whole && core != TB_MADE_NONE)
	make_stays (&s[i], next - i, core, maker);
    }
  return maker->reader.status != TB_ERR_MEMORY;
}

void
tb_perf_clock_read (struct tb_kernel_clock *clock, const struct tb_perf_record *record)
{
  /* Behind the head: shift, multiplier, zero; in newer records cycles, mask, and a byte each
     that says whether zero, and whether cycles and mask count.  */
  enum { SHIFT = 8, MULT = 16, ZERO = 24, CYCLES = 32, MASK = 40, HAS_ZERO = 48, HAS_MASK = 49 };
  const uint8_t *bytes = record->bytes;
  bool newer = record->length > HAS_MASK;
  uint64_t shift = tb_number_64 (bytes + SHIFT), mult = tb_number_64 (bytes + MULT);
  *clock = (struct tb_kernel_clock) { .known = false };
  if (shift >= 32 || mult == 0 || mult > UINT32_MAX || (newer && bytes[HAS_ZERO] == 0))
    return;
  *clock = (struct tb_kernel_clock) {
    .known = true, .shift = (unsigned) shift, .mult = (uint32_t) mult,
    .zero = tb_number_64 (bytes + ZERO)
  };
  if (newer && bytes[HAS_MASK] != 0)
    {
      clock->cycles = tb_number_64 (bytes + CYCLES);
      clock->mask = tb_number_64 (bytes + MASK);
    }
}

void
tb_perf_switches_fini (struct tb_perf_switches *switches)
{
  free (switches->items);
}
