/* Which transfers of a data trace are wrong.  See data-weighing.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/data-weighing.h"

#include <stdlib.h>
#include <string.h>

#include "state/evidence/stated.h"

/* Sets of transfers that exclude each other that are looked for, and how many may be in
   one.  */
#define CORES_MOST 8
#define CORE_MOST 32

/* Where the halt may be wrong instead, it is that if it takes more such sets.  */
#define CORES_BY_HALT_MOST 2

#define WORD 4

bool
tb_weighing_try (struct tb_weighing *d)
{
  if (!d->failed)
    d->failed = !d->solve (d->s);
  return !d->failed && !d->s->graph.conflict;
}

/* Do the bits MASK of VALUE contradict what is known of ID?  That goes to *MADE, and to
   *ALL whether it is all known.  */
static bool
differs (const struct tb_graph *g, tb_vid id, uint32_t mask, uint32_t value,
	 uint32_t *made, bool *all)
{
  struct tb_known k = tb_graph_known (g, id);
  uint32_t known = (uint32_t) k.mask & mask;
  *made = (uint32_t) k.bits;
  *all = known == mask;
  return ((k.bits ^ value) & known) != 0
	 || (!*all && mask == UINT32_MAX && (value < k.lo || value > k.hi));
}

/* Does what is known contradict transfer I, which is off?  */
static bool
is_wrong (const struct tb_weighing *d, size_t i, struct tb_data_fault *fault)
{
  const struct tb_state *s = d->s;
  const struct tb_transfer *t = &d->t->items[i];
  uint32_t id = d->t->access[i];
  *fault = (struct tb_data_fault) { .transfer = t };
  if (id == 0 || id >= s->memory.naccesses)
    return false;
  const struct tb_mem_access *a = &s->memory.accesses[id];
  uint32_t at = t->address_bits >= 32 ? UINT32_MAX
		: (UINT32_C (1) << t->address_bits) - 1;
  uint32_t moved = (uint32_t) tb_stated_moved (tb_access_size (a));
  struct tb_known where = tb_graph_known (&s->graph, a->address);
  fault->load = a->kind == TB_MEM_LOAD;
  fault->address_known = tb_known_all (where) || t->address_bits >= 32;
  fault->address = tb_known_all (where) ? (uint32_t) where.bits : t->address & at;
  if (at != 0 && differs (&s->graph, a->address, at, t->address & at, &fault->made,
			  &fault->known))
    {
      fault->of_address = true;
      fault->told = t->address & at;
      return true;
    }
  fault->told = t->value & moved;
  if (!t->has_value || t->failed)
    return false;
  bool wrong = differs (&s->graph, a->value, moved, fault->told, &fault->made,
			&fault->known);
  fault->made &= moved;
  return wrong;
}

static int
by_index (const void *a, const void *b)
{
  const struct tb_transfer *const *x = a, *const *y = b;
  return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* Of D->out all that goes with D->wrong: transfers behind one in the trace whose addresses
   were sent relative to its own.  */
static void
find_followers (struct tb_weighing *d)
{
  const struct tb_traced *t = d->t;
  const struct tb_transfer **sorted = calloc (t->count + 1, sizeof *sorted);
  bool follows = false;
  d->failed |= sorted == NULL;
  if (sorted == NULL)
    return;
  for (size_t i = 0; i < t->count; i++)
    sorted[i] = &t->items[i];
  qsort (sorted, t->count, sizeof *sorted, by_index);
  for (size_t k = 0; k < t->count; k++)
    {
      size_t i = (size_t) (sorted[k] - t->items);
      bool has = t->items[i].address_bits != 0;
      if (has && !t->items[i].relative)
	follows = false;
      follows |= has && d->wrong[i];
      d->out[i] = d->wrong[i] || (has && follows);
    }
  free (sorted);
}

void
tb_weighing_set_off (struct tb_weighing *d, const bool *out)
{
  for (size_t i = 0; i < d->t->count; i++)
    d->t->off[i] = d->before[i] || (out != NULL && out[i]);
}

/* Transfer I, of which FAULT tells, is wrong, or else what memory holds where it is of.  */
static void
add_wrong (struct tb_weighing *d, size_t i, const struct tb_data_fault *fault)
{
  const struct tb_transfer *t = fault->transfer;
  bool somewhere = fault->address_known && !fault->of_address && t->has_value;
  d->wrong[i] = true;
  if (d->fault.transfer == NULL || (fault->known && !d->fault.known))
    d->fault = *fault;
  if (somewhere && !tb_extents_add (&d->disputed, tb_word_at (&d->s->memory, fault->address),
				    WORD))
    d->failed = true;
}

/* All else is sound without data: find what it contradicts.  */
static void
find_contradicted (struct tb_weighing *d)
{
  for (size_t i = 0; i < d->t->count; i++)
    {
      struct tb_data_fault fault;
      if (!d->before[i] && is_wrong (d, i, &fault))
	{
	  add_wrong (d, i, &fault);
	  d->ncontradicted++;
	}
    }
}

/* Solve with the N transfers CORE, and those below END that are not out.  Returns whether that is
   sound.  */
static bool
try_core (struct tb_weighing *d, const size_t *core, size_t n, size_t end)
{
  for (size_t i = 0; i < d->t->count; i++)
    d->t->off[i] = d->before[i] || d->out[i] || i >= end;
  for (size_t k = 0; k < n; k++)
    d->t->off[core[k]] = false;
  return tb_weighing_try (d);
}

/* Find transfers that exclude each other, with nothing that is out; all of them do.  False: there
   are none, or too many.  */
static bool
find_core (struct tb_weighing *d)
{
  size_t core[CORE_MOST], n = 0, high = d->t->count;
  while (n == 0 || try_core (d, core, n, 0))
    {
      /* With those below LOW the core is sound, with those below HIGH it is not.  */
      size_t low = 0;
      if (n == CORE_MOST || high == 0 || d->failed)
	return false;
      while (high - low > 1)
	{
	  size_t middle = low + (high - low) / 2;
	  if (try_core (d, core, n, middle))
	    low = middle;
	  else
	    high = middle;
	}
      core[n++] = --high;
    }
  for (size_t k = 0; k < n; k++)
    {
      struct tb_data_fault fault;
      is_wrong (d, core[k], &fault);
      fault.known = fault.of_address = false;
      add_wrong (d, core[k], &fault);
    }
  return true;
}

void
tb_weighing_find (struct tb_weighing *d)
{
  unsigned most = d->halt ? CORES_BY_HALT_MOST : CORES_MOST;
  find_contradicted (d);
  for (unsigned i = 0; i <= most && !d->failed; i++)
    {
      find_followers (d);
      tb_weighing_set_off (d, d->out);
      if (tb_weighing_try (d))
	return;
      if (i == most || !find_core (d))
	break;
    }
  d->all = true;
  for (size_t i = 0; i < d->t->count; i++)
    d->out[i] = true;
  tb_weighing_set_off (d, d->out);
  d->failed |= !tb_weighing_try (d);
}

void
tb_weighing_look_again (struct tb_weighing *d)
{
  struct tb_data_fault fault;
  if (d->fault.transfer != NULL && !d->fault.known
      && is_wrong (d, (size_t) (d->fault.transfer - d->t->items), &fault) && fault.known)
    d->fault = fault;
}

bool
tb_weighing_begin (struct tb_weighing *d, struct tb_state *s,
		   bool (*solve) (struct tb_state *s), bool *sound)
{
  size_t n = s->traced->count;
  *d = (struct tb_weighing) {
    .s = s, .t = s->traced, .solve = solve, .before = malloc (n * sizeof (bool)),
    .wrong = calloc (n, sizeof (bool)), .out = calloc (n, sizeof (bool))
  };
  d->failed = d->before == NULL || d->wrong == NULL || d->out == NULL;
  if (d->failed)
    return false;
  memcpy (d->before, s->traced->off, n * sizeof (bool));
  memset (s->traced->off, true, n * sizeof (bool));
  *sound = tb_weighing_try (d);
  return !d->failed;
}

void
tb_weighing_end (struct tb_weighing *d)
{
  free (d->before);
  free (d->wrong);
  free (d->out);
  tb_extents_fini (&d->disputed);
}
