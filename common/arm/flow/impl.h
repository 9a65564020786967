/* What the three flow decoders share; for them only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_FLOW_IMPL_H
#define TB_ARM_FLOW_IMPL_H

#include "arm/flow/flow.h"

/* Bits HIGH down to LOW of OPCODE.  */
static inline uint32_t
tb_bits (uint32_t opcode, unsigned high, unsigned low)
{
  return opcode >> low & (UINT32_C (0xffffffff) >> (31 - (high - low)));
}

/* VALUE, a number of WIDTH bits in two's complement, as 64 bits.  */
static inline uint64_t
tb_sign_extend (uint64_t value, unsigned width)
{
  uint64_t sign = UINT64_C (1) << (width - 1);

  return (value ^ sign) - sign;
}

/* Start FLOW as a plain instruction of SIZE bytes in ISA.  */
static inline void
tb_flow_plain (struct tb_flow *flow, unsigned size, enum tb_isa isa)
{
  *flow = (struct tb_flow) { .kind = TB_FLOW_OTHER, .sub = TB_SUB_NONE,
			     .size = (uint8_t) size, .target_isa = isa };
}

#endif /* TB_ARM_FLOW_IMPL_H */
