/* An encoder of what an ITM sends, packets of the DWT among them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Armv7-M Architecture Reference Manual (DDI 0403), appendix D4;
   Armv8-M (DDI 0553), chapter F1.  */

#ifndef GEN_ENCODE_ITM_H
#define GEN_ENCODE_ITM_H

#include "generator/trace.h"

struct gen_itm_options
{
  uint8_t prescaler;		/* ITM_TCR.TSPrescale: 0 to 3.  */
  unsigned packets;
  unsigned local, global;	/* Timestamps, in 100th of packets.  */
  unsigned pages, losses, syncs, extensions;	/* In 1000th of packets.  */
  unsigned dwt;			/* In 100th of packets.  */
};

/* A register for a snapshot: ITM_TCR.  */
struct gen_register gen_itm_register (const struct gen_itm_options *options,
				      unsigned trace_id);

void gen_itm_choose (struct gen_itm_options *options,
		     struct gen_random *random);

/* Encode what software writes and the DWT watches, at random.  */
void gen_itm_encode (struct gen_trace *trace,
		     const struct gen_itm_options *options,
		     struct gen_random *random);

#endif /* GEN_ENCODE_ITM_H */
