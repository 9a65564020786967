/* Frames of suspended tasks in the dump.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_ASSUME_FRAMES_H
#define TB_STATE_ASSUME_FRAMES_H

#include "arm/machine/m-frame.h"
#include "state/window/internal.h"

/* So many words of its stack are compared.  */
#define TB_TASK_STACK 256

/* What is known of a task that waits.  */
struct tb_task_frame
{
  uint32_t address;		/* Where it goes on.  */
  struct tb_border_register fp;	/* Bit 0: its frame has FP registers.  */
  struct tb_border_register sp;
  struct tb_border_register general[TB_M_FRAME_GENERAL];	/* In their order.  */
  struct tb_border_register stack[TB_TASK_STACK];	/* From the stack pointer up.  */
};

/* Software saves what exceptions do not below the frame: r4 to r11 and S16 to S31, and some
   more (EXC_RETURN, the limit of the stack, CONTROL), and keeps where that ends.  */
#define TB_TASK_SAVED_MOST (4 * (8 + 16 + 6))

/* The address of the one word of RAM that is VALUE in the dumps of S; false: there is none,
   or there are, or may be
   where dumps differ, several.  */
bool tb_frames_find_word (struct tb_state *s, uint32_t value, uint32_t *address);

/* Find its frame in the dumps of S, whose trace ends at the halt; *ABOVE: the stack
   pointer without it.  False: none fits, or several do, or may where
   dumps differ.  */
bool tb_frames_find (struct tb_state *s, const struct tb_task_frame *frame,
		     uint32_t *above);

#endif /* TB_STATE_ASSUME_FRAMES_H */
