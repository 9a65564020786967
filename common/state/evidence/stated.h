/* Stated: what a log says of the steps of a window, put to its values.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A log has lines for what instructions write.  So a register that an instruction
   writes without a line has the value that the last line told; and one of which a
   line tells although nothing that is known here writes it (a debugger, a call of
   the host) was written by others.

   What lies between two steps is told less well: returns from exceptions are no
   lines at all, and of an entry the return address is only in the frame.  What cannot
   be told apart with certainty is taken for anything (TB_CHANGE_LOST); the registers
   that lines told of hold behind it all the same, and general registers without a line
   are as they were where it was an exception, or an instruction that is not
   described.  */

#ifndef TB_STATE_EVIDENCE_STATED_H
#define TB_STATE_EVIDENCE_STATED_H

#include "recording/facts.h"
#include "recording/step-flow.h"
#include "state/window/teller.h"
#include "state/evidence/log.h"

/* Bytes of the part of an exception's frame that every one has.  */
#define TB_STATED_FRAME 32

/* As tb_step_leads_to, of the A and R profile and the step before STEP, PREVIOUS, as
   the log tells of them: an exception that is no line may have come in between.  At the end
   of the log PC does not count.  */
bool tb_stated_goes_on (const struct tb_columns *facts, uint64_t step,
			const struct tb_step *previous, uint64_t pc,
			const struct tb_profile *profile);

/* Where the frame is that the exception before STEP (of the log) stored, of which all
   is told; false: it is not.  */
bool tb_stated_frame (const struct tb_columns *facts, uint64_t step,
		      uint32_t *address);

/* Is RECORDING one of a log that shows that others write RAM?  All of it then.  */
bool tb_stated_others (const struct tb_recording *recording);
extern const struct tb_extents tb_stated_everything;

/* Does the PSR, or the mode, show that what did not go on where it should before STEP
   was an exception or its return?  Else something may have run that is not told.  */
bool tb_stated_takes_exception (const struct tb_columns *facts,
				uint64_t step);

/* Do general registers go through EVENTS, COUNT of them before a step, at most
   TB_STATED_EVENTS stored?  Not where something ran in between, nor through a reset.  */
#define TB_STATED_EVENTS 4
bool tb_stated_goes_through (const struct tb_columns *facts,
			     const struct tb_event *events, size_t count);

/* The events before STEP but for returns, which are told by what else the log says;
   returns how many, the first TB_STATED_EVENTS of which are stored.  */
size_t tb_stated_events (struct tb_recording *recording, uint64_t step,
			 struct tb_event *events);

/* stated-changes.c: find the changes of the window.  False: no memory.  */
bool tb_stated_changes (struct tb_state *state);

/* stated-a64.c: add what lies between PREVIOUS and NEXT (NULL: it is the end), which is
   number STEP, of A64.  False: no memory.  */
bool tb_a64_stated_between (struct tb_state *state, uint64_t step,
			    const struct tb_step *previous,
			    const struct tb_step *next);

/* As member STEP of struct tb_teller.  */
void tb_a64_stated_step (const struct tb_state *state, uint64_t i,
			 struct tb_step *step);

/* The exception level of STEP; TB_A64_NO_EL: not told.  */
uint8_t tb_a64_stated_level (const struct tb_state *state, uint64_t step);

void tb_stated_step (const struct tb_state *state, uint64_t i,
		     struct tb_step *step);

/* As member UNSURE of struct tb_teller.  */
bool tb_stated_unsure (const struct tb_state *state,
		       const struct tb_template *t);

/* stated-written.c: all steps were read; find the registers that others wrote
   (TB_CHANGE_WRITTEN), and whether the snapshot's code is that of the log.  False: no
   memory.  */
bool tb_stated_written (struct tb_state *state);

/* stated-fault.c: find the first step of the window that makes of a register what the
   log says otherwise or, with LINES, a line does; FAULT stays as it is where there is
   none.  */
void tb_stated_find_fault (const struct tb_state *state, bool lines,
			   struct tb_stated_fault *fault);

/* stated.c: the slots that UOPS, COUNT of them, of A64 or A32 and T32, may write;
   *SWITCHES: they may change which registers are in use, too.  */
uint64_t tb_stated_writes (const struct tb_uop *uops, unsigned count, bool a64,
			   bool *switches);

/* The same of CODE, those from SP on also where it may have been something that is no
   slot; UINT64_MAX: it is not known.  ZERO_BLOCK: see tb_semantics_a64.  */
uint64_t tb_stated_may_write (const struct tb_profile *profile,
			      const struct tb_facts_code *code,
			      unsigned zero_block);

/* The first of eight accesses of KIND in a row, of the words of an exception's frame,
   among the accesses FIRST to END; 0: there are none.  */
uint32_t tb_stated_find_frame (const struct tb_state *state, unsigned kind,
			       uint32_t first, uint32_t end);

/* The bits of a value that an access of SIZE bytes moves.  */
static inline uint64_t
tb_stated_moved (unsigned size)
{
  return size < 8 ? (UINT64_C (1) << 8 * size) - 1 : UINT64_MAX;
}

/* stated.c: the log tells.  */
extern const struct tb_teller tb_teller_log;

#endif /* TB_STATE_EVIDENCE_STATED_H */
