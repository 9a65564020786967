/* ELF files as a source of code and initial data.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_ELF_IMAGE_H
#define TB_SNAPSHOT_ELF_IMAGE_H

#include "snapshot/loaded.h"
#include "snapshot/memmap.h"

/* An opened ELF file (libelf); owns the mapped file.  */
struct tb_elf_image;

/* Open PATH: an executable or shared ELF for Arm or AArch64, either byte
   order of header, little-endian data.  NULL after a diagnostic.  */
struct tb_elf_image *tb_elf_image_open (const char *path,
					struct tb_diag *diag);
void tb_elf_image_close (struct tb_elf_image *image);

/* Where LOADED tells that IMAGE was loaded elsewhere than its file says, all that is told of it
   below is as it was there.  */
void tb_elf_image_place (struct tb_elf_image *image, const struct tb_loaded *loaded);

/* By how much the addresses in its file are lower than those told; and what it was opened as.  */
uint64_t tb_elf_image_bias (const struct tb_elf_image *image);
const char *tb_elf_image_path (const struct tb_elf_image *image);

/* Add its loadable bytes to SPACE of MAP: where there are section headers, each
   allocated section with contents at its run-time address (sh_addr), access by
   its write flag; else each PT_LOAD at its virtual address.  IMAGE must outlive
   MAP.  */
enum tb_status tb_elf_image_map (struct tb_elf_image *image,
				 struct tb_memmap *map, enum tb_space space,
				 struct tb_diag *diag);

/* Append the addresses of the functions that its symbol tables name to *ADDRESSES,
   an array from malloc of *COUNT elements (bit 0 as in the file: set for Thumb
   code).  False: no memory.  */
bool tb_elf_image_functions (struct tb_elf_image *image, uint64_t **addresses,
			     size_t *count);

/* Writable memory of a program before it runs: LENGTH bytes DATA, or zeros where it
   is NULL, at ADDRESS.  */
struct tb_initial
{
  uint64_t address, length;
  const uint8_t *data;		/* Borrowed from the image.  */
  /* It is loaded there; otherwise the program itself puts it there (from its load
     address, or as zeros) when it starts.  */
  bool direct;
};

/* Append what IMAGE has of it to *ITEMS, an array from malloc of *COUNT elements.
   False: no memory.  */
bool tb_elf_image_initial (struct tb_elf_image *image,
			   struct tb_initial **items, size_t *count);

/* What the symbol NAME of data or code names: *ADDRESS (bit 0 cleared for Thumb
   code) and *SIZE, 0 where the file has none.  Returns how many different ones
   there are; the first is told.  */
size_t tb_elf_image_symbol (struct tb_elf_image *image, const char *name,
			    uint64_t *address, uint64_t *size);

/* An object of data.  */
struct tb_elf_object
{
  uint64_t address, end;	/* END is that behind its last byte.  */
  const char *name;		/* Valid as long as the ELF file is open.  */
};

/* Call TAKE with CONTEXT for each object of data in the symbol tables of IMAGE that has a size: its
   NAME, which is valid as long as IMAGE, address and size.  What is in two tables is told
   twice.  */
void tb_elf_image_objects (struct tb_elf_image *image,
			   void (*take) (void *context, const char *name, uint64_t address,
					 uint64_t size), void *context);

/* The profile that it was built for, of AArch32: 'A', 'R', 'M', 'S' (A or R); 0: it does
   not tell.  */
char tb_elf_image_profile (const struct tb_elf_image *image);

/* The name of the architecture that it was built for ("ARMv6-M"), as tb_profile_find
   knows it; NULL: it does not tell.  */
const char *tb_elf_image_core_type (const struct tb_elf_image *image);

/* Its build ID, *SIZE bytes, and in *ADDRESS where a process that has it mapped has that; NULL: it
   has none that is mapped.  */
const uint8_t *tb_elf_image_build_id (const struct tb_elf_image *image, uint64_t *address,
				      size_t *size);

/* True for AArch64.  */
bool tb_elf_image_is_a64 (const struct tb_elf_image *image);

#endif /* TB_SNAPSHOT_ELF_IMAGE_H */
