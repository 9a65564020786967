/* Semantics of A64 against recorded runs: from the true state before any step,
   the instruction's micro-operations must give the true state before the next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "arm/semantics-a64.h"
#include "check.h"
#include "corpus.h"

struct step64
{
  uint64_t pc;
  uint32_t opcode;
  uint8_t length, flags;
  uint16_t exception;
  uint64_t x[32];		/* SP is the last.  */
  uint32_t pstate, index;
};

struct write64
{
  uint32_t index;
  uint8_t size, kind;
  uint16_t zero;
  uint64_t address, value;
};

/* A case: its RAM and flash as the core saw them.  */
struct run
{
  struct step64 *steps;
  size_t nsteps;
  struct write64 *writes;
  size_t nwrites, write;
  uint8_t *ram, *flash;
  size_t ram_size, flash_size;
  uint64_t ram_base, flash_base;
  uint32_t step;
  unsigned bad;
  bool device;
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct run *run = context;
  uint64_t value = 0;
  if (address - run->ram_base <= run->ram_size - size)
    memcpy (&value, run->ram + (address - run->ram_base), size);
  else if (address - run->flash_base <= run->flash_size - size)
    memcpy (&value, run->flash + (address - run->flash_base), size);
  else
    run->device = true;
  return value;
}

static void
apply (struct run *run, uint64_t address, unsigned size, uint64_t value)
{
  if (address - run->ram_base <= run->ram_size - size)
    memcpy (run->ram + (address - run->ram_base), &value, size);
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  struct run *run = context;
  const struct write64 *w = &run->writes[run->write];
  uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * size) - 1;
  bool told = run->write < run->nwrites && w->index == run->step
	      && w->kind == 0;
  if (told && w->address == address && w->size == size
      && (!certain || (w->value & mask) == (value & mask)))
    value = w->value, run->write++;
  else
    run->bad++;
  apply (run, address, size, value);
}

static void
set_places (uint64_t *p, const struct step64 *s)
{
  memset (p, 0, TB_A64_NPLACES * sizeof *p);
  memcpy (p, s->x, sizeof s->x);
  for (unsigned i = 0; i < 4; i++)
    p[TB_A64_N + i] = s->pstate >> (31 - i) & 1;
  p[TB_A64_SPSEL] = s->pstate & 1;
}

static bool
step_right (struct run *run, const struct step64 *a, const struct step64 *b)
{
  struct tb_semantics_64 s;
  struct tb_semantics_result_64 result;
  struct tb_semantics_memory_64 memory = { load, store, run };
  uint64_t p[TB_A64_NPLACES], want[TB_A64_NPLACES];

  tb_semantics_a64 (&s, a->opcode, a->pc);
  if (!s.modelled)
    return false;
  set_places (p, a);
  run->device = false;
  tb_semantics_run_64 (&s, p, &memory, &result);
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
run_case (const char *name, unsigned source, uint64_t flash_base,
	  uint64_t ram_base)
{
  char directory[512], file[4][64];
  const char *shared = getenv ("TB_SHARED");
  static const char *const names[4] = { "truth.bin.xz", "truth-mem.bin.xz",
					"truth-ram0.bin.xz", "flash.bin" };
  struct run run = { .flash_base = flash_base, .ram_base = ram_base };
  unsigned wrong = 0;

  snprintf (directory, sizeof directory, "%s/corpus/cases/%s", shared, name);
  for (unsigned i = 0; i < 4; i++)
    if (source == UINT32_MAX)
      snprintf (file[i], sizeof file[i], "%s", names[i]);
    else
      snprintf (file[i], sizeof file[i], "c%u_%s", source, names[i]);
  run.steps = corpus_records (directory, file[0], sizeof *run.steps,
			      &run.nsteps);
  run.writes = corpus_records (directory, file[1], sizeof *run.writes,
			       &run.nwrites);
  run.ram = corpus_file (directory, file[2], &run.ram_size);
  run.flash = corpus_file (directory, file[3], &run.flash_size);
  if (CHECK (run.steps != NULL && run.writes != NULL && run.ram != NULL
	     && run.flash != NULL))
    {
      for (size_t i = 0; i < run.nsteps; i++)
	{
	  while (run.write < run.nwrites && run.writes[run.write].index < i)
	    {
	      const struct write64 *w = &run.writes[run.write++];
	      apply (&run, w->address, w->size, w->value);
	    }
	  run.step = (uint32_t) i;
	  run.bad = 0;
	  if ((!step_right (&run, &run.steps[i],
			    i + 1 < run.nsteps ? &run.steps[i + 1] : NULL)
	       || run.bad != 0)
	      && wrong++ < 5)
	    fprintf (stderr, "%s: step %zu, %#x at %#" PRIx64 "\n", name, i,
		     run.steps[i].opcode, run.steps[i].pc);
	}
      CHECK_INT (wrong, 0);
      CHECK (run.nsteps > 1000);
    }
  free (run.steps);
  free (run.writes);
  free (run.ram);
  free (run.flash);
}

int
main (void)
{
  enum { ALONE = UINT32_MAX };
  if (getenv ("TB_SHARED") == NULL)
    return 77;
  run_case ("p11-etm4-a57-sort", ALONE, 0x40010000, 0x40020000);
  run_case ("p12-etm4-a57-irq-cc", ALONE, 0x40010000, 0x40020000);
  run_case ("p13-etm4-a57-list-cut", ALONE, 0x40010000, 0x40020000);
  run_case ("p14-etm4-a57-fsm-ovf", ALONE, 0x40010000, 0x40020000);
  run_case ("p16-etm4-a57-irq-halt", ALONE, 0x40010000, 0x40020000);
  run_case ("p18-etm4-a57-sort-spec", ALONE, 0x40010000, 0x40020000);
  run_case ("p28-multi-a57x2-itm", 0, 0x40010000, 0x40020000);
  run_case ("p28-multi-a57x2-itm", 1, 0x40010000, 0x40020000);
  run_case ("p29-etm4-a57-irq-el0", ALONE, 0x40010000, 0x40020000);
  run_case ("p30-etm4-a57-list-high", ALONE, 0x140010000, 0x140020000);
  return check_done ();
}
