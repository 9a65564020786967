/* What packets of ETMv3 and PTM have in common, written.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: Embedded Trace Macrocell Architecture Specification (IHI 0014Q),
   chapter 7; CoreSight Program Flow Trace Architecture Specification (IHI
   0035B), chapter 4.  */

#ifndef GEN_V7_PACKETS_H
#define GEN_V7_PACKETS_H

#include "generator/trace.h"

enum gen_v7_form
{
  GEN_V7_ORIGINAL,		/* ETMv3.0: seven bits in the last byte.  */
  GEN_V7_ALTERNATIVE,		/* Bit 6 of the last byte: exception information
				   follows.  */
  GEN_V7_WAYPOINT		/* PTM waypoint update.  */
};

/* The address that the packet before had.  */
struct gen_v7_last
{
  uint32_t address;
  uint8_t isa;			/* enum gen_isa  */
  bool isa_known;
};

/* Put the address bytes, the first of them with bit 0 as FIRST; MORE: exception
   information follows.  */
void gen_v7_address (struct gen_trace *trace, enum gen_v7_form form,
		     struct gen_v7_last *last, uint32_t address,
		     enum gen_isa isa, bool first, bool more,
		     struct gen_random *random);

/* Put the bytes of an exception after the address.  */
void gen_v7_exception (struct gen_trace *trace, unsigned number,
		       bool nonsecure, bool cancel, struct gen_random *random);

/* Put a timestamp after its header: those of the low bits of VALUE that differ
   from BEFORE, or some more.  WIDE: 64 bits, else 48.  */
void gen_v7_timestamp (struct gen_trace *trace, uint64_t value,
		       uint64_t before, bool wide, struct gen_random *random);

/* The Gray code of VALUE.  */
static inline uint64_t
gen_gray (uint64_t value)
{
  return value ^ value >> 1;
}

/* A-sync: five zeros and 0x80, or more zeros.  */
void gen_v7_async (struct gen_trace *trace, struct gen_random *random);

/* The number of an A-profile exception.  */
unsigned gen_v7_exception_number (unsigned number);

#endif /* GEN_V7_PACKETS_H */
