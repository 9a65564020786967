/* Inside of the state of A64 code.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   As state/window/internal.h: each write makes a value; names (what value is where) are
   kept at checkpoints and made again from there.  */

#ifndef TB_STATE_A64_INTERNAL_H
#define TB_STATE_A64_INTERNAL_H

#include "arm/ir/semantics-a64.h"
#include "recording/facts.h"
#include "state/a64/a64.h"
#include "state/a64/walk.h"
#include "state/solver/graph.h"
#include "state/memory/memory.h"
#include "state/memory/namer.h"

/* The names of the values that the vector registers hold, FPCR and FPSR; 0: none.  */
struct tb_a64_vectors
{
  tb_vid half[TB_A64_NVECTOR];	/* By places from TB_A64_VECTOR on.  */
  uint32_t narrow;		/* As that of struct tb_a64_names, of the lower
				   halves; bit number is the register's.  */
  tb_vid merges;		/* By FPCR: see a64/vectors.c; 0: no name yet.  */
};

/* The names of the values that the registers hold.  */
struct tb_a64_names
{
  tb_vid slot[TB_A64_NSLOTS];	/* 0: no name yet (LOST).  */
  uint64_t narrow;		/* Places whose values are below 2^32, as it is
				   written; bit number is enum tb_place_a64. */
  /* The flags are those of X - Y of BITS bits; BITS 0: of no comparison.  */
  tb_vid x, y;
  tb_vid target;		/* Of the last step, if that is an indirect
				   branch; else 0.  */
  uint8_t bits;
  uint8_t el;			/* Or TB_A64_NO_EL.  */
  uint8_t saved_el;		/* The SAVED places are SPSR of this level.  */
  bool lost;			/* Slots have no name.  */
  bool returning, trapped;	/* The last instruction was ERET, SVC ...  */
  bool foreign;			/* In another space than the halt.  */
  uint32_t context;		/* Context ID.  */
  tb_vid next_value;		/* Numbers that are given next.  */
  uint32_t next_access;
  uint32_t epoch;
  uint32_t vectors;		/* At a checkpoint: which of KEPT_VECTORS.  */
};

struct tb_a64
{
  unsigned zero_block;		/* See struct tb_profile.  */
  uint8_t el;			/* At the window's begin.  */
  struct tb_a64_names *checkpoints;

  /* See a64/vectors.c.  Sets of places, from TB_A64_VECTOR on: those that the
     templates use so that something may become known, and with what is told of the
     ends those that have names.  */
  uint64_t vectors_used[2], followed[2];
  uint64_t vectors_merged[2];	/* What becomes 0 by what FPCR is.  */
  /* At checkpoints, where they are not as at the one before.  */
  struct tb_a64_vectors *kept_vectors;
  size_t nkept_vectors, kept_vectors_room;
  bool vectors_changed;

  /* The names before step BASE + CURSOR of the window.  */
  struct tb_a64_names names;
  struct tb_a64_vectors vectors;
  struct tb_a64_walk walk;
};

/* The instruction at ADDRESS as memory has it; false: not readable.  */
bool tb_a64_describe_at (const struct tb_state *state, uint64_t address,
			 struct tb_semantics *semantics);

/* Naming.  */
struct tb_a64_builder
{
  struct tb_state *state;
  struct tb_a64_names *names;
  struct tb_namer n;
  bool maybe;			/* The instruction may not have been done.  */
  tb_vid temporaries[TB_A64_NPLACES - TB_A64_NSLOTS];
};

/* A builder of NAMES; with REPLAY nothing is added to the graph.  */
static inline struct tb_a64_builder
tb_a64_builder_of (struct tb_state *state, struct tb_a64_names *names, bool replay)
{
  return (struct tb_a64_builder) {
    .state = state, .names = names,
    .n = { .graph = &state->graph, .memory = &state->memory,
	   .next_value = &names->next_value, .next_access = &names->next_access,
	   .epoch = &names->epoch, .replay = replay, .folds = true }
  };
}

/* a64/build.c  */
/* A value with the width that SLOT has.  */
tb_vid tb_a64_fresh (struct tb_a64_builder *b, unsigned slot);
/* Do micro-operation U of step I (of the window), whose info is INFO.  */
void tb_a64_name (struct tb_a64_builder *b, const struct tb_uop *u,
		  uint64_t i, uint32_t info);
/* All registers hold values of which nothing is known.  */
void tb_a64_lose (struct tb_a64_builder *b);
/* Give a name to everything that has none.  */
void tb_a64_name_all (struct tb_a64_builder *b);

/* a64/steps.c  */
void tb_a64_start (struct tb_a64_builder *b);
/* Before step I: the changes.  I may be the number of steps.  */
void tb_a64_arrive (struct tb_a64_builder *b, uint64_t i);
void tb_a64_step (struct tb_a64_builder *b, uint64_t i);

/* A store of the low SIZE bytes of VALUE.  */
void tb_a64_store (struct tb_a64_builder *b, tb_vid address, tb_vid value,
		   unsigned size);

/* a64/effect.c: add what U reads and writes to EFFECT, behind the operations before it.  */
void tb_a64_add_effect (struct tb_effect *effect, const struct tb_uop *u);

/* a64/stated.c: the slots that CODE may have written; all: it is not known, or it is no
   A64.  Of one that may change what SP is these are all from SP on.  */
uint64_t tb_a64_stated_may_write (const struct tb_facts_code *code,
				  unsigned zero_block);

/* a64/stated.c: of a log, as the functions of stated.h.  */
void tb_a64_stated_keep (struct tb_a64_builder *b, uint64_t i,
			 const tb_vid *before);
void tb_a64_stated_before (struct tb_a64_builder *b, uint64_t i);
void tb_a64_stated_accesses (struct tb_a64_builder *b, uint64_t i,
			     uint32_t first);
/* The exception level of STEP; TB_A64_NO_EL: not told.  */
uint8_t tb_a64_stated_level (const struct tb_state *state, uint64_t step);

/* a64/vectors.c  */

/* Does PLACE have names?  */
bool tb_a64_follows (const struct tb_state *state, unsigned place);
/* A template has the COUNT micro-operations UOPS.  */
void tb_a64_note_vectors (struct tb_state *state, const struct tb_uop *uops,
			  unsigned count);
/* The window will be named.  */
void tb_a64_begin_vectors (struct tb_state *state, bool halt);
/* A checkpoint of STATE->a64->names will be made.  */
void tb_a64_keep_vectors (struct tb_state *state);
/* They have no names any more; those that are followed get new ones.  */
void tb_a64_lose_vectors (struct tb_a64_builder *b);
void tb_a64_fresh_vectors (struct tb_a64_builder *b);
tb_vid tb_a64_read_vector (struct tb_a64_builder *b, unsigned place);
bool tb_a64_vector_narrow (const struct tb_a64_builder *b, unsigned place);
/* Nothing happens where PLACE is not followed.  */
void tb_a64_write_vector (struct tb_a64_builder *b, unsigned place, tb_vid id,
			  bool narrow);
/* PLACE gets a value of at most the bits MOST, or any if FPCR.NEP is set.  */
void tb_a64_merge_vector (struct tb_a64_builder *b, unsigned place,
			  uint64_t most);
/* State what the halt state, or BORDER (or NULL), tells of the names there are.  */
void tb_a64_use_halt_vectors (struct tb_state *state);
void tb_a64_use_border_vectors (struct tb_state *state,
				const struct tb_border *border);
/* Add what is known of the names there are.  */
void tb_a64_border_vectors (const struct tb_state *state,
			    struct tb_border *border);
/* The name that HALF of vector register NUMBER (enum tb_vector_reg) has; 0: none.  */
tb_vid tb_a64_vector_name (const struct tb_state *state, unsigned number,
			   unsigned half);

/* a64/start.c: name what is known of the start.  */
void tb_a64_known_start (struct tb_a64_builder *b);

/* a64/levels.c  */
void tb_a64_change (struct tb_a64_builder *b, uint64_t i);
void tb_a64_write_spsel (struct tb_a64_builder *b, tb_vid value);
tb_vid tb_a64_read_sp (struct tb_a64_builder *b, unsigned el);
void tb_a64_write_sp (struct tb_a64_builder *b, unsigned el, tb_vid value);

/* a64.c: what is known of the slots WHICH by STATE->a64->names, put into VALUES.  */
void tb_a64_values (const struct tb_state *state, uint64_t which,
		    struct tb_value *values);

/* a64.c: names before step I of the window, in STATE->a64->names.  */
void tb_a64_seek (struct tb_state *state, uint64_t i);

#endif /* TB_STATE_A64_INTERNAL_H */
