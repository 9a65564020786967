/* What is kept of the windows of a trace: for windows.c, windows-*.c and glance.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_WINDOWS_KEPT_H
#define TB_STATE_WINDOW_WINDOWS_KEPT_H

#include "state/window/relied.h"
#include "state/window/windows.h"

struct tb_window_slot
{
  struct tb_state *state;	/* NULL: it is not kept.  */
  /* What it knew at its ends when it was solved last: certain, and with
     assumptions; NULL: it never was.  */
  struct tb_border *start[2], *end[2];
  struct tb_relied relied;	/* What those with assumptions rest on.  */
  unsigned version;		/* How often these changed.  */
  /* Of the window after, this one and the one before, plus 1, when they were found not to
     contradict each other.  */
  unsigned agreed[3];
  uint64_t used;		/* When it was asked for.  */
  size_t bytes;
  uint8_t solves;
};

/* Parts of windows that were looked at before the windows were worked out (glance.c).  */
#define TB_GLANCES 4

struct tb_glances
{
  bool on;			/* For what is asked now.  */
  struct tb_glance
  {
    struct tb_state *state;	/* NULL: none.  */
    size_t number;		/* Of its window.  */
    uint64_t used;
  } kept[TB_GLANCES];
  /* The window that was glanced at last, plus 1, if it is to be worked out.  */
  size_t wanted;
};

struct tb_windows
{
  /* Asked while windows are worked out that nobody waits for.  GO_ON is NULL: nobody
     asks.  */
  struct tb_poll poll;
  bool ahead;			/* Nobody waits for what is worked out now.  */
  unsigned start;		/* TB_START_... that is not used yet.  */
  uint64_t total, size;
  size_t count;
  struct tb_window_slot *slots;
  uint64_t clock;
  unsigned begun;		/* How often it began again, ...  */
  unsigned gave_up;		/* ... so often as a window gave up what it had told.  */
  struct tb_relied_set given_up;	/* Nobody relies on that any longer.  */
  size_t budget, bytes;
  struct tb_state *current;	/* The window that was asked for last; NULL: since then
				   one was worked out or let go.  */
  struct tb_glances glances;
  /* The window that was asked for last.  Is it the one before or behind the one that was asked
     for before it, and which?  */
  size_t asked;
  bool in_row, back;
  struct tb_windows_next *next;	/* See tb_windows_begin_next; NULL: none was yet.  */
  struct tb_window_aside *aside;	/* See tb_windows_work_aside; NULL: likewise.  */
};

/* A window that was worked on.  */
struct tb_window_work
{
  struct tb_state *state;	/* The kept one, or a new one; NULL: no memory, or given
				   up.  */
  bool ok, more;		/* See tb_state_work.  */
};

/* Steps before the last window up to which what lies between is worked out, too, when a
   window is asked for.  */
#define TB_WINDOWS_REACH (UINT64_C (1) << 20)

/* How often a window is solved, as its neighbours may know more then.  */
#define TB_WINDOW_SOLVES 5

/* How often all of them begin again until what is worked out ahead does not.  */
#define TB_WINDOWS_BEGUN 16

/* How often they do as one gave up what it had told; then none tells what it assumes.  */
#define TB_WINDOWS_GAVE_UP 8

/* Is what was worked out given up?  */
static inline bool
tb_windows_stopped (const struct tb_windows *w)
{
  return w->ahead && w->poll.stopped;
}

/* The window of STEP.  */
size_t tb_windows_number (const struct tb_windows *windows, uint64_t step);

/* Window NUMBER, solved; NULL: no memory, or given up.  */
struct tb_state *tb_windows_get (struct tb_state *home, size_t number,
				 struct tb_diag *diag);

/* The same, with those behind it of which nothing is known yet, if they are not many.  */
struct tb_state *tb_windows_reach (struct tb_state *home, size_t number);

/* windows-next.c: as tb_state_make of window NUMBER, tb_state_name and some of
   tb_state_solve_alone, if that was done ahead and holds still.  NULL: do it.  */
struct tb_state *tb_windows_take_next (struct tb_state *home, size_t number);
void tb_windows_free_next (struct tb_windows *windows);

/* windows.c: work on window NUMBER, asking POLL, if that is not NULL, whether to go on.  */
void tb_windows_work (struct tb_state *home, size_t number, struct tb_poll *poll,
		      struct tb_diag *diag, struct tb_window_work *work);

/* windows-aside.c: the same; if ASKS, the poll of the windows is asked whether to go on.  False:
   it said no, and the work rests until that is called for the same window again.  */
bool tb_windows_work_aside (struct tb_state *home, size_t number, bool asks,
			    struct tb_diag *diag, struct tb_window_work *work);

/* Does work on window NUMBER rest, that is right still?  */
bool tb_windows_is_aside (const struct tb_state *home, size_t number);

/* Is who asks that work, not who waits for it?  */
bool tb_windows_has_turn (const struct tb_windows *windows);
void tb_windows_drop_aside (struct tb_windows *windows);
void tb_windows_free_aside (struct tb_windows *windows);

/* Window NUMBER is not kept any longer.  */
void tb_windows_evict (struct tb_windows *windows, size_t number);

/* Window NUMBER: its first step, and how many it has.  */
uint64_t tb_windows_first (const struct tb_windows *windows, size_t number,
			   uint64_t *steps);

/* Give STATE, window NUMBER, what its neighbours know.  */
void tb_windows_give_borders (const struct tb_windows *windows, size_t number,
			      struct tb_state *state);

/* What was taken for granted does not hold: begin again with the last window.  */
bool tb_windows_begin_again (struct tb_state *home);

/* Do the neighbours of window NUMBER, which is kept, know more than when it was solved?  */
bool tb_windows_is_behind (struct tb_windows *windows, size_t number);

/* What is known of STEP, which is in window NUMBER, without working that out: by the steps
   around it, if it never was, or as it was when its neighbours knew less; valid until another
   step is asked for.  NULL: ask the window.  */
struct tb_state *tb_glance_at (struct tb_state *home, size_t number, uint64_t step);
void tb_glances_forget (struct tb_windows *windows);

#endif /* TB_STATE_WINDOW_WINDOWS_KEPT_H */
