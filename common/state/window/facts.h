/* What is assumed of the values of a window.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Found by the assumptions (assume.c, constants-claims.c) and stated, in an order
   that allows to leave out the last ones, before the window is solved.  */

#ifndef TB_STATE_WINDOW_FACTS_H
#define TB_STATE_WINDOW_FACTS_H

#include "recording/open-calls.h"
#include "snapshot/elf-image.h"
#include "state/border.h"
#include "state/solver/graph.h"

/* What is tied: a call and its return, or an exception's entry and return; what a task was
   suspended with and goes on with; its stack pointer and what the dump says of that; what is
   saved on a stack and comes back; what is left there in the dump.  */
enum tb_pair_kind { TB_PAIR_CALL, TB_PAIR_TASK, TB_PAIR_FRAME, TB_PAIR_SAVED, TB_PAIR_LEFT };

struct tb_assumed_pair
{
  uint8_t kind;			/* enum tb_pair_kind  */
  uint64_t from, to;		/* Steps of the window: the call, or what suspends;
				   the step that it returned to, or (FRAME) SP.  */
  uint64_t callee;		/* Its first step; or the number of the task.  */
  tb_vid before[TB_KEPT_MOST], after[TB_KEPT_MOST];	/* 0: no name.  */
  /* The call or the return is in another window (then BEFORE or AFTER are 0) and
     has these values; NULL: both are in this one.  FROM or TO is modulo 2^64.  */
  const struct tb_border_call *outside;
  bool disproved;
};

/* The calls that have returned, in the order of their returns.  */
struct tb_pairs
{
  struct tb_assumed_pair *items;
  size_t count, room;
};

/* What is kept of an open call.  */
struct tb_called
{
  tb_vid names[TB_KEPT_MOST];
  const struct tb_border_call *outside;	/* It is of another window; or NULL.  */
};

/* A call that has not returned where a window ends; BANKED is 0 or 1.  */
struct tb_left_open
{
  struct tb_open_call call;
  struct tb_called kept;
};

/* A value that a register is assumed to hold.  */
struct tb_assumed_constant
{
  tb_vid name;
  tb_vid base;			/* 0, or VALUE is the difference to this.  */
  bool disproved;
  uint64_t value;
  uint64_t function;		/* Address of its entry.  */
  uint64_t step;		/* Of the window: the first one.  */
};

/* Where an access is assumed to be.  */
struct tb_assumed_range
{
  tb_vid address;
  uint32_t access;
  tb_word low, high;		/* Of the address.  */
  const struct tb_elf_object *object;	/* Borrowed: that it was computed of.  */
  bool disproved;
};

struct tb_facts
{
  struct tb_pairs pairs;	/* Tasks and calls that keep registers.  */
  size_t ntasks;		/* So many are of tasks: the first ones.  */
  size_t nkept;			/* So many of tasks and of calls; all others are of
				   what is saved.  */
  struct tb_assumed_constant *constants;
  size_t nconstants, constants_room;
  struct tb_assumed_range *ranges;
  size_t nranges, ranges_room;
  size_t ranges_stated;		/* So many of them are stated.  */
  struct tb_left_open *open;	/* Where the window ends.  */
  size_t nopen;
  /* One that another window has a part in was disproved.  */
  bool disproved_outside;
  /* The nodes that say what tasks keep, and behind them those of calls, of what is saved,
     and of constants.  */
  size_t task_nodes, kept_nodes, saved_nodes, kept_nodes_end, constant_nodes_end;
};

/* State the first PAIRS calls and CONSTANTS constants, and the ranges, those disproved
   left out.  */
void tb_facts_state (struct tb_facts *facts, struct tb_graph *graph,
		     size_t pairs, size_t constants);

#endif /* TB_STATE_WINDOW_FACTS_H */
