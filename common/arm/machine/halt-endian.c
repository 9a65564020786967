/* The order of bytes in data of a core.  See halt-endian.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/halt-endian.h"

static bool
is_set (const struct tb_device *core, const char *name, unsigned bit)
{
  const struct tb_device_reg *reg = tb_device_reg (core, name);
  return reg != NULL && (reg->value >> bit & 1) != 0;
}

const char *
tb_halt_big_endian (const struct tb_device *core,
		    const struct tb_profile *profile)
{
  static const struct { const char *reg; unsigned bit; const char *name; }
  controls[] = {
    { "SCTLR", 25, "SCTLR.EE" }, { "HSCTLR", 25, "HSCTLR.EE" },
    { "SCTLR_EL1", 25, "SCTLR_EL1.EE" }, { "SCTLR_EL1", 24, "SCTLR_EL1.E0E" },
    { "SCTLR_EL2", 25, "SCTLR_EL2.EE" }, { "SCTLR_EL3", 25, "SCTLR_EL3.EE" }
  };
  if (core == NULL)
    return NULL;
  if (profile->is_m)
    return is_set (core, "AIRCR", 15) ? "AIRCR.ENDIANNESS" : NULL;
  /* In AArch64 (M[4] is 0) bit 9 is a mask of debug exceptions.  */
  if (is_set (core, "CPSR", 4) && is_set (core, "CPSR", 9))
    return "CPSR.E";
  for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
    if (is_set (core, controls[i].reg, controls[i].bit))
      return controls[i].name;
  return NULL;
}
