/* An encoder of ETMv3 instruction trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Embedded Trace Macrocell Architecture Specification (IHI 0014Q),
   chapter 7, "ETMv3 Signal Protocol".  */

#ifndef GEN_ENCODE_ETMV3_H
#define GEN_ENCODE_ETMV3_H

#include "generator/v7-packets.h"

struct gen_etmv3_options
{
  bool alternative;		/* ETMIDR[20]: the form of branch packets.  */
  bool timestamps, cycle_accurate, broadcast;
  bool wide, gray;		/* Timestamps: 64 bits; Gray code.  */
  bool halves;			/* ETMIDR[18] is 0: a 32-bit T32 instruction has
				   two atoms.  */
  bool vmid;
  bool data_addresses, data_values;
  unsigned cancels;		/* In 100th of exceptions.  */
  uint8_t cid_bytes;		/* 0, 1, 2 or 4.  */
};

#define GEN_ETMV3_REGISTERS 4

void gen_etmv3_choose (struct gen_etmv3_options *options, enum gen_arch arch,
		       struct gen_random *random);
void gen_etmv3_registers (const struct gen_etmv3_options *options,
			  unsigned trace_id,
			  struct gen_register registers[GEN_ETMV3_REGISTERS]);

/* Encode WALK, one in AArch32 state or of ARMv7-M.  */
void gen_etmv3_encode (struct gen_trace *trace, const struct gen_walk *walk,
		       const struct gen_etmv3_options *options,
		       struct gen_random *random);

#endif /* GEN_ENCODE_ETMV3_H */
