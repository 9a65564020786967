/* State of A64 code: the part of state.h that deals with registers of 64 bits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   General registers go through exceptions as they are; stack pointers are banked
   by exception level.  What an exception's return restores is known where the
   saved state was not written in between.  */

#ifndef TB_STATE_A64_A64_H
#define TB_STATE_A64_A64_H

#include "state/window/code-stores.h"
#include "state/state.h"

struct tb_a64;

/* Read the STEPS steps of RECORDING from BASE on; nothing is solved yet.
   AT_HALT and VECTORS_AT_HALT: the registers at the halt, by arm/machine/regs.h; borrowed.
   NULL: no memory.  */
struct tb_a64 *tb_a64_open (struct tb_recording *recording,
			    const struct tb_state_options *options,
			    uint64_t base, uint64_t steps,
			    const struct tb_value *at_halt,
			    const struct tb_vector *vectors_at_halt);
/* Was there once no memory for something that it was asked for?  */
bool tb_a64_no_memory (const struct tb_a64 *a64);
void tb_a64_close (struct tb_a64 *a64);

/* Work out the window's values, with the halt state if *HALT and the first PAIRS
   and CONSTANTS of FACTS.  FIND_END: *HALT becomes true, too, if it turns out that the
   trace ends where the core was halted.  *CONFLICT: the input contradicts itself.
   False without memory.  */
struct tb_facts;
bool tb_a64_solve (struct tb_a64 *a64, bool *halt, bool find_end,
		   struct tb_facts *facts,
		   size_t pairs, size_t constants, bool *conflict);

/* Find the calls of the window that return in it; it must have been built.
   False: no memory.  */
bool tb_a64_find_calls (struct tb_a64 *a64, struct tb_facts *facts);

/* What is known of the value NAME.  */
struct tb_border_register tb_a64_value_known (const struct tb_a64 *a64,
					      uint32_t name);

/* Is the last step an indirect branch that is known to have gone to PC?  */
bool tb_a64_ends_at (struct tb_a64 *a64, uint64_t pc);

/* The first step of the window.  */
uint64_t tb_a64_base (const struct tb_a64 *a64);

/* The instruction after the window is at PC.  */
void tb_a64_set_next (struct tb_a64 *a64, uint64_t pc);

/* How much is spent on trying values (struct tb_memory).  */
void tb_a64_set_visits (struct tb_a64 *a64, size_t visits);

/* What other windows know at the ends, or NULL; borrowed.  */
struct tb_border;
void tb_a64_set_borders (struct tb_a64 *a64, const struct tb_border *before,
			 const struct tb_border *after);

/* Add what is known at the first or, if END, the last border to BORDER; false
   without memory.  */
bool tb_a64_border (struct tb_a64 *a64, bool end, struct tb_border *border);

/* Let go of what only solving needs.  */
void tb_a64_freeze (struct tb_a64 *a64);

/* Bytes that it has.  */
size_t tb_a64_bytes (const struct tb_a64 *a64);

/* The address of step I of the window.  */
uint64_t tb_a64_pc (const struct tb_a64 *a64, uint64_t i);

/* The address space of the last step.  */
enum tb_space tb_a64_space (const struct tb_a64 *a64);

/* Nothing is to be worked out.  */
void tb_a64_give_up (struct tb_a64 *a64);

/* As the functions of state.h, for what is certain; what the halt itself says
   of the state after the last step is not included.  The registers are TB_NREGS_MAX
   values, which stay until something else is asked of A64; NULL: it does not have
   the step.  */
const struct tb_value *tb_a64_registers (struct tb_a64 *a64, uint64_t step);
size_t tb_a64_memory (struct tb_a64 *a64, uint64_t step, uint64_t address,
		      uint8_t *bytes, uint8_t *origins, size_t length);
size_t tb_a64_accesses (struct tb_a64 *a64, uint64_t step,
			struct tb_access_info *accesses, size_t capacity);
bool tb_a64_analysed (const struct tb_a64 *a64, uint64_t step);

/* What is known of the vector registers (TB_NVECTORS entries) before STEP, and behind
   its instruction.  False: nothing, and VECTORS means nothing.  */
bool tb_a64_vectors (struct tb_a64 *a64, uint64_t step,
		     struct tb_vector *vectors);
bool tb_a64_vectors_after (struct tb_a64 *a64, uint64_t step,
			   struct tb_vector *vectors);

/* As the functions of effect.h.  */
struct tb_effect;
bool tb_a64_effect (const struct tb_a64 *a64, uint64_t step,
		    struct tb_effect *effect);
void tb_a64_after (struct tb_a64 *a64, uint64_t step,
		   struct tb_value *values);

/* The first step of the window, and how many it has.  */
void tb_a64_window (const struct tb_a64 *a64, uint64_t *first,
		    uint64_t *count);

/* Take out what is lost by TRUST, which is borrowed, and only that.  False: no
   memory.  */
struct tb_trust;
bool tb_a64_apply_trust (struct tb_a64 *a64, const struct tb_trust *trust);

/* Take over what FROM, of the same trace, found to be written of what looked read
   only; was that news?  With KEEP a store to what still looks so is from now on a
   contradiction.  */
bool tb_a64_take_written (struct tb_a64 *a64, const struct tb_a64 *from,
			  bool keep);

/* Trust no step that FROM, of the same window, found not to have run what the dump
   holds.  False: no memory.  */
bool tb_a64_take_code (struct tb_a64 *a64, const struct tb_a64 *from);

/* See code-stores.h.  */
struct tb_code_view tb_a64_code_view (struct tb_a64 *a64);

/* Let A64 know what other windows store.  */
void tb_a64_use_stores (struct tb_a64 *a64,
			const struct tb_code_stores *stores);

/* How many steps are found not to have run, for all that is known, what the dump
   holds.  */
size_t tb_a64_recoded (const struct tb_a64 *a64);

/* How many regions that looked read only are known to be written.  */
unsigned tb_a64_written (const struct tb_a64 *a64);

/* Is the start of the trace known, by the option INITIAL?  */
void tb_a64_set_start (struct tb_a64 *a64, bool known);

/* a64/fault.c: as tb_stated_find_fault.  */
struct tb_stated_fault;
void tb_a64_find_fault (const struct tb_a64 *a64, bool lines,
			struct tb_stated_fault *fault);

/* Of a log, rely on what lines tell alone.  */
void tb_a64_rely_on_lines (struct tb_a64 *a64);

/* By region of the memory map: it is a device's; borrowed.  */
void tb_a64_set_devices (struct tb_a64 *a64, const bool *devices);

/* The address of distinct instruction I that ran in the window; false: there are not
   so many.  */
bool tb_a64_code_at (const struct tb_a64 *a64, size_t i, uint64_t *pc);

/* Others write SHARED, save PRIVATES, from now on.  */
void tb_a64_share (struct tb_a64 *a64, const struct tb_extents *shared,
		   const struct tb_extents *privates);

/* The registers that are live before the changes that lie before step I of the
   window, of which LIVE are behind them.  */
uint64_t tb_a64_live (const struct tb_a64 *a64, uint64_t i, uint64_t live);

/* As tb_state_why, for what A64 knows by itself; IDS: room for CAPACITY numbers. */
struct tb_why;
struct tb_why_query;
size_t tb_a64_why (struct tb_a64 *a64, const struct tb_facts *facts,
		   uint64_t step, const struct tb_why_query *query,
		   struct tb_why *items, uint32_t *ids, size_t capacity);

#endif /* TB_STATE_A64_A64_H */
