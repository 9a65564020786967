/* Tasks: which thread of execution each step belongs to, where a kernel switches between
   several, as far as the flow tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The M profile only.  An exception that returns to elsewhere than where it interrupted
   switches; what it interrupted waits there, and goes on when an exception returns to that
   address.  So does a function in thread mode that stores the stack pointer and replaces it
   by one that is not made from it (stack-code.h): what called it waits behind the call; and
   one that only replaces it, where another one stored it before (setjmp and longjmp).  Where no
   exception switches either, such functions are looked for in the last 262,144 runs alone.
   Where several tasks wait at one address (in a function that all of them yield by), or the
   one that was interrupted may itself go on, what follows decides: a task goes on in the
   callers that it had.  No symbols are needed, nothing is known of any kernel, and no value
   of a register or of memory is asked for.

   A task that the recording did not show before may wait at the same address as one that it
   did: of each slice it is said whether something tells them apart (task-proof.h).  */

#ifndef TB_RECORDING_TASKS_H
#define TB_RECORDING_TASKS_H

#include "recording/recording.h"
#include "snapshot/symbols.h"

/* The exceptions of the M profile that software asks for, and the first of those that come by
   themselves (DDI 0553, B3.9).  */
enum { TB_SVCALL = 11, TB_PENDSV = 14, TB_SYSTICK = 15 };

struct tb_task
{
  unsigned number;		/* From 1 on, in the order in which they first ran.  */
  /* The outermost function that it is known to be in; NULL: without a name.  */
  const struct tb_function *function;
  /* The last slice that begins there may be this one's although it is said to be another
     one's, or the other way round; UINT64_MAX: none.  */
  uint64_t unsure;
  uint64_t guessed;		/* The last of its slices that is; UINT64_MAX: none.  */
};

/* Steps of one task in a row, with the exceptions that interrupt it and return.  */
struct tb_task_slice
{
  uint64_t step;		/* The first.  */
  unsigned task;		/* Its number; 0: none (a handler in which the recording
				   begins or goes on behind a gap).  */
  bool open;			/* Another task may have gone on here, too.  */
  bool guessed;			/* So may one that was not seen before, by all that the
				   recording tells: registers of the task are not taken
				   to be what they were.  */
  /* Where it goes on, and where OPEN the other one may have; TB_BACK_NONE (open-calls.h):
     that is not known, or it is at several addresses.  */
  uint64_t begin;
  /* The last exception before another task goes on was entered before SUSPENDED, and
     what it, or one that it followed without a return, interrupted waits at ADDRESS
     (TB_BACK_NONE: nobody knows where).  SUSPENDED is UINT64_MAX where nothing of the task
     waits (the end, a gap).  */
  uint64_t suspended, address;
  /* No exception, but a function that it called, whose first step is SUSPENDED, gave the core
     to another task; and a function's return began it.  */
  bool by_call, from_call;
  /* From this step on, in handlers that followed one by which software switches without a return,
     another task may have the core; UINT64_MAX: nowhere.  */
  uint64_t handed;
};

struct tb_tasks;

/* Those of RECORDING; SYMBOLS (NULL: none) give names, and live as long.  NULL: no
   memory.  */
struct tb_tasks *tb_tasks_new (struct tb_recording *recording,
			       const struct tb_symbols *symbols);
/* TASKS may be NULL.  */
void tb_tasks_free (struct tb_tasks *tasks);

/* How many there are; 0 where nothing switches.  TASKS may be NULL, here and below.  */
size_t tb_tasks_count (const struct tb_tasks *tasks);

/* The one with NUMBER, from 1 to tb_tasks_count.  */
const struct tb_task *tb_tasks_get (const struct tb_tasks *tasks,
				    unsigned number);

/* All slices, in their order; *COUNT of them.  What the recording begins with is guessed here, too,
   if the task's next slice is.  TASKS may be NULL.  */
const struct tb_task_slice *tb_tasks_slices (const struct tb_tasks *tasks,
					     size_t *count);

/* The same with a slice more wherever an exception that software asks for, to switch, gave
   the core back to the task that it interrupted: that was suspended and went on, too.  */
const struct tb_task_slice *tb_tasks_parts (const struct tb_tasks *tasks,
					    size_t *count);

/* The same also where nothing is known to switch: another task may have waited where software
   asked for a switch, and the core seems to have gone on.  */
const struct tb_task_slice *tb_tasks_resumes (const struct tb_tasks *tasks,
					      size_t *count);

/* The slice that STEP is in; NULL: there are no tasks.  */
const struct tb_task_slice *tb_tasks_at (const struct tb_tasks *tasks,
					 uint64_t step);

#endif /* TB_RECORDING_TASKS_H */
