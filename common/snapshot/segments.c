/* Program headers of ELF files.  See segments.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/segments.h"

#include <inttypes.h>
#include <libelf.h>

/* Put into SEGMENT the header NUMBER of COUNT, and what of it MAP has.  */
static bool
read_header (const struct tb_filemap *map, const char *path, size_t number, uint32_t type,
	     uint32_t flags, struct tb_diag *diag, struct tb_segment *segment)
{
  GElf_Phdr *header = &segment->header;
  segment->size = 0;
  if (gelf_getphdr (segment->elf, (int) number, header) == NULL)
    return false;
  if (header->p_type != type || (header->p_flags & flags) != flags || header->p_filesz == 0)
    return true;
  uint64_t there = header->p_offset < map->size ? map->size - header->p_offset : 0;
  segment->number = number;
  segment->size = header->p_filesz < there ? header->p_filesz : there;
  if (there < header->p_filesz && type == PT_NOTE)
    tb_warning (diag, "%s: expected %" PRIu64 " bytes of notes at %#" PRIx64 ", found %" PRIu64
		": the file is cut", path, (uint64_t) header->p_filesz,
		(uint64_t) header->p_offset, there);
  else if (there < header->p_filesz)
    tb_warning (diag, "%s: expected %" PRIu64 " bytes of segment %zu, memory at %#" PRIx64
		", found %" PRIu64 ": the file is cut", path, (uint64_t) header->p_filesz, number,
		(uint64_t) header->p_vaddr, there);
  /* What lies behind the segment in memory is another one's, or nothing's.  */
  if (type == PT_LOAD && header->p_memsz != 0 && header->p_memsz < segment->size)
    {
      tb_warning (diag, "%s: expected segment %zu, memory at %#" PRIx64 ", not larger in the file "
		  "than its %" PRIu64 " bytes in memory, found %" PRIu64 ": the others are left "
		  "out", path, number, (uint64_t) header->p_vaddr, (uint64_t) header->p_memsz,
		  segment->size);
      segment->size = header->p_memsz;
    }
  return true;
}

enum tb_status
tb_segments (const struct tb_filemap *map, const char *path, uint32_t type, uint32_t flags,
	     struct tb_diag *diag, enum tb_severity severity,
	     void (*take) (void *context, const struct tb_segment *segment), void *context)
{
  elf_version (EV_CURRENT);
  struct tb_segment segment
    = { .elf = map->size > 0 ? elf_memory ((char *) map->data, map->size) : NULL };
  size_t count = 0, i = 0;
  enum tb_status status = TB_OK;
  if (segment.elf == NULL || elf_kind (segment.elf) != ELF_K_ELF
      || elf_getphdrnum (segment.elf, &count) != 0 || count == 0)
    {
      tb_report (diag, severity, "%s: expected program headers, found none", path);
      status = TB_ERR_INPUT;
    }
  else if (count > TB_MOST_SEGMENTS)
    {
      tb_report (diag, severity, "%s: expected at most %d segments, found %zu", path,
		 TB_MOST_SEGMENTS, count);
      status = TB_ERR_INPUT;
    }
  for (; i < count && status == TB_OK; i++)
    if (!read_header (map, path, i, type, flags, diag, &segment))
      {
	tb_report (diag, severity, "%s: expected %zu program headers, found that number %zu "
		   "lies behind the end of the file", path, count, i);
	status = TB_ERR_INPUT;
      }
    else if (segment.size > 0)
      take (context, &segment);
  elf_end (segment.elf);
  return status;
}
