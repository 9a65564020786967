/* An encoder of what an STM sends.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: MIPI Alliance, System Trace Protocol (STPv2), the table of opcodes;
   CoreSight System Trace Macrocell TRM (DDI 0444), "STPv2 packets".  */

#ifndef GEN_ENCODE_STM_H
#define GEN_ENCODE_STM_H

#include "generator/trace.h"

/* How timestamps are written: the number in a VERSION packet.  */
enum gen_stm_times
{
  GEN_STM_LEGACY, GEN_STM_LEGACY_TOO, GEN_STM_DELTA, GEN_STM_BINARY,
  GEN_STM_GRAY
};

struct gen_stm_options
{
  enum gen_stm_times times;
  bool extended;		/* VERSION packets have more bits ...  */
  bool low_first;		/* ... which say that of data the lowest nibble
				   comes first.  */
  unsigned packets;
  unsigned timed, marked;	/* In 100th of packets.  */
  unsigned nulls;		/* In 100th of packets: some before it.  */
  unsigned senders, errors, syncs;	/* In 1000th of packets.  */
};

void gen_stm_choose (struct gen_stm_options *options,
		     struct gen_random *random);

/* Encode what masters write at random.  */
void gen_stm_encode (struct gen_trace *trace,
		     const struct gen_stm_options *options,
		     struct gen_random *random);

#endif /* GEN_ENCODE_STM_H */
