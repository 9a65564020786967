/* The code of a report: how often functions and lines ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "json.h"
#include "line-counts.h"

/* A source file longer than that is not shown.  */
#define SOURCE_MOST (2 * 1024 * 1024)

/* Bytes of FUNCTION that ran.  */
static uint64_t
bytes_run (const struct counts *counts, const struct tb_function *function)
{
  uint64_t bytes = 0;
  for (size_t i = counts_from (counts, function->address);
       i < counts->size && counts->list[i].start < function->end; i++)
    {
      const struct count *c = &counts->list[i];
      uint64_t start = c->start > function->address ? c->start
						    : function->address;
      uint64_t end = c->end < function->end ? c->end : function->end;
      bytes += end - start;
    }
  return bytes;
}

static bool
put_functions (const struct named_recording *named,
	       const struct counts *counts, FILE *out)
{
  size_t count;
  const struct tb_function *list = tb_symbols_functions (named->symbols,
							 &count);
  fputs (",\"functions\":[", out);
  for (size_t i = 0; i < count; i++)
    {
      struct tb_line line = { .file = "" };
      char *name = tb_symbols_demangle (list[i].name);
      if (name == NULL)
	return false;
      tb_symbols_line_at (named->symbols, list[i].address, &line);
      fputs (i > 0 ? ",{\"name\":" : "{\"name\":", out);
      json_string (name, out);
      free (name);
      fputs (",\"file\":", out);
      json_string (line.file, out);
      fprintf (out, ",\"line\":%u,\"address\":%" PRIu64 ",\"calls\":%" PRIu64
	       ",\"bytes\":%" PRIu64 ",\"run\":%" PRIu64 "}", line.line,
	       list[i].address, counts_at (counts, list[i].address),
	       list[i].end - list[i].address, bytes_run (counts, &list[i]));
    }
  fputc (']', out);
  return true;
}

/* The text of the source file PATH, if it is there.  */
static void
put_source (const char *path, FILE *out)
{
  FILE *in = fopen (path, "r");
  char *line = NULL;
  size_t room = 0, size = 0, number = 0;
  ssize_t length;
  fputs (",\"source\":", out);
  if (in == NULL)
    {
      fputs ("null", out);
      return;
    }
  fputc ('[', out);
  while (size < SOURCE_MOST && (length = getline (&line, &room, in)) > 0)
    {
      size += (size_t) length;
      if (line[length - 1] == '\n')
	line[length - 1] = '\0';
      if (number++ > 0)
	fputc (',', out);
      json_string (line, out);
    }
  fputc (']', out);
  free (line);
  fclose (in);
}

static void
put_files (const struct line_counts *lines, FILE *out)
{
  fputs (",\"files\":[", out);
  for (size_t i = 0; i < lines->size;)
    {
      const char *file = lines->list[i].file;
      fputs (i > 0 ? ",{\"path\":" : "{\"path\":", out);
      json_string (file, out);
      fputs (",\"lines\":[", out);
      size_t first = i;
      for (; i < lines->size && strcmp (lines->list[i].file, file) == 0; i++)
	fprintf (out, "%s[%u,%" PRIu64 "]", i > first ? "," : "",
		 lines->list[i].line, lines->list[i].count);
      fputc (']', out);
      put_source (file, out);
      fputc ('}', out);
    }
  fputc (']', out);
}

bool
report_code (const struct named_recording *named, FILE *out)
{
  struct counts counts;
  struct line_counts lines = { 0 };
  bool ok = counts_make (&counts, named->recording)
	    && line_counts_make (&lines, named->symbols, &counts)
	    && put_functions (named, &counts, out);
  if (ok)
    put_files (&lines, out);
  counts_fini (&counts);
  line_counts_fini (&lines);
  return ok;
}
