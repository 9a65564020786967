/* A window that is worked out while nobody waits for it, and rests while somebody does.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   To work out a window takes a tenth of a second, and who asks for something meanwhile is not
   to wait for that, nor is what was done to be lost.  So it is done on a thread of its own
   that has turns: while it has one, the other thread waits; it asks each millisecond or so
   whether to go on, and where not it rests there until it gets the next turn.  It never
   runs at the same time as the thread that gives it turns, so nothing else is guarded; and
   where it rests, nothing that both know is half done.  */

#include "config.h"
#include "state/window/windows-kept.h"
#include "util/notice.h"

#include <pthread.h>
#include <stdlib.h>

struct tb_window_aside
{
  struct tb_state *home;
  size_t number;
  /* As they were when it began.  */
  unsigned begun, versions[3];
  uint8_t solves;
  const struct tb_trust *trust;
  struct tb_poll poll;
  struct tb_diag diag;
  bool asks;			/* In this turn it may be told to rest.  */
  bool cancelled;		/* It is to come to its end at once.  */
  struct tb_window_work work;	/* What came of it.  */
  pthread_t thread;
  bool runs;			/* There is one, ...  */
  bool ended;			/* ... and this is done.  */
  struct tb_notice notice;	/* For TURN.  */
  bool turn;			/* It has one.  */
};

/* Give the thread of A a turn, or end it, as TURN says, and wait until that is over.  */
static void
change (struct tb_window_aside *a, bool turn)
{
  tb_notice_post (&a->notice, &a->turn, turn);
  tb_notice_await (&a->notice, &a->turn, !turn);
}

/* Is the work of A to go on, after a rest if that is wanted?  */
static bool
go_on (void *context)
{
  struct tb_window_aside *a = context;
  const struct tb_poll *asked = &a->home->windows->poll;
  if (a->cancelled)
    return false;
  if (!a->asks || asked->go_on == NULL || asked->go_on (asked->context))
    return true;
  /* The thread that begins with the next window reads the recording.  */
  tb_windows_end_next (a->home, false);
  change (a, false);
  return !a->cancelled;
}

static void *
run (void *context)
{
  struct tb_window_aside *a = context;
  tb_windows_work (a->home, a->number, &a->poll, &a->diag, &a->work);
  a->ended = true;
  tb_notice_post (&a->notice, &a->turn, false);
  return NULL;
}

/* How often what is known at the ends of window NUMBER, and next to them, changed.  */
static void
get_versions (const struct tb_windows *w, size_t number, unsigned *versions)
{
  versions[0] = number > 0 ? w->slots[number - 1].version : 0;
  versions[1] = w->slots[number].version;
  versions[2] = number + 1 < w->count ? w->slots[number + 1].version : 0;
}

/* Is A at work on window NUMBER of HOME, which would be begun in the same way now?  */
static bool
is_at (const struct tb_window_aside *a, const struct tb_state *home, size_t number)
{
  const struct tb_windows *w = home->windows;
  unsigned now[3];
  get_versions (w, number, now);
  return a->runs && a->number == number && a->begun == w->begun
	 && a->trust == home->options.trust && a->solves == w->slots[number].solves
	 && a->versions[0] == now[0] && a->versions[1] == now[1] && a->versions[2] == now[2];
}

bool
tb_windows_is_aside (const struct tb_state *home, size_t number)
{
  const struct tb_window_aside *a = home->windows->aside;
  return a != NULL && !a->turn && is_at (a, home, number);
}

bool
tb_windows_has_turn (const struct tb_windows *w)
{
  return w->aside != NULL && w->aside->turn;
}

static struct tb_window_aside *
make_aside (void)
{
  struct tb_window_aside *a = calloc (1, sizeof *a);
  if (a != NULL && tb_notice_init (&a->notice))
    return a;
  free (a);
  return NULL;
}

/* Begin with window NUMBER of HOME, and wait for the end of the first turn.  False: there is
   no thread.  */
static bool
begin (struct tb_window_aside *a, struct tb_state *home, size_t number)
{
  const struct tb_windows *w = home->windows;
  a->home = home;
  a->number = number;
  a->begun = w->begun;
  get_versions (w, number, a->versions);
  a->solves = w->slots[number].solves;
  a->trust = home->options.trust;
  a->poll = (struct tb_poll) { .go_on = go_on, .context = a };
  a->cancelled = a->ended = false;
  a->turn = true;
  a->runs = pthread_create (&a->thread, NULL, run, a) == 0;
  if (!a->runs)
    {
      a->turn = false;
      return false;
    }
  tb_notice_await (&a->notice, &a->turn, false);
  return true;
}

bool
tb_windows_work_aside (struct tb_state *home, size_t number, bool asks,
		       struct tb_diag *diag, struct tb_window_work *work)
{
  struct tb_windows *w = home->windows;
  if (w->aside == NULL)
    w->aside = make_aside ();
  struct tb_window_aside *a = w->aside;
  if (a != NULL && !is_at (a, home, number))
    tb_windows_drop_aside (w);
  bool runs = a != NULL;
  if (runs)
    {
      a->asks = asks;
      a->diag = diag != NULL ? *diag : (struct tb_diag) { NULL, NULL, 0, 0 };
      if (a->runs)
	change (a, true);
      else
	runs = begin (a, home, number);
    }
  if (!runs)
    {
      tb_windows_work (home, number, NULL, diag, work);
      return true;
    }
  if (diag != NULL)
    *diag = a->diag;
  if (!a->ended)
    {
      w->poll.stopped = true;
      return false;
    }
  pthread_join (a->thread, NULL);
  a->runs = false;
  *work = a->work;
  return true;
}

void
tb_windows_drop_aside (struct tb_windows *w)
{
  struct tb_window_aside *a = w->aside;
  if (a == NULL || !a->runs)
    return;
  a->cancelled = true;
  change (a, true);
  pthread_join (a->thread, NULL);
  a->runs = false;
  tb_state_close (a->work.state);
}

void
tb_windows_free_aside (struct tb_windows *w)
{
  if (w->aside == NULL)
    return;
  tb_windows_drop_aside (w);
  tb_notice_fini (&w->aside->notice);
  free (w->aside);
  w->aside = NULL;
}
