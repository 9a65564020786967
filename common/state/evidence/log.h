/* What the lines of a log's recording say of its state, without solving anything; see
   log-state.h for the rest.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What a line says of is stated; memory that does not change (state.h), as dumps
   and ELF files have it, is derived.  */

#ifndef TB_STATE_EVIDENCE_LOG_H
#define TB_STATE_EVIDENCE_LOG_H

#include "state/effect.h"

struct tb_state_log;

/* VOLATILES, or NULL, is memory that others change, too, of which lines say only what
   the step they belong to has read.  It must last.  NULL: no memory.  */
struct tb_state_log *tb_state_log_open (struct tb_recording *recording,
					const struct tb_extents *volatiles);
void tb_state_log_close (struct tb_state_log *log);

/* The registers SET (a bit each, by arm/machine/regs.h) before STEP, but for the PC, into
   VALUES, whose others stay as they are.  */
void tb_state_log_some (const struct tb_state_log *log, uint64_t step,
			uint64_t set, struct tb_value *values);

/* Which stack pointer of the M profile is SP before STEP (TB_FACTS_SP_...).  */
unsigned tb_state_log_active_sp (const struct tb_state_log *log,
				 uint64_t step);

/* The mode of before STEP, which is at most the number of steps.  */
unsigned tb_state_log_mode (const struct tb_state_log *log, uint64_t step);

/* log-end.c: what the mode behind the last step of FACTS is called; it may be in ROOM.
   False: it is not known.  */
#define TB_STATE_LOG_MODE 8
bool tb_state_log_end_mode (const struct tb_columns *facts, const char **mode,
			    char *room);

/* The facts, and where they have register REG in MODE; NULL: nowhere.  */
const struct tb_columns *tb_state_log_facts (const struct tb_state_log *log);
const struct tb_facts_register *
tb_state_log_place (const struct tb_state_log *log, unsigned mode,
		    unsigned reg);

/* The lines are in doubt from now on: the value of one holds only up to what may write
   the register (log-doubt.h).  Without memory for that nothing of registers is known.
   Once more does nothing.  */
void tb_state_log_doubt (struct tb_state_log *log);

/* As the functions of struct tb_state.  */
void tb_state_log_registers (struct tb_state_log *log, uint64_t step,
			     struct tb_value *values);
bool tb_state_log_vectors (struct tb_state_log *log, uint64_t step,
			   struct tb_vector *vectors);
/* The first step behind STEP before which these may be others.  */
uint64_t tb_state_log_vectors_next (const struct tb_state_log *log, uint64_t step);
size_t tb_state_log_memory (struct tb_state_log *log, uint64_t step,
			    uint64_t address, uint8_t *bytes, uint8_t *origins,
			    size_t length);
size_t tb_state_log_accesses (struct tb_state_log *log, uint64_t step,
			      struct tb_access_info *accesses,
			      size_t capacity);

/* log-sve.c: SVE registers (state/answer/sve.h), NULL for those that no line tells of,
   and how many bytes vectors have; 0: no line tells of them.  */
enum { TB_LOG_CONTROLS = 3 };
struct tb_log_sve
{
  const struct tb_facts_register *regs[TB_NSVE];
  const struct tb_facts_register *controls[TB_LOG_CONTROLS];	/* FPCR, FPSCR, FPSR.  */
  unsigned length;
};
void tb_log_sve_find (struct tb_log_sve *sve, const struct tb_columns *facts);
const struct tb_log_sve *tb_state_log_sve (const struct tb_state_log *log);
/* As tb_state_log_since, of COUNT lanes of 32 bits from FIRST on of register REG: a V or SVE
   register by enum tb_sve_reg, or what controls FP, from TB_NSVE on as from TB_FPSCR.  False
   where no line tells anything of one of them.  */
bool tb_state_log_lanes_since (const struct tb_state_log *log, uint64_t step,
			       unsigned reg, unsigned first, unsigned count,
			       uint64_t *made);

/* What STEP wrote: the registers whose lines say so; a log does not tell what was
   read.  */
void tb_state_log_effect (const struct tb_state_log *log, uint64_t step,
			  struct tb_effect *effect);
/* log-behind.c: between the instruction of STEP and the next one are exceptions: the
   registers, a bit each, that have lines there and that no entry writes, so that the
   instruction did; if one is a reset, those that have lines in front of it.  */
uint64_t tb_state_log_before_entry (const struct tb_state_log *log, uint64_t step,
				    const struct tb_profile *profile);
void tb_state_log_after (struct tb_state_log *log, uint64_t step,
			 const struct tb_profile *profile,
			 struct tb_value *values);

/* Of the register REG of 32 bits before STEP: the lines of step *MADE tell its value.
   False where it is not known.  */
bool tb_state_log_since (struct tb_state_log *log, uint64_t step, unsigned reg,
			 uint64_t *made);

#endif /* TB_STATE_EVIDENCE_LOG_H */
