/* ELF files that were mapped into memory.  See mapped.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/mapped.h"

#include <gelf.h>
#include <stddef.h>
#include <sys/stat.h>

/* Pages of memory, in bytes, that Arm's cores have (DDI 0487, D8.2).  */
static const uint64_t pages[] = { 4096, 16384, 65536 };

/* Is MAPPED, of a file of LENGTH bytes, what a loader maps of SEGMENT, where pages have PAGE
   bytes: the pages that it has a byte of?  */
static bool
is_whole (const struct tb_mapped *mapped, const GElf_Phdr *segment, uint64_t page, uint64_t length)
{
  uint64_t first = segment->p_offset & -page;
  uint64_t end = (segment->p_offset + segment->p_filesz + page - 1) & -page;
  return first == mapped->offset
	 && (end < length ? end : length) - first == mapped->size;
}

bool
tb_mapped_bias (int fd, const struct tb_mapped *mapped, uint64_t *bias)
{
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  struct stat st;
  uint64_t length = fstat (fd, &st) == 0 ? (uint64_t) st.st_size : 0;
  size_t count = 0;
  unsigned best = 0;		/* 1: it has a byte of it; 2: it is all there.  */
  bool certain = false;
  if (elf != NULL && elf_getphdrnum (elf, &count) != 0)
    count = 0;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr segment;
      if (gelf_getphdr (elf, (int) i, &segment) == NULL || segment.p_type != PT_LOAD
	  || !(segment.p_flags & PF_X) || segment.p_filesz == 0
	  || mapped->offset > segment.p_offset + (segment.p_filesz - 1)
	  || segment.p_offset > mapped->offset + (mapped->size - 1))
	continue;
      bool whole = false;
      for (unsigned k = 0; k < sizeof pages / sizeof pages[0]; k++)
	whole |= is_whole (mapped, &segment, pages[k], length);
      unsigned fits = 1 + whole;
      uint64_t by = mapped->address - (mapped->offset - segment.p_offset + segment.p_vaddr);
      if (fits < best)
	continue;
      certain = fits > best || (certain && by == *bias);
      best = fits;
      *bias = by;
    }
  elf_end (elf);
  return certain;
}
