/* The memory of a core at the halt: dumps and ELF images, by address space.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_MEMMAP_H
#define TB_SNAPSHOT_MEMMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/snapshot.h"

/* What is known of the right to write somewhere.  */
enum tb_access
{
  TB_ACCESS_NONE,	/* Nothing is mapped there.  */
  TB_ACCESS_UNKNOWN,	/* Mapped; may be RAM or not.  */
  TB_ACCESS_READ,	/* Read only: an ELF segment that is not writable.  */
  TB_ACCESS_WRITE	/* RAM: an ELF segment that is writable.  */
};

struct tb_elf_image;

/* One region of memory.  */
struct tb_region
{
  uint64_t address;
  uint64_t length;		/* Never 0; ADDRESS + LENGTH - 1 fits.  */
  enum tb_space space;
  enum tb_access access;
  bool halt_contents;		/* A dump: the bytes are those at the halt.
				   An ELF: those before the start.  */
  const uint8_t *data;		/* Borrowed: outlives the map.  */
  const char *name;		/* "cpu_0.ini [dump0]", "prog.elf .text".  */
  const struct tb_elf_image *elf;	/* The file that it is of, or NULL.  */
};

/* The one name of the translation regime that SPACE names.  */
enum tb_space tb_space_regime (enum tb_space space);

/* Precedence where regions overlap: a region of the asked space before one of
   ANY; then a dump before an ELF (what was there beats what was loaded); then
   the one added first.  Where two dumps of one space differ, as nobody can say which is right,
   nothing is found.  Regions are resolved into disjoint runs when the map
   is sealed, so a look-up is one binary search.

   N and EL1N, H and EL2, S and EL1S are one space each: the AArch32 and the
   AArch64 name of one translation regime.  A look-up in ANY is one by somebody
   who does not know the space: it finds regions of ANY, and elsewhere what all
   spaces that have something at an address agree upon; where they differ,
   nothing is found.

   The space of a context has its own regions, then those of EL1N, then those of ANY; a
   look-up in another space does not see what only contexts have.

   A sealed map may be used by several threads; a look-up changes nothing.  */
struct tb_memmap;

struct tb_memmap *tb_memmap_new (void);		/* NULL: no memory.  */
void tb_memmap_free (struct tb_memmap *map);

/* Add a region (copied; its data and name are borrowed).  */
enum tb_status tb_memmap_add (struct tb_memmap *map,
			      const struct tb_region *region,
			      struct tb_diag *diag);

/* Let MAP know CONTEXT, which is copied.  Of two of one name that with the lower space
   counts.  */
enum tb_status tb_memmap_add_context (struct tb_memmap *map,
				      const struct tb_context *context,
				      struct tb_diag *diag);

/* Add DUMP, in SPACE.  */
enum tb_status tb_memmap_add_dump (struct tb_memmap *map, const struct tb_dump *dump,
				   enum tb_space space, struct tb_diag *diag);

/* Add all dumps of DEVICE.  */
enum tb_status tb_memmap_add_device (struct tb_memmap *map,
				     const struct tb_device *device,
				     struct tb_diag *diag);

/* Let region NUMBER, as tb_memmap_regions counts while the map is not sealed, have the
   bytes DATA, borrowed.  */
void tb_memmap_set_data (struct tb_memmap *map, size_t number,
			 const uint8_t *data);

/* Resolve overlaps.  Must be called after the last add and before the first
   look-up; after further adds, again (no other thread may use the map
   meanwhile, and regions handed out before are no longer valid).  Overlaps
   whose bytes differ are a warning, which says how many if they are unknown for that, save a
   dump over writable data of an ELF. */
enum tb_status tb_memmap_seal (struct tb_memmap *map, struct tb_diag *diag);

/* The space of the context that trace names as NAMED, whose own space does not count: the
   one known by context ID and VMID, else by the context ID, else by the VMID.  ANY: MAP
   knows no contexts, or NAMED has neither.  TB_SPACE_CONTEXTS: it is not known.  */
enum tb_space tb_memmap_context (const struct tb_memmap *map,
				 const struct tb_context *named);

/* The contexts that MAP knows, sorted.  Returns how many.  */
size_t tb_memmap_contexts (const struct tb_memmap *map,
			   const struct tb_context **contexts);

/* The bytes at ADDRESS in SPACE and, in *LENGTH, how many follow contiguously
   in the same run; NULL (and 0) where nothing is found.  REGION may be NULL,
   else gets the region they come from.  */
const uint8_t *tb_memmap_at (const struct tb_memmap *map, enum tb_space space,
			     uint64_t address, uint64_t *length,
			     const struct tb_region **region);

/* Is nothing found at ADDRESS in SPACE since dumps differ there?  */
bool tb_memmap_disputed (const struct tb_memmap *map, enum tb_space space, uint64_t address);

/* The addresses *FIRST to *LAST around ADDRESS where nothing is found in SPACE: nothing is
   mapped there, or dumps differ.  False: something is found at ADDRESS.  */
bool tb_memmap_hole (const struct tb_memmap *map, enum tb_space space,
		     uint64_t address, uint64_t *first, uint64_t *last);

/* What is known of the right to write at ADDRESS in SPACE and, in *LENGTH, for
   how many bytes from there the answer holds.  An ELF that covers the address
   says it, even where the bytes themselves come from a dump.  */
enum tb_access tb_memmap_access (const struct tb_memmap *map,
				 enum tb_space space, uint64_t address,
				 uint64_t *length);

/* Copy up to LENGTH bytes from ADDRESS, across runs, up to the first hole or
   the top of the address space.  Returns how many.  */
size_t tb_memmap_read (const struct tb_memmap *map, enum tb_space space,
		       uint64_t address, void *bytes, size_t length);

/* Does every look-up of bytes find the same in X and Y, both sealed, as they have the same
   regions, whose bytes are the same in memory, and no contexts?  False if in doubt: bytes are not
   compared.  */
bool tb_memmap_same (const struct tb_memmap *x, const struct tb_memmap *y);

/* The regions in order of precedence.  */
size_t tb_memmap_regions (const struct tb_memmap *map,
			  const struct tb_region **regions);

#endif /* TB_SNAPSHOT_MEMMAP_H */
