/* Teller: what is said of the steps of a window beside their code, by a log or by data
   trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_TELLER_H
#define TB_STATE_WINDOW_TELLER_H

#include "state/window/builder.h"

/* One of them.  A function that is NULL has nothing to do.  */
struct tb_teller
{
  /* Find the changes between the steps, in place of the events of the recording.
     False: no memory.  */
  bool (*changes) (struct tb_state *state);

  /* STEP, number I of the window, is as the changes before and behind it show: of one
     that was not done, or may not have been, nothing is known then.  */
  void (*step) (const struct tb_state *state, uint64_t i, struct tb_step *step);

  /* May the branch T have gone on to the next instruction either way?  */
  bool (*unsure) (const struct tb_state *state, const struct tb_template *t);

  /* A64: the exception level of STEP; TB_A64_NO_EL: not told.  */
  uint8_t (*level) (const struct tb_state *state, uint64_t step);

  /* All steps were read.  False: no memory.  */
  bool (*load) (struct tb_state *state);

  /* General registers among the slots SET were BEFORE, and are lost before step I:
     name those that are as they were.  */
  void (*keep) (struct tb_builder *b, uint64_t i, const tb_vid *before,
		uint64_t set);

  /* State what is told before step I, and of the accesses FIRST on, which lie before
     it; ...  */
  void (*before) (struct tb_builder *b, uint64_t i, uint32_t first);

  /* ... and of the accesses FIRST on of step I.  */
  void (*accesses) (struct tb_builder *b, uint64_t i, uint32_t first);
};

#endif /* TB_STATE_WINDOW_TELLER_H */
