/* Names in ELF files: the sample's program, and files that have none.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "snapshot/symbols.h"

static unsigned errors;

static void
count_errors (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) message;
  errors += severity == TB_ERROR;
}

static struct tb_diag diag = { .report = count_errors };

static const char *
sample (void)
{
  static char path[4096];
  const char *source = getenv ("srcdir");
  snprintf (path, sizeof path, "%s/samples/crash-m0/program.elf",
	    source != NULL ? source : ".");
  return path;
}

/* Functions in address order, none empty, each found by its first and its last
   byte.  */
static void
test_functions (struct tb_symbols *symbols)
{
  size_t count;
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  unsigned known = 0;
  CHECK (count > 10);
  for (size_t i = 0; i < count; i++)
    {
      CHECK (list[i].address < list[i].end);
      CHECK_INT (list[i].address & 1, 0);
      CHECK (i == 0 || list[i - 1].address < list[i].address);
      CHECK (list[i].name[0] != '$');
      CHECK (tb_symbols_function_at (symbols, list[i].address) == &list[i]);
      if (i + 1 == count || list[i + 1].address >= list[i].end)
	CHECK (tb_symbols_function_at (symbols, list[i].end - 1) == &list[i]);
      known += strcmp (list[i].name, "main") == 0
	       || strcmp (list[i].name, "batch_put") == 0;
    }
  CHECK_INT (known, 2);
  CHECK (tb_symbols_function_at (symbols, UINT64_C (0x30000000)) == NULL);
  CHECK (tb_symbols_function_at (symbols, UINT64_MAX) == NULL);
}

struct seen
{
  unsigned rows, mains, empty;
  struct tb_line line;		/* One of main.c.  */
};

static bool
see (void *context, const struct tb_line *line)
{
  struct seen *seen = context;
  const char *slash = strrchr (line->file, '/');
  seen->rows++;
  CHECK (line->address <= line->end && line->line > 0);
  seen->empty += line->address == line->end;
  if (slash != NULL && strcmp (slash, "/main.c") == 0
      && line->address < line->end)
    {
      seen->mains++;
      seen->line = *line;
    }
  return true;
}

static bool
refuse (void *context, const struct tb_line *line)
{
  (void) context;
  (void) line;
  return false;
}

static void
test_lines (struct tb_symbols *symbols)
{
  struct seen seen = { 0 };
  struct tb_line line;
  CHECK (tb_symbols_lines (symbols, see, &seen));
  CHECK (seen.rows > 100 && seen.mains > 10 && seen.empty > 10);
  CHECK (tb_symbols_line_at (symbols, seen.line.address, &line));
  CHECK_INT (line.line, seen.line.line);
  CHECK (!tb_symbols_line_at (symbols, UINT64_C (0x30000000), &line));
  CHECK (!tb_symbols_lines (symbols, refuse, NULL));
}

static void
test_names (void)
{
  static const char *const names[][2] = {
    { "_ZN5queue3putEi", "queue::put(int)" }, { "main", "main" },
    { "_Zx", "_Zx" }, { "", "" }
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      char *text = tb_symbols_demangle (names[i][0]);
      CHECK_STR (text, names[i][1]);
      free (text);
    }
}

static void
test_bad (void)
{
  struct tb_symbols *symbols = tb_symbols_new ();
  size_t count;
  CHECK_INT (tb_symbols_add (symbols, "/nonexistent/x.elf", &diag), TB_ERR_IO);
  CHECK_INT (errors, 1);
  CHECK_INT (tb_symbols_add (symbols, "/dev/null", &diag), TB_ERR_INPUT);
  CHECK_INT (errors, 2);
  tb_symbols_functions (symbols, &count);
  CHECK_INT (count, 0);
  CHECK (tb_symbols_function_at (symbols, 0) == NULL);
  tb_symbols_free (symbols);
}

int
main (void)
{
  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (symbols, sample (), &diag), TB_OK);
  test_functions (symbols);
  test_lines (symbols);
  /* The same file again adds nothing.  */
  size_t before, after;
  tb_symbols_functions (symbols, &before);
  CHECK_INT (tb_symbols_add (symbols, sample (), &diag), TB_OK);
  tb_symbols_functions (symbols, &after);
  CHECK_INT (after, before);
  tb_symbols_free (symbols);
  test_names ();
  test_bad ();
  return check_done ();
}
