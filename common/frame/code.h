/* Code that ran, as bytes that are certain.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The state knows the bytes of read-only memory.  It does not know the bytes of a dump
   that the program may write.  But the trace was followed through the code in the dump,
   so the bytes of instructions that ran near a step are as certain as the trace is,
   unless the state found stores to them (tb_state_holds_code).  Bytes of other
   instructions are not certain: data may stand beside code.
   Whatever shows memory of a moment gets its code from here.  */

#ifndef TB_FRAME_CODE_H
#define TB_FRAME_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"
#include "recording/visits.h"
#include "state/state.h"

struct tb_code;

/* RECORDING and STATE are borrowed.  NULL: no memory.  */
struct tb_code *tb_code_new (struct tb_recording *recording,
			     struct tb_state *state);
void tb_code_free (struct tb_code *code);

/* What ran anywhere, as far as VISITS have seen it, counts as what ran near.
   Borrowed; NULL: it does not.  */
void tb_code_set_visits (struct tb_code *code,
			 const struct tb_visits *visits);

/* Where ORIGINS says TB_UNKNOWN of the LENGTH bytes of memory at ADDRESS before step
   NUMBER, which is STEP (of size 0 if there is none; the address space is that of
   STEP), and an instruction is known to have run there some hundred steps before or
   after it, set the byte and its origin.  */
void tb_code_fill (struct tb_code *code, uint64_t number,
		   const struct tb_step *step, uint64_t address,
		   uint8_t *bytes, uint8_t *origins, size_t length);

/* Is the opcode of STEP, which is number NUMBER, what ran?  */
bool tb_code_is_certain (struct tb_state *state,
			 struct tb_recording *recording, uint64_t number,
			 const struct tb_step *step);

#endif /* TB_FRAME_CODE_H */
