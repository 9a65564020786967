/* The functions that one ELF file names.  See module-functions.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/module-functions.h"

#include <stdint.h>
#include <stdlib.h>

/* Of several names of one address the best: how good SYMBOL is, 0: it names no
   code.  */
static unsigned
rank (const GElf_Sym *symbol, const char *name, bool executable)
{
  unsigned type = GELF_ST_TYPE (symbol->st_info);
  unsigned bind = GELF_ST_BIND (symbol->st_info);
  /* $a, $t, $x and $d say what is code and what is data (ELF for the Arm
     architecture, "Mapping symbols").  */
  if (symbol->st_shndx == SHN_UNDEF || name == NULL || name[0] == '\0'
      || name[0] == '$'
      || (type != STT_FUNC && (type != STT_NOTYPE || !executable)))
    return 0;
  return (type == STT_FUNC ? 8u : 0u) + (symbol->st_size != 0 ? 4u : 0u)
	 + (bind == STB_GLOBAL ? 3u : bind == STB_WEAK ? 2u : 1u);
}

struct found_symbol
{
  struct tb_function function;
  unsigned rank;
  size_t order;			/* Of the file.  */
};

static int
by_address (const void *x, const void *y)
{
  const struct found_symbol *a = x, *b = y;
  if (a->function.address != b->function.address)
    return a->function.address < b->function.address ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank > b->rank ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* The COUNT symbols of LIST, sorted: of each address the best, and where each ends.  How many
   are left; they are the first of FUNCTIONS.  */
static size_t
choose (const struct found_symbol *list, size_t count, struct tb_function *functions)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || list[i].function.address != functions[n - 1].address)
      functions[n++] = list[i].function;
  /* Those whose end the file does not tell go on to the next.  */
  for (size_t i = 0; i < n; i++)
    {
      struct tb_function *f = &functions[i];
      if (!f->is_sized && i + 1 < n
	  && (functions[i + 1].address < f->end || f->end <= f->address))
	f->end = functions[i + 1].address;
      if (f->end <= f->address)
	f->end = f->address + 1;
    }
  return n;
}

struct tb_function *
tb_module_functions (Dwfl_Module *module, size_t *count)
{
  int symbols = dwfl_module_getsymtab (module);
  struct found_symbol *list = calloc ((size_t) (symbols > 0 ? symbols : 0) + 1,
			       sizeof *list);
  size_t n = 0;
  *count = 0;
  if (list == NULL)
    return NULL;
  for (int i = 0; i < symbols; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      Elf *elf;
      GElf_Shdr header;
      Dwarf_Addr bias = 0;
      const char *name = dwfl_module_getsym_info (module, i, &symbol, &address,
						  &section, &elf, &bias);
      bool executable = false;
      /* Of one that cannot be read nothing is set.  */
      if (name == NULL)
	continue;
      if (elf != NULL && symbol.st_shndx != SHN_UNDEF
	  && symbol.st_shndx < SHN_LORESERVE)
	{
	  Elf_Scn *scn = elf_getscn (elf, symbol.st_shndx);
	  executable = scn != NULL && gelf_getshdr (scn, &header) != NULL
		       && (header.sh_flags & SHF_EXECINSTR) != 0;
	}
      unsigned r = rank (&symbol, name, executable);
      uint64_t limit = executable ? header.sh_addr + bias + header.sh_size : 0;
      if (r == 0)
	continue;
      /* Of T32 code bit 0 is set (ELF for the Arm architecture, "Symbol
	 Values"); no code of any set has it.  */
      address &= ~UINT64_C (1);
      uint64_t end = symbol.st_size != 0 ? address + symbol.st_size : limit;
      list[n++] = (struct found_symbol) { { address, end, name, symbol.st_size != 0, 0 },
				    r, (size_t) i };
    }
  qsort (list, n, sizeof *list, by_address);
  struct tb_function *functions = calloc (n + 1, sizeof *functions);
  if (functions != NULL)
    *count = choose (list, n, functions);
  free (list);
  return functions;
}
