/* What a core's name says about its architecture.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: the cores' Technical Reference Manuals.  */

#include "config.h"

#include "arm/machine/profile.h"

#include <stddef.h>
#include <string.h>

/* Which AArch32 and AArch64 state and which units a kind of core has.  */
enum kind
{
  V6M, V7M, V7EM, V7EMF, V8MB, V8MM, V8MMF, V81M, V81MF,
  V4T, V6, V7A, V7R, V7RF, V8R32, V8R64, V8A32, V8A, V9A
};

static const struct
{
  enum tb_arch arch;
  bool is_m, has_a64, has_fp;
} kinds[] =
{
  [V6M] = { TB_ARCH_V6M, true, false, false },
  [V7M] = { TB_ARCH_V7M, true, false, false },
  [V7EM] = { TB_ARCH_V7EM, true, false, false },
  [V7EMF] = { TB_ARCH_V7EM, true, false, true },
  [V8MB] = { TB_ARCH_V8M_BASE, true, false, false },
  [V8MM] = { TB_ARCH_V8M_MAIN, true, false, false },
  [V8MMF] = { TB_ARCH_V8M_MAIN, true, false, true },
  [V81M] = { TB_ARCH_V81M_MAIN, true, false, false },
  [V81MF] = { TB_ARCH_V81M_MAIN, true, false, true },
  [V4T] = { TB_ARCH_V6AR, false, false, false },
  [V6] = { TB_ARCH_V6AR, false, false, true },
  [V7A] = { TB_ARCH_V7A, false, false, true },
  [V7R] = { TB_ARCH_V7R, false, false, false },
  [V7RF] = { TB_ARCH_V7R, false, false, true },
  [V8R32] = { TB_ARCH_V8R, false, false, true },
  [V8R64] = { TB_ARCH_V8A, false, true, true },
  [V8A32] = { TB_ARCH_V8A, false, false, true },
  [V8A] = { TB_ARCH_V8A, false, true, true },
  [V9A] = { TB_ARCH_V8A, false, true, true },
};

static const struct
{
  const char *name;		/* Canonical.  */
  enum kind kind;
} cores[] =
{
  /* M profile.  */
  { "Cortex-M0", V6M }, { "Cortex-M0+", V6M }, { "Cortex-M1", V6M },
  { "SC000", V6M },
  { "Cortex-M3", V7M }, { "SC300", V7M },
  { "Cortex-M4", V7EM }, { "Cortex-M4F", V7EMF },
  { "Cortex-M7", V7EMF }, { "Cortex-M7F", V7EMF },
  { "Cortex-M23", V8MB },
  { "Cortex-M33", V8MMF }, { "Cortex-M33F", V8MMF },
  { "Cortex-M35P", V8MMF }, { "STAR-MC1", V8MMF }, { "STAR-MC3", V81MF },
  { "Cortex-M52", V81MF }, { "Cortex-M55", V81MF }, { "Cortex-M85", V81MF },
  /* Classic cores; the suffixes of a name say which options it has.  */
  { "ARM7TDMI", V4T }, { "ARM7TDMI-S", V4T }, { "ARM7EJ-S", V4T },
  { "ARM710T", V4T }, { "ARM720T", V4T }, { "ARM740T", V4T },
  { "ARM9TDMI", V4T }, { "ARM9E-S", V4T }, { "ARM9EJ-S", V4T },
  { "ARM920T", V4T }, { "ARM922T", V4T }, { "ARM925T", V4T },
  { "ARM926EJ-S", V4T }, { "ARM940T", V4T }, { "ARM946E-S", V4T },
  { "ARM966E-S", V4T }, { "ARM968E-S", V4T }, { "ARM996HS", V4T },
  { "ARM1020T", V4T }, { "ARM1020E", V4T }, { "ARM1022E", V4T },
  { "ARM1026EJ-S", V4T },
  { "ARM1136J-S", V6 }, { "ARM1136JF-S", V6 }, { "ARM1156T2-S", V6 },
  { "ARM1156T2F-S", V6 }, { "ARM1176JZ-S", V6 }, { "ARM1176JZF-S", V6 },
  { "ARM11MPCore", V6 },
  /* v7-A.  */
  { "Cortex-A5", V7A }, { "Cortex-A7", V7A }, { "Cortex-A8", V7A },
  { "Cortex-A9", V7A }, { "Cortex-A12", V7A }, { "Cortex-A15", V7A },
  { "Cortex-A17", V7A },
  /* v7-R and v8-R.  */
  { "Cortex-R4", V7R }, { "Cortex-R4F", V7RF },
  { "Cortex-R5", V7R }, { "Cortex-R5F", V7RF },
  { "Cortex-R7", V7R }, { "Cortex-R7F", V7RF },
  { "Cortex-R8", V7R }, { "Cortex-R8F", V7RF },
  { "Cortex-R52", V8R32 }, { "Cortex-R52+", V8R32 },
  { "Cortex-R82", V8R64 }, { "Cortex-R82AE", V8R64 },
  /* v8-A.  Cortex-A32 has AArch32 state only.  */
  { "Cortex-A32", V8A32 },
  { "Cortex-A34", V8A }, { "Cortex-A35", V8A }, { "Cortex-A53", V8A },
  { "Cortex-A55", V8A }, { "Cortex-A57", V8A }, { "Cortex-A65", V8A },
  { "Cortex-A65AE", V8A }, { "Cortex-A72", V8A }, { "Cortex-A73", V8A },
  { "Cortex-A75", V8A }, { "Cortex-A76", V8A }, { "Cortex-A76AE", V8A },
  { "Cortex-A77", V8A }, { "Cortex-A78", V8A }, { "Cortex-A78AE", V8A },
  { "Cortex-A78C", V8A }, { "Cortex-X1", V8A }, { "Cortex-X1C", V8A },
  { "Neoverse-E1", V8A }, { "Neoverse-N1", V8A }, { "Neoverse-V1", V8A },
  /* v9-A.  */
  { "Cortex-A320", V9A }, { "Cortex-A510", V9A }, { "Cortex-A520", V9A },
  { "Cortex-A520AE", V9A }, { "Cortex-A710", V9A }, { "Cortex-A715", V9A },
  { "Cortex-A720", V9A }, { "Cortex-A720AE", V9A }, { "Cortex-A725", V9A },
  { "Cortex-X2", V9A }, { "Cortex-X3", V9A }, { "Cortex-X4", V9A },
  { "Cortex-X925", V9A },
  { "C1-Nano", V9A }, { "C1-Pro", V9A }, { "C1-Premium", V9A },
  { "C1-Ultra", V9A },
  { "Neoverse-N2", V9A }, { "Neoverse-N3", V9A }, { "Neoverse-V2", V9A },
  { "Neoverse-V3", V9A }, { "Neoverse-V3AE", V9A },
  /* Architectures, as generic descriptions and models give them.  */
  { "ARMv4T", V4T }, { "ARMv5T", V4T }, { "ARMv5TE", V4T },
  { "ARMv5TEJ", V4T },
  { "ARMv6", V6 }, { "ARMv6K", V6 }, { "ARMv6T2", V6 }, { "ARMv6Z", V6 },
  { "ARMv6KZ", V6 },
  { "ARMv6-M", V6M }, { "ARMv6S-M", V6M },
  { "ARMv7", V7A }, { "ARMv7-A", V7A }, { "ARMv7VE", V7A },
  { "ARMv7-R", V7RF }, { "ARMv7-M", V7M }, { "ARMv7E-M", V7EMF },
  { "ARMv8-M.base", V8MB }, { "ARMv8-M.baseline", V8MB },
  { "ARMv8-M", V8MMF }, { "ARMv8-M.main", V8MMF },
  { "ARMv8-M.mainline", V8MMF },
  { "ARMv8.1-M", V81MF }, { "ARMv8.1-M.main", V81MF },
  { "ARMv8.1-M.mainline", V81MF },
  { "ARMv8-R", V8R32 }, { "ARMv8-R64", V8R64 },
  { "ARMv8", V8A }, { "ARMv8-A", V8A }, { "ARMv8.1-A", V8A },
  { "ARMv8.2-A", V8A }, { "ARMv8.3-A", V8A }, { "ARMv8.4-A", V8A },
  { "ARMv8.5-A", V8A }, { "ARMv8.6-A", V8A }, { "ARMv8.7-A", V8A },
  { "ARMv8.8-A", V8A }, { "ARMv8.9-A", V8A },
  { "ARMv9", V8A }, { "ARMv9-A", V8A }, { "ARMv9.1-A", V8A },
  { "ARMv9.2-A", V8A }, { "ARMv9.3-A", V8A }, { "ARMv9.4-A", V8A },
  { "ARMv9.5-A", V8A }, { "ARMv9.6-A", V8A }, { "ARMv9.7-A", V8A },
  { "ARM-AA64", V8A }, { "AArch64", V8A }, { "AEMv8", V8A },
  { "AEMv8A", V8A }, { "AEMvA", V8A }, { "Foundation", V8A },
};

#define NCORES (sizeof cores / sizeof cores[0])

/* The next character of *TEXT that counts, in lower case; 0 at the end.  */
static char
next_letter (const char **text)
{
  while (**text == ' ' || **text == '_' || **text == '-' || **text == '\t')
    ++*text;
  if (**text == '\0')
    return '\0';
  char c = *(*text)++;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool
same_name (const char *a, const char *b)
{
  char c;

  do
    {
      c = next_letter (&a);
      if (c != next_letter (&b))
	return false;
    }
  while (c != '\0');
  return true;
}

/* The entry of TYPE in the table, or the number of entries.  */
static size_t
find (const char *type)
{
  size_t i = 0;

  while (i < NCORES && !same_name (cores[i].name, type))
    i++;
  return i;
}

/* TYPE without "ARM" in front, as in "Arm Cortex-M4".  */
static const char *
without_maker (const char *type)
{
  static const char maker[] = "arm";
  const char *rest = type;

  for (unsigned i = 0; maker[i] != '\0'; i++)
    if (next_letter (&rest) != maker[i])
      return type;
  return rest;
}

/* Is NAME a core of Arm's, not an architecture?  */
static bool
is_product (const char *name)
{
  return strncmp (name, "Cortex-", 7) == 0 || strncmp (name, "Neoverse-", 9) == 0
	 || strncmp (name, "C1-", 3) == 0;
}

/* What the manuals of Arm's core NAME of the M profile, which is of KIND, say.  Of ARMv6-M
   Cortex-M0+ has an MTB at most (DDI 0484), the others have no trace of instructions (DDI 0432,
   DDI 0413).  Cortex-M3 (DDI 0337), Cortex-M4 (DDI 0439, DDI 0440) and Cortex-M23 (DDI 0550) may
   have an ETMv3, Cortex-M7 (DDI 0489, DDI 0494), Cortex-M33 (100230) and later ones an ETMv4.
   What is called by its architecture, or is another maker's, may have any.  */
static enum tb_m_etm
etm_of (const char *name, enum kind kind)
{
  if (!is_product (name))
    return TB_M_ETM_ANY;
  switch (kind)
    {
    case V6M:
      return TB_M_ETM_NONE;
    case V7M: case V7EM: case V8MB:
      return TB_M_ETM_3;
    case V7EMF:
      return strncmp (name, "Cortex-M7", 9) == 0 ? TB_M_ETM_4 : TB_M_ETM_3;
    default:
      return TB_M_ETM_4;
    }
}

bool
tb_profile_find (struct tb_profile *profile, const char *type)
{
  size_t i = find (type);

  if (i == NCORES)
    i = find (without_maker (type));
  if (i == NCORES)
    {
      *profile = (struct tb_profile) { .arch = TB_ARCH_UNKNOWN,
				       .has_a64 = true, .has_fp = true,
				       .name = "unknown" };
      return false;
    }

  enum kind kind = cores[i].kind;
  *profile = (struct tb_profile) { .arch = kinds[kind].arch,
				   .is_m = kinds[kind].is_m,
				   .has_a64 = kinds[kind].has_a64,
				   .has_fp = kinds[kind].has_fp,
				   .name = cores[i].name };
  /* Their manuals: DCZID_EL0.BS is 4.  */
  if (profile->has_a64 && is_product (cores[i].name))
    profile->zero_block = 64;
  /* Their manuals, too: those of v8-A have ETMv4, those of v9-A have ETE.  ETE is of v9-A, and its
     registers are system registers of AArch64 state (FEAT_ETE, DDI 0487), so that what has AArch32
     state alone has none, even where only its architecture is told.  */
  if (!profile->is_m && (!profile->has_a64 || (kind == V8A && is_product (cores[i].name))))
    profile->ete = TB_ETE_NEVER;
  if (kind == V9A)
    profile->ete = TB_ETE_ALWAYS;
  if (profile->is_m)
    profile->etm = etm_of (cores[i].name, kind);
  return true;
}

bool
tb_profile_can_have_fp (const struct tb_profile *profile)
{
  return profile->arch != TB_ARCH_V6M && profile->arch != TB_ARCH_V8M_BASE;
}

unsigned
tb_profile_groups (const struct tb_profile *profile)
{
  enum { OF_ALL = 1 << TB_GROUP_ALL, OF_NEWER = OF_ALL | 1 << TB_GROUP_NEWER };
  unsigned arch = profile->arch;
  unsigned main = 1 << TB_GROUP_NOT_BASELINE;
  if (!profile->is_m)
    return OF_NEWER | main | 1 << TB_GROUP_AR
	   | (arch == TB_ARCH_V7A || arch == TB_ARCH_V7R ? 1 << TB_GROUP_V7AR : 0);
  return OF_ALL | 1 << TB_GROUP_M
	 | (arch != TB_ARCH_V6M ? 1 << TB_GROUP_NEWER | 1 << TB_GROUP_NEWER_M : 0)
	 | (arch != TB_ARCH_V6M && arch != TB_ARCH_V8M_BASE ? main : 0)
	 | (arch >= TB_ARCH_V8M_BASE ? 1 << TB_GROUP_V8M : 0)
	 | (arch >= TB_ARCH_V8M_MAIN ? 1 << TB_GROUP_V8M_MAIN : 0)
	 | (arch == TB_ARCH_V81M_MAIN ? 1 << TB_GROUP_V81M : 0);
}

const char *
tb_isa_name (enum tb_isa isa)
{
  switch (isa)
    {
    case TB_ISA_A64:
      return "A64";
    case TB_ISA_A32:
      return "A32";
    case TB_ISA_T32:
      return "T32";
    case TB_ISA_T32EE:
      return "T32EE";
    case TB_ISA_UNKNOWN:
      break;
    }
  return "?";
}
