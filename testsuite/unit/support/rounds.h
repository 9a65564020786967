/* How many rounds a random test has.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_ROUNDS_H
#define TB_UNIT_ROUNDS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool
rounds_setting (const char *name)
{
  const char *value = getenv (name);
  return value != NULL && strcmp (value, "yes") == 0;
}

/* A test by hand is whole; in the run of all tests each third is taken, and each eighth on a build
   with sanitizers: the rounds differ in values more than in what code they reach.  "./bootstrap
   check-all" takes all.  This is not for what reads broken input.  */
static inline unsigned
rounds_every (void)
{
  return rounds_setting ("TB_SANITIZERS") ? 8 : rounds_setting ("TB_SAMPLED") ? 3 : 1;
}

/* Of ALL rounds the first that are taken, which is told.  */
static inline unsigned
rounds_of (unsigned all)
{
  unsigned every = rounds_every (), some = (all + every - 1) / every;
  if (some < all)
    printf ("sampled: %u of %u rounds\n", some, all);
  return some;
}

/* Is case number I of COUNT, which is compared with the truth, left out in that run?  The first
   one says so.  */
static inline bool
case_left (size_t i, size_t count)
{
  unsigned every = rounds_every ();
  if (every > 1 && i == 0)
    printf ("sampled: %zu of %zu cases\n", (count + every - 1) / every, count);
  return i % every != 0;
}

#endif
