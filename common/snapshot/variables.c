/* What names mean at a PC.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 3.3.8 (inlined subroutines), 4.1 (data objects).  */

#include "config.h"
#include "snapshot/variables.h"

#include <dwarf.h>
#include <string.h>

#include "snapshot/variables-internal.h"
#include "util/number.h"

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
    object->value = tb_number (block.data, block.length);
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
  const char *quote = name[0] == '\'' ? memchr (name + 1, '\'', length - 1)
				      : NULL;
  if (quote != NULL)
    {
      /* 'FILE'::NAME  */
      size_t before = (size_t) (quote + 3 - name);
      v->source = name + 1;
      v->source_length = (size_t) (quote - name - 1);
      bool found = before < length
		   && (find_global (v, pc, name + before, length - before, object)
		       || find_in_function (v, pc, name + before,
					    length - before, object));
      v->source = NULL;
      return found;
    }
  bool in_scopes = tb_variables_scopes (v, pc);
  for (unsigned i = in_scopes ? v->nscopes : 0; i-- > 0;)
    if (find_in_scope (v, v->scope_file, &v->scopes[i], name, length, object))
      {
	for (unsigned k = 0; k <= i; k++)
	  object->is_inlined |= dwarf_tag (&v->scopes[k]) == DW_TAG_inlined_subroutine;
	return true;
      }
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
struct variable_listing
{
  struct tb_variables *v;
  int tag;
  bool (*take) (void *context, const struct tb_object *object);
  void *context;
};

/* Tell the variables of PARENT but those that INSTANCE, if it is not NULL, mentions.  */
static bool
list_scope (const struct variable_listing *l, Dwarf_Die *parent, Dwarf_Die *instance)
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
  const struct variable_listing listing = {
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
