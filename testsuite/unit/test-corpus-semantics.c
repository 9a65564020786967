/* Semantics against recorded runs: from the true state before any step, the
   instruction's micro-operations must give the true state before the next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "arm/semantics.h"
#include "check.h"
#include "corpus.h"

struct run
{
  struct corpus_case *c;
  size_t write;			/* The next write that the truth tells.  */
  uint32_t step;
  unsigned bad;
  bool device;			/* A device was read: the value is not told. */
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct run *run = context;
  uint32_t value = 0;
  if (address - CORPUS_RAM_BASE <= run->c->ram_size - size)
    memcpy (&value, run->c->ram + (address - CORPUS_RAM_BASE), size);
  else if (address <= run->c->flash_size - size)
    memcpy (&value, run->c->flash + address, size);
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
set_places (uint32_t *p, const struct corpus_step *s)
{
  memset (p, 0, TB_NPLACES * sizeof *p);
  memcpy (p, s->r, sizeof s->r);
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = s->psr >> (31 - i) & 1;
  p[TB_SLOT_IPSR] = s->psr & 0x3f;
  p[TB_SLOT_HANDLER] = p[TB_SLOT_IPSR] != 0;
}

/* Does step A lead to B as its micro-operations say?  */
static bool
step_right (struct run *run, const struct corpus_step *a,
	    const struct corpus_step *b, const struct tb_profile *profile)
{
  struct tb_semantics s;
  struct tb_semantics_result result;
  struct tb_semantics_memory memory = { load, store, run };
  struct tb_semantics_effect effect;
  uint32_t p[TB_NPLACES], want[TB_NPLACES], before[TB_NPLACES];
  bool left = b == NULL || (b->flags & CORPUS_EXCEPTION)
	      || (a->flags & CORPUS_RETURN);

  tb_semantics_t32 (&s, a->opcode, a->length, a->pc, profile);
  if (!s.modelled)
    return false;
  set_places (p, a);
  memcpy (before, p, sizeof p);
  run->device = false;
  tb_semantics_run (&s, p, &memory, &result);
  if (result.conditional && result.taken != !!(a->flags & CORPUS_TAKEN))
    return false;
  tb_semantics_effect (s.uops, s.count, &effect);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (p[i] != before[i] && !(effect.may_write >> i & 1))
      return false;
  if (left)
    return true;
  if (result.indirect && (result.target & ~UINT32_C (1)) != b->pc)
    return false;
  set_places (want, b);
  for (unsigned i = 0; i <= TB_SLOT_V; i++)
    if (i != TB_SLOT_SP_OTHER && p[i] != want[i]
	&& !(run->device && effect.writes >> i & 1))
      return false;
  return true;
}

static void
run_case (const char *name, const char *type)
{
  struct corpus_case c;
  struct tb_profile profile = { .arch = TB_ARCH_V6M, .is_m = true,
				.name = type };
  if (!CHECK (corpus_open (&c, name)))
    return;
  struct run run = { .c = &c };
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
      if (!step_right (&run, &c.steps[i],
		       i + 1 < c.nsteps ? &c.steps[i + 1] : NULL, &profile)
	  || run.bad != 0)
	{
	  if (wrong++ < 5)
	    fprintf (stderr, "%s: step %zu, %#x at %#x\n", name, i,
		     c.steps[i].opcode, c.steps[i].pc);
	}
    }
  CHECK_INT (wrong, 0);
  CHECK (c.nsteps > 100);
  corpus_close (&c);
}

int
main (void)
{
  if (getenv ("TB_SHARED") == NULL)
    return 77;
  run_case ("p01-mtb-m0-irq-1k", "Cortex-M0+");
  run_case ("p02-mtb-m0-sort-4k", "Cortex-M0+");
  run_case ("p03-mtb-m0-list-256", "Cortex-M0+");
  run_case ("p06-mtb-m0-fmt-ram", "Cortex-M0+");
  run_case ("p27-tarmac-m0-crc", "Cortex-M0");
  return check_done ();
}
