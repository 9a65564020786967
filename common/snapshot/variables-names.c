/* The names that files define outside of functions.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All units are read once, when a name is first asked for that no block defines.  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"
#include "util/buffer.h"
#include "util/fnv.h"
#include "util/search.h"

/* The most names, and how many descriptions are looked at for them.  */
#define NAMES_MAX ((size_t) 1 << 22)
#define NAMES_WORK ((size_t) 1 << 27)

static uint32_t
hash_name (const char *name, size_t length)
{
  uint64_t hash = TB_FNV_START;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t) name[i]) * TB_FNV_PRIME;
  return (uint32_t) (hash ^ hash >> 32);
}

static void
add_name (struct tb_variables *v, enum tb_name_space space, size_t file,
	  const Dwarf_Die *die, const char *name, uint32_t parent,
	  bool is_declaration)
{
  bool ok = name != NULL && v->nnames < NAMES_MAX
	    && TB_GROW (v->names, v->name_capacity, v->nnames, 1);
  if (ok)
    v->names[v->nnames++] = (struct tb_name) {
      .name = name, .hash = hash_name (name, strlen (name)), .parent = parent,
      .space = space, .is_declaration = is_declaration, .file = file,
      .die = *die
    };
}

/* The number for what stands in DIE, which stands in PARENT.  */
static uint32_t
add_parent (struct tb_variables *v, Dwarf_Die *die, uint32_t parent)
{
  bool ok = v->nparents < NAMES_MAX
	    && TB_GROW (v->parents, v->parent_capacity, v->nparents, 1);
  if (!ok)
    return parent;
  v->parents[v->nparents++] = (struct tb_parent) { tb_die_name (die), parent };
  return (uint32_t) v->nparents;
}

static void
list_enumerators (struct tb_variables *v, size_t file, Dwarf_Die *die,
		  uint32_t parent)
{
  Dwarf_Die child;
  if (tb_die_child (v, die, &child))
    do
      if (dwarf_tag (&child) == DW_TAG_enumerator)
	add_name (v, TB_NAME_CONSTANT, file, die, tb_die_name (&child), parent,
		  false);
    while (tb_die_next (v, &child));
}

static void list_names (struct tb_variables *v, size_t file, Dwarf_Die *die,
			uint32_t parent, unsigned depth);

static void
list_name (struct tb_variables *v, size_t file, Dwarf_Die *die,
	   uint32_t parent, unsigned depth)
{
  const char *name = tb_die_name (die);
  bool declaration = dwarf_hasattr (die, DW_AT_declaration);
  switch (dwarf_tag (die))
    {
    case DW_TAG_variable:
      add_name (v, TB_NAME_VARIABLE, file, die, name, parent, declaration);
      break;
    case DW_TAG_member:
      if (declaration && dwarf_hasattr (die, DW_AT_external))
	add_name (v, TB_NAME_VARIABLE, file, die, name, parent, true);
      break;
    case DW_TAG_subprogram:
      declaration = !dwarf_hasattr (die, DW_AT_low_pc)
		    && !dwarf_hasattr (die, DW_AT_ranges);
      /* A declaration tells where the definition belongs.  */
      if (!declaration || parent != 0)
	add_name (v, TB_NAME_FUNCTION, file, die, name, parent, declaration);
      break;
    case DW_TAG_typedef: case DW_TAG_base_type:
      add_name (v, TB_NAME_TYPE, file, die, name, parent, false);
      break;
    case DW_TAG_enumeration_type:
      add_name (v, TB_NAME_ENUM, file, die, name, parent, declaration);
      /* Those of an "enum class" are in it.  */
      list_enumerators (v, file, die, dwarf_hasattr (die, DW_AT_enum_class)
				      ? add_parent (v, die, parent) : parent);
      break;
    case DW_TAG_structure_type: case DW_TAG_class_type:
    case DW_TAG_union_type:
      add_name (v, dwarf_tag (die) == DW_TAG_union_type ? TB_NAME_UNION
							: TB_NAME_STRUCT,
		file, die, name, parent, declaration);
      if (name != NULL && dwarf_haschildren (die) > 0)
	list_names (v, file, die, add_parent (v, die, parent), depth + 1);
      break;
    case DW_TAG_namespace:
      list_names (v, file, die, add_parent (v, die, parent), depth + 1);
      break;
    default:
      break;
    }
}

static void
list_names (struct tb_variables *v, size_t file, Dwarf_Die *die,
	    uint32_t parent, unsigned depth)
{
  Dwarf_Die child;
  if (depth < TB_NESTING_MAX && tb_die_child (v, die, &child))
    do
      list_name (v, file, &child, parent, depth);
    while (tb_die_next (v, &child));
}

static int
by_die (const void *x, const void *y)
{
  uintptr_t a = (uintptr_t) ((const struct tb_name *) x)->die.addr;
  uintptr_t b = (uintptr_t) ((const struct tb_name *) y)->die.addr;
  return a < b ? -1 : a > b;
}

/* What is defined apart from its declaration stands in what that stands in.  */
static void
find_parents (struct tb_variables *v)
{
  qsort (v->names, v->nnames, sizeof *v->names, by_die);
  for (size_t i = 0; i < v->nnames; i++)
    {
      struct tb_name *name = &v->names[i], declared;
      Dwarf_Attribute attribute;
      if ((name->space != TB_NAME_VARIABLE && name->space != TB_NAME_FUNCTION)
	  || dwarf_attr (&name->die, DW_AT_specification, &attribute) == NULL
	  || dwarf_formref_die (&attribute, &declared.die) == NULL)
	continue;
      const struct tb_name *found = bsearch (&declared, v->names, v->nnames,
					     sizeof *v->names, by_die);
      if (found != NULL && found->space == name->space)
	name->parent = found->parent;
    }
}

static int
by_hash (const void *x, const void *y)
{
  const struct tb_name *a = x, *b = y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  /* In the order of the files, for qsort does not keep it.  */
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  return (uintptr_t) a->die.addr < (uintptr_t) b->die.addr
	 ? -1 : (uintptr_t) a->die.addr > (uintptr_t) b->die.addr;
}

/* Read the names of all files, once.  */
static void
read_all_names (struct tb_variables *v)
{
  if (v->has_names)
    return;
  v->has_names = true;
  size_t work = v->work;
  v->work = NAMES_WORK;
  for (size_t i = 0; i < v->nfiles; i++)
    {
      Dwarf_CU *unit = NULL;
      Dwarf_Die die;
      while (v->files[i].dwarf != NULL
	     && dwarf_get_units (v->files[i].dwarf, unit, &unit, NULL, NULL,
				 &die, NULL) == 0)
	list_names (v, i, &die, 0, 0);
    }
  if (v->nnames > 0)
    {
      find_parents (v);
      qsort (v->names, v->nnames, sizeof *v->names, by_hash);
    }
  v->work = work;
}

/* Take what stands for namespaces without names out of NAME.  */
static char *
without_anonymous (char *name)
{
  static const char text[] = "(anonymous namespace)::";
  char *at;
  while (name != NULL && (at = strstr (name, text)) != NULL)
    memmove (at, at + sizeof text - 1, strlen (at + sizeof text - 1) + 1);
  return name;
}

/* The name of the function at PC with all that it stands in, from malloc; NULL: it is
   not known.  */
static char *
function_name (struct tb_variables *v, uint64_t pc)
{
  Dwarf_Attribute attribute;
  if (!tb_variables_scopes (v, pc))
    return NULL;
  /* The function itself, or one that is inlined.  */
  for (unsigned i = v->nscopes; i-- > 0;)
    if (dwarf_tag (&v->scopes[i]) != DW_TAG_lexical_block)
      {
	const char *name = dwarf_formstring
	  (dwarf_attr_integrate (&v->scopes[i], DW_AT_linkage_name,
				 &attribute));
	return name != NULL && strnlen (name, TB_NAME_MAX + 1) <= TB_NAME_MAX
	       ? without_anonymous (tb_symbols_demangle (name)) : NULL;
      }
  return NULL;
}

/* All that NAME stands in: "ns::C::".  NULL: no memory.  */
static char *
around (const struct tb_variables *v, const struct tb_name *name)
{
  const char *parts[TB_NESTING_MAX];
  unsigned count = 0;
  struct tb_buffer text = { 0 };
  for (uint32_t p = name->parent; p != 0 && count < TB_NESTING_MAX;
       p = v->parents[p - 1].parent)
    if (v->parents[p - 1].name != NULL)
      parts[count++] = v->parents[p - 1].name;
  while (count-- > 0)
    tb_buffer_printf (&text, "%s::", parts[count]);
  tb_buffer_append (&text, "", 1);
  if (text.failed)
    tb_buffer_fini (&text);
  return (char *) text.data;
}

/* How many characters of CONTEXT, the name of a function, say that NAME, whose
   qualification is the first LENGTH characters of TEXT, is meant in it; -1: it is
   not.  */
static long
match (const struct tb_variables *v, const struct tb_name *name, const char *text,
       size_t length, const char *context)
{
  long result = -1;
  char *whole = around (v, name);
  size_t size = whole != NULL ? strlen (whole) : 0;
  size_t rest = size - length;
  if (whole != NULL && size >= length
      && memcmp (whole + rest, text, length) == 0
      && (rest == 0
	  || (whole[rest - 1] == ':' && context != NULL
	      && strncmp (context, whole, rest) == 0)))
    result = (long) rest;
  free (whole);
  return result;
}

/* The place of the first name of HASH.  */
static size_t
first_of (const struct tb_variables *v, uint32_t hash)
{
  size_t low;
  TB_LOWER_BOUND (low, v->nnames, v->names[low].hash < hash);
  return low;
}

/* Is NAME of the source file that is asked for, if one is?  */
static bool
is_of_source (const struct tb_variables *v, struct tb_name *name)
{
  Dwarf_Die unit;
  if (v->source == NULL)
    return true;
  const char *path = dwarf_diecu (&name->die, &unit, NULL, NULL) != NULL
		     ? tb_die_name (&unit) : NULL;
  size_t length = path != NULL ? strlen (path) : 0;
  return path != NULL && length >= v->source_length
	 && memcmp (path + length - v->source_length, v->source,
		    v->source_length) == 0
	 && (length == v->source_length
	     || path[length - v->source_length - 1] == '/');
}

/* Of several things of one name what is meant in the unit of the scope: what it defines;
   what others define for it; what it declares; what is of others alone.  */
static unsigned
nearness (const struct tb_variables *v, struct tb_name *name)
{
  bool own = v->scope_unit.addr != NULL && name->die.cu == v->scope_unit.cu;
  bool is_type = name->space != TB_NAME_VARIABLE
		 && name->space != TB_NAME_FUNCTION;
  if (name->is_declaration)
    return own;
  return own ? 3 : is_type || tb_die_flag (&name->die, DW_AT_external) ? 2 : 0;
}

const struct tb_name *
tb_variables_name (struct tb_variables *v, uint64_t pc,
		   enum tb_name_space space, const char *text, size_t length)
{
  size_t simple = length;
  read_all_names (v);
  while (simple > 0 && text[simple - 1] != ':')
    simple--;
  uint32_t hash = hash_name (text + simple, length - simple);
  const struct tb_name *best = NULL;
  long best_rank = -1;
  char *context = function_name (v, pc);
  for (size_t i = first_of (v, hash);
       i < v->nnames && v->names[i].hash == hash; i++)
    {
      struct tb_name *name = &v->names[i];
      if (name->space != space || strlen (name->name) != length - simple
	  || memcmp (name->name, text + simple, length - simple) != 0
	  || (space == TB_NAME_FUNCTION && name->is_declaration)
	  || !tb_variables_work (v) || !is_of_source (v, name))
	continue;
      long rank = match (v, name, text, simple, context);
      if (rank < 0)
	continue;
      rank = 4 * rank + nearness (v, name);
      if (rank > best_rank)
	{
	  best = name;
	  best_rank = rank;
	}
    }
  free (context);
  return best;
}

bool
tb_variables_complete (struct tb_variables *v, Dwarf_Die *die,
		       size_t *found_file, Dwarf_Die *found)
{
  const char *text = tb_die_name (die);
  int tag = dwarf_tag (die);
  enum tb_name_space space = tag == DW_TAG_union_type ? TB_NAME_UNION
			     : tag == DW_TAG_enumeration_type ? TB_NAME_ENUM
							      : TB_NAME_STRUCT;
  uint64_t size = 0;
  const struct tb_name *whole = NULL;
  if (text == NULL)
    return false;
  read_all_names (v);
  uint32_t hash = hash_name (text, strlen (text));
  for (size_t i = first_of (v, hash);
       i < v->nnames && v->names[i].hash == hash && tb_variables_work (v); i++)
    {
      struct tb_name *name = &v->names[i];
      uint64_t own;
      if (name->space != space || name->is_declaration
	  || strcmp (name->name, text) != 0
	  || !tb_die_number (&name->die, DW_AT_byte_size, &own))
	continue;
      /* Which of two that differ is meant is not told.  */
      if (whole != NULL && own != size)
	return false;
      if (whole == NULL)
	whole = name;
      size = own;
    }
  if (whole == NULL)
    return false;
  *found_file = whole->file;
  *found = whole->die;
  return true;
}

bool
tb_variables_symbol (struct tb_variables *v, const char *name, size_t length,
		     struct tb_object *object)
{
  for (size_t i = 0; i < v->nfiles; i++)
    {
      Dwfl_Module *module = v->files[i].module;
      int count = dwfl_module_getsymtab (module);
      for (int j = 0; j < count; j++)
	{
	  GElf_Sym symbol;
	  GElf_Addr address;
	  const char *own = dwfl_module_getsym_info (module, j, &symbol,
						     &address, NULL, NULL,
						     NULL);
	  if (own == NULL)
	    continue;
	  unsigned type = GELF_ST_TYPE (symbol.st_info);
	  if (strncmp (own, name, length) != 0
	      || own[length] != 0 || symbol.st_shndx == SHN_UNDEF
	      || (type != STT_OBJECT && type != STT_FUNC
		  && type != STT_NOTYPE))
	    continue;
	  /* Of T32 functions bit 0 is set.  */
	  bool is_code = type == STT_FUNC;
	  *object = (struct tb_object) {
	    .kind = is_code ? TB_OBJECT_FUNCTION : TB_OBJECT_SYMBOL,
	    .name = own, .file = i,
	    .type = tb_variables_base (v, is_code ? TB_TYPE_FUNCTION
						  : TB_TYPE_VOID, false, 0),
	    .value = is_code ? address & ~UINT64_C (1) : address,
	    .size = symbol.st_size
	  };
	  return true;
	}
    }
  return false;
}
