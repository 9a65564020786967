/* Instructions that put another stack in place.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A function that gives SP back takes it from SP: by adding and subtracting, from
   a register that SP was copied to, or from its frame.  SP from anywhere else is
   that of another thread or of a caller further out (longjmp), and the next return
   may not be that of the last call.  What was there before the trace began is
   anywhere else: what it was saved by is not in the trace, so no call of it is.  */

#ifndef TB_STATE_WINDOW_STACK_WATCH_H
#define TB_STATE_WINDOW_STACK_WATCH_H

#include <stdint.h>

#include "arm/ir/semantics.h"

struct tb_stack_watch
{
  /* Bit N: what place N holds was computed from SP; it was loaded from the frame,
     which SP or a frame pointer has (and at most moved by a constant); it is the
     address of something in the frame.  */
  uint64_t computed, loaded, frame;
};

enum tb_stack_event
{
  TB_STACK_STAYS,
  TB_STACK_LOADED,		/* SP comes from the frame, where it or an argument
				   may have been saved.  */
  TB_STACK_REPLACED,		/* SP comes from elsewhere.  */
  TB_STACK_BANKED		/* A banked SP was written, or which is in use.  */
};

/* Begin where nothing is open.  */
void tb_stack_watch_start (struct tb_stack_watch *watch);

/* Go on with other registers, where calls are open: in another window, on another
   stack, after an exception.  Frame pointers (r7, r11) are taken to be some.  */
void tb_stack_watch_go_on (struct tb_stack_watch *watch);

/* The next instruction of the M profile, of COUNT micro-operations.  */
enum tb_stack_event tb_stack_watch_step (struct tb_stack_watch *watch,
					 const struct tb_uop *uops,
					 unsigned count);

#endif /* TB_STATE_WINDOW_STACK_WATCH_H */
