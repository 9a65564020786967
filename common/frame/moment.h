/* A moment: all that is known before one step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Trace files and the remote stub show moments through these functions, so that
   both say the same.  */

#ifndef TB_FRAME_MOMENT_H
#define TB_FRAME_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/tdesc.h"
#include "frame/tracefile.h"
#include "recording/recording.h"
#include "recording/tasks.h"
#include "recording/visits.h"
#include "state/state.h"

/* What stands in a register for what is not known.  Odd, so that no
   pointer to a word, a halfword or A32/A64 code looks so; in the vendor's
   device space of the M profile's memory map, and outside both halves of a
   48-bit or 52-bit address space in 64 bits; and not one of the usual paints of
   stacks and heaps, which are values that programs do have.  */
#define TB_POISON32 UINT32_C (0xbad00bad)
#define TB_POISON64 UINT64_C (0xbad00badbad00bad)

/* The state variables, by number.  All but the first two have a value only
   where it is known.  */
enum tb_variable
{
  TB_VAR_STEP = 1,		/* $step: the step's number.  */
  TB_VAR_UNKNOWN,		/* $unknown_registers: bit N is register N of the
				   block that the target description makes, by the
				   order of its numbers, bit 63 all from the 64th on
				   (M and A/R profile, if no other description was
				   given: r0 is bit 0, pc 15, xpsr or cpsr 16, if they
				   are described msp 17 and psp 18; AArch64: x0 is
				   bit 0, sp 31, pc 32, cpsr 33).  Set: some or
				   all of its bits are not known.  In a trace frame
				   registers of the block that are not followed are
				   so, too.  */
  TB_VAR_ASSUMED,		/* $assumed_registers: the same bits; set: the
				   value holds under an assumption.  Has a value
				   only where one does.  In the stub bit 63 is also
				   that of the FP and vector registers that are not in
				   the block.  */
  TB_VAR_TIMESTAMP,		/* $timestamp: the last one before the step. */
  TB_VAR_CYCLES,		/* $cycles: counted up to the step.  */
  TB_VAR_EXCEPTION,		/* $exception: M profile: the number of the
				   exception being handled, 0 for none; else that
				   of the exception taken just before the step,
				   as the trace numbers it.  */
  TB_VAR_STORED,		/* $stored: what the step's instruction stores,
				   where it stores once and the value is known.  */
  TB_VAR_MSP, TB_VAR_PSP,	/* $msp, $psp: M profile.  Not registers for GDB
				   everywhere: it needs both in every frame or
				   none.  */
  TB_VAR_CONTEXT, TB_VAR_EL,	/* $context_id, $el: the other profiles; as the
				   trace last stated them.  */
  TB_VAR_UNKNOWN_MEMORY,	/* $unknown_memory: M profile; 1: words of memory
				   have bits that are made up for GDB (see
				   gdbstub/stacked.h), else 0.  Trace files have
				   no such words, and no value of it.  */
  TB_VAR_TASK,			/* $task: M profile: the number of the task of a kernel
				   that runs, or that the exceptions interrupt, by
				   the trace (recording/tasks.h).  */
  TB_VAR_ASSUMED_MEMORY,	/* $assumed_memory: trace files: how many bytes of the
				   frame's memory hold under an assumption: those of
				   the M blocks behind the V block of this variable.
				   Has a value only where there are any; none in
				   the stub, whose frames have all memory.  */
  TB_VAR_COUNT
};

/* Their definitions, in number order; *COUNT entries.  They are the same for each
   profile, without a hole in the numbers: GDB gives a user's variable, defined
   later, the number behind as many as it was told of.  */
const struct tb_tsv_def *tb_moment_variables (size_t *count);

/* Can variable NUMBER have a value anywhere on PROFILE?  */
bool tb_moment_can_have (unsigned number, const struct tb_profile *profile);

struct tb_moment
{
  uint64_t number;		/* Of the step; the number of steps: the state
				   at the end of the trace.  */
  bool at_end;			/* No instruction follows.  */
  bool waits;			/* It is a thread's that does not run then
				   (tb_moment_wait).  */
  struct tb_step step;		/* AT_END: the last one, if there is one; its
				   size is 0.  */
  uint64_t pc;
  struct tb_value values[TB_NREGS_MAX];	/* By arm/machine/regs.h.  */
  uint64_t unknown, assumed;	/* $unknown_registers, $assumed_registers of those
				   that are followed.  */
};

/* What moments are read from.  */
struct tb_moments;

/* STATE and RECORDING are borrowed, and so is TDESC, of the same core, whose registers
   are looked at.  NULL: no memory.  */
struct tb_moments *tb_moments_new (struct tb_state *state,
				   struct tb_recording *recording,
				   const struct tb_tdesc *tdesc);
void tb_moments_free (struct tb_moments *moments);

const struct tb_tdesc *tb_moments_tdesc (const struct tb_moments *moments);

/* See tb_code_set_visits.  */
void tb_moments_set_visits (struct tb_moments *moments,
			    const struct tb_visits *visits);

/* What tells the tasks (NULL: no memory), which are borrowed; called with CONTEXT when
   $task is asked for.  Without it that has no value.  */
typedef const struct tb_tasks *tb_moment_tasks (void *context);
void tb_moments_set_tasks (struct tb_moments *moments, tb_moment_tasks *tasks,
			   void *context);

/* Fill MOMENT for step NUMBER; false when its PC is not known, as only that at
   the end of the trace can be.  */
bool tb_moment_find (struct tb_moments *moments, uint64_t number,
		     struct tb_moment *moment);

/* Make WAITING what MOMENT is for a thread of the M profile that waits then: it shows VALUES
   (as those of a moment), which may not tell the PC, and PC (NULL: not known).  */
void tb_moment_wait (struct tb_moments *moments, const struct tb_moment *moment,
		     const struct tb_value *values, const uint64_t *pc,
		     struct tb_moment *waiting);

/* Is all of VALUE, BYTES long, known?  */
bool tb_moment_whole (const struct tb_value *value, unsigned bytes);

/* The bytes, lowest first, of REG, an FP or vector register of a core of PROFILE, and how
   they are known: TB_ASSUMED if one of them is so; TB_UNKNOWN: VECTORS (tb_state_vectors)
   do not have all of it.  */
enum tb_origin tb_moment_vector (const struct tb_vector *vectors,
				 const struct tb_profile *profile,
				 const struct tb_tdesc_reg *reg, uint8_t *bytes);

/* The FP and vector registers at MOMENT, as bits of $assumed_registers: those that hold under
   an assumption are returned, of the block those that are known are in *KNOWN.  BLOCK, if not
   NULL, gets the bytes of the latter, and then others do not count; the rest of it stays.  */
uint64_t tb_moment_vectors (struct tb_moments *moments, const struct tb_moment *moment,
			    uint64_t *known, uint8_t *block);

/* The low 8 bytes of REG, an FP or vector register, at MOMENT.  */
struct tb_value tb_moment_vector_low (struct tb_moments *moments,
				      const struct tb_moment *moment,
				      const struct tb_tdesc_reg *reg);

/* The value of state variable NUMBER; false where it is not known.  */
bool tb_moment_variable (struct tb_moments *moments,
			 const struct tb_moment *moment, unsigned number,
			 int64_t *value);

/* LENGTH bytes of memory at ADDRESS: what the state knows, and the code that
   ran near.  ORIGINS[i] is TB_UNKNOWN where BYTES[i] means nothing.  */
void tb_moment_memory (struct tb_moments *moments,
		       const struct tb_moment *moment, uint64_t address,
		       uint8_t *bytes, uint8_t *origins, size_t length);

#endif /* TB_FRAME_MOMENT_H */
