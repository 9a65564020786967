/* Open calls: what was called or interrupted and has not gone on yet, a stack for the
   thread that runs and one for each that does not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Levels and state pair calls and exceptions with their ends by this: levels know steps
   and addresses, the state knows values as well.  A stack pointer is a number that only
   the user of this understands; the user says whether two are the same.  */

#ifndef TB_RECORDING_OPEN_CALLS_H
#define TB_RECORDING_OPEN_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What returns to an address that is not known, or never, has that one.  */
#define TB_BACK_NONE UINT64_MAX

/* A handler may step over the instruction that it was entered for: execution then
   goes on so many bytes further on at most.  */
#define TB_BACK_OVER 4

struct tb_open_call
{
  uint64_t step;		/* The call; the first step of an exception.  */
  uint64_t back;		/* Where execution goes on when it is over.  */
  uint64_t sp;			/* The caller's stack pointer; 0: not known.  */
  bool exception;
  bool told;			/* An exception: BACK is what the trace says, no guess.  */
  unsigned banked;		/* An exception: how often tb_open_banked was told
				   before.  */
};

/* The calls of a thread that does not run.  */
struct tb_asleep
{
  struct tb_open_call *open;
  char *extra;
  size_t count;
  uint64_t sp;			/* What its stack pointer was left at.  */
};

#define TB_ASLEEP_MOST 64

/* Are two stack pointers the same number?  */
enum tb_same { TB_SAME_UNSURE, TB_SAME, TB_SAME_NOT };

struct tb_open_calls
{
  struct tb_open_call *open;	/* The outermost first.  */
  char *extra;			/* The user's, EXTRA_SIZE bytes for each.  */
  size_t extra_size, count, room, most;
  enum tb_same (*same) (const void *context, uint64_t a, uint64_t b);
  const void *context;
  struct tb_asleep asleep[TB_ASLEEP_MOST];
  size_t nasleep;
  uint64_t resumed;		/* Where the thread that runs went on, if it is not known to
				   be one of those: its stack pointer; 0: it is not known.  */
  bool strange;			/* It went on so.  */
  unsigned banked;
  bool failed;			/* No memory.  */
};

/* Nothing is open.  Of more than MOST calls the outermost half is forgotten.  SAME
   compares two stack pointers, neither 0, with CONTEXT; NULL: none is known.  */
void tb_open_init (struct tb_open_calls *calls, size_t most, size_t extra_size,
		   enum tb_same (*same) (const void *context, uint64_t a,
					 uint64_t b), const void *context);
void tb_open_fini (struct tb_open_calls *calls);

/* The user's bytes of open call number AT.  */
static inline void *
tb_open_extra (const struct tb_open_calls *calls, size_t at)
{
  return calls->extra + at * calls->extra_size;
}

/* What the user keeps of CALL, which is open now; all zero.  NULL: no memory.  */
void *tb_open_push (struct tb_open_calls *calls,
		    const struct tb_open_call *call);

/* The number of the innermost exception, plus 1; 0: none is open.  */
size_t tb_open_exception (const struct tb_open_calls *calls);

/* A branch led to PC, with stack pointer SP: the number of the call that returns so,
   plus 1; 0: none does.  The innermost one that PC is behind, unless it is known to
   have another stack pointer and one further out has not; none outside of the
   innermost exception, which is not left so.  */
size_t tb_open_returns (struct tb_open_calls *calls, uint64_t pc, uint64_t sp);

/* An exception returned to ADDRESS, with stack pointer SP: to what the innermost one
   interrupted, or to another thread, which has another stack.  The number of the
   exception that is over, plus 1: what is inside of it no longer counts.  0: nothing
   that was open is of what goes on, nothing is open.  */
size_t tb_open_leave (struct tb_open_calls *calls, uint64_t address,
		      uint64_t sp);

/* One exception follows another: what is inside of the innermost one is over.  */
void tb_open_chain (struct tb_open_calls *calls);

/* The stack pointer was set to NEW and was OLD, which may be on another stack: on
   to another thread, or back to a caller (longjmp).  */
void tb_open_switch (struct tb_open_calls *calls, uint64_t old, uint64_t new);

/* A stack pointer that is not in use was set: the exception that is being handled
   may return to another thread.  */
void tb_open_banked (struct tb_open_calls *calls);

/* What comes has nothing to do with what is open, in any thread.  */
void tb_open_forget (struct tb_open_calls *calls);

#endif /* TB_RECORDING_OPEN_CALLS_H */
