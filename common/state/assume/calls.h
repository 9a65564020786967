/* Calls and exceptions that return: what is expected to be the same then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of any instruction set: the steps are told in their order, with the names of
   the values in the registers that a callee keeps.  */

#ifndef TB_STATE_ASSUME_CALLS_H
#define TB_STATE_ASSUME_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"
#include "state/window/facts.h"

/* Are two values the same number?  */
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

/* Calls and exceptions that are open; their stack pointers are names of values.  */
struct tb_calls
{
  struct tb_open_calls open;	/* With a struct tb_called each.  */
  unsigned kept;		/* Names; the last one is SP.  */
  struct tb_pairs *pairs;	/* Where what returned is added.  */
};

/* KEPT names of values of GRAPH are given each time.  What goes on where other calls are
   open is said to OPEN.  */
void tb_calls_init (struct tb_calls *calls, unsigned kept,
		    struct tb_pairs *pairs, const struct tb_graph *graph);
void tb_calls_fini (struct tb_calls *calls);

/* CALL, of an earlier window than the one that begins at step BASE, is open.  */
void tb_calls_outside (struct tb_calls *calls,
		       const struct tb_border_call *call, uint64_t base,
		       const tb_vid *names);

/* What returned in later windows, by AFTER (or NULL), are pairs, too; and keep in
   *OPEN, *COUNT of them, what is open where the window ends (malloc; NULL: nothing),
   of which BANKED is whether tb_open_banked was told since.
   BASE: its first step.  */
void tb_calls_end (struct tb_calls *calls, const struct tb_border *after,
		   uint64_t base, struct tb_left_open **open, size_t *count);

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

/* A branch led to STEP, which is at PC: does a call return here?  If it JUMPS (tb_calls_jumps_out),
   or SP is known to be another one than at the call, the call is over, but keeps nothing.  */
void tb_calls_return (struct tb_calls *calls, uint64_t step, uint64_t pc,
		      const tb_vid *names, bool jumps);

/* How step STEP was reached: by an indirect branch; by one that returns from an
   exception of A64, or the A and R profile.  */
enum tb_calls_way
{
  TB_WAY_OTHER,
  TB_WAY_BRANCH,		/* An indirect branch, which may be the return of a function.  */
  TB_WAY_JUMP,			/* One that is not written as a return.  */
  TB_WAY_RETURN			/* From an exception.  */
};
enum tb_calls_way tb_calls_way (struct tb_recording *recording,
				uint64_t step);

struct tb_state;

/* Does step I of the window, a branch, lead to an address that the few instructions before it make
   of constants?  True also if it goes by another register than LR, and the window before may have
   made that.  */
bool tb_calls_jumps_out (const struct tb_state *s, uint64_t i);

/* The first SINGLES names of the pairs of S from FIRST on are those of FP registers: tie them no
   longer where another thread may have run, unless the caller is known to have used FP
   registers.  The M profile's; S has been solved.  False: no memory.  */
bool tb_assume_untie_singles (struct tb_state *s, size_t first, unsigned singles);

/* What is open where the window begins, by BEFORE (or NULL): the names are those of
   constants of *GRAPH.  BASE: the window's first step.  */
static inline void
tb_calls_take (struct tb_calls *calls, struct tb_graph *graph,
	       const struct tb_border *before, uint64_t base)
{
  for (size_t i = 0; before != NULL && i < before->ncalls; i++)
    {
      const struct tb_border_call *call = &before->calls[i];
      tb_vid names[TB_KEPT_MOST] = { 0 };
      for (unsigned k = 0; k < calls->kept; k++)
	if (call->kept[k].mask == graph->ones)
	  names[k] = tb_graph_constant (graph, call->kept[k].bits);
      tb_calls_outside (calls, call, base, names);
    }
}

#endif /* TB_STATE_ASSUME_CALLS_H */
