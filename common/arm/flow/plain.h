/* T32 code that simply goes on, which is most of it; for those who decode much.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_FLOW_PLAIN_H
#define TB_ARM_FLOW_PLAIN_H

#include "arm/flow/flow.h"
#include "arm/lift/aarch32.h"

/* Are T32 instructions of 32 bits plain where tb_t32_may_go says that they are?  Those that
   ARMv6-M lacks are none.  */
static inline bool
tb_flow_has_wide (const struct tb_profile *profile)
{
  return !profile->is_m || profile->arch != TB_ARCH_V6M;
}

/* Is HALF an IT instruction, where the core has such?  */
static inline bool
tb_flow_is_it (uint32_t half)
{
  return (half & 0xff00) == 0xbf00 && (half & 0xf) != 0;
}

static inline bool
tb_flow_has_it (const struct tb_profile *profile)
{
  return tb_profile_groups (profile) >> TB_GROUP_NOT_BASELINE & 1;
}

/* Is OPCODE, as tb_flow_t32 gets it, certainly plain, where no IT instruction governs it?
   HAS_WIDE is tb_flow_has_wide of its core.  */
static inline bool
tb_flow_t32_is_plain (uint32_t opcode, bool has_wide)
{
  return !tb_t32_may_go (opcode) && (has_wide || tb_t32_size (opcode >> 16) == 2);
}

#endif /* TB_ARM_FLOW_PLAIN_H */
