/* Target descriptions: from files to one document and its registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Description Format"; GDB's gdb-target.dtd.  What GDB
   passes over (elements and attributes that it does not know) is handed on to it all
   the same; what it would refuse or stumble over is refused here.  */

#include "arm/machine/tdesc-internal.h"

#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/tdesc-write.h"
#include "util/filemap.h"

/* Real descriptions have some hundred registers in some ten files.  */
#define DEPTH_MAX 16
#define INCLUDED_MAX 64
#define INCLUDE_DEPTH_MAX 8
#define FILE_MAX ((size_t) 1 << 20)
#define ALL_MAX ((size_t) 4 << 20)
#define REGS_MAX 4096
#define TYPES_MAX 4096
#define TYPE_SIZE_MAX 4096
#define NAME_MAX_LENGTH 100

enum element
{
  ROOT, ARCHITECTURE, FEATURE, REG, VECTOR, UNION, STRUCT, FLAGS, ENUM, FIELD,
  EVALUE,
  OTHER,			/* Handed on, whatever is in it.  */
  SKIPPED,			/* And that is not: an inclusion.  */
  NELEMENTS
};

#define IN(element) (1u << (element))
#define TYPES_WITH_FIELDS (IN (UNION) | IN (STRUCT) | IN (FLAGS) | IN (ENUM))

/* Elements that say something here, and those in which they may be.  */
static const struct
{
  const char *name;
  unsigned parents;
} elements[NELEMENTS] = {
  [ROOT] = { "target", 0 },
  [ARCHITECTURE] = { "architecture", IN (ROOT) },
  [FEATURE] = { "feature", IN (ROOT) },
  [REG] = { "reg", IN (FEATURE) },
  [VECTOR] = { "vector", IN (FEATURE) },
  [UNION] = { "union", IN (FEATURE) },
  [STRUCT] = { "struct", IN (FEATURE) },
  [FLAGS] = { "flags", IN (FEATURE) },
  [ENUM] = { "enum", IN (FEATURE) },
  [FIELD] = { "field", TYPES_WITH_FIELDS },
  [EVALUE] = { "evalue", IN (ENUM) }
};

/* A file that is being read.  */
struct tdesc_file
{
  const char *path;
  XML_Parser parser;
  const struct tdesc_file *outer;	/* What includes it; NULL: nothing.  */
};

struct tdesc_reading
{
  struct objalloc *pool;
  const struct tb_profile *profile;
  struct tb_diag *diag;
  const struct tdesc_file *source;
  const char *folder;		/* Of the first file, with a slash at its end or "";
				   NULL: nothing can be included.  */
  struct tdesc_writer writer;
  uint8_t open[DEPTH_MAX];	/* enum element, the innermost last.  */
  unsigned depth;
  struct tdesc_item *items;
  size_t nitems, room;
  uint64_t next;		/* The number of the next register.  */
  struct tdesc_type *types;	/* Of this feature.  */
  unsigned ntypes, nfiles;
  const char *files[INCLUDED_MAX];	/* That were included.  */
  size_t bytes;			/* Of all files.  */
  struct tb_buffer architecture;
  bool has_target;
  bool is_system;		/* This feature is that of MSP and PSP.  */
  bool failed;			/* A message said why.  */
};

static unsigned
line_of (const struct tdesc_reading *r)
{
  XML_Size line = XML_GetCurrentLineNumber (r->source->parser);
  return line > UINT_MAX ? UINT_MAX : (unsigned) line;
}

static void fail (struct tdesc_reading *r, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

static void
fail (struct tdesc_reading *r, const char *format, ...)
{
  char text[400];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  if (!r->failed)
    tb_error (r->diag, "%s:%u: %s", r->source->path, line_of (r), text);
  r->failed = true;
  for (const struct tdesc_file *s = r->source; s != NULL; s = s->outer)
    XML_StopParser (s->parser, XML_FALSE);
}

static const char *
attribute (const char **attributes, const char *name)
{
  for (size_t i = 0; attributes[i] != NULL; i += 2)
    if (strcmp (attributes[i], name) == 0)
      return attributes[i + 1];
  return NULL;
}

/* The attribute NAME of ELEMENT, which must be there; NULL after a message.  GDB's own
   descriptions have registers whose name is empty, where others once were.  */
static const char *
needed (struct tdesc_reading *r, enum element element, const char **attributes,
	const char *name)
{
  const char *value = attribute (attributes, name);
  if (value == NULL || (*value == '\0' && element != REG)
      || strlen (value) > NAME_MAX_LENGTH)
    {
      fail (r, "<%s>: expected %s=\"...\" of at most %d characters, found %s",
	    elements[element].name, name, NAME_MAX_LENGTH,
	    value == NULL ? "none" : *value == '\0' ? "an empty one" : "more");
      return NULL;
    }
  return value;
}

/* The number that the attribute NAME of ELEMENT is: *NUMBER, at least LEAST and at most
   MOST; unchanged where it is missing and not NEEDED.  */
static bool
read_number (struct tdesc_reading *r, enum element element, const char **attributes,
	     const char *name, bool is_needed, uint64_t least, uint64_t most,
	     uint64_t *number)
{
  const char *text = attribute (attributes, name);
  if (text == NULL && !is_needed)
    return true;
  char *end = NULL;
  bool ok = text != NULL && isdigit ((unsigned char) *text) && strlen (text) < 20;
  uint64_t value = ok ? strtoull (text, &end, 0) : 0;
  if (!ok || *end != '\0' || value < least || value > most)
    {
      fail (r, "<%s>: expected %s=\"...\" with a number from %llu to %llu, found %.40s",
	    elements[element].name, name, (unsigned long long) least,
	    (unsigned long long) most, text != NULL ? text : "none");
      return false;
    }
  *number = value;
  return true;
}

static char *
copy_text (struct tdesc_reading *r, const char *text)
{
  size_t size = strlen (text) + 1;
  char *copy = objalloc_alloc (r->pool, size);
  if (copy == NULL)
    fail (r, "no memory for this element");
  else
    memcpy (copy, text, size);
  return copy;
}

static void
open_reg (struct tdesc_reading *r, const char **attributes)
{
  const char *name = needed (r, REG, attributes, "name");
  const char *type = attribute (attributes, "type");
  uint64_t bits = 0, number = r->next;
  if (name == NULL
      || !read_number (r, REG, attributes, "bitsize", true, 1, 8 * TYPE_SIZE_MAX,
		       &bits)
      || !read_number (r, REG, attributes, "regnum", false, 0, TB_TDESC_NUMBERS - 1,
		       &number))
    return;
  if (number >= TB_TDESC_NUMBERS || r->nitems == REGS_MAX)
    {
      fail (r, "register %s: expected at most %d registers, with numbers below %d", name,
	    REGS_MAX, TB_TDESC_NUMBERS);
      return;
    }
  r->next = number + 1;
  if (type == NULL)
    type = "int";
  uint32_t size = tdesc_reg_size (r->types, type, (unsigned) bits, r->profile);
  if (size == 0)
    {
      fail (r, "register %s: expected a type that its feature defines or GDB has, found "
	    "\"%.60s\"", name, type);
      return;
    }
  void *items = r->items;
  bool ok = tb_grow (&items, &r->room, r->nitems, 1, sizeof *r->items);
  r->items = items;
  char *copy = ok ? copy_text (r, name) : NULL;
  if (!ok)
    fail (r, "no memory for this element");
  if (copy == NULL)
    return;
  r->items[r->nitems++] = (struct tdesc_item) {
    .reg = { .name = copy, .gdb = (uint32_t) number, .size = size },
    .path = r->source->path, .line = line_of (r), .is_system = r->is_system
  };
}

/* A type of its own.  Of unions and structures without a size the fields tell how long
   they are.  */
static void
open_type (struct tdesc_reading *r, enum element element, const char **attributes)
{
  const char *id = needed (r, element, attributes, "id");
  uint64_t size = 0, count = 0;
  if (id == NULL)
    return;
  if (element == VECTOR)
    {
      const char *type = needed (r, element, attributes, "type");
      if (type == NULL
	  || !read_number (r, element, attributes, "count", true, 1, TYPE_SIZE_MAX,
			   &count))
	return;
      size = tdesc_type_size (r->types, type, r->profile) * count;
      if (size == 0)
	{
	  fail (r, "<vector>: expected a type that the feature defines or GDB has, "
		"found \"%.60s\"", type);
	  return;
	}
    }
  else if (!read_number (r, element, attributes, "size",
			 element == FLAGS || element == ENUM, 1, TYPE_SIZE_MAX, &size))
    return;
  if (size > TYPE_SIZE_MAX || r->ntypes == TYPES_MAX)
    {
      fail (r, "expected at most %d types, of at most %d bytes", TYPES_MAX,
	    TYPE_SIZE_MAX);
      return;
    }
  struct tdesc_type *type = objalloc_alloc (r->pool, sizeof *type);
  char *copy = type != NULL ? copy_text (r, id) : NULL;
  if (type == NULL)
    fail (r, "no memory for this element");
  if (copy == NULL)
    return;
  *type = (struct tdesc_type) { copy, (uint32_t) size, r->types };
  r->types = type;
  r->ntypes++;
}

/* A field of the last type.  */
static void
open_field (struct tdesc_reading *r, enum element in, const char **attributes)
{
  const char *type = attribute (attributes, "type");
  struct tdesc_type *whole = r->types;
  /* Those of bits are in what has a size.  */
  if (attribute (attributes, "start") != NULL || in == FLAGS || in == ENUM)
    return;
  uint32_t size = type != NULL
		  ? tdesc_type_size (whole->next, type, r->profile) : 0;
  if (size == 0)
    {
      fail (r, "<field>: expected type=\"...\" with a type that the feature defines or "
	    "GDB has, found %.60s", type != NULL ? type : "none");
      return;
    }
  whole->size = in == STRUCT ? whole->size + size
		: size > whole->size ? size : whole->size;
  if (whole->size > TYPE_SIZE_MAX)
    fail (r, "expected types of at most %d bytes", TYPE_SIZE_MAX);
}

static void include_file (struct tdesc_reading *r, const char *name);

/* "xi:include", with whatever prefix.  */
static bool
is_include (const char *name)
{
  const char *colon = strchr (name, ':');
  return colon != NULL && strcmp (colon + 1, "include") == 0;
}

static void
on_start (void *context, const char *name, const char **attributes)
{
  struct tdesc_reading *r = context;
  enum element in = r->depth > 0 ? (enum element) r->open[r->depth - 1] : OTHER;
  enum element element = OTHER;
  const char *text;
  if (r->failed)
    return;
  if (r->depth == DEPTH_MAX)
    {
      fail (r, "expected elements at most %d deep", DEPTH_MAX);
      return;
    }
  if (r->depth > 0 && in == SKIPPED)
    {
      r->open[r->depth++] = SKIPPED;
      return;
    }
  if (is_include (name))
    {
      const char *href = attribute (attributes, "href");
      if (href == NULL || in == OTHER)
	fail (r, "<%.60s>: expected it in a description, with href=\"FILE\"", name);
      else
	include_file (r, href);
      if (!r->failed)
	r->open[r->depth++] = SKIPPED;
      return;
    }
  for (unsigned i = 0; i < OTHER; i++)
    if ((in != OTHER || r->depth == 0) && strcmp (name, elements[i].name) == 0)
      element = (enum element) i;
  if (r->depth == 0 ? element != ROOT
      : element != OTHER && !(elements[element].parents & IN (in)))
    {
      fail (r, r->depth == 0 ? "expected <target>, the root of a target description, "
	    "found <%.60s>" : "<%.60s> is expected elsewhere", name);
      return;
    }
  r->open[r->depth++] = (uint8_t) element;
  tdesc_write_start (&r->writer, name, attributes);
  r->has_target |= element == ROOT;
  switch (element)
    {
    case FEATURE:
      text = needed (r, element, attributes, "name");
      r->is_system = text != NULL
		     && strcmp (text, "org.gnu.gdb.arm.m-system") == 0;
      r->types = NULL;
      break;
    case REG: open_reg (r, attributes); break;
    case VECTOR: case UNION: case STRUCT: case FLAGS: case ENUM:
      open_type (r, element, attributes);
      break;
    case FIELD: open_field (r, in, attributes); break;
    case ARCHITECTURE: tb_buffer_clear (&r->architecture); break;
    default: break;
    }
  if (r->writer.too_long)
    fail (r, "expected names and attributes of at most %d characters",
	  TDESC_WORD_MAX);
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
    fail (r, "<architecture>: expected %s, as %s is, found '%.60s'", wanted,
	  r->profile->name, text);
}

static void
on_end (void *context, const char *name)
{
  struct tdesc_reading *r = context;
  if (r->failed)
    return;
  enum element element = (enum element) r->open[--r->depth];
  if ((element == UNION || element == STRUCT) && r->types->size == 0)
    fail (r, "<%s>: expected fields, or a size", elements[element].name);
  if (element == ARCHITECTURE)
    check_architecture (r);
  if (element != SKIPPED)
    tdesc_write_end (&r->writer, name);
}

static void
on_text (void *context, const char *text, int length)
{
  struct tdesc_reading *r = context;
  if (r->failed || (r->depth > 0 && r->open[r->depth - 1] == SKIPPED))
    return;
  if (r->depth > 0 && r->open[r->depth - 1] == ARCHITECTURE)
    {
      tb_buffer_append (&r->architecture, text, (size_t) length);
      if (r->architecture.size > TDESC_WORD_MAX)
	fail (r, "<architecture>: expected at most %d characters", TDESC_WORD_MAX);
    }
  tdesc_write_text (&r->writer, text, (size_t) length);
  if (r->writer.too_long)
    fail (r, "expected words of at most %d characters", TDESC_WORD_MAX);
}

/* A description needs no entities of its own, and they can be made to grow without
   bound.  */
static void
on_doctype (void *context, const char *name, const char *system_id,
	    const char *public_id, int has_internal)
{
  (void) name, (void) system_id, (void) public_id;
  if (has_internal)
    fail (context, "expected no declarations of entities (<!DOCTYPE ... [...]>)");
}

static void
on_skipped (void *context, const char *name, int is_parameter)
{
  (void) is_parameter;
  fail (context, "expected no entities, found &%.60s;", name);
}

/* Read the LENGTH bytes TEXT, called PATH.  */
static void
read_text (struct tdesc_reading *r, const char *path, const char *text, size_t length)
{
  struct tdesc_file source = { path, XML_ParserCreate (NULL), r->source };
  if (source.parser == NULL)
    {
      tb_error (r->diag, "%s: no memory to read it", path);
      r->failed = true;
      return;
    }
  r->source = &source;
  XML_SetUserData (source.parser, r);
  XML_SetElementHandler (source.parser, on_start, on_end);
  XML_SetCharacterDataHandler (source.parser, on_text);
  XML_SetStartDoctypeDeclHandler (source.parser, on_doctype);
  XML_SetSkippedEntityHandler (source.parser, on_skipped);
  if (length == 0 || length > FILE_MAX || (r->bytes += length) > ALL_MAX)
    fail (r, "expected a target description of at most 1 MiB, 4 MiB with all it "
	  "includes, found %zu bytes", length);
  else if (XML_Parse (source.parser, text, (int) length, 1) != XML_STATUS_OK)
    fail (r, "%s", XML_ErrorString (XML_GetErrorCode (source.parser)));
  r->source = source.outer;
  XML_ParserFree (source.parser);
}

static void
read_file (struct tdesc_reading *r, const char *path)
{
  struct tb_filemap map;
  if (tb_filemap_open (&map, path, r->diag) != TB_OK)
    {
      r->failed = true;
      return;
    }
  read_text (r, path, (const char *) map.data, map.size);
  tb_filemap_close (&map);
}

/* Read what stands in the file NAME as if it stood here.  */
static void
include_file (struct tdesc_reading *r, const char *name)
{
  struct tb_buffer path = { 0 };
  unsigned depth = 0;
  if (r->folder == NULL)
    {
      fail (r, "expected a description in one piece, found that it includes '%.60s'",
	    name);
      return;
    }
  if (*name == '\0' || strchr (name, '/') != NULL || strcmp (name, "..") == 0
      || strlen (name) > NAME_MAX_LENGTH)
    {
      fail (r, "expected to include a file of the same folder, found '%.60s'", name);
      return;
    }
  tb_buffer_printf (&path, "%s%s", r->folder, name);
  tb_buffer_append (&path, "", 1);
  char *copy = path.failed ? NULL : copy_text (r, (const char *) path.data);
  tb_buffer_fini (&path);
  if (copy == NULL)
    {
      fail (r, "no memory to include '%.60s'", name);
      return;
    }
  for (const struct tdesc_file *s = r->source; s != NULL; s = s->outer, depth++)
    if (strcmp (s->path, copy) == 0)
      {
	fail (r, "'%.60s' includes itself", name);
	return;
      }
  if (depth == INCLUDE_DEPTH_MAX || r->nfiles == INCLUDED_MAX)
    {
      fail (r, "expected at most %d files that are included, %d deep", INCLUDED_MAX,
	    INCLUDE_DEPTH_MAX);
      return;
    }
  unsigned before = r->depth;
  r->files[r->nfiles++] = copy;
  read_file (r, copy);
  /* A file that cannot be opened, too.  */
  if (r->failed)
    for (const struct tdesc_file *s = r->source; s != NULL; s = s->outer)
      XML_StopParser (s->parser, XML_FALSE);
  else if (r->depth != before)
    fail (r, "'%.60s' is no whole element", name);
}

static int
compare_items (const void *a, const void *b)
{
  const struct tdesc_item *x = a, *y = b;
  return (x->reg.gdb > y->reg.gdb) - (x->reg.gdb < y->reg.gdb);
}

/* Make a description of what R has read, of PATH.  */
static struct tb_tdesc *
finish (struct tdesc_reading *r, const char *path)
{
  struct tb_tdesc *t = NULL;
  struct tb_buffer *text = &r->writer.text;
  if (!r->failed && !r->has_target)
    tb_error (r->diag, "%s: expected <target>, the root of a target description", path);
  else if (!r->failed && (text->failed || r->architecture.failed))
    tb_error (r->diag, "%s: no memory for this description", path);
  else if (!r->failed)
    {
      if (r->nitems > 0)
	qsort (r->items, r->nitems, sizeof *r->items, compare_items);
      t = tdesc_bind (r->pool, r->items, (unsigned) r->nitems,
		      (const char *) text->data, text->size, path, r->profile,
		      r->diag);
      const char **files
	= t != NULL ? objalloc_alloc (r->pool, (r->nfiles + 1) * sizeof *files)
		    : NULL;
      if (t != NULL && files != NULL)
	{
	  memcpy (files, r->files, r->nfiles * sizeof *files);
	  t->files = files;
	  t->nfiles = r->nfiles;
	}
      else if (t != NULL)
	{
	  tb_error (r->diag, "%s: no memory for this description", path);
	  tb_tdesc_free (t);
	  t = NULL;
	}
      r->pool = NULL;
    }
  if (r->pool != NULL)
    objalloc_free (r->pool);
  tb_buffer_fini (text);
  tb_buffer_fini (&r->architecture);
  free (r->items);
  return t;
}

static bool
begin (struct tdesc_reading *r, const char *path, const struct tb_profile *profile,
       struct tb_diag *diag)
{
  *r = (struct tdesc_reading) { .pool = objalloc_create (), .profile = profile,
			  .diag = diag };
  if (r->pool == NULL)
    tb_error (diag, "%s: no memory to read it", path);
  return r->pool != NULL;
}

struct tb_tdesc *
tb_tdesc_parse (const char *text, size_t length, const char *origin,
		const struct tb_profile *profile, struct tb_diag *diag)
{
  struct tdesc_reading r;
  if (!begin (&r, origin, profile, diag))
    return NULL;
  tdesc_write_head (&r.writer);
  read_text (&r, origin, text, length);
  return finish (&r, origin);
}

struct tb_tdesc *
tb_tdesc_read (const char *path, const struct tb_profile *profile,
	       struct tb_diag *diag)
{
  struct tdesc_reading r;
  if (!begin (&r, path, profile, diag))
    return NULL;
  char *folder = copy_text (&r, path);
  if (folder != NULL)
    {
      char *slash = strrchr (folder, '/');
      *(slash != NULL ? slash + 1 : folder) = '\0';
      r.folder = folder;
      tdesc_write_head (&r.writer);
      read_file (&r, path);
    }
  return finish (&r, path);
}
