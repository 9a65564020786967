/* Tests of the symbols of ELF files: snapshot/elf-symbols.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "snapshot/elf-symbols.h"

#define SECTIONS 8
#define SYMBOLS 4

/* A file with sections of symbols and names.  */
struct file
{
  Elf32_Ehdr head;
  Elf32_Shdr sections[SECTIONS];
  Elf32_Sym symbols[SYMBOLS];
  char names[16];
};

static const char names[16] = "\0one\0two\0no end!";

/* The file's numbers are those of the machine.  */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

/* Let FILE have symbols called "one", "two", by what has no end, and by what is outside.  */
static void
make (struct file *file)
{
  static const Elf32_Word at[SYMBOLS] = { 1, 5, 9, 16 };
  *file = (struct file) {
    .head = {
      .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, OWN_ORDER, EV_CURRENT }, .e_type = ET_EXEC,
      .e_machine = EM_ARM, .e_version = EV_CURRENT, .e_shoff = offsetof (struct file, sections),
      .e_ehsize = sizeof (Elf32_Ehdr), .e_shentsize = sizeof (Elf32_Shdr), .e_shnum = SECTIONS
    }
  };
  memcpy (file->names, names, sizeof names);
  for (unsigned i = 0; i < SYMBOLS; i++)
    file->symbols[i] = (Elf32_Sym) { .st_name = at[i], .st_value = 0x100 * (i + 1) };
}

/* Let section NUMBER of FILE be of TYPE, with COUNT symbols.  */
static void
add_table (struct file *file, unsigned number, Elf32_Word type, unsigned count)
{
  file->sections[number] = (Elf32_Shdr) {
    .sh_type = type, .sh_offset = offsetof (struct file, symbols),
    .sh_size = count * (Elf32_Word) sizeof (Elf32_Sym), .sh_link = 1,
    .sh_entsize = sizeof (Elf32_Sym), .sh_addralign = 4
  };
}

/* The number of symbols that SIZE bytes at FILE have, and the sum of their values.  */
static unsigned
count_symbols (void *file, size_t size, GElf_Addr *sum)
{
  GElf_Sym symbol;
  unsigned count = 0;
  struct tb_elf_symbols symbols = { .elf = elf_memory (file, size) };
  *sum = 0;
  if (!CHECK (symbols.elf != NULL))
    return 0;
  for (; tb_elf_symbols_next (&symbols, &symbol); count++)
    *sum += symbol.st_value;
  CHECK (!tb_elf_symbols_next (&symbols, &symbol));
  elf_end (symbols.elf);
  return count;
}

/* Tables that share their bytes are not so many symbols: one of each type counts.  */
static void
test_tables (void)
{
  struct file file;
  GElf_Addr sum;
  make (&file);
  CHECK_INT (count_symbols (&file, sizeof file, &sum), 0);
  add_table (&file, 2, SHT_DYNSYM, 1);
  add_table (&file, 3, SHT_SYMTAB, 3);
  add_table (&file, 4, SHT_SYMTAB, 4);
  add_table (&file, 5, SHT_DYNSYM, 2);
  CHECK_INT (count_symbols (&file, sizeof file, &sum), 4);
  CHECK_INT (sum, 0x100 + 0x100 + 0x200 + 0x300);
  /* One without a size of its entries is none, and its place is free.  */
  file.sections[3].sh_entsize = 0;
  CHECK_INT (count_symbols (&file, sizeof file, &sum), 5);
  /* One that is not in the file is the one that there is.  */
  file.sections[4].sh_offset = sizeof file;
  add_table (&file, 6, SHT_SYMTAB, 4);
  CHECK_INT (count_symbols (&file, sizeof file, &sum), 1);
}

static void
test_names (void)
{
  static const char *const want[SYMBOLS] = { "one", "two", NULL, NULL };
  /* What stands behind a name does not count.  */
  static const char one[] = "one\0?";
  struct file file;
  GElf_Sym symbol;
  make (&file);
  add_table (&file, 2, SHT_SYMTAB, SYMBOLS);
  for (int with = 1; with >= 0; with--)
    {
      file.sections[1] = (Elf32_Shdr) {
	.sh_type = with ? SHT_STRTAB : SHT_PROGBITS, .sh_offset = offsetof (struct file, names),
	.sh_size = sizeof names
      };
      struct tb_elf_symbols symbols = { .elf = elf_memory ((char *) &file, sizeof file) };
      for (unsigned i = 0; i < SYMBOLS && CHECK (tb_elf_symbols_next (&symbols, &symbol)); i++)
	{
	  const char *name = tb_elf_symbols_name (&symbols, &symbol);
	  if (want[i] != NULL && with)
	    CHECK_STR (name != NULL ? name : "none", want[i]);
	  else
	    CHECK (name == NULL);
	  CHECK_INT (tb_elf_symbols_named (&symbols, &symbol, one), i == 0 && with);
	  CHECK_INT (tb_elf_symbols_named (&symbols, &symbol, "tw"), 0);
	  CHECK_INT (tb_elf_symbols_named (&symbols, &symbol, "no end and more"), 0);
	}
      elf_end (symbols.elf);
    }
}

/* Names that have no end cost no more than they may be long, each.  */
static void
test_endless_name (void)
{
  enum { COUNT = 100000, LENGTH = 16 << 20 };
  struct tb_elf_symbols symbols = { .elf = NULL };
  GElf_Sym symbol;
  size_t size = sizeof (struct file) + COUNT * sizeof (Elf32_Sym) + LENGTH;
  struct file *file = calloc (size, 1);
  if (!CHECK (file != NULL))
    return;
  make (file);
  add_table (file, 2, SHT_SYMTAB, COUNT);
  file->sections[2].sh_offset = sizeof *file;
  file->sections[1] = (Elf32_Shdr) {
    .sh_type = SHT_STRTAB, .sh_offset = (Elf32_Off) (size - LENGTH), .sh_size = LENGTH
  };
  char *text = (char *) file + size - LENGTH;
  memset (text, 'a', LENGTH);
  /* The longest that is one.  */
  text[TB_ELF_NAME_MOST] = '\0';
  clock_t begin = clock ();
  symbols.elf = elf_memory ((char *) file, size);
  unsigned named = 0, count = 0;
  for (; tb_elf_symbols_next (&symbols, &symbol); count++)
    {
      if (count < 2)
	symbol.st_name = count;
      else
	symbol.st_name = TB_ELF_NAME_MOST + 1;
      named += tb_elf_symbols_name (&symbols, &symbol) != NULL;
      CHECK (!tb_elf_symbols_named (&symbols, &symbol, "abc"));
    }
  double seconds = (double) (clock () - begin) / CLOCKS_PER_SEC;
  if (!CHECK (seconds < 20))
    fprintf (stderr, "  %f s\n", seconds);
  CHECK_INT (count, COUNT);
  CHECK_INT (named, 1);
  elf_end (symbols.elf);
  free (file);
}

int
main (void)
{
  elf_version (EV_CURRENT);
  test_tables ();
  test_names ();
  test_endless_name ();
  return check_done ();
}
