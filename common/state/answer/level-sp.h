/* The stack pointer for levels (recording/levels.h), where it is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_ANSWER_LEVEL_SP_H
#define TB_STATE_ANSWER_LEVEL_SP_H

#include "state/state.h"

/* A state is worked out for the stack pointer alone only of recordings of so many
   steps at most: that takes longer than all else that levels ask for.  */
#define TB_LEVEL_SP_STEPS (UINT64_C (1) << 20)

struct tb_level_sp
{
  struct tb_recording *recording;
  struct tb_state *state;	/* Borrowed; NULL: one is made when asked.  */
  /* Makes one; NULL: there is none.  */
  struct tb_state *(*open) (void *context);
  void *context;
  struct tb_state *made;	/* Zero at first, as is */
  bool tried;
};

/* The stack pointer before STEP, if that is certain: struct tb_level_user's SP, with
   a struct tb_level_sp.  Of a log it is what lines tell.  */
bool tb_level_sp (void *context, uint64_t step, uint64_t *sp);
void tb_level_sp_fini (struct tb_level_sp *level_sp);

#endif /* TB_STATE_ANSWER_LEVEL_SP_H */
