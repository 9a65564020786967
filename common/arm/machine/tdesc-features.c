/* Target descriptions: what GDB requires of the features that it knows.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB 13, arm_gdbarch_init (arm-tdep.c) and aarch64_gdbarch_init
   (aarch64-tdep.c).  A description that lacks one of these registers GDB rejects as a
   whole: it then takes the registers for others, in another order.  GDB looks into the
   first feature of a name only.  */

#include "arm/machine/tdesc-internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CORE32 "r0-12 r13|sp r14|lr r15|pc "

/* The architecture that a feature belongs to.  */
enum family { OF_A64, OF_A32, OF_M, OF_ARM };

static const struct required
{
  const char *feature;
  enum family family;		/* OF_ARM: both of A32 and M.  */
  const char *names;		/* "d0-15": several; "sp|r13": one of them.  */
  const char *unless;		/* With this feature GDB does not look at this one.  */
} required[] = {
  { "org.gnu.gdb.aarch64.core", OF_A64, "x0-30 sp pc cpsr", NULL },
  { "org.gnu.gdb.aarch64.fpu", OF_A64, "v0-31 fpsr fpcr", "org.gnu.gdb.aarch64.sve" },
  { "org.gnu.gdb.aarch64.sve", OF_A64, "z0-31 fpsr fpcr p0-15 ffr vg", NULL },
  { "org.gnu.gdb.aarch64.pauth", OF_A64, "pauth_dmask pauth_cmask", NULL },
  { "org.gnu.gdb.aarch64.mte", OF_A64, "tag_ctl", NULL },
  { "org.gnu.gdb.aarch64.tls", OF_A64, "tpidr", NULL },
  { "org.gnu.gdb.arm.core", OF_A32, CORE32 "cpsr", NULL },
  { "org.gnu.gdb.arm.m-profile", OF_M, CORE32 "xpsr", NULL },
  { "org.gnu.gdb.arm.m-system", OF_M, "msp psp", NULL },
  { "org.gnu.gdb.arm.m-profile-mve", OF_M, "vpr", NULL },
  { "org.gnu.gdb.arm.secext", OF_M, "msp_ns psp_ns msp_s psp_s", NULL },
  { "org.gnu.gdb.arm.fpa", OF_ARM, "f0-7 fps", NULL },
  { "org.gnu.gdb.xscale.iwmmxt", OF_ARM, "wR0-15 wCGR0-3", NULL },
  { "org.gnu.gdb.arm.vfp", OF_ARM, "d0-15 fpscr", NULL },
  { "org.gnu.gdb.arm.tls", OF_ARM, "tpidruro", NULL }
};

static const struct tdesc_feature *
find_feature (const struct tdesc_feature *features, const char *name)
{
  while (features != NULL && strcmp (features->name, name) != 0)
    features = features->next;
  return features;
}

/* Is the register NAME of LENGTH characters in FEATURE?  */
static bool
has (const struct tdesc_feature *feature, const struct tdesc_item *items,
     unsigned count, const char *name, size_t length)
{
  for (unsigned i = 0; i < count; i++)
    if (items[i].feature == feature && strlen (items[i].reg.name) == length
	&& strncasecmp (items[i].reg.name, name, length) == 0)
      return true;
  return false;
}

/* The first of NAMES, a list as above, that FEATURE lacks, into MISSING; false: none.  */
static bool
lacks (const struct tdesc_feature *feature, const struct tdesc_item *items,
       unsigned count, const char *names, char missing[32])
{
  for (size_t n; *names != '\0'; names += n + strspn (names + n, " "))
    {
      unsigned first, last;
      char stem[8];
      bool found = false;
      n = strcspn (names, " ");
      if (sscanf (names, "%7[a-zA-Z]%u-%u", stem, &first, &last) == 3)
	{
	  found = true;
	  for (; found && first <= last; first++)
	    {
	      snprintf (missing, 32, "%s%u", stem, first);
	      found = has (feature, items, count, missing, strlen (missing));
	    }
	  if (!found)
	    return true;
	  continue;
	}
      for (size_t at = 0, part; at < n && !found; at += part + 1)
	{
	  part = strcspn (names + at, " |");
	  found = has (feature, items, count, names + at, part);
	}
      if (!found)
	{
	  snprintf (missing, 32, "%.*s", (int) n, names);
	  return true;
	}
    }
  return false;
}

/* The same of D16 to D31, which are there all or not at all, and all with NEON.  */
static bool
lacks_upper (const struct tdesc_feature *features, const struct tdesc_feature *vfp,
	     const struct tdesc_item *items, unsigned count, char missing[32])
{
  return (has (vfp, items, count, "d16", 3)
	  || find_feature (features, "org.gnu.gdb.arm.neon") != NULL)
	 && lacks (vfp, items, count, "d16-31", missing);
}

bool
tdesc_features_fit (const struct tdesc_feature *features,
		    const struct tdesc_item *items, unsigned count, const char *path,
		    const struct tb_profile *profile, struct tb_diag *diag)
{
  /* GDB takes what has the feature of the A profile for that, whatever else it has.  */
  enum family family
    = tdesc_is_a64 (profile) ? OF_A64
      : find_feature (features, "org.gnu.gdb.arm.core") != NULL ? OF_A32
      : find_feature (features, "org.gnu.gdb.arm.m-profile") != NULL ? OF_M : OF_ARM;
  if (family == OF_ARM || (family == OF_A64
			&& find_feature (features, "org.gnu.gdb.aarch64.core") == NULL))
    {
      tb_error (diag, "%s: expected a feature %s, without which GDB does not take the "
		"description", path, family == OF_A64 ? "org.gnu.gdb.aarch64.core"
		: profile->is_m ? "org.gnu.gdb.arm.m-profile" : "org.gnu.gdb.arm.core");
      return false;
    }
  for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
    {
      const struct required *r = &required[i];
      const struct tdesc_feature *feature = find_feature (features, r->feature);
      char missing[32];
      if (feature == NULL
	  || (r->family != family && (r->family != OF_ARM || family == OF_A64))
	  || (r->unless != NULL && find_feature (features, r->unless) != NULL))
	continue;
      if (!lacks (feature, items, count, r->names, missing)
	  && (strcmp (r->feature, "org.gnu.gdb.arm.vfp") != 0
	      || !lacks_upper (features, feature, items, count, missing)))
	continue;
      tb_error (diag, "%s:%u: feature %s: expected a register %s in it, without which GDB "
		"does not take the description", feature->path, feature->line,
		feature->name, missing);
      return false;
    }
  return true;
}
