/* Inside of reasons: a window whose steps are counted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_REASONS_WINDOW_H
#define TB_STATE_EXPLAIN_REASONS_WINDOW_H

#include "state/answer/effect.h"
#include "state/explain/reasons-values.h"

/* Places of registers and flags, by effect.h.  */
#define TB_REASONS_PLACES 64

/* In place of the number of an access: the store that was in the way of what was in
   that place where the window before ended.  */
#define TB_REASONS_CARRIED UINT32_C (0x80000000)

/* No step.  */
#define TB_REASONS_NONE UINT64_MAX

/* How often a store is in the way, as in struct tb_reasons_store.  */
struct tb_reasons_blame
{
  uint32_t pairs, through;
};

struct tb_reasons_window
{
  const struct tb_state *state;	/* NULL: none.  */
  uint64_t base, steps;
  struct tb_reasons_values values;
  /* STEPS + 1 entries: the number of the access that comes next before each
     step.  */
  uint32_t *accesses;
  size_t naccesses;
  struct tb_reasons_blame *blames;	/* By access.  */
  /* What the window before ended with, if VALID, where step END begins; and how often
     a store of it was in the way in this one.  */
  struct tb_reasons_carried
  {
    bool valid;
    uint64_t end;
    uint8_t why[TB_REASONS_PLACES];
    uint64_t store[TB_REASONS_PLACES];	/* Its step, or NONE.  */
    struct tb_reasons_blame blames[TB_REASONS_PLACES];
  } carried;
};

/* An access of a step: its values.  */
struct tb_reasons_access
{
  tb_vid address, value;	/* 0: none.  */
  bool maybe;			/* It may not have happened.  */
  bool foreign;			/* It is in another address space.  */
};

/* What the state of A64 code does for it (a64/reasons.c).  */
struct tb_a64;

size_t tb_a64_reasons_naccesses (const struct tb_a64 *a64);

/* Begin with the values and accesses of A64; false: no memory.  */
bool tb_a64_reasons_begin (struct tb_a64 *a64,
			   struct tb_reasons_window *window);

/* The value in PLACE before step I of the window; 0: it has none.  */
tb_vid tb_a64_reasons_value (struct tb_a64 *a64, uint64_t i, unsigned place);

/* The accesses of step I, at most ROOM; returns how many.  */
size_t tb_a64_reasons_accesses (struct tb_a64 *a64, uint64_t i,
				struct tb_reasons_access *accesses,
				size_t room);

/* Why value ID is not known.  */
enum tb_why_not tb_a64_reasons_find (struct tb_reasons_values *values,
				     tb_vid id, uint32_t *store);
void tb_a64_reasons_settle (struct tb_reasons_values *values, tb_vid id,
			    enum tb_why_not why, uint32_t store);

#endif /* TB_STATE_EXPLAIN_REASONS_WINDOW_H */
