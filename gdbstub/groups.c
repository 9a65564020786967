/* Which cores are the threads of one connection.  See target.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB has one target description, one program and one set of symbols for all threads of a
   target.  Each thread has its own view of memory: what GDB keeps of memory it drops where
   it looks at another thread (GDB 13.1, dcache.c).  */

#include "config.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

/* Do A and B have the same program, as far as they have one?  A core may have none as that of
   another core is not what it ran.  */
static bool
has_same_program (const struct target *a, const struct target *b)
{
  if (a->elf == NULL || b->elf == NULL)
    return a->elf == b->elf || (a->elf == NULL ? a : b)->wrong_elf != NULL;
  return strcmp (a->elf, b->elf) == 0;
}

const char *
targets_differ (struct target *a, struct target *b)
{
  if (!has_same_program (a, b))
    return "program";
  if (target_profile (a)->is_m != target_profile (b)->is_m
      || target_profile (a)->has_a64 != target_profile (b)->has_a64)
    return "kind of core";
  /* What cannot be worked out is told when it is asked for.  */
  return target_prepare (a) && target_prepare (b)
	 && a->tdesc->length == b->tdesc->length
	 && memcmp (a->tdesc->text, b->tdesc->text, a->tdesc->length) == 0
	 ? NULL : "set of registers";
}

bool
targets_group (struct targets *all, bool together)
{
  size_t used = 0;
  bool *taken = calloc (all->count, sizeof *taken);
  all->groups = calloc (all->count, sizeof *all->groups);
  all->members = calloc (all->count, sizeof *all->members);
  bool ok = taken != NULL && all->groups != NULL && all->members != NULL;
  for (size_t i = 0; ok && i < all->count; i++)
    {
      if (taken[i])
	continue;
      struct target_group *group = &all->groups[all->ngroups++];
      *group = (struct target_group) { &all->members[used], 1 };
      all->members[used++] = &all->items[i];
      for (size_t k = i + 1; together && k < all->count; k++)
	if (!taken[k] && targets_differ (&all->items[i], &all->items[k]) == NULL)
	  {
	    taken[k] = true;
	    all->members[used++] = &all->items[k];
	    group->count++;
	  }
    }
  free (taken);
  return ok;
}
