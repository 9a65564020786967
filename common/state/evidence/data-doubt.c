/* Data trace that contradicts the rest.  See data-doubt.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/data-doubt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/evidence/data-weighing.h"
#include "state/evidence/traced.h"

/* If more transfers than these contradict a halt without which all is sound, it is the halt
   that is wrong.  */
#define WRONG_BY_HALT_MOST 4

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
dispute (const struct tb_weighing *d, struct tb_state *to)
{
  if (!add_extents (&to->disputed, &to->options.disputed, &d->disputed))
    return false;
  to->memory.disputed = to->options.disputed;
  return true;
}

/* TO, and what is made of its options, does not rely on what is out.  */
static bool
leave_out (const struct tb_weighing *d, struct tb_state *to)
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
say_where (const struct tb_weighing *d, char *where, size_t size)
{
  const struct tb_data_fault *f = &d->fault;
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
say (const struct tb_weighing *d, struct tb_diag *diag)
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

/* It took all data: the path that the trace tells, or the code along it, may be wrong as well.  */
static void
say_path (const struct tb_weighing *d, struct tb_diag *diag)
{
  char where[240];
  say_where (d, where, sizeof where);
  tb_warning (diag, "Data trace contradicts the path that the trace tells, or the code along it, "
	      "%s, and more than single transfers do.  Which is wrong is not known; "
	      "--doubt=traced-data uses no data trace.", where);
}

/* May the halt, which is used, be wrong in place of what data tell?  All is sound without it
   then.  */
static bool
may_be_halt (struct tb_weighing *d)
{
  struct tb_state *s = d->s;
  enum tb_halt halt = s->halt;
  if (halt != TB_HALT_USED)
    return false;
  tb_weighing_set_off (d, NULL);
  s->halt = TB_HALT_CONTRADICTED;
  bool yes = tb_weighing_try (d);
  s->halt = halt;
  return yes;
}

/* Leave out of the halt, too, what may be wrong in place of what data tell.  */
static void
doubt_halt (struct tb_weighing *d, struct tb_contradiction *c)
{
  struct tb_state *s = d->s;
  tb_weighing_set_off (d, NULL);
  d->failed |= !dispute (d, s);
  if (tb_weighing_try (d))
    return;
  unsigned pc = s->profile->has_a64 ? TB_PC64 : TB_PC;
  for (unsigned i = 0; i < TB_NREGS_MAX && i < 64 && !d->failed; i++)
    {
      struct tb_value at = s->at_halt[i];
      if (at.mask == 0 || i == pc)
	continue;
      s->at_halt[i] = (struct tb_value) { .mask = 0 };
      if (tb_weighing_try (d))
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
  struct tb_weighing d;
  bool sound = false, itself = false;
  if (!has_data (s))
    return true;
  bool ok = tb_weighing_begin (&d, s, tb_evidence_solve, &sound);
  if (ok && sound)
    {
      d.halt = may_be_halt (&d);
      memset (s->traced->off, true, s->traced->count * sizeof (bool));
      tb_weighing_try (&d);
      tb_weighing_find (&d);
      tb_weighing_look_again (&d);
      itself = d.halt && (d.all || d.ncontradicted > WRONG_BY_HALT_MOST);
      if (d.halt && !itself)
	doubt_halt (&d, c);
    }
  /* Where it takes all of them the path is given up, which goes with the code.  */
  c->resolved = ok && sound && !itself && !d.all;
  if (c->resolved)
    {
      d.failed |= !dispute (&d, s) || !leave_out (&d, s);
      if (!d.failed)
	say (&d, c->diag);
    }
  else if (ok)
    {
      if (sound && !itself && !c->told_of_data)
	say_path (&d, c->diag);
      c->told_of_data |= sound && !itself;
      tb_weighing_set_off (&d, NULL);
    }
  ok = ok && !d.failed && tb_evidence_solve (s);
  c->resolved &= !s->graph.conflict;
  tb_weighing_end (&d);
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
  struct tb_weighing d;
  bool sound = false;
  enum tb_halt halt = s->halt;
  if (!has_data (s))
    return true;
  if (!c->own)
    return leave_out_all (c);
  s->halt = TB_HALT_NONE;
  bool ok = tb_weighing_begin (&d, s, solve_once, &sound);
  if (ok && sound)
    {
      tb_weighing_find (&d);
      tb_weighing_look_again (&d);
      c->resolved = !d.failed && !d.all;
    }
  if (c->resolved)
    {
      d.failed |= !dispute (&d, c->home) || !leave_out (&d, c->home);
      if (!d.failed)
	say (&d, c->diag);
    }
  else if (ok)
    tb_weighing_set_off (&d, NULL);
  s->halt = halt;
  ok = ok && !d.failed && (c->resolved || solve_once (s));
  tb_weighing_end (&d);
  return ok;
}
