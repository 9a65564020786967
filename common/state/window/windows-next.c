/* The next window, begun on another thread while one is solved.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Windows are mostly worked out one after the other from the end back.  What one needs of
   those behind it comes in only after its steps have been read and named, and what follows
   from these alone has been worked out, which is most of the work.  So that is begun for the
   next one while one is solved.  Who needs it goes on where the thread has come to, so that
   both threads are busy however the work is spread; what comes of it does not depend on
   where that is.

   Until the steps are named, the recording is the thread's own: solving does not read it.
   What the thread needs of the state of the last window it only reads, and solving another
   one does not change that, unless it shows a contradiction.  From then on it has nothing
   but its window and the memory map, which does not change.  */

#include "config.h"
#include "state/window/windows-kept.h"
#include "util/notice.h"

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
  struct tb_notice notice;	/* For NAMED.  */
  bool named;			/* The recording is no longer read.  */
  atomic_bool stop;		/* It is to be given up, ...  */
  atomic_bool taken;		/* ... or is needed as it is.  */
};

/* Is TB_WINDOW_NEXT to go on?  */
static bool
go_on (void *context)
{
  struct tb_window_next *next = context;
  return !atomic_load (&next->stop);
}

/* Make and name the window of NEXT.  NULL: no memory, or it was given up.  */
static struct tb_state *
make (struct tb_window_next *next)
{
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
  s->options.poll = s->graph.poll = NULL;
  if (!s->graph.failed)
    return s;
  tb_state_close (s);
  return NULL;
}

static void *
work (void *context)
{
  struct tb_window_next *next = context;
  struct tb_state *s = next->state = make (next);
  tb_notice_post (&next->notice, &next->named, true);
  while (s != NULL && !atomic_load (&next->taken) && tb_state_solve_alone (s))
    continue;
  return NULL;
}

/* Wait until the thread, if there is one, has come to an end, which is soon if it reads or
   names no longer.  */
static void
join (struct tb_window_next *next)
{
  if (!next->runs)
    return;
  atomic_store (&next->taken, true);
  pthread_join (next->thread, NULL);
  next->runs = false;
}

/* What windows are begun with.  NULL: no memory.  */
static struct tb_window_next *
make_next (void)
{
  struct tb_window_next *next = calloc (1, sizeof *next);
  if (next != NULL && tb_notice_init (&next->notice))
    return next;
  free (next);
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
    w->next = make_next ();
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
  next->named = false;
  atomic_store (&next->stop, false);
  atomic_store (&next->taken, false);
  next->runs = pthread_create (&next->thread, NULL, work, next) == 0;
}

void
tb_windows_end_next (struct tb_state *home, bool needed)
{
  struct tb_window_next *next = home->windows != NULL ? home->windows->next : NULL;
  if (next == NULL || !next->runs)
    return;
  if (!needed)
    {
      atomic_store (&next->stop, true);
      join (next);
      return;
    }
  tb_notice_await (&next->notice, &next->named, true);
}

struct tb_state *
tb_windows_take_next (struct tb_state *home, size_t number)
{
  struct tb_windows *w = home->windows;
  struct tb_window_next *next = w->next;
  if (next == NULL || next->state == NULL || next->number != number)
    return NULL;
  join (next);
  struct tb_state *s = next->state;
  /* What was given up meanwhile, and what is known of the window before.  */
  if (s->graph.failed || next->begun != w->begun || s->halt != home->halt
      || s->stkalign != home->stkalign || next->options.trust != home->options.trust
      || (number + 1 < w->count && w->slots[number + 1].end[0] != NULL))
    {
      tb_windows_drop_next (w);
      return NULL;
    }
  next->state = NULL;
  s->options.stored = home->options.stored;
  return s;
}

void
tb_windows_drop_next (struct tb_windows *w)
{
  if (w->next == NULL)
    return;
  join (w->next);
  tb_state_close (w->next->state);
  w->next->state = NULL;
}

void
tb_windows_free_next (struct tb_windows *w)
{
  if (w->next == NULL)
    return;
  tb_windows_drop_next (w);
  tb_notice_fini (&w->next->notice);
  free (w->next);
  w->next = NULL;
}
