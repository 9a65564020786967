/* What code does to the stack pointer that it was entered with.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A function that switches between threads of execution stores the stack pointer of one, and
   goes on with one that another has left in memory.  What leaves a function, or releases what
   it has put on its stack, makes the stack pointer from itself or from a register that a
   function keeps.  */

#ifndef TB_RECORDING_STACK_CODE_H
#define TB_RECORDING_STACK_CODE_H

#include <stddef.h>

#include "recording/recording.h"

enum
{
  TB_SP_SAVED = 1,		/* It is stored elsewhere than on the stack.  */
  TB_SP_KEPT = 2,		/* It is set, and made from what it was, or from what a
				   register held that a function keeps.  */
  TB_SP_REPLACED = 4		/* It is set, and not made from those.  */
};

/* As many instructions before a branch are looked at.  */
#define TB_STACK_BEFORE 24

/* What the COUNT instructions STEPS of T32 of the M profile, which follow each other, do to it
   until the last one is over, all conditions taken to hold; 0: no more than PUSH and POP do.
   MSR of MSP and PSP is left out.  */
unsigned tb_stack_code (const struct tb_step *steps, size_t count,
			const struct tb_profile *profile);

#endif /* TB_RECORDING_STACK_CODE_H */
