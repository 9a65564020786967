/* Walk: from one step to the next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The state before a step is the names of its values (build.c) and what is known of
   these.  Who asks for one step after another (listings, frames, conditions at each
   visit, the stub's stepping) asks for nearly the same each time, so

   - what an instruction does to the names is found out once, by naming it with names
     that stand for any others, and then only repeated (struct tb_walk_code): it
     depends on the instruction, of A32 and T32 on which flags are read later and on the
     branch's outcome, and, as constants are folded where A64 code is named, of A64 on
     which of the values that it reads are constants, which ones, and narrow;
   - of the registers only those are looked up that have another name now;
   - and where all that an instruction of A32 or T32 reads is known, what it writes is
     computed (arm/ir/forward.h) from that instead of being looked up, loads by what is
     known of their values.  What is computed follows from what is known certainly, and
     under assumptions from what is known with them, as each has a state and so a walk
     of its own.  Of A64 a step's values are few, as the flags have names of their own.

   Instructions in IT blocks whose outcome the trace does not tell, conditional
   selections of A64, those that touch system registers, and the changes by exceptions
   are named anew each time, and what they changed is looked up.  */

#ifndef TB_STATE_WINDOW_WALK_H
#define TB_STATE_WINDOW_WALK_H

#include "arm/ir/forward.h"
#include "arm/machine/regs.h"
#include "state/window/slots.h"
#include "state/window/walk-moves.h"

struct tb_state;
struct tb_walk_code;
struct tb_walk_first;

/* Word INDEX of the names is the constant IS; 0: is none.  */
struct tb_walk_guard
{
  uint32_t index, is;
};

struct tb_walk
{
  /* For each template its codes.  NULL: none was asked for.  */
  struct tb_walk_first *first;
  struct tb_walk_code *codes;
  size_t ncodes, codes_room;
  struct tb_walk_guard *guards;
  size_t nguards, guards_room;
  struct tb_walk_pool pool;
  struct tb_forward_op *ops;
  size_t nops, ops_room;
  bool failed;			/* No memory: do without.  */
  /* Before step AT of the window, if VALID: what is known.  */
  bool valid;
  uint64_t at;
  uint32_t known;		/* A32 and T32: slots that are known wholly.  */
  struct tb_slots slots;	/* Likewise.  */
  struct tb_value values[TB_NREGS_MAX];
};

/* The window will be named and solved anew.  */
void tb_walk_reset (struct tb_walk *walk);

/* Bytes that WALK has.  */
size_t tb_walk_bytes (const struct tb_walk *walk);

/* STATE->names and its cursor go from before a step to before the next one.  */
void tb_walk_step (struct tb_state *state);

/* What is known of all registers but the PC before step I of the window: TB_NREGS_MAX
   values, which stay until something else is asked of STATE.  */
const struct tb_value *tb_walk_registers (struct tb_state *state, uint64_t i);

/* The same behind the instruction of step I, before anything else happens, into
   VALUES.  */
void tb_walk_after (struct tb_state *state, uint64_t i,
		    struct tb_value *values);

/* An access of a step.  */
struct tb_walk_access
{
  uint32_t address, value;	/* Names of values; 0: it is not followed, as it is in
				   another space than the halt, or was perhaps not
				   done.  */
  uint32_t size;
  uint8_t kind;			/* enum tb_access_kind  */
};

/* The accesses of step I, at most ROOM; returns how many.  */
size_t tb_walk_accesses (struct tb_state *state, uint64_t i,
			 struct tb_walk_access *accesses, size_t room);

#endif /* TB_STATE_WINDOW_WALK_H */
