/* SVE registers: what lines of logs tell of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nothing is worked out of these, but that an instruction may have written one: the
   lowest 128 bits of Z registers are the V registers (tb_state_vectors), which a trace
   can tell of too.  How long vectors are a log does not say: it is taken to be what its
   widest line shows (DDI 0487, B1.2.2).  */

#ifndef TB_STATE_ANSWER_SVE_H
#define TB_STATE_ANSWER_SVE_H

#include "state/state.h"

/* A value, lowest byte first; only the bits of MASK are known, the others of BYTES
   are 0.  */
struct tb_sve
{
  uint8_t bytes[TB_SVE_MAX], mask[TB_SVE_MAX];
};

/* The bytes of a Z register of STATE, a multiple of 16; 0: no line tells of P registers,
   of FFR or of more of Z registers than of V registers.  */
unsigned tb_state_sve_length (const struct tb_state *state);

/* The same of the log whose facts are FACTS, NULL where it is none.  */
unsigned tb_sve_length (const struct tb_columns *facts);

/* The bytes of register REG where vectors have LENGTH bytes.  */
unsigned tb_sve_size (unsigned length, unsigned reg);

/* "z0", in ROOM.  */
const char *tb_sve_name (unsigned reg, char room[8]);

/* What is known of REG before STEP; false: nothing.  */
bool tb_state_sve (const struct tb_state *state, uint64_t step, unsigned reg,
		   struct tb_sve *value);

/* Are SIZE bytes of VALUE from byte FROM on known?  */
bool tb_sve_known (const struct tb_sve *value, unsigned from, unsigned size);

/* The first step behind STEP before which REG may be other than before STEP; UINT64_MAX:
   there is none.  */
uint64_t tb_state_sve_next (const struct tb_state *state, uint64_t step, unsigned reg);

#endif /* TB_STATE_ANSWER_SVE_H */
