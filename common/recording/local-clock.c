/* What the ticks of an ITM's local clock say of the system's time.  See local-clock.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/local-clock.h"

#include "util/wide.h"

/* So much of the system's time has passed at least where FIRST and then LAST local ticks
   were told.  */
static uint64_t
passed (const struct tb_local_clock *clock, uint64_t first, uint64_t last)
{
  uint64_t time;
  if (clock->local == 0 || clock->system == 0 || last < first
      || last - first <= clock->tick)
    return 0;
  return tb_wide_divide (tb_wide_product (last - first - clock->tick, clock->system),
			 clock->local, &time) ? time : 0;
}

void
tb_local_clock_restart (struct tb_local_clock *clock, uint64_t number)
{
  clock->sum = 0;
  clock->from = number;
  clock->has_anchor = false;
}

void
tb_local_clock_part (struct tb_local_clock *clock)
{
  clock->has_anchor = false;
}

void
tb_local_clock_told (struct tb_local_clock *clock, uint64_t value, uint32_t delta)
{
  if (delta > 0)
    clock->tick = (value - clock->sum) / delta;
  clock->sum = value;
}

void
tb_local_clock_raise (struct tb_local_clock *clock, struct tb_said *said)
{
  bool known = said->flags & TB_SAID_EARLIEST;
  if (clock->has_anchor)
    {
      uint64_t time = passed (clock, clock->ticks, said->local);
      uint64_t earliest = clock->earliest + time;
      if (earliest >= clock->earliest && (!known || earliest > said->earliest))
	{
	  clock->narrowed |= time > 0;
	  said->earliest = earliest;
	  said->flags |= TB_SAID_EARLIEST;
	  return;		/* The older anchor loses no other tick.  */
	}
    }
  if (!known)
    return;
  clock->has_anchor = true;
  clock->ticks = said->local;
  clock->earliest = said->earliest;
}

void
tb_local_clock_lower (struct tb_local_clock *clock, struct tb_said *items, uint64_t base,
		      uint64_t first, uint64_t end)
{
  const struct tb_said *exact = NULL;
  if (first < clock->from)
    first = clock->from;
  for (uint64_t i = end; i > first; i--)
    {
      struct tb_said *said = &items[i - 1 - base];
      if (!(said->flags & TB_SAID_LOCAL))
	continue;
      if (exact != NULL)
	{
	  uint64_t time = passed (clock, said->local, exact->local);
	  uint64_t latest = exact->latest - (time < exact->latest ? time : exact->latest);
	  clock->narrowed |= latest < said->latest;
	  said->latest = latest;
	}
      else if (!(said->flags & TB_SAID_LATE))
	exact = said;
      if (said->flags & TB_SAID_EARLIEST && said->earliest > said->latest)
	clock->contradicted = true;
    }
}
