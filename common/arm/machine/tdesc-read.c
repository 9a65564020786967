/* Target descriptions: from files to one document and its registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Description Format", "Retrieving Descriptions": GDB
   looks for what a file includes beside it.  */

#include "arm/machine/tdesc-reading.h"

#include <stdlib.h>
#include <string.h>

#include "util/filemap.h"

#define INCLUDE_DEPTH_MAX 8
#define NAME_MAX_LENGTH 100
#define FILE_MAX ((size_t) 1 << 20)
#define ALL_MAX ((size_t) 4 << 20)

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
  enum tdesc_element in = r->depth > 0
			  ? (enum tdesc_element) r->open[r->depth - 1]
			  : TDESC_OTHER;
  if (r->failed)
    return;
  if (r->depth == TDESC_DEPTH_MAX)
    {
      tdesc_fail (r, "expected elements at most %d deep", TDESC_DEPTH_MAX);
      return;
    }
  if (r->depth > 0 && in == TDESC_SKIPPED)
    {
      r->open[r->depth++] = TDESC_SKIPPED;
      return;
    }
  if (is_include (name))
    {
      const char *href = tdesc_attribute (attributes, "href");
      if (href == NULL || in == TDESC_OTHER)
	tdesc_fail (r, "<%.60s>: expected it in a description, with href=\"FILE\"", name);
      else
	include_file (r, href);
      if (!r->failed)
	r->open[r->depth++] = TDESC_SKIPPED;
      return;
    }
  enum tdesc_element element = tdesc_element_find (r, name, in);
  if (r->failed)
    return;
  r->open[r->depth++] = (uint8_t) element;
  tdesc_write_start (&r->writer, name, attributes);
  tdesc_element_start (r, element, in, attributes);
  if (r->writer.too_long)
    tdesc_fail (r, "expected names and attributes of at most %d characters",
		TDESC_WORD_MAX);
}

static void
on_end (void *context, const char *name)
{
  struct tdesc_reading *r = context;
  if (r->failed)
    return;
  enum tdesc_element element = (enum tdesc_element) r->open[--r->depth];
  tdesc_element_end (r, element);
  if (element != TDESC_SKIPPED)
    tdesc_write_end (&r->writer, name);
}

static void
on_text (void *context, const char *text, int length)
{
  struct tdesc_reading *r = context;
  if (r->failed || (r->depth > 0 && r->open[r->depth - 1] == TDESC_SKIPPED))
    return;
  if (r->depth > 0 && r->open[r->depth - 1] == TDESC_ARCHITECTURE)
    {
      tb_buffer_append (&r->architecture, text, (size_t) length);
      if (r->architecture.size > TDESC_WORD_MAX)
	tdesc_fail (r, "<architecture>: expected at most %d characters", TDESC_WORD_MAX);
    }
  tdesc_write_text (&r->writer, text, (size_t) length);
  if (r->writer.too_long)
    tdesc_fail (r, "expected words of at most %d characters", TDESC_WORD_MAX);
}

static void
on_refused (struct tb_xml_guard *guard, const char *why)
{
  tdesc_fail ((struct tdesc_reading *) guard, "%s", why);
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
  tb_xml_set_guard (source.parser, &r->guard);
  XML_SetElementHandler (source.parser, on_start, on_end);
  XML_SetCharacterDataHandler (source.parser, on_text);
  if (length == 0 || length > FILE_MAX || (r->bytes += length) > ALL_MAX)
    tdesc_fail (r, "expected a target description of at most 1 MiB, 4 MiB with all it "
		"includes, found %zu bytes", length);
  else if (XML_Parse (source.parser, text, (int) length, 1) != XML_STATUS_OK)
    tdesc_fail (r, "%s", XML_ErrorString (XML_GetErrorCode (source.parser)));
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
      tdesc_fail (r, "expected a description in one piece, found that it includes '%.60s'",
		  name);
      return;
    }
  if (*name == '\0' || strchr (name, '/') != NULL || strcmp (name, "..") == 0
      || strlen (name) > NAME_MAX_LENGTH)
    {
      tdesc_fail (r, "expected to include a file of the same folder, found '%.60s'", name);
      return;
    }
  tb_buffer_printf (&path, "%s%s", r->folder, name);
  tb_buffer_append (&path, "", 1);
  char *copy = path.failed ? NULL : tdesc_copy (r, (const char *) path.data);
  tb_buffer_fini (&path);
  if (copy == NULL)
    {
      tdesc_fail (r, "no memory to include '%.60s'", name);
      return;
    }
  for (const struct tdesc_file *s = r->source; s != NULL; s = s->outer, depth++)
    if (strcmp (s->path, copy) == 0)
      {
	tdesc_fail (r, "'%.60s' includes itself", name);
	return;
      }
  if (depth == INCLUDE_DEPTH_MAX || r->nfiles == TDESC_INCLUDED_MAX)
    {
      tdesc_fail (r, "expected at most %d files that are included, %d deep", TDESC_INCLUDED_MAX,
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
    tdesc_fail (r, "'%.60s' is no whole element", name);
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
      if (t != NULL
	  && !tdesc_features_fit (r->features, r->items, (unsigned) r->nitems, path,
				  r->profile, r->diag))
	{
	  tb_tdesc_free (t);
	  t = NULL;
	}
      const char **files
	= t != NULL ? tb_pool_alloc (r->pool, (r->nfiles + 1) * sizeof *files)
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
  *r = (struct tdesc_reading) { .guard = { on_refused }, .pool = objalloc_create (),
			  .profile = profile,
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

/* Say which registers of T, of the file PATH, are never known, once.  */
static void
tell_not_followed (const struct tb_tdesc *t, const char *path, struct tb_diag *diag)
{
  enum { SHOWN = 5 };
  struct tb_buffer text = { 0 };
  unsigned count = 0;
  for (unsigned i = 0; i < t->nregs; i++)
    if (t->regs[i].kind == TB_TDESC_NOT_FOLLOWED && *t->regs[i].name != '\0'
	&& count++ < SHOWN)
      tb_buffer_printf (&text, "%s%s", count > 1 ? ", " : "", t->regs[i].name);
  tb_buffer_append (&text, "", 1);
  if (count > 0 && !text.failed)
    tb_warning (diag, "%s: %u of %u registers are not followed through a trace, and "
		"never known: %s%s", path, count, t->nregs, (const char *) text.data,
		count > SHOWN ? " ..." : "");
  tb_buffer_fini (&text);
}

struct tb_tdesc *
tb_tdesc_read (const char *path, const struct tb_profile *profile,
	       struct tb_diag *diag)
{
  struct tdesc_reading r;
  if (!begin (&r, path, profile, diag))
    return NULL;
  char *folder = tdesc_copy (&r, path);
  if (folder != NULL)
    {
      char *slash = strrchr (folder, '/');
      *(slash != NULL ? slash + 1 : folder) = '\0';
      r.folder = folder;
      tdesc_write_head (&r.writer);
      read_file (&r, path);
    }
  struct tb_tdesc *t = finish (&r, path);
  if (t != NULL)
    tell_not_followed (t, path, diag);
  return t;
}
