/* Files of tracepoints.  See request-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/expression.h"
#include "frame/request-translate.h"
#include "recording/trace-file.h"
#include "util/filemap.h"
#include "util/fnv.h"

/* Longer lines are refused.  */
#define LINE_MOST 65536

void
tb_request_file_fini (struct tb_request_file *file)
{
  for (size_t i = 0; i < file->count; i++)
    {
      if (file->lines[i].is_request)
	tb_request_fini (&file->lines[i].request);
      free (file->lines[i].text);
      free (file->lines[i].origin);
    }
  free (file->lines);
  free (file->path);
  tb_buffer_fini (&file->tdesc);
  *file = (struct tb_request_file) { .path = NULL };
}

static bool
starts (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

static bool
is_definition (const char *text)
{
  return starts (text, "tp ") || starts (text, "tsv ")
	 || starts (text, "QTDP:") || starts (text, "QTDPsrc:")
	 || starts (text, "QTDV:") || strcmp (text, "QTinit") == 0;
}

/* Make of a line of a log of GDB's the packet that it sent, "" for other lines.  */
static void
unwrap (char *text)
{
  char *from = starts (text, "w ") ? strstr (text, "$Q") : NULL;
  char *to = from != NULL ? strchr (from, '#') : NULL;
  if (to == NULL)
    {
      text[0] = '\0';
      return;
    }
  *to = '\0';
  memmove (text, from + 1, (size_t) (to - from));
  if (!is_definition (text))
    text[0] = '\0';
}

/* Take in line NUMBER, LENGTH characters at LINE.  */
static bool
take_line (struct tb_request_file *file, const char *line, size_t length,
	   size_t number, struct tb_diag *diag)
{
  while (length > 0 && strchr (" \t\r", line[length - 1]) != NULL)
    length--;
  while (length > 0 && (*line == ' ' || *line == '\t'))
    {
      line++;
      length--;
    }
  if (length == 0 || *line == '#')
    return true;
  if (length > LINE_MOST || memchr (line, '\0', length) != NULL)
    {
      tb_error (diag, "%s:%zu: expected a line of text of at most %d "
		"characters", file->path, number, LINE_MOST);
      return false;
    }
  if (length >= 5 && memcmp (line, "tdesc ", length > 5 ? 6 : 5) == 0)
    {
      if (length > 6)
	tb_buffer_append (&file->tdesc, line + 6, length - 6);
      /* GDB's first line is empty; nothing may stand before "<?xml".  */
      if (file->tdesc.size > 0)
	tb_buffer_append (&file->tdesc, "\n", 1);
      for (size_t i = 0; i < length; i++)
	file->hash = (file->hash ^ (unsigned char) line[i]) * TB_FNV_PRIME;
      return true;
    }
  struct tb_request_line l = { .text = strndup (line, length) };
  bool ok = l.text != NULL
	    && asprintf (&l.origin, "%s:%zu", file->path, number) >= 0
	    && TB_GROW (file->lines, file->capacity, file->count, 1);
  if (!ok)
    {
      tb_error (diag, "%s: no memory", file->path);
      free (l.text);
      free (l.origin);
      return false;
    }
  if (length > 1 && strchr ("wrc", l.text[0]) != NULL && l.text[1] == ' ')
    unwrap (l.text);
  l.is_request = l.text[0] != '\0' && !is_definition (l.text);
  if (l.is_request)
    ok = tb_request_parse (&l.request, l.text, l.origin, diag);
  if (!ok || l.text[0] == '\0')
    {
      free (l.text);
      free (l.origin);
      return ok;
    }
  for (const char *c = l.text; *c != '\0'; c++)
    file->hash = (file->hash ^ (unsigned char) *c) * TB_FNV_PRIME;
  file->hash = tb_fnv_u64 (file->hash, number);
  file->lines[file->count++] = l;
  return true;
}

bool
tb_request_file_read (struct tb_request_file *file, const char *path,
		      struct tb_diag *diag)
{
  struct tb_filemap map;
  *file = (struct tb_request_file) { .path = strdup (path),
				     .hash = TB_FNV_START };
  if (file->path == NULL || tb_filemap_open (&map, path, diag) != TB_OK)
    {
      tb_request_file_fini (file);
      return false;
    }
  const char *text = (const char *) map.data;
  bool ok = true, ended = false;
  bool is_trace = map.size >= TB_TRACE_FILE_MAGIC_SIZE
		  && memcmp (text, TB_TRACE_FILE_MAGIC, TB_TRACE_FILE_MAGIC_SIZE) == 0;
  size_t at = is_trace ? TB_TRACE_FILE_MAGIC_SIZE : 0;
  for (size_t number = 1 + is_trace; ok && !ended && at < map.size; number++)
    {
      const char *end = memchr (text + at, '\n', map.size - at);
      size_t length = end != NULL ? (size_t) (end - text) - at : map.size - at;
      /* Frames follow an empty line, and other lines are about them.  */
      ended = is_trace && length == 0;
      if (!is_trace || (length > 3 && (memcmp (text + at, "tp ", 3) == 0
				       || memcmp (text + at, "tsv", 3) == 0
				       || (length > 6
					   && memcmp (text + at, "tdesc ", 6)
					      == 0))))
	ok = take_line (file, text + at, length, number, diag);
      at += length + 1;
    }
  tb_filemap_close (&map);
  if (ok && file->count == 0)
    {
      tb_error (diag, "%s: expected tracepoints, found none", path);
      ok = false;
    }
  if (!ok)
    tb_request_file_fini (file);
  return ok;
}

/* A state variable's definition TEXT, into SET.  What is defined already refers to
   variables by number.  */
static bool
read_variable (struct tb_tracepoint_set *set, const char *text,
	       bool is_first)
{
  struct tb_tracepoint_set alone = { 0 };
  bool ok = tb_trace_variable_read (&alone, text, strlen (text));
  if (ok)
    {
      const struct tb_trace_variable *v = &alone.variables[0], *same, *named;
      same = tb_trace_variable_find (set, v->number);
      named = tb_trace_variable_named (set, v->name);
      ok = (is_first || ((same == NULL || strcmp (same->name, v->name) == 0)
			 && (named == NULL || named->number == v->number)))
	   && tb_trace_variable_read (set, text, strlen (text));
    }
  tb_tracepoint_set_fini (&alone);
  return ok;
}

/* Take in what a run found of a tracepoint: TEXT is NUMBER:ADDRESS:HITS:BYTES.  */
static bool
read_counts (struct tb_tracepoint_set *set, const char *text)
{
  unsigned number;
  uint64_t address, hits, usage;
  if (sscanf (text, "%x:%" SCNx64 ":%" SCNx64 ":%" SCNx64, &number, &address, &hits,
	      &usage) != 4)
    return false;
  struct tb_tracepoint *t = tb_tracepoint_find (set, number, address);
  if (t != NULL)
    {
      t->hits = hits;
      t->usage = usage;
    }
  return true;
}

/* Take the definition LINE into SET, variables into VARIABLES, too.  */
static bool
read_definition (struct tb_tracepoint_set *set,
		 struct tb_tracepoint_set *variables, const char *line,
		 bool is_first)
{
  const char *text = strchr (line, starts (line, "Q") ? ':' : ' ');
  struct tb_buffer action = { 0 };
  if (text == NULL)
    {
      /* QTinit  */
      tb_tracepoint_set_fini (set);
      return true;
    }
  text++;
  size_t length = strlen (text);
  if (starts (line, "QTDP:"))
    return tb_tracepoint_read (set, text, length);
  if (starts (line, "QTDPsrc:"))
    return tb_tracepoint_read_source (set, text, length);
  if (starts (line, "QTDV:") || starts (line, "tsv "))
    return read_variable (variables, text, is_first);
  if (text[0] == 'T')
    return tb_tracepoint_read (set, text + 1, length - 1);
  if (text[0] == 'Z')
    return tb_tracepoint_read_source (set, text + 1, length - 1);
  if (text[0] == 'V')
    return read_counts (set, text + 1);
  if (text[0] != 'A' && text[0] != 'S')
    return false;
  /* "A1:20:ACTION" is what the remote protocol calls "-1:20:ACTION", "S..." is
     "-1:20:SACTION".  */
  const char *colon = strchr (text, ':');
  colon = colon != NULL ? strchr (colon + 1, ':') : NULL;
  if (colon == NULL)
    return false;
  tb_buffer_printf (&action, "-%.*s%s%s", (int) (colon - text), text + 1,
		    text[0] == 'S' ? "S" : "", colon + 1);
  for (size_t i = 0; i < set->count && text[0] == 'A'; i++)
    set->items[i].stepping = false;
  bool ok = !action.failed
	    && tb_tracepoint_read (set, (const char *) action.data,
				   action.size);
  tb_buffer_fini (&action);
  return ok;
}

/* The source of KIND of T; NULL: there is none.  */
static const char *
source_of (const struct tb_tracepoint *t, enum tb_source_kind kind)
{
  for (size_t i = 0; i < t->nsources; i++)
    if (t->sources[i].kind == kind)
      return t->sources[i].text;
  return NULL;
}

/* Does COMMAND begin with WORD?  *REST is what stands behind.  */
static bool
is_command (char *command, const char *word, size_t *rest)
{
  size_t blank = strspn (command, " \t"), length = strlen (word);
  *rest = blank + length;
  if (strncmp (command + blank, word, length) != 0
      || (command[*rest] != '\0' && strchr (" \t/", command[*rest]) == NULL))
    return false;
  *rest += strspn (command + *rest, " \t");
  return true;
}

/* The actions of T by its commands.  */
static bool
define_commands (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		 const char *origin, const struct tb_define_input *in)
{
  bool stepping = false, ok = true, left_out;
  size_t nsources = t->nsources, rest;
  for (size_t i = 0; i < nsources && ok; i++)
    {
      struct tb_request command = { .text = t->sources[i].text,
				    .origin = origin };
      if (t->sources[i].kind != TB_SOURCE_COMMAND)
	continue;
      if (is_command (command.text, "while-stepping", &rest)
	  || is_command (command.text, "stepping", &rest)
	  || is_command (command.text, "ws", &rest))
	stepping = true;
      else if (is_command (command.text, "end", &rest))
	stepping = false;
      else if (is_command (command.text, "teval", &rest))
	ok = tb_define_teval (set, t, &command, rest, stepping, in);
      else if (is_command (command.text, "collect", &rest))
	ok = tb_define_item (set, t, &command,
			     (struct tb_request_part) {
			       rest, strlen (command.text + rest) },
			     stepping, false, &left_out, in);
      else
	{
	  tb_request_error (&command, 0, in->diag, "expected collect, teval, "
			    "while-stepping or end");
	  ok = false;
	}
    }
  return ok;
}

/* Move FROM, whose expressions are in no set's count any more, to the tracepoint
   NUMBER of SET, and complete it.  */
static bool
move (struct tb_tracepoint_set *set, unsigned number,
      struct tb_tracepoint *from, const char *path,
      const struct tb_define_input *in)
{
  struct tb_tracepoint *t = tb_tracepoint_add (set, number, from->address);
  char origin[4200];
  if (t == NULL)
    {
      tb_error (in->diag, "%s: expected at most %d tracepoints, and memory for "
		"them", path, TB_TRACEPOINTS_MAX);
      return false;
    }
  snprintf (origin, sizeof origin, "%s: tracepoint %u", path, from->number);
  *t = *from;
  t->number = number;
  *from = (struct tb_tracepoint) { .number = from->number };
  struct tb_request condition = {
    .text = (char *) source_of (t, TB_SOURCE_CONDITION), .origin = origin
  };
  if (t->condition.code == NULL && condition.text != NULL)
    {
      struct tb_expression_scope scope = {
	.variables = in->variables, .pc = t->address, .tdesc = in->tdesc,
	.set = set, .diag = in->diag, .svd = in->svd
      };
      struct tb_expression_error error;
      if (!tb_expression_compile (condition.text, strlen (condition.text),
				  &scope, &t->condition, NULL, &error))
	{
	  tb_request_error (&condition, error.offset, in->diag, "%s",
			    error.text);
	  return false;
	}
    }
  return t->nactions != 0 || define_commands (set, t, origin, in);
}

/* The stub's preloaded run has a tracepoint of its own, which it knows by its
   location.  */
static bool
is_preloaded (const struct tb_tracepoint *t)
{
  char location[40];
  const char *at = source_of (t, TB_SOURCE_AT);
  snprintf (location, sizeof location, "*0x%" PRIx64 "+0", t->address);
  return at != NULL && strcmp (at, location) == 0;
}

/* One that the converter wrote and that stands for more than it says (a kind of event,
   several places) is known by its location, too.  */
static bool
is_partial (const struct tb_tracepoint *t)
{
  const char *at = source_of (t, TB_SOURCE_AT);
  return at != NULL && strncmp (at, "*(0x", 4) == 0;
}

/* The lowest number in SET above AFTER; 0: there is none.  */
static unsigned
next_number (const struct tb_tracepoint_set *set, unsigned after)
{
  unsigned next = 0;
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].number > after && !is_preloaded (&set->items[i])
	&& (next == 0 || set->items[i].number < next))
      next = set->items[i].number;
  return next;
}

/* Move all of FROM to the definitions.  */
static bool
move_all (struct tb_definitions *d, struct tb_tracepoint_set *from,
	  const char *path, const struct tb_define_input *in)
{
  if (from->bytes > TB_TRACEPOINT_BYTES_MAX - d->set->bytes)
    {
      tb_error (in->diag, "%s: expected tracepoints that say no more than %zu "
		"MiB", path, TB_TRACEPOINT_BYTES_MAX >> 20);
      return false;
    }
  d->set->bytes += from->bytes;
  for (size_t i = 0; i < from->count; i++)
    if (is_partial (&from->items[i]))
      {
	tb_error (in->diag, "%s: tracepoint %u stands for more than one place or "
		  "was too long for the file; give it by --trace, as it was made",
		  path, from->items[i].number);
	return false;
      }
  for (unsigned number = 0; (number = next_number (from, number)) != 0;)
    {
      size_t places = 0;
      char *name = NULL;
      for (size_t i = 0; i < from->count; i++)
	if (from->items[i].number == number && places++ == 0)
	  {
	    const char *at = source_of (&from->items[i], TB_SOURCE_AT);
	    if (at != NULL)
	      name = strdup (at);
	    else if (asprintf (&name, "*0x%" PRIx64, from->items[i].address) < 0)
	      name = NULL;
	  }
      if (!tb_definitions_add (d, name, d->set->count, places > 1))
	{
	  tb_error (in->diag, "%s: no memory", path);
	  return false;
	}
      for (size_t i = 0; i < from->count; i++)
	if (from->items[i].number == number
	    && !move (d->set, (unsigned) d->count, &from->items[i], path, in))
	  return false;
    }
  return true;
}

bool
tb_request_file_define (const struct tb_request_file *file, struct tb_tracepoint_set *set,
			struct tb_tracepoint_set *variables, bool is_first,
			const struct tb_define_input *in)
{
  for (size_t i = 0; i < file->count; i++)
    if (!file->lines[i].is_request
	&& !read_definition (set, variables, file->lines[i].text, is_first))
      {
	tb_error (in->diag, "%s: expected a definition as in the header of a "
		  "trace file, of a tracepoint or variable whose number is "
		  "free, found '%.60s'", file->lines[i].origin,
		  file->lines[i].text);
	return false;
      }
  return tb_request_translate (set, &file->tdesc, file->path, in);
}

bool
tb_define_file (struct tb_definitions *d, const struct tb_request_file *file,
		const struct tb_define_input *in)
{
  struct tb_tracepoint_set set = { 0 };
  bool ok = tb_request_file_define (file, &set, d->set, d->count == 0, in)
	    && move_all (d, &set, file->path, in);
  for (size_t i = 0; i < file->count && ok; i++)
    if (file->lines[i].is_request)
      ok = tb_define_request (d, &file->lines[i].request, in);
  tb_tracepoint_set_fini (&set);
  return ok;
}
