/* What was filled and is not marked.  See filled.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "filled.h"

static void
add_run (struct filled *filled, struct filled_run run)
{
  if (filled->count < FILLED_RUNS)
    {
      filled->runs[filled->count++] = run;
      return;
    }
  if (filled->more == 0 || run.first < filled->lowest)
    filled->lowest = run.first;
  filled->more += run.last - run.first + 1;
}

void
filled_add (struct filled *filled, uint64_t address)
{
  for (size_t i = 0; i < filled->count; i++)
    if (address >= filled->runs[i].first && address <= filled->runs[i].last)
      return;
  /* What is read is filled upwards.  */
  if (filled->count > 0 && address != 0
      && filled->runs[filled->count - 1].last == address - 1)
    filled->runs[filled->count - 1].last = address;
  else
    add_run (filled, (struct filled_run) { address, address });
}

void
filled_drop (struct filled *filled, uint64_t address)
{
  for (size_t i = 0; i < filled->count; i++)
    {
      struct filled_run *r = &filled->runs[i], whole = *r;
      if (address < r->first || address > r->last)
	continue;
      if (r->first == r->last)
	*r = filled->runs[--filled->count];
      else if (address == r->first)
	r->first++;
      else
	{
	  r->last = address - 1;
	  if (address < whole.last)
	    add_run (filled, (struct filled_run) { address + 1, whole.last });
	}
      return;
    }
}

uint64_t
filled_bytes (const struct filled *filled, uint64_t *first)
{
  uint64_t bytes = filled->more;
  *first = bytes != 0 ? filled->lowest : UINT64_MAX;
  for (size_t i = 0; i < filled->count; i++)
    {
      bytes += filled->runs[i].last - filled->runs[i].first + 1;
      if (filled->runs[i].first < *first)
	*first = filled->runs[i].first;
    }
  return bytes;
}
