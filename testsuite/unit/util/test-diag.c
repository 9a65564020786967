/* Tests of util/diag.h: names and text of inputs in messages.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "util/diag.h"

static char said[8192];

static void
keep (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  snprintf (said, sizeof said, "%s", message);
}

static struct tb_diag diag = { keep, NULL, 0, 0 };

static void
test_names (void)
{
  static const struct { const char *name, *shown; } rows[] = {
    { "plain name.ini", "plain name.ini" },
    { "a\tb", "a\tb" },
    { "a\nb\r", "a\\x0ab\\x0d" },
    { "\033]0;title\a\177", "\\x1b]0;title\\x07\\x7f" },
    { "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
    /* CSI of ECMA-48 as one byte, and as UTF-8.  */
    { "\x9b" "31m", "\\x9b31m" },
    { "\xc2\x9b" "31m", "\\xc2\\x9b31m" },
    { "\xc2\xa0", "\xc2\xa0" },
    { "latin \xfc", "latin \\xfc" },
    { "cut \xe2\x82", "cut \\xe2\\x82" },
    { "\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char want[100];
      tb_error (&diag, "%s: no", rows[i].name);
      snprintf (want, sizeof want, "%s: no", rows[i].shown);
      CHECK_STR (said, want);
      char *copy = tb_diag_plain_copy (rows[i].name);
      if (CHECK (copy != NULL))
	CHECK_STR (copy, rows[i].shown);
      free (copy);
    }
  CHECK_INT (diag.errors, sizeof rows / sizeof rows[0]);
}

/* A message that has lines keeps them; what one made passes another unchanged.  */
static void
test_lines (void)
{
  tb_warning (&diag, "these:\n  %s\n  %s", "one", "\033[2J");
  CHECK_STR (said, "these:\n  one\n  \\x1b[2J");
  tb_report_as_is (&diag, TB_WARNING, "a\n\\x1b");
  CHECK_STR (said, "a\n\\x1b");
  CHECK_INT (diag.warnings, 2);
  tb_report_as_is (NULL, TB_ERROR, "nobody");
}

/* However long: nothing is lost, and what is cut off is cut off whole.  */
static void
test_long (void)
{
  char name[2001];
  memset (name, '\001', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  tb_error (&diag, "%s: end", name);
  CHECK_INT (strlen (said), 4 * 2000 + 5);
  CHECK (strcmp (said + 4 * 2000, ": end") == 0);
  char small[6];
  for (size_t size = 1; size <= sizeof small; size++)
    {
      memset (small, '-', sizeof small);
      CHECK_INT (tb_diag_plain (small, size, "a\n\xc3\xbc", false), 7);
      CHECK_STR (small, size < 2 ? "" : size < 6 ? "a" : "a\\x0a");
    }
  CHECK_INT (tb_diag_plain (NULL, 0, "\n", false), 4);
  CHECK_INT (tb_diag_plain (NULL, 0, "\n", true), 1);
}

int
main (void)
{
  test_names ();
  test_lines ();
  test_long ();
  return check_done ();
}
