/* Data trace that contradicts the rest.  See data-doubt.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/data-doubt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/evidence/stated.h"
#include "state/evidence/traced.h"

/* Sets of transfers that exclude each other that are looked for, and how many may be in
   one.  */
#define CORES_MOST 8
#define CORE_MOST 32

#define WORD 4

/* If more transfers than these contradict a halt without which all is sound, or it takes more
   such sets, it is the halt that is wrong.  */
#define WRONG_BY_HALT_MOST 4
#define CORES_BY_HALT_MOST 2

/* The transfer that is told of to the user.  */
struct fault
{
  const struct tb_transfer *transfer;	/* NULL: none yet.  */
  bool of_address;		/* Its address is contradicted, not its value.  */
  bool known;			/* What it would be else is known.  */
  bool load, address_known;
  uint32_t told, made, address;
};

struct weighing
{
  struct tb_state *s;
  struct tb_traced *t;
  bool (*solve) (struct tb_state *s);
  bool *before;			/* What was off.  */
  bool *wrong;			/* What is contradicted, ...  */
  bool *out;			/* ... and all that goes with it.  */
  struct fault fault;
  size_t ncontradicted;		/* So many are, by what is sound without data.  */
  bool halt;			/* The halt may be wrong instead.  */
  bool all;			/* It took all data.  */
  struct tb_extents disputed;	/* Where memory may be what is wrong.  */
  bool failed;			/* No memory.  */
};

/* Solve with what is off now.  Returns whether that is sound.  */
static bool
try (struct weighing *d)
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
is_wrong (const struct weighing *d, size_t i, struct fault *fault)
{
  const struct tb_state *s = d->s;
  const struct tb_transfer *t = &d->t->items[i];
  uint32_t id = d->t->access[i];
  *fault = (struct fault) { .transfer = t };
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
find_followers (struct weighing *d)
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

/* Only what was off, and OUT, are off.  */
static void
set_off (struct weighing *d, const bool *out)
{
  for (size_t i = 0; i < d->t->count; i++)
    d->t->off[i] = d->before[i] || (out != NULL && out[i]);
}

/* Transfer I, of which FAULT tells, is wrong, or else what memory holds where it is of.  */
static void
add_wrong (struct weighing *d, size_t i, const struct fault *fault)
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
find_contradicted (struct weighing *d)
{
  for (size_t i = 0; i < d->t->count; i++)
    {
      struct fault fault;
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
try_core (struct weighing *d, const size_t *core, size_t n, size_t end)
{
  for (size_t i = 0; i < d->t->count; i++)
    d->t->off[i] = d->before[i] || d->out[i] || i >= end;
  for (size_t k = 0; k < n; k++)
    d->t->off[core[k]] = false;
  return try (d);
}

/* Find transfers that exclude each other, with nothing that is out; all of them do.  False: there
   are none, or too many.  */
static bool
find_core (struct weighing *d)
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
      struct fault fault;
      is_wrong (d, core[k], &fault);
      fault.known = fault.of_address = false;
      add_wrong (d, core[k], &fault);
    }
  return true;
}

/* Find as many transfers as it takes, all else being sound without any.  */
static void
find_out (struct weighing *d)
{
  unsigned most = d->halt ? CORES_BY_HALT_MOST : CORES_MOST;
  find_contradicted (d);
  for (unsigned i = 0; i <= most && !d->failed; i++)
    {
      find_followers (d);
      set_off (d, d->out);
      if (try (d))
	return;
      if (i == most || !find_core (d))
	break;
    }
  d->all = true;
  for (size_t i = 0; i < d->t->count; i++)
    d->out[i] = true;
  set_off (d, d->out);
  d->failed |= !try (d);
}

/* What would the transfer that is told of be, now that it is not used?  */
static void
look_again (struct weighing *d)
{
  struct fault fault;
  if (d->fault.transfer != NULL && !d->fault.known
      && is_wrong (d, (size_t) (d->fault.transfer - d->t->items), &fault) && fault.known)
    d->fault = fault;
}

/* Begin: *SOUND: all else is without data.  False: no memory.  */
static bool
begin (struct weighing *d, struct tb_state *s, bool (*solve) (struct tb_state *s), bool *sound)
{
  size_t n = s->traced->count;
  *d = (struct weighing) {
    .s = s, .t = s->traced, .solve = solve, .before = malloc (n * sizeof (bool)),
    .wrong = calloc (n, sizeof (bool)), .out = calloc (n, sizeof (bool))
  };
  d->failed = d->before == NULL || d->wrong == NULL || d->out == NULL;
  if (d->failed)
    return false;
  memcpy (d->before, s->traced->off, n * sizeof (bool));
  memset (s->traced->off, true, n * sizeof (bool));
  *sound = try (d);
  return !d->failed;
}

static void
end (struct weighing *d)
{
  free (d->before);
  free (d->wrong);
  free (d->out);
  tb_extents_fini (&d->disputed);
}

/* TO, which OPTION of a state is or not yet, gets the same and all of MORE.  */
static bool
add_extents (struct tb_extents *to, const struct tb_extents **option,
	     const struct tb_extents *more)
{
  const struct tb_extents *from[] = { *option != to ? *option : NULL, more };
  bool ok = true;
  for (unsigned k = 0; k < 2; k++)
    for (size_t i = 0; from[k] != NULL && i < from[k]->count; i++)
      ok = ok && tb_extents_add (to, from[k]->items[i].address, from[k]->items[i].length);
  *option = to;
  return ok;
}

/* TO disputes what D does.  */
static bool
dispute (const struct weighing *d, struct tb_state *to)
{
  if (!add_extents (&to->disputed, &to->options.disputed, &d->disputed))
    return false;
  to->memory.disputed = to->options.disputed;
  return true;
}

/* TO, and what is made of its options, does not rely on what is out.  */
static bool
leave_out (const struct weighing *d, struct tb_state *to)
{
  bool ok = add_extents (&to->untraced, &to->options.untraced, NULL);
  for (size_t i = 0; i < d->t->count && ok; i++)
    if (d->out[i])
      ok = tb_extents_add (&to->untraced, d->t->items[i].index, 1)
	   && tb_extents_add (&to->untraced, d->t->items[i].late_index, 1);
  tb_traced_apply (to);
  return ok;
}

/* Where the fault of D is, and what, to WHERE.  */
static void
say_where (const struct weighing *d, char *where, size_t size)
{
  const struct fault *f = &d->fault;
  const struct tb_transfer *t = f->transfer;
  char made[24] = "something else", place[24] = "";
  if (t == NULL)
    {
      snprintf (where, size, "between steps %" PRIu64 " and %" PRIu64, d->s->base,
		d->s->base + d->s->steps - 1);
      return;
    }
  if (f->known)
    snprintf (made, sizeof made, "0x%" PRIx32, f->made);
  if (f->address_known && !f->of_address)
    snprintf (place, sizeof place, " at 0x%" PRIx32, f->address);
  snprintf (where, size, "%s step %" PRIu64 " (byte %" PRIu64 " of the trace): %s%s is 0x%"
	    PRIx32 " by data trace, %s by the rest", t->by == TB_BY_STEP ? "at" : "before",
	    t->step, f->of_address ? t->index : t->late_index,
	    f->of_address ? "the address" : f->load ? "what is loaded" : "what is stored",
	    place, f->told, made);
}

static void
say (const struct weighing *d, struct tb_diag *diag)
{
  char where[240], memory[60] = "";
  size_t out = 0;
  for (size_t i = 0; i < d->t->count; i++)
    out += d->out[i];
  if (d->disputed.count != 0)
    snprintf (memory, sizeof memory, ", nor what memory holds in %zu place%s",
	      d->disputed.count, d->disputed.count > 1 ? "s" : "");
  say_where (d, where, sizeof where);
  tb_warning (diag, "Data trace contradicts the code, the memory or itself %s.  Not used are "
	      "%zu of %zu transfers that it tells of%s.  If others write RAM (DMA, a debugger) "
	      "--volatile=LIST can say where; --doubt=traced-data uses no data trace.", where,
	      out, d->t->count, memory);
}

/* May the halt, which is used, be wrong in place of what data tell?  All is sound without it
   then.  */
static bool
may_be_halt (struct weighing *d)
{
  struct tb_state *s = d->s;
  enum tb_halt halt = s->halt;
  if (halt != TB_HALT_USED)
    return false;
  set_off (d, NULL);
  s->halt = TB_HALT_CONTRADICTED;
  bool yes = try (d);
  s->halt = halt;
  return yes;
}

/* Leave out of the halt, too, what may be wrong in place of what data tell.  */
static void
doubt_halt (struct weighing *d, struct tb_contradiction *c)
{
  struct tb_state *s = d->s;
  set_off (d, NULL);
  d->failed |= !dispute (d, s);
  if (try (d))
    return;
  unsigned pc = s->profile->has_a64 ? TB_PC64 : TB_PC;
  for (unsigned i = 0; i < TB_NREGS_MAX && i < 64 && !d->failed; i++)
    {
      struct tb_value at = s->at_halt[i];
      if (at.mask == 0 || i == pc)
	continue;
      s->at_halt[i] = (struct tb_value) { .mask = 0 };
      if (try (d))
	{
	  s->options.halt_without |= UINT64_C (1) << i;
	  return;
	}
      s->at_halt[i] = at;
    }
  s->halt = TB_HALT_CONTRADICTED;
  c->no_halt = true;
}

static bool
has_data (const struct tb_state *s)
{
  for (size_t i = 0; s->traced != NULL && i < s->traced->count; i++)
    if (!s->traced->off[i])
      return true;
  return false;
}

bool
tb_data_doubt_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  struct weighing d;
  bool sound = false, itself = false;
  if (!has_data (s))
    return true;
  bool ok = begin (&d, s, tb_evidence_solve, &sound);
  if (ok && sound)
    {
      d.halt = may_be_halt (&d);
      memset (s->traced->off, true, s->traced->count * sizeof (bool));
      try (&d);
      find_out (&d);
      look_again (&d);
      itself = d.halt && (d.all || d.ncontradicted > WRONG_BY_HALT_MOST);
      if (d.halt && !itself)
	doubt_halt (&d, c);
    }
  c->resolved = ok && sound && !itself;
  if (c->resolved)
    {
      d.failed |= !dispute (&d, s) || !leave_out (&d, s);
      if (!d.failed)
	say (&d, c->diag);
    }
  else if (ok)
    set_off (&d, NULL);
  ok = ok && !d.failed && tb_evidence_solve (s);
  c->resolved &= !s->graph.conflict;
  end (&d);
  return ok;
}

static bool
solve_once (struct tb_state *s)
{
  return tb_state_solve (s, 0, 0);
}

/* Windows of HOME contradict each other: no data is used.  */
static bool
leave_out_all (struct tb_contradiction *c)
{
  struct tb_state *home = c->home;
  struct tb_extents all = { 0 };
  if (!has_data (c->s))
    return true;
  c->resolved = true;
  bool ok = tb_extents_add (&all, 0, UINT64_MAX)
	    && add_extents (&home->untraced, &home->options.untraced, &all);
  tb_extents_fini (&all);
  tb_traced_apply (home);
  if (ok)
    tb_warning (c->diag, "Data trace contradicts the rest between steps %" PRIu64 " and %" PRIu64
		", or there and where steps before or behind them lead to.  None of it is used.",
		c->s->base, c->s->base + c->s->steps - 1);
  return ok;
}

bool
tb_data_doubt_of_windows (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  struct weighing d;
  bool sound = false;
  enum tb_halt halt = s->halt;
  if (!has_data (s))
    return true;
  if (!c->own)
    return leave_out_all (c);
  s->halt = TB_HALT_NONE;
  bool ok = begin (&d, s, solve_once, &sound);
  if (ok && sound)
    {
      find_out (&d);
      look_again (&d);
      c->resolved = !d.failed;
      d.failed |= !dispute (&d, c->home) || !leave_out (&d, c->home);
      if (!d.failed)
	say (&d, c->diag);
    }
  else if (ok)
    set_off (&d, NULL);
  s->halt = halt;
  ok = ok && !d.failed && (c->resolved || solve_once (s));
  end (&d);
  return ok;
}
