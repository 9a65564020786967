/* Target descriptions: what the elements say.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Description Format"; GDB's gdb-target.dtd.  What GDB
   passes over (elements and attributes that it does not know) is handed on to it all
   the same; what it would refuse or stumble over is refused here.  */

#include "arm/machine/tdesc-reading.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Real descriptions have some hundred registers.  */
#define REGS_MAX 4096
#define TYPES_MAX 4096
#define TYPE_SIZE_MAX 4096
#define NAME_MAX_LENGTH 100

#define IN(element) (1u << (element))
#define TYPES_WITH_FIELDS \
  (IN (TDESC_UNION) | IN (TDESC_STRUCT) | IN (TDESC_FLAGS) | IN (TDESC_ENUM))

/* Elements, and those in which they may be.  */
static const struct
{
  const char *name;
  unsigned parents;
} elements[TDESC_ELEMENTS] = {
  [TDESC_TARGET] = { "target", 0 },
  [TDESC_ARCHITECTURE] = { "architecture", IN (TDESC_TARGET) },
  [TDESC_FEATURE] = { "feature", IN (TDESC_TARGET) },
  [TDESC_REG] = { "reg", IN (TDESC_FEATURE) },
  [TDESC_VECTOR] = { "vector", IN (TDESC_FEATURE) },
  [TDESC_UNION] = { "union", IN (TDESC_FEATURE) },
  [TDESC_STRUCT] = { "struct", IN (TDESC_FEATURE) },
  [TDESC_FLAGS] = { "flags", IN (TDESC_FEATURE) },
  [TDESC_ENUM] = { "enum", IN (TDESC_FEATURE) },
  [TDESC_FIELD] = { "field", TYPES_WITH_FIELDS },
  [TDESC_EVALUE] = { "evalue", IN (TDESC_ENUM) }
};

static unsigned
line_of (const struct tdesc_reading *r)
{
  XML_Size line = XML_GetCurrentLineNumber (r->source->parser);
  return line > UINT_MAX ? UINT_MAX : (unsigned) line;
}

void
tdesc_fail (struct tdesc_reading *r, const char *format, ...)
{
  char text[400];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  if (!r->failed && r->source != NULL)
    tb_error (r->diag, "%s:%u: %s", r->source->path, line_of (r), text);
  else if (!r->failed)
    tb_error (r->diag, "%s", text);
  r->failed = true;
  for (const struct tdesc_file *s = r->source; s != NULL; s = s->outer)
    XML_StopParser (s->parser, XML_FALSE);
}

const char *
tdesc_attribute (const char **attributes, const char *name)
{
  for (size_t i = 0; attributes[i] != NULL; i += 2)
    if (strcmp (attributes[i], name) == 0)
      return attributes[i + 1];
  return NULL;
}

/* The attribute NAME of ELEMENT, which must be there; NULL after a message.  GDB's own
   descriptions have registers whose name is empty, where others once were.  */
static const char *
needed (struct tdesc_reading *r, enum tdesc_element element, const char **attributes,
	const char *name)
{
  const char *value = tdesc_attribute (attributes, name);
  if (value == NULL || (*value == '\0' && element != TDESC_REG)
      || strlen (value) > NAME_MAX_LENGTH)
    {
      tdesc_fail (r, "<%s>: expected %s=\"...\" of at most %d characters, found %s",
		  elements[element].name, name, NAME_MAX_LENGTH,
		  value == NULL ? "none" : *value == '\0' ? "an empty one" : "more");
      return NULL;
    }
  return value;
}

/* The number that the attribute NAME of ELEMENT is: *NUMBER, at least LEAST and at most
   MOST; unchanged where it is missing and not NEEDED.  */
static bool
read_number (struct tdesc_reading *r, enum tdesc_element element, const char **attributes,
	     const char *name, bool is_needed, uint64_t least, uint64_t most,
	     uint64_t *number)
{
  const char *text = tdesc_attribute (attributes, name);
  if (text == NULL && !is_needed)
    return true;
  char *end = NULL;
  bool ok = text != NULL && isdigit ((unsigned char) *text) && strlen (text) < 20;
  uint64_t value = ok ? strtoull (text, &end, 0) : 0;
  if (!ok || *end != '\0' || value < least || value > most)
    {
      tdesc_fail (r, "<%s>: expected %s=\"...\" with a number from %llu to %llu, found %.40s",
		  elements[element].name, name, (unsigned long long) least,
		  (unsigned long long) most, text != NULL ? text : "none");
      return false;
    }
  *number = value;
  return true;
}

char *
tdesc_copy (struct tdesc_reading *r, const char *text)
{
  size_t size = strlen (text) + 1;
  char *copy = tb_pool_alloc (r->pool, size);
  if (copy == NULL)
    tdesc_fail (r, "no memory for this element");
  else
    memcpy (copy, text, size);
  return copy;
}

static void
open_reg (struct tdesc_reading *r, const char **attributes)
{
  const char *name = needed (r, TDESC_REG, attributes, "name");
  const char *type = tdesc_attribute (attributes, "type");
  uint64_t bits = 0, number = r->next;
  if (name == NULL
      || !read_number (r, TDESC_REG, attributes, "bitsize", true, 1, 8 * TYPE_SIZE_MAX,
		       &bits)
      || !read_number (r, TDESC_REG, attributes, "regnum", false, 0, TB_TDESC_NUMBERS - 1,
		       &number))
    return;
  if (number >= TB_TDESC_NUMBERS || r->nitems == REGS_MAX)
    {
      tdesc_fail (r, "register %s: expected at most %d registers, with numbers below %d", name,
		  REGS_MAX, TB_TDESC_NUMBERS);
      return;
    }
  r->next = number + 1;
  if (type == NULL)
    type = "int";
  uint32_t size = tdesc_reg_size (r->types, type, (unsigned) bits, r->profile);
  if (size == 0)
    {
      tdesc_fail (r, "register %s: expected a type that its feature defines or GDB has, found "
		  "\"%.60s\"", name, type);
      return;
    }
  bool ok = TB_GROW (r->items, r->room, r->nitems, 1);
  char *copy = ok ? tdesc_copy (r, name) : NULL;
  if (!ok)
    tdesc_fail (r, "no memory for this element");
  if (copy == NULL)
    return;
  r->items[r->nitems++] = (struct tdesc_item) {
    .reg = { .name = copy, .gdb = (uint32_t) number, .size = size },
    .path = r->source->path, .line = line_of (r), .feature = r->feature,
    .is_system = r->is_system
  };
}

static void
open_feature (struct tdesc_reading *r, const char **attributes)
{
  const char *name = needed (r, TDESC_FEATURE, attributes, "name");
  char *copy = name != NULL ? tdesc_copy (r, name) : NULL;
  struct tdesc_feature *feature
    = copy != NULL ? tb_pool_alloc (r->pool, sizeof *feature) : NULL;
  r->types = NULL;
  if (feature == NULL)
    {
      tdesc_fail (r, "no memory for this element");
      return;
    }
  *feature = (struct tdesc_feature) { .name = copy, .path = r->source->path,
				      .line = line_of (r) };
  if (r->feature != NULL)
    r->feature->next = feature;
  else
    r->features = feature;
  r->feature = feature;
  r->is_system = strcmp (name, "org.gnu.gdb.arm.m-system") == 0;
}

/* A type of its own.  Of unions and structures without a size the fields tell how long
   they are.  */
static void
open_type (struct tdesc_reading *r, enum tdesc_element element, const char **attributes)
{
  const char *id = needed (r, element, attributes, "id");
  uint64_t size = 0, count = 0;
  if (id == NULL)
    return;
  if (element == TDESC_VECTOR)
    {
      const char *type = needed (r, element, attributes, "type");
      if (type == NULL
	  || !read_number (r, element, attributes, "count", true, 1, TYPE_SIZE_MAX,
			   &count))
	return;
      size = tdesc_type_size (r->types, type, r->profile) * count;
      if (size == 0)
	{
	  tdesc_fail (r, "<vector>: expected a type that the feature defines or GDB has, "
		      "found \"%.60s\"", type);
	  return;
	}
    }
  else if (!read_number (r, element, attributes, "size",
			 element == TDESC_FLAGS || element == TDESC_ENUM, 1, TYPE_SIZE_MAX, &size))
    return;
  if (size > TYPE_SIZE_MAX || r->ntypes == TYPES_MAX)
    {
      tdesc_fail (r, "expected at most %d types, of at most %d bytes", TYPES_MAX,
		  TYPE_SIZE_MAX);
      return;
    }
  struct tdesc_type *type = tb_pool_alloc (r->pool, sizeof *type);
  char *copy = type != NULL ? tdesc_copy (r, id) : NULL;
  if (type == NULL)
    tdesc_fail (r, "no memory for this element");
  if (copy == NULL)
    return;
  /* GDB takes no notice of a union's size.  */
  *type = (struct tdesc_type) {
    .id = copy, .size = (uint32_t) size, .next = r->types,
    .sized = element != TDESC_VECTOR && element != TDESC_UNION && size > 0
  };
  r->types = type;
  r->ntypes++;
}

/* A field of bits of the last type.  GDB leaves a description out where one has no place:
   in a type without a size, behind its end, or behind bit 63.  */
static void
open_bits (struct tdesc_reading *r, const char **attributes)
{
  const struct tdesc_type *whole = r->types;
  uint64_t start = 0, end = 0;
  if (!whole->sized)
    tdesc_fail (r, "<field>: expected start=\"...\" and end=\"...\" in types that have a "
		"size alone");
  else if (read_number (r, TDESC_FIELD, attributes, "start", true, 0, 63, &start)
	   && read_number (r, TDESC_FIELD, attributes, "end", true, 0, 63, &end)
	   && (start > end || end >= 8 * (uint64_t) whole->size))
    tdesc_fail (r, "<field>: expected some of the %u bits of the type, the lowest as "
		"start, found start=\"%u\" end=\"%u\"", 8 * whole->size,
		(unsigned) start, (unsigned) end);
}

/* A field of the last type.  */
static void
open_field (struct tdesc_reading *r, enum tdesc_element in, const char **attributes)
{
  const char *type = tdesc_attribute (attributes, "type");
  struct tdesc_type *whole = r->types;
  if (in == TDESC_ENUM)
    return;
  if (whole->sized || tdesc_attribute (attributes, "start") != NULL
      || tdesc_attribute (attributes, "end") != NULL)
    {
      open_bits (r, attributes);
      return;
    }
  uint32_t size = type != NULL
		  ? tdesc_type_size (whole->next, type, r->profile) : 0;
  if (size == 0)
    {
      tdesc_fail (r, "<field>: expected type=\"...\" with a type that the feature defines or "
		  "GDB has, found %.60s", type != NULL ? type : "none");
      return;
    }
  whole->size = in == TDESC_STRUCT ? whole->size + size
		: size > whole->size ? size : whole->size;
  if (whole->size > TYPE_SIZE_MAX)
    tdesc_fail (r, "expected types of at most %d bytes", TYPE_SIZE_MAX);
}

/* Cut the blanks around the text of <architecture> off.  */
static const char *
trimmed (struct tb_buffer *text)
{
  size_t skip = 0;
  while (text->size > 0 && isspace (text->data[text->size - 1]))
    text->size--;
  while (skip < text->size && isspace (text->data[skip]))
    skip++;
  tb_buffer_append (text, "", 1);
  return text->failed ? "" : (const char *) text->data + skip;
}

/* Can the core be of the architecture that was read?  */
static void
check_architecture (struct tdesc_reading *r)
{
  const char *text = trimmed (&r->architecture);
  const char *wanted = tdesc_is_a64 (r->profile) ? "aarch64" : "arm";
  if (strncmp (text, wanted, strlen (wanted)) != 0)
    tdesc_fail (r, "<architecture>: expected %s, as %s is, found '%.60s'", wanted,
		r->profile->name, text);
}

enum tdesc_element
tdesc_element_find (struct tdesc_reading *r, const char *name, enum tdesc_element in)
{
  enum tdesc_element element = TDESC_OTHER;
  for (unsigned i = 0; i < TDESC_OTHER; i++)
    if ((in != TDESC_OTHER || r->depth == 0) && strcmp (name, elements[i].name) == 0)
      element = (enum tdesc_element) i;
  if (r->depth == 0 ? element != TDESC_TARGET
      : element != TDESC_OTHER && !(elements[element].parents & IN (in)))
    tdesc_fail (r, r->depth == 0 ? "expected <target>, the root of a target description, "
		"found <%.60s>" : "<%.60s> is expected elsewhere", name);
  return element;
}

void
tdesc_element_start (struct tdesc_reading *r, enum tdesc_element element, enum tdesc_element in,
		     const char **attributes)
{
  r->has_target |= element == TDESC_TARGET;
  switch (element)
    {
    case TDESC_FEATURE:
      open_feature (r, attributes);
      break;
    case TDESC_REG: open_reg (r, attributes); break;
    case TDESC_VECTOR: case TDESC_UNION: case TDESC_STRUCT: case TDESC_FLAGS: case TDESC_ENUM:
      open_type (r, element, attributes);
      break;
    case TDESC_FIELD: open_field (r, in, attributes); break;
    case TDESC_EVALUE:
      {
	/* As many as GDB takes.  */
	uint64_t value;
	r->types->has_values = true;
	if (needed (r, element, attributes, "name") != NULL)
	  read_number (r, element, attributes, "value", true, 0, INT_MAX, &value);
	break;
      }
    case TDESC_ARCHITECTURE: tb_buffer_clear (&r->architecture); break;
    default: break;
    }
}

void
tdesc_element_end (struct tdesc_reading *r, enum tdesc_element element)
{
  if ((element == TDESC_UNION || element == TDESC_STRUCT) && r->types->size == 0)
    tdesc_fail (r, "<%s>: expected fields, or a size", elements[element].name);
  if (element == TDESC_ENUM && !r->types->has_values)
    tdesc_fail (r, "<enum>: expected at least one <evalue>");
  if (element == TDESC_ARCHITECTURE)
    check_architecture (r);
}
