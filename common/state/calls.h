/* Calls and exceptions that return: what is expected to be the same then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of any instruction set: the steps are told in their order, with the names of
   the values in the registers that a callee keeps.  */

#ifndef TB_STATE_CALLS_H
#define TB_STATE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state/graph.h"

/* The most registers that a function gives back to its caller: x19 to x29 and SP
   of A64.  */
#define TB_KEPT_MOST 12

/* A call and its return, or an exception's entry and return.  */
struct tb_assumed_pair
{
  uint64_t from, to;		/* Steps of the window: the call; the step that
				   it returned to.  */
  uint64_t callee;		/* Its first step.  */
  tb_vid before[TB_KEPT_MOST], after[TB_KEPT_MOST];	/* 0: no name.  */
  bool disproved;
};

/* The calls that have returned, in the order of their returns.  */
struct tb_pairs
{
  struct tb_assumed_pair *items;
  size_t count, room;
};

/* A call that has not returned yet.  */
struct tb_open_call
{
  uint64_t step;
  uint64_t back;		/* Return address.  */
  bool exception;		/* An exception's entry, not a call.  */
  unsigned banked;		/* An exception: how often tb_calls_banked was told
				   before.  */
  tb_vid names[TB_KEPT_MOST];	/* The last one is SP; that of what an exception
				   interrupted.  */
};

/* The open calls of a thread that does not run.  */
struct tb_asleep
{
  struct tb_open_call *open;
  size_t count;
  tb_vid sp;			/* What its stack pointer was left at.  */
};

#define TB_ASLEEP_MOST 64

/* Are two values the same number?  */
enum tb_same { TB_SAME_UNSURE, TB_SAME, TB_SAME_NOT };

static inline enum tb_same
tb_same_value (const struct tb_graph *graph, tb_vid a, tb_vid b)
{
  struct tb_known x = tb_graph_known (graph, a);
  struct tb_known y = tb_graph_known (graph, b);
  if (((x.bits ^ y.bits) & x.mask & y.mask) != 0)
    return TB_SAME_NOT;
  tb_word difference;
  if (a == b)
    return TB_SAME;
  if (!tb_graph_difference (graph, a, b, &difference))
    return TB_SAME_UNSURE;
  return difference == 0 ? TB_SAME : TB_SAME_NOT;
}

struct tb_calls
{
  struct tb_open_call *open;
  size_t count;
  unsigned kept;		/* Names; the last one is SP.  */
  struct tb_pairs *pairs;	/* Where what returned is put.  */
  enum tb_same (*same) (const void *context, tb_vid a, tb_vid b);
  const void *context;
  struct tb_asleep asleep[TB_ASLEEP_MOST];
  size_t nasleep;
  unsigned banked;
  bool failed;			/* No memory.  */
};

/* KEPT names are given each time; SAME compares two of them, neither 0, with
   CONTEXT.  False: no memory.  */
bool tb_calls_init (struct tb_calls *calls, unsigned kept,
		    struct tb_pairs *pairs,
		    enum tb_same (*same) (const void *context, tb_vid a,
					  tb_vid b), const void *context);
void tb_calls_fini (struct tb_calls *calls);

/* Step STEP calls, and BACK is where that returns to; NAMES are as before it.  */
void tb_calls_call (struct tb_calls *calls, uint64_t step, uint64_t back,
		    const tb_vid *names);

/* An exception is taken before STEP, to return to BACK; SP is that of what it
   interrupts, 0: not known.  */
void tb_calls_enter (struct tb_calls *calls, uint64_t step, uint64_t back,
		     const tb_vid *names, tb_vid sp);

/* An exception returned to ADDRESS, before STEP: to what the innermost one
   interrupted, or to another thread, which has another stack.  */
void tb_calls_leave (struct tb_calls *calls, uint64_t step, uint64_t address,
		     const tb_vid *names);

/* One exception follows another.  */
void tb_calls_chain (struct tb_calls *calls);

/* A branch led to STEP, which is at PC: does a call return here?  */
void tb_calls_return (struct tb_calls *calls, uint64_t step, uint64_t pc,
		      const tb_vid *names);

/* The stack pointer was set to NEW and was OLD, which may be on another stack: on
   to another thread, or back to a caller (longjmp).  */
void tb_calls_switch (struct tb_calls *calls, tb_vid old, tb_vid new);

/* A stack pointer that is not in use was set: the exception that is being handled
   may return to another thread.  */
void tb_calls_banked (struct tb_calls *calls);

/* What comes has nothing to do with what is open.  */
void tb_calls_forget (struct tb_calls *calls);

#endif /* TB_STATE_CALLS_H */
