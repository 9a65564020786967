/* Registers of the cores.  See regs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/regs.h"

#include <strings.h>

#define R32(name) { name, 32 }
#define R64(name) { name, 64 }

static const struct tb_reg_info m_regs[TB_NREGS32] = {
  R32 ("r0"), R32 ("r1"), R32 ("r2"), R32 ("r3"), R32 ("r4"), R32 ("r5"),
  R32 ("r6"), R32 ("r7"), R32 ("r8"), R32 ("r9"), R32 ("r10"), R32 ("r11"),
  R32 ("r12"), R32 ("sp"), R32 ("lr"), R32 ("pc"), R32 ("xpsr"),
  R32 ("msp"), R32 ("psp"), R32 ("control"), R32 ("primask"),
  R32 ("basepri"), R32 ("faultmask")
};

static const struct tb_reg_info ar_regs[TB_PSR + 1] = {
  R32 ("r0"), R32 ("r1"), R32 ("r2"), R32 ("r3"), R32 ("r4"), R32 ("r5"),
  R32 ("r6"), R32 ("r7"), R32 ("r8"), R32 ("r9"), R32 ("r10"), R32 ("r11"),
  R32 ("r12"), R32 ("sp"), R32 ("lr"), R32 ("pc"), R32 ("cpsr")
};

static const struct tb_reg_info a64_regs[TB_NREGS64] = {
  R64 ("x0"), R64 ("x1"), R64 ("x2"), R64 ("x3"), R64 ("x4"), R64 ("x5"),
  R64 ("x6"), R64 ("x7"), R64 ("x8"), R64 ("x9"), R64 ("x10"), R64 ("x11"),
  R64 ("x12"), R64 ("x13"), R64 ("x14"), R64 ("x15"), R64 ("x16"),
  R64 ("x17"), R64 ("x18"), R64 ("x19"), R64 ("x20"), R64 ("x21"),
  R64 ("x22"), R64 ("x23"), R64 ("x24"), R64 ("x25"), R64 ("x26"),
  R64 ("x27"), R64 ("x28"), R64 ("x29"), R64 ("x30"), R64 ("sp"),
  R64 ("pc"), R32 ("cpsr")
};

const struct tb_reg_info *
tb_regs (const struct tb_profile *profile, size_t *count)
{
  if (profile->is_m)
    {
      *count = sizeof m_regs / sizeof m_regs[0];
      return m_regs;
    }
  if (profile->has_a64)
    {
      *count = sizeof a64_regs / sizeof a64_regs[0];
      return a64_regs;
    }
  *count = sizeof ar_regs / sizeof ar_regs[0];
  return ar_regs;
}

int
tb_reg_number (const struct tb_profile *profile, const char *name)
{
  static const struct { const char *name; int number; } others32[] = {
    { "r13", TB_SP }, { "r14", TB_LR }, { "r15", TB_PC }, { "psr", TB_PSR }, { "xpsr", TB_PSR },
    { "cpsr", TB_PSR }, { "sb", TB_R9 }, { "sl", TB_R10 }, { "fp", TB_R11 }, { "ip", TB_R12 }
  }, others64[] = {
    { "fp", TB_X0 + 29 }, { "lr", TB_X30 }, { "psr", TB_PSTATE }, { "pstate", TB_PSTATE }
  };
  size_t count, n = profile->has_a64 ? sizeof others64 / sizeof others64[0]
		    : sizeof others32 / sizeof others32[0];
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  for (size_t i = 0; i < count; i++)
    if (strcasecmp (regs[i].name, name) == 0)
      return (int) i;
  for (size_t i = 0; i < n; i++)
    {
      const char *other = profile->has_a64 ? others64[i].name : others32[i].name;
      if (strcasecmp (other, name) == 0)
	return profile->has_a64 ? others64[i].number : others32[i].number;
    }
  return -1;
}

unsigned
tb_reg_room (const struct tb_profile *profile, int number)
{
  size_t count;
  return profile->has_a64 && number == TB_PSTATE ? 64 : tb_regs (profile, &count)[number].bits;
}
