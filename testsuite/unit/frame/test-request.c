/* Tests of trace requests: how their texts are taken apart.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include <string.h>

#include "frame/request.h"

/* The last message.  */
static char message[2000];

static void
keep (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) severity;
  snprintf (message, sizeof message, "%s", text);
}

/* Is PART the text WANT ("": none)?  */
static bool
is (const struct tb_request *r, struct tb_request_part part, const char *want)
{
  return part.length == strlen (want)
	 && memcmp (r->text + part.offset, want, part.length) == 0;
}

static void
test_good (void)
{
  static const struct
  {
    const char *text;
    enum tb_request_kind kind;
    const char *place, *subject, *condition;
    size_t nitems, nstepping;
    uint64_t steps, pass;
  } table[] = {
    { "main", TB_REQUEST_PLACE, "main", "main", "", 0, 0, 0, 0 },
    { "  a.c:12  ", TB_REQUEST_PLACE, "a.c:12", "a.c:12", "", 0, 0, 0, 0 },
    { "*0x100 if $r0 == 1", TB_REQUEST_PLACE, "*0x100", "*0x100", "$r0 == 1",
      0, 0, 0, 0 },
    { "f if(a)collect b", TB_REQUEST_PLACE, "f", "f", "(a)collect b", 0, 0, 0,
      0 },
    { "Queue::put(int, char) collect x", TB_REQUEST_PLACE,
      "Queue::put(int, char)", "Queue::put(int, char)", "", 1, 0, 0, 0 },
    { "f collect a, b[i, j], {1,2} collect $regs", TB_REQUEST_PLACE, "f", "f",
      "", 4, 0, 0, 0 },
    { "f while-stepping 3 collect $regs, x", TB_REQUEST_PLACE, "f", "f", "", 2,
      2, 3, 0 },
    { "f collect a passcount 4 ws 0x10", TB_REQUEST_PLACE, "f", "f", "", 1, 0,
      16, 4 },
    { "f collect /s name, other", TB_REQUEST_PLACE, "f", "f", "", 1, 0, 0, 0 },
    { "f if c == ' if ' && s == \" collect \"", TB_REQUEST_PLACE, "f", "f",
      "c == ' if ' && s == \" collect \"", 0, 0, 0, 0 },
    { "/^put|get/ if 1", TB_REQUEST_FUNCTIONS, "/^put|get/", "^put|get", "1", 0,
      0, 0, 0 },
    { "/a\\/b/", TB_REQUEST_FUNCTIONS, "/a\\/b/", "a\\/b", "", 0, 0, 0, 0 },
    { "exceptions", TB_REQUEST_EXCEPTIONS, "exceptions", "", "", 0, 0, 0, 0 },
    { "gaps collect $regs", TB_REQUEST_GAPS, "gaps", "", "", 1, 0, 0, 0 },
    { "branches if $step < 9", TB_REQUEST_BRANCHES, "branches", "", "$step < 9",
      0, 0, 0, 0 },
    { "writes to x+4, 8 if 1", TB_REQUEST_WRITES, "writes to x+4, 8", "x+4, 8",
      "1", 0, 0, 0, 0 },
    { "writes of 0x41,1 if 1", TB_REQUEST_STORES, "writes of 0x41,1", "0x41,1",
      "1", 0, 0, 0, 0 },
    { "values of -1 in $r4 ws 2", TB_REQUEST_TAKES, "values of -1 in $r4", "-1 in $r4",
      "", 0, 0, 2, 0 },
    { "calls", TB_REQUEST_CALLS, "calls", "", "", 0, 0, 0, 0 },
    { "calls of f", TB_REQUEST_CALLS, "calls of f", "f", "", 0, 0, 0, 0 },
    { "returns of ns::f collect $r0", TB_REQUEST_RETURNS, "returns of ns::f",
      "ns::f", "", 1, 0, 0, 0 },
    /* Functions may have such names.  */
    { "calls+4", TB_REQUEST_PLACE, "calls+4", "calls+4", "", 0, 0, 0, 0 },
    { "gaps_end", TB_REQUEST_PLACE, "gaps_end", "gaps_end", "", 0, 0, 0, 0 },
    /* What words have.  */
    { "f ifa", TB_REQUEST_PLACE, "f ifa", "f ifa", "", 0, 0, 0, 0 },
    { "f ifz", TB_REQUEST_PLACE, "f ifz", "f ifz", "", 0, 0, 0, 0 },
    { "f ifA", TB_REQUEST_PLACE, "f ifA", "f ifA", "", 0, 0, 0, 0 },
    { "f ifZ", TB_REQUEST_PLACE, "f ifZ", "f ifZ", "", 0, 0, 0, 0 },
    { "f if0", TB_REQUEST_PLACE, "f if0", "f if0", "", 0, 0, 0, 0 },
    { "f if9", TB_REQUEST_PLACE, "f if9", "f if9", "", 0, 0, 0, 0 },
    { "f if-", TB_REQUEST_PLACE, "f if-", "f if-", "", 0, 0, 0, 0 },
    { "f if$", TB_REQUEST_PLACE, "f if$", "f if$", "", 0, 0, 0, 0 },
    { "values", TB_REQUEST_PLACE, "values", "values", "", 0, 0, 0, 0 },
    { "values if 1 collect $r0", TB_REQUEST_PLACE, "values", "values", "1", 1, 0, 0, 0 }
  };
  struct tb_diag diag = { .report = keep };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      struct tb_request r;
      size_t stepping = 0;
      message[0] = '\0';
      CHECK (tb_request_parse (&r, table[i].text, "here", &diag));
      CHECK_STR (message, "");
      if (r.text == NULL)
	continue;
      CHECK_INT (r.kind, table[i].kind);
      CHECK (is (&r, r.place, table[i].place));
      CHECK (is (&r, r.subject, table[i].subject));
      CHECK (is (&r, r.condition, table[i].condition));
      CHECK_INT (r.nitems, table[i].nitems);
      for (size_t k = 0; k < r.nitems; k++)
	stepping += r.items[k].stepping;
      CHECK_INT (stepping, table[i].nstepping);
      CHECK_INT (r.steps, table[i].steps);
      CHECK_INT (r.pass, table[i].pass);
      tb_request_fini (&r);
    }
}

static void
test_bad (void)
{
  static const struct { const char *text; size_t column; } table[] = {
    { "", 1 }, { "   ", 4 }, { " if 1", 2 }, { "f if", 5 }, { "f if ", 6 },
    { "f if (1", 6 }, { "f if 1)", 7 }, { "f if \"x", 6 }, { "f collect", 10 },
    { "f collect a,", 13 }, { "f collect a if 1", 13 }, { "f passcount", 12 },
    { "f passcount 0", 13 }, { "f passcount 1 passcount 1", 15 },
    { "f ws 1 ws 1", 8 }, { "f while-stepping x", 18 }, { "/a", 1 },
    { "//", 2 }, { "/a/ b", 5 }, { "writes", 7 }, { "writes to", 10 },
    { "writes of", 10 }, { "values of", 10 }, { "values x", 8 },
    { "writes x", 8 }, { "calls of", 9 }, { "gaps to x", 6 },
    { "f if 1 if 2", 8 }, { "f if [(1])", 9 }
  };
  struct tb_diag diag = { .report = keep };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      struct tb_request r;
      char begin[40], mark[80];
      message[0] = '\0';
      CHECK (!tb_request_parse (&r, table[i].text, "here", &diag));
      CHECK (r.text == NULL);
      snprintf (begin, sizeof begin, "here: column %zu: ", table[i].column);
      if (strncmp (message, begin, strlen (begin)) != 0)
	CHECK_STR (message, begin);
      /* The mark stands below the place.  */
      snprintf (mark, sizeof mark, "\n  %s\n  %*s^", table[i].text,
		(int) table[i].column - 1, "");
      size_t length = strlen (message), tail = strlen (mark);
      CHECK (length > tail && strcmp (message + length - tail, mark) == 0);
    }
}

static void
test_number (void)
{
  uint64_t n = 7;
  CHECK (tb_request_number ("0x10", 4, &n) && n == 16);
  CHECK (tb_request_number ("123", 2, &n) && n == 12);
  CHECK (tb_request_number ("0xffffffffffffffff", 18, &n) && n == UINT64_MAX);
  CHECK (!tb_request_number ("0x1ffffffffffffffff", 19, &n));
  CHECK (!tb_request_number ("-1", 2, &n));
  CHECK (!tb_request_number ("1x", 2, &n));
  CHECK (!tb_request_number ("", 0, &n));
}

int
main (void)
{
  test_good ();
  test_bad ();
  test_number ();
  return check_done ();
}
