/* The address space that a core was in at the halt.  See halt-space.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/halt-space.h"

enum { MODE_MONITOR = 0x16, MODE_HYP = 0x1a };

enum tb_space
tb_halt_space (const struct tb_device *core, const struct tb_profile *profile)
{
  const struct tb_device_reg *cpsr
    = core != NULL ? tb_device_reg (core, "CPSR") : NULL;
  if (profile->is_m || cpsr == NULL)
    return TB_SPACE_ANY;
  const struct tb_device_reg *scr = tb_device_reg (core, "SCR");
  if (scr == NULL)
    scr = tb_device_reg (core, "SCR_EL3");
  bool secure = scr != NULL && (scr->value & 1) == 0;
  /* M[4]: AArch32 (DDI 0487, C5.2.19, SPSR_ELx).  */
  if ((cpsr->value & 0x10) == 0)
    switch (cpsr->value >> 2 & 3)
      {
      case 3: return TB_SPACE_EL3;
      case 2: return TB_SPACE_EL2;
      default: return secure ? TB_SPACE_EL1S : TB_SPACE_EL1N;
      }
  switch (cpsr->value & 0x1f)
    {
    case MODE_MONITOR: return TB_SPACE_S;
    case MODE_HYP: return TB_SPACE_H;
    default: return secure ? TB_SPACE_S : TB_SPACE_N;
    }
}

enum tb_space
tb_halt_view (const struct tb_device *core, const struct tb_profile *profile)
{
  /* Which context was there at the halt nobody tells.  */
  bool is_one = core != NULL && core->ndumps > 0
		&& core->dumps[0].space < TB_SPACE_CONTEXTS;
  for (size_t i = 1; is_one && i < core->ndumps; i++)
    is_one = core->dumps[i].space == core->dumps[0].space;
  return is_one ? core->dumps[0].space : tb_halt_space (core, profile);
}
