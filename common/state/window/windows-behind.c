/* Which windows are to be worked out again, as their neighbours know more.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What a window learns from a neighbour it tells the one on its other side, which tells it back
   what it was told; so most of what is new in a border is what the window told itself.  It is
   solved again for that all the same: values that are tried then have shown contradictions that
   were missed before.  */

#include "config.h"
#include "state/window/windows-kept.h"

#include <string.h>

/* How often a window is solved where its neighbours contradict it.  */
#define SOLVES_MOST 40

/* Do two windows say of what is between them different things, certain or assumed?  */
static bool
contradict (struct tb_border *const a[2], struct tb_border *const b[2])
{
  for (unsigned i = 0; i < 4; i++)
    if (a[i / 2] != NULL && b[i % 2] != NULL
	&& tb_border_contradicts (a[i / 2], b[i % 2]))
      return true;
  return false;
}

/* Do window SLOT and its neighbours, if there are some, contradict each other?  That is
   asked at every look at the window, so an answer is kept until one of them changes.  */
static bool
is_contradicted (struct tb_window_slot *slot, const struct tb_window_slot *earlier,
		 const struct tb_window_slot *later)
{
  const unsigned now[3] = { later != NULL ? later->version + 1 : 0,
			    slot->version + 1,
			    earlier != NULL ? earlier->version + 1 : 0 };
  if (memcmp (now, slot->agreed, sizeof now) == 0)
    return false;
  if ((earlier != NULL && contradict (earlier->end, slot->start))
      || (later != NULL && contradict (later->start, slot->end)))
    return true;
  memcpy (slot->agreed, now, sizeof now);
  return false;
}

bool
tb_windows_is_behind (struct tb_windows *w, size_t number)
{
  struct tb_window_slot *slot = &w->slots[number];
  const struct tb_state *s = slot->state;
  if (slot->solves >= SOLVES_MOST || s->steps == 0)
    return false;
  const struct tb_window_slot *earlier = number + 1 < w->count ? slot + 1 : NULL;
  const struct tb_window_slot *later = number > 0 ? slot - 1 : NULL;
  if (slot->solves >= TB_WINDOW_SOLVES)
    return is_contradicted (slot, earlier, later);
  for (unsigned i = 0; i < 2; i++)
    if ((earlier != NULL
	 && earlier->end[earlier->end[i] != NULL ? i : 0] != s->before[i])
	|| (later != NULL
	    && later->start[later->start[i] != NULL ? i : 0] != s->after[i]))
      return true;
  return false;
}
