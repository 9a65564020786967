/* What the flow of a recorded run of tasks and its halt cannot tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: state-bound FOLDER [OBJECT...]

   FOLDER is a run of the kernel in ../kernels, of a core without floating point.  Printed is a
   line for each step of the trace: a mask of the registers before it (r0 to r12, sp, lr; bit 15:
   a flag) that nobody can know of this trace and halt.  The proof is another run, a twin: it
   begins with another value in one register, or in one word of RAM, where the trace begins, or
   in a register that the architecture leaves UNKNOWN where a handler begins (DDI 0403, B1.5.6);
   it takes the same branches to the same targets, does the same to devices, and ends with the
   registers and the RAM of the halt.  Where it differs nothing tells the two apart.  What RAM
   held before the trace is free: the twin finds there what the truth loads then, or what the
   dump has.

   An OBJECT, FIRST-END,FIRST-END in hexadecimal, is where a task's record and its stack are: its
   twins have other such tasks before it, which lie in RAM that the dump does not have (ghosts.h),
   and other values there, too: nobody sees them in the end.

   Runs that cannot be followed for certain prove nothing, so what is not in a mask
   may be known or not.  */

#include "config.h"

#include <inttypes.h>

#include "generator/twin.h"

#define STACKS (TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER))
#define FLAG 15

/* What is added to, or is other in, what a twin begins with.  */
static const uint32_t more[] = {
  8, (uint32_t) -8, 64, (uint32_t) -64, 1, UINT32_MAX, 4, 0x12345678
};
static const uint32_t other[] = { 1, 2, 0x10, 0x100, 0x10000, 0x80000000 };
#define NMORE (sizeof more / sizeof more[0])
#define VALUES (NMORE + sizeof other / sizeof other[0])

/* Of each step: places that twins have otherwise.  */
static uint32_t *unknowable;

static uint32_t
changed (uint32_t value, size_t k)
{
  return k < NMORE ? value + more[k] : value ^ other[k - NMORE];
}

static void
note (struct twin *t, size_t first)
{
  size_t end = first;
  if (twin_try (t, first, &end))
    for (size_t i = first; i < end; i++)
      unknowable[i] |= t->b->differing[i];
}

/* Begin with other values in the PLACES before step FIRST; TRUTH is RAM there.  */
static void
try_places (struct twin *t, size_t first, uint32_t places, const uint8_t *truth)
{
  for (unsigned place = 0; place < TB_NSLOTS; place++)
    {
      bool flag = place >= TB_SLOT_N && place <= TB_SLOT_V;
      for (size_t k = 0; k < (flag ? 1 : VALUES) && places >> place & 1; k++)
	{
	  twin_begin (t, truth, &t->b->steps[first]);
	  uint32_t value = flag ? t->p[place] ^ 1 : changed (t->p[place], k);
	  if (STACKS >> place & 1 && (value & 3) != 0)
	    continue;
	  t->p[place] = value;
	  note (t, first);
	}
    }
}

/* Begin with other values in what is loaded from RAM that the trace has not stored to.  */
static void
try_memory (struct twin *t, size_t first, const uint8_t *truth)
{
  struct twin_run *b = t->b;
  uint8_t *seen = calloc (b->run.c.ram_size, 1);
  for (size_t i = b->steps[first].first; i < b->naccesses && seen != NULL; i++)
    {
      const struct case_access *a = &b->accesses[i];
      size_t at;
      bool fresh = twin_in_ram (b, a->address, a->size, &at) && !a->is_store && a->known;
      for (unsigned k = 0; k < a->size && fresh; k++)
	fresh = !seen[at + k];
      for (size_t k = 0; k < VALUES && fresh; k++)
	{
	  uint32_t value = changed (a->value, k);
	  twin_begin (t, truth, &b->steps[first]);
	  for (unsigned j = 0; j < a->size; j++)
	    twin_put (&t->m, at + j, (uint8_t) (value >> 8 * j));
	  if (t->m.differ != 0)
	    note (t, first);
	}
      if (twin_in_ram (b, a->address, a->size, &at))
	memset (seen + at, 1, a->size);
    }
  free (seen);
}

/* Read what lies at ADDRESS in the truth's RAM.  */
static void
read_frame (const struct twin_run *b, uint32_t address, uint32_t *frame)
{
  for (unsigned i = 0; i < FRAME_WORDS; i++)
    case_read (&b->run, address + 4 * i, 4, &frame[i]);
}

/* AT returns from an exception to before NEXT, or to what another exception interrupts there; P is
   behind AT.  Read what it takes.  */
static void
read_taken (const struct twin_run *b, struct twin_step *at, const struct corpus_step *next,
	    const uint32_t *p)
{
  bool enters = next->flags & CORPUS_EXCEPTION;
  read_frame (b, p[next->psr & 511 && !enters ? TB_SLOT_SP : TB_SLOT_SP_OTHER], at->frame);
  if (enters && (at->frame[FRAME_PSR] & 511) != 0)
    read_frame (b, p[TB_SLOT_SP], at->frame);
}

/* What comes between AT, behind which P is, and NEXT; what an exception saves there is read.  */
static enum passage
find_passage (const struct twin_run *b, struct twin_step *at, const struct corpus_step *next,
	      const uint32_t *p)
{
  bool returns = at->s->flags & CORPUS_RETURN;
  if (!(next->flags & CORPUS_EXCEPTION))
    return returns ? RETURNS : PLAIN;
  if (!returns && at->s->psr & 511 && next->r[13] >= p[TB_SLOT_SP])
    return CHAINS;
  uint32_t to = next->r[13];
  if ((next->r[14] & 4) != 0)
    to = p[p[TB_SLOT_SPSEL] ? TB_SLOT_SP : TB_SLOT_SP_OTHER] - 4 * FRAME_WORDS;
  read_frame (b, to & ~UINT32_C (7), returns ? at->left : at->frame);
  return returns ? RETURNS_AND_ENTERS : ENTERS;
}

/* Put the registers of S into its places P.  */
static void
take_registers (const struct corpus_step *s, uint32_t *p)
{
  memcpy (p, s->r, sizeof s->r);
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = s->psr >> (31 - i) & 1;
  p[TB_SLOT_IPSR] = s->psr & 511;
  p[TB_SLOT_HANDLER] = (s->psr & 511) != 0;
  if (p[TB_SLOT_HANDLER])
    p[TB_SLOT_SPSEL] = 0;
}

/* LAST leads to S.  The truth T, behind LAST, goes there as twins do; where what that gives is
   not what it has nobody is to go there.  */
static void
join (struct twin *t, struct twin_step *last, const struct corpus_step *s)
{
  struct twin_step pair[2];
  last->passage = find_passage (t->b, last, s, t->p);
  pair[0] = *last;
  pair[1].s = s;
  memcpy (pair[1].before, t->p, sizeof pair[1].before);
  take_registers (s, pair[1].before);
  memset (t->m.set, 0, t->b->run.c.ram_size);
  t->fails = false;
  twin_pass (t, pair);
  uint32_t wrong = twin_difference (t->p, pair[1].before) & ~TB_SLOT_BIT (TB_SLOT_SP_OTHER);
  if (last->passage == PLAIN)
    last->followed &= wrong == 0;
  else if (wrong != 0 || t->fails || t->p[TB_SLOT_HANDLER] != pair[1].before[TB_SLOT_HANDLER])
    last->passage = OPAQUE;
}

/* Note the accesses of AT, step NUMBER.  False: no memory.  */
static bool
note_accesses (struct twin_run *b, struct twin_step *at, size_t number)
{
  struct case_run *run = &b->run;
  run->step = (uint32_t) number;
  case_find_accesses (run, at->s, number + 1 < run->c.nsteps ? at->s + 1 : NULL);
  if (b->accesses == NULL || b->naccesses + run->naccesses > b->room)
    {
      b->room = 2 * b->room + CASE_ACCESSES_MOST;
      b->accesses = realloc (b->accesses, b->room * sizeof *b->accesses);
    }
  if (b->accesses == NULL)
    return false;
  at->first = b->naccesses;
  at->count = run->naccesses;
  memcpy (b->accesses + b->naccesses, run->accesses, run->naccesses * sizeof *b->accesses);
  b->naccesses += run->naccesses;
  return true;
}

/* Find what AT, step NUMBER of the truth, does, and let the truth T, which is before it, do it.  */
static bool
read_step (struct twin *t, struct twin_step *at, size_t number)
{
  struct tb_semantics_result result;
  struct tb_semantics_effect effect;
  const struct corpus_step *s = at->s;
  uint8_t it = (uint8_t) ((s->psr >> 8 & 0xfc) | (s->psr >> 25 & 3));
  take_registers (s, t->p);
  memcpy (at->before, t->p, sizeof at->before);
  tb_semantics_t32_it (&at->semantics, s->opcode, s->length, s->pc, tb_it_condition (it),
		       &t->b->run.profile);
  at->followed = at->semantics.modelled;
  at->touches = UINT32_MAX;
  if (!note_accesses (t->b, at, number))
    return false;
  if (!at->followed)
    return true;
  tb_semantics_effect (at->semantics.uops, at->semantics.count, false, &effect);
  at->touches = (uint32_t) (effect.reads | effect.may_write | effect.writes);
  twin_run_truth (t, at, t->p, &result);
  at->count = t->done;
  return true;
}

/* Find the words that the trace stores to.  False: no memory.  */
static bool
find_written (struct twin_run *b)
{
  size_t at;
  b->written = calloc (b->run.c.ram_size / 4 + 1, sizeof *b->written);
  for (size_t i = 0; i < b->naccesses && b->written != NULL; i++)
    {
      const struct case_access *a = &b->accesses[i];
      if (a->is_store && twin_in_ram (b, a->address, a->size, &at))
	b->written[at / 4] = true;
    }
  return b->written != NULL;
}

/* Apply the truth's writes before step INDEX, and those of its exception if STACKED.  */
static void
apply_writes (struct case_run *run, size_t index, bool stacked)
{
  struct corpus_case *c = &run->c;
  for (; run->write < c->nwrites; run->write++)
    {
      const struct corpus_write *w = &c->writes[run->write];
      if (w->index > index || (w->index == index && !(stacked && w->kind == 1)))
	return;
      corpus_apply (c, w);
    }
}

/* Find what the steps from FIRST on do; RAM becomes what it is before them.  False: no memory.  */
static bool
read_steps (struct twin_run *b, size_t first, uint8_t *ram)
{
  struct corpus_case *c = &b->run.c;
  struct twin t;
  bool ok = twin_open (&t, b);
  /* The stack of handlers is where the first one that interrupts a thread finds it.  */
  for (size_t i = c->nsteps; i-- > first;)
    if (c->steps[i].flags & CORPUS_EXCEPTION && (c->steps[i].r[14] & 15) == 13)
      t.p[TB_SLOT_SP_OTHER] = c->steps[i].r[13];
  t.p[TB_SLOT_SPSEL] = 1;
  for (size_t i = first; i < c->nsteps && ok; i++)
    {
      struct twin_step *at = &b->steps[b->nsteps];
      at->s = &c->steps[i];
      apply_writes (&b->run, i, false);
      if (i > first && at[-1].s->flags & CORPUS_RETURN)
	read_taken (b, at - 1, at->s, t.p);
      apply_writes (&b->run, i, true);
      if (i == first)
	memcpy (ram, c->ram, c->ram_size);
      else
	join (&t, at - 1, at->s);
      ok = read_step (&t, at, i);
      b->nsteps++;
    }
  twin_close (&t);
  return ok;
}

/* The truth, run as a twin with all of its RAM, must end as it ended, but for what the last step
   stores.  */
static bool
is_sound (struct twin *t, const uint8_t *ram)
{
  const struct corpus_case *c = &t->b->run.c;
  size_t differ = 0, i = 0;
  twin_begin (t, ram, &t->b->steps[0]);
  for (size_t k = 0; k < c->ram_size; k++)
    twin_put (&t->m, k, ram[k]);
  while (i + 1 < t->b->nsteps && twin_go (t, &t->b->steps[i])
	 && twin_difference (t->p, t->b->steps[i + 1].before) == 0)
    i++;
  for (size_t k = 0; k < c->ram_size && k < c->halt_size; k++)
    differ += t->m.has[k] != c->halt_ram[k];
  if (i + 1 == t->b->nsteps && differ <= 8)
    return true;
  fprintf (stderr, "state-bound: the run itself cannot be followed: step %zu of %zu, pc 0x%x, "
	   "passage %d, %zu bytes differ\n", i, t->b->nsteps, (unsigned) t->b->steps[i].s->pc,
	   (int) t->b->steps[i].passage, differ);
  return false;
}

/* Try all that may have been otherwise.  */
static void
try_all (struct twin *t, uint8_t *ram)
{
  struct twin_run *b = t->b;
  try_places (t, 0, TWIN_PLACES, ram);
  try_memory (t, 0, ram);
  for (size_t i = 0; i + 1 < b->nsteps; i++)
    {
      const struct twin_step *at = &b->steps[i];
      twin_begin (t, ram, at);
      twin_pass_truth (t, at);
      memcpy (ram, t->m.truth, b->run.c.ram_size);
      if (at->passage != PLAIN && at->passage != RETURNS && at->passage != OPAQUE)
	try_places (t, i + 1, TWIN_LOST_BY_ENTRY, ram);
    }
}

/* Run T, with COUNT ghosts, from the first step on; TRUTH is RAM there.  Does nothing tell it from
   the truth?  */
static bool
haunt (struct twin *t, unsigned count, const uint8_t *truth)
{
  size_t end = 0;
  twin_begin (t, truth, &t->b->steps[0]);
  ghosts_begin (t->ghosts, count);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (TWIN_PLACES >> i & 1 && !(TB_SLOTS_NZCV >> i & 1))
      t->p[i] = ghosts_value (t->ghosts, t->p[i], 0);
  if (!twin_try (t, 0, &end))
    return false;
  for (size_t i = 0; i < end; i++)
    unknowable[i] |= t->b->differing[i];
  return true;
}

/* Begin with other values in what COUNT ghosts hold.  */
static void
try_looks (struct twin *t, unsigned count, const uint8_t *truth)
{
  struct ghosts *g = t->ghosts;
  size_t nlooks = g->nlooks;
  for (size_t i = 0; i < nlooks; i++)
    for (size_t k = 0; k < VALUES; k++)
      {
	g->change = i;
	g->as = changed (g->looks[i], k);
	haunt (t, count, truth);
      }
  g->change = SIZE_MAX;
}

/* OBJECT says where a task's record and its stack are.  Try twins with as many ghosts of it as
   there may be, and with other values in these.  */
static bool
try_ghosts (struct twin *t, const char *object, const uint8_t *truth)
{
  struct ghosts g;
  uint32_t record, record_end, stack, stack_end;
  char rest;
  if (sscanf (object, "%" SCNx32 "-%" SCNx32 ",%" SCNx32 "-%" SCNx32 "%c", &record, &record_end,
	      &stack, &stack_end, &rest) != 4
      || !ghosts_open (&g, record, record_end, stack, stack_end))
    {
      fprintf (stderr, "state-bound: no object: %s\n", object);
      return false;
    }
  t->ghosts = &g;
  /* So many are met where there is no end of them.  */
  haunt (t, GHOSTS_MOST, truth);
  unsigned count = g.now < GHOSTS_MOST ? g.now : GHOSTS_MOST - 1;
  while (count > 0 && !haunt (t, count, truth))
    count--;
  if (count > 0)
    try_looks (t, count, truth);
  t->ghosts = NULL;
  ghosts_close (&g);
  return true;
}

int
main (int argc, char **argv)
{
  static struct twin_run b;
  struct corpus_case *c = &b.run.c;
  struct twin t;
  size_t traced = 0;
  if (argc < 2)
    {
      fprintf (stderr, "usage: state-bound FOLDER [OBJECT...]\n");
      return 2;
    }
  if (!case_open (&b.run, argv[1]))
    {
      fprintf (stderr, "state-bound: no run in %s\n", argv[1]);
      return 1;
    }
  while (traced < c->nsteps && !(c->steps[traced].flags & CORPUS_IN_TRACE))
    traced++;
  /* What a handler has that the trace begins in is not looked at.  */
  size_t first = traced;
  while (first < c->nsteps && (c->steps[first].psr & 511) != 0)
    first++;
  uint8_t *ram = malloc (c->ram_size);
  b.steps = calloc (c->nsteps + 1, sizeof *b.steps);
  b.differing = calloc (c->nsteps + 1, sizeof *b.differing);
  unknowable = calloc (c->nsteps + 1, sizeof *unknowable);
  if (first == c->nsteps || ram == NULL || b.steps == NULL || b.differing == NULL
      || unknowable == NULL || !twin_open (&t, &b) || !read_steps (&b, first, ram)
      || !find_written (&b) || !is_sound (&t, ram))
    return 1;
  for (int i = 2; i < argc; i++)
    if (!try_ghosts (&t, argv[i], ram))
      return 1;
  try_all (&t, ram);
  for (size_t i = 0; i < b.nsteps; i++)
    printf ("%zu %x\n", first - traced + i,
	    (unsigned) ((unknowable[i] & TWIN_REGISTERS)
			| (unsigned) ((unknowable[i] & TB_SLOTS_NZCV) != 0) << FLAG));
  twin_close (&t);
  free (unknowable);
  free (b.differing);
  free (b.written);
  free (b.accesses);
  free (b.steps);
  free (ram);
  corpus_close (c);
  return 0;
}
