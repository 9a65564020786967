/* System registers of A32 and T32.  See system-registers.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/system-registers.h"

#define NZCV \
  { TB_SLOT_N, 31, 1, false }, { TB_SLOT_Z, 30, 1, false }, \
  { TB_SLOT_C, 29, 1, false }, { TB_SLOT_V, 28, 1, false }
#define COUNT(fields) (sizeof fields / sizeof fields[0])

const struct tb_system_field tb_cpsr_fields[TB_CPSR_FIELDS] = {
  NZCV, { TB_SLOT_Q, 27, 1, false }, { TB_SLOT_GE, 16, 4, false },
  { TB_SLOT_MASKS, 6, 3, true }, { TB_SLOT_MODE, 0, 5, true }
};

struct tb_system_register
tb_system_psr (const struct tb_profile *profile)
{
  static const struct tb_system_field v6m[] = { NZCV, { TB_SLOT_IPSR, 0, 6, true } };
  static const struct tb_system_field m[] = {
    NZCV, { TB_SLOT_Q, 27, 1, false }, { TB_SLOT_GE, 16, 4, false },
    { TB_SLOT_IPSR, 0, 9, true }
  };
  switch (profile->arch)
    {
    case TB_ARCH_V6M:
      return (struct tb_system_register) { v6m, COUNT (v6m), 0x0efffdc0 };
    case TB_ARCH_V8M_BASE:
      return (struct tb_system_register) { m, COUNT (m), 0x0efffc00 };
    case TB_ARCH_V7M:
      return (struct tb_system_register) { m, COUNT (m), 0x00ff0000 };
    case TB_ARCH_V8M_MAIN:
      /* Bit 20 of what an exception saves is CONTROL.SFPA (DDI 0553, RETPSR).  */
      return (struct tb_system_register) { m, COUNT (m), 0x00e00000 };
    case TB_ARCH_V81M_MAIN:
      /* Bit 21 is EPSR.B.  */
      return (struct tb_system_register) { m, COUNT (m), 0x00c00000 };
    case TB_ARCH_V7A: case TB_ARCH_V7R:
      /* E is bit 9 (DDI 0406, A2.7.3).  */
      return (struct tb_system_register) { tb_cpsr_fields, TB_CPSR_FIELDS, 0x00f00200 };
    default:
      if (profile->is_m)
	return (struct tb_system_register) { m, COUNT (m), 0x00f00000 };
      return (struct tb_system_register) { tb_cpsr_fields, TB_CPSR_FIELDS, 0x200 };
    }
}

struct tb_system_register
tb_system_control (const struct tb_profile *profile)
{
  static const struct tb_system_field v6m[] = {
    { TB_SLOT_NPRIV, 0, 1, true }, { TB_SLOT_SPSEL, 1, 1, true }
  };
  static const struct tb_system_field m[] = {
    { TB_SLOT_NPRIV, 0, 1, true }, { TB_SLOT_FPCA, 2, 1, true },
    { TB_SLOT_SPSEL, 1, 1, true }
  };
  enum tb_arch arch = profile->arch;
  if (arch == TB_ARCH_V6M)
    return (struct tb_system_register) { v6m, COUNT (v6m), ~UINT32_C (3) };
  /* Later architectures have more bits.  */
  uint32_t bits = arch < TB_ARCH_V8M_BASE ? 7 : arch == TB_ARCH_V81M_MAIN ? 0xff : 15;
  return (struct tb_system_register) { m, COUNT (m), ~bits };
}
