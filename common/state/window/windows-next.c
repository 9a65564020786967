/* The next window, made and named on another thread while one is solved.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Windows are mostly worked out one after the other from the end back.  What one needs of
   those behind it comes in only after its steps have been read and named, which is a third
   of the work.  So that is done for the next one while one is solved; what it becomes does
   not depend on when it is done.

   While the thread runs, the recording and the memory map are its own: solving reads
   neither of the recording's windows.  What it needs of the state of the last window it
   only reads, and solving another one does not change that.  */

#include "config.h"
#include "state/window/windows-kept.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct tb_window_next
{
  struct tb_state *home;
  struct tb_state *state;	/* NULL: none.  */
  struct tb_state_options options;
  struct tb_poll poll;
  struct tb_border *guess;	/* For what the window behind knows where it begins.  */
  size_t number;
  unsigned begun;		/* As of the windows, then.  */
  pthread_t thread;
  bool runs;
  atomic_bool stop;
};

/* Is TB_WINDOW_NEXT to go on?  */
static bool
go_on (void *context)
{
  struct tb_window_next *next = context;
  return !atomic_load (&next->stop);
}

static void *
make (void *context)
{
  struct tb_window_next *next = context;
  const struct tb_state *home = next->home;
  uint64_t steps, base = tb_windows_first (home->windows, next->number, &steps);
  struct tb_state *s = tb_state_make (home->recording, &next->options, base, steps);
  if (s == NULL)
    return NULL;
  tb_state_use_more (s, home);
  s->stkalign = home->stkalign;
  s->halt = home->halt;
  /* What the window behind will know of FP registers is what those behind it know, mostly;
     tb_state_solve sees whether it is.  */
  s->after[0] = next->guess;
  tb_state_name (s);
  s->after[0] = NULL;
  next->state = s;
  return NULL;
}

/* Is the window before number NUMBER to be worked out next, as far as one can tell?  */
static bool
is_wanted (const struct tb_state *home, size_t number)
{
  const struct tb_windows *w = home->windows;
  const struct tb_window_slot *slot = &w->slots[number + 1];
  return number + 1 < w->count && number > 0 && w->slots[number - 1].solves != 0
	 && slot->state == NULL && slot->solves == 0
	 && (number + 2 >= w->count || w->slots[number + 2].end[0] == NULL)
	 && (number + 2 < w->count || (home->options.start == 0 && w->start == 0));
}

void
tb_windows_begin_next (struct tb_state *home, const struct tb_state *s)
{
  struct tb_windows *w = home->windows;
  if (w == NULL || s->glance || home->options.jobs < 2 || home->stated != NULL)
    return;
  size_t number = tb_windows_number (w, s->base);
  if (!is_wanted (home, number))
    return;
  if (w->next == NULL)
    w->next = calloc (1, sizeof *w->next);
  struct tb_window_next *next = w->next;
  if (next == NULL || (next->state != NULL && next->number == number + 1
		       && next->begun == w->begun))
    return;
  tb_windows_drop_next (w);
  next->home = home;
  next->options = home->options;
  next->poll = (struct tb_poll) { .go_on = go_on, .context = next };
  next->options.poll = &next->poll;
  next->guess = w->slots[number - 1].start[0];
  next->number = number + 1;
  next->begun = w->begun;
  atomic_store (&next->stop, false);
  next->runs = pthread_create (&next->thread, NULL, make, next) == 0;
}

void
tb_windows_end_next (struct tb_state *home, bool needed)
{
  struct tb_window_next *next = home->windows != NULL ? home->windows->next : NULL;
  if (next == NULL || !next->runs)
    return;
  if (!needed)
    atomic_store (&next->stop, true);
  pthread_join (next->thread, NULL);
  next->runs = false;
  if (next->state != NULL && next->state->graph.failed)
    tb_windows_drop_next (home->windows);
}

struct tb_state *
tb_windows_take_next (struct tb_state *home, size_t number)
{
  struct tb_windows *w = home->windows;
  struct tb_window_next *next = w->next;
  if (next == NULL || next->state == NULL || next->number != number)
    return NULL;
  struct tb_state *s = next->state;
  /* What was given up meanwhile, and what is known of the window before.  */
  if (next->begun != w->begun || s->halt != home->halt || s->stkalign != home->stkalign
      || next->options.trust != home->options.trust
      || (number + 1 < w->count && w->slots[number + 1].end[0] != NULL))
    {
      tb_windows_drop_next (w);
      return NULL;
    }
  next->state = NULL;
  s->options.poll = NULL;
  s->options.stored = home->options.stored;
  return s;
}

void
tb_windows_drop_next (struct tb_windows *w)
{
  if (w->next == NULL)
    return;
  tb_state_close (w->next->state);
  w->next->state = NULL;
}

void
tb_windows_free_next (struct tb_windows *w)
{
  tb_windows_drop_next (w);
  free (w->next);
  w->next = NULL;
}
