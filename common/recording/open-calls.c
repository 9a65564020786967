/* Open calls.  See open-calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/open-calls.h"

#include <stdlib.h>
#include <string.h>

void
tb_open_init (struct tb_open_calls *c, size_t most, size_t extra_size,
	      enum tb_same (*same) (const void *context, uint64_t a,
				    uint64_t b), const void *context)
{
  *c = (struct tb_open_calls) { .most = most, .extra_size = extra_size,
				.same = same, .context = context };
}

void
tb_open_fini (struct tb_open_calls *c)
{
  tb_open_forget (c);
  free (c->open);
  free (c->extra);
  c->open = NULL;
  c->extra = NULL;
}

static enum tb_same
same (const struct tb_open_calls *c, uint64_t a, uint64_t b)
{
  return a == 0 || b == 0 || c->same == NULL ? TB_SAME_UNSURE
					     : c->same (c->context, a, b);
}

/* Room for one more.  */
static bool
make_room (struct tb_open_calls *c)
{
  if (c->count == c->most)
    {
      size_t kept = c->most / 2;
      memmove (c->open, c->open + (c->count - kept), kept * sizeof *c->open);
      memmove (c->extra, c->extra + (c->count - kept) * c->extra_size,
	       kept * c->extra_size);
      c->count = kept;
    }
  if (c->count < c->room)
    return true;
  size_t room = c->room != 0 ? c->room * 2 : 64;
  void *open = realloc (c->open, room * sizeof *c->open);
  if (open != NULL)
    c->open = open;
  void *extra = realloc (c->extra, room * c->extra_size + 1);
  if (extra != NULL)
    c->extra = extra;
  c->failed |= open == NULL || extra == NULL;
  if (!c->failed)
    c->room = room;
  return !c->failed;
}

void *
tb_open_push (struct tb_open_calls *c, const struct tb_open_call *call)
{
  if (!make_room (c))
    return NULL;
  void *extra = tb_open_extra (c, c->count);
  c->open[c->count] = *call;
  c->open[c->count++].banked = c->banked;
  memset (extra, 0, c->extra_size);
  return extra;
}

size_t
tb_open_exception (const struct tb_open_calls *c)
{
  size_t at = c->count;
  while (at > 0 && !c->open[at - 1].exception)
    at--;
  return at;
}

/* Thread number I of those that do not run runs, or may.  */
static void
wake (struct tb_open_calls *c, size_t i)
{
  free (c->asleep[i].open);
  free (c->asleep[i].extra);
  memmove (&c->asleep[i], &c->asleep[i + 1], (--c->nasleep - i) * sizeof c->asleep[0]);
}

/* The thread that runs, which is not known, goes on at PC; EXCEPTION: as one returned there.
   What stopped where that leads to may be this thread, and is no longer what it was then.  */
static void
suspect (struct tb_open_calls *c, uint64_t pc, bool exception)
{
  for (size_t i = c->strange ? c->nasleep : 0; i-- > 0;)
    {
      const struct tb_asleep *a = &c->asleep[i];
      const struct tb_open_call *inner = &a->open[a->count - 1];
      if (inner->exception == exception
	  && (exception ? pc - inner->back <= TB_BACK_OVER : pc == inner->back)
	  && same (c, a->sp, c->resumed) != TB_SAME_NOT)
	wake (c, i);
    }
}

size_t
tb_open_returns (struct tb_open_calls *c, uint64_t pc, uint64_t sp)
{
  size_t found = 0;
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (c->open[at - 1].back == pc)
      {
	if (found == 0)
	  found = at;
	if (same (c, c->open[at - 1].sp, sp) != TB_SAME_NOT)
	  return at;
      }
  if (found == 0 && tb_open_exception (c) == 0)
    suspect (c, pc, false);
  return found;
}

/* The thread that has run, with COUNT calls open, stops at stack pointer SP.  */
static void
stop (struct tb_open_calls *c, size_t count, uint64_t sp)
{
  c->count = 0;
  if (count == 0 || sp == 0)
    return;
  if (c->nasleep == TB_ASLEEP_MOST)
    {
      free (c->asleep[0].open);
      free (c->asleep[0].extra);
      memmove (c->asleep, c->asleep + 1,
	       --c->nasleep * sizeof c->asleep[0]);
    }
  struct tb_open_call *copy = malloc (count * sizeof *copy);
  char *extra = malloc (count * c->extra_size + 1);
  if (copy == NULL || extra == NULL)
    {
      c->failed = true;
      free (copy);
      free (extra);
      return;
    }
  memcpy (copy, c->open, count * sizeof *copy);
  memcpy (extra, c->extra, count * c->extra_size);
  c->asleep[c->nasleep++] = (struct tb_asleep) { copy, extra, count, sp };
}

/* What goes on runs at stack pointer SP: which thread that is, if any.  */
static void
go_on (struct tb_open_calls *c, uint64_t sp)
{
  c->count = 0;
  c->strange = false;
  for (size_t i = c->nasleep; i-- > 0;)
    {
      struct tb_asleep *a = &c->asleep[i];
      if (same (c, a->sp, sp) != TB_SAME)
	continue;
      memcpy (c->open, a->open, a->count * sizeof *a->open);
      memcpy (c->extra, a->extra, a->count * c->extra_size);
      c->count = a->count;
      wake (c, i);
      return;
    }
  c->strange = true;
  c->resumed = sp;
}

size_t
tb_open_leave (struct tb_open_calls *c, uint64_t address, uint64_t sp)
{
  size_t at = c->count = tb_open_exception (c);
  const struct tb_open_call *entry = at > 0 ? &c->open[at - 1] : NULL;
  enum tb_same here = entry == NULL ? TB_SAME_NOT : same (c, entry->sp, sp);
  /* Without any hint of another stack, it is the same one.  */
  if (here == TB_SAME_NOT
      || (here == TB_SAME_UNSURE && entry->banked != c->banked))
    {
      stop (c, at, entry != NULL ? entry->sp : 0);
      go_on (c, sp);
    }
  /* A return to elsewhere is another thread's: nothing open is of it.  */
  at = c->count;
  if (at == 0 || !c->open[at - 1].exception
      || address - c->open[at - 1].back > TB_BACK_OVER)
    {
      at = c->count = 0;
      c->strange = true;
      c->resumed = sp;
      suspect (c, address, true);
    }
  return at;
}

void
tb_open_chain (struct tb_open_calls *c)
{
  c->count = tb_open_exception (c);
}

void
tb_open_switch (struct tb_open_calls *c, uint64_t old, uint64_t new)
{
  if (same (c, old, new) == TB_SAME)
    return;
  /* The outermost caller that had this stack pointer.  */
  size_t found = 0;
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (same (c, c->open[at - 1].sp, new) == TB_SAME)
      found = at;
  if (found != 0)
    {
      c->count = found - 1;
      return;
    }
  stop (c, c->count, old);
  go_on (c, new);
}

void
tb_open_banked (struct tb_open_calls *c)
{
  c->banked++;
}

void
tb_open_forget (struct tb_open_calls *c)
{
  c->count = 0;
  c->strange = false;
  while (c->nasleep > 0)
    wake (c, c->nasleep - 1);
}
