/* Crash dumps in the lines of a console.  See crash-console.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/crash-console.h"

#include <string.h>

#include "util/hex.h"
#include "util/search.h"

#define CONSOLE_EFFORT (UINT64_C (1) << 24)

bool
tb_console_is_run (struct tb_console *console, size_t offset, uint64_t length, bool may_end)
{
  size_t i;
  TB_LOWER_BOUND (i, console->count, console->starts[i] < offset);
  if (i < console->count && console->starts[i] != offset)
    return false;
  for (; length > 0; i++)
    {
      if (i == console->count)
	return may_end;
      size_t here = console->starts[i + 1] - console->starts[i];
      size_t wanted = length < console->width ? (size_t) length : console->width;
      if (console->effort == 0 || (here != wanted && !(may_end && i + 1 == console->count)))
	return false;
      console->effort--;
      length -= here < length ? here : length;
    }
  return true;
}

size_t
tb_console_take (const char *text, const char *end, uint8_t *to, const char **bad, size_t *starts,
		 size_t *count)
{
  size_t n = 0;
  *bad = NULL;
  for (const char *line = text; line < end;)
    {
      const char *next = memchr (line, '\n', (size_t) (end - line));
      next = next != NULL ? next + 1 : end;
      const char *at = memmem (line, (size_t) (next - line), LINE, strlen (LINE));
      if (at != NULL)
	{
	  at += strlen (LINE);
	  size_t length = (size_t) (next - at);
	  while (length > 0 && strchr (" \t\r\n", at[length - 1]) != NULL)
	    length--;
	  size_t got = tb_hex_decode (at, length, to + n, length / 2);
	  /* What follows a line that is damaged is elsewhere.  */
	  if (2 * got != length && *bad == NULL)
	    {
	      *bad = line;
	      break;
	    }
	  if (starts != NULL && got > 0)
	    starts[(*count)++] = n;
	  n += got;
	}
      line = next;
    }
  if (starts != NULL)
    starts[*count] = n;
  return n;
}

bool
tb_console_is_ended (const char *text, size_t size)
{
  const char *all = text + size, *begin = NULL;
  for (const char *p = text; (p = memmem (p, (size_t) (all - p), BEGIN, strlen (BEGIN))) != NULL;
       p += strlen (BEGIN))
    begin = p;
  return begin != NULL
	 && (memmem (begin, (size_t) (all - begin), END, strlen (END)) != NULL
	     || memmem (begin, (size_t) (all - begin), FAILED, strlen (FAILED)) != NULL);
}

/* Note in NOTED how bytes stood in the COUNT lines that begin at STARTS.  */
static void
note_lines (struct tb_console *noted, const size_t *starts, size_t count, bool ended)
{
  struct tb_console console = {
    .starts = starts, .count = count, .ended = ended, .effort = CONSOLE_EFFORT,
    .by_buffer = count > 1 && starts[1] == TB_ZEPHYR_HEAD
  };
  for (size_t i = 0; i < count; i++)
    if (starts[i + 1] - starts[i] > console.width)
      console.width = starts[i + 1] - starts[i];
  *noted = console;
}

void
tb_console_unpack (struct tb_console *console, const uint8_t **data, size_t *size,
		   const char *path, struct tb_reader *reader)
{
  struct tb_diag *diag = reader->diag;
  const char *text = (const char *) *data, *all = text + *size, *begin = NULL;
  size_t count = 0;
  for (const char *p = text; (p = memmem (p, (size_t) (all - p), BEGIN, strlen (BEGIN))) != NULL;
       p += strlen (BEGIN))
    {
      begin = p + strlen (BEGIN);
      count++;
    }
  if (count > 1)
    tb_warning (diag, "%s: there are %zu dumps; the last one counts", path, count);
  if (begin == NULL)
    {
      *size = 0;
      return;
    }
  const char *end = memmem (begin, (size_t) (all - begin), END, strlen (END));
  const char *failed = memmem (begin, (size_t) (all - begin), FAILED, strlen (FAILED));
  if (failed != NULL && (end == NULL || failed < end))
    {
      tb_warning (diag, "%s: the target tells that it could not dump all (%s)", path,
		  FAILED);
      end = failed;
    }
  else if (end == NULL)
    tb_warning (diag, "%s: expected %s behind the dump, found the end of the file: it is cut",
		path, END);
  bool whole = end != NULL && end != failed;
  if (end == NULL)
    end = all;
  uint8_t *bytes = tb_pool_alloc (reader->store->pool, (size_t) (end - begin) / 2 + 1);
  const char *bad = NULL;
  if (bytes == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  size_t nlines = 0, room = 2;
  for (const char *p = begin; (p = memchr (p, '\n', (size_t) (end - p))) != NULL; p++)
    room++;
  size_t *starts = tb_pool_alloc (reader->store->pool, room * sizeof *starts);
  if (starts == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  *size = tb_console_take (begin, end, bytes, &bad, starts, &nlines);
  *data = bytes;
  note_lines (console, starts, nlines, bad == NULL && whole);
  if (bad != NULL)
    {
      size_t line = 1;
      for (const char *p = text; p < bad; p++)
	line += *p == '\n';
      tb_warning (diag, "%s:%zu: expected pairs of hexadecimal digits behind %s, found "
		  "something else; what follows is left out", path, line, LINE);
    }
}
