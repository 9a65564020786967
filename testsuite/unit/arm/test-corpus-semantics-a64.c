/* Semantics of A64 against recorded runs: from the true state before any step,
   the instruction's micro-operations must give the true state before the next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "arm/ir/semantics-a64.h"
#include "check.h"
#include "corpus-a64.h"

/* A case, and where in it we are.  */
struct run
{
  struct corpus_case_64 c;
  size_t write;
  uint32_t step;
  unsigned bad;
  bool device;
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct run *run = context;
  uint64_t value = 0;
  if (address - run->c.ram_base <= run->c.ram_size - size)
    value = corpus_number (run->c.ram + (address - run->c.ram_base), size);
  else if (address - run->c.flash_base <= run->c.flash_size - size)
    value = corpus_number (run->c.flash + (address - run->c.flash_base), size);
  else
    run->device = true;
  return value;
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  struct run *run = context;
  const struct corpus_write_64 *w = &run->c.writes[run->write];
  uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * size) - 1;
  bool told = run->write < run->c.nwrites && w->index == run->step
	      && w->kind == 0;
  if (told && w->address == address && w->size == size
      && (!certain || (w->value & mask) == (value & mask)))
    value = w->value, run->write++;
  else
    run->bad++;
  corpus_store_64 (&run->c, address, size, value);
}

static void
set_places (uint64_t *p, const struct corpus_step_64 *s)
{
  memset (p, 0, TB_A64_END * sizeof *p);
  memcpy (p, s->x, sizeof s->x);
  for (unsigned i = 0; i < 4; i++)
    p[TB_A64_N + i] = s->pstate >> (31 - i) & 1;
  p[TB_A64_SPSEL] = s->pstate & 1;
}

static bool
step_right (struct run *run, const struct corpus_step_64 *a, const struct corpus_step_64 *b)
{
  struct tb_semantics s;
  struct tb_semantics_result result;
  struct tb_semantics_memory memory = { load, store, run };
  uint64_t p[TB_A64_END], want[TB_A64_END];

  tb_semantics_a64 (&s, a->opcode, a->pc, 0);
  if (!s.modelled)
    return false;
  set_places (p, a);
  run->device = false;
  tb_semantics_run (&s, p, &memory, &result);
  if (result.conditional && result.taken != !!(a->flags & CORPUS_TAKEN))
    return false;
  if (b == NULL || b->flags & CORPUS_EXCEPTION || result.leaves)
    return true;
  if (result.indirect && result.target != b->pc)
    return false;
  set_places (want, b);
  for (unsigned i = 0; i <= TB_A64_V; i++)
    if (p[i] != want[i] && !(result.unknown >> i & 1)
	&& !(run->device && i == (a->opcode & 31)))
      return false;
  return true;
}

static void
run_case (const struct corpus_name_64 *which)
{
  struct run run = { .step = 0 };
  unsigned wrong = 0;

  if (CHECK (corpus_open_64 (&run.c, which)))
    {
      for (size_t i = 0; i < run.c.nsteps; i++)
	{
	  const struct corpus_step_64 *step = &run.c.steps[i];
	  while (run.write < run.c.nwrites && run.c.writes[run.write].index < i)
	    {
	      const struct corpus_write_64 *w = &run.c.writes[run.write++];
	      corpus_store_64 (&run.c, w->address, w->size, w->value);
	    }
	  run.step = (uint32_t) i;
	  run.bad = 0;
	  if ((!step_right (&run, step, i + 1 < run.c.nsteps ? step + 1 : NULL)
	       || run.bad != 0)
	      && wrong++ < 5)
	    fprintf (stderr, "%s: step %zu, %#x at %#" PRIx64 "\n",
		     which->name, i, step->opcode, step->pc);
	}
      CHECK_INT (wrong, 0);
      CHECK (run.c.nsteps > 1000);
    }
  corpus_close_64 (&run.c);
}

int
main (void)
{
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < CORPUS_NAMES_64; i++)
    run_case (&corpus_names_64[i]);
  return check_done ();
}
