/* How an instruction that ran goes on, by its opcode.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_STEP_FLOW_H
#define TB_RECORDING_STEP_FLOW_H

#include "arm/flow/flow.h"
#include "recording/recording.h"

/* The flow of STEP; TB_FLOW_UNDEFINED where its opcode is not known.  */
void tb_step_flow (struct tb_flow *flow, const struct tb_step *step,
		   const struct tb_profile *profile);

/* Can STEP, which was done, have led to the instruction at PC?  An indirect branch
   leads anywhere.  */
bool tb_step_leads_to (const struct tb_step *step, uint64_t pc,
		       const struct tb_profile *profile);

/* May the instruction of STEP load from memory, may it write to it?  Both, where it is not
   modelled for PROFILE.  */
void tb_step_transfers (const struct tb_step *step,
			const struct tb_profile *profile, bool *loads,
			bool *stores);

#endif /* TB_RECORDING_STEP_FLOW_H */
