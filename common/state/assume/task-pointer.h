/* The pointer to what a kernel keeps of the task that runs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A kernel has one variable that points to what it keeps of the task that runs.  The
   switches from one task to another (task-heads.c) load it to know where to save the stack
   pointer.  So the values of all loads of it while a task runs are the same.  For the files
   of state/assume only.  */

#ifndef TB_STATE_ASSUME_TASK_POINTER_H
#define TB_STATE_ASSUME_TASK_POINTER_H

#include "recording/tasks.h"
#include "state/window/internal.h"

/* A switch of more steps is not looked at.  */
#define TB_TASK_SWITCH_MOST 4096

/* Accesses before a store, or before a task goes on, in which the load of the pointer is
   looked for.  */
#define TB_TASK_NEAR 32

/* A store of a word while SLICE is left.  */
struct tb_task_head
{
  const struct tb_task_slice *slice;
  uint64_t pc, step;		/* STEP: of the window.  */
  bool stacked;			/* By the exception, or before it.  */
  uint32_t access;
  tb_vid address, value;
  struct tb_known psp;		/* Of what is suspended.  */
};

struct tb_task_heads
{
  struct tb_task_head *items;
  size_t count, room;
  /* Addresses of instructions that keep stack pointers.  */
  uint64_t keepers[4];
  unsigned nkeepers;
  tb_word place;		/* Where the pointer to what is kept of the task that
				   runs is; 0: not found.  */
};

/* task-heads.c  */
/* Does the instruction at PC keep stack pointers?  */
bool tb_task_is_keeper (const struct tb_task_heads *heads, uint64_t pc);
/* Does the instruction of head number AT store once in its switch?  */
bool tb_task_is_alone (const struct tb_task_heads *heads, size_t at);
/* Add PAIR to what S assumes.  False: no memory.  */
bool tb_task_add_pair (struct tb_state *s, const struct tb_assumed_pair *pair);

/* Find where most of the pointers that keepers store through are loaded from, HEADS->place:
   others are from a stack that they were on in between.  */
void tb_task_find_place (struct tb_state *s, struct tb_task_heads *heads);

/* Tie the pointers to what the kernel keeps of the task that runs, by head number AT; FIRST
   is the first slice of all.  Accesses before number *AFTER are those of switches before;
   *AFTER becomes that of this one.  False: no memory.  */
bool tb_task_tie_pointer (struct tb_state *s, const struct tb_task_heads *heads, size_t at,
			  const struct tb_task_slice *first, uint32_t *after);

#endif /* TB_STATE_ASSUME_TASK_POINTER_H */
