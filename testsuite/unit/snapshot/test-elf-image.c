/* Unit tests of the ELF reader.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <endian.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>

#include "elf-little.h"
#include "snapshot-tree.h"
#include "snapshot/elf-image.h"

static struct tree tree;

/* What the ELF file of a test is like.  */
struct form
{
  int class, data, machine, type;
  unsigned flags;
  bool sections;		/* Otherwise segments only.  */
};

static const struct form a32 = {
  ELFCLASS32, ELFDATA2LSB, EM_ARM, ET_EXEC, EF_ARM_EABI_VER5, true
};

static uint8_t text_bytes[] = "the text";
static uint8_t data_bytes[] = "the data";
static char names[] = "\0.text\0.data\0.bss\0.zdata\0.note\0.names";

static void
need (bool good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "%s: %s\n", what, elf_errmsg (-1));
  exit (1);
}

static void
add_section (Elf *elf, unsigned name, unsigned type, uint64_t flags,
	     uint64_t address, void *bytes, size_t size)
{
  Elf_Scn *scn = elf_newscn (elf);
  Elf_Data *data = scn != NULL ? elf_newdata (scn) : NULL;
  need (data != NULL, "elf_newdata");
  data->d_buf = bytes;
  data->d_size = size;
  data->d_align = 1;
  data->d_type = ELF_T_BYTE;
  GElf_Shdr header;
  need (gelf_getshdr (scn, &header) != NULL, "gelf_getshdr");
  header.sh_name = name;
  header.sh_type = type;
  header.sh_flags = flags;
  header.sh_addr = address;
  need (gelf_update_shdr (scn, &header) != 0, "gelf_update_shdr");
}

/* Write an ELF file of FORM, called NAME.  */
static void
write_elf (const char *name, const struct form *form)
{
  int fd = open (tree_path (&tree, name), O_RDWR | O_CREAT | O_TRUNC, 0666);
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (fd, ELF_C_WRITE, NULL);
  need (elf != NULL && gelf_newehdr (elf, form->class) != NULL, "elf_begin");
  GElf_Ehdr header;
  need (gelf_getehdr (elf, &header) != NULL, "gelf_getehdr");
  header.e_ident[EI_DATA] = (unsigned char) form->data;
  header.e_machine = (GElf_Half) form->machine;
  header.e_type = (GElf_Half) form->type;
  header.e_version = EV_CURRENT;
  header.e_flags = form->flags;
  if (form->sections)
    {
      add_section (elf, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x8000,
		   text_bytes, 8);
      add_section (elf, 7, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x20000000,
		   data_bytes, 8);
      add_section (elf, 13, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0x20000008,
		   NULL, 64);
      add_section (elf, 18, SHT_PROGBITS, SHF_ALLOC | SHF_COMPRESSED, 0x9000,
		   data_bytes, 8);
      add_section (elf, 25, SHT_PROGBITS, 0, 0xa000, data_bytes, 8);
      add_section (elf, 31, SHT_STRTAB, 0, 0, names, sizeof names);
      header.e_shstrndx = 6;
    }
  need (gelf_update_ehdr (elf, &header) != 0, "gelf_update_ehdr");
  if (!form->sections)
    {
      /* The file's own header is what the segments have.  */
      need (gelf_newphdr (elf, 3) != NULL, "gelf_newphdr");
      for (int i = 0; i < 3; i++)
	{
	  GElf_Phdr segment = {
	    .p_type = i == 0 ? PT_NOTE : PT_LOAD, .p_offset = 0,
	    .p_vaddr = i == 2 ? 0x30000000 : 0x10000000,
	    .p_filesz = 16, .p_memsz = 32,
	    .p_flags = i == 2 ? PF_R | PF_W : PF_R | PF_X
	  };
	  need (gelf_update_phdr (elf, i, &segment) != 0, "gelf_update_phdr");
	}
    }
  need (elf_update (elf, ELF_C_WRITE) > 0, "elf_update");
  elf_end (elf);
  close (fd);
}

/* Open NAME and map it.  NULL where that fails.  */
static struct tb_elf_image *
map_elf (const char *name, struct tb_memmap **map)
{
  tree_forget (&tree);
  *map = tb_memmap_new ();
  struct tb_elf_image *image = tb_elf_image_open (tree_path (&tree, name),
						  &tree.diag);
  if (image != NULL && tb_elf_image_map (image, *map, TB_SPACE_ANY, &tree.diag) == TB_OK
      && tb_memmap_seal (*map, &tree.diag) == TB_OK)
    return image;
  tb_memmap_free (*map);
  *map = NULL;
  tb_elf_image_close (image);
  return NULL;
}

static void
check_region (const struct tb_memmap *map, uint64_t address, const char *bytes,
	      size_t length, enum tb_access access, const char *name)
{
  uint64_t got;
  const struct tb_region *region;
  const uint8_t *data = tb_memmap_at (map, TB_SPACE_ANY, address, &got,
				      &region);
  if (!CHECK (data != NULL))
    return;
  CHECK_INT (got, length);
  CHECK (memcmp (data, bytes, length) == 0);
  CHECK_INT (region->access, access);
  CHECK_STR (region->name, name);
  CHECK (!region->halt_contents);
  CHECK_INT (region->space, TB_SPACE_ANY);
}

static void
test_sections (void)
{
  static const struct form forms[] = {
    { ELFCLASS32, ELFDATA2LSB, EM_ARM, ET_EXEC, EF_ARM_EABI_VER5, true },
    { ELFCLASS64, ELFDATA2LSB, EM_AARCH64, ET_DYN, 0, true }
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    {
      struct tb_memmap *map;
      write_elf ("prog.elf", &forms[i]);
      struct tb_elf_image *image = map_elf ("prog.elf", &map);
      if (!CHECK (image != NULL))
	{
	  fprintf (stderr, "%s", tree.said);
	  continue;
	}
      CHECK_STR (tree.said, "");
      CHECK (tb_elf_image_is_a64 (image)
	     == (forms[i].machine == EM_AARCH64));
      const struct tb_region *regions;
      CHECK_INT (tb_memmap_regions (map, &regions), 2);
      check_region (map, 0x8000, "the text", 8, TB_ACCESS_READ,
		    "prog.elf .text");
      check_region (map, 0x20000000, "the data", 8, TB_ACCESS_WRITE,
		    "prog.elf .data");
      tb_memmap_free (map);
      tb_elf_image_close (image);
    }
}

static void
test_segments (void)
{
  struct form form = a32;
  struct tb_memmap *map;
  form.sections = false;
  write_elf ("prog.elf", &form);
  struct tb_elf_image *image = map_elf ("prog.elf", &map);
  if (!CHECK (image != NULL))
    return;
  static const char magic[16] = "\177ELF\1\1\1";
  const struct tb_region *regions;
  CHECK_INT (tb_memmap_regions (map, &regions), 2);
  check_region (map, 0x10000000, magic, 16, TB_ACCESS_READ,
		"prog.elf (segment)");
  check_region (map, 0x30000000, magic, 16, TB_ACCESS_WRITE,
		"prog.elf (segment)");
  tb_memmap_free (map);
  tb_elf_image_close (image);
}

/* What variables have at reset: what the file has of a segment that is written, and zeros
   behind it.  */
static void
test_initial (void)
{
  struct form form = a32;
  struct tb_memmap *map;
  form.sections = false;
  write_elf ("prog.elf", &form);
  struct tb_elf_image *image = map_elf ("prog.elf", &map);
  struct tb_initial *items = NULL;
  size_t count = 0;
  if (!CHECK (image != NULL))
    return;
  if (CHECK (tb_elf_image_initial (image, &items, &count)) && CHECK_INT (count, 2))
    {
      CHECK_INT (items[0].address, 0x30000000);
      CHECK_INT (items[0].length, 16);
      CHECK (items[0].data != NULL && memcmp (items[0].data, ELFMAG, SELFMAG) == 0);
      /* It is loaded at its physical address, which is another one.  */
      CHECK (!items[0].direct);
      CHECK_INT (items[1].address, 0x30000010);
      CHECK_INT (items[1].length, 16);
      CHECK (items[1].data == NULL && !items[1].direct);
    }
  free (items);
  tb_elf_image_close (image);
  tb_memmap_free (map);
}

static void
test_refused (void)
{
  static const struct { struct form form; const char *said; } cases[] = {
    { { ELFCLASS64, ELFDATA2LSB, EM_X86_64, ET_EXEC, 0, true },
      "prog.elf: expected an ELF file for Arm or AArch64, found machine 62" },
    { { ELFCLASS32, ELFDATA2LSB, EM_ARM, ET_REL, 0, true },
      "expected an executable or shared ELF file, found type 1" },
    { { ELFCLASS32, ELFDATA2MSB, EM_ARM, ET_EXEC, 0, true },
      "expected a little-endian ELF file, found a big-endian one (BE32, " },
    { { ELFCLASS32, ELFDATA2MSB, EM_ARM, ET_EXEC, EF_ARM_BE8, true },
      "expected a little-endian ELF file, found a big-endian one (BE8, " },
    { { ELFCLASS64, ELFDATA2MSB, EM_AARCH64, ET_EXEC, 0, true },
      "expected a little-endian ELF file, found a big-endian one (AArch64)" }
  };
  struct tb_memmap *map;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      write_elf ("prog.elf", &cases[i].form);
      CHECK (map_elf ("prog.elf", &map) == NULL);
      CHECK (tree_said (&tree, cases[i].said));
      CHECK_INT (tree.diag.errors, 1);
    }
  static const struct { const char *text, *said; } files[] = {
    { "", "file: expected an ELF file, found an empty file" },
    { "[snapshot]\n", "file: expected an ELF file, found something else" },
    { "\177ELF", "file: expected an ELF file, found something else" },
    { "!<arch>\n", "file: expected an ELF file, found an archive" }
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    {
      tree_write (&tree, "file", files[i].text);
      CHECK (map_elf ("file", &map) == NULL);
      CHECK (tree_said (&tree, files[i].said));
    }
  CHECK (map_elf ("gone", &map) == NULL);
  CHECK (tree_said (&tree, "gone: cannot open"));
  CHECK (map_elf (".", &map) == NULL);
}

/* A file cut anywhere, and one with bytes changed: no harm, and what is mapped
   can be read.  */
static void
test_damaged (bool sections)
{
  struct form form = a32;
  uint8_t bytes[2048], broken[2048];
  form.sections = sections;
  write_elf ("prog.elf", &form);
  FILE *file = fopen (tree_path (&tree, "prog.elf"), "rb");
  size_t size = file != NULL ? fread (bytes, 1, sizeof bytes, file) : 0;
  need (size > 100 && size < sizeof bytes, "fread");
  fclose (file);

  unsigned good = 0, bad = 0;
  uint32_t seed = 7;
  for (size_t i = 0; i < 4 * size; i++)
    {
      size_t length = i < size ? i : size;
      memcpy (broken, bytes, size);
      if (i >= size)
	for (int n = 0; n < 3; n++)
	  {
	    seed = seed * 1664525 + 1013904223;
	    size_t at = (seed >> 8) % (n == 0 ? size : 64);
	    broken[at] = (uint8_t) (seed & 0x80000000 ? 0xff : seed >> 4);
	  }
      tree_write_bytes (&tree, "broken.elf", broken, length);
      struct tb_memmap *map;
      struct tb_elf_image *image = map_elf ("broken.elf", &map);
      if (image == NULL)
	{
	  bad++;
	  CHECK (tree.diag.errors > 0);
	  continue;
	}
      good++;
      CHECK_INT (tree.diag.errors, 0);
      const struct tb_region *regions;
      size_t count = tb_memmap_regions (map, &regions);
      uint8_t sum = 0;
      for (size_t j = 0; j < count; j++)
	for (uint64_t k = 0; k < regions[j].length; k++)
	  sum = (uint8_t) (sum + regions[j].data[k]);
      CHECK (sum == sum);
      tb_memmap_free (map);
      tb_elf_image_close (image);
    }
  CHECK (good > 0 && bad > 0);
}

/* Contents beyond the end of the file.  In an ELF32 file the program headers
   follow the 52 bytes of the file's header; each has 32 bytes, of which p_offset
   is at 4 and p_filesz at 16.  */
static void
test_beyond (void)
{
  static const struct { size_t at; uint8_t value; const char *said; } cases[] = {
    { 52 + 32 + 18, 1, "prog.elf: (segment): expected contents inside the "
      "file of " },
    { 52 + 32 + 7, 0xff, "found 16 bytes at offset 4278190080" }
  };
  struct form form = a32;
  form.sections = false;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct tb_memmap *map;
      write_elf ("prog.elf", &form);
      FILE *file = fopen (tree_path (&tree, "prog.elf"), "r+b");
      need (file != NULL && fseek (file, (long) cases[i].at, SEEK_SET) == 0
	    && fputc (cases[i].value, file) != EOF && fclose (file) == 0,
	    "fputc");
      CHECK (map_elf ("prog.elf", &map) == NULL);
      CHECK (tree_said (&tree, cases[i].said));
    }
}

/* What a core file tells of the place of a program may be anything.  */
static void
test_unplaced (void)
{
  enum { ENTRY = 0x1000, HEADERS = sizeof (Elf64_Ehdr) };
#define HEADERS_AT(bias) (AT_PHDR | ((UINT64_C (0) + (bias) + HEADERS) << 32))
#define ENTRY_AT(place) (AT_ENTRY | ((UINT64_C (0) + (place)) << 32))
  static const uint64_t page = 4096, top = UINT64_MAX - 4095, half = INT64_MAX - 4095;
  const struct
  {
    uint64_t vector[8], address, memory, bias;
    size_t size;
    unsigned word;
  } rows[] = {
    /* What is asked for comes first.  */
    { { AT_PHDR, page + HEADERS, AT_ENTRY, page + ENTRY }, 0, 0x2000, page, 32, 8 },
    /* The first of two counts; behind the end nothing does; a part of a pair is none.  */
    { { AT_ENTRY, page + ENTRY, AT_PHDR, page + HEADERS, AT_ENTRY, 9 * page }, 0, 0x2000, page, 48,
      8 },
    { { AT_ENTRY, page + ENTRY, AT_NULL, 0, AT_PHDR, page + HEADERS }, 0, 0x2000, 0, 48, 8 },
    { { AT_ENTRY, page + ENTRY, AT_PHDR, page + HEADERS }, 0, 0x2000, 0, 31, 8 },
    { { 0 }, 0, 0x2000, 0, 0, 8 },
    /* The two contradict each other, or there is no such page.  */
    { { AT_PHDR, 2 * page + HEADERS, AT_ENTRY, page + ENTRY }, 0, 0x2000, 0, 32, 8 },
    { { AT_PHDR, 8 + HEADERS, AT_ENTRY, 8 + ENTRY }, 0, 0x2000, 0, 32, 8 },
    /* Below its place, and so high that it would go around: no place.  */
    { { AT_PHDR, HEADERS - page, AT_ENTRY, ENTRY - page }, 0, 0x2000, 0, 32, 8 },
    { { AT_PHDR, top - page + HEADERS, AT_ENTRY, top - page + ENTRY }, 0, 0x3000, 0, 32, 8 },
    { { AT_PHDR, half + HEADERS, AT_ENTRY, half + ENTRY }, 0, 0x2000, half, 32, 8 },
    { { AT_PHDR, half + HEADERS, AT_ENTRY, half + ENTRY }, 0, UINT64_MAX, 0, 32, 8 },
    { { AT_PHDR, half + page + HEADERS, AT_ENTRY, half + ENTRY }, page, half + page + 1, 0, 32, 8 },
    /* Numbers of 4 bytes: two of them are one here.  */
    { { HEADERS_AT (page), ENTRY_AT (page + ENTRY) }, 0, 0x2000, page, 16, 4 },
    { { HEADERS_AT (0xfffff000), ENTRY_AT (0xfffff000) }, 0, 0x2000, 0, 16, 4 },
    { { HEADERS_AT (0xffffe000), ENTRY_AT (0xfffff000) }, 0, 0x2000, 0, 16, 4 },
    { { HEADERS_AT (0xffffe000), ENTRY_AT (0xfffff000) }, 0, 0x1fff, 0xffffe000, 16, 4 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct
      {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
      } file = {
	.header = {
	  .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
	  .e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT, .e_entry = ENTRY,
	  .e_phoff = HEADERS, .e_ehsize = HEADERS, .e_phentsize = sizeof file.segment, .e_phnum = 1
	},
	.segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_filesz = sizeof file,
		     .p_vaddr = rows[i].address, .p_memsz = rows[i].memory }
      };
      elf_little (&file.header, sizeof file.header, ELF_T_EHDR, ELFCLASS64);
      elf_little (&file.segment, sizeof file.segment, ELF_T_PHDR, ELFCLASS64);
      tree_write_bytes (&tree, "unplaced.elf", (const uint8_t *) &file, sizeof file);
      struct tb_elf_image *image = tb_elf_image_open (tree_path (&tree, "unplaced.elf"),
						      &tree.diag);
      uint64_t vector[8];
      for (unsigned k = 0; k < 8; k++)
	vector[k] = htole64 (rows[i].vector[k]);
      const struct tb_loaded loaded = {
	.vector = (const uint8_t *) vector, .vector_size = rows[i].size, .word = rows[i].word
      };
      if (!CHECK (image != NULL))
	return;
      tb_elf_image_place (image, &loaded);
      if (!CHECK_INT (tb_elf_image_bias (image), rows[i].bias))
	fprintf (stderr, "row %zu\n", i);
      tb_elf_image_close (image);
    }
}

/* A program that was loaded elsewhere than its file says: its symbols are there, and what is
   absolute is a number, which stays.  */
static void
test_placed (void)
{
  enum { TEXT = 1, SYMBOLS, STRINGS, SECTIONS };
  static const uint64_t bias = 0xaaaa0000;
  static const struct
  {
    const char *name;
    unsigned char type;
    uint16_t section;
    uint64_t value, loaded;
  } rows[] = {
    { "function", STT_FUNC, TEXT, 0x1000, 0xaaaa1000 },
    { "object", STT_OBJECT, TEXT, 0x1008, 0xaaaa1008 },
    { "number", STT_OBJECT, SHN_ABS, 0x2000, 0x2000 },
    { "mark", STT_NOTYPE, SHN_ABS, 0x10, 0x10 }
  };
  enum { ROWS = sizeof rows / sizeof rows[0] };
  struct
  {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Sym symbols[ROWS + 1];
    char strings[64];
    Elf64_Shdr sections[SECTIONS];
  } file = {
    .header = {
      .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
      .e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT, .e_entry = 0x1000,
      .e_phoff = offsetof (__typeof__ (file), segment),
      .e_shoff = offsetof (__typeof__ (file), sections),
      .e_ehsize = sizeof file.header, .e_phentsize = sizeof file.segment, .e_phnum = 1,
      .e_shentsize = sizeof file.sections[0], .e_shnum = SECTIONS, .e_shstrndx = STRINGS
    },
    .segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = sizeof file,
		 .p_memsz = sizeof file },
    .sections = {
      [TEXT] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		 .sh_addr = 0x1000, .sh_size = 16 },
      [SYMBOLS] = { .sh_type = SHT_SYMTAB, .sh_offset = offsetof (__typeof__ (file), symbols),
		    .sh_size = sizeof file.symbols, .sh_link = STRINGS,
		    .sh_entsize = sizeof file.symbols[0] },
      [STRINGS] = { .sh_type = SHT_STRTAB, .sh_offset = offsetof (__typeof__ (file), strings),
		    .sh_size = sizeof file.strings }
    }
  };
  size_t at = 1;
  for (size_t i = 0; i < ROWS; i++)
    {
      file.symbols[i + 1] = (Elf64_Sym) {
	.st_name = (Elf64_Word) at, .st_info = ELF64_ST_INFO (STB_GLOBAL, rows[i].type),
	.st_shndx = rows[i].section, .st_value = rows[i].value, .st_size = 8
      };
      strcpy (file.strings + at, rows[i].name);
      at += strlen (rows[i].name) + 1;
    }
  const uint64_t vector[] = {
    htole64 (AT_PHDR), htole64 (bias + file.header.e_phoff),
    htole64 (AT_ENTRY), htole64 (bias + file.header.e_entry), AT_NULL, 0
  };
  elf_little (&file.header, sizeof file.header, ELF_T_EHDR, ELFCLASS64);
  elf_little (&file.segment, sizeof file.segment, ELF_T_PHDR, ELFCLASS64);
  elf_little (file.symbols, sizeof file.symbols, ELF_T_SYM, ELFCLASS64);
  elf_little (file.sections, sizeof file.sections, ELF_T_SHDR, ELFCLASS64);
  tree_write_bytes (&tree, "placed.elf", (const uint8_t *) &file, sizeof file);
  struct tb_elf_image *image = tb_elf_image_open (tree_path (&tree, "placed.elf"), &tree.diag);
  if (!CHECK (image != NULL))
    return;
  const struct tb_loaded loaded = {
    .vector = (const uint8_t *) vector, .vector_size = sizeof vector, .word = 8
  };
  tb_elf_image_place (image, &loaded);
  CHECK_INT (tb_elf_image_bias (image), bias);
  for (size_t i = 0; i < ROWS; i++)
    {
      uint64_t address = 0, size = 0;
      CHECK_INT (tb_elf_image_symbol (image, rows[i].name, &address, &size), 1);
      CHECK_INT (address, rows[i].loaded);
    }
  tb_elf_image_close (image);
}

int
main (void)
{
  tree_make (&tree);
  test_placed ();
  test_unplaced ();
  test_sections ();
  test_segments ();
  test_initial ();
  test_refused ();
  test_damaged (true);
  test_damaged (false);
  test_beyond ();
  tree_remove (&tree);
  return check_done ();
}
