/* Inside of reasons: a window whose steps are counted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_REASONS_WINDOW_H
#define TB_STATE_EXPLAIN_REASONS_WINDOW_H

#include "state/effect.h"
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

#endif /* TB_STATE_EXPLAIN_REASONS_WINDOW_H */
