/* Times of a Tarmac log.  See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A log may have fractions of its unit.  Times are whole numbers, so the unit becomes a
   finer one then: picoseconds for nanoseconds.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fraction of a line is in parts of its unit, so many of them.  */
#define PARTS UINT32_C (1000000000)

/* Keep times in FINER parts of the log's unit.  */
static void
refine (struct tb_tarmac_core *c, uint32_t finer)
{
  uint32_t now = c->finer != 0 ? c->finer : 1;
  if (finer <= now)
    return;
  tb_facts_build_scale (c->builder, finer / now);
  c->finer = finer;
}

uint64_t
tb_tarmac_core_time (struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  uint32_t finer = c->finer != 0 ? c->finer : 1;
  while (finer < PARTS && line->fraction % (PARTS / finer) != 0
	 && line->time <= UINT64_MAX / 1000 / finer - 1)
    finer *= 1000;
  refine (c, finer);
  return line->time * finer + line->fraction / (PARTS / finer);
}

uint32_t
tb_tarmac_core_finer (const struct tb_tarmac_core *c)
{
  return c->finer != 0 ? c->finer : 1;
}

void
tb_tarmac_core_set_unit (struct tb_tarmac_core *c, uint32_t finer)
{
  size_t at = 0, down = 0;
  char **unit = &c->facts->unit, *made;
  refine (c, finer);
  if (finer == 1 || *unit == NULL)
    return;
  for (uint32_t i = finer; i > 1; i /= 1000)
    down++;
  while (at < TB_TIME_UNITS && strcmp (tb_time_units[at], *unit) != 0)
    at++;
  if (at + down < TB_TIME_UNITS)
    made = strdup (tb_time_units[at + down]);
  else if (asprintf (&made, "%s/%" PRIu32, *unit, finer) < 0)
    made = NULL;
  if (made == NULL)
    return;
  free (*unit);
  *unit = made;
}
