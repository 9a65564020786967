/* An encoder of the Program Flow Trace protocol (PTM).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: CoreSight Program Flow Trace Architecture Specification (IHI 0035B),
   chapters 2 to 4.  */

#ifndef GEN_ENCODE_PTM_H
#define GEN_ENCODE_PTM_H

#include "generator/v7-packets.h"

struct gen_ptm_options
{
  bool return_stack, timestamps, cycle_accurate, broadcast;
  bool wide, gray;		/* Timestamps: 64 bits; Gray code.  */
  bool barriers;		/* DSB and DMB are waypoints.  */
  bool vmid;
  bool exception_empties;	/* ... the return stack.  */
  uint8_t cid_bytes;		/* 0, 1, 2 or 4.  */
};

#define GEN_PTM_REGISTERS 4

void gen_ptm_choose (struct gen_ptm_options *options,
		     struct gen_random *random);
void gen_ptm_registers (const struct gen_ptm_options *options,
			unsigned trace_id,
			struct gen_register registers[GEN_PTM_REGISTERS]);

/* Encode WALK, one in AArch32 state.  */
void gen_ptm_encode (struct gen_trace *trace, const struct gen_walk *walk,
		     const struct gen_ptm_options *options,
		     struct gen_random *random);

#endif /* GEN_ENCODE_PTM_H */
