/* Arrays and lists, fields and their values of device descriptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of an index, with the end.  */
enum { INDEX_MAX = 32 };

/* "NAME[%s]" is an array: its indices are 0, 1, ... .  */
static bool
is_array (const struct svd_node *node)
{
  const char *pattern = svd_text (node, SVD_NAME);
  const char *hole = pattern != NULL ? strstr (pattern, "%s") : NULL;
  return hole != NULL && hole > pattern && hole[-1] == '[';
}

/* Does INDEX say "0-3" or "A-D", of COUNT elements?  */
static bool
read_index_range (const char *index, uint64_t count, struct svd_elements *elements)
{
  uint64_t last;
  char low[INDEX_MAX];
  const char *dash = strchr (index, '-');
  size_t length = dash != NULL ? (size_t) (dash - index) : 0;
  if (length < 1 || length >= sizeof low)
    return false;
  if (length == 1 && index[0] >= 'A' && index[0] <= 'Z' && dash[1] >= index[0]
      && dash[1] <= 'Z' && dash[2] == '\0')
    {
      elements->first = (unsigned char) index[0];
      elements->letters = true;
      return count == (uint64_t) (dash[1] - index[0]) + 1;
    }
  memcpy (low, index, length);
  low[length] = '\0';
  return svd_parse_number (low, &elements->first, NULL)
	 && svd_parse_number (dash + 1, &last, NULL) && last >= elements->first
	 && last - elements->first == count - 1;
}

/* Does INDEX say "A,B,C", of COUNT elements?  It is read no further than that.  */
static bool
is_index_list (const char *index, uint64_t count)
{
  for (;; count--)
    {
      index += strspn (index, " ");
      size_t length = strcspn (index, ", -");
      if (length < 1 || length >= INDEX_MAX)
	return false;
      index += length;
      index += strspn (index, " ");
      if (count == 1)
	return *index == '\0';
      if (*index++ != ',')
	return false;
    }
}

/* What the elements of NODE are called by (CMSIS-SVD, "dimIndexType").  Indices of which
   there are not as many would call two by one name: numbers are in their place.  */
static void
find_indices (struct tb_svd *svd, struct svd_node *node,
	      struct svd_elements *elements)
{
  const char *index = svd_text (node, SVD_INDEX);
  if (index == NULL || is_array (node)
      || read_index_range (index, elements->count, elements))
    return;
  elements->first = 0;
  elements->letters = false;
  if (is_index_list (index, elements->count))
    elements->next = index;
  else if (!node->told_index)
    {
      node->told_index = true;
      svd_warn (svd, node, svd_text (node, SVD_NAME), "<dimIndex>: expected as many "
		"indices as <dim> says, %" PRIu64 ", of at most %d characters, found "
		"'%.40s'; 0, 1, ... are taken", elements->count, INDEX_MAX - 1, index);
    }
}

bool
svd_dimension (struct tb_svd *svd, struct svd_node *node,
	       struct svd_elements *elements)
{
  /* What is derived from an element of an array is one element.  */
  *elements = (struct svd_elements) { .count = 1 };
  if (!svd_given (node, SVD_DIM))
    return true;
  elements->count = node->numbers[SVD_DIM];
  if (svd_given (node, SVD_INCREMENT))
    elements->increment = node->numbers[SVD_INCREMENT];
  if (elements->count >= 1 && elements->count <= SVD_ELEMENTS_MAX
      && elements->increment <= UINT64_MAX / elements->count)
    {
      find_indices (svd, node, elements);
      return true;
    }
  svd_leave_out (svd, node, "<dim>: expected 1 to %zu elements that have room, found "
		 "%" PRIu64, SVD_ELEMENTS_MAX, elements->count);
  return false;
}

/* The index of element I, the one behind that asked for last, into TEXT of SIZE.  */
static void
put_index (struct svd_elements *elements, uint64_t i, char *text, size_t size)
{
  if (elements->next != NULL)
    {
      const char *index = elements->next + strspn (elements->next, " ");
      size_t length = strcspn (index, ", ");
      snprintf (text, size, "%.*s", (int) length, index);
      index += length;
      elements->next = index + strspn (index, ", ");
    }
  else if (elements->letters)
    snprintf (text, size, "%c", (int) (elements->first + i));
  else
    snprintf (text, size, "%" PRIu64, elements->first + i);
}

const char *
svd_element_name (struct tb_svd *svd, const struct svd_node *node, uint64_t i,
		  struct svd_elements *elements, const char *prefix)
{
  char index[INDEX_MAX], name[SVD_NAME_MAX + 1];
  const char *pattern = svd_text (node, SVD_NAME);
  const char *hole = svd_given (node, SVD_DIM) ? strstr (pattern, "%s") : NULL;
  const char *dot = prefix != NULL ? "." : "";
  prefix = prefix != NULL ? prefix : "";
  put_index (elements, i, index, sizeof index);
  if (hole != NULL)
    snprintf (name, sizeof name, "%s%s%.*s%s%s", prefix, dot,
	      (int) (hole - pattern), pattern, index, hole + 2);
  else
    snprintf (name, sizeof name, "%s%s%s%s", prefix, dot, pattern,
	      elements->count > 1 ? index : "");
  size_t size = strlen (name) + 1;
  char *copy = tb_pool_alloc (svd->pool, size);
  return copy != NULL ? memcpy (copy, name, size) : NULL;
}

/* The bits of the field NODE.  */
static bool
find_bits (const struct svd_node *node, uint64_t *lsb, uint64_t *width)
{
  uint64_t msb;
  if (!svd_number (node, SVD_LSB, lsb))
    return false;
  /* It says either itself, or leaves both to what it is derived from.  */
  const struct svd_node *with_msb = svd_giver (node, SVD_MSB);
  const struct svd_node *with_width = svd_giver (node, SVD_WIDTH);
  if (with_msb != NULL
      && (with_width == NULL || with_msb->chain > with_width->chain))
    {
      msb = with_msb->numbers[SVD_MSB];
      *width = msb >= *lsb && msb < 64 ? msb - *lsb + 1 : 0;
    }
  else if (with_width != NULL)
    *width = with_width->numbers[SVD_WIDTH];
  else
    *width = 1;
  return true;
}

/* The values in NODE, an <enumeratedValues>; *COUNT of them.  NULL: none, or no
   memory.  */
static const struct tb_svd_value *
make_values (struct tb_svd *svd, const struct svd_node *node, size_t *count)
{
  size_t n = 0;
  *count = 0;
  while (node != NULL && node->first == NULL)
    node = node->base;
  if (node == NULL)
    return NULL;
  for (const struct svd_node *c = node->first; c != NULL; c = c->next)
    n++;
  struct tb_svd_value *values = tb_pool_alloc (svd->pool, n * sizeof *values);
  if (values == NULL)
    return NULL;
  for (const struct svd_node *c = node->first; c != NULL; c = c->next)
    {
      const char *name = svd_text (c, SVD_NAME);
      bool is_default = svd_given (c, SVD_DEFAULT)
			&& c->numbers[SVD_DEFAULT] != 0;
      if (name != NULL && (is_default || svd_given (c, SVD_AT)))
	values[(*count)++] = (struct tb_svd_value) {
	  name, c->numbers[SVD_AT], c->numbers[SVD_MASK], is_default
	};
    }
  return values;
}

/* The values of the field NODE: those for reading where there are two kinds.  */
static const struct svd_node *
find_values (struct tb_svd *svd, struct svd_node *node)
{
  for (; node != NULL; node = node->base)
    for (struct svd_node *c = node->first; c != NULL; c = c->next)
      if (c->kind == SVD_VALUES && svd_derive (svd, c))
	return c;
  return NULL;
}

/* Fields of NODE; false: no memory.  */
static bool
add_field (struct tb_svd *svd, struct svd_node *node, unsigned bits,
	   struct tb_svd_field *fields, size_t *n)
{
  uint64_t lsb = 0, width = 0;
  struct svd_elements all;
  if (!svd_derive (svd, node) || !svd_dimension (svd, node, &all))
    return true;
  if (svd_text (node, SVD_NAME) == NULL || !find_bits (node, &lsb, &width)
      || lsb >= bits || width < 1 || width > bits - lsb || all.count > bits
      || all.increment > bits
      || lsb + (all.count - 1) * all.increment + width > bits)
    {
      svd_leave_out (svd, node, "expected <name> and bits of the register's %u", bits);
      return true;
    }
  size_t nvalues = 0;
  const struct svd_node *list = find_values (svd, node);
  const struct tb_svd_value *values
    = list != NULL ? make_values (svd, list, &nvalues) : NULL;
  for (uint64_t i = 0; i < all.count; i++)
    {
      const char *name = svd_element_name (svd, node, i, &all, NULL);
      if (name == NULL)
	return false;
      fields[(*n)++] = (struct tb_svd_field) {
	name, (unsigned) (lsb + i * all.increment), (unsigned) width, values, nvalues
      };
    }
  return true;
}

static int
compare_fields (const void *a, const void *b)
{
  const struct tb_svd_field *x = a, *y = b;
  return x->lsb < y->lsb ? 1 : x->lsb > y->lsb ? -1 : 0;
}

bool
svd_fields (struct tb_svd *svd, struct svd_node *node, unsigned bits)
{
  struct svd_node *from = node;
  size_t room = 0;
  if (node->has_fields)
    return true;
  for (; from != NULL; from = from->base)
    {
      for (struct svd_node *c = from->first; c != NULL; c = c->next)
	if (c->kind == SVD_FIELD)
	  room += svd_given (c, SVD_DIM) && c->numbers[SVD_DIM] <= 64
		  ? (size_t) c->numbers[SVD_DIM] : 1;
      if (room > 0)
	break;
    }
  node->has_fields = true;
  if (room == 0)
    return true;
  svd->nfields += room;
  struct tb_svd_field *fields = svd->nfields <= SVD_FIELDS_MAX
    ? tb_pool_alloc (svd->pool, room * sizeof *fields) : NULL;
  if (fields == NULL)
    return false;
  for (struct svd_node *c = from->first; c != NULL; c = c->next)
    if (c->kind == SVD_FIELD
	&& !add_field (svd, c, bits, fields, &node->nfields))
      return false;
  qsort (fields, node->nfields, sizeof *fields, compare_fields);
  node->fields = fields;
  return true;
}
