/* What a step does to names and numbers, found out once.  See walk.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_WALK_CODE_H
#define TB_STATE_WINDOW_WALK_CODE_H

#include "state/window/builder.h"

/* The codes of one template.  */
struct tb_walk_first
{
  uint32_t code;		/* The first + 1, or 0; they are chained.  */
  uint8_t visits;		/* So often it was met and none was right.  */
  uint8_t codes;
  bool anew;			/* It is named anew each time.  */
  bool bounded;			/* It may write only WRITES.  */
  uint64_t writes;		/* Slots.  */
};

/* One instruction with one outcome, one set of flags that are read later, and what it
   reads as the guards say.  */
struct tb_walk_code
{
  uint32_t next;		/* The next one of the template + 1, or 0.  */
  uint8_t bits;			/* Of the step's info; A64: 0.  */
  bool simple;			/* The same, whatever the names.  */
  struct tb_walk_moves moves;
  uint32_t values, accesses;	/* Numbers that are given.  */
  uint64_t writes;		/* Slots.  */
  /* A32 and T32: */
  uint8_t c, v;			/* What the rules of C and V are now.  */
  uint8_t needs;		/* Flags N Z C V, bits 0 .. 3, that must have a
				   name.  */
  bool forgets;			/* The condition of an IT block.  */
  bool computes;		/* Its numbers can be computed by OP.  */
  bool skips;			/* It is done if the trace says so.  */
  uint32_t op;
  uint32_t reads;		/* Slots.  */
  uint32_t may_write;		/* If the outcome were another one, too.  */
  /* A64: */
  uint8_t had, has;		/* BITS of the names before and after.  */
  uint8_t nguards;
  uint32_t guard;		/* The first.  */
  uint64_t looks, narrow;	/* Slots that it reads, and which are narrow.  */
  uint64_t clear, set;		/* Of NARROW of the names.  */
};

/* What step I does; NULL: it must be named anew.  */
const struct tb_walk_code *tb_walk_code (struct tb_state *state, uint64_t i);

/* The slots that step I may write; false: any.  */
bool tb_walk_bounds (const struct tb_state *state, uint64_t i, uint64_t *writes);

/* Do it to NAMES.  */
void tb_walk_name (const struct tb_walk *walk,
		   const struct tb_walk_code *code, struct tb_names *names);

/* The part of struct tb_names that steps change, as words.  */
#define TB_WALK_WORD(member) (offsetof (struct tb_names, member) / sizeof (tb_vid))
#define TB_NAME_WORDS (TB_WALK_WORD (y) + 1)

/* The slots, of STATE's instruction set, that word I of the names is about.  */
uint64_t tb_walk_slots (const struct tb_state *state, size_t i);

#endif /* TB_STATE_WINDOW_WALK_CODE_H */
