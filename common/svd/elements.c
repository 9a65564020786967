/* Arrays and lists, fields and their values of device descriptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
svd_dimension (struct tb_svd *svd, const struct svd_node *node,
	       uint64_t *count, uint64_t *increment)
{
  /* What is derived from an element of an array is one element.  */
  *count = 1;
  *increment = 0;
  if (!svd_given (node, SVD_DIM))
    return true;
  *count = node->numbers[SVD_DIM];
  if (svd_given (node, SVD_INCREMENT))
    *increment = node->numbers[SVD_INCREMENT];
  if (*count >= 1 && *count <= SVD_ELEMENTS_MAX
      && *increment <= UINT64_MAX / *count)
    return true;
  svd_leave_out (svd, node, "<dim>: expected 1 to %zu elements that have room, found "
		 "%" PRIu64, SVD_ELEMENTS_MAX, *count);
  return false;
}

/* Index number I of the list INDEX (CMSIS-SVD, "dimIndexType": "0-3", "A-D" or
   "A,B,C"), into TEXT of SIZE; where it has none, the number itself.  */
static void
put_index (const char *index, uint64_t i, char *text, size_t size)
{
  snprintf (text, size, "%" PRIu64, i);
  if (index == NULL)
    return;
  const char *dash = strchr (index, '-');
  uint64_t first;
  char low[24];
  size_t length = dash != NULL ? (size_t) (dash - index) : 0;
  if (dash != NULL && strchr (index, ',') == NULL && length < sizeof low)
    {
      memcpy (low, index, length);
      low[length] = '\0';
      if (length == 1 && dash[1] != '\0' && dash[2] == '\0' && index[0] >= 'A'
	  && index[0] <= 'Z' && i <= (uint64_t) ('Z' - index[0]))
	snprintf (text, size, "%c", (int) (index[0] + (char) i));
      else if (svd_parse_number (low, &first, NULL) && first <= UINT64_MAX - i)
	snprintf (text, size, "%" PRIu64, first + i);
      return;
    }
  for (; i > 0 && index != NULL; i--)
    {
      index = strchr (index, ',');
      index = index != NULL ? index + 1 : NULL;
    }
  if (index == NULL)
    return;
  index += strspn (index, " ");
  size_t n = strcspn (index, ", ");
  if (n > 0)
    snprintf (text, size, "%.*s", (int) (n < size ? n : size - 1), index);
}

const char *
svd_element_name (struct tb_svd *svd, const struct svd_node *node, uint64_t i,
		  uint64_t count, const char *prefix)
{
  char index[32], name[SVD_NAME_MAX + 1];
  const char *pattern = svd_text (node, SVD_NAME);
  const char *hole = svd_given (node, SVD_DIM) ? strstr (pattern, "%s") : NULL;
  const char *dot = prefix != NULL ? "." : "";
  prefix = prefix != NULL ? prefix : "";
  /* "NAME[%s]" is an array: its indices are 0, 1, ... .  */
  bool is_array = hole != NULL && hole > pattern && hole[-1] == '[';
  put_index (is_array ? NULL : svd_text (node, SVD_INDEX), i, index, sizeof index);
  if (hole != NULL)
    snprintf (name, sizeof name, "%s%s%.*s%s%s", prefix, dot,
	      (int) (hole - pattern), pattern, index, hole + 2);
  else
    snprintf (name, sizeof name, "%s%s%s%s", prefix, dot, pattern,
	      count > 1 ? index : "");
  size_t size = strlen (name) + 1;
  char *copy = objalloc_alloc (svd->pool, size);
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
  struct tb_svd_value *values = objalloc_alloc (svd->pool, n * sizeof *values);
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
  uint64_t lsb = 0, width = 0, count, increment;
  if (!svd_derive (svd, node) || !svd_dimension (svd, node, &count, &increment))
    return true;
  if (svd_text (node, SVD_NAME) == NULL || !find_bits (node, &lsb, &width)
      || lsb >= bits || width < 1 || width > bits - lsb || count > bits
      || increment > bits || lsb + (count - 1) * increment + width > bits)
    {
      svd_leave_out (svd, node, "expected <name> and bits of the register's %u", bits);
      return true;
    }
  size_t nvalues = 0;
  const struct svd_node *list = find_values (svd, node);
  const struct tb_svd_value *values
    = list != NULL ? make_values (svd, list, &nvalues) : NULL;
  for (uint64_t i = 0; i < count; i++)
    {
      const char *name = svd_element_name (svd, node, i, count, NULL);
      if (name == NULL)
	return false;
      fields[(*n)++] = (struct tb_svd_field) {
	name, (unsigned) (lsb + i * increment), (unsigned) width, values, nvalues
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
    ? objalloc_alloc (svd->pool, room * sizeof *fields) : NULL;
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
