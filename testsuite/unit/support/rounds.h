/* How many rounds a random test has.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_ROUNDS_H
#define TB_UNIT_ROUNDS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is this a part of the run of all tests on a build with sanitizers?  */
static inline bool
rounds_sampled (void)
{
  const char *sanitizers = getenv ("TB_SANITIZERS");
  return sanitizers != NULL && strcmp (sanitizers, "yes") == 0;
}

/* ALL of them; in that run the first fourth, which is told: the plain build runs them all, and
   they differ in values more than in what code they reach.  This is not for what reads broken
   input.  */
static inline unsigned
rounds_of (unsigned all)
{
  unsigned some = rounds_sampled () ? (all + 3) / 4 : all;
  if (some < all)
    printf ("sampled: %u of %u rounds\n", some, all);
  return some;
}

/* Is case number I of COUNT, which is compared with the truth, left out in that run?  Each fourth
   is taken, and the first says so: all of them run the same code.  */
static inline bool
case_left (size_t i, size_t count)
{
  if (rounds_sampled () && i == 0)
    printf ("sampled: %zu of %zu cases\n", (count + 3) / 4, count);
  return rounds_sampled () && i % 4 != 0;
}

#endif
