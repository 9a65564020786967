/* What a window relies on that is assumed.  See relied.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/relied.h"

#include <stdlib.h>
#include <string.h>

#include "state/window/internal.h"
#include "util/search.h"

static uint64_t
hash (unsigned kind, uint64_t a, uint64_t b)
{
  const uint64_t parts[] = { kind, a, b };
  uint64_t h = 0;
  for (unsigned i = 0; i < 3; i++)
    {
      h = (h ^ parts[i]) * UINT64_C (0x9e3779b97f4a7c15);
      h ^= h >> 29;
    }
  return h;
}

static int
compare (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

static void
sort (struct tb_relied_set *set)
{
  qsort (set->items, set->count, sizeof *set->items, compare);
}

static void
add (struct tb_relied_set *set, unsigned kind, uint64_t a, uint64_t b)
{
  set->items[set->count++] = hash (kind, a, b);
}

/* Is PAIR found whatever is known of its values?  */
static bool
is_of_way (const struct tb_assumed_pair *pair)
{
  return pair->kind == TB_PAIR_CALL || pair->kind == TB_PAIR_TASK;
}

static void
add_pair (struct tb_relied_set *set, const struct tb_state *s,
	  const struct tb_assumed_pair *pair)
{
  add (set, TB_RELIED_PAIR + pair->kind, s->base + pair->from, s->base + pair->to);
}

/* What S relies on beside its own facts, and CERTAIN need not.  */
static void
read_others (struct tb_relied_set *on, const struct tb_state *s, const struct tb_state *certain)
{
  if (s->halt == TB_HALT_USED)
    add (on, TB_RELIED_HALT, s->base, 0);
  if (s->saves_fp)
    add (on, TB_RELIED_FP_SAVED, s->base, 0);
  if (s->before[1] != certain->before[0])
    add (on, TB_RELIED_BEFORE, s->base, 0);
  if (s->after[1] != certain->after[0])
    add (on, TB_RELIED_AFTER, s->base, 0);
}

static void
read_facts (struct tb_relied *r, const struct tb_state *s)
{
  const struct tb_facts *facts = &s->facts;
  for (size_t i = 0; i < facts->pairs.count; i++)
    {
      const struct tb_assumed_pair *pair = &facts->pairs.items[i];
      if (is_of_way (pair) && !pair->disproved)
	add_pair (&r->on, s, pair);
      else if (!is_of_way (pair) && pair->disproved)
	add_pair (&r->not, s, pair);
    }
  for (size_t i = 0; i < facts->nconstants; i++)
    if (facts->constants[i].disproved)
      add (&r->not, TB_RELIED_FUNCTION, facts->constants[i].function, 0);
  for (size_t i = 0; i < facts->nranges; i++)
    if (facts->ranges[i].disproved)
      add (&r->not, TB_RELIED_OBJECT, facts->ranges[i].object->address, 0);
}

bool
tb_relied_read (struct tb_relied *r, const struct tb_state *s, const struct tb_state *certain)
{
  *r = (struct tb_relied) { .on.count = 0 };
  if (s == NULL)
    return true;
  const struct tb_facts *facts = &s->facts;
  size_t on = 4, not = 1;
  for (size_t i = 0; i < facts->pairs.count; i++)
    {
      on += is_of_way (&facts->pairs.items[i]);
      not += facts->pairs.items[i].disproved;
    }
  for (size_t i = 0; i < facts->nconstants; i++)
    not += facts->constants[i].disproved;
  for (size_t i = 0; i < facts->nranges; i++)
    not += facts->ranges[i].disproved;
  r->on.items = malloc (on * sizeof *r->on.items);
  r->not.items = malloc (not * sizeof *r->not.items);
  if (r->on.items == NULL || r->not.items == NULL)
    return false;
  read_facts (r, s);
  read_others (&r->on, s, certain);
  sort (&r->on);
  sort (&r->not);
  return true;
}

void
tb_relied_fini (struct tb_relied *r)
{
  free (r->on.items);
  free (r->not.items);
  *r = (struct tb_relied) { .on.count = 0 };
}

static bool
has (const struct tb_relied_set *set, uint64_t item)
{
  size_t low;
  TB_LOWER_BOUND (low, set->count, set->items[low] < item);
  return low < set->count && set->items[low] == item;
}

/* Add to TO what MORE has and LESS has not, which is little mostly.  False: no memory.  */
static bool
add_missing (struct tb_relied_set *to, const struct tb_relied_set *more,
	     const struct tb_relied_set *less)
{
  const struct tb_relied_set old = *to;
  uint64_t *items = NULL;
  for (size_t i = 0; i < more->count; i++)
    {
      uint64_t item = more->items[i];
      if ((i > 0 && more->items[i - 1] == item) || has (less, item) || has (&old, item))
	continue;
      /* The old ones stay as they are, to be looked up.  */
      if (items == NULL)
	items = malloc ((old.count + more->count) * sizeof *items);
      if (items == NULL)
	return false;
      items[to->count++] = item;
    }
  if (items == NULL)
    return true;
  if (old.count != 0)
    memcpy (items, old.items, old.count * sizeof *items);
  free (old.items);
  to->items = items;
  sort (to);
  return true;
}

bool
tb_relied_give_up (struct tb_relied_set *given_up, const struct tb_relied *before,
		   const struct tb_relied *now, bool *less)
{
  size_t count = given_up->count;
  bool ok = add_missing (given_up, &before->on, &now->on)
	    && add_missing (given_up, &now->not, &before->not);
  *less = given_up->count != count;
  return ok;
}

bool
tb_relied_given_up (const struct tb_relied_set *given_up, unsigned kind, uint64_t a, uint64_t b)
{
  return given_up != NULL && given_up->count != 0 && has (given_up, hash (kind, a, b));
}
