/* Registers of the cores.  See regs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/regs.h"

#include <ctype.h>
#include <string.h>
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

/* Other names of registers.  FILES: files have them; others only users type, as they would be
   vector registers in files (v1).  */
static const struct
{
  char name[7];
  bool files;
  int8_t a32, a64;		/* Numbers; -1: it means nothing there.  */
} others[] = {
  { "r13", true, TB_SP, -1 }, { "r14", true, TB_LR, -1 }, { "r15", true, TB_PC, -1 },
  { "psr", true, TB_PSR, TB_PSTATE }, { "xpsr", true, TB_PSR, -1 },
  { "cpsr", true, TB_PSR, TB_PSTATE }, { "pstate", true, -1, TB_PSTATE },
  { "sb", true, TB_R9, -1 }, { "sl", true, TB_R10, -1 }, { "fp", true, TB_R11, TB_X0 + 29 },
  { "ip", true, TB_R12, -1 }, { "ip0", true, -1, TB_X0 + 16 }, { "ip1", true, -1, TB_X0 + 17 },
  { "lr", true, TB_LR, TB_X30 }, { "x31", false, -1, TB_SP64 }, { "ps", false, TB_PSR, TB_PSTATE },
  { "a1", false, TB_R0, -1 }, { "a2", false, TB_R1, -1 }, { "a3", false, TB_R2, -1 },
  { "a4", false, TB_R3, -1 }, { "v1", false, TB_R4, -1 }, { "v2", false, TB_R5, -1 },
  { "v3", false, TB_R6, -1 }, { "v4", false, TB_R7, -1 }, { "v5", false, TB_R8, -1 },
  { "v6", false, TB_R9, -1 }, { "v7", false, TB_R10, -1 }, { "v8", false, TB_R11, -1 }
};

/* The number of the register of PROFILE that is called NAME, by a user if TYPED; -1: none.  */
static int
find_number (const struct tb_profile *profile, const char *name, bool typed)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  for (size_t i = 0; i < count; i++)
    if (strcasecmp (regs[i].name, name) == 0)
      return (int) i;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if ((others[i].files || typed) && strcasecmp (others[i].name, name) == 0)
      return profile->has_a64 ? others[i].a64 : others[i].a32;
  return -1;
}

int
tb_reg_number (const struct tb_profile *profile, const char *name)
{
  return find_number (profile, name, false);
}

int
tb_reg_typed (const struct tb_profile *profile, const char *name, unsigned *size)
{
  size_t count;
  char whole[4] = "x";
  bool is_half = profile->has_a64 && tolower ((unsigned char) name[0]) == 'w';
  if (is_half && strcasecmp (name, "wsp") == 0)
    name = "sp";
  else if (is_half && isdigit ((unsigned char) name[1]) && strlen (name) < sizeof whole)
    {
      strcpy (whole + 1, name + 1);
      name = strcmp (whole, "x31") != 0 ? whole : "";
    }
  int number = find_number (profile, name, true);
  if (number >= 0)
    *size = is_half ? 4 : tb_regs (profile, &count)[number].bits / 8u;
  return number;
}

unsigned
tb_reg_room (const struct tb_profile *profile, int number)
{
  size_t count;
  return profile->has_a64 && number == TB_PSTATE ? 64 : tb_regs (profile, &count)[number].bits;
}
