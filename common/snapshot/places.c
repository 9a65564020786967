/* Places.  See places.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What GDB does was found by trying GDB 13.1 and in its manual, "Line Tables" and
   "Location Specifications".  */

#include "config.h"
#include "snapshot/places.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"
#include "util/buffer.h"

/* How deep DIEs are looked into.  */
#define DEPTH_MAX 64

/* Is a variable of UNIT at different places in different parts of the code?  */
static bool
has_lists (Dwarf_Die *die, unsigned depth)
{
  Dwarf_Die child;
  if (depth > DEPTH_MAX || dwarf_child (die, &child) != 0)
    return false;
  do
    {
      int tag = dwarf_tag (&child);
      Dwarf_Attribute attribute;
      if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
	  && dwarf_attr (&child, DW_AT_location, &attribute) != NULL)
	switch (dwarf_whatform (&attribute))
	  {
	  case DW_FORM_sec_offset: case DW_FORM_loclistx: case DW_FORM_data4:
	  case DW_FORM_data8:
	    return true;
	  default:
	    break;
	  }
      if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block
	   || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace)
	  && has_lists (&child, depth + 1))
	return true;
    }
  while (dwarf_siblingof (&child, &child) == 0);
  return false;
}

/* Are the variables of UNIT, which GCC from version 4.5 on compiled, right from the
   first instruction of a function on?  */
static bool
is_right_at_entry (Dwarf_Die *unit)
{
  Dwarf_Attribute attribute;
  Dwarf_Word language = 0;
  int major = 0, minor = 0;
  const char *producer
    = dwarf_formstring (dwarf_attr (unit, DW_AT_producer, &attribute));
  dwarf_formudata (dwarf_attr (unit, DW_AT_language, &attribute), &language);
  if (producer == NULL || strncmp (producer, "GNU ", 4) != 0
      || language == DW_LANG_Mips_Assembler)
    return false;
  /* "GNU C11 12.2.1 20221205 -mthumb": the version is the first word that begins
     with a digit.  */
  for (const char *word = strchr (producer, ' '); word != NULL;
       word = strchr (word, ' '))
    if (*++word >= '0' && *word <= '9')
      {
	char *dot;
	major = (int) strtol (word, &dot, 10);
	minor = *dot == '.' ? (int) strtol (dot + 1, NULL, 10) : 0;
	break;
      }
  return (major > 4 || (major == 4 && minor >= 5)) && has_lists (unit, 0);
}

/* Where the second line of FUNCTION begins.  */
static uint64_t
second_line (const struct tb_line_table *table, const struct tb_function *function)
{
  uint64_t end, next_end;
  const struct tb_line_row *row = tb_line_table_find (table, function->address, &end);
  if (row == NULL)
    return function->address;
  /* Two rows at the first instruction: the prologue is empty.  */
  const struct tb_line_row *first = row;
  while (first > table->rows && first[-1].address == row->address)
    first--;
  size_t rows = 0;
  for (const struct tb_line_row *r = first;
       r < table->rows + table->count && r->address == function->address; r++)
    rows += r->line != 0 && !r->hidden && strcmp (r->file, row->file) == 0;
  if (rows > 1 || end >= function->end)
    return function->address;
  /* Code of a line before that of the function was moved into its prologue.  */
  for (;;)
    {
      const struct tb_line_row *next = tb_line_table_find (table, end, &next_end);
      if (next == NULL || next->line >= row->line
	  || strcmp (next->file, row->file) != 0)
	return end;
      if (next_end >= function->end)
	return next->address;
      row = next;
      end = next_end;
    }
}

static uint64_t
body_in (const struct tb_line_table *table, Dwarf_Die *unit,
	 const struct tb_function *function)
{
  if (is_right_at_entry (unit))
    return function->address;
  return second_line (table, function);
}

uint64_t
tb_symbols_body (struct tb_symbols *symbols, const struct tb_function *function)
{
  Dwarf_Die unit;
  if (function->label_of != 0)
    return function->address;
  const struct tb_line_table *table
    = tb_symbols_table_at (symbols, function->address, &unit);
  return table != NULL ? body_in (table, &unit, function) : function->address;
}

bool
tb_symbols_is_file (const char *file, const char *name, size_t length)
{
  size_t whole = strlen (file);
  return whole >= length && memcmp (file + whole - length, name, length) == 0
	 && (whole == length || name[0] == '/' || file[whole - length - 1] == '/');
}

/* Does a lexical block have variables of its own?  Else it is none for GDB.  */
static bool
has_variables (Dwarf_Die *block)
{
  Dwarf_Die child;
  if (dwarf_child (block, &child) != 0)
    return false;
  do
    if (dwarf_tag (&child) == DW_TAG_variable)
      return true;
  while (dwarf_siblingof (&child, &child) == 0);
  return false;
}

/* What tells the innermost block around ADDRESS in UNIT from others; 0: there is
   none.  */
static Dwarf_Off
block_at (Dwarf_Die *unit, uint64_t address)
{
  Dwarf_Die *scopes = NULL;
  Dwarf_Off found = 0;
  int count = dwarf_getscopes (unit, address, &scopes);
  for (int i = 0; i < count && found == 0; i++)
    switch (dwarf_tag (&scopes[i]))
      {
      case DW_TAG_lexical_block:
	if (!has_variables (&scopes[i]))
	  break;
	/* FALLTHROUGH */
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
	found = dwarf_dieoffset (&scopes[i]);
	break;
      default:
	break;
      }
  free (scopes);
  return found;
}

/* The places of one line in one unit.  */
struct place_search
{
  struct tb_symbols *symbols;
  const char *file;
  size_t length;
  unsigned line;		/* Which is looked for...  */
  unsigned wanted;		/* ... as this one has no code; or the same.  */
  unsigned declared;		/* The last line before LINE in which a function is
				   declared.  */
  struct tb_places *places;
  Dwarf_Off *blocks;		/* Which have one.  */
  size_t nblocks, block_capacity;
};

static bool
add_place (struct place_search *s, uint64_t address)
{
  struct tb_places *p = s->places;
  for (size_t i = 0; i < p->count; i++)
    if (p->addresses[i] == address)
      return true;
  bool ok = TB_GROW (p->addresses, p->capacity, p->count, 1);
  if (ok)
    p->addresses[p->count++] = address;
  return ok;
}

/* ROW is of the line: a place, unless its block has one.  */
static bool
take_row (struct place_search *s, const struct tb_line_table *table, Dwarf_Die *unit,
	  const struct tb_line_row *row)
{
  Dwarf_Off block = block_at (unit, row->address);
  for (size_t i = 0; i < s->nblocks && block != 0; i++)
    if (s->blocks[i] == block)
      return true;
  bool ok = TB_GROW (s->blocks, s->block_capacity, s->nblocks, 1);
  if (!ok)
    return false;
  s->blocks[s->nblocks++] = block;
  uint64_t address = row->address;
  const struct tb_function *function
    = tb_symbols_function_at (s->symbols, address);
  if (function != NULL)
    {
      uint64_t body = body_in (table, unit, function);
      address = address < body ? body : address;
    }
  return add_place (s, address);
}

static bool
search_unit (void *context, Dwarf_Die *unit, const struct tb_line_table *table)
{
  struct place_search *s = context;
  struct tb_places *p = s->places;
  bool ok = true;
  s->nblocks = 0;
  for (size_t i = 0; i < table->count && ok; i++)
    {
      const struct tb_line_row *row = &table->rows[i];
      if (row->line == 0 || !row->statement || row->hidden
	  || !tb_symbols_is_file (row->file, s->file, s->length))
	continue;
      p->has_file = true;
      if (row->line == s->line)
	ok = take_row (s, table, unit, row);
      else if (row->line < s->wanted)
	p->before = row->line > p->before ? row->line : p->before;
      else if (row->line > s->wanted && (p->after == 0 || row->line < p->after))
	p->after = row->line;
    }
  return ok;
}

/* Note the functions below PARENT: where is the one that LINE is in declared?  */
static void
note_functions (struct place_search *s, Dwarf_Die *parent, unsigned depth)
{
  Dwarf_Die child;
  if (depth == DEPTH_MAX || dwarf_child (parent, &child) != 0)
    return;
  do
    switch (dwarf_tag (&child))
      {
	const char *file;
	int line;
      case DW_TAG_subprogram:
	file = dwarf_decl_file (&child);
	if (dwarf_decl_line (&child, &line) == 0 && file != NULL && line > 0
	    && (unsigned) line <= s->line && (unsigned) line > s->declared
	    && !dwarf_hasattr (&child, DW_AT_declaration)
	    && tb_symbols_is_file (file, s->file, s->length))
	  s->declared = (unsigned) line;
	/* FALLTHROUGH */
      case DW_TAG_namespace: case DW_TAG_class_type:
      case DW_TAG_structure_type: case DW_TAG_module:
	note_functions (s, &child, depth + 1);
	break;
      default:
	break;
      }
  while (dwarf_siblingof (&child, &child) == 0);
}

static bool
note_unit (void *context, Dwarf_Die *unit, const struct tb_line_table *table)
{
  (void) table;
  note_functions (context, unit, 0);
  return true;
}

static int
by_address (const void *x, const void *y)
{
  const uint64_t *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

bool
tb_symbols_places (struct tb_symbols *symbols, const char *file, size_t length,
		   unsigned line, struct tb_places *places)
{
  struct place_search s = { .symbols = symbols, .file = file, .length = length,
		      .line = line, .wanted = line, .places = places };
  *places = (struct tb_places) { .addresses = NULL };
  bool ok = tb_symbols_tables (symbols, search_unit, &s);
  places->line = line;
  if (ok && places->count == 0 && places->after != 0)
    {
      s.line = places->line = places->after;
      /* A line between functions does not mean the next of them.  */
      ok = tb_symbols_tables (symbols, note_unit, &s)
	   && (s.declared > line
	       || tb_symbols_tables (symbols, search_unit, &s));
    }
  free (s.blocks);
  if (places->count > 0)
    qsort (places->addresses, places->count, sizeof *places->addresses,
	   by_address);
  return ok;
}

void
tb_places_fini (struct tb_places *places)
{
  free (places->addresses);
  *places = (struct tb_places) { .addresses = NULL };
}
