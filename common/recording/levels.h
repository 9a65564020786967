/* Levels: which function runs at each step, who called it, and which exceptions it
   was interrupted by, as a stack over a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Whatever shows calls reads this model.  The innermost level is always
   that of the function whose code runs, from the first step to the last; names say
   where functions begin and end.

   A call opens a level: a branch with link, unless it goes to the instruction behind
   it (which is how code learns its own address) or on within its function; or any
   branch if the code before it set the link register to where it will go on.  An
   indirect branch to where a call goes on ends it, whatever instruction that is
   (longjmp leaves several at once).  A branch to another function that is none of
   these takes the level over: a tail call.  An exception opens a level, its handler
   one on that; both end with its return.  A gap ends everything: who called what
   runs then is not known.  What runs without a call in the trace has a level that
   nobody called.

   Where the path alone does not say which calls are over, because execution goes on
   where no open call does (longjmp, another thread of execution), the stack pointer
   decides if it is known.

   Where a kernel switches between tasks (tasks.h), each has a stack of its own: the
   levels of one that is switched away from are closed, those of one that goes on are
   opened again.  The outermost level is that of the task.

   The cost is one of ranges, not of instructions.  */

#ifndef TB_RECORDING_LEVELS_H
#define TB_RECORDING_LEVELS_H

#include "recording/recording.h"
#include "recording/tasks.h"
#include "snapshot/symbols.h"

enum tb_level_kind
{
  TB_LEVEL_BASE,		/* Runs, without a call in the trace.  */
  TB_LEVEL_CALL,
  TB_LEVEL_TAIL,		/* A jump to its first instruction, in place of the
				   function that ran.  */
  TB_LEVEL_PART,		/* The same to elsewhere, or without a branch.  */
  TB_LEVEL_EXCEPTION,
  TB_LEVEL_HANDLER,		/* The code that an exception runs.  */
  TB_LEVEL_TASK			/* All that a task runs.  */
};

/* Why a level ends.  */
enum tb_level_end
{
  TB_LEVEL_RETURNED,		/* By an instruction that returns.  */
  TB_LEVEL_REPLACED,		/* By TAIL or PART.  */
  TB_LEVEL_LEFT,		/* What it was called by, or interrupted, goes on
				   without it.  */
  TB_LEVEL_LOST,		/* A gap, another thread, the end.  */
  TB_LEVEL_SUSPENDED		/* It does not: another task runs.  */
};

/* A function, or (FUNCTION NULL) code without a name that was entered at ADDRESS (0:
   that is not known either), or an exception.  */
struct tb_level
{
  const struct tb_function *function;
  uint64_t address;
  uint64_t step;		/* Its first.  */
  uint8_t kind;			/* enum tb_level_kind  */
  uint16_t number;		/* Of the exception; TB_EXCEPTION_UNKNOWN: not
				   told.  Of a task.  */
  uint8_t taken;		/* What that is: enum tb_exception
				   (decode/exception.h).  */
  uint16_t first;		/* Of the one that it followed without a return, if
				   it did so, which interrupted what it returns to.  */
  bool asked;			/* It, or one that it followed, is one that software
				   asks for to switch tasks.  */
  /* The first step of the first one behind such a one that it is, or that it followed:
     another task may have the core since; UINT64_MAX: there is none.  */
  uint64_t handed;
  bool ran;			/* Some of its code has.  */
  bool resumed;			/* Its task was suspended in between.  */
  const struct tb_task *task;	/* TB_LEVEL_TASK: which one.  */
  /* For the walk: what it took the place of; where a subroutine within the function
     returns; what its code did to the stack pointer (stack-code.h) since it last called; where
     the last one that it called and that saved the stack pointer returned to, 0: none.  */
  const struct tb_function *replaced;
  uint64_t local;
  uint8_t stack;
  uint64_t mark;
  void *data;			/* The user's; NULL at first.  */
};

/* What happens.  LEVELS[0] to LEVELS[COUNT - 1] are open; what is opened or closed
   is the last of them.  Those that return false stop the walk; NULL: not asked.  RAN
   may not ask anything of the recording, the others may.  */
struct tb_level_user
{
  /* Before STEP.  */
  bool (*open) (void *context, struct tb_level *levels, size_t count,
		uint64_t step);
  /* Before STEP; by the instruction of step BY if END is TB_LEVEL_RETURNED.  */
  bool (*close) (void *context, struct tb_level *levels, size_t count,
		 uint64_t step, enum tb_level_end end, uint64_t by);
  /* INSTRUCTIONS from ADDRESS on ran, the first as STEP.  */
  bool (*ran) (void *context, struct tb_level *levels, size_t count,
	       uint64_t step, uint64_t address, uint32_t instructions);
  void *context;
  /* The stack pointer before STEP; false: it is not known.  Asked only where the
     path does not say what is over.  See state/answer/level-sp.h.  */
  bool (*sp) (void *context, uint64_t step, uint64_t *sp);
  void *sp_context;
  /* The tasks, of a kernel that has some; NULL: one stack.  Borrowed.  */
  const struct tb_tasks *tasks;
};

/* Walk RECORDING with the names of SYMBOLS (NULL: none) and tell USER what happens,
   from the first step to the last; at the end all levels are closed.  False if the
   user said so, or without memory.  */
bool tb_levels_walk (struct tb_recording *recording,
		     const struct tb_symbols *symbols,
		     const struct tb_level_user *user);

#endif /* TB_RECORDING_LEVELS_H */
