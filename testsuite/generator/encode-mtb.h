/* An encoder of MTB packets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: CoreSight MTB-M0+ Technical Reference Manual (DDI 0486), 2.3.1 "MTB
   execution trace packet format" and 3.2 "Register descriptions".  */

#ifndef GEN_ENCODE_MTB_H
#define GEN_ENCODE_MTB_H

#include "generator/trace.h"

struct gen_mtb_options
{
  unsigned mask;		/* The trace area is 2^(MASK + 4) bytes ...  */
  unsigned blocks;		/* ... one of these many in the SRAM.  */
  unsigned block;
  bool stopped;			/* Not traced up to the halt.  */
  unsigned extra;		/* In 100th of plain instructions: a packet.  */
  uint32_t base;		/* Address of the SRAM.  */
};

/* A trace: its bytes are the SRAM, its facts are what the window of packets in it
   tells.  SYNCS are the packets in the window: from each on, what follows its
   fact is known without those before.  */
struct gen_mtb
{
  struct gen_trace trace;
  uint32_t position, master, flow;
  bool ambiguous;		/* The packets do not tell a return from a tail
				   chain.  */
};

void gen_mtb_choose (struct gen_mtb_options *options,
		     struct gen_random *random);

/* Encode WALK, one over an M-profile program.  Free MTB->trace.  */
void gen_mtb_encode (struct gen_mtb *mtb, const struct gen_walk *walk,
		     const struct gen_mtb_options *options,
		     struct gen_random *random);

#endif /* GEN_ENCODE_MTB_H */
