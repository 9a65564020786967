/* ELF files as a source of code and initial data.  See elf-image.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   libelf reads the headers; the bytes are taken from the mapped file itself
   after their place in it has been checked here.  */

#include "config.h"
#include "snapshot/elf-image.h"

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/elf-attributes.h"
#include "snapshot/elf-symbols.h"
#include "snapshot/pool.h"
#include "util/buffer.h"

struct tb_elf_image
{
  struct tb_filemap map;
  Elf *elf;
  struct objalloc *pool;	/* Names of regions.  */
  const char *path;
  bool is_a64;
  uint64_t bias;		/* Of addresses in the file to those told.  */
  enum tb_space space;		/* Where it is mapped now.  */
};

/* Whether this program can use the ELF file with HEADER.  */
static enum tb_status
check_header (const char *path, const GElf_Ehdr *header, struct tb_diag *diag)
{
  if (header->e_machine != EM_ARM && header->e_machine != EM_AARCH64)
    {
      tb_error (diag, "%s: expected an ELF file for Arm or AArch64, found "
		"machine %u", path, (unsigned) header->e_machine);
      return TB_ERR_INPUT;
    }
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
    {
      tb_error (diag, "%s: expected an executable or shared ELF file, found "
		"type %u, which has no addresses", path,
		(unsigned) header->e_type);
      return TB_ERR_INPUT;
    }
  /* Instructions are little-endian in BE8 and in all of AArch64 (ELF for the Arm
     architecture, EF_ARM_BE8), but data are not, and GDB would take registers in the
     order of the file; in BE32 instructions are big-endian, too.  */
  if (header->e_ident[EI_DATA] == ELFDATA2MSB)
    {
      tb_error (diag, "%s: expected a little-endian ELF file, found a big-endian one "
		"(%s): big-endian data are not followed", path,
		header->e_machine == EM_AARCH64 ? "AArch64"
		: header->e_flags & EF_ARM_BE8 ? "BE8, little-endian instructions"
		: "BE32, big-endian instructions");
      return TB_ERR_UNSUPPORTED;
    }
  return TB_OK;
}

struct tb_elf_image *
tb_elf_image_open (const char *path, struct tb_diag *diag)
{
  struct tb_elf_image *image = calloc (1, sizeof *image);
  if (image != NULL)
    image->pool = objalloc_create ();
  if (image != NULL && image->pool != NULL)
    image->path = tb_pool_text (image->pool, path, strlen (path));
  if (image == NULL || image->path == NULL)
    {
      tb_error (diag, "%s: no memory to read it", path);
      tb_elf_image_close (image);
      return NULL;
    }
  if (tb_filemap_open (&image->map, path, diag) != TB_OK)
    {
      tb_elf_image_close (image);
      return NULL;
    }
  GElf_Ehdr header;
  elf_version (EV_CURRENT);
  if (image->map.size > 0)
    image->elf = elf_memory ((char *) image->map.data, image->map.size);
  if (image->elf == NULL || elf_kind (image->elf) != ELF_K_ELF
      || gelf_getehdr (image->elf, &header) == NULL)
    {
      tb_error (diag, "%s: expected an ELF file, found %s", path,
		image->map.size == 0 ? "an empty file"
		: image->elf != NULL && elf_kind (image->elf) == ELF_K_AR
		? "an archive" : "something else");
      tb_elf_image_close (image);
      return NULL;
    }
  if (check_header (path, &header, diag) != TB_OK)
    {
      tb_elf_image_close (image);
      return NULL;
    }
  image->is_a64 = header.e_machine == EM_AARCH64;
  return image;
}

void
tb_elf_image_close (struct tb_elf_image *image)
{
  if (image == NULL)
    return;
  if (image->elf != NULL)
    elf_end (image->elf);
  if (image->pool != NULL)
    objalloc_free (image->pool);
  tb_filemap_close (&image->map);
  free (image);
}

bool
tb_elf_image_is_a64 (const struct tb_elf_image *image)
{
  return image->is_a64;
}

void
tb_elf_image_place (struct tb_elf_image *image, const struct tb_loaded *loaded)
{
  image->bias = tb_loaded_bias (loaded, image->elf, image->path);
}

const uint8_t *
tb_elf_image_build_id (const struct tb_elf_image *image, uint64_t *address, size_t *size)
{
  size_t count = 0;
  if (elf_getphdrnum (image->elf, &count) != 0)
    return NULL;
  for (size_t i = 0; i < count && i < INT32_MAX; i++)
    {
      GElf_Phdr segment;
      GElf_Nhdr note;
      size_t name, desc;
      if (gelf_getphdr (image->elf, (int) i, &segment) == NULL || segment.p_type != PT_NOTE
	  || segment.p_offset > image->map.size
	  || segment.p_filesz > image->map.size - segment.p_offset)
	continue;
      Elf_Data *data = elf_getdata_rawchunk (image->elf, (int64_t) segment.p_offset,
					     segment.p_filesz, segment.p_align == 8
					     ? ELF_T_NHDR8 : ELF_T_NHDR);
      for (size_t at = 0; data != NULL
			  && (at = gelf_getnote (data, at, &note, &name, &desc)) > 0;)
	if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU
	    && memcmp ((const char *) data->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0
	    && note.n_descsz > 0 && desc <= data->d_size && note.n_descsz <= data->d_size - desc)
	  {
	    *address = segment.p_vaddr + desc + image->bias;
	    *size = note.n_descsz;
	    return image->map.data + segment.p_offset + desc;
	  }
    }
  return NULL;
}

uint64_t
tb_elf_image_bias (const struct tb_elf_image *image)
{
  return image->bias;
}

const char *
tb_elf_image_path (const struct tb_elf_image *image)
{
  return image->path;
}

/* The build attributes of IMAGE, *SIZE bytes; NULL: none.  */
static const uint8_t *
attributes_of (const struct tb_elf_image *image, size_t *size)
{
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  while (!image->is_a64
	 && (section = elf_nextscn (image->elf, section)) != NULL)
    if (gelf_getshdr (section, &header) != NULL
	&& header.sh_type == SHT_ARM_ATTRIBUTES
	&& header.sh_offset <= image->map.size
	&& header.sh_size <= image->map.size - header.sh_offset)
      {
	*size = header.sh_size;
	return image->map.data + header.sh_offset;
      }
  return NULL;
}

char
tb_elf_image_profile (const struct tb_elf_image *image)
{
  size_t size;
  const uint8_t *data = attributes_of (image, &size);
  return data != NULL ? tb_elf_attributes_profile (data, size) : 0;
}

const char *
tb_elf_image_core_type (const struct tb_elf_image *image)
{
  /* By Tag_CPU_arch ("Addenda to the ABI for the Arm Architecture", 3.3.5.2).  */
  static const char *const types[] = {
    [2] = "ARMv4T", [3] = "ARMv5T", [4] = "ARMv5TE", [5] = "ARMv5TEJ", [6] = "ARMv6",
    [7] = "ARMv6KZ", [8] = "ARMv6T2", [9] = "ARMv6K", [11] = "ARMv6-M",
    [12] = "ARMv6S-M", [13] = "ARMv7E-M", [14] = "ARMv8-A", [15] = "ARMv8-R",
    [16] = "ARMv8-M.base", [17] = "ARMv8-M.main", [21] = "ARMv8.1-M.main",
    [22] = "ARMv9-A"
  };
  enum { V7 = 10 };
  size_t size;
  const uint8_t *data = attributes_of (image, &size);
  if (image->is_a64)
    return "ARMv8-A";
  unsigned arch = data != NULL ? tb_elf_attributes_arch (data, size) : 0;
  if (arch == V7)
    switch (tb_elf_attributes_profile (data, size))
      {
      case 'M': return "ARMv7-M";
      case 'R': return "ARMv7-R";
      default: return "ARMv7-A";
      }
  return arch < sizeof types / sizeof types[0] ? types[arch] : NULL;
}

/* Add the SIZE bytes at OFFSET of the file at ADDRESS.  WHAT names them.  */
static enum tb_status
add_part (struct tb_elf_image *image, struct tb_memmap *map, const char *what,
	  uint64_t address, uint64_t offset, uint64_t size, bool writable,
	  struct tb_diag *diag)
{
  if (offset > image->map.size || size > image->map.size - offset)
    {
      tb_error (diag, "%s: %.80s: expected contents inside the file of %zu "
		"bytes, found %" PRIu64 " bytes at offset %" PRIu64,
		image->path, what, image->map.size, size, offset);
      return TB_ERR_INPUT;
    }
  const char *slash = strrchr (image->path, '/');
  const char *base = slash != NULL ? slash + 1 : image->path;
  size_t length = strlen (base), more = strnlen (what, 80);
  char *name = tb_pool_alloc (image->pool, length + more + 2);
  if (name == NULL)
    {
      tb_error (diag, "%s: no memory to read it", image->path);
      return TB_ERR_MEMORY;
    }
  memcpy (name, base, length);
  name[length] = ' ';
  memcpy (name + length + 1, what, more);
  name[length + 1 + more] = '\0';
  struct tb_region region = {
    .address = address + image->bias, .length = size, .space = image->space,
    .access = writable ? TB_ACCESS_WRITE : TB_ACCESS_READ,
    .data = image->map.data + offset, .name = name, .elf = image
  };
  return tb_memmap_add (map, &region, diag);
}

/* Add the allocated sections; *COUNT is how many.  */
static enum tb_status
add_sections (struct tb_elf_image *image, struct tb_memmap *map,
	      size_t *count, struct tb_diag *diag)
{
  size_t names = 0;
  bool has_names = elf_getshdrstrndx (image->elf, &names) == 0;
  *count = 0;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn (image->elf, scn)) != NULL;)
    {
      GElf_Shdr header;
      if (gelf_getshdr (scn, &header) == NULL)
	{
	  tb_error (diag, "%s: expected a header of section %zu, found none "
		    "that can be read: %s", image->path, elf_ndxscn (scn),
		    elf_errmsg (-1));
	  return TB_ERR_INPUT;
	}
      if (!(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS
	  || header.sh_type == SHT_NULL || (header.sh_flags & SHF_COMPRESSED)
	  || header.sh_size == 0)
	continue;
      const char *name = has_names
			 ? elf_strptr (image->elf, names, header.sh_name)
			 : NULL;
      enum tb_status status
	= add_part (image, map, name != NULL ? name : "(section)",
		    header.sh_addr, header.sh_offset, header.sh_size,
		    (header.sh_flags & SHF_WRITE) != 0, diag);
      if (status != TB_OK)
	return status;
      ++*count;
    }
  return TB_OK;
}

static enum tb_status
add_segments (struct tb_elf_image *image, struct tb_memmap *map,
	      struct tb_diag *diag)
{
  size_t count = 0;
  if (elf_getphdrnum (image->elf, &count) != 0)
    {
      tb_error (diag, "%s: expected program headers, found none that can be "
		"read: %s", image->path, elf_errmsg (-1));
      return TB_ERR_INPUT;
    }
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (image->elf, (int) i, &header) == NULL)
	{
	  tb_error (diag, "%s: expected program header %zu, found none that "
		    "can be read: %s", image->path, i, elf_errmsg (-1));
	  return TB_ERR_INPUT;
	}
      if (header.p_type != PT_LOAD || header.p_filesz == 0)
	continue;
      enum tb_status status
	= add_part (image, map, "(segment)", header.p_vaddr, header.p_offset,
		    header.p_filesz, (header.p_flags & PF_W) != 0, diag);
      if (status != TB_OK)
	return status;
    }
  return TB_OK;
}

enum tb_status
tb_elf_image_map (struct tb_elf_image *image, struct tb_memmap *map,
		  enum tb_space space, struct tb_diag *diag)
{
  size_t count;
  image->space = space;
  enum tb_status status = add_sections (image, map, &count, diag);
  if (status == TB_OK && count == 0)
    status = add_segments (image, map, diag);
  return status;
}

/* Where SYMBOL of IMAGE is, for which the file says VALUE.  An absolute one is a number, which
   stays as it is wherever the file is loaded (System V ABI, "Symbol Table").  */
static uint64_t
loaded_at (const struct tb_elf_image *image, const GElf_Sym *symbol, uint64_t value)
{
  return value + (symbol->st_shndx != SHN_ABS ? image->bias : 0);
}

bool
tb_elf_image_functions (struct tb_elf_image *image, uint64_t **addresses,
			size_t *count)
{
  struct tb_elf_symbols symbols = { .elf = image->elf };
  GElf_Sym symbol;
  size_t capacity = *count;
  while (tb_elf_symbols_next (&symbols, &symbol))
    {
      if (GELF_ST_TYPE (symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
	continue;
      if (!TB_GROW (*addresses, capacity, *count, 1))
	return false;
      (*addresses)[(*count)++] = loaded_at (image, &symbol, symbol.st_value);
    }
  return true;
}

size_t
tb_elf_image_symbol (struct tb_elf_image *image, const char *name,
		     uint64_t *address, uint64_t *size)
{
  struct tb_elf_symbols symbols = { .elf = image->elf };
  GElf_Sym symbol;
  size_t found = 0;
  while (tb_elf_symbols_next (&symbols, &symbol))
    {
      unsigned type = GELF_ST_TYPE (symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF
	  || (type != STT_OBJECT && type != STT_FUNC && type != STT_NOTYPE)
	  || !tb_elf_symbols_named (&symbols, &symbol, name))
	continue;
      bool thumb = !image->is_a64 && type == STT_FUNC;
      uint64_t at = loaded_at (image, &symbol, symbol.st_value & ~(uint64_t) thumb);
      if (found > 0 && *address == at)
	continue;		/* In both tables.  */
      if (found++ > 0)
	continue;
      *address = at;
      *size = symbol.st_size;
    }
  return found;
}

void
tb_elf_image_objects (struct tb_elf_image *image,
		      void (*take) (void *context, const char *name, uint64_t address,
				    uint64_t size), void *context)
{
  struct tb_elf_symbols symbols = { .elf = image->elf };
  GElf_Sym symbol;
  while (tb_elf_symbols_next (&symbols, &symbol))
    {
      if (GELF_ST_TYPE (symbol.st_info) != STT_OBJECT
	  || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
	continue;
      const char *name = tb_elf_symbols_name (&symbols, &symbol);
      if (name != NULL)
	take (context, name, loaded_at (image, &symbol, symbol.st_value), symbol.st_size);
    }
}

bool
tb_elf_image_initial (struct tb_elf_image *image, struct tb_initial **items,
		      size_t *count)
{
  size_t n = 0;
  if (elf_getphdrnum (image->elf, &n) != 0)
    return true;		/* Without program headers nothing is loaded. */
  for (size_t i = 0; i < n && i < INT32_MAX; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (image->elf, (int) i, &header) == NULL
	  || header.p_type != PT_LOAD || !(header.p_flags & PF_W)
	  || header.p_memsz == 0 || header.p_filesz > header.p_memsz
	  || header.p_offset > image->map.size
	  || header.p_filesz > image->map.size - header.p_offset
	  || header.p_memsz - 1 > UINT64_MAX - header.p_vaddr)
	continue;
      struct tb_initial *more = realloc (*items, (*count + 2) * sizeof *more);
      if (more == NULL)
	return false;
      *items = more;
      if (header.p_filesz > 0)
	more[(*count)++] = (struct tb_initial) {
	  .address = header.p_vaddr + image->bias, .length = header.p_filesz,
	  .data = image->map.data + header.p_offset,
	  .direct = header.p_vaddr == header.p_paddr
	};
      if (header.p_memsz > header.p_filesz)
	more[(*count)++] = (struct tb_initial) {
	  .address = header.p_vaddr + image->bias + header.p_filesz,
	  .length = header.p_memsz - header.p_filesz
	};
    }
  return true;
}
