/* Namer: new values along the steps, and the nodes and accesses that tie them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What the builders of all instruction sets do alike.  Values and accesses get their
   numbers in the order in which they are made, so that the names at any step can be
   made again from those of a checkpoint: with REPLAY the numbers are given, and
   nothing is added.  */

#ifndef TB_STATE_MEMORY_NAMER_H
#define TB_STATE_MEMORY_NAMER_H

#include "state/memory/memory.h"
#include "state/solver/graph.h"

struct tb_namer
{
  struct tb_graph *graph;
  struct tb_memory *memory;
  tb_vid *next_value;		/* Numbers that are given next.  */
  uint32_t *next_access;
  const uint32_t *epoch;	/* Of accesses.  */
  bool replay;
  /* What is computed of constants is one, and gets no number of its own.  Then which
     numbers are given depends on which names are constants.  */
  bool folds;
};

/* A new value of which nothing is known.  */
tb_vid tb_namer_new (const struct tb_namer *n);

/* The constant C.  */
tb_vid tb_namer_constant (const struct tb_namer *n, tb_word c);

/* State that the bits MASK of ID are those of BITS; that it is LO .. HI.  */
void tb_namer_bits (const struct tb_namer *n, tb_vid id, tb_word mask,
		    tb_word bits);
void tb_namer_range (const struct tb_namer *n, tb_vid id, tb_word lo,
		     tb_word hi);

/* State that D is X OP Y, OP of a node.  */
void tb_namer_node (const struct tb_namer *n, unsigned op, tb_vid d, tb_vid x,
		    tb_vid y);

/* X OP Y, with OP up to TB_OP_LAST_VALUE; Y is 0 where OP has one operand.  */
tb_vid tb_namer_value (const struct tb_namer *n, unsigned op, tb_vid x,
		       tb_vid y);

/* The same where Y is a number.  */
tb_vid tb_namer_valuei (const struct tb_namer *n, unsigned op, tb_vid x,
			tb_word y);

/* The opposite of X, which is 0 or 1.  */
tb_vid tb_namer_opposite (const struct tb_namer *n, tb_vid x);

/* CONDITION (0 or 1) ? IF1 : IF0.  */
tb_vid tb_namer_select (const struct tb_namer *n, tb_vid condition, tb_vid if1,
			tb_vid if0);

/* A new value of SIZE bytes, zero-extended.  */
tb_vid tb_namer_bytes (const struct tb_namer *n, unsigned size);

/* An access of KIND (enum tb_access_kind), of the low SIZE bytes of VALUE at ADDRESS.
   Returns its number.  */
uint32_t tb_namer_access (const struct tb_namer *n, unsigned kind,
			  tb_vid address, tb_vid value, unsigned size);

#endif /* TB_STATE_MEMORY_NAMER_H */
