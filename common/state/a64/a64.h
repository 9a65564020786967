/* State of A64 code: the part of state that deals with registers of 64 bits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   General registers go through exceptions as they are; stack pointers are banked
   by exception level.  What an exception's return restores is known where the
   saved state was not written in between.

   These are for a state whose member A64 is not NULL.  */

#ifndef TB_STATE_A64_A64_H
#define TB_STATE_A64_A64_H

#include "state/window/internal.h"

/* Make STATE's member A64.  False: no memory.  */
bool tb_a64_open (struct tb_state *state);
void tb_a64_close (struct tb_a64 *a64);

/* Bytes that A64 has.  */
size_t tb_a64_bytes (const struct tb_state *state);

/* What tb_state_solve does: name the values of the window, which will be solved with
   the halt state if HALT, with the last branch's *TARGET and the *EPOCH of accesses at its
   end; state the registers at the halt, or what the window after
   knows of its first border.  */
void tb_a64_build (struct tb_state *state, bool halt, tb_vid *target,
		   uint32_t *epoch);
void tb_a64_use_halt (struct tb_state *state);
void tb_a64_use_border (struct tb_state *state);

/* Find the calls of the window that return in it; it must have been built.
   False: no memory.  */
bool tb_a64_find_calls (struct tb_state *state);

/* Is the last step an indirect branch that is known to have gone to PC?  */
bool tb_a64_ends_at (struct tb_state *state, uint64_t pc);

/* Add what is known at the first or, if END, the last border to BORDER; false
   without memory.  */
bool tb_a64_border (struct tb_state *state, bool end, struct tb_border *border);

/* The numbers that the next value and access get before step I of the window.  */
void tb_a64_numbers (struct tb_state *state, uint64_t i, tb_vid *value,
		     uint32_t *access);

/* As the functions of state.h, for what is certain; what the halt itself says
   of the state after the last step is not included.  The registers are TB_NREGS_MAX
   values, which stay until something else is asked of STATE; NULL: it does not have
   the step.  */
const struct tb_value *tb_a64_registers (struct tb_state *state, uint64_t step);
size_t tb_a64_memory (struct tb_state *state, uint64_t step, uint64_t address,
		      uint8_t *bytes, uint8_t *origins, size_t length);
size_t tb_a64_accesses (struct tb_state *state, uint64_t step,
			struct tb_access_info *accesses, size_t capacity);

/* What is known of the vector registers (TB_NVECTORS entries) before STEP, and behind
   its instruction.  False: nothing, and VECTORS means nothing.  */
bool tb_a64_vectors (struct tb_state *state, uint64_t step,
		     struct tb_vector *vectors);
bool tb_a64_vectors_after (struct tb_state *state, uint64_t step,
			   struct tb_vector *vectors);

/* The names of their values before STEP, *COUNT of them, until the next question; none: the
   above says false.  */
const uint32_t *tb_a64_vector_names (struct tb_state *state, uint64_t step,
				     size_t *count);

/* Put what T, which is modelled, reads and writes into EFFECT, which is zero.  */
struct tb_effect;
void tb_a64_effect (const struct tb_state *state, const struct tb_template *t,
		    struct tb_effect *effect);
/* As tb_state_after.  */
void tb_a64_after (struct tb_state *state, uint64_t step,
		   struct tb_value *values);
/* The registers that are live before CHANGE, of which LIVE are behind it.  */
uint64_t tb_a64_live (const struct tb_change *change, uint64_t live);

/* a64/fault.c: as tb_stated_find_fault.  */
void tb_a64_find_fault (const struct tb_state *state, bool lines,
			struct tb_stated_fault *fault);

/* As tb_state_why, for what A64 knows by itself; IDS: room for CAPACITY numbers. */
struct tb_why;
struct tb_why_query;
size_t tb_a64_why (struct tb_state *state, uint64_t step,
		   const struct tb_why_query *query, struct tb_why *items,
		   uint32_t *ids, size_t capacity);

/* No exception level.  */
#define TB_A64_NO_EL 0xff

/* a64/code.c: describe T in SEMANTICS, which says that nothing is known of it.  */
void tb_a64_describe (struct tb_state *state, struct tb_template *t,
		      struct tb_semantics *semantics);

/* The window begins at exception level EL, if that is up to 3; else as a log tells.  */
void tb_a64_set_level (struct tb_state *state, uint8_t el);

/* a64/stated.c: of a log, as the functions of stated.h.  */
bool tb_a64_stated_changes (struct tb_state *state);
void tb_a64_stated_step (const struct tb_state *state, uint64_t i,
			 struct tb_step *step);
bool tb_a64_stated_written (struct tb_state *state);

#endif /* TB_STATE_A64_A64_H */
