/* The next windows, begun on other threads while one is solved.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Windows are mostly worked out one after the other, from the end back or forth again.  What one
   needs of the one that comes before it in that row comes in only after its steps have been read
   and named, and what follows from these alone has been worked out, which is most of the work.
   So that is begun for the next ones while one is solved, a thread for each.  Who needs a window
   goes on where its thread has come to, so that all threads are busy however the work is spread;
   what comes of it does not depend on where that is.

   Until the steps are read, the recording is that of these threads, one at a time: solving does
   not read it.  What they need of the state of the last window they only read, and solving
   another one does not change that, unless it shows a contradiction.  From then on a thread has
   nothing but its window and the memory map, which does not change.  How often borders are in
   use only the thread that begins and takes windows counts.  */

#include "config.h"
#include "state/window/windows-kept.h"
#include "util/notice.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* As many are begun at most, ...  */
#define NEXT_MOST 15

/* ... of as many as come next: in later rounds some of them need nothing.  */
#define NEXT_LOOK 16

/* What a step of a window that is being worked out takes, of memory.  */
#define BYTES_STEP 64

struct tb_window_next
{
  struct tb_windows_next *all;
  bool used;			/* It is begun, and neither taken nor dropped.  */
  struct tb_state *state;	/* NULL: no memory, or given up.  */
  struct tb_state_options options;
  struct tb_poll poll;
  /* What is known where it begins, and what may be known where it ends; NULL: nothing, or
     STATE has them.  */
  struct tb_border *before, *guess;
  size_t number;
  unsigned begun;		/* As of the windows, then.  */
  pthread_t thread;
  bool runs;
  bool read;			/* The recording is no longer read; under the lock.  */
  atomic_bool is_read;		/* The same.  */
  atomic_bool stop;		/* It is to be given up if it is not read, ...  */
  atomic_bool drop;		/* ... or anyhow, ...  */
  atomic_bool taken;		/* ... or is needed as it is.  */
};

struct tb_windows_next
{
  struct tb_state *home;
  struct tb_notice notice;	/* For READ.  */
  pthread_mutex_t reading;	/* Who has it reads the recording.  */
  unsigned missed;		/* So many in a row were begun with what does not hold.  */
  struct tb_window_next items[NEXT_MOST];
};

/* Is TB_WINDOW_NEXT to go on?  */
static bool
go_on (void *context)
{
  struct tb_window_next *next = context;
  return !atomic_load (&next->drop)
	 && (!atomic_load (&next->stop) || atomic_load (&next->is_read));
}

/* Read the window of NEXT.  NULL: no memory, or it was given up.  */
static struct tb_state *
make (struct tb_window_next *next)
{
  const struct tb_state *home = next->all->home;
  uint64_t steps, base = tb_windows_first (home->windows, next->number, &steps);
  if (!go_on (next))
    return NULL;
  struct tb_state *s = tb_state_make (home->recording, &next->options, base, steps);
  if (s == NULL)
    return NULL;
  tb_state_use_more (s, home);
  s->stkalign = home->stkalign;
  s->halt = home->halt;
  return s;
}

static void *
work (void *context)
{
  struct tb_window_next *next = context;
  struct tb_windows_next *all = next->all;
  pthread_mutex_lock (&all->reading);
  struct tb_state *s = next->state = make (next);
  pthread_mutex_unlock (&all->reading);
  atomic_store (&next->is_read, s != NULL);
  tb_notice_post (&all->notice, &next->read, true);
  if (s == NULL)
    return NULL;
  /* What the window behind will know of FP registers is what it knew, or those behind it know,
     mostly; tb_state_solve sees whether it is.  */
  s->before[0] = next->before;
  s->after[0] = next->guess;
  next->before = next->guess = NULL;
  tb_state_name (s);
  s->options.poll = s->graph.poll = NULL;
  while (!s->graph.failed && !atomic_load (&next->taken) && !atomic_load (&next->drop)
	 && tb_state_solve_alone (s))
    continue;
  return NULL;
}

/* Wait until the thread of NEXT, if there is one, has come to an end, which is soon if it reads
   or names no longer, or is given up.  */
static void
join (struct tb_window_next *next)
{
  if (!next->runs)
    return;
  atomic_store (&next->taken, true);
  pthread_join (next->thread, NULL);
  next->runs = false;
}

static void
drop (struct tb_window_next *next)
{
  atomic_store (&next->drop, true);
  join (next);
  tb_state_close (next->state);
  tb_border_unref (next->before);
  tb_border_unref (next->guess);
  next->state = NULL;
  next->before = next->guess = NULL;
  next->used = false;
}

/* What windows are begun with.  NULL: no memory.  */
static struct tb_windows_next *
make_all (struct tb_state *home)
{
  struct tb_windows_next *all = calloc (1, sizeof *all);
  if (all == NULL)
    return NULL;
  all->home = home;
  if (tb_notice_init (&all->notice))
    {
      if (pthread_mutex_init (&all->reading, NULL) == 0)
	return all;
      tb_notice_fini (&all->notice);
    }
  free (all);
  return NULL;
}

/* What the window before window NUMBER of W knows where that begins.  */
static struct tb_border *
known_before (const struct tb_windows *w, size_t number)
{
  return number + 1 < w->count ? w->slots[number + 1].end[0] : NULL;
}

/* Is window NUMBER to be worked out soon, as far as one can tell, and may what is begun now
   be of use?  */
static bool
is_wanted (const struct tb_state *home, size_t number)
{
  struct tb_windows *w = home->windows;
  const struct tb_window_slot *slot = &w->slots[number];
  bool first = number + 1 == w->count;
  if (first && (home->options.start != 0 || w->start != 0))
    return false;
  /* What is known there changes before it is needed.  */
  if (!w->back && !first && known_before (w, number) == NULL)
    return false;
  /* A window that is kept has what a new one has, but for what is assumed and was told, and
     for code that was found not to be what ran.  */
  return slot->state == NULL
	 || (home->options.assume == 0 && tb_state_recoded (slot->state) == 0
	     && tb_windows_is_behind (w, number));
}

/* How many windows may be begun beside the one that is solved.  */
static unsigned
most_begun (const struct tb_state *home)
{
  const struct tb_windows *w = home->windows;
  unsigned jobs = home->options.jobs < NEXT_MOST + 1 ? home->options.jobs : NEXT_MOST + 1;
  /* An eighth of what there is in all.  */
  uint64_t room = w->budget / 6 / (w->size * BYTES_STEP);
  return room + 1 < jobs ? (room != 0 ? (unsigned) room : 1) : jobs - 1;
}

/* Begin with window NUMBER, on a thread of NEXT.  */
static void
begin (struct tb_window_next *next, struct tb_windows_next *all, size_t number)
{
  const struct tb_state *home = all->home;
  const struct tb_windows *w = home->windows;
  struct tb_border *guess = w->slots[number - 1].start[0];
  if (guess == NULL && number > 1)
    guess = w->slots[number - 2].start[0];
  next->all = all;
  next->options = home->options;
  next->poll = (struct tb_poll) { .go_on = go_on, .context = next };
  next->options.poll = &next->poll;
  next->before = tb_border_ref (known_before (w, number));
  next->guess = tb_border_ref (guess);
  next->number = number;
  next->begun = w->begun;
  next->read = false;
  atomic_store (&next->is_read, false);
  atomic_store (&next->stop, false);
  atomic_store (&next->drop, false);
  atomic_store (&next->taken, false);
  next->used = true;
  next->runs = pthread_create (&next->thread, NULL, work, next) == 0;
  if (!next->runs)
    drop (next);
}

/* Number K of the windows that come next to window NUMBER; 0: there is none.  */
static size_t
next_number (const struct tb_windows *w, size_t number, size_t k)
{
  if (w->back)
    return number + k < w->count ? number + k : 0;
  return number > k ? number - k : 0;
}

/* What is begun for window NUMBER.  NULL: nothing is.  */
static struct tb_window_next *
find (struct tb_windows_next *all, size_t number)
{
  for (size_t i = 0; all != NULL && i < NEXT_MOST; i++)
    if (all->items[i].used && all->items[i].number == number)
      return &all->items[i];
  return NULL;
}

/* Drop what is begun and does not come next to window NUMBER; returns how much is left.  */
static unsigned
drop_others (struct tb_windows_next *all, size_t number)
{
  const struct tb_windows *w = all->home->windows;
  unsigned left = 0;
  for (size_t i = 0; i < NEXT_MOST; i++)
    {
      struct tb_window_next *next = &all->items[i];
      size_t far = w->back ? next->number - number : number - next->number;
      if (next->used && (next->begun != w->begun || far == 0 || far > NEXT_LOOK))
	drop (next);
      left += next->used;
    }
  return left;
}

void
tb_windows_begin_next (struct tb_state *home, const struct tb_state *s)
{
  struct tb_windows *w = home->windows;
  if (w == NULL || s->glance || home->options.jobs < 2 || home->stated != NULL || !w->in_row)
    return;
  size_t number = tb_windows_number (w, s->base);
  if (w->next == NULL)
    w->next = make_all (home);
  struct tb_windows_next *all = w->next;
  if (all == NULL)
    return;
  unsigned begun = drop_others (all, number), most = most_begun (home);
  /* What is known before them seems to change each time.  */
  if (!w->back && all->missed >= 2 && number % 4 != 0)
    return;
  for (size_t k = 1; k <= NEXT_LOOK && begun < most; k++)
    {
      size_t other = next_number (w, number, k);
      if (other == 0)
	return;
      if (find (all, other) != NULL || !is_wanted (home, other))
	continue;
      size_t i = 0;
      while (all->items[i].used)
	i++;
      begin (&all->items[i], all, other);
      begun++;
    }
}

void
tb_windows_end_next (struct tb_state *home, bool needed)
{
  struct tb_windows_next *all = home->windows != NULL ? home->windows->next : NULL;
  for (size_t i = 0; all != NULL && i < NEXT_MOST; i++)
    if (all->items[i].runs && !needed)
      atomic_store (&all->items[i].stop, true);
  for (size_t i = 0; all != NULL && i < NEXT_MOST; i++)
    if (all->items[i].runs)
      tb_notice_await (&all->notice, &all->items[i].read, true);
}

/* May S have been named, with what was known before it then, where BEFORE is known by now?  */
static bool
fits (const struct tb_state *s, const struct tb_border *before)
{
  const struct tb_border *then = s->before[0];
  return then == before
	 || (then != NULL && before != NULL && tb_state_states_late (s)
	     && tb_border_same_beside_registers (then, before));
}

struct tb_state *
tb_windows_take_next (struct tb_state *home, size_t number)
{
  struct tb_windows *w = home->windows;
  struct tb_window_next *next = find (w->next, number);
  if (next == NULL)
    return NULL;
  join (next);
  struct tb_state *s = next->state;
  bool missed = s != NULL && !s->graph.failed && !fits (s, known_before (w, number));
  w->next->missed = missed ? w->next->missed + 1 : 0;
  /* What was given up meanwhile, and what else is known of the window before.  */
  if (s == NULL || s->graph.failed || next->begun != w->begun || s->halt != home->halt
      || s->stkalign != home->stkalign || next->options.trust != home->options.trust
      || missed)
    {
      drop (next);
      return NULL;
    }
  next->state = NULL;
  next->used = false;
  s->options.stored = home->options.stored;
  return s;
}

void
tb_windows_drop_next (struct tb_windows *w)
{
  for (size_t i = 0; w->next != NULL && i < NEXT_MOST; i++)
    atomic_store (&w->next->items[i].drop, true);
  for (size_t i = 0; w->next != NULL && i < NEXT_MOST; i++)
    if (w->next->items[i].used)
      drop (&w->next->items[i]);
}

void
tb_windows_free_next (struct tb_windows *w)
{
  if (w->next == NULL)
    return;
  tb_windows_drop_next (w);
  tb_notice_fini (&w->next->notice);
  pthread_mutex_destroy (&w->next->reading);
  free (w->next);
  w->next = NULL;
}
