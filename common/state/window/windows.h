/* The windows of a trace: solved where they are asked for, kept while there is
   room.  See state/state.h for what is promised.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The windows are counted from the end, where number 0 always stays: it is the
   state that tb_state_open returns and has the others.  */

#ifndef TB_STATE_WINDOW_WINDOWS_H
#define TB_STATE_WINDOW_WINDOWS_H

#include "state/window/internal.h"

/* Steps of a window of a trace of TOTAL steps.  */
uint64_t tb_windows_size (const struct tb_state_options *options,
			  uint64_t total);

/* Make HOME, which must have been solved, the last of several windows.  False
   without memory.  */
bool tb_windows_new (struct tb_state *home);
void tb_windows_free (struct tb_windows *windows);

/* What is said of the start of a trace of several windows, of which HOME is the last
   one, is used once it was held against all that follows; if that is not far, DIAG
   is told now.  False without memory.  */
bool tb_windows_check_start (struct tb_state *home, struct tb_diag *diag);

/* Let S take into account that the core uses what FROM shows it to use; was that
   news?  */
bool tb_state_use_more (struct tb_state *s, const struct tb_state *from);

/* The solved window of STEP; a borrowed one, until another step is asked for.
   Without memory it is HOME.  */
struct tb_state *tb_windows_at (struct tb_state *home, uint64_t step);

/* Let the windows of HOME lose what S, one of them, has; *MORE as above.  False: no
   memory.  */
bool tb_windows_lose (struct tb_state *home, const struct tb_state *s,
		      bool *more);

/* Window S is being solved: begin with those that will be next on other threads, if HOME may
   have several, ...  */
void tb_windows_begin_next (struct tb_state *home, const struct tb_state *s);
/* ... and wait until they do not read the recording any longer; if that is not NEEDED, those
   that do are given up.  */
void tb_windows_end_next (struct tb_state *home, bool needed);
/* Give up all of them.  */
void tb_windows_drop_next (struct tb_windows *windows);

/* S is to know nothing of its neighbours.  */
void tb_state_drop_borders (struct tb_state *s);

#endif /* TB_STATE_WINDOW_WINDOWS_H */
