/* Sizes of objects.  See objects.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "objects.h"

#include <stdlib.h>

#include "snapshot/variables.h"

static void
find_sizes (struct target *t)
{
  struct tb_symbols *symbols = target_symbols (t);
  struct tb_variables *variables
    = symbols != NULL ? tb_variables_new (symbols, target_profile (t)->has_a64 ? 8 : 4) : NULL;
  t->has_sizes = variables != NULL && tb_variables_sizes (variables, &t->sizes, &t->nsizes);
  if (!t->has_sizes)
    {
      objects_forget (t);
      tb_recording_lacks_memory (t->recording);
    }
  tb_variables_free (variables);
}

static int
by_size (const void *x, const void *y)
{
  uint64_t a = *(const uint64_t *) x, b = *(const uint64_t *) y;
  return a < b ? -1 : a > b;
}

bool
objects_have_size (struct target *t, uint64_t length)
{
  if (!t->has_sizes)
    find_sizes (t);
  return t->nsizes != 0
	 && bsearch (&length, t->sizes, t->nsizes, sizeof *t->sizes, by_size) != NULL;
}

void
objects_forget (struct target *t)
{
  free (t->sizes);
  t->sizes = NULL;
  t->nsizes = 0;
  t->has_sizes = false;
}
