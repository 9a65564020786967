/* Types that files describe.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 5 (type entries), 7.8 (encodings).  What a type is made of is looked
   at when it is asked for, as types may contain pointers to themselves.  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>

#include "util/buffer.h"

/* Larger things are not described but made up.  */
#define SIZE_LIMIT (UINT64_C (1) << 48)

static struct tb_type_node *
new_node (struct tb_variables *v, enum tb_type_kind kind, uint64_t size)
{
  struct tb_type_node *node = calloc (1, sizeof *node);
  if (node == NULL)
    {
      v->no_memory = true;
      return &v->other;
    }
  node->type.kind = kind;
  node->type.size = size;
  node->next = v->nodes;
  v->nodes = node;
  return node;
}

static void
free_nodes (struct tb_type_node *nodes)
{
  while (nodes != NULL)
    {
      struct tb_type_node *next = nodes->next;
      free (nodes->members);
      free (nodes);
      nodes = next;
    }
}

void
tb_types_fini (struct tb_variables *v)
{
  free_nodes (v->nodes);
  free_nodes (v->bases);
  if (v->types != NULL)
    htab_delete (v->types);
}

static hashval_t
hash_type (const void *entry)
{
  const struct tb_type_node *node = entry;
  return htab_hash_pointer (node->asked);
}

static int
same_type (const void *x, const void *y)
{
  const struct tb_type_node *a = x, *b = y;
  return a->asked == b->asked;
}

/* The node that DIE stands for; NULL: it is not known yet.  */
static struct tb_type_node *
find (const struct tb_variables *v, const void *die)
{
  const struct tb_type_node key = { .asked = die };
  return v->types != NULL ? htab_find (v->types, &key) : NULL;
}

/* Remember that DIE stands for NODE.  Without memory it is described again.  */
static void
keep (struct tb_variables *v, const void *die, struct tb_type_node *node)
{
  node->asked = die;
  if (v->types == NULL)
    v->types = htab_create_alloc (256, hash_type, same_type, NULL, calloc, free);
  void **slot = v->types != NULL ? htab_find_slot (v->types, node, INSERT) : NULL;
  if (slot != NULL)
    *slot = node;
}

const struct tb_type *
tb_variables_base (struct tb_variables *v, enum tb_type_kind kind,
		   bool is_signed, unsigned size)
{
  for (struct tb_type_node *n = v->bases; n != NULL; n = n->next)
    if (n->type.kind == kind && n->type.is_signed == is_signed
	&& n->type.size == size)
      return &n->type;
  struct tb_type_node *node = new_node (v, kind, size);
  if (node == &v->other)
    return &node->type;
  node->type.is_signed = is_signed;
  v->nodes = node->next;
  node->next = v->bases;
  v->bases = node;
  return &node->type;
}

static unsigned
address_size (const struct tb_variables *v, Dwarf_Die *die)
{
  Dwarf_Die unit;
  uint8_t size;
  return dwarf_diecu (die, &unit, &size, NULL) != NULL
	 && (size == 4 || size == 8) ? size : v->address_size;
}

static void
describe_base (struct tb_type *type, Dwarf_Die *die)
{
  uint64_t encoding = 0;
  bool whole = type->size == 1 || type->size == 2 || type->size == 4
	       || type->size == 8;
  tb_die_number (die, DW_AT_encoding, &encoding);
  type->kind = TB_TYPE_INTEGER;
  switch (encoding)
    {
    case DW_ATE_boolean:
      type->kind = TB_TYPE_BOOL;
      break;
    case DW_ATE_signed: case DW_ATE_signed_char:
      type->is_signed = true;
      break;
    case DW_ATE_unsigned: case DW_ATE_unsigned_char: case DW_ATE_address:
    case DW_ATE_UTF:
      break;
    case DW_ATE_float:
      type->kind = TB_TYPE_FLOAT;
      return;
    default:
      type->kind = TB_TYPE_OTHER;
      return;
    }
  if (!whole)
    type->kind = TB_TYPE_OTHER;
  else if (type->size == 1
	   && (encoding == DW_ATE_signed_char
	       || encoding == DW_ATE_unsigned_char))
    type->kind = TB_TYPE_CHAR;
}

/* An enumeration is signed if one of its values is negative.  */
static void
describe_enum (struct tb_variables *v, struct tb_type_node *node)
{
  Dwarf_Die child;
  struct tb_type *type = &node->type;
  type->kind = type->size == 1 || type->size == 2 || type->size == 4
	       || type->size == 8 ? TB_TYPE_ENUM : TB_TYPE_OTHER;
  if (tb_die_child (v, &node->die, &child))
    do
      {
	Dwarf_Attribute attribute;
	uint64_t value;
	if (dwarf_tag (&child) == DW_TAG_enumerator
	    && dwarf_attr (&child, DW_AT_const_value, &attribute) != NULL
	    && dwarf_whatform (&attribute) != DW_FORM_udata
	    && tb_attribute_constant (&attribute, false, &value)
	    && (int64_t) value < 0)
	  type->is_signed = true;
      }
    while (tb_die_next (v, &child));
}

/* How many elements the dimension DIE of an array has; false: it is not said, or not
   before the program runs.  */
static bool
dimension (Dwarf_Die *die, uint64_t *count)
{
  uint64_t lower = 0, upper;
  Dwarf_Attribute attribute;
  if (tb_die_number (die, DW_AT_count, count))
    return true;
  tb_die_number (die, DW_AT_lower_bound, &lower);
  if (dwarf_attr_integrate (die, DW_AT_upper_bound, &attribute) == NULL
      || !tb_attribute_constant (&attribute, false, &upper))
    return false;
  /* "-1" in 32 bits: there are none.  */
  if (upper == UINT32_MAX)
    upper = UINT64_MAX;
  *count = upper + 1 - lower;
  return true;
}

/* Make NODE an array of COUNT TARGETs.  */
static void
make_array (struct tb_type_node *node, struct tb_type_node *target,
	    bool has_count, uint64_t count)
{
  uint64_t each = target->type.size;
  node->type.kind = TB_TYPE_ARRAY;
  node->target = target;
  node->type.is_incomplete = !has_count || target->type.is_incomplete
			     || (each != 0 && count > SIZE_LIMIT / each);
  node->type.count = has_count && !node->type.is_incomplete ? count : 0;
  node->type.size = node->type.count * each;
}

static void
describe_array (struct tb_variables *v, struct tb_type_node *node)
{
  uint64_t counts[TB_NESTING_MAX] = { 0 };
  bool known[TB_NESTING_MAX] = { false };
  unsigned n = 0;
  Dwarf_Die child;
  if (tb_die_child (v, &node->die, &child))
    do
      if (dwarf_tag (&child) == DW_TAG_subrange_type && n < TB_NESTING_MAX)
	{
	  known[n] = dimension (&child, &counts[n]);
	  n++;
	}
    while (tb_die_next (v, &child));
  struct tb_type_node *target = tb_type_of (v, node->file, &node->die);
  /* The last dimension is the innermost array.  */
  for (; n > 1; n--)
    {
      struct tb_type_node *inner = new_node (v, TB_TYPE_ARRAY, 0);
      if (inner == &v->other)
	break;
      make_array (inner, target, known[n - 1], counts[n - 1]);
      target = inner;
    }
  make_array (node, target, n != 0 && known[0], counts[0]);
  node->type.is_vector = tb_die_flag (&node->die, DW_AT_GNU_vector);
}

/* Fill in NODE for its description.  */
static void
describe (struct tb_variables *v, struct tb_type_node *node)
{
  struct tb_type *type = &node->type;
  type->name = tb_die_name (&node->die);
  type->kind = TB_TYPE_OTHER;
  bool has_size = tb_die_number (&node->die, DW_AT_byte_size, &type->size)
		  && type->size <= SIZE_LIMIT;
  if (!has_size)
    type->size = 0;
  switch (dwarf_tag (&node->die))
    {
    case DW_TAG_base_type:
      describe_base (type, &node->die);
      break;
    case DW_TAG_unspecified_type:
      type->kind = TB_TYPE_VOID;
      break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type: case DW_TAG_rvalue_reference_type:
      type->kind = dwarf_tag (&node->die) == DW_TAG_pointer_type
		   ? TB_TYPE_POINTER : TB_TYPE_REFERENCE;
      type->size = address_size (v, &node->die);
      break;
    case DW_TAG_subroutine_type: case DW_TAG_subprogram:
      type->kind = TB_TYPE_FUNCTION;
      break;
    case DW_TAG_enumeration_type:
      type->is_incomplete = !has_size;
      describe_enum (v, node);
      break;
    case DW_TAG_array_type:
      describe_array (v, node);
      break;
    case DW_TAG_structure_type: case DW_TAG_class_type:
    case DW_TAG_interface_type:
      type->kind = TB_TYPE_STRUCT;
      type->is_incomplete = !has_size;
      break;
    case DW_TAG_union_type:
      type->kind = TB_TYPE_UNION;
      type->is_incomplete = !has_size;
      break;
    default:
      type->is_incomplete = !has_size;
      break;
    }
}

static bool
is_transparent (int tag)
{
  switch (tag)
    {
    case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type:
    case DW_TAG_restrict_type: case DW_TAG_atomic_type:
    case DW_TAG_immutable_type: case DW_TAG_packed_type:
    case DW_TAG_template_alias:
      return true;
    default:
      return false;
    }
}

static struct tb_type_node *
void_node (struct tb_variables *v)
{
  return (struct tb_type_node *) tb_variables_base (v, TB_TYPE_VOID, false, 0);
}

struct tb_type_node *
tb_type_described (struct tb_variables *v, size_t file, Dwarf_Die *die)
{
  Dwarf_Die at = *die, next;
  Dwarf_Attribute attribute;
  unsigned links = 0;
  while (is_transparent (dwarf_tag (&at)))
    {
      if (dwarf_attr_integrate (&at, DW_AT_type, &attribute) == NULL)
	return void_node (v);
      if (links++ == TB_NESTING_MAX
	  || dwarf_formref_die (&attribute, &next) == NULL)
	return &v->other;
      at = next;
    }
  /* What stands for a type that is described elsewhere.  */
  if (dwarf_attr (&at, DW_AT_signature, &attribute) != NULL
      && dwarf_formref_die (&attribute, &next) != NULL)
    at = next;
  struct tb_type_node *known = find (v, at.addr);
  if (known != NULL)
    return known;
  if (v->nesting == TB_NESTING_MAX || !tb_variables_work (v))
    return &v->other;
  Dwarf_Die whole = at;
  size_t whole_file = file;
  if (dwarf_hasattr (&at, DW_AT_declaration)
      && dwarf_tag (&at) != DW_TAG_subprogram)
    tb_variables_complete (v, &at, &whole_file, &whole);
  struct tb_type_node *node = new_node (v, TB_TYPE_OTHER, 0);
  if (node == &v->other)
    return node;
  node->file = whole_file;
  node->die = whole;
  v->nesting++;
  describe (v, node);
  v->nesting--;
  keep (v, at.addr, node);
  return node;
}

struct tb_type_node *
tb_type_of (struct tb_variables *v, size_t file, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Die described;
  if (dwarf_attr_integrate (die, DW_AT_type, &attribute) == NULL)
    return void_node (v);
  if (dwarf_formref_die (&attribute, &described) == NULL)
    return &v->other;
  return tb_type_described (v, file, &described);
}

const struct tb_type *
tb_type_target (struct tb_variables *v, const struct tb_type *type)
{
  struct tb_type_node *node = (struct tb_type_node *) type;
  if (node->target == NULL)
    {
      if (node->die.addr == NULL)
	return &v->other.type;
      v->work = TB_WORK_MAX;
      node->target = tb_type_of (v, node->file, &node->die);
    }
  return &node->target->type;
}

const struct tb_type *
tb_type_pointer (struct tb_variables *v, const struct tb_type *type)
{
  struct tb_type_node *node = (struct tb_type_node *) type;
  if (node == &v->other)
    return type;
  if (node->pointer == NULL)
    {
      struct tb_type_node *pointer = new_node (v, TB_TYPE_POINTER,
					       v->address_size);
      if (pointer == &v->other)
	return &pointer->type;
      pointer->target = node;
      node->pointer = pointer;
    }
  return &node->pointer->type;
}

const struct tb_type *
tb_type_array (struct tb_variables *v, const struct tb_type *type,
	       uint64_t count)
{
  for (struct tb_type_node *n = v->nodes; n != NULL; n = n->next)
    if (n->die.addr == NULL && n->type.kind == TB_TYPE_ARRAY
	&& n->target == (const struct tb_type_node *) type
	&& n->type.count == count)
      return &n->type;
  struct tb_type_node *node = new_node (v, TB_TYPE_ARRAY, 0);
  if (node != &v->other)
    make_array (node, (struct tb_type_node *) type, true, count);
  return &node->type;
}

/* Where member DIE of a structure begins, in bytes.  */
static bool
member_offset (Dwarf_Die *die, uint64_t *offset)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  *offset = 0;
  if (dwarf_attr_integrate (die, DW_AT_data_member_location, &attribute)
      == NULL || tb_die_number (die, DW_AT_data_member_location, offset))
    return true;
  /* DWARF 2: what to do to the structure's address.  */
  if (dwarf_getlocation (&attribute, &ops, &count) != 0 || count != 1
      || ops[0].atom != DW_OP_plus_uconst)
    return false;
  *offset = ops[0].number;
  return true;
}

/* Fill in MEMBER for DIE of a structure of SIZE bytes.  */
static bool
describe_member (struct tb_variables *v, const struct tb_type_node *whole,
		 Dwarf_Die *die, struct tb_member *member)
{
  uint64_t bits = 0, bit, size;
  int tag = dwarf_tag (die);
  if ((tag != DW_TAG_member && tag != DW_TAG_inheritance)
      || dwarf_hasattr (die, DW_AT_external)	/* A static one.  */
      || dwarf_hasattr (die, DW_AT_declaration)
      || !member_offset (die, &member->offset)
      /* A base class whose place depends on the object.  */
      || (tag == DW_TAG_inheritance && dwarf_hasattr (die, DW_AT_virtuality)))
    return false;
  struct tb_type_node *type = tb_type_of (v, whole->file, die);
  member->name = tag == DW_TAG_inheritance ? NULL : tb_die_name (die);
  member->type = &type->type;
  if (tb_die_number (die, DW_AT_bit_size, &bits))
    {
      if (bits == 0 || bits > 64)
	return false;
      if (tb_die_number (die, DW_AT_data_bit_offset, &bit))
	;
      else if (tb_die_number (die, DW_AT_bit_offset, &bit))
	{
	  /* Of the high end, counted from that of the storage unit.  */
	  if (!tb_die_number (die, DW_AT_byte_size, &size))
	    size = type->type.size;
	  if (size > 8 || bit + bits > 8 * size)
	    return false;
	  bit = 8 * size - bit - bits;
	}
      else
	bit = 0;
      if (bit > 8 * SIZE_LIMIT)
	return false;
      member->offset += bit / 8;
      member->bit = bit % 8;
      member->bits = (uint8_t) bits;
    }
  size = bits != 0 ? (member->bit + bits + 7) / 8 : type->type.size;
  return member->offset <= whole->type.size
	 && size <= whole->type.size - member->offset;
}

const struct tb_member *
tb_type_members (struct tb_variables *v, const struct tb_type *type,
		 size_t *count)
{
  struct tb_type_node *node = (struct tb_type_node *) type;
  Dwarf_Die child;
  size_t capacity = 0;
  if (!node->has_members && node->die.addr != NULL && !type->is_incomplete
      && (type->kind == TB_TYPE_STRUCT || type->kind == TB_TYPE_UNION))
    {
      node->has_members = true;
      v->work = TB_WORK_MAX;
      if (tb_die_child (v, &node->die, &child))
	do
	  {
	    struct tb_member member = { 0 };
	    if (!describe_member (v, node, &child, &member))
	      continue;
	    bool ok = TB_GROW (node->members, capacity, node->nmembers, 1);
	    if (!ok)
	      break;
	    node->members[node->nmembers++] = member;
	  }
	while (tb_die_next (v, &child));
    }
  *count = node->nmembers;
  return node->members;
}
