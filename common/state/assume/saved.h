/* Assumption: what is saved on a stack is written through its stack pointer only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of the M profile.  What a function pushes of the registers that it has to keep, r4 to r11
   and LR, is what it gets back, and what is in the dump where it has not returned; and what
   an exception saves is what it gives back, but for r0 to r3 where software asked for it,
   which so gets results.  Between the two no store through a pointer that has nothing to do
   with that stack pointer went there, whatever its address is.  */

#ifndef TB_STATE_ASSUME_SAVED_H
#define TB_STATE_ASSUME_SAVED_H

#include "state/window/internal.h"

/* Put what is tied in S, a window that has been solved, to its pairs; HOME has the
   tasks.  *DOUBTS: nothing is tied over a place where another task may have gone on.  False: no
   memory.  */
bool tb_assume_find_saved (struct tb_state *s, const struct tb_state *home, bool *doubts);

#endif /* TB_STATE_ASSUME_SAVED_H */
