/* The sizes of what files describe as structures and arrays.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>

#include "util/buffer.h"

/* More sizes than these are those of a file that was made to waste memory.  */
#define SIZES_MAX ((size_t) 1 << 16)

/* So many descriptions are looked at in some tenths of a second: a debugger waits.  */
#define SIZES_WORK ((size_t) 1 << 21)

struct sizes
{
  uint64_t *items;
  size_t count, capacity;
};

static int
by_size (const void *x, const void *y)
{
  uint64_t a = *(const uint64_t *) x, b = *(const uint64_t *) y;
  return a < b ? -1 : a > b;
}

/* Sort, and leave out what stands twice.  */
static void
sort (struct sizes *s)
{
  size_t kept = 0;
  if (s->count > 0)
    qsort (s->items, s->count, sizeof *s->items, by_size);
  for (size_t i = 0; i < s->count; i++)
    if (kept == 0 || s->items[kept - 1] != s->items[i])
      s->items[kept++] = s->items[i];
  s->count = kept;
}

static void
add_size (struct tb_variables *v, struct sizes *s, uint64_t size)
{
  void *items = s->items;
  if (s->count == SIZES_MAX)
    sort (s);
  if (size == 0 || s->count == SIZES_MAX)
    return;
  if (!tb_grow (&items, &s->capacity, s->count, 1, sizeof *s->items))
    {
      v->no_memory = true;
      return;
    }
  s->items = items;
  s->items[s->count++] = size;
}

/* Those of what stands in DIE.  */
static void
list_sizes (struct tb_variables *v, struct sizes *s, size_t file, Dwarf_Die *die,
	    unsigned depth)
{
  Dwarf_Die child;
  if (depth >= TB_NESTING_MAX || !tb_die_child (v, die, &child))
    return;
  do
    switch (dwarf_tag (&child))
      {
      case DW_TAG_structure_type: case DW_TAG_class_type: case DW_TAG_union_type:
	{
	  uint64_t size;
	  if (tb_die_number (&child, DW_AT_byte_size, &size))
	    add_size (v, s, size);
	  list_sizes (v, s, file, &child, depth + 1);
	  break;
	}
      case DW_TAG_array_type:
	{
	  const struct tb_type *type = &tb_type_described (v, file, &child)->type;
	  size_t work = v->work;
	  /* One of several dimensions has arrays for elements.  */
	  for (; type->kind == TB_TYPE_ARRAY; type = tb_type_target (v, type))
	    add_size (v, s, type->size);
	  v->work = work;
	  break;
	}
      case DW_TAG_namespace: case DW_TAG_subprogram: case DW_TAG_lexical_block:
	list_sizes (v, s, file, &child, depth + 1);
	break;
      default:
	break;
      }
  while (tb_die_next (v, &child));
}

bool
tb_variables_sizes (struct tb_variables *v, uint64_t **sizes, size_t *count)
{
  struct sizes s = { 0 };
  v->work = SIZES_WORK;
  for (size_t i = 0; i < v->nfiles; i++)
    {
      Dwarf_CU *unit = NULL;
      Dwarf_Die die;
      while (v->files[i].dwarf != NULL
	     && dwarf_get_units (v->files[i].dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
	list_sizes (v, &s, i, &die, 0);
    }
  sort (&s);
  *sizes = s.items;
  *count = s.count;
  return !v->no_memory;
}
