/* What is kept of the windows of a trace: for windows.c and glance.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_WINDOWS_KEPT_H
#define TB_STATE_WINDOW_WINDOWS_KEPT_H

#include "state/window/windows.h"

struct tb_window_slot
{
  struct tb_state *state;	/* NULL: it is not kept.  */
  /* What it knew at its ends when it was solved last: certain, and with
     assumptions; NULL: it never was.  */
  struct tb_border *start[2], *end[2];
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
  unsigned start;		/* TB_START_... that is not used yet.  */
  uint64_t total, size;
  size_t count;
  struct tb_window_slot *slots;
  uint64_t clock;
  unsigned begun;		/* How often it began again.  */
  size_t budget, bytes;
  struct tb_glances glances;
};

/* Window NUMBER: its first step, and how many it has.  */
uint64_t tb_windows_first (const struct tb_windows *windows, size_t number,
			   uint64_t *steps);

/* Give STATE, window NUMBER, what its neighbours know.  */
void tb_windows_give_borders (const struct tb_windows *windows, size_t number,
			      struct tb_state *state);

/* What was taken for granted does not hold: begin again with the last window.  */
bool tb_windows_begin_again (struct tb_state *home);

/* What is known of STEP, which is in window NUMBER, by the steps around it, if that was
   never worked out; valid until another step is asked for.  NULL: ask the window.  */
struct tb_state *tb_glance_at (struct tb_state *home, size_t number, uint64_t step);
void tb_glances_forget (struct tb_windows *windows);

#endif /* TB_STATE_WINDOW_WINDOWS_KEPT_H */
