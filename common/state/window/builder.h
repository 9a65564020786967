/* Builder: naming a value for each write along the steps of a window.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The naming is the same for all instruction sets, but for operations of the machine that
   only one of them has, flags, which A32 and T32 name where they are read (flags.c), and
   exceptions; those of A64 are in a64.h.  */

#ifndef TB_STATE_WINDOW_BUILDER_H
#define TB_STATE_WINDOW_BUILDER_H

#include "arm/ir/system-registers.h"
#include "state/window/internal.h"

struct tb_builder
{
  struct tb_state *state;
  struct tb_names *names;
  struct tb_namer n;
  tb_vid condition;		/* What is named now happened if it is 1; 0: it
				   did.  */
  /* The numbers of the accesses that are named; NULL: nobody asks.  */
  uint32_t *accesses;
  size_t naccesses, accesses_room;
  bool maybe;			/* What is named may not have been done.  */
  bool wide;			/* A64: values of 64 bits.  */
  unsigned slots;		/* How many slots there are.  */
  tb_vid temporaries[TB_A64_NPLACES - TB_A64_NSLOTS];
};
_Static_assert (TB_NPLACES - TB_NSLOTS <= TB_A64_NPLACES - TB_A64_NSLOTS,
		"They have room.");

/* A builder of NAMES; with REPLAY nothing is added to the graph.  */
static inline struct tb_builder
tb_builder_of (struct tb_state *state, struct tb_names *names, bool replay)
{
  return (struct tb_builder) {
    .state = state, .names = names, .wide = state->a64 != NULL, .slots = tb_nslots (state),
    .n = { .graph = &state->graph, .memory = &state->memory,
	   .next_value = &names->next_value, .next_access = &names->next_access,
	   .epoch = &names->epoch, .replay = replay, .folds = state->a64 != NULL }
  };
}

/* build-steps.c  */
/* Before step I (of the window): the changes, and names for what has none where
   they may be needed.  I may be the number of steps.  */
void tb_build_arrive (struct tb_builder *b, uint64_t i);
void tb_build_step (struct tb_builder *b, uint64_t i);
/* start.c: name what is known of the start.  */
void tb_build_known_start (struct tb_builder *b);
/* Build the whole window, which will be solved with the halt state if HALT.  */
void tb_build_window (struct tb_state *state, bool halt);

/* Were the steps of STATE, which is not the last window, named for what is known of FP and vector
   registers at its ends now?  */
bool tb_build_is_current (struct tb_state *state);
/* ends.c: state what the halt state, or the window after, says of what is named now.  */
void tb_build_use_halt (struct tb_state *state);
void tb_build_use_border (struct tb_state *state);
/* Add what is known at the first or, if END, the last border to BORDER; false without
   memory.  */
bool tb_build_take_border (struct tb_state *state, bool end,
			   struct tb_border *border);
/* abandoned.c: the instruction at ADDRESS, of ISA, to which an exception returns, may have been
   given up half-way: one that transfers several words or, if SINGLE, one store; and, on the M
   profile, one that uses FP registers.  PSR is the M profile's xPSR that is saved, so far nothing
   but a name; of others 0.  */
void tb_build_abandon (struct tb_builder *b, uint64_t address, enum tb_isa isa, bool single,
		       tb_vid psr);

/* continued.c, of the M profile.  */
/* The register that comes next of the instruction T at ADDRESS, which may be gone on with, if PSR
   is saved.  0: it is begun again, or was gone on with and nothing tells.  */
tb_vid tb_build_next_register (struct tb_builder *b, const struct tb_template *t,
			       uint64_t address, tb_vid psr);
/* Is the place U->dst, which U of an instruction's COUNT UOPS writes, a register that it loads
   and that is no base of it?  What becomes of a base is another thing.  */
bool tb_build_is_listed (const struct tb_uop *u, const struct tb_uop *uops, unsigned count);
/* 1: register REG was loaded, if NEXT comes next.  */
tb_vid tb_build_was_loaded (struct tb_builder *b, unsigned reg, tb_vid next);
/* Does the instruction that CHANGE returns to go on where it was interrupted, as PSR tells?
   SURE: it is a return, with that PSR.  */
void tb_build_resume (struct tb_builder *b, const struct tb_change *change, tb_vid psr, bool sure);
/* What place U->dst holds behind the load U of step I, which may be gone on with, if VALUE is
   what it loads now.  */
tb_vid tb_build_resumed (struct tb_builder *b, const struct tb_uop *u, uint64_t i, tb_vid value);

/* Parts of it for exceptions.c and system.c.  */
tb_vid tb_build_load (struct tb_builder *b, tb_vid address, unsigned size);
void tb_build_store (struct tb_builder *b, unsigned kind, tb_vid address,
		     tb_vid value, unsigned size);
/* A store that may not have happened.  If CONDITION (0: none) turns out to be 1
   and IF1 it did, if it turns out to be 0 and not IF1 it did not.  */
void tb_build_maybe (struct tb_builder *b, tb_vid address, tb_vid value,
		     unsigned size, tb_vid condition, bool if1);
/* The load U of step I, from ADDRESS.  */
void tb_build_name_load (struct tb_builder *b, const struct tb_uop *u,
			 tb_vid address, uint64_t i);
/* The store U, of VALUE to ADDRESS.  */
void tb_build_name_store (struct tb_builder *b, const struct tb_uop *u, tb_vid address,
			  tb_vid value);

/* build-places.c: what the places hold.  */
/* A value with the width that PLACE has.  */
tb_vid tb_build_fresh (struct tb_builder *b, unsigned place);
/* The value in PLACE; IMM for the immediate; 0 for TB_PLACE_NONE.  */
tb_vid tb_build_read (struct tb_builder *b, unsigned place, uint64_t imm);
/* PLACE becomes ID.  NARROW, which counts for A64 alone: ID is below 2^32, as it is
   written.  */
void tb_build_write (struct tb_builder *b, unsigned place, tb_vid id, bool narrow);
/* All registers hold values of which nothing is known.  */
void tb_build_lose (struct tb_builder *b);
/* Give a name to everything that has none.  */
void tb_build_name_all (struct tb_builder *b);

/* One micro-operation of step I (of the window), whose info is INFO.  */
void tb_build_uop (struct tb_builder *b, const struct tb_uop *u, uint64_t i,
		   uint32_t info);

/* State where the indirect branch of step I went: to VALUE, of which the bits BITS
   count.  */
void tb_build_target (struct tb_builder *b, uint64_t i, tb_vid value,
		      uint64_t bits);
/* What the step before CHANGE branched to, by the trace or if nothing else lies between; 0: that
   is not told.  */
tb_vid tb_build_branched_to (struct tb_builder *b, const struct tb_change *change);
/* Step I returns from an exception of the A and R profile; PSR becomes the CPSR.  */
void tb_build_return (struct tb_builder *b, tb_vid psr, uint64_t i);

/* conditional.c: the operations of step I, T.  */
void tb_build_operations (struct tb_builder *b, const struct tb_template *t,
			  uint64_t i);
/* Does the trace tell whether the condition of T held, if it has one?  */
bool tb_build_told (const struct tb_state *state, const struct tb_template *t);
/* 1 if condition CC holds; the same value for all of an IT block.  */
tb_vid tb_build_holds_now (struct tb_builder *b, unsigned cc);
/* The end of an IT block, or of what its condition was.  */
void tb_build_forget_condition (struct tb_builder *b);

/* flags.c.  LIVE: the flags that are read later, N Z C V in bits 0 to 3.  */
void tb_build_nz (struct tb_builder *b, tb_vid value, unsigned live);
/* C and V by TB_OP_CV_... U of X and Y.  */
void tb_build_cv (struct tb_builder *b, const struct tb_uop *u, tb_vid x,
		  tb_vid y, unsigned live);
/* C by TB_OP_C_SHIFT U of X by Y.  */
void tb_build_shift (struct tb_builder *b, const struct tb_uop *u, tb_vid x,
		     tb_vid y, unsigned live);
/* 1 where condition CC holds, else 0.  */
tb_vid tb_build_holds (struct tb_builder *b, unsigned cc);
/* Condition CC came out as HOLDS.  */
void tb_build_condition (struct tb_builder *b, unsigned cc, bool holds);
/* The flags N Z C V are now FLAGS, or if that is NULL new values; they are no
   longer the result of an instruction.  */
void tb_build_name_flags (struct tb_builder *b, const tb_vid *flags);

/* exceptions.c  */
void tb_build_change (struct tb_builder *b, const struct tb_change *change,
		      bool after_svc);

/* exceptions-a.c: the same for the A and R profile, all changes before a step.  */
void tb_build_a_change (struct tb_builder *b, const struct tb_change *changes,
			size_t count);

/* modes.c: the A and R profile's system registers, and modes.  */
/* Register NUMBER (TB_SYS_REG) of a mode; that becomes VALUE.  */
tb_vid tb_build_read_banked (struct tb_builder *b, uint32_t number);
void tb_build_write_banked (struct tb_builder *b, uint32_t number, tb_vid value);
/* Go to the mode in PSR.  */
void tb_build_mode (struct tb_builder *b, tb_vid psr);
/* The mode in PSR is the present one.  */
void tb_build_note_mode (struct tb_builder *b, tb_vid psr);
/* tb_build_privileged there.  */
tb_vid tb_build_privileged_mode (struct tb_builder *b);
/* Go to MODE.  */
void tb_build_switch (struct tb_builder *b, tb_vid mode);
/* The CPSR, as an exception saves it.  */
tb_vid tb_build_psr (struct tb_builder *b);
/* Name the banks where the window begins, as far as BORDER, if not NULL, knows
   them.  */
void tb_build_border_modes (struct tb_builder *b,
			    const struct tb_border *border);
/* Put what STATE knows of the banks, by its names, into BORDER.  */
void tb_state_take_modes (const struct tb_state *state,
			  struct tb_border *border);
/* What was done to the banks happened if CONDITION is 1; OLD: before.  */
void tb_build_merge_banks (struct tb_builder *b, tb_vid condition,
			   const struct tb_names *old);

/* system.c  */
/* 1 where code is privileged, else 0.  */
tb_vid tb_build_privileged (struct tb_builder *b);
/* State that the fields of X, a PSR, are what the slots hold.  */
void tb_build_tie_psr (struct tb_builder *b, tb_vid x);
/* TB_OP_FIELD U.  */
void tb_build_field (struct tb_builder *b, const struct tb_uop *u);
/* CONTROL.SPSEL of the M profile becomes VALUE.  */
void tb_build_spsel (struct tb_builder *b, tb_vid value);

#endif /* TB_STATE_WINDOW_BUILDER_H */
