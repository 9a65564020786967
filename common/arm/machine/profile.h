/* What a core's name says about its architecture.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_PROFILE_H
#define TB_ARM_MACHINE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum tb_arch
{
  TB_ARCH_UNKNOWN,
  TB_ARCH_V6M, TB_ARCH_V7M, TB_ARCH_V7EM,
  TB_ARCH_V8M_BASE, TB_ARCH_V8M_MAIN, TB_ARCH_V81M_MAIN,
  TB_ARCH_V6AR,			/* Arm11 and older.  */
  TB_ARCH_V7A, TB_ARCH_V7R,
  TB_ARCH_V8R,			/* AArch32 only.  */
  TB_ARCH_V8A			/* v8-A and v9-A: AArch64, perhaps AArch32.  */
};

enum tb_isa
{
  TB_ISA_A64, TB_ISA_A32, TB_ISA_T32, TB_ISA_T32EE, TB_ISA_UNKNOWN
};

/* Is a core's trace unit for instructions, if it has one, an ETE?  */
enum tb_ete { TB_ETE_PERHAPS, TB_ETE_NEVER, TB_ETE_ALWAYS };

/* Which trace unit for instructions may a core of the M profile have, beside an MTB?  */
enum tb_m_etm { TB_M_ETM_ANY, TB_M_ETM_NONE, TB_M_ETM_3, TB_M_ETM_4 };

/* Description of a core.  */
struct tb_profile
{
  enum tb_arch arch;
  bool is_m;			/* M profile.  */
  bool has_a64;
  bool has_fp;			/* Scalar floating point is usual.  */
  const char *name;		/* Canonical: "Cortex-M0+", "ARMv8-A".  */
  enum tb_ete ete;		/* Said of the A and R profiles.  */
  enum tb_m_etm etm;		/* Said of the M profile.  */
  unsigned zero_block;		/* Bytes that DC ZVA makes zero; 0: not known.  */
};

/* Groups of architectures that have an instruction of A32 or T32.  */
enum tb_group
{
  TB_GROUP_ALL, TB_GROUP_M, TB_GROUP_AR, TB_GROUP_V8M, TB_GROUP_V8M_MAIN,
  TB_GROUP_V81M,
  TB_GROUP_NEWER,		/* Than ARMv6-M.  */
  TB_GROUP_NEWER_M,		/* The same, of the M profile.  */
  TB_GROUP_NOT_BASELINE,	/* All but v6-M and v8-M Baseline.  */
  TB_GROUP_V7AR			/* With T32EE.  */
};
/* Those that PROFILE is in, as bits.  */
unsigned tb_profile_groups (const struct tb_profile *profile);

/* Look TYPE up (a snapshot's device type: "Cortex-M0+", "cortex-a57",
   "ARMv7-M", "ARM-AA64", "ARM1136JF-S"; case, spaces, '_' and '-' ignored).
   False for a name that is not known; *PROFILE is then TB_ARCH_UNKNOWN, not M,
   with A64.  */
bool tb_profile_find (struct tb_profile *profile, const char *type);

/* Are there cores of PROFILE's architecture that have floating point?  Not of ARMv6-M and
   ARMv8-M Baseline (DDI 0419, DDI 0553).  */
bool tb_profile_can_have_fp (const struct tb_profile *profile);

/* "A64", "A32", "T32", "T32EE", "?".  */
const char *tb_isa_name (enum tb_isa isa);

#endif /* TB_ARM_MACHINE_PROFILE_H */
