/* The symbols of an ELF file.  See elf-symbols.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/elf-symbols.h"

#include <limits.h>
#include <string.h>

/* Let SYMBOLS have the names in section NUMBER, if it has some.  */
static void
find_names (struct tb_elf_symbols *symbols, size_t number)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_getscn (symbols->elf, number);
  Elf_Data *data = section != NULL && gelf_getshdr (section, &header) != NULL
		   && header.sh_type == SHT_STRTAB && !(header.sh_flags & SHF_COMPRESSED)
		   ? elf_getdata (section, NULL) : NULL;
  symbols->names = data != NULL ? data->d_buf : NULL;
  symbols->names_size = symbols->names != NULL ? data->d_size : 0;
}

/* Go on to the next table; false: there is none.  */
static bool
find_table (struct tb_elf_symbols *symbols)
{
  GElf_Shdr header;
  while ((symbols->section = elf_nextscn (symbols->elf, symbols->section)) != NULL)
    {
      if (gelf_getshdr (symbols->section, &header) == NULL
	  || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
	  || header.sh_entsize == 0)
	continue;
      bool *seen = header.sh_type == SHT_DYNSYM ? &symbols->seen_dynamic : &symbols->seen;
      symbols->table = *seen ? NULL : elf_getdata (symbols->section, NULL);
      *seen = true;
      if (symbols->table == NULL)
	continue;
      symbols->at = 0;
      symbols->count = symbols->table->d_size / header.sh_entsize;
      /* libelf counts them so.  */
      if (symbols->count > INT_MAX)
	symbols->count = INT_MAX;
      find_names (symbols, header.sh_link);
      return true;
    }
  return false;
}

bool
tb_elf_symbols_next (struct tb_elf_symbols *symbols, GElf_Sym *symbol)
{
  do
    while (symbols->at < symbols->count)
      if (gelf_getsym (symbols->table, (int) symbols->at++, symbol) != NULL)
	return true;
  while (find_table (symbols));
  return false;
}

const char *
tb_elf_symbols_name (const struct tb_elf_symbols *symbols, const GElf_Sym *symbol)
{
  if (symbol->st_name >= symbols->names_size)
    return NULL;
  const char *name = symbols->names + symbol->st_name;
  size_t room = symbols->names_size - symbol->st_name;
  return memchr (name, 0, room < TB_ELF_NAME_MOST ? room : TB_ELF_NAME_MOST) != NULL ? name : NULL;
}

bool
tb_elf_symbols_named (const struct tb_elf_symbols *symbols, const GElf_Sym *symbol,
		      const char *name)
{
  size_t length = strlen (name) + 1;
  return symbol->st_name < symbols->names_size
	 && symbols->names_size - symbol->st_name >= length
	 && memcmp (symbols->names + symbol->st_name, name, length) == 0;
}
