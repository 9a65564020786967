/* Which values of registers matter.  See live.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/live.h"

#include <stdlib.h>

#include "arm/machine/m-frame.h"
#include "state/window/windows.h"
#include "util/buffer.h"

/* Where a window ends, and what is live behind it.  */
struct border
{
  uint64_t end, live;
};

struct tb_live
{
  struct tb_state *state;	/* NULL: there is nothing to ask.  */
  struct border *borders;	/* From the end of the trace on.  */
  size_t count, capacity;
  uint64_t *sets;		/* Of the steps from FIRST on.  */
  uint64_t first, steps;
  size_t room;			/* Of SETS.  */
  bool failed;
};

/* What an exception's frame holds of the registers.  */
#define FRAME (TB_M_FRAME_SET | TB_EFFECT_NZCV)
#define SP (UINT64_C (1) << TB_SP)

/* The registers that are live before CHANGE, of which LIVE are behind it; A64: only their
   SP is banked, and an entry saves the flags.  */
static uint64_t
before_change (const struct tb_change *change, uint64_t live, bool a64)
{
  if (a64)
    return change->kind == TB_CHANGE_LOST ? TB_EFFECT_ALL64
	   : change->kind == TB_CHANGE_ENTRY
	   ? live | TB_EFFECT_NZCV | UINT64_C (1) << TB_A64_SP : live;
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      return live | FRAME | SP;
    case TB_CHANGE_RETURN:
      return (live & ~FRAME) | SP;
    case TB_CHANGE_RETURN_MAYBE:
      return live | SP;
    case TB_CHANGE_TAIL:
      return live & ~FRAME;
    case TB_CHANGE_WRITTEN:
      return live & ~tb_effect_registers (change->address, false);
    default:
      return TB_EFFECT_ALL32;
    }
}

/* The sets before the steps of window S into SETS, unless that is NULL; LIVE are the
   registers that are live behind it.  Returns those before it.  */
static uint64_t
live_in (struct tb_state *s, uint64_t live, uint64_t *sets)
{
  size_t change = s->nchanges;
  for (uint64_t i = s->steps; i-- > 0;)
    {
      struct tb_effect effect;
      for (; change > 0 && s->changes[change - 1].step > i; change--)
	live = before_change (&s->changes[change - 1], live, s->a64 != NULL);
      tb_state_effect (s, s->base + i, &effect);
      live = (live & ~effect.writes) | effect.reads;
      if (sets != NULL)
	sets[i] = live;
    }
  return live;
}

static bool
add_border (struct tb_live *l, uint64_t end, uint64_t live)
{
  bool ok = TB_GROW (l->borders, l->capacity, l->count, 1);
  if (ok)
    l->borders[l->count++] = (struct border) { end, live };
  return ok;
}

static uint64_t
all_of (const struct tb_state *s)
{
  return s->a64 != NULL ? TB_EFFECT_ALL64 : TB_EFFECT_ALL32;
}

/* Does window S, asked for STEP, have it?  If not, it was given up.  */
static bool
has_step (const struct tb_state *s, uint64_t step)
{
  return step >= s->base && step - s->base < s->steps;
}

struct tb_live *
tb_live_new (struct tb_state *s, uint64_t begin)
{
  struct tb_live *l = calloc (1, sizeof *l);
  if (l == NULL)
    return NULL;
  if (s->derived != NULL)
    s = s->derived;
  if (s->log != NULL)
    return l;
  l->state = s;
  uint64_t live = all_of (s), end = tb_recording_steps (s->recording);
  while (end > begin && !l->failed)
    {
      struct tb_state *w = tb_windows_at (s, end - 1);
      if (!has_step (w, end - 1))
	{
	  live = all_of (s);
	  end--;
	  continue;
	}
      l->failed = !add_border (l, end, live);
      if (w->base > begin)
	live = live_in (w, live, NULL);
      end = w->base;
    }
  if (!l->failed)
    return l;
  tb_live_free (l);
  return NULL;
}

void
tb_live_free (struct tb_live *l)
{
  if (l == NULL)
    return;
  free (l->borders);
  free (l->sets);
  free (l);
}

/* What is live behind the window that ends at END.  */
static uint64_t
live_behind (const struct tb_live *l, uint64_t end)
{
  size_t low = 0, high = l->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (l->borders[middle].end > end)
	low = middle + 1;
      else
	high = middle;
    }
  return low < l->count && l->borders[low].end == end ? l->borders[low].live
						       : all_of (l->state);
}

bool
tb_live_before (struct tb_live *l, uint64_t step, uint64_t *set)
{
  if (l->state == NULL)
    return false;
  if (step - l->first >= l->steps)
    {
      struct tb_state *w = tb_windows_at (l->state, step);
      *set = all_of (l->state);
      if (!has_step (w, step))
	return true;
      l->steps = 0;
      if (!TB_GROW (l->sets, l->room, 0, w->steps))
	{
	  l->failed = true;
	  return false;
	}
      l->first = w->base;
      l->steps = w->steps;
      live_in (w, live_behind (l, w->base + w->steps), l->sets);
    }
  *set = l->sets[step - l->first];
  return true;
}

bool
tb_live_no_memory (const struct tb_live *l)
{
  return l->failed;
}
