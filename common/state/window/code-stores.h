/* Which steps ran what the dumps hold, where the trace stores to code.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Instructions are read from the dump at the halt.  What an instruction was when a
   step ran it is what the last store before that step put there.  Where nothing is
   known of one before, but one comes later, nothing is known of what ran: the store
   that put there what the dump holds replaced something.  Only what nothing stores to
   from that step on is what the dump holds.  All this is of bytes, as a store may
   change a part of an instruction.  Base assumption: stores to addresses that are not
   known do not write code.  */

#ifndef TB_STATE_WINDOW_CODE_STORES_H
#define TB_STATE_WINDOW_CODE_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state/memory/stored.h"
#include "state/memory/words.h"

/* A word of code that is stored to.  */
struct tb_code_word
{
  uint64_t word;		/* Its address / 4.  */
  /* Of each byte: the first step of the trace after the last store; 0: none.  */
  uint64_t last[4];
  uint8_t other;		/* Bytes in which that store did not put, for all
				   that is known, what the dump holds.  */
  bool used;
};

/* What the windows that were solved ran and stored.  Zero-initialise.  */
struct tb_code_stores
{
  struct tb_words ran;		/* Code in memory that is not constant.  */
  struct tb_words touched;	/* Where was stored, if any such code ran.  */
  struct tb_code_word *words;	/* By a hash: those of RAN.  */
  size_t count, room;
  uint64_t from;		/* The first step of these windows.  */
};

void tb_code_stores_fini (struct tb_code_stores *stores);

struct tb_state;

/* What is known of WORD (its address / 4), or NULL.  */
const struct tb_code_word *tb_code_stores_word
  (const struct tb_code_stores *stores, uint64_t word);

/* Put the instructions that STATE, a window that was solved, ran, in memory that is not
   constant, into RAN.  False: no memory.  */
bool tb_code_stores_ran (const struct tb_state *state, struct tb_words *ran);

/* The first step of the window STATE, from FROM on, behind access number ACCESS.  */
uint64_t tb_code_stores_after (struct tb_state *state, uint32_t access, uint64_t from);

/* Add to STORES what the window STATE ran and stored.  *MORE is set if the steps of another
   window may be not to be trusted for it.  False: no memory.  */
bool tb_code_stores_share (struct tb_code_stores *stores, struct tb_state *state,
			   bool *more);

/* Steps of a window, a bit each, that did not run, for all that is known, what the
   dump holds.  Zero-initialise, and free BITS.  */
struct tb_recoded
{
  uint64_t *bits;
  size_t count;
};

static inline bool
tb_recoded_has (const struct tb_recoded *recoded, uint64_t i)
{
  return recoded->bits != NULL && (recoded->bits[i >> 6] >> (i & 63) & 1);
}

/* Add to RECODED those that the window STATE, which was solved, and OTHERS (or NULL) show.
   False: no memory.  */
bool tb_recoded_find (struct tb_state *state, const struct tb_code_stores *others,
		      struct tb_recoded *recoded);

/* Add those of FROM, of the same window of STEPS steps.  False: no memory.  */
bool tb_recoded_take (struct tb_recoded *recoded,
		      const struct tb_recoded *from, uint64_t steps);

/* Put the twins of STATE's templates where a step is RECODED.  */
void tb_recoded_apply (const struct tb_recoded *recoded, struct tb_state *state);

#endif /* TB_STATE_WINDOW_CODE_STORES_H */
