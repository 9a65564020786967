/* Target descriptions: what their files share (private to arm/machine/tdesc*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_TDESC_INTERNAL_H
#define TB_ARM_MACHINE_TDESC_INTERNAL_H

#include "config.h"

#include "arm/machine/tdesc.h"
#include "snapshot/pool.h"

/* Does GDB take the core of PROFILE for one of AArch64?  */
static inline bool
tdesc_is_a64 (const struct tb_profile *profile)
{
  return !profile->is_m && profile->has_a64;
}

/* A feature as it was read.  */
struct tdesc_feature
{
  const char *name;
  const char *path;		/* The file it begins in; line.  */
  unsigned line;
  const struct tdesc_feature *next;	/* The one that was read behind it.  */
};

/* A register as it was read.  */
struct tdesc_item
{
  struct tb_tdesc_reg reg;	/* Name, number and size.  */
  const char *path;		/* The file it stands in; line.  */
  unsigned line;
  const struct tdesc_feature *feature;
  bool is_system;		/* In the feature by which GDB knows of MSP and PSP.  */
};

/* A type that a feature defines.  */
struct tdesc_type
{
  const char *id;
  uint32_t size;		/* Bytes.  */
  struct tdesc_type *next;
  bool sized;			/* It says itself how many: fields are bits.  */
  bool has_values;		/* Of an enumeration.  */
};

/* The bytes of what TYPES or GDB calls ID; 0: there is no such type.  */
uint32_t tdesc_type_size (const struct tdesc_type *types, const char *id,
			  const struct tb_profile *profile);

/* The bytes that GDB takes a register of BITS bits for that has type ID ("int" and
   "float" are as long as the register); 0: there is no such type.  */
uint32_t tdesc_reg_size (const struct tdesc_type *types, const char *id,
			 unsigned bits, const struct tb_profile *profile);

/* Say in REG what its name means on a core of PROFILE, if its size is that.  *EXPECTED
   is the size of a register of that name, 0 for names that mean nothing.  */
void tdesc_mean (const struct tb_profile *profile, struct tb_tdesc_reg *reg,
		 uint32_t *expected);

/* Is register REG of arm/machine/regs.h one that each description has?  */
bool tdesc_is_base (const struct tb_profile *profile, unsigned reg);

/* Have the FEATURES what GDB requires of them, and are those there without which it takes
   no description, with the COUNT ITEMS?  False after a diagnostic.  */
bool tdesc_features_fit (const struct tdesc_feature *features,
			 const struct tdesc_item *items, unsigned count,
			 const char *path, const struct tb_profile *profile,
			 struct tb_diag *diag);

/* Make a description of the COUNT ITEMS, which are sorted, and the LENGTH characters
   TEXT.  PATH is the file's name, for diagnostics.  POOL, which has their strings, is
   taken over.  NULL after a diagnostic.  */
struct tb_tdesc *tdesc_bind (struct objalloc *pool, struct tdesc_item *items,
			     unsigned count, const char *text, size_t length,
			     const char *path, const struct tb_profile *profile,
			     struct tb_diag *diag);

#endif /* TB_ARM_MACHINE_TDESC_INTERNAL_H */
