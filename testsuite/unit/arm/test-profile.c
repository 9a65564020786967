/* Unit test of arm/machine/profile.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "arm/machine/profile.h"
#include "check.h"

static const struct
{
  const char *type;
  const char *name;
  enum tb_arch arch;
  bool is_m, has_a64, has_fp;
} rows[] =
{
  { "Cortex-M0", "Cortex-M0", TB_ARCH_V6M, true, false, false },
  { "Cortex-M0+", "Cortex-M0+", TB_ARCH_V6M, true, false, false },
  { "cortex_m0+", "Cortex-M0+", TB_ARCH_V6M, true, false, false },
  { " Cortex M1 ", "Cortex-M1", TB_ARCH_V6M, true, false, false },
  { "SC000", "SC000", TB_ARCH_V6M, true, false, false },
  { "Cortex-M3", "Cortex-M3", TB_ARCH_V7M, true, false, false },
  { "SC300", "SC300", TB_ARCH_V7M, true, false, false },
  { "Cortex-M4", "Cortex-M4", TB_ARCH_V7EM, true, false, false },
  { "CORTEXM4F", "Cortex-M4F", TB_ARCH_V7EM, true, false, true },
  { "Cortex-M7", "Cortex-M7", TB_ARCH_V7EM, true, false, true },
  { "Cortex-M23", "Cortex-M23", TB_ARCH_V8M_BASE, true, false, false },
  { "Cortex-M33", "Cortex-M33", TB_ARCH_V8M_MAIN, true, false, true },
  { "Cortex-M35P", "Cortex-M35P", TB_ARCH_V8M_MAIN, true, false, true },
  { "STAR-MC1", "STAR-MC1", TB_ARCH_V8M_MAIN, true, false, true },
  { "Cortex-M52", "Cortex-M52", TB_ARCH_V81M_MAIN, true, false, true },
  { "Cortex-M55", "Cortex-M55", TB_ARCH_V81M_MAIN, true, false, true },
  { "Cortex-M85", "Cortex-M85", TB_ARCH_V81M_MAIN, true, false, true },
  { "ARM7TDMI-S", "ARM7TDMI-S", TB_ARCH_V6AR, false, false, false },
  { "arm926ejs", "ARM926EJ-S", TB_ARCH_V6AR, false, false, false },
  { "ARM1136JF-S", "ARM1136JF-S", TB_ARCH_V6AR, false, false, true },
  { "ARM1176JZF-S", "ARM1176JZF-S", TB_ARCH_V6AR, false, false, true },
  { "ARM11 MPCore", "ARM11MPCore", TB_ARCH_V6AR, false, false, true },
  { "Cortex-A5", "Cortex-A5", TB_ARCH_V7A, false, false, true },
  { "Cortex-A9", "Cortex-A9", TB_ARCH_V7A, false, false, true },
  { "cortex-a15", "Cortex-A15", TB_ARCH_V7A, false, false, true },
  { "Cortex-R4F", "Cortex-R4F", TB_ARCH_V7R, false, false, true },
  { "Cortex-R5", "Cortex-R5", TB_ARCH_V7R, false, false, false },
  { "Cortex-R52", "Cortex-R52", TB_ARCH_V8R, false, false, true },
  { "Cortex-R82", "Cortex-R82", TB_ARCH_V8A, false, true, true },
  { "Cortex-A32", "Cortex-A32", TB_ARCH_V8A, false, false, true },
  { "cortex-a57", "Cortex-A57", TB_ARCH_V8A, false, true, true },
  { "Arm Cortex-A72", "Cortex-A72", TB_ARCH_V8A, false, true, true },
  { "Cortex-A78AE", "Cortex-A78AE", TB_ARCH_V8A, false, true, true },
  { "Cortex-X4", "Cortex-X4", TB_ARCH_V8A, false, true, true },
  { "Neoverse-N1", "Neoverse-N1", TB_ARCH_V8A, false, true, true },
  { "Neoverse V2", "Neoverse-V2", TB_ARCH_V8A, false, true, true },
  { "arm neoverse-n2", "Neoverse-N2", TB_ARCH_V8A, false, true, true },
  { "ARMv6-M", "ARMv6-M", TB_ARCH_V6M, true, false, false },
  { "ARMv7-M", "ARMv7-M", TB_ARCH_V7M, true, false, false },
  { "ARMv7E-M", "ARMv7E-M", TB_ARCH_V7EM, true, false, true },
  { "ARMv8-M.base", "ARMv8-M.base", TB_ARCH_V8M_BASE, true, false, false },
  { "armv8-m.main", "ARMv8-M.main", TB_ARCH_V8M_MAIN, true, false, true },
  { "ARMv8.1-M.main", "ARMv8.1-M.main", TB_ARCH_V81M_MAIN, true, false,
    true },
  { "ARMv7-A", "ARMv7-A", TB_ARCH_V7A, false, false, true },
  { "ARMv7-R", "ARMv7-R", TB_ARCH_V7R, false, false, true },
  { "ARMv8-R", "ARMv8-R", TB_ARCH_V8R, false, false, true },
  { "ARMv8-A", "ARMv8-A", TB_ARCH_V8A, false, true, true },
  { "ARMv9-A", "ARMv9-A", TB_ARCH_V8A, false, true, true },
  { "ARM-AA64", "ARM-AA64", TB_ARCH_V8A, false, true, true },
  { "ARM_AEMv8-A", "AEMv8A", TB_ARCH_V8A, false, true, true },
  { "AEMv8", "AEMv8", TB_ARCH_V8A, false, true, true },
};

int
main (void)
{
  static const char *const unknown[] =
  {
    "", "-", "arm", "Cortex", "Cortex-M", "Cortex-M00", "Cortex-M0++",
    "xCortex-M4", "Cortex-Z80", "ETM4.2", "Neoverse"
  };
  struct tb_profile profile;

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const char *type = rows[i].type;
      check_that (tb_profile_find (&profile, type), type, 0, "found");
      check_str (profile.name, rows[i].name, type, 0, "name");
      check_int (profile.arch, rows[i].arch, type, 0, "arch");
      check_int (profile.is_m, rows[i].is_m, type, 0, "is_m");
      check_int (profile.has_a64, rows[i].has_a64, type, 0, "has_a64");
      check_int (profile.has_fp, rows[i].has_fp, type, 0, "has_fp");
    }
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    {
      check_that (!tb_profile_find (&profile, unknown[i]), unknown[i], 0,
		  "not known");
      check_int (profile.arch, TB_ARCH_UNKNOWN, unknown[i], 0, "arch");
      check_int (profile.is_m, false, unknown[i], 0, "is_m");
      check_int (profile.has_a64, true, unknown[i], 0, "has_a64");
      check_that (profile.name != NULL, unknown[i], 0, "name");
    }
  /* Cores of v9-A have ETE, those of v8-A ETMv4, and what has AArch32 state alone has no ETE; of
     architectures with AArch64, and of what manuals were not read of, nothing is said.  */
  static const struct { const char *type; enum tb_ete ete; } units[] = {
    { "Cortex-A53", TB_ETE_NEVER }, { "Cortex-A32", TB_ETE_NEVER },
    { "Neoverse-V1", TB_ETE_NEVER }, { "Cortex-A510", TB_ETE_ALWAYS },
    { "Neoverse-N2", TB_ETE_ALWAYS }, { "ARMv8-A", TB_ETE_PERHAPS }, { "ARMv9-A", TB_ETE_PERHAPS },
    { "ARM-AA64", TB_ETE_PERHAPS }, { "unknown", TB_ETE_PERHAPS },
    { "Cortex-R82", TB_ETE_PERHAPS }, { "Cortex-R8", TB_ETE_NEVER }, { "Cortex-A7", TB_ETE_NEVER },
    { "Cortex-R52", TB_ETE_NEVER }, { "ARMv7-A", TB_ETE_NEVER }, { "ARMv8-R", TB_ETE_NEVER }
  };
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    {
      tb_profile_find (&profile, units[i].type);
      check_int (profile.ete, units[i].ete, units[i].type, 0, "ete");
    }
  /* Of the M profile ARMv6-M has no trace of instructions but an MTB's, M3, M4 and M23 have an
     ETMv3, the others an ETMv4; nothing is said of architectures and of others' cores.  */
  static const struct { const char *type; enum tb_m_etm etm; } etms[] = {
    { "Cortex-M0", TB_M_ETM_NONE }, { "Cortex-M0+", TB_M_ETM_NONE }, { "Cortex-M1", TB_M_ETM_NONE },
    { "Cortex-M3", TB_M_ETM_3 }, { "Cortex-M4", TB_M_ETM_3 }, { "Cortex-M4F", TB_M_ETM_3 },
    { "Cortex-M23", TB_M_ETM_3 }, { "Cortex-M7", TB_M_ETM_4 }, { "Cortex-M7F", TB_M_ETM_4 },
    { "Cortex-M33", TB_M_ETM_4 }, { "Cortex-M35P", TB_M_ETM_4 }, { "Cortex-M55", TB_M_ETM_4 },
    { "Cortex-M85", TB_M_ETM_4 }, { "SC000", TB_M_ETM_ANY }, { "SC300", TB_M_ETM_ANY },
    { "STAR-MC1", TB_M_ETM_ANY }, { "ARMv6-M", TB_M_ETM_ANY }, { "ARMv7E-M", TB_M_ETM_ANY },
    { "ARMv8-M.main", TB_M_ETM_ANY }, { "Cortex-A53", TB_M_ETM_ANY }
  };
  for (size_t i = 0; i < sizeof etms / sizeof etms[0]; i++)
    {
      tb_profile_find (&profile, etms[i].type);
      check_int (profile.etm, etms[i].etm, etms[i].type, 0, "etm");
    }
  /* The block of DC ZVA is told of Arm's own cores with A64, not of architectures.  */
  static const struct { const char *type; unsigned block; } blocks[] = {
    { "Cortex-A53", 64 }, { "Neoverse-N1", 64 }, { "C1-Nano", 64 }, { "Cortex-M4", 0 },
    { "Cortex-A9", 0 }, { "ARMv8-A", 0 }
  };
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    {
      check_that (tb_profile_find (&profile, blocks[i].type), blocks[i].type, 0, "found");
      check_int (profile.zero_block, blocks[i].block, blocks[i].type, 0, "zero_block");
    }
  CHECK_STR (tb_isa_name (TB_ISA_A64), "A64");
  CHECK_STR (tb_isa_name (TB_ISA_A32), "A32");
  CHECK_STR (tb_isa_name (TB_ISA_T32), "T32");
  CHECK_STR (tb_isa_name (TB_ISA_T32EE), "T32EE");
  CHECK_STR (tb_isa_name (TB_ISA_UNKNOWN), "?");
  return check_done ();
}
