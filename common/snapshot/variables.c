/* What names mean at a PC.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 3.3 (subroutines, inlined ones), 3.5 (blocks), 4.1 (data objects).  */

#include "config.h"
#include "snapshot/variables.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"
#include "snapshot/variables-internal.h"
#include "util/buffer.h"

/* The most ranges of code of all units of a file.  */
#define RANGES_MAX ((size_t) 1 << 22)

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

bool
tb_die_covers (struct tb_variables *v, const struct tb_debug_file *file,
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

static bool
add_range (struct tb_debug_file *file, uint64_t low, uint64_t high,
	   const Dwarf_Die *unit)
{
  void *items = file->ranges;
  bool ok = file->nranges < RANGES_MAX
	    && tb_grow (&items, &file->range_capacity, file->nranges, 1,
			sizeof *file->ranges);
  file->ranges = items;
  if (ok)
    file->ranges[file->nranges++] = (struct tb_unit_range) { low, high, *unit };
  return ok;
}

/* List which unit of FILE has code where.  One that does not say may have it
   anywhere.  */
static void
list_ranges (struct tb_debug_file *file)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  uint8_t kind;
  bool ok = true;
  while (ok
	 && dwarf_get_units (file->dwarf, unit, &unit, NULL, &kind, &die, NULL)
	    == 0)
    {
      Dwarf_Addr base, low, high;
      ptrdiff_t at = 0;
      size_t before = file->nranges;
      if (kind != DW_UT_compile && kind != DW_UT_skeleton)
	continue;
      while (ok && (at = dwarf_ranges (&die, at, &base, &low, &high)) > 0)
	ok = add_range (file, low + file->bias, high + file->bias, &die);
      if (ok && file->nranges == before)
	ok = add_range (file, 0, UINT64_MAX, &die);
    }
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
	list_ranges (file);
    }
  return v;
}

void
tb_variables_free (struct tb_variables *v)
{
  if (v == NULL)
    return;
  for (size_t i = 0; i < v->nfiles; i++)
    {
      free (v->files[i].ranges);
      free (v->files[i].unwind);
    }
  tb_types_fini (v);
  free (v->files);
  free (v->names);
  free (v->parents);
  free (v);
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
	    && tb_die_covers (v, file, &child, pc))
	  {
	    v->scopes[v->nscopes++] = at = child;
	    deeper = true;
	    break;
	  }
      while (tb_die_next (v, &child));
    }
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
	if (tb_die_covers (v, file, &child, pc))
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
      for (size_t j = 0; j < v->files[i].nranges; j++)
	{
	  struct tb_unit_range *range = &v->files[i].ranges[j];
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

/* Describe the variable, constant or function DIE.  */
static void
fill_object (struct tb_variables *v, size_t file, Dwarf_Die *die,
	     struct tb_object *object)
{
  Dwarf_Attribute attribute;
  Dwarf_Block block;
  Dwarf_Addr entry;
  int tag = dwarf_tag (die);
  *object = (struct tb_object) {
    .kind = TB_OBJECT_VARIABLE, .is_argument = tag == DW_TAG_formal_parameter,
    .name = tb_die_name (die), .file = file, .die = die->addr,
    .unit = die->cu
  };
  if (tag == DW_TAG_subprogram)
    {
      object->kind = TB_OBJECT_FUNCTION;
      object->type = &tb_type_described (v, file, die)->type;
      if (dwarf_entrypc (die, &entry) == 0)
	object->value = entry + v->files[file].bias;
      return;
    }
  if (tag == DW_TAG_enumerator)
    {
      /* Of the enumeration around it: the caller knows it.  */
      object->kind = TB_OBJECT_CONSTANT;
      object->type = &v->other.type;
    }
  else
    object->type = &tb_type_of (v, file, die)->type;
  if (dwarf_hasattr_integrate (die, DW_AT_location)
      || dwarf_attr_integrate (die, DW_AT_const_value, &attribute) == NULL)
    return;
  if (tb_attribute_constant (&attribute, object->type->is_signed,
			     &object->value))
    ;
  else if (dwarf_formblock (&attribute, &block) == 0 && block.length <= 8)
    for (size_t i = block.length; i-- > 0;)
      object->value = object->value << 8 | block.data[i];
  else
    return;
  object->kind = TB_OBJECT_CONSTANT;
}

static bool
is_name (Dwarf_Die *die, const char *name, size_t length)
{
  const char *own = tb_die_name (die);
  return own != NULL && strlen (own) == length
	 && memcmp (own, name, length) == 0;
}

/* Find NAME among the enumerators of the enumeration PARENT.  */
static bool
find_enumerator (struct tb_variables *v, size_t file, Dwarf_Die *parent,
		 const char *name, size_t length, struct tb_object *object)
{
  Dwarf_Die child;
  if (tb_die_child (v, parent, &child))
    do
      if (dwarf_tag (&child) == DW_TAG_enumerator
	  && is_name (&child, name, length))
	{
	  fill_object (v, file, &child, object);
	  object->type = &tb_type_described (v, file, parent)->type;
	  return true;
	}
    while (tb_die_next (v, &child));
  return false;
}

/* The description that PARENT, an instance of an inlined function or of a part of one,
   was made of.  */
static bool
find_origin (Dwarf_Die *parent, Dwarf_Die *origin)
{
  Dwarf_Attribute attribute;
  return dwarf_attr (parent, DW_AT_abstract_origin, &attribute) != NULL
	 && dwarf_formref_die (&attribute, origin) != NULL;
}

/* Find NAME among the children of PARENT.  */
static bool
find_child (struct tb_variables *v, size_t file, Dwarf_Die *parent,
	       const char *name, size_t length, struct tb_object *object)
{
  Dwarf_Die child;
  bool found = false;
  if (tb_die_child (v, parent, &child))
    do
      switch (dwarf_tag (&child))
	{
	case DW_TAG_variable: case DW_TAG_formal_parameter:
	  /* "extern" in a block: the definition is elsewhere.  */
	  found = is_name (&child, name, length)
		  && !tb_die_flag (&child, DW_AT_declaration);
	  if (found)
	    fill_object (v, file, &child, object);
	  break;
	case DW_TAG_enumeration_type:
	  found = find_enumerator (v, file, &child, name, length, object);
	  break;
	default:
	  break;
	}
    while (!found && tb_die_next (v, &child));
  object->is_local = found;
  return found;
}

/* Find NAME in the scope PARENT.  What an instance does not mention is told by what it
   was made of: a static variable, or one that is optimized out.  */
static bool
find_in_scope (struct tb_variables *v, size_t file, Dwarf_Die *parent,
	       const char *name, size_t length, struct tb_object *object)
{
  Dwarf_Die origin;
  return find_child (v, file, parent, name, length, object)
	 || (find_origin (parent, &origin)
	     && find_child (v, file, &origin, name, length, object));
}

/* Find the local variable NAME of function DIE, in any of its blocks: one of those that
   have one place all the time.  */
static bool
find_static (struct tb_variables *v, size_t file, Dwarf_Die *die,
	     const char *name, size_t length, unsigned depth,
	     struct tb_object *object)
{
  Dwarf_Die child;
  if (depth == TB_NESTING_MAX)
    return false;
  if (find_in_scope (v, file, die, name, length, object))
    {
      object->is_local = false;
      return true;
    }
  if (tb_die_child (v, die, &child))
    do
      if (dwarf_tag (&child) == DW_TAG_lexical_block
	  && find_static (v, file, &child, name, length, depth + 1, object))
	return true;
    while (tb_die_next (v, &child));
  return false;
}

/* Find "FUNCTION::NAME".  */
static bool
find_in_function (struct tb_variables *v, uint64_t pc, const char *name,
		  size_t length, struct tb_object *object)
{
  size_t colon = length;
  while (colon > 1 && !(name[colon - 1] == ':' && name[colon - 2] == ':'))
    colon--;
  if (colon <= 2)
    return false;
  const struct tb_name *function
    = tb_variables_name (v, pc, TB_NAME_FUNCTION, name, colon - 2);
  if (function == NULL)
    return false;
  Dwarf_Die die = function->die;
  return find_static (v, function->file, &die, name + colon, length - colon, 0,
		      object);
}

/* Find NAME outside of functions.  */
static bool
find_global (struct tb_variables *v, uint64_t pc, const char *name,
	     size_t length, struct tb_object *object)
{
  static const enum tb_name_space spaces[] = {
    TB_NAME_VARIABLE, TB_NAME_CONSTANT, TB_NAME_FUNCTION
  };
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
    {
      const struct tb_name *found = tb_variables_name (v, pc, spaces[i], name,
						       length);
      if (found == NULL)
	continue;
      Dwarf_Die die = found->die;
      if (spaces[i] == TB_NAME_CONSTANT)
	{
	  size_t simple = length;
	  while (simple > 0 && name[simple - 1] != ':')
	    simple--;
	  return find_enumerator (v, found->file, &die, name + simple,
				  length - simple, object);
	}
      fill_object (v, found->file, &die, object);
      return true;
    }
  return false;
}

bool
tb_variables_find (struct tb_variables *v, uint64_t pc, const char *name,
		   size_t length, struct tb_object *object)
{
  v->work = TB_WORK_MAX;
  *object = (struct tb_object) { 0 };
  if (length == 0 || length > TB_NAME_MAX)
    return false;
  bool in_scopes = tb_variables_scopes (v, pc);
  for (unsigned i = in_scopes ? v->nscopes : 0; i-- > 0;)
    if (find_in_scope (v, v->scope_file, &v->scopes[i], name, length, object))
      return true;
  if (length > 2 && name[0] == ':' && name[1] == ':')
    {
      name += 2;
      length -= 2;
    }
  return find_global (v, pc, name, length, object)
	 || find_in_function (v, pc, name, length, object)
	 || tb_variables_symbol (v, name, length, object);
}

/* What variables are listed for.  */
struct listing
{
  struct tb_variables *v;
  int tag;
  bool (*take) (void *context, const struct tb_object *object);
  void *context;
};

/* Tell the variables of PARENT but those that INSTANCE, if it is not NULL, mentions.  */
static bool
list_scope (const struct listing *l, Dwarf_Die *parent, Dwarf_Die *instance)
{
  struct tb_variables *v = l->v;
  Dwarf_Die child;
  if (tb_die_child (v, parent, &child))
    do
      {
	struct tb_object object;
	const char *name = tb_die_name (&child);
	if (dwarf_tag (&child) != l->tag || name == NULL
	    || tb_die_flag (&child, DW_AT_declaration)
	    || (instance != NULL
		&& find_child (v, v->scope_file, instance, name, strlen (name),
			       &object)))
	  continue;
	fill_object (v, v->scope_file, &child, &object);
	object.is_local = true;
	if (!l->take (l->context, &object))
	  return false;
      }
    while (tb_die_next (v, &child));
  return true;
}

bool
tb_variables_list (struct tb_variables *v, uint64_t pc, bool arguments,
		   bool (*take) (void *context,
				 const struct tb_object *object),
		   void *context)
{
  const struct listing listing = {
    v, arguments ? DW_TAG_formal_parameter : DW_TAG_variable, take, context
  };
  v->work = TB_WORK_MAX;
  if (!tb_variables_scopes (v, pc))
    return false;
  for (unsigned i = v->nscopes; i-- > 0;)
    {
      /* TAKE may ask for other scopes; those of PC are found again.  */
      Dwarf_Die scope = v->scopes[i], origin;
      if (!list_scope (&listing, &scope, NULL)
	  || (find_origin (&scope, &origin)
	      && !list_scope (&listing, &origin, &scope))
	  || !tb_variables_scopes (v, pc))
	return true;
    }
  return true;
}

/* Is DIE in C++?  */
static bool
is_cplusplus (Dwarf_Die die)
{
  Dwarf_Die unit;
  if (dwarf_diecu (&die, &unit, NULL, NULL) == NULL)
    return false;
  switch (dwarf_srclang (&unit))
    {
    case DW_LANG_C_plus_plus: case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11: case DW_LANG_C_plus_plus_14:
      return true;
    default:
      return false;
    }
}

const struct tb_type *
tb_variables_type (struct tb_variables *v, uint64_t pc,
		   enum tb_type_space space, const char *name, size_t length)
{
  static const enum tb_name_space spaces[] = {
    [TB_TYPES_NAMED] = TB_NAME_TYPE, [TB_TYPES_STRUCT] = TB_NAME_STRUCT,
    [TB_TYPES_UNION] = TB_NAME_UNION, [TB_TYPES_ENUM] = TB_NAME_ENUM
  };
  v->work = TB_WORK_MAX;
  const struct tb_name *found = tb_variables_name (v, pc, spaces[space], name,
						   length);
  /* In C++ "NAME" is enough for "struct NAME".  */
  for (unsigned i = TB_TYPES_STRUCT;
       found == NULL && space == TB_TYPES_NAMED && i <= TB_TYPES_ENUM; i++)
    {
      found = tb_variables_name (v, pc, spaces[i], name, length);
      if (found != NULL && !is_cplusplus (found->die))
	found = NULL;
    }
  if (found == NULL)
    return NULL;
  Dwarf_Die die = found->die;
  return &tb_type_described (v, found->file, &die)->type;
}
