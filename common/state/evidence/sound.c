/* What is given up where the input contradicts itself, so that the rest is sound.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Dumps of devices are given up first (devices.c).  What is the next to be wrong is the
   halt: the dumps may be of another moment.
   Where what the trace ran contradicts itself without it, the code in the snapshot is
   not what ran (or the trace is not what it looks like): then what lies between two
   gaps stands or falls together, and with it whatever else ran in the same dumps,
   see trust.h.  */

#include "config.h"
#include "state/window/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/a64/a64.h"
#include "state/evidence/stated.h"
#include "util/buffer.h"

bool
tb_state_ends_at_halt (struct tb_state *s)
{
  if (!s->end_open)
    return false;
  if (s->a64 != NULL)
    return tb_a64_ends_at (s->a64, s->at_halt[TB_PC64].bits);
  if (s->steps == 0 || !(s->info[s->steps - 1] & TB_INFO_TAKEN))
    return false;
  const struct tb_template *last
    = &s->templates[s->info[s->steps - 1] & TB_INFO_TEMPLATE];
  bool indirect = false;
  for (unsigned k = 0; k < last->count; k++)
    indirect |= s->uops[last->first + k].op == TB_OP_TARGET;
  tb_state_seek (s, s->steps);
  if (!indirect || s->names.target == 0)
    return false;
  struct tb_known k = tb_graph_known (&s->graph, s->names.target);
  return tb_known_all (k) && k.bits >> 1 == s->at_halt[TB_PC].bits >> 1;
}

/* Solve; on ARMv7-M, where that leads to a contradiction, with frames that are
   not aligned.  */
static bool
solve_stkalign (struct tb_state *s)
{
  bool may_be_0 = s->profile->arch == TB_ARCH_V7M
		  || s->profile->arch == TB_ARCH_V7EM;
  enum tb_halt halt = s->halt;
  s->stkalign = true;
  if (!tb_state_solve (s, 0, 0))
    return false;
  if (!s->graph.conflict || !may_be_0)
    return true;
  s->stkalign = false;
  s->halt = halt;
  return tb_state_solve (s, 0, 0);
}

/* The window, whatever the core.  */
static void
window (const struct tb_state *s, uint64_t *base, uint64_t *steps)
{
  *base = s->base;
  *steps = s->steps;
  if (s->a64 != NULL)
    tb_a64_window (s->a64, base, steps);
}

/* Make the twins of the templates, if there are none.  False: no memory.  */
static bool
make_twins (struct tb_state *s)
{
  size_t n = s->ntemplates;
  void *items = s->templates;
  if (s->own_templates != 0)
    return true;
  if (n > TB_INFO_TEMPLATE / 2
      || !tb_grow (&items, &s->templates_room, n, n, sizeof *s->templates))
    return false;
  s->templates = items;
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
  tb_recoded_apply (&s->recoded, s->info, TB_INFO_TEMPLATE, s->own_templates,
		    s->steps);
  return true;
}

/* Take out what is lost by S->trust and what is recoded, and only that.  False: no
   memory.  */
static bool
apply (struct tb_state *s)
{
  if (s->a64 != NULL)
    return tb_a64_apply_trust (s->a64, &s->trust);
  if (!make_twins (s))
    return false;
  tb_trust_apply (&s->trust, s->info, TB_INFO_TEMPLATE, s->own_templates);
  s->memory.distrusted = s->trust.distrusted;
  return tb_state_apply_recoded (s);
}

bool
tb_state_find_trust (struct tb_state *s)
{
  uint64_t base, steps;
  bool faults = tb_recording_stats (s->recording)->bad_image != 0;
  if (!faults && s->options.trust == NULL)
    return true;
  window (s, &base, &steps);
  tb_trust_fini (&s->trust);
  if (s->options.trust == NULL)
    {
      if (!tb_trust_find_faults (&s->all_trust, s->recording,
				 TB_TRUST_LOOK_MOST))
	return false;
      s->options.trust = &s->all_trust;
    }
  return tb_trust_cut (&s->trust, s->options.trust, base, steps) && apply (s);
}

static void
set_start (struct tb_state *s, unsigned start)
{
  s->start = start;
  if (s->a64 != NULL)
    tb_a64_set_start (s->a64, start != 0);
}

bool
tb_state_take_trust (struct tb_state *s, const struct tb_state *from)
{
  const struct tb_trust *theirs = &from->trust;
  struct tb_trust *t = &s->trust;
  s->reset_sp = from->reset_sp;
  set_start (s, from->start);
  if (theirs->count == 0)
    return true;
  if (t->count == 0
      && !tb_trust_init (t, s->recording, theirs->base, theirs->steps))
    return false;
  memcpy (t->stretches, theirs->stretches, t->count * sizeof *t->stretches);
  memcpy (t->distrusted, theirs->distrusted, t->nregions);
  return apply (s);
}

/* Say what is lost of what runs in the same dumps as something that is not
   right.  */
static void
say_lost (const struct tb_trust *t, struct tb_diag *diag, const char *why)
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
  if (s->a64 != NULL)
    tb_a64_share (s->a64, shared, privates);
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
  bool ok = solve_stkalign (s);
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
      ok = apply (s) && solve_stkalign (s);
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

/* Nothing is worked out.  */
static bool
give_up (struct tb_state *s)
{
  for (size_t i = 0; i < s->trust.count; i++)
    s->trust.stretches[i].lost = true;
  s->base += s->steps;
  s->steps = 0;
  s->nchanges = 0;
  if (s->a64 != NULL)
    tb_a64_give_up (s->a64);
  return tb_state_solve (s, 0, 0);
}

/* Stretches that are looked for one by one before all is given up.  */
#define CULPRITS 16

/* S contradicts itself without the halt: lose what does.  False: no memory.  */
static bool
narrow (struct tb_state *s, struct tb_diag *diag)
{
  static const char code[]
    = "The code in the snapshot contradicts the trace: expected instructions "
      "that can take the traced path.";
  static const char hint[]
    = "The trace contradicts itself: what is loaded is not what was stored.  "
      "If others write RAM (DMA, a debugger) --volatile=LIST can say where; "
      "else the code in the snapshot is not what ran.";
  uint64_t base, steps, lost;
  bool ram;
  window (s, &base, &steps);
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
      if (!apply (s) || !solve_stkalign (s))
	return false;
    }
  if (s->graph.conflict)
    {
      tb_warning (diag, "%s  No register or memory is worked out.",
		  ram ? hint : code);
      return give_up (s);
    }
  say_lost (&s->trust, diag, ram ? hint : code);
  return true;
}

bool
tb_state_try_start (struct tb_state *s, struct tb_diag *diag)
{
  unsigned start = s->start;
  if (!s->graph.conflict || start == 0)
    return true;
  set_start (s, 0);
  if (!solve_stkalign (s))
    return false;
  if (!s->graph.conflict)
    {
      tb_warning (diag, "What is said of the start of the trace (--start) "
		  "contradicts the rest of it or the halt.  It is not used.");
      return true;
    }
  /* It need not be that.  */
  set_start (s, start);
  return solve_stkalign (s);
}

/* If there is a contradiction because of the FP registers at the halt, which a
   debugger may not have been able to read, these are not used.  False: no memory.  */
static bool
try_without_vectors (struct tb_state *s, struct tb_diag *diag)
{
  struct tb_vector at_halt[TB_NVECTORS];
  bool any = false;
  for (unsigned i = 0; i < TB_NVECTORS; i++)
    any |= s->vectors_at_halt[i].half[0].mask != 0;
  if (!s->graph.conflict || !any || s->halt != TB_HALT_USED)
    return true;
  memcpy (at_halt, s->vectors_at_halt, sizeof at_halt);
  memset (s->vectors_at_halt, 0, sizeof at_halt);
  if (!solve_stkalign (s))
    return false;
  if (!s->graph.conflict)
    {
      tb_warning (diag, "The FP registers at the halt contradict the trace: "
		  "expected a state that the traced instructions can lead to.  "
		  "They are not used.");
      return true;
    }
  memcpy (s->vectors_at_halt, at_halt, sizeof at_halt);
  return solve_stkalign (s);
}

bool
tb_state_find_end (struct tb_state *s)
{
  if (s->graph.conflict || s->halt != TB_HALT_ELSEWHERE || !tb_state_ends_at_halt (s))
    return true;
  s->halt = TB_HALT_USED;
  return s->worked ? tb_state_solve (s, 0, 0) : solve_stkalign (s);
}

bool
tb_state_doubt_log (struct tb_state *s, struct tb_state *home)
{
  if (home->options.stated != TB_STATED_NONE)
    home->options.stated++;
  s->options.stated = home->options.stated;
  home->stated_fault.found = false;
  bool lines = home->options.stated == TB_STATED_NONE;
  if (s->a64 != NULL)
    tb_a64_find_fault (s->a64, lines, &home->stated_fault);
  else
    tb_stated_find_fault (s, lines, &home->stated_fault);
  if (home->options.stated == TB_STATED_NONE)
    return give_up (s);
  if (home->a64 == NULL)
    return tb_state_reload (home);
  tb_a64_rely_on_lines (home->a64);
  return true;
}

void
tb_state_say_doubt (const struct tb_state *home, struct tb_diag *diag)
{
  const struct tb_stated_fault *f = &home->stated_fault;
  size_t count;
  const struct tb_reg_info *regs = tb_regs (home->profile, &count);
  char where[160] = "";
  if (f->found)
    snprintf (where, sizeof where, "  Behind step %" PRIu64 ": %s is 0x%"
	      PRIx64 " by the log, 0x%" PRIx64 " by the instruction.", f->step,
	      f->name != NULL ? f->name : regs[f->reg].name, f->told, f->made);
  if (home->options.stated == TB_STATED_NONE)
    tb_warning (diag, "The log contradicts what its instructions do.%s  What its "
		"lines tell is shown up to the next write, nothing more is worked out.", where);
  else
    tb_warning (diag, "The log has no lines for registers that its instructions "
		"change.%s  Only what its lines tell, and what follows from that, "
		"is known.", where);
}

/* The log contradicts itself: rely on less of it.  False: no memory.  */
static bool
solve_doubted (struct tb_state *s, struct tb_diag *diag)
{
  struct tb_diag silent = { 0 };
  if (!tb_state_doubt_log (s, s)
      || (s->options.stated != TB_STATED_NONE
	  && !tb_state_solve_sound (s, &silent)))
    return false;
  tb_state_say_doubt (s, diag);
  return true;
}

bool
tb_state_solve_sound (struct tb_state *s, struct tb_diag *diag)
{
  uint64_t lost;
  if (s->all_trust.count != 0 && tb_trust_lost (&s->all_trust, &lost) != 0)
    say_lost (&s->all_trust, diag, "The code in the snapshot is not what ran.");
  tb_state_find_start (s, diag);
  s->find_end = true;
  enum tb_halt untried = s->halt;
  bool device, ok = solve_stkalign (s);
  /* A device's dump is the first to be wrong.  */
  if (ok && s->graph.conflict)
    ok = tb_state_try_devices (s, solve_stkalign, untried, &device, diag);
  s->find_end = false;
  if (!ok || !tb_state_try_start (s, diag))
    return false;
  if (!tb_state_find_end (s) || !tb_state_try_start (s, diag))
    return false;
  if (!try_without_vectors (s, diag))
    return false;
  bool halt = s->graph.conflict && s->halt == TB_HALT_USED;
  if (halt)
    {
      size_t recoded = tb_state_recoded (s);
      s->halt = TB_HALT_CONTRADICTED;
      if (!solve_stkalign (s))
	return false;
      /* It need not have been the halt: other code ran than was thought.  */
      if (!s->graph.conflict && tb_state_recoded (s) != recoded)
	{
	  s->halt = TB_HALT_USED;
	  if (!solve_stkalign (s))
	    return false;
	  halt = s->graph.conflict;
	  if (halt)
	    s->halt = TB_HALT_CONTRADICTED;
	  if (halt && !solve_stkalign (s))
	    return false;
	}
    }
  if (s->graph.conflict && s->stated != NULL)
    {
      if (halt)
	s->halt = TB_HALT_USED;
      return solve_doubted (s, diag);
    }
  if (s->graph.conflict)
    {
      if (!narrow (s, diag))
	return false;
      /* It need not have been the halt.  */
      if (halt)
	{
	  s->halt = TB_HALT_USED;
	  if (!solve_stkalign (s))
	    return false;
	  halt = s->graph.conflict;
	  if (halt)
	    s->halt = TB_HALT_CONTRADICTED;
	  if (halt && !solve_stkalign (s))
	    return false;
	}
    }
  if (halt && tb_recording_steps (s->recording) == 0)
    tb_warning (diag, "The registers at the halt contradict each other: "
		"expected SP to be the stack pointer that xPSR and CONTROL "
		"say.  They are shown as they are.");
  else if (halt)
    tb_warning (diag, "The registers and memory at the halt contradict the "
		"trace: expected a state that the traced instructions can "
		"lead to.  They are not used.");
  return true;
}
