/* Walk: from one step of A64 code to the next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   As walk.h, but constants are folded as A64 code is named (build-a64.c): what
   a step does to names is the same only where the same of what it reads are
   constants, and the same ones, and narrow.  Values are looked up, not computed: of
   a step they are few, as the flags have names of their own.  Conditional selections
   are named anew each time, as is what touches system or vector registers.  */

#ifndef TB_STATE_WINDOW_WALK_A64_H
#define TB_STATE_WINDOW_WALK_A64_H

#include "arm/machine/regs.h"
#include "state/window/walk-moves.h"

struct tb_state;
struct tb_a64_walk_code;

/* Word INDEX of the names is the constant IS; 0: is none.  */
struct tb_a64_walk_guard
{
  uint32_t index, is;
};

struct tb_a64_walk
{
  /* For each template its first code + 1, or 0, and how often it was met.  NULL: none
     was asked for.  */
  struct tb_a64_walk_first *first;
  struct tb_a64_walk_code *codes;
  size_t ncodes, codes_room;
  struct tb_a64_walk_guard *guards;
  size_t nguards, guards_room;
  struct tb_walk_pool pool;
  bool failed;			/* No memory: do without.  */
  /* Before step AT of the window, if VALID: what is known.  */
  bool valid;
  uint64_t at;
  struct tb_value values[TB_NREGS_MAX];
};

/* The window will be named and solved anew.  */
void tb_a64_walk_reset (struct tb_a64_walk *walk);

/* Bytes that WALK has.  */
size_t tb_a64_walk_bytes (const struct tb_a64_walk *walk);

/* As tb_walk_step; returns the slots whose names may be others then.  */
uint64_t tb_a64_walk_step (struct tb_state *state);

/* As tb_walk_registers.  */
const struct tb_value *tb_a64_walk_registers (struct tb_state *state, uint64_t i);

/* As tb_walk_after.  */
void tb_a64_after (struct tb_state *state, uint64_t i, struct tb_value *values);

#endif /* TB_STATE_WINDOW_WALK_A64_H */
