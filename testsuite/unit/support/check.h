/* A few macros for unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_CHECK_H
#define TB_UNIT_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned check_failures;
static unsigned check_count;

static inline bool
check_that (bool ok, const char *file, int line, const char *what)
{
  check_count++;
  if (!ok)
    {
      check_failures++;
      fprintf (stderr, "%s:%d: not so: %s\n", file, line, what);
    }
  return ok;
}

static inline bool
check_int (uint64_t got, uint64_t want, const char *file, int line,
	   const char *what)
{
  check_count++;
  if (got != want)
    {
      check_failures++;
      fprintf (stderr, "%s:%d: %s: got %#" PRIx64 ", expected %#" PRIx64 "\n",
	       file, line, what, got, want);
    }
  return got == want;
}

static inline bool
check_str (const char *got, const char *want, const char *file, int line,
	   const char *what)
{
  bool same = got != NULL && strcmp (got, want) == 0;
  check_count++;
  if (!same)
    {
      check_failures++;
      fprintf (stderr, "%s:%d: %s: got \"%s\", expected \"%s\"\n", file, line,
	       what, got != NULL ? got : "(null)", want);
    }
  return same;
}

/* Each is true when the check holds, so that a test can stop early.  */
#define CHECK(condition) \
  check_that ((condition), __FILE__, __LINE__, #condition)
#define CHECK_INT(got, want) \
  check_int ((uint64_t) (got), (uint64_t) (want), __FILE__, __LINE__, #got)
#define CHECK_STR(got, want) \
  check_str ((got), (want), __FILE__, __LINE__, #got)

/* The exit status of a test program that lacks something here: WHY it is skipped is said
   at the end of "make check".  */
static inline int
check_skip (const char *why)
{
  printf ("%s\n", why);
  return 77;
}

/* The exit status of the test program; a test that checked nothing fails.  */
static inline int
check_done (void)
{
  printf ("%u checks, %u failed\n", check_count, check_failures);
  return check_failures != 0 || check_count == 0;
}

#endif /* TB_UNIT_CHECK_H */
