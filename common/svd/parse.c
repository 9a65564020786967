/* From the bytes of a device description to its tree.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/filemap.h"
#include "util/xml.h"

/* Elements that are nodes, and those in which they may be.  */
static const struct node_row
{
  const char *name;
  enum svd_kind kind;
  unsigned parents;		/* A bit for each enum svd_kind; 0: the root.  */
} node_rows[] = {
  { "device", SVD_DEVICE, 0 },
  { "peripheral", SVD_PERIPHERAL, 1 << SVD_DEVICE },
  { "addressBlock", SVD_BLOCK, 1 << SVD_PERIPHERAL },
  { "cluster", SVD_CLUSTER, 1 << SVD_PERIPHERAL | 1 << SVD_CLUSTER },
  { "register", SVD_REGISTER, 1 << SVD_PERIPHERAL | 1 << SVD_CLUSTER },
  { "field", SVD_FIELD, 1 << SVD_REGISTER },
  { "enumeratedValues", SVD_VALUES, 1 << SVD_FIELD },
  { "enumeratedValue", SVD_VALUE, 1 << SVD_VALUES }
};

/* Elements that only hold others.  */
static const struct holder_row
{
  const char *name;
  enum svd_kind parent;
} holder_rows[] = {
  { "peripherals", SVD_DEVICE },
  { "registers", SVD_PERIPHERAL },
  { "fields", SVD_REGISTER }
};

#define ALL (~0u)
#define REGISTER_GROUP \
  (1 << SVD_DEVICE | 1 << SVD_PERIPHERAL | 1 << SVD_CLUSTER | 1 << SVD_REGISTER)
#define DIM_GROUP \
  (1 << SVD_PERIPHERAL | 1 << SVD_CLUSTER | 1 << SVD_REGISTER | 1 << SVD_FIELD)

/* Elements that say something of the node they are in.  */
static const struct property_row
{
  const char *name;
  enum svd_property property;
  enum { TEXT, NUMBER, ACCESS, RANGE, VALUE, FLAG } form;
  unsigned in;
} property_rows[] = {
  { "name", SVD_NAME, TEXT, ALL },
  { "description", SVD_DESCRIPTION, TEXT,
    1 << SVD_PERIPHERAL | 1 << SVD_REGISTER },
  { "baseAddress", SVD_AT, NUMBER, 1 << SVD_PERIPHERAL },
  { "addressOffset", SVD_AT, NUMBER, 1 << SVD_CLUSTER | 1 << SVD_REGISTER },
  { "offset", SVD_AT, NUMBER, 1 << SVD_BLOCK },
  { "value", SVD_AT, VALUE, 1 << SVD_VALUE },
  { "isDefault", SVD_DEFAULT, FLAG, 1 << SVD_VALUE },
  { "size", SVD_SIZE, NUMBER, REGISTER_GROUP | 1 << SVD_BLOCK },
  { "access", SVD_ACCESS, ACCESS, REGISTER_GROUP },
  { "bitOffset", SVD_LSB, NUMBER, 1 << SVD_FIELD },
  { "bitWidth", SVD_WIDTH, NUMBER, 1 << SVD_FIELD },
  { "lsb", SVD_LSB, NUMBER, 1 << SVD_FIELD },
  { "msb", SVD_MSB, NUMBER, 1 << SVD_FIELD },
  { "bitRange", SVD_LSB, RANGE, 1 << SVD_FIELD },
  { "dim", SVD_DIM, NUMBER, DIM_GROUP },
  { "dimIncrement", SVD_INCREMENT, NUMBER, DIM_GROUP },
  { "dimIndex", SVD_INDEX, TEXT, DIM_GROUP }
};

/* CMSIS-SVD, "accessType".  */
static const struct
{
  const char *name;
  unsigned access;
} access_rows[] = {
  { "read-only", SVD_READS },
  { "write-only", SVD_WRITES },
  { "read-write", SVD_READS | SVD_WRITES },
  { "writeOnce", SVD_WRITES },
  { "read-writeOnce", SVD_READS | SVD_WRITES }
};

#define ROWS(table) (sizeof table / sizeof table[0])

struct reading
{
  struct tb_xml_guard guard;	/* First.  */
  struct tb_svd *svd;
  XML_Parser parser;
  struct svd_node *node;	/* The innermost open one.  */
  const struct property_row *property;	/* Its open element that says something.  */
  unsigned depth;		/* Of open elements.  */
  /* Elements that are not looked into: that many are open.  */
  unsigned skipped;
  struct tb_buffer text;	/* Of PROPERTY.  */
  bool failed;			/* A message said why.  */
};

const char *
svd_kind_name (enum svd_kind kind)
{
  return node_rows[kind].name;
}

static unsigned
line_of (struct reading *r)
{
  XML_Size line = XML_GetCurrentLineNumber (r->parser);
  return line > UINT_MAX ? UINT_MAX : (unsigned) line;
}

static void
fail (struct reading *r, const char *why)
{
  if (!r->failed)
    tb_error (r->svd->diag, "%s:%u: %s", r->svd->path, line_of (r), why);
  r->failed = true;
  XML_StopParser (r->parser, XML_FALSE);
}

static struct svd_node *
open_node (struct reading *r, enum svd_kind kind, const char **attributes)
{
  struct tb_svd *svd = r->svd;
  struct svd_node *node = svd->nodes < SVD_NODES_MAX
    ? tb_pool_alloc (svd->pool, sizeof *node) : NULL;
  if (node == NULL)
    {
      fail (r, svd->nodes < SVD_NODES_MAX ? "no memory for this element"
	    : "expected at most 8388608 elements");
      return NULL;
    }
  svd->nodes++;
  *node = (struct svd_node) { .kind = kind, .line = line_of (r),
			      .parent = r->node };
  for (size_t i = 0; attributes[i] != NULL; i += 2)
    if (strcmp (attributes[i], "derivedFrom") == 0)
      {
	size_t size = strlen (attributes[i + 1]) + 1;
	char *copy = tb_pool_alloc (svd->pool, size);
	if (copy == NULL)
	  {
	    fail (r, "no memory for this element");
	    return NULL;
	  }
	node->derived_from = memcpy (copy, attributes[i + 1], size);
      }
  if (r->node == NULL)
    svd->device = node;
  else if (r->node->first == NULL)
    r->node->first = r->node->last = node;
  else
    r->node->last = r->node->last->next = node;
  return node;
}

static void
on_start (void *context, const char *name, const char **attributes)
{
  struct reading *r = context;
  if (++r->depth > SVD_DEPTH_MAX)
    {
      fail (r, "expected elements at most 64 deep");
      return;
    }
  /* An element in one that should only have text is not looked into either.  */
  if (r->skipped > 0 || r->property != NULL)
    {
      r->skipped++;
      return;
    }
  unsigned in = r->node == NULL ? 0 : 1u << r->node->kind;
  for (size_t i = 0; i < ROWS (node_rows); i++)
    if ((r->node == NULL ? node_rows[i].parents == 0
	 : (node_rows[i].parents & in) != 0)
	&& strcmp (name, node_rows[i].name) == 0)
      {
	struct svd_node *node = open_node (r, node_rows[i].kind, attributes);
	if (node != NULL)
	  r->node = node;
	return;
      }
  if (r->node == NULL)
    {
      char why[160];
      snprintf (why, sizeof why, "expected <device>, the root of a device description "
		"(CMSIS-SVD), found <%.40s>%s", name,
		strcmp (name, "target") == 0 ? "; a target description is given by "
		"--tdesc" : "");
      fail (r, why);
      return;
    }
  for (size_t i = 0; i < ROWS (holder_rows); i++)
    if (r->node->kind == holder_rows[i].parent
	&& strcmp (name, holder_rows[i].name) == 0)
      return;
  for (size_t i = 0; i < ROWS (property_rows); i++)
    if ((property_rows[i].in & in) != 0
	&& strcmp (name, property_rows[i].name) == 0)
      {
	r->property = &property_rows[i];
	tb_buffer_clear (&r->text);
	return;
      }
  /* Much is of no use here and is passed over; this has elements that would be.  */
  if (strcmp (name, "xi:include") == 0 && r->svd->wrong++ < 5)
    tb_warning (r->svd->diag, "%s:%u: <%s>: expected all in one file; what it includes is "
		"not read", r->svd->path, line_of (r), name);
  r->skipped = 1;
}

/* "[msb:lsb]"  */
static bool
read_range (const char *text, struct svd_node *node)
{
  const char *colon = strchr (text, ':');
  size_t length = strlen (text);
  char high[24], low[24];
  uint64_t msb, lsb;
  if (colon == NULL || text[0] != '[' || text[length - 1] != ']')
    return false;
  size_t nhigh = (size_t) (colon - text) - 1;
  size_t nlow = length - (size_t) (colon - text) - 2;
  if (nhigh >= sizeof high || nlow >= sizeof low)
    return false;
  memcpy (high, text + 1, nhigh);
  high[nhigh] = '\0';
  memcpy (low, colon + 1, nlow);
  low[nlow] = '\0';
  if (!svd_parse_number (high, &msb, NULL) || !svd_parse_number (low, &lsb, NULL))
    return false;
  node->numbers[SVD_MSB] = msb;
  node->given |= 1u << SVD_MSB;
  node->numbers[SVD_LSB] = lsb;
  return true;
}

/* Take TEXT for PROPERTY of NODE; false: it is not what was expected there.  */
static bool
read_property (struct tb_svd *svd, struct svd_node *node,
	       const struct property_row *row, const char *text, bool *no_memory)
{
  uint64_t *number = row->property < SVD_NUMBERS
    ? &node->numbers[row->property] : NULL;
  switch (row->form)
    {
    case TEXT:
      {
	size_t size = strlen (text) + 1;
	char *copy = tb_pool_alloc (svd->pool, size);
	*no_memory = copy == NULL;
	if (copy == NULL)
	  return false;
	node->texts[row->property - SVD_NUMBERS] = memcpy (copy, text, size);
	break;
      }
    case NUMBER:
      if (!svd_parse_number (text, number, NULL))
	return false;
      break;
    case VALUE:
      if (!svd_parse_number (text, number, &node->numbers[SVD_MASK]))
	return false;
      break;
    case FLAG:
      *number = strcmp (text, "true") == 0 || strcmp (text, "1") == 0;
      if (*number == 0 && strcmp (text, "false") != 0 && strcmp (text, "0") != 0)
	return false;
      break;
    case RANGE:
      if (!read_range (text, node))
	return false;
      break;
    case ACCESS:
      for (size_t i = 0; i < ROWS (access_rows); i++)
	if (strcmp (text, access_rows[i].name) == 0)
	  {
	    *number = access_rows[i].access;
	    node->given |= 1u << row->property;
	    return true;
	  }
      return false;
    }
  node->given |= 1u << row->property;
  return true;
}

/* Cut the blanks around TEXT off and make each run of blanks in it one.  */
static void
fold_blanks (struct tb_buffer *text)
{
  size_t kept = 0;
  bool blank = false;
  for (size_t i = 0; i < text->size; i++)
    if (strchr (" \t\r\n", text->data[i]) != NULL && text->data[i] != '\0')
      blank = kept > 0;
    else
      {
	if (blank)
	  text->data[kept++] = ' ';
	blank = false;
	text->data[kept++] = text->data[i];
      }
  text->size = kept;
}

static void
close_property (struct reading *r)
{
  const struct property_row *row = r->property;
  r->property = NULL;
  fold_blanks (&r->text);
  tb_buffer_append (&r->text, "", 1);
  bool no_memory = r->text.failed;
  if (!no_memory
      && read_property (r->svd, r->node, row, (const char *) r->text.data,
			&no_memory))
    return;
  if (no_memory)
    {
      fail (r, "no memory for this element");
      return;
    }
  if (r->svd->wrong++ < 5)
    tb_warning (r->svd->diag, "%s:%u: <%s>: expected %s, found '%.40s'; it is not "
		"taken", r->svd->path, line_of (r), row->name,
		row->form == ACCESS ? "read-only, write-only, read-write, writeOnce "
		"or read-writeOnce" : row->form == RANGE ? "[MSB:LSB]"
		: row->form == FLAG ? "true or false" : "a number",
		(const char *) r->text.data);
}

static void
on_end (void *context, const char *name)
{
  struct reading *r = context;
  if (r->failed)
    return;
  r->depth--;
  if (r->skipped > 0)
    r->skipped--;
  else if (r->property != NULL)
    close_property (r);
  else if (r->node != NULL
	   && strcmp (name, svd_kind_name (r->node->kind)) == 0)
    r->node = r->node->parent;
}

static void
on_text (void *context, const char *text, int length)
{
  struct reading *r = context;
  if (r->property != NULL && r->skipped == 0)
    {
      if (r->text.size + (size_t) length > 64 << 10)
	fail (r, "expected at most 65536 characters in an element");
      else
	tb_buffer_append (&r->text, text, (size_t) length);
    }
}

static void
on_refused (struct tb_xml_guard *guard, const char *why)
{
  fail ((struct reading *) guard, why);
}

static bool
parse_bytes (struct reading *r, const uint8_t *data, size_t size)
{
  enum { PART = 1 << 20 };
  for (size_t at = 0;; at += PART)
    {
      size_t left = size - at;
      bool last = left <= PART;
      if (XML_Parse (r->parser, (const char *) data + at,
		     (int) (last ? left : PART), last) != XML_STATUS_OK)
	{
	  if (!r->failed)
	    fail (r, XML_ErrorString (XML_GetErrorCode (r->parser)));
	  return false;
	}
      if (last)
	return !r->failed;
    }
}

bool
svd_parse (struct tb_svd *svd)
{
  struct tb_filemap map;
  if (tb_filemap_open (&map, svd->path, svd->diag) != TB_OK)
    return false;
  struct reading r = { .guard = { on_refused }, .svd = svd,
		       .parser = XML_ParserCreate (NULL) };
  bool ok = false;
  if (map.size == 0 || map.size > SVD_FILE_MAX)
    tb_error (svd->diag, "%s: expected a device description (CMSIS-SVD) of at most "
	      "256 MiB, found %zu bytes", svd->path, map.size);
  else if (r.parser == NULL)
    tb_error (svd->diag, "%s: no memory to read it", svd->path);
  else
    {
      tb_xml_set_guard (r.parser, &r.guard);
      XML_SetElementHandler (r.parser, on_start, on_end);
      XML_SetCharacterDataHandler (r.parser, on_text);
      ok = parse_bytes (&r, map.data, map.size);
    }
  if (r.parser != NULL)
    XML_ParserFree (r.parser);
  tb_buffer_fini (&r.text);
  tb_filemap_close (&map);
  return ok;
}
