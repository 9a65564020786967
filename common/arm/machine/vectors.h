/* The vector table of an M-profile core.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Armv6-M ARM (DDI 0419) B1.5.3, Armv8-M ARM (DDI 0553) B3.28: entry 0
   is the initial stack pointer, entry N the handler of exception N with bit 0
   set.  */

#ifndef TB_ARM_MACHINE_VECTORS_H
#define TB_ARM_MACHINE_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "snapshot/memmap.h"

/* 16 system exceptions and at most 480 interrupts.  */
#define TB_VECTORS_MAX 496

/* The tables of a memory map; more than one where a core has them (boot loader
   and application, secure and not).  */
struct tb_vectors
{
  uint32_t handler[TB_VECTORS_MAX];	/* Bit 0 clear; 0: no entry, or not known which.  */
  unsigned count;
  bool disputed;		/* Dumps differ in an entry.  */
};

/* Find the vector table: at the address in VTOR of the core device and
   nowhere else; where CORE is NULL or has no VTOR at the start of a region that begins like one: a
   stack pointer and a Thumb address inside the region.  False: none found.  A
   table's end is not marked in memory; it is taken to stop where the first
   handler begins or at the first word that cannot be an entry.  Entries of
   exceptions that PROFILE does not have are left out.  */
bool tb_vectors_find (struct tb_vectors *vectors, const struct tb_memmap *map,
		      const struct tb_profile *profile,
		      const struct tb_device *core);

/* The exception whose handler begins at ADDRESS; 0 when there is none or more
   than one (a shared default handler does not say which), or may be as an entry is disputed.  */
unsigned tb_vectors_lookup (const struct tb_vectors *vectors,
			    uint64_t address);

/* Does any vector but that of Reset lead to ADDRESS?  */
bool tb_vectors_has (const struct tb_vectors *vectors, uint64_t address);

/* Does MAP have a table, wherever VTOR could point to, with a vector of PROFILE but
   that of Reset that leads to ADDRESS?  Programs move their tables, and data may
   look like one.  *EFFORT is how many bytes may be looked at, and what is left of it
   afterwards; where it is spent, what was not looked at has none.  */
bool tb_vectors_elsewhere (const struct tb_memmap *map,
			   const struct tb_profile *profile, uint32_t address,
			   uint64_t *effort);

#endif /* TB_ARM_MACHINE_VECTORS_H */
