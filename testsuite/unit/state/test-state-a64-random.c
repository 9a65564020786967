/* State on random A64 programs: what is claimed must be what was, and a halt
   state that was tampered with must not be believed together with the steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "random-program-a64.h"
#include "rounds.h"

#define PROGRAMS 150

static uint32_t
flags (const uint64_t *p)
{
  return (uint32_t) (p[TB_A64_N] << 31 | p[TB_A64_Z] << 30
		     | p[TB_A64_C] << 29 | p[TB_A64_V] << 28);
}

static void
give_registers (struct world *w)
{
  static char names[31][4];
  for (unsigned i = 0; i < 31; i++)
    {
      snprintf (names[i], sizeof names[i], "X%u", i % 31);
      fake_reg (w->f, names[i], w->p[i]);
    }
  fake_reg (w->f, "SP", w->p[TB_A64_SP]);
  fake_reg (w->f, "CPSR", flags (w->p));
}

/* V0 to V5 (and D6, S7), FPCR and FPSR.  */
static void
give_vectors (struct world *w)
{
  static const char *const names[] = { "v0", "V1", "q2", "v3", "v4", "v5",
				       "d6", "s7" };
  static const uint8_t bits[] = { 128, 128, 128, 128, 128, 64, 64, 32 };
  for (unsigned i = 0; i < sizeof bits; i++)
    {
      fake_reg (w->f, names[i], w->p[TB_A64_LOW (i)]);
      struct tb_device_reg *r = &w->f->regs[w->f->core.nregs - 1];
      r->bits = bits[i];
      r->bytes = TARGET_BYTES (&w->p[TB_A64_LOW (i)], 16);
    }
  fake_reg (w->f, "fpcr", w->p[TB_A64_FPCR]);
  fake_reg (w->f, "fpsr", w->p[TB_A64_FPSR]);
}

/* The same of vector registers before step I.  */
static unsigned
compare_vectors (struct world *w, struct tb_state *state, uint64_t i,
		 unsigned *known)
{
  struct tb_vector v[TB_NVECTORS];
  unsigned wrong = 0;
  if (!tb_state_vectors (state, i, v))
    return 0;
  for (unsigned k = 0; k < TB_A64_NVECTOR; k++)
    {
      const struct tb_value *value = k < 64 ? &v[k / 2].half[k % 2]
				     : &v[TB_FPSCR + (k - 64)].half[0];
      wrong += value->bits != (w->truth_vectors[i][k] & value->mask);
      *known += value->mask == UINT64_MAX;
    }
  return wrong;
}

/* How many register values and bytes are claimed, and how many not as it
   was.  */
static unsigned
compare (struct world *w, struct tb_state *state, unsigned *known,
	 unsigned *known_vectors)
{
  unsigned wrong = 0;
  for (uint64_t i = 0; i <= w->steps; i++)
    {
      struct tb_value v[TB_NREGS_MAX];
      uint8_t bytes[8 * RAM_WORDS], origins[8 * RAM_WORDS];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r <= TB_SP64; r++)
	{
	  wrong += v[r].bits != (w->truth[i][r] & v[r].mask);
	  *known += v[r].mask == UINT64_MAX;
	}
      wrong += v[TB_PSTATE].bits
	       != (flags (w->truth[i]) & v[TB_PSTATE].mask);
      wrong += compare_vectors (w, state, i, known_vectors);
      tb_state_memory (state, i, FAKE_RAM, bytes, origins, sizeof bytes);
      for (unsigned b = 0; b < sizeof bytes; b++)
	if (origins[b] != TB_UNKNOWN)
	  {
	    wrong += bytes[b] != TARGET_LOAD (w->truth_ram[i], b, 1);
	    *known += 1;
	  }
    }
  return wrong;
}

/* As it was, with and without the halt state, in a window, and at a glance.  */
static void
test_true (unsigned programs)
{
  unsigned known[4] = { 0 }, vectors[4] = { 0 }, steps = 0;
  static struct world w;
  for (unsigned i = 0; i < programs; i++)
    for (unsigned how = 0; how < 4; how++)
      {
	seed = 1000 + i;
	make (&w);
	if (how != 1)
	  give_registers (&w);
	if (how != 1 && i % 2)
	  give_vectors (&w);
	if (how == 2)
	  {
	    w.f->options.window = 1 + random_number (100);
	    w.f->options.jobs = 2;
	  }
	if (how == 3)
	  {
	    w.f->options.glance = 1 + random_number (25);
	    w.f->options.window = 4 * w.f->options.glance + random_number (20);
	  }
	struct tb_state *state = fake_open (w.f);
	if (!CHECK (state != NULL))
	  return;
	tb_state_glance (state, how == 3);
	if (!CHECK_INT (w.f->diag.warnings, 0)
	    || !CHECK_INT (compare (&w, state, &known[how], &vectors[how]), 0))
	  fprintf (stderr, "program %u, %u\n", i, how);
	steps += (unsigned) w.steps;
	tb_state_close (state);
	fake_free (w.f);
      }
  const unsigned known_without = known[1] + known[2], vectors_with = vectors[0] + vectors[2];
  printf ("%u steps, %u known values, %u without the halt state or in a "
	  "window, %u of %u at a glance\n", steps, known[0], known_without, known[3],
	  known[2]);
  /* More may be known one day; less is a loss.  */
  CHECK (programs < PROGRAMS || known[0] >= 5666487);
  printf ("%u of vector registers, %u without the halt state\n", vectors_with,
	  vectors[1]);
  CHECK (programs < PROGRAMS || known_without >= 9168469);
  CHECK (programs < PROGRAMS || vectors_with >= 205639);
  CHECK (programs < PROGRAMS || vectors[1] >= 58872);
  CHECK (known[3] < known[2] && known[3] > known[2] / 4);
}

/* With one bit of a halt register turned over: either that is found out, or the
   register is what it was turned into at the end.  */
static void
test_tampered (unsigned programs)
{
  static struct world w;
  unsigned found = 0;
  for (unsigned i = 0; i < programs; i++)
    {
      struct tb_value v[TB_NREGS_MAX];
      seed = 5000 + i;
      make (&w);
      give_registers (&w);
      unsigned r = random_number (8);
      /* The PC is the first.  */
      w.f->regs[1 + r].value ^= UINT64_C (1) << random_number (64);
      struct tb_state *state = fake_open (w.f);
      if (!CHECK (state != NULL))
	return;
      tb_state_registers (state, w.steps, v);
      if (tb_state_halt (state) == TB_HALT_CONTRADICTED)
	{
	  unsigned known[2] = { 0, 0 };
	  found++;
	  CHECK_INT (compare (&w, state, &known[0], &known[1]), 0);
	}
      else
	CHECK (v[r].bits == w.f->regs[1 + r].value);
      tb_state_close (state);
      fake_free (w.f);
    }
  CHECK (found > 0 && found < programs);
}

int
main (void)
{
  const char *programs = getenv ("TB_RANDOM_PROGRAMS");
  test_true (programs != NULL ? (unsigned) atoi (programs) : rounds_of (PROGRAMS));
  test_tampered (rounds_of (60));
  return check_done ();
}
