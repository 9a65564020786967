/* The kernel's code when perf recorded.  See kernel.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/kernel.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "snapshot/elf-symbols.h"
#include "snapshot/segments.h"
#include "util/buffer.h"
#include "util/number.h"

/* Functions of BPF programs: more than any system has; each space has all of them.  */
#define MOST_PARTS 32768

void
tb_perf_kernel_take (struct tb_perf_kernel *kernel, const struct tb_perf_record *record)
{
  const uint8_t *bytes = record->bytes;
  size_t name = record->type == TB_PERF_MMAP ? 40 : 72, prefix = sizeof TB_PERF_KERNEL_NAME - 1;
  const char *path = (const char *) bytes + name;
  if (tb_number_32 (bytes + 8) != TB_PERF_KERNEL
      || memchr (path, 0, record->length - name) == NULL)
    return;
  if (strncmp (path, TB_PERF_KERNEL_NAME, prefix) != 0)
    {
      kernel->modules += *path == '/' || *path == '[';
      return;
    }
  /* The name goes on with that of the symbol whose place is where the offset stands.  */
  if (path[prefix] != '\0' && strlen (path + prefix) < sizeof kernel->name)
    {
      strcpy (kernel->name, path + prefix);
      kernel->reference = tb_number_64 (bytes + 32);
    }
  tb_perf_files_mapped (record, &kernel->id);
}

/* Segments that become memory of CORE.  */
struct adding
{
  struct tb_maker *maker;
  size_t core;
  const struct tb_file *file;
  uint64_t slide;
  size_t count;
};

static void
add_segment (void *context, const struct tb_segment *segment)
{
  struct adding *adding = context;
  uint64_t size = segment->size, address = segment->header.p_vaddr + adding->slide;
  if (size - 1 > UINT64_MAX - address)
    size = UINT64_MAX - address + 1;
  tb_maker_dump (adding->maker, adding->core, adding->file, segment->header.p_offset, size,
		 TB_SPACE_ANY, address);
  adding->count++;
}

/* Let CORE have the segments of FILE, SLIDE above where it says; those of code alone if ONLY
   is true.  Returns how many there are.  */
static size_t
add_segments (const struct tb_perf_kernel *kernel, struct tb_maker *maker, size_t core,
	      const struct tb_file *file, uint64_t slide, bool only)
{
  struct adding adding = {
    .maker = maker, .core = core, .file = file, .slide = slide
  };
  struct tb_diag *diag = maker->reader.diag;
  if (tb_segments (&file->map, file->path, PT_LOAD, only ? PF_X : 0, diag, TB_WARNING, add_segment,
		   &adding) == TB_OK && adding.count == 0)
    tb_warning (diag, "%s: expected segments of an ELF file with the kernel's code of %s, found "
		"none that can be read", file->path, kernel->path);
  return adding.count;
}

bool
tb_perf_kernel_copied (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
		       size_t core, const char *folder)
{
  char path[4096];
  struct stat st;
  if ((size_t) snprintf (path, sizeof path, "%s/kcore_dir/kcore", folder) >= sizeof path
      || stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return false;
  const struct tb_file *file = tb_maker_file (maker, path);
  return file != NULL && add_segments (kernel, maker, core, file, 0, false) > 0;
}

/* Where the symbols of FILE have NAME; false: nowhere.  */
static bool
find_symbol (const struct tb_file *file, const char *name, uint64_t *address)
{
  bool found = false;
  elf_version (EV_CURRENT);
  Elf *elf = file->map.size > 0 ? elf_memory ((char *) file->map.data, file->map.size) : NULL;
  struct tb_elf_symbols symbols = { .elf = elf };
  GElf_Sym symbol;
  while (elf != NULL && !found && tb_elf_symbols_next (&symbols, &symbol))
    {
      found = tb_elf_symbols_named (&symbols, &symbol, name);
      if (found)
	*address = symbol.st_value;
    }
  elf_end (elf);
  return found;
}

bool
tb_perf_kernel_file (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
		     size_t core, struct tb_perf_files *files)
{
  static const char *const places[] = {
    "/usr/lib/debug/boot/vmlinux-%s", "/boot/vmlinux-%s",
    "/usr/lib/debug/lib/modules/%s/vmlinux", "/lib/modules/%s/build/vmlinux"
  };
  const struct tb_file *file = NULL;
  size_t missing = files->missing;
  uint64_t address = 0;
  char path[256];
  if (kernel->reference == 0)
    return false;
  if (kernel->id.size > 0)
    file = tb_perf_files_find (files, TB_PERF_KERNEL_NAME, &kernel->id);
  for (size_t i = 0; i < sizeof places / sizeof places[0] && file == NULL; i++)
    {
      /* One without build ID may be another kernel.  */
      if (*kernel->release == '\0' || kernel->id.size == 0)
	break;
      snprintf (path, sizeof path, places[i], kernel->release);
      file = tb_perf_files_find (files, path, &kernel->id);
    }
  files->missing = missing;
  if (file == NULL)
    return false;
  if (!find_symbol (file, kernel->name, &address))
    {
      tb_warning (maker->reader.diag, "%s: expected the symbol %s, by which %s says where the "
		  "kernel was, found none", file->path, kernel->name, kernel->path);
      return false;
    }
  if (add_segments (kernel, maker, core, file, kernel->reference - address, true) == 0)
    return false;
  /* arm64 patches alternatives, static keys and calls for tracing: nobody says which were.  */
  tb_warning (maker->reader.diag, "%s: the kernel's code is taken from this file; what the kernel "
	      "changed of it when it started and since (alternatives, static keys, ftrace) is not "
	      "in it, and its path and values may be wrong there; perf record --kcore copies "
	      "what it ran", file->path);
  return true;
}

/* Layout of struct bpf_prog_info, and its arrays by their bits.  */
enum
{
  INFO_JITED_LENGTH = 16, INFO_JITED_CODE = 24, INFO_COUNT_SYMBOLS = 104,
  INFO_COUNT_LENGTHS = 108, INFO_SYMBOLS = 112, INFO_LENGTHS = 120, INFO_LEAST = 128,
  ARRAY_CODE = 1 << 0, ARRAY_SYMBOLS = 1 << 3, ARRAY_LENGTHS = 1 << 4
};

/* Add the code of one program: INFO of INFO_LENGTH bytes and DATA of LENGTH.  *PARTS counts
   functions; those beyond MOST_PARTS are left out.  False: it is not whole.  */
static bool
add_program (struct tb_maker *maker, size_t core, const struct tb_file *file,
	     const uint8_t *info, uint32_t info_length, const uint8_t *data, uint32_t length,
	     uint64_t arrays, size_t *parts)
{
  const uint64_t needed = ARRAY_CODE | ARRAY_SYMBOLS | ARRAY_LENGTHS;
  /* Not all are compiled.  */
  if (info_length < INFO_LEAST || (arrays & needed) != needed
      || tb_number_32 (info + INFO_JITED_LENGTH) == 0)
    return true;
  uint64_t code = tb_number_64 (info + INFO_JITED_CODE), size = tb_number_32 (info
									   + INFO_JITED_LENGTH);
  uint64_t symbols = tb_number_64 (info + INFO_SYMBOLS);
  uint64_t lengths = tb_number_64 (info + INFO_LENGTHS);
  uint32_t count = tb_number_32 (info + INFO_COUNT_SYMBOLS);
  if (count > tb_number_32 (info + INFO_COUNT_LENGTHS))
    count = tb_number_32 (info + INFO_COUNT_LENGTHS);
  if (code > length || size > length - code || symbols > length || lengths > length
      || count > (length - symbols) / 8 || count > (length - lengths) / 4)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      uint64_t address = tb_number_64 (data + symbols + 8 * (uint64_t) i);
      uint32_t part = tb_number_32 (data + lengths + 4 * (uint64_t) i);
      if (part > size || (part > 0 && part - 1 > UINT64_MAX - address))
	return false;
      if (part > 0 && ++*parts <= MOST_PARTS)
	tb_maker_dump (maker, core, file, (uint64_t) (data - file->map.data) + code, part,
		       TB_SPACE_ANY, address);
      code += part;
      size -= part;
    }
  return true;
}

void
tb_perf_kernel_bpf (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
		    size_t core, const struct tb_file *file, uint64_t at, uint64_t length)
{
  const uint8_t *bytes = file->map.data + at;
  uint64_t done = 4;
  size_t parts = 0;
  uint32_t count = length >= 4 ? tb_number_32 (bytes) : 0;
  for (uint32_t i = 0; i < count && maker->reader.status == TB_OK; i++)
    {
      /* Lengths of the information and of what its arrays have, which arrays there are.  */
      uint32_t info = length - done >= 16 ? tb_number_32 (bytes + done) : UINT32_MAX;
      uint32_t data = length - done >= 16 ? tb_number_32 (bytes + done + 4) : UINT32_MAX;
      uint64_t arrays = length - done >= 16 ? tb_number_64 (bytes + done + 8) : 0;
      bool whole = length - done >= 16 && (uint64_t) info + data <= length - done - 16;
      const uint8_t *from = bytes + done + 16;
      if (!whole || !add_program (maker, core, file, from, info, from + info, data, arrays,
				  &parts))
	{
	  tb_warning (maker->reader.diag, "%s: byte %#" PRIx64 ": expected BPF program %"
		      PRIu32 " of %" PRIu32 " inside of its section, found it cut: those from "
		      "there on are left out", kernel->path, at + done, i + 1, count);
	  break;
	}
      done += 16 + (uint64_t) info + data;
    }
  if (parts > MOST_PARTS)
    tb_warning (maker->reader.diag, "%s: expected at most %d functions of BPF programs, found "
		"%zu: the code of the last ones is not read", kernel->path, MOST_PARTS, parts);
}
