/* The descriptions in files, and which hold at a PC.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 2.17 (code addresses), 3.1 (units), 3.3 (subroutines, inlined ones),
   3.5 (blocks), 2.6.2 (location lists).  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"

bool
tb_die_child (struct tb_variables *v, Dwarf_Die *die, Dwarf_Die *child)
{
  return tb_variables_work (v) && dwarf_child (die, child) == 0;
}

bool
tb_die_next (struct tb_variables *v, Dwarf_Die *die)
{
  Dwarf_Die next;
  if (!tb_variables_work (v) || dwarf_siblingof (die, &next) != 0
      || (uintptr_t) next.addr <= (uintptr_t) die->addr)
    return false;
  *die = next;
  return true;
}

const char *
tb_die_name (Dwarf_Die *die)
{
  const char *name = dwarf_diename (die);
  return name != NULL && strnlen (name, TB_NAME_MAX + 1) <= TB_NAME_MAX
	 ? name : NULL;
}

bool
tb_die_flag (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attribute;
  bool set;
  return dwarf_attr_integrate (die, name, &attribute) != NULL
	 && dwarf_formflag (&attribute, &set) == 0 && set;
}

bool
tb_die_number (Dwarf_Die *die, unsigned name, uint64_t *number)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (dwarf_attr_integrate (die, name, &attribute) == NULL
      || dwarf_formudata (&attribute, &word) != 0)
    return false;
  *number = word;
  return true;
}

bool
tb_attribute_constant (Dwarf_Attribute *attribute, bool is_signed,
		       uint64_t *number)
{
  Dwarf_Word word;
  Dwarf_Sword sword;
  unsigned unused;
  switch (dwarf_whatform (attribute))
    {
    case DW_FORM_data1: unused = 56; break;
    case DW_FORM_data2: unused = 48; break;
    case DW_FORM_data4: unused = 32; break;
    case DW_FORM_data8: case DW_FORM_udata: unused = 0; break;
    case DW_FORM_sdata: case DW_FORM_implicit_const:
      if (dwarf_formsdata (attribute, &sword) != 0)
	return false;
      *number = (uint64_t) sword;
      return true;
    default:
      return false;
    }
  if (dwarf_formudata (attribute, &word) != 0)
    return false;
  word <<= unused;
  *number = is_signed ? (uint64_t) ((int64_t) word >> unused) : word >> unused;
  return true;
}

/* Does DIE, of FILE, have code at PC?  */
static bool
die_covers (struct tb_variables *v, const struct tb_debug_file *file,
	    Dwarf_Die *die, uint64_t pc)
{
  Dwarf_Addr base, low, high;
  ptrdiff_t at = 0;
  while (tb_variables_work (v)
	 && (at = dwarf_ranges (die, at, &base, &low, &high)) > 0)
    if (pc - file->bias >= low && pc - file->bias < high)
      return true;
  return false;
}

struct tb_variables *
tb_variables_new (struct tb_symbols *symbols, unsigned address_size)
{
  struct tb_variables *v = calloc (1, sizeof *v);
  size_t count = 0;
  if (v == NULL)
    return NULL;
  v->symbols = symbols;
  v->address_size = address_size;
  v->other.type.kind = TB_TYPE_OTHER;
  v->other.type.is_incomplete = true;
  while (symbols != NULL && tb_symbols_module (symbols, count) != NULL)
    count++;
  v->files = calloc (count + 1, sizeof *v->files);
  if (v->files == NULL)
    {
      free (v);
      return NULL;
    }
  v->nfiles = count;
  for (size_t i = 0; i < count; i++)
    {
      struct tb_debug_file *file = &v->files[i];
      Dwarf_Addr bias;
      file->module = tb_symbols_module (symbols, i);
      file->dwarf = dwfl_module_getdwarf (file->module, &bias);
      file->bias = bias;
      if (file->dwarf != NULL)
	v->no_memory |= !tb_units_list (&file->units, file->dwarf, file->bias);
    }
  return v;
}

bool
tb_variables_no_memory (const struct tb_variables *v)
{
  return v->no_memory || (v->symbols != NULL && tb_symbols_no_memory (v->symbols));
}

void
tb_variables_free (struct tb_variables *v)
{
  if (v == NULL)
    return;
  for (size_t i = 0; i < v->nfiles; i++)
    {
      tb_units_fini (&v->files[i].units);
      free (v->files[i].unwind);
    }
  tb_types_fini (v);
  if (v->read != NULL)
    htab_delete (v->read);
  free (v->files);
  free (v->names);
  free (v->parents);
  free (v);
}

bool
tb_variables_are_missing (const struct tb_variables *v)
{
  size_t without = 0;
  for (size_t i = 0; i < v->nfiles; i++)
    without += v->files[i].units.count == 0;
  return v->nfiles != 0 && without == v->nfiles;
}

static bool
is_scope (int tag)
{
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine
	 || tag == DW_TAG_subprogram || tag == DW_TAG_try_block
	 || tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

/* Append to the scopes those below PARENT, as long as there are any at PC.  */
static void
descend (struct tb_variables *v, const struct tb_debug_file *file,
	 Dwarf_Die *parent, uint64_t pc)
{
  Dwarf_Die at = *parent, child;
  bool deeper = true;
  while (deeper && v->nscopes < TB_SCOPES_MAX && tb_die_child (v, &at, &child))
    {
      deeper = false;
      do
	if (is_scope (dwarf_tag (&child))
	    && die_covers (v, file, &child, pc))
	  {
	    v->scopes[v->nscopes++] = at = child;
	    deeper = true;
	    break;
	  }
      while (tb_die_next (v, &child));
    }
}

/* Was FUNCTION, which seems to have code at PC, left out by the linker?  It then begins at
   0 or near, where another one may be.  */
static bool
is_left_out (const struct tb_variables *v, Dwarf_Die *function, uint64_t pc)
{
  Dwarf_Addr entry;
  const struct tb_function *known = tb_symbols_function_at (v->symbols, pc);
  return known != NULL && dwarf_entrypc (function, &entry) == 0 && entry < 4
	 && known->address > entry;
}

/* Find the function at PC among the children of PARENT, in namespaces and classes
   too.  */
static bool
find_function (struct tb_variables *v, const struct tb_debug_file *file,
	       Dwarf_Die *parent, uint64_t pc, unsigned depth)
{
  Dwarf_Die child;
  if (depth == TB_NESTING_MAX || !tb_die_child (v, parent, &child))
    return false;
  do
    switch (dwarf_tag (&child))
      {
      case DW_TAG_subprogram:
	if (die_covers (v, file, &child, pc) && !is_left_out (v, &child, pc))
	  {
	    v->scopes[v->nscopes++] = child;
	    descend (v, file, &child, pc);
	    return true;
	  }
	break;
      case DW_TAG_namespace: case DW_TAG_class_type:
      case DW_TAG_structure_type: case DW_TAG_module:
	if (find_function (v, file, &child, pc, depth + 1))
	  return true;
	break;
      default:
	break;
      }
  while (tb_die_next (v, &child));
  return false;
}

bool
tb_variables_scopes (struct tb_variables *v, uint64_t pc)
{
  if (v->has_scopes && v->scope_pc == pc)
    return v->nscopes != 0;
  v->has_scopes = true;
  v->scope_pc = pc;
  v->nscopes = 0;
  v->scope_unit.addr = NULL;
  /* Units that do not say where they are come last.  */
  for (unsigned unsure = 0; unsure < 2; unsure++)
    for (size_t i = 0; i < v->nfiles; i++)
      for (size_t j = 0; j < v->files[i].units.count; j++)
	{
	  struct tb_unit_range *range = &v->files[i].units.ranges[j];
	  bool any = range->high == UINT64_MAX && range->low == 0;
	  if (any != (unsure == 1) || pc < range->low || pc >= range->high)
	    continue;
	  if (!any)
	    {
	      v->scope_unit = range->unit;
	      v->scope_file = i;
	    }
	  if (find_function (v, &v->files[i], &range->unit, pc, 0))
	    {
	      v->scope_unit = range->unit;
	      v->scope_file = i;
	      return true;
	    }
	}
  return false;
}

/* The name of the innermost function that is inlined at PC; NULL: none is.  */
static const char *
inlined_name (struct tb_variables *v, uint64_t pc)
{
  Dwarf_Attribute attribute;
  v->work = TB_WORK_MAX;
  if (!tb_variables_scopes (v, pc))
    return NULL;
  for (unsigned i = v->nscopes; i-- > 1 && dwarf_tag (&v->scopes[i]) != DW_TAG_subprogram;)
    if (dwarf_tag (&v->scopes[i]) == DW_TAG_inlined_subroutine)
      {
	/* As the symbol table would call it.  */
	const char *name
	  = dwarf_attr_integrate (&v->scopes[i], DW_AT_linkage_name, &attribute) != NULL
	    ? dwarf_formstring (&attribute) : NULL;
	return name != NULL && strnlen (name, TB_NAME_MAX + 1) <= TB_NAME_MAX
	       ? name : tb_die_name (&v->scopes[i]);
      }
  return NULL;
}

const char *
tb_variables_function (struct tb_variables *v, uint64_t pc)
{
  size_t at = (size_t) (pc / 2) % TB_FUNCTIONS_KEPT;
  if (!v->functions[at].is_known || v->functions[at].pc != pc)
    {
      const struct tb_function *f = tb_symbols_function_at (v->symbols, pc);
      const char *name = inlined_name (v, pc);
      v->functions[at].is_known = true;
      v->functions[at].pc = pc;
      v->functions[at].name = name != NULL ? name : f != NULL ? f->name : NULL;
    }
  return v->functions[at].name;
}

/* Who is told where stretches begin.  */
struct stretch_listing
{
  struct tb_variables *v;
  const struct tb_debug_file *file;
  uint64_t low, end;
  bool (*take) (void *context, uint64_t pc);
  void *context;
  bool enough;
};

static void
tell_stretch (struct stretch_listing *l, Dwarf_Addr address)
{
  uint64_t pc = address + l->file->bias;
  if (!l->enough && pc > l->low && pc < l->end)
    l->enough = !l->take (l->context, pc);
}

/* Tell where the stretches of DIE itself begin: a variable's, if IS_VARIABLE, else a
   scope's, and what is behind them.  */
static void
list_stretches_of (struct stretch_listing *l, Dwarf_Die *die, bool is_variable)
{
  Dwarf_Attribute attribute;
  Dwarf_Addr base, low, high;
  Dwarf_Op *ops;
  size_t count;
  ptrdiff_t at = 0;
  if (!is_variable)
    while (!l->enough && tb_variables_work (l->v)
	   && (at = dwarf_ranges (die, at, &base, &low, &high)) > 0)
      {
	tell_stretch (l, low);
	tell_stretch (l, high);
      }
  else if (dwarf_attr_integrate (die, DW_AT_location, &attribute) != NULL)
    while (!l->enough && tb_variables_may_read (l->v) && tb_variables_work (l->v)
	   && (at = dwarf_getlocations (&attribute, at, &base, &low, &high, &ops,
					&count)) > 0)
      {
	tb_variables_was_read (l->v, ops, count);
	tell_stretch (l, low);
      }
}

/* Tell the stretches of what is in PARENT.  */
static void
list_stretches (struct stretch_listing *l, Dwarf_Die *parent, unsigned depth)
{
  Dwarf_Die child;
  if (depth == TB_SCOPES_MAX || !tb_die_child (l->v, parent, &child))
    return;
  do
    {
      int tag = dwarf_tag (&child);
      bool is_variable = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
      if (is_variable || is_scope (tag))
	list_stretches_of (l, &child, is_variable);
      if (is_scope (tag))
	list_stretches (l, &child, depth + 1);
    }
  while (!l->enough && tb_die_next (l->v, &child));
}

void
tb_variables_stretches (struct tb_variables *v, uint64_t low, uint64_t end,
			bool (*take) (void *context, uint64_t pc), void *context)
{
  struct stretch_listing l = {
    .v = v, .low = low, .end = end, .take = take, .context = context
  };
  v->work = TB_WORK_MAX;
  if (!take (context, low) || !tb_variables_scopes (v, low))
    return;
  /* TAKE may ask for other scopes.  */
  Dwarf_Die function = v->scopes[0];
  l.file = &v->files[v->scope_file];
  list_stretches_of (&l, &function, false);
  list_stretches (&l, &function, 0);
}
