/* FP and vector registers: at the halt, and at any step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_ANSWER_FP_REGISTERS_H
#define TB_STATE_ANSWER_FP_REGISTERS_H

#include "state/state.h"

/* What the snapshot has of them for CORE, of PROFILE, into VECTORS (TB_NVECTORS
   entries): v or q registers; d registers, or the s registers that they are made
   of; fpscr, or fpcr and fpsr.  CORE may be NULL.  */
void tb_vectors_at_halt (const struct tb_device *core,
			 const struct tb_profile *profile,
			 struct tb_vector *vectors);

#endif /* TB_STATE_ANSWER_FP_REGISTERS_H */
