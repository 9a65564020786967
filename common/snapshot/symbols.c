/* Names in ELF files.  See symbols.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/demangle.h>
#else
# include <demangle.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/mapped.h"
#include "snapshot/module-functions.h"
#include "snapshot/symbols-module.h"
#include "snapshot/units.h"
#include "util/buffer.h"
#include "util/search.h"

/* One ELF file.  A Dwfl holds no two modules at one address, so each has its
   own.  */
struct file
{
  Dwfl *dwfl;
  Dwfl_Module *module;
  struct tb_units units;	/* Once HAS_UNITS.  */
  bool has_units;
};

/* The most functions that may lie inside of one.  */
#define NESTED_MOST 8

struct tb_symbols
{
  struct file *files;
  size_t nfiles, files_room;
  struct tb_function *functions;
  size_t nfunctions, functions_room;
  struct tb_line_table table;	/* Of the unit asked for last...  */
  const void *table_unit;	/* ... which begins there; NULL: of none.  */
  bool no_memory;		/* Once there was none.  */
};

struct tb_symbols *
tb_symbols_new (void)
{
  return calloc (1, sizeof (struct tb_symbols));
}

bool
tb_symbols_no_memory (const struct tb_symbols *symbols)
{
  return symbols->no_memory;
}

void
tb_symbols_free (struct tb_symbols *symbols)
{
  if (symbols == NULL)
    return;
  for (size_t i = 0; i < symbols->nfiles; i++)
    {
      tb_units_fini (&symbols->files[i].units);
      dwfl_end (symbols->files[i].dwfl);
    }
  tb_line_table_fini (&symbols->table);
  free (symbols->files);
  free (symbols->functions);
  free (symbols);
}

/* The index of the first function at ADDRESS or above.  */
static size_t
position (const struct tb_symbols *symbols, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, symbols->nfunctions, symbols->functions[low].address < address);
  return low;
}

static int
function_order (const void *x, const void *y)
{
  const struct tb_function *a = x, *b = y;
  return a->address < b->address ? -1 : a->address > b->address;
}

/* Find labels in functions, as assembly code has them.  */
static void
find_labels (struct tb_function *functions, size_t count)
{
  size_t sized = 0;		/* The last one that has a size, + 1.  */
  for (size_t i = 0; i < count; i++)
    {
      struct tb_function *f = &functions[i];
      f->label_of = 0;
      if (f->is_sized)
	sized = i + 1;
      else if (sized > 0 && functions[sized - 1].end > f->address)
	f->label_of = i + 1 - sized;
    }
}

/* Add those functions of MODULE whose addresses have no name yet.  */
static bool
merge_functions (struct tb_symbols *symbols, Dwfl_Module *module)
{
  size_t count, old = symbols->nfunctions;
  struct tb_function *list = tb_module_functions (module, &count);
  bool ok = list != NULL
	    && TB_GROW (symbols->functions, symbols->functions_room, old, count + 1);
  for (size_t i = 0; i < count && ok; i++)
    if (tb_symbols_function_at (symbols, list[i].address) == NULL)
      symbols->functions[old++] = list[i];
  free (list);
  if (!ok)
    return false;
  symbols->nfunctions = old;
  if (old > 0)
    qsort (symbols->functions, old, sizeof *symbols->functions,
	   function_order);
  find_labels (symbols->functions, old);
  return true;
}

static enum tb_status
add (struct tb_symbols *symbols, const char *path, const struct tb_mapped *mapped,
     uint64_t bias, struct tb_diag *diag)
{
  static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address
  };
  if (!TB_GROW (symbols->files, symbols->files_room, symbols->nfiles, 1))
    {
      tb_error (diag, "%s: no memory to read it", path);
      return TB_ERR_MEMORY;
    }
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      tb_error (diag, "%s: cannot read it: %s", path, strerror (errno));
      return TB_ERR_IO;
    }
  if (mapped != NULL && !tb_mapped_bias (fd, mapped, &bias))
    {
      close (fd);
      return TB_ERR_INPUT;
    }
  struct file file = { .dwfl = dwfl_begin (&callbacks) };
  if (file.dwfl != NULL)
    {
      dwfl_report_begin (file.dwfl);
      /* Takes the descriptor over if it succeeds.  */
      file.module = dwfl_report_elf (file.dwfl, "", path, fd, bias, true);
      dwfl_report_end (file.dwfl, NULL, NULL);
    }
  if (file.module == NULL)
    {
      tb_error (diag, "%s: expected an ELF file, found none that can be read: "
		"%s", path, dwfl_errmsg (-1));
      close (fd);
      dwfl_end (file.dwfl);
      return TB_ERR_INPUT;
    }
  symbols->files[symbols->nfiles++] = file;
  if (!merge_functions (symbols, file.module))
    {
      tb_error (diag, "%s: no memory to read it", path);
      return TB_ERR_MEMORY;
    }
  return TB_OK;
}

enum tb_status
tb_symbols_add (struct tb_symbols *symbols, const char *path, uint64_t bias,
		struct tb_diag *diag)
{
  return add (symbols, path, NULL, bias, diag);
}

enum tb_status
tb_symbols_add_mapped (struct tb_symbols *symbols, const char *path, uint64_t address,
		       uint64_t offset, uint64_t size, struct tb_diag *diag)
{
  const struct tb_mapped mapped = { address, offset, size };
  return add (symbols, path, &mapped, 0, diag);
}

const struct tb_function *
tb_symbols_functions (const struct tb_symbols *symbols, size_t *count)
{
  *count = symbols->nfunctions;
  return symbols->functions;
}

const struct tb_function *
tb_symbols_function_at (const struct tb_symbols *symbols, uint64_t address)
{
  const struct tb_function *f = symbols->functions;
  size_t at = position (symbols, address);
  if (at < symbols->nfunctions && f[at].address == address)
    at++;
  if (at > 0 && f[at - 1].label_of != 0)
    at -= f[at - 1].label_of;
  /* A function may lie inside of another one.  */
  for (unsigned i = 0; at > 0 && i < NESTED_MOST; i++, at--)
    if (f[at - 1].label_of == 0 && f[at - 1].end > address)
      return &f[at - 1];
  return NULL;
}

/* Is there a function that begins at ADDRESS?  */
static bool
is_function (void *context, uint64_t address)
{
  const struct tb_function *f = tb_symbols_function_at (context, address);
  return f != NULL && f->address == address;
}

bool
tb_symbols_tables (struct tb_symbols *symbols,
		   bool (*take) (void *context, Dwarf_Die *unit,
				 const struct tb_line_table *table),
		   void *context)
{
  bool ok = true;
  for (size_t i = 0; i < symbols->nfiles; i++)
    {
      Dwarf_Addr bias;
      errno = 0;
      for (Dwarf_Die *unit = NULL; ok
	   && (unit = dwfl_module_nextcu (symbols->files[i].module, unit,
					  &bias)) != NULL;)
	{
	  struct tb_line_table table = { 0 };
	  ok = tb_line_table_read (&table, unit, is_function, symbols)
	       && (table.count == 0 || take (context, unit, &table));
	  tb_line_table_fini (&table);
	}
      /* elfutils ends the units there without a word.  */
      ok = ok && errno != ENOMEM;
    }
  return ok;
}

/* The unit of FILE that has code at ADDRESS.  Not all compilers write the table of
   addresses in which elfutils looks, so first by what the units say themselves.  */
static bool
find_unit (struct tb_symbols *symbols, struct file *file, uint64_t address,
	   Dwarf_Die *unit)
{
  Dwarf_Addr bias;
  errno = 0;
  Dwarf *dwarf = dwfl_module_getdwarf (file->module, &bias);
  symbols->no_memory |= dwarf == NULL && errno == ENOMEM;
  if (dwarf == NULL)
    return false;
  if (!file->has_units && !tb_units_list (&file->units, dwarf, bias))
    symbols->no_memory = true;
  file->has_units = true;
  struct tb_unit_range *range = tb_units_at (&file->units, address);
  /* What the linker left out seems to be at 0.  */
  if (range != NULL && (range->low > 1 || is_function (symbols, range->low)))
    {
      *unit = range->unit;
      return true;
    }
  errno = 0;
  Dwarf_Die *other = dwfl_module_addrdie (file->module, address, &bias);
  symbols->no_memory |= other == NULL && errno == ENOMEM;
  if (other != NULL)
    *unit = *other;
  return other != NULL;
}

const struct tb_line_table *
tb_symbols_table_at (struct tb_symbols *symbols, uint64_t address,
		     Dwarf_Die *unit)
{
  for (size_t i = 0; i < symbols->nfiles; i++)
    if (find_unit (symbols, &symbols->files[i], address, unit))
      {
	/* Its beginning tells units apart.  */
	if (symbols->table_unit != unit->addr)
	  {
	    tb_line_table_fini (&symbols->table);
	    symbols->table_unit = NULL;
	    if (!tb_line_table_read (&symbols->table, unit, is_function,
				     symbols))
	      {
		symbols->no_memory = true;
		return NULL;
	      }
	    symbols->table_unit = unit->addr;
	  }
	return &symbols->table;
      }
  return NULL;
}

bool
tb_symbols_line_at (struct tb_symbols *symbols, uint64_t address,
		    struct tb_line *line)
{
  Dwarf_Die unit;
  const struct tb_line_table *table = tb_symbols_table_at (symbols, address,
							   &unit);
  uint64_t end;
  const struct tb_line_row *row
    = table != NULL ? tb_line_table_find (table, address, &end) : NULL;
  if (row != NULL)
    *line = (struct tb_line) { row->address, end, row->file, row->line,
			       row->statement };
  return row != NULL;
}

struct symbol_lines
{
  bool (*take) (void *context, const struct tb_line *line);
  void *context;
};

/* The rows of one unit.  */
static bool
take_lines (void *context, Dwarf_Die *unit, const struct tb_line_table *table)
{
  const struct symbol_lines *lines = context;
  (void) unit;
  for (size_t i = 0; i < table->count; i++)
    {
      const struct tb_line_row *row = &table->rows[i];
      struct tb_line line = { row->address, row->address, row->file, row->line,
			      row->statement };
      if (i + 1 < table->count)
	line.end = table->rows[i + 1].address;
      if (row->line != 0 && !lines->take (lines->context, &line))
	return false;
    }
  return true;
}

bool
tb_symbols_lines (struct tb_symbols *symbols,
		  bool (*take) (void *context, const struct tb_line *line),
		  void *context)
{
  struct symbol_lines lines = { take, context };
  return tb_symbols_tables (symbols, take_lines, &lines);
}

void
tb_symbols_open_debug (struct tb_symbols *symbols)
{
  Dwarf_Addr bias;
  for (size_t i = 0; i < symbols->nfiles; i++)
    dwfl_module_getdwarf (symbols->files[i].module, &bias);
}

Dwfl_Module *
tb_symbols_module (const struct tb_symbols *symbols, size_t number)
{
  return number < symbols->nfiles ? symbols->files[number].module : NULL;
}

char *
tb_symbols_demangle (const char *name)
{
  char *text = cplus_demangle (name, DMGL_PARAMS | DMGL_ANSI
				     | DMGL_RET_DROP);
  return text != NULL ? text : strdup (name);
}
