/* State on random programs: what is claimed must be what was.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "random-program.h"
#include "rounds.h"

/* How many register values and bytes are claimed, and how many not as it
   was.  */
static unsigned
compare (struct world *w, struct tb_state *state, unsigned *known)
{
  unsigned wrong = 0;
  for (uint64_t i = 0; i <= w->steps; i++)
    {
      struct tb_value v[TB_NREGS_MAX];
      uint8_t bytes[4 * RAM_WORDS], origins[4 * RAM_WORDS];
      const uint32_t *t = w->truth[i];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r < 15; r++)
	{
	  wrong += v[r].bits != (t[r] & v[r].mask);
	  *known += v[r].mask == UINT32_MAX;
	}
      uint32_t psr = psr_of (t, w->truth_it[i]);
      wrong += v[TB_PSR].bits != (psr & v[TB_PSR].mask);
      uint32_t msp = t[t[TB_SLOT_SPSEL] ? TB_SLOT_SP_OTHER : TB_SLOT_SP];
      wrong += v[TB_MSP].bits != (msp & v[TB_MSP].mask);
      wrong += v[TB_CONTROL].bits
	       != (t[TB_SLOT_SPSEL] << 1 & v[TB_CONTROL].mask);
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

/* As it was, with and without the halt state, in a window, and at a glance: programs of KIND from
   number FIRST up to END.  More than LEAST values, and LEAST_WITHOUT without the halt
   state or in a window, may be known one day; less is a loss.  */
static void
test_true (const struct kind *kind, unsigned first, unsigned end, unsigned least,
	   unsigned least_without)
{
  unsigned known[4] = { 0 }, steps = 0, cut = 0;
  static struct world w;
  const unsigned programs = rounds_of (end - first);
  for (unsigned i = first; i < first + programs; i++)
    for (unsigned how = 0; how < 4; how++)
      {
	struct tb_extents changing = { 0 };
	seed = 1000 + i;
	make_kind (&w, kind);
	if (how != 1)
	  give_registers (&w);
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
	if (w.changing != 0)
	  tb_extents_add (&changing, FAKE_RAM + 4 * w.changing_first, 4 * w.changing);
	w.f->options.volatiles = &changing;
	struct tb_state *state = fake_open (w.f);
	if (!CHECK (state != NULL))
	  return;
	CHECK_INT (w.f->diag.warnings, 0);
	tb_state_glance (state, how == 3);
	if (!CHECK_INT (compare (&w, state, &known[how]), 0))
	  fprintf (stderr, "%s, %u changing: program %u, %u\n",
		   kind->arch == TB_ARCH_V6M ? "ARMv6-M" : "ARMv7-M", kind->changing,
		   i, how);
	steps += (unsigned) w.steps;
	cut += w.cut;
	tb_state_close (state);
	fake_free (w.f);
	tb_extents_fini (&changing);
      }
  const unsigned known_without = known[1] + known[2];
  printf ("%u steps, %u known values, %u without the halt state or in a "
	  "window, %u of %u at a glance, %u IT blocks interrupted\n", steps, known[0],
	  known_without, known[3], known[2], cut);
  CHECK (programs < end - first || known[0] >= least);
  CHECK (programs < end - first || known_without >= least_without);
  CHECK (known[3] < known[2] && known[3] > known[2] / 4);
  CHECK (kind->arch == TB_ARCH_V6M || cut >= programs);
}

/* In program 314 of those where memory changes, a store that hit seems cleared if loads
   of that memory are tied to stores.  */
static void
test_kinds (void)
{
  static const struct kind v6m = { .arch = TB_ARCH_V6M };
  static const struct kind v7m = { .arch = TB_ARCH_V7M };
  static const struct kind v6m_changing = { .arch = TB_ARCH_V6M, .changing = 8 };
  static const struct kind v7m_changing = { .arch = TB_ARCH_V7M, .changing = 8 };
  test_true (&v6m, 0, 300, 9505266, 11774402);
  test_true (&v7m, 0, 100, 1950000, 1830000);
  test_true (&v6m_changing, 250, 350, 2550000, 2957000);
  test_true (&v7m_changing, 0, 100, 1610000, 1660000);
}

/* Steps, events and registers that no core ever made: anything may come out, but
   the same whatever the order of the questions.  */
static void
test_nonsense (unsigned programs)
{
  static const enum tb_arch archs[] = { TB_ARCH_V6M, TB_ARCH_V8M_BASE,
					TB_ARCH_V7M, TB_ARCH_V8M_MAIN };
  static uint16_t flash[1024];
  static uint32_t ram[RAM_WORDS];
  unsigned found = 0;
  for (unsigned i = 0; i < programs; i++)
    {
      seed = 9000 + i;
      struct tb_recording *f = fake_new (archs[i % 4]);
      for (unsigned k = 0; k < 1024; k++)
	flash[k] = (uint16_t) random_number (0x10000);
      for (unsigned k = 0; k < RAM_WORDS; k++)
	ram[k] = random_number (UINT32_MAX);
      fake_dump (f, 0, flash, sizeof flash);
      fake_dump (f, FAKE_RAM, ram, sizeof ram);
      unsigned steps = random_number (300);
      for (unsigned k = 0; k < steps; k++)
	{
	  uint32_t pc = 2 * random_number (1023);
	  uint16_t half = flash[pc / 2];
	  if (random_number (20) == 0)
	    {
	      struct tb_event *e
		= fake_event (f, random_number (TB_EVENT_HALT + 1),
			      2 * random_number (1200));
	      e->flags = (uint8_t) random_number (32);
	      e->exception = (uint16_t) random_number (70);
	      if (random_number (2))
		e->value = 0xffffffe1u | random_number (32);
	    }
	  if (tb_t32_size (half) == 4)
	    fake_raw_step (f, pc, (uint32_t) half << 16 | flash[pc / 2 + 1],
			   4, random_number (2));
	  else
	    fake_raw_step (f, pc, half, random_number (50) ? 2 : 0,
			   random_number (2));
	}
      for (unsigned k = 0; k < 13 && random_number (8); k++)
	{
	  static const char *const names[] = {
	    "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "MSP", "PSP",
	    "CONTROL", "SP", "xPSR"
	  };
	  fake_reg (f, names[k], random_number (UINT32_MAX));
	}
      fake_end (f, 2 * random_number (1024), random_number (2));
      struct tb_state *state = fake_open (f);
      if (!CHECK (state != NULL))
	return;
      found += f->diag.warnings;
      for (unsigned k = 0; k < 40; k++)
	{
	  struct tb_value v[TB_NREGS_MAX], again[TB_NREGS_MAX];
	  struct tb_access_info a[20];
	  uint8_t bytes[64], origins[64];
	  uint64_t at = random_number (steps + 1);
	  for (uint64_t n = at > 70 ? at - 70 : 0; n <= at; n++)
	    tb_state_registers (state, n, v);
	  tb_state_registers (state, random_number (steps + 1), again);
	  tb_state_registers (state, at, again);
	  CHECK (memcmp (v, again, sizeof v) == 0);
	  /* VLDM of 32 registers has more than there is room for.  */
	  CHECK (tb_state_accesses (state, at, a, 20) <= 32);
	  size_t n = tb_state_memory (state, at, random_number (2)
				      ? FAKE_RAM : random_number (UINT32_MAX),
				      bytes, origins, 64);
	  size_t known = 0;
	  for (unsigned b = 0; b < 64; b++)
	    known += origins[b] != TB_UNKNOWN;
	  CHECK_INT (n, known);
	}
      tb_state_close (state);
      fake_free (f);
    }
  printf ("%u of %u nonsense found out\n", found, programs);
}

int
main (void)
{
  test_kinds ();
  test_nonsense (200);
  return check_done ();
}
