/* The state of a log: what its lines state and, where they do not tell, what is
   derived of the same steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All functions are as those of state.h and effect.h with the same ending; STATE is
   that of a log.  */

#ifndef TB_STATE_EVIDENCE_LOG_STATE_H
#define TB_STATE_EVIDENCE_LOG_STATE_H

#include "state/window/internal.h"
#include "state/evidence/log.h"

void tb_log_state_registers (struct tb_state *state, uint64_t step,
			     struct tb_value *values);
void tb_log_state_after (struct tb_state *state, uint64_t step,
			 struct tb_value *values);
size_t tb_log_state_memory (struct tb_state *state, uint64_t step,
			    uint64_t address, uint8_t *bytes,
			    uint8_t *origins, size_t length);
size_t tb_log_state_accesses (struct tb_state *state, uint64_t step,
			      struct tb_access_info *accesses,
			      size_t capacity);
bool tb_log_state_analysed (struct tb_state *state, uint64_t step);
bool tb_log_state_effect (struct tb_state *state, uint64_t step,
			  struct tb_effect *effect);

/* Do the lines of the log tell all of the SIZE bytes, at most 8, at ADDRESS before STEP,
   or does nothing else, either?  */
bool tb_log_state_tells_memory (struct tb_state *state, uint64_t step,
				uint64_t address, unsigned size);

/* Do they tell all of BITS of register NUMBER (arm/machine/regs.h), or is nothing worked
   out beside them?  */
bool tb_log_state_tells_register (struct tb_state *state, uint64_t step,
				  unsigned number, uint64_t bits);

#endif /* TB_STATE_EVIDENCE_LOG_STATE_H */
