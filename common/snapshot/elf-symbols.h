/* The symbols of an ELF file.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file has at most one table of each type, SHT_SYMTAB and SHT_DYNSYM (System V ABI, "Sections");
   further ones are passed over: they could share their bytes, and be any number of symbols in a
   small file.  A name takes no longer to look at than it is: libelf's elf_strptr looks for the end
   of the last name of all, each time.  */

#ifndef TB_SNAPSHOT_ELF_SYMBOLS_H
#define TB_SNAPSHOT_ELF_SYMBOLS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* Symbols while they are gone through.  Zero but for ELF before use; nothing is to be freed.  */
struct tb_elf_symbols
{
  Elf *elf;
  Elf_Scn *section;
  bool seen, seen_dynamic;
  Elf_Data *table;		/* The one that is gone through.  */
  size_t at, count;		/* The next symbol in it.  */
  const char *names;
  size_t names_size;
};

/* The next symbol that can be read; false: there are no more.  */
bool tb_elf_symbols_next (struct tb_elf_symbols *symbols, GElf_Sym *symbol);

/* The name of SYMBOL, the last one; NULL: it has none that ends, or one longer than
   TB_ELF_NAME_MOST.  */
#define TB_ELF_NAME_MOST 65536
const char *tb_elf_symbols_name (const struct tb_elf_symbols *symbols, const GElf_Sym *symbol);

/* Is the name of SYMBOL, the last one, NAME?  */
bool tb_elf_symbols_named (const struct tb_elf_symbols *symbols, const GElf_Sym *symbol,
			   const char *name);

#endif /* TB_SNAPSHOT_ELF_SYMBOLS_H */
