/* Objects of a twin that are not in the dump.  See ghosts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/ghosts.h"

#include <stdlib.h>

bool
ghosts_open (struct ghosts *g, uint32_t record, uint32_t record_end, uint32_t stack,
	     uint32_t stack_end)
{
  *g = (struct ghosts) { .record = record, .record_end = record_end, .stack = stack,
			 .stack_end = stack_end, .change = SIZE_MAX };
  if (record >= record_end || stack >= stack_end)
    return false;
  g->low = (record < stack ? record : stack) & ~UINT32_C (7);
  uint32_t end = record_end > stack_end ? record_end : stack_end;
  /* One behind the stack's end is still this ghost's.  */
  g->span = (end - g->low + 8 + 7) & ~UINT32_C (7);
  size_t size = (size_t) g->span * GHOSTS_MOST;
  g->has = malloc (size);
  g->set = calloc (size, sizeof *g->set);
  return g->has != NULL && g->set != NULL && size < UINT32_MAX - GHOSTS_BASE;
}

void
ghosts_close (struct ghosts *g)
{
  free (g->has);
  free (g->set);
}

void
ghosts_begin (struct ghosts *g, unsigned count)
{
  g->count = count;
  g->now = 0;
  g->nlooks = 0;
  g->round++;
}

uint32_t
ghosts_truth (const struct ghosts *g, size_t at)
{
  return g->low + (uint32_t) at % g->span;
}

bool
ghosts_own (const struct ghosts *g, uint32_t address)
{
  return (address >= g->record && address < g->record_end)
	 || (address >= g->stack && address < g->stack_end);
}

bool
ghosts_have (const struct ghosts *g, uint32_t address, unsigned size, size_t *at)
{
  *at = address - GHOSTS_BASE;
  return address >= GHOSTS_BASE && *at < (size_t) g->span * g->count
	 && ghosts_own (g, ghosts_truth (g, *at))
	 && ghosts_own (g, ghosts_truth (g, *at) + size - 1);
}

uint32_t
ghosts_value (const struct ghosts *g, uint32_t value, unsigned number)
{
  bool is_ours = (value >= g->record && value < g->record_end)
		 || (value > g->stack && value <= g->stack_end);
  return is_ours && number < g->count ? value - g->low + GHOSTS_BASE + number * g->span : value;
}

/* What the word at AT holds to begin with.  */
static uint32_t
find_first (struct ghosts *g, size_t at, uint32_t truth)
{
  unsigned number = (unsigned) (at / g->span);
  uint32_t place = ghosts_truth (g, at);
  bool leads_on = truth == g->record && place >= g->record && place < g->record_end;
  if (g->nlooks < GHOSTS_LOOKS)
    g->looks[g->nlooks++] = truth;
  if (g->nlooks - 1 == g->change)
    return g->as;
  if (leads_on && number + 1 > g->now)
    g->now = number + 1;
  return ghosts_value (g, truth, number + leads_on);
}

uint32_t
ghosts_read (struct ghosts *g, size_t at, unsigned size, uint32_t truth)
{
  uint32_t value = 0;
  bool fresh = size == 4;
  for (unsigned i = 0; i < size; i++)
    fresh &= g->set[at + i] != g->round;
  if (fresh)
    ghosts_write (g, at, size, find_first (g, at, truth));
  for (unsigned i = 0; i < size; i++)
    {
      if (g->set[at + i] != g->round)
	ghosts_write (g, at + i, 1, truth >> 8 * i);
      value |= (uint32_t) g->has[at + i] << 8 * i;
    }
  return value;
}

void
ghosts_write (struct ghosts *g, size_t at, unsigned size, uint32_t value)
{
  for (unsigned i = 0; i < size; i++)
    {
      g->has[at + i] = (uint8_t) (value >> 8 * i);
      g->set[at + i] = g->round;
    }
}
