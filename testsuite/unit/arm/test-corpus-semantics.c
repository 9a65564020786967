/* Semantics against recorded runs: from the true state before any step, the
   instruction's micro-operations must give the true state before the next; and so
   must what they are compiled to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "arm/ir/forward.h"
#include "check.h"
#include "corpus.h"
#include "run-32.h"

struct run
{
  struct corpus_case *c;
  const struct tb_profile *profile;
  uint8_t it;			/* ITSTATE  */
  uint8_t saved_it[16];		/* Of what is interrupted.  */
  unsigned depth;
  uint32_t psr;			/* Behind the step before.  */
  uint32_t spsr[32];		/* A profile: of each mode.  */
  size_t write;			/* The next write that the truth tells.  */
  uint32_t step;
  unsigned bad;
  bool device;			/* A device was read: the value is not told. */
  bool compiled;		/* Run what is compiled.  */
  size_t ncompiled;
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct run *run = context;
  uint32_t value = 0;
  uint32_t in_flash = address - run->c->flash_base;
  if (address - run->c->ram_base <= run->c->ram_size - size)
    value = (uint32_t) corpus_number (run->c->ram + (address - run->c->ram_base), size);
  else if (in_flash <= run->c->flash_size - size)
    value = (uint32_t) corpus_number (run->c->flash + in_flash, size);
  else
    run->device = true;
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct run *run = context;
  const struct corpus_write *w = &run->c->writes[run->write];
  uint64_t mask = (UINT64_C (1) << 8 * size) - 1;
  if (run->write >= run->c->nwrites || w->index != run->step || w->kind != 0
      || w->address != address || w->size != size
      || (w->value & mask) != (value & mask))
    run->bad++;
  else
    run->write++;
  uint64_t bytes = value;
  corpus_apply (run->c, &(struct corpus_write) { .size = size, .value = bytes,
						 .address = address });
}

static void
set_places (uint32_t *p, const struct corpus_step *s, bool is_m)
{
  memset (p, 0, TB_PLACE_END * sizeof *p);
  memcpy (p, s->r, sizeof s->r);
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = s->psr >> (31 - i) & 1;
  p[TB_SLOT_Q] = s->psr >> 27 & 1;
  p[TB_SLOT_GE] = s->psr >> 16 & 15;
  if (!is_m)
    {
      p[TB_SLOT_MODE] = s->psr & 31;
      p[TB_SLOT_MASKS] = s->psr >> 6 & 7;
      return;
    }
  p[TB_SLOT_IPSR] = s->psr & 0x1ff;
  p[TB_SLOT_HANDLER] = p[TB_SLOT_IPSR] != 0;
}

/* Does step A lead to B as its micro-operations say?  */
static bool
step_right (struct run *run, const struct corpus_step *a,
	    const struct corpus_step *b)
{
  struct tb_semantics s;
  struct tb_semantics_result result;
  struct tb_forward_memory memory = { load, store, run };
  struct tb_semantics_effect effect;
  uint32_t p[TB_PLACE_END], want[TB_PLACE_END], before[TB_PLACE_END];
  bool is_m = run->profile->is_m;
  bool left = b == NULL || (b->flags & CORPUS_EXCEPTION)
	      || (is_m && a->flags & CORPUS_RETURN);
  bool is_a32 = !is_m && !(a->flags & CORPUS_THUMB);

  if (is_a32)
    tb_semantics_a32 (&s, a->opcode, a->pc, run->profile);
  else
    tb_semantics_t32_it (&s, a->opcode, a->length, a->pc,
			 tb_it_condition (run->it), run->profile);
  if (!s.modelled)
    return false;
  set_places (p, a, is_m);
  if (!is_m)
    p[TB_SLOT_SPSR] = run->spsr[a->psr & 31];
  memcpy (before, p, sizeof p);
  run->device = false;
  struct tb_forward_op ops[TB_FORWARD_MOST (TB_SEM_MAX)];
  if (run->compiled
      && tb_forward_compile (ops, s.uops, s.count, s.flags) != 0)
    {
      run->ncompiled++;
      struct tb_forward_result r;
      tb_forward_run (ops, p, &memory, &r);
      result = (struct tb_semantics_result) {
	.conditional = r.conditional, .taken = r.taken, .skipped = r.skipped,
	.indirect = r.indirect, .target = r.target
      };
    }
  else
    run_32 (&s, p, &memory, &result);
  if (result.conditional && result.taken != !!(a->flags & CORPUS_TAKEN))
    return false;
  if ((is_a32 ? a->opcode >> 28 < 14
       : tb_it_condition (run->it) != TB_IT_NONE)
      && result.skipped == !!(a->flags & CORPUS_PASSED))
    return false;
  tb_semantics_effect (s.uops, s.count, false, &effect);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (p[i] != before[i] && !(effect.may_write >> i & 1))
      return false;
  run->psr = a->psr & 0x060ffdff;
  for (unsigned i = 0; i < 5; i++)
    run->psr |= p[i < 4 ? TB_SLOT_N + i : TB_SLOT_Q] << (31 - i);
  if (s.flags & TB_SEM_RETURNS)
    run->psr = p[s.uops[s.count - 1].a];
  if (!is_m && !result.banked)
    run->spsr[a->psr & 31] = p[TB_SLOT_SPSR];
  /* Also where the instruction's condition failed.  */
  if (left)
    return true;
  if (result.conditional && !result.taken && b->pc != a->pc + a->length)
    return false;
  if (result.indirect && (result.target & ~UINT32_C (1)) != b->pc)
    return false;
  set_places (want, b, is_m);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (i != TB_SLOT_SP_OTHER && !(result.banked && i >= 8 && i <= 14)
	&& (i <= TB_SLOT_V || i >= TB_SLOT_Q
	    || (!is_m && (i == TB_SLOT_MODE || i == TB_SLOT_MASKS)))
	&& p[i] != want[i] && !(run->device && effect.may_write >> i & 1))
      return false;
  return true;
}

/* ITSTATE before step S: an exception saves it.  */
static void
follow_it (struct run *run, const struct corpus_step *s, bool returned)
{
  if (returned && run->depth != 0)
    run->it = run->saved_it[--run->depth];
  if (!(s->flags & CORPUS_EXCEPTION))
    return;
  run->spsr[s->psr & 31] = run->psr;
  if (CHECK (run->depth < sizeof run->saved_it))
    run->saved_it[run->depth++] = run->it;
  run->it = 0;
}

static void
run_with (const char *name, const char *type, bool compiled)
{
  struct corpus_case c;
  struct tb_profile profile;
  if (!CHECK (corpus_open (&c, name))
      || !CHECK (tb_profile_find (&profile, type)))
    return;
  struct run run = { .c = &c, .profile = &profile, .compiled = compiled };
  unsigned wrong = 0;
  for (size_t i = 0; i < c.nsteps; i++)
    {
      while (run.write < c.nwrites
	     && (c.writes[run.write].index < i
		 || (c.writes[run.write].index == i
		     && c.writes[run.write].kind == 1)))
	corpus_apply (&c, &c.writes[run.write++]);
      run.step = (uint32_t) i;
      run.bad = 0;
      follow_it (&run, &c.steps[i],
		 i > 0 && c.steps[i - 1].flags & CORPUS_RETURN);
      if (!step_right (&run, &c.steps[i],
		       i + 1 < c.nsteps ? &c.steps[i + 1] : NULL)
	  || run.bad != 0)
	{
	  if (wrong++ < 5)
	    fprintf (stderr, "%s: step %zu, %#x at %#x\n", name, i,
		     c.steps[i].opcode, c.steps[i].pc);
	}
      if (profile.is_m || c.steps[i].flags & CORPUS_THUMB)
	run.it = tb_it_next (run.it, c.steps[i].opcode, c.steps[i].length);
    }
  CHECK_INT (wrong, 0);
  CHECK (c.nsteps > 100);
  CHECK (!compiled || run.ncompiled > c.nsteps - c.nsteps / 20);
  corpus_close (&c);
}

static void
run_case (const char *name, const char *type)
{
  run_with (name, type, false);
  run_with (name, type, true);
}

int
main (void)
{
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  run_case ("p01-mtb-m0-irq-1k", "Cortex-M0+");
  run_case ("p02-mtb-m0-sort-4k", "Cortex-M0+");
  run_case ("p03-mtb-m0-list-256", "Cortex-M0+");
  run_case ("p06-mtb-m0-fmt-ram", "Cortex-M0+");
  run_case ("p27-tarmac-m0-crc", "Cortex-M0");
  run_case ("p04-mtb-m33-fsm-2k", "Cortex-M33");
  run_case ("p05-mtb-m33-irq-16k", "Cortex-M33");
  run_case ("p07-mtb-m33-sort-64k", "Cortex-M33");
  run_case ("p08-etm4-m33-irq", "Cortex-M33");
  run_case ("p09-etm4-m33-fmt-rs", "Cortex-M33");
  run_case ("p10-etm4-m7-irq", "Cortex-M7");
  run_case ("p15-etm4-m33-list-gap", "Cortex-M33");
  run_case ("p19-etm3-m3-fsm", "Cortex-M3");
  run_case ("p20-etm3-m3-irq-ts", "Cortex-M3");
  run_case ("p21-etm3-m4-irq-bb", "Cortex-M4");
  run_case ("p26-tarmac-m3-irq", "Cortex-M3");
  run_case ("p31-etm3-m3-sort-long", "Cortex-M3");
  run_case ("p17-etm4-a53t-irq", "Cortex-A53");
  run_case ("p22-etm3-a7-list", "Cortex-A7");
  run_case ("p23-ptm-a15-irq", "Cortex-A15");
  run_case ("p24-ptm-a15t-sort-rs", "Cortex-A15");
  run_case ("p25-ptm-a15-fmt-ca", "Cortex-A15");
  return check_done ();
}
