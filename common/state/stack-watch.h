/* Instructions that put another stack in place.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A function that gives SP back takes it from SP: by adding and subtracting, from
   a register that SP was copied to, or from its frame.  SP from anywhere else is
   that of another thread or of a caller further out (longjmp), and the next return
   may not be that of the last call.  */

#ifndef TB_STATE_STACK_WATCH_H
#define TB_STATE_STACK_WATCH_H

#include <stdint.h>

#include "arm/semantics.h"

struct tb_stack_watch
{
  /* Bit N: what place N holds was computed from SP, or is from before; it was
     loaded from a stack (and at most moved by a constant).  */
  uint64_t computed, loaded;
};

enum tb_stack_event
{
  TB_STACK_STAYS,
  TB_STACK_REPLACED,		/* SP comes from elsewhere.  */
  TB_STACK_BANKED		/* A banked SP was written, or which is in use.  */
};

void tb_stack_watch_start (struct tb_stack_watch *watch);

/* The next instruction of the M profile, of COUNT micro-operations.  */
enum tb_stack_event tb_stack_watch_step (struct tb_stack_watch *watch,
					 const struct tb_uop *uops,
					 unsigned count);

#endif /* TB_STATE_STACK_WATCH_H */
