/* Where an operating system loaded programs.  See loaded.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/loaded.h"

#include <gelf.h>
#include <string.h>

#include "util/number.h"

/* Programs lie at multiples of the smallest page.  */
#define PAGE 4096

static uint64_t
word_at (const struct tb_loaded *loaded, const uint8_t *bytes, size_t number)
{
  return tb_number (bytes + number * loaded->word, loaded->word);
}

/* What the kernel told the program under TYPE; false: nothing.  */
static bool
vector_value (const struct tb_loaded *loaded, uint64_t type, uint64_t *value)
{
  size_t pairs = loaded->vector != NULL ? loaded->vector_size / (2 * loaded->word) : 0;
  for (size_t i = 0; i < pairs; i++)
    {
      uint64_t its = word_at (loaded, loaded->vector, 2 * i);
      if (its == AT_NULL)
	return false;
      if (its == type)
	{
	  *value = word_at (loaded, loaded->vector, 2 * i + 1);
	  return true;
	}
    }
  return false;
}

/* The address in ELF of byte OFFSET of its file; false: no segment has it.  */
static bool
address_of (Elf *elf, uint64_t offset, uint64_t *address)
{
  size_t count = 0;
  if (elf_getphdrnum (elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count && i < INT32_MAX; i++)
    {
      GElf_Phdr segment;
      if (gelf_getphdr (elf, (int) i, &segment) != NULL && segment.p_type == PT_LOAD
	  && offset - segment.p_offset < segment.p_filesz)
	{
	  *address = segment.p_vaddr + (offset - segment.p_offset);
	  return true;
	}
    }
  return false;
}

/* Was ELF, with HEADER, started by the kernel?  Then *BIAS is told.  */
static bool
is_started (const struct tb_loaded *loaded, Elf *elf, const GElf_Ehdr *header, uint64_t *bias)
{
  uint64_t entry, headers, address;
  if (!vector_value (loaded, AT_ENTRY, &entry) || !vector_value (loaded, AT_PHDR, &headers)
      || !address_of (elf, header->e_phoff, &address))
    return false;
  *bias = entry - header->e_entry;
  return entry >= header->e_entry && *bias % PAGE == 0 && headers - address == *bias;
}

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Where segments have the first page of their file.  */
struct first_pages
{
  uint64_t address[16];
  size_t count;
};

/* Note in PAGES where the segments of ELF have its first page, of SIZE bytes: nowhere, if there are
   more places than any file of use has.  */
static void
find_first_pages (struct first_pages *pages, Elf *elf, uint64_t size)
{
  size_t count = 0;
  pages->count = 0;
  if (elf_getphdrnum (elf, &count) != 0)
    return;
  for (size_t i = 0; i < count && i < INT32_MAX; i++)
    {
      GElf_Phdr segment;
      if (gelf_getphdr (elf, (int) i, &segment) == NULL || segment.p_type != PT_LOAD
	  || segment.p_offset >= size)
	continue;
      if (pages->count == sizeof pages->address / sizeof *pages->address)
	{
	  pages->count = 0;
	  return;
	}
      pages->address[pages->count++] = segment.p_vaddr & -size;
    }
}

/* Is one of PAGES, loaded at BIAS, at FIRST?  */
static bool
begins_at (const struct first_pages *pages, uint64_t bias, uint64_t first)
{
  for (size_t i = 0; i < pages->count; i++)
    if (first - bias == pages->address[i])
      return true;
  return false;
}

/* Is a file that is called as PATH is, which ELF is, mapped with its byte 0?  Then *BIAS is told:
   by the lowest of several maps, as the segments of a small file have them, if that explains the
   others.  A count, the bytes of a page, that many begins, ends and pages of the file, that many
   names.  */
static bool
is_mapped (const struct tb_loaded *loaded, Elf *elf, const char *path, uint64_t *bias)
{
  enum { COUNT, SIZE, HEAD, PARTS = 3 };
  const uint8_t *bytes = loaded->files;
  size_t words = bytes != NULL ? loaded->files_size / loaded->word : 0;
  uint64_t count = words >= HEAD ? word_at (loaded, bytes, COUNT) : 0, address;
  if (count == 0 || count > (words - HEAD) / PARTS || !address_of (elf, 0, &address))
    return false;
  uint64_t size = word_at (loaded, bytes, SIZE);
  if (size < PAGE || (size & (size - 1)) != 0)
    size = PAGE;
  struct first_pages pages;
  find_first_pages (&pages, elf, size);
  const char *names = (const char *) bytes + (HEAD + PARTS * (size_t) count) * loaded->word;
  const char *end = (const char *) bytes + loaded->files_size;
  bool found = false;
  /* Once to find the lowest, once to see whether that explains all.  */
  for (int pass = 0; pass < 2; pass++)
    {
      const char *name = names;
      for (size_t i = 0; i < count && name < end; i++)
	{
	  size_t length = strnlen (name, (size_t) (end - name));
	  if (name + length == end)
	    return false;
	  uint64_t first = word_at (loaded, bytes, HEAD + PARTS * i);
	  bool its = word_at (loaded, bytes, HEAD + PARTS * i + 2) == 0
		     && strcmp (base_name (name), base_name (path)) == 0;
	  if (its && pass == 0 && (!found || first - address < *bias))
	    {
	      *bias = first - address;
	      found = true;
	    }
	  if (its && pass == 1 && first - address != *bias
	      && !begins_at (&pages, *bias, first))
	    return false;
	  name += length + 1;
	}
    }
  return found;
}

/* Is all that the file of ELF says to load below the top of the address space, if it lies BIAS
   higher?  */
static bool
fits (const struct tb_loaded *loaded, Elf *elf, uint64_t bias)
{
  const uint64_t top = loaded->word == 4 ? UINT32_MAX : UINT64_MAX;
  size_t count = 0;
  bool fit = elf_getphdrnum (elf, &count) == 0 && bias <= top;
  for (size_t i = 0; i < count && i < INT32_MAX && fit; i++)
    {
      GElf_Phdr segment;
      if (gelf_getphdr (elf, (int) i, &segment) == NULL || segment.p_type != PT_LOAD)
	continue;
      uint64_t size = segment.p_memsz > segment.p_filesz ? segment.p_memsz : segment.p_filesz;
      fit = segment.p_vaddr <= top - bias && size <= top - bias - segment.p_vaddr;
    }
  return fit;
}

uint64_t
tb_loaded_bias (const struct tb_loaded *loaded, Elf *elf, const char *path)
{
  GElf_Ehdr header;
  uint64_t bias = 0;
  if (loaded->word == 0 || gelf_getehdr (elf, &header) == NULL || header.e_type != ET_DYN)
    return 0;
  if ((is_started (loaded, elf, &header, &bias) || is_mapped (loaded, elf, path, &bias))
      && bias <= INT64_MAX && fits (loaded, elf, bias))
    return bias;
  return 0;
}
