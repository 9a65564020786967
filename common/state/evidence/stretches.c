/* Stretches of the trace whose code in the snapshot is not what ran: which, and how they
   are left out.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where what the trace ran contradicts itself, the code in the snapshot is not what ran
   (or the trace is not what it looks like): then what lies between two gaps stands or
   falls together, and with it whatever else ran in the same dumps, see trust.h.  */

#include "config.h"
#include "state/evidence/evidence.h"
#include "state/window/faults.h"
#include "state/window/windows.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Make the twins of the templates, if there are none.  False: no memory.  */
static bool
make_twins (struct tb_state *s)
{
  size_t n = s->ntemplates;
  if (s->own_templates != 0)
    return true;
  if (n > TB_INFO_TEMPLATE / 2
      || !TB_GROW (s->templates, s->templates_room, n, n))
    return false;
  for (size_t i = 0; i < n; i++)
    {
      struct tb_template *twin = &s->templates[n + i];
      *twin = s->templates[i];
      twin->modelled = false;
      twin->count = 0;
    }
  s->own_templates = n;
  s->ntemplates = 2 * n;
  return true;
}

bool
tb_state_apply_recoded (struct tb_state *s)
{
  if (s->recoded.count == 0)
    return true;
  if (!make_twins (s))
    return false;
  tb_recoded_apply (&s->recoded, s);
  return true;
}

/* Take out what is lost by S->trust and what is recoded, and only that.  False: no
   memory.  */
static bool
apply (struct tb_state *s)
{
  if (!make_twins (s))
    return false;
  tb_trust_apply (&s->trust, s->info, TB_INFO_TEMPLATE, s->own_templates);
  s->memory.distrusted = s->trust.distrusted;
  return tb_state_apply_recoded (s);
}

bool
tb_evidence_find_faults (struct tb_recording *recording,
			 const struct tb_state_options *options, struct tb_trust *trust)
{
  if (tb_state_doubts (options) & TB_PREMISE_CODE)
    return tb_trust_none (trust, recording);
  if (tb_recording_stats (recording)->bad_image == 0)
    return true;
  struct tb_faults *faults = options->faults;
  if (faults == NULL)
    return tb_trust_find_faults (trust, recording, TB_TRUST_LOOK_MOST);
  if (tb_faults_search (faults, NULL) != TB_FAULTS_FOUND)
    return false;
  tb_faults_take (faults, trust);
  return true;
}

bool
tb_state_find_trust (struct tb_state *s)
{
  if (s->options.trust == NULL)
    return true;
  tb_trust_fini (&s->trust);
  return tb_trust_cut (&s->trust, s->options.trust, s->base, s->steps)
	 && apply (s);
}

bool
tb_state_take_trust (struct tb_state *s, const struct tb_state *from)
{
  const struct tb_trust *theirs = &from->trust;
  struct tb_trust *t = &s->trust;
  s->reset_sp = from->reset_sp;
  tb_evidence_set_start (s, from->start);
  if (theirs->count == 0)
    return true;
  if (t->count == 0
      && !tb_trust_init (t, s->recording, theirs->base, theirs->steps))
    return false;
  memcpy (t->stretches, theirs->stretches, t->count * sizeof *t->stretches);
  memcpy (t->distrusted, theirs->distrusted, t->nregions);
  return apply (s);
}

void
tb_evidence_say_lost (const struct tb_trust *t, struct tb_diag *diag,
		      const char *why)
{
  uint64_t lost, first = 0;
  size_t stretches = tb_trust_lost (t, &lost);
  const char *name = tb_trust_name (t);
  for (size_t i = t->count; i-- > 0;)
    if (t->stretches[i].lost)
      first = t->stretches[i].first;
  tb_warning (diag, "%s  No register or memory is worked out where the trace, "
	      "from one gap to the next, runs the same code%s%s: %zu of %zu "
	      "stretches, %llu of %llu steps, the first is step %llu.", why,
	      name != NULL ? " as in " : "", name != NULL ? name : "",
	      stretches, t->count, (unsigned long long) lost,
	      (unsigned long long) t->steps,
	      (unsigned long long) (t->base + first));
}

/* Others write SHARED, save PRIVATES, from now on.  */
static void
share (struct tb_state *s, const struct tb_extents *shared,
       const struct tb_extents *privates)
{
  s->memory.shared = shared;
  s->memory.privates = privates;
}

/* Would there be no contradiction if others wrote the RAM?  *YES says so.  False:
   no memory.  */
static bool
try_without_ram (struct tb_state *s, bool *yes)
{
  struct tb_extent everything = { 0, UINT64_MAX };
  const struct tb_extents all = { &everything, 1, 1 };
  const struct tb_extents *shared = s->options.shared;
  const struct tb_extents *privates = s->options.privates;
  share (s, &all, NULL);
  bool ok = tb_evidence_solve (s);
  *yes = !s->graph.conflict;
  share (s, shared, privates);
  return ok;
}

/* Put the culprit, the first of the stretches that contradict themselves, into
   *CULPRIT.  False: no memory.  */
static bool
find_culprit (struct tb_state *s, size_t *culprit)
{
  struct tb_trust *t = &s->trust;
  bool *lost = calloc (t->count + 1, sizeof *lost);
  bool ok = lost != NULL;
  for (size_t i = 0; ok && i < t->count; i++)
    lost[i] = t->stretches[i].lost;
  /* Those before LOW alone do not contradict, with those before HIGH they do. */
  size_t low = 0, high = t->count;
  while (ok && high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      for (size_t i = 0; i < t->count; i++)
	t->stretches[i].lost = lost[i] || i >= middle;
      ok = apply (s) && tb_evidence_solve (s);
      if (s->graph.conflict)
	high = middle;
      else
	low = middle;
    }
  for (size_t i = 0; ok && i < t->count; i++)
    t->stretches[i].lost = lost[i];
  free (lost);
  *culprit = low;
  return ok;
}

bool
tb_evidence_give_up (struct tb_state *s)
{
  for (size_t i = 0; i < s->trust.count; i++)
    s->trust.stretches[i].lost = true;
  s->base += s->steps;
  s->steps = 0;
  s->nchanges = 0;
  return tb_state_solve (s, 0, 0);
}

/* Stretches that are looked for one by one before all is given up.  */
#define CULPRITS 16

bool
tb_evidence_lose_code (struct tb_state *s, struct tb_diag *diag)
{
  static const char code[]
    = "The code in the snapshot contradicts the trace: expected instructions "
      "that can take the traced path.";
  static const char hint[]
    = "The trace contradicts itself: what is loaded is not what was stored.  "
      "If others write RAM (DMA, a debugger) --volatile=LIST can say where; "
      "else the code in the snapshot is not what ran.";
  uint64_t base = s->base, steps = s->steps, lost;
  bool ram;
  if (!try_without_ram (s, &ram)
      || (s->trust.count == 0
	  && !tb_trust_init (&s->trust, s->recording, base, steps)))
    return false;
  s->graph.conflict = true;
  for (unsigned i = 0; i < CULPRITS && s->graph.conflict; i++)
    {
      size_t culprit;
      if (!find_culprit (s, &culprit))
	return false;
      tb_trust_lose (&s->trust, culprit);
      tb_trust_lost (&s->trust, &lost);
      if (lost == s->trust.steps)
	break;
      if (!apply (s) || !tb_evidence_solve (s))
	return false;
    }
  if (s->graph.conflict)
    {
      tb_warning (diag, "%s  No register or memory is worked out.",
		  ram ? hint : code);
      return tb_evidence_give_up (s);
    }
  tb_evidence_say_lost (&s->trust, diag, ram ? hint : code);
  return true;
}

struct tb_trust *
tb_evidence_all_trust (struct tb_state *home)
{
  struct tb_trust *all = &home->all_trust;
  if (all->count == 0
      && !tb_trust_init (all, home->recording, 0,
			 tb_recording_steps (home->recording)))
    return NULL;
  home->options.trust = all;
  return all;
}

bool
tb_windows_lose (struct tb_state *home, const struct tb_state *s, bool *more)
{
  uint64_t lost;
  if (tb_trust_lost (&s->trust, &lost) == 0)
    return true;
  struct tb_trust *all = tb_evidence_all_trust (home);
  if (all == NULL)
    return false;
  *more |= tb_trust_add (all, &s->trust);
  return true;
}

/* The same of the stretch at step STEP.  */
static bool
lose_at (struct tb_state *home, uint64_t step, bool *more)
{
  struct tb_trust *all = tb_evidence_all_trust (home);
  uint64_t before, after;
  if (all == NULL)
    return false;
  tb_trust_lost (all, &before);
  tb_trust_lose_at (all, step);
  tb_trust_lost (all, &after);
  *more |= after != before;
  return true;
}

/* S contradicts what the windows before it (BEFORE), or after it, know.  */
static void
say_border (const struct tb_state *s, const struct tb_state *home, bool before,
	    struct tb_diag *diag)
{
  uint64_t lost, base = s->base, end = base + s->steps;
  tb_trust_lost (&home->all_trust, &lost);
  tb_warning (diag, "The trace contradicts itself: what steps %llu to %llu show is "
	      "not what those %s them lead to.  If others write RAM (DMA, a "
	      "debugger) --volatile=LIST can say where; else the code in the "
	      "snapshot is not what ran.  No register or memory is worked out "
	      "where the trace, from one gap to the next, runs the same code: "
	      "%llu of %llu steps.", (unsigned long long) base,
	      (unsigned long long) end - 1, before ? "before" : "after",
	      (unsigned long long) lost,
	      (unsigned long long) home->all_trust.steps);
}

bool
tb_evidence_lose_border (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  uint64_t base = s->base, end = base + s->steps;
  if (!lose_at (c->home, c->past ? base - 1 : end, c->more))
    return false;
  if (*c->more)
    say_border (s, c->home, c->past, c->diag);
  /* What is left is to be sound all the same.  */
  return tb_state_solve (s, 0, 0);
}
