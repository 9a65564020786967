/* State where the registers and RAM at the halt were tampered with: that must be
   found out, or lead to claims that fit it, in every tier; never to both.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "random-program.h"
#include "rounds.h"

/* Memory before the step that is run, for loads; and what it stored.  */
struct seen
{
  struct tb_state *state;
  uint64_t step;
  bool unknown;			/* It loaded what is not known.  */
  uint32_t address[16], value[16];
  unsigned size[16], stores;
};

static uint32_t
load_known (void *context, uint32_t address, unsigned size)
{
  struct seen *seen = context;
  uint8_t bytes[4] = { 0 }, origins[4];
  seen->unknown |= tb_state_memory (seen->state, seen->step, address, bytes,
				    origins, size) != size;
  return (uint32_t) TARGET_LOAD (bytes, 0, 4);
}

static void
note_store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct seen *seen = context;
  unsigned i = seen->stores++ % 16;
  seen->address[i] = address;
  seen->value[i] = value;
  seen->size[i] = size;
}

/* Do bytes of memory that are known before and after the step agree with its
   stores?  */
static bool
memory_agrees (const struct seen *seen)
{
  uint8_t before[4 * RAM_WORDS], after[4 * RAM_WORDS];
  uint8_t known[4 * RAM_WORDS], known_after[4 * RAM_WORDS];
  tb_state_memory (seen->state, seen->step, FAKE_RAM, before, known,
		   sizeof before);
  tb_state_memory (seen->state, seen->step + 1, FAKE_RAM, after, known_after,
		   sizeof after);
  for (unsigned i = 0; i < seen->stores; i++)
    for (unsigned b = 0; b < seen->size[i]; b++)
      if (seen->address[i] + b - FAKE_RAM < sizeof before)
	{
	  before[seen->address[i] + b - FAKE_RAM]
	    = (uint8_t) (seen->value[i] >> 8 * b);
	  known[seen->address[i] + b - FAKE_RAM] = TB_DERIVED;
	}
  for (unsigned b = 0; b < sizeof before; b++)
    if (known[b] != TB_UNKNOWN && known_after[b] != TB_UNKNOWN
	&& before[b] != after[b])
      return false;
  return true;
}

/* What is known before each step must lead to what is known after it.  */
static bool
consistent (struct world *w, struct tb_state *state)
{
  for (uint64_t i = 0; i < w->steps; i++)
    {
      struct tb_value v[TB_NREGS_MAX], next[TB_NREGS_MAX];
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      struct tb_semantics_result result;
      uint32_t p[TB_PLACE_END] = { 0 };
      const struct tb_step *at = &w->f->steps[i];
      bool events = false;
      /* What is interrupted may be given up, and gone on with after that.  */
      for (size_t e = 0; e < w->f->nevents; e++)
	events |= w->f->events[e].step == i + 1 || w->f->events[e].step == i;
      tb_semantics_t32 (&s, at->opcode, at->size, (uint32_t) at->pc,
			&w->f->profile);
      tb_semantics_effect (s.uops, s.count, false, &effect);
      /* Nor is it told what a base in the list of STM is stored as.  */
      for (unsigned k = 0; k < s.count; k++)
	events |= s.uops[k].op == TB_OP_UNKNOWN;
      if (events)
	continue;
      tb_state_registers (state, i, v);
      tb_state_registers (state, i + 1, next);
      uint32_t have = 0;
      for (unsigned r = 0; r < 15; r++)
	{
	  p[r] = (uint32_t) v[r].bits;
	  have |= v[r].mask == UINT32_MAX ? TB_SLOT_BIT (r) : 0;
	}
      for (unsigned k = 0; k < 4; k++)
	{
	  p[TB_SLOT_N + k] = v[TB_PSR].bits >> (31 - k) & 1;
	  have |= v[TB_PSR].mask >> (31 - k) & 1
		  ? TB_SLOT_BIT (TB_SLOT_N + k) : 0;
	}
      for (unsigned r = 0; r < 15; r++)
	if (!(effect.may_write >> r & 1)
	    && ((v[r].bits ^ next[r].bits) & v[r].mask & next[r].mask) != 0)
	  return false;
      if ((effect.reads & ~have) != 0)
	continue;
      struct seen seen = { .state = state, .step = i };
      struct tb_forward_memory memory = { load_known, note_store, &seen };
      run_32 (&s, p, &memory, &result);
      if (seen.unknown)
	continue;
      if (seen.stores > 16
	  || ((seen.stores != 0 || i % 16 == 0) && !memory_agrees (&seen)))
	return false;
      if (result.conditional
	  && result.taken != !!(at->flags & TB_STEP_TAKEN))
	return false;
      for (unsigned r = 0; r < 15; r++)
	if ((effect.writes >> r & 1)
	    && next[r].bits != (p[r] & next[r].mask))
	  return false;
    }
  return true;
}

/* Turn over BITS bits of the registers and RAM at the halt.  */
static void
tamper (struct world *w, unsigned bits)
{
  for (unsigned i = 0; i < bits; i++)
    if (random_number (2))
      {
	unsigned r = random_number (16);
	w->f->regs[w->f->core.nregs - 16 + r].value
	  ^= r == 15 ? 1u << (28 + random_number (4))
	     : 1u << random_number (32);
      }
    else
      w->ram[random_number (RAM_WORDS)] ^= 1u << random_number (32);
}

/* At the end it is what the halt state says.  */
static bool
fits_halt (struct world *w, struct tb_state *state)
{
  struct tb_value v[TB_NREGS_MAX];
  uint8_t bytes[4 * RAM_WORDS], origins[4 * RAM_WORDS];
  bool fits = true;
  tb_state_registers (state, w->steps, v);
  for (unsigned r = 0; r < 15; r++)
    fits &= v[r].bits == w->f->regs[w->f->core.nregs - 16 + r].value;
  tb_state_memory (state, w->steps, FAKE_RAM, bytes, origins, sizeof bytes);
  for (unsigned i = 0; i < sizeof bytes; i++)
    fits &= bytes[i] == TARGET_LOAD (w->ram, i, 1);
  return fits;
}

/* The certain tier is the same with assumptions: A has none.  */
static bool
is_frozen (struct world *w, struct tb_state *a, struct tb_state *b)
{
  for (uint64_t i = 0; i <= w->steps; i++)
    {
      struct tb_value x[TB_NREGS_MAX], y[TB_NREGS_MAX];
      uint8_t bytes[2][4 * RAM_WORDS], origins[2][4 * RAM_WORDS];
      tb_state_registers (a, i, x);
      tb_state_registers (b, i, y);
      for (unsigned r = 0; r <= TB_PSR; r++)
	if (((x[r].bits ^ y[r].bits) & x[r].mask) != 0
	    || (x[r].mask & ~y[r].mask) != 0
	    || (y[r].origin == TB_DERIVED && x[r].mask != y[r].mask))
	  return false;
      if (i % 16 != 0)
	continue;
      tb_state_memory (a, i, FAKE_RAM, bytes[0], origins[0], sizeof bytes[0]);
      tb_state_memory (b, i, FAKE_RAM, bytes[1], origins[1], sizeof bytes[1]);
      for (unsigned k = 0; k < sizeof bytes[0]; k++)
	if ((origins[1][k] == TB_DERIVED) != (origins[0][k] == TB_DERIVED)
	    || (origins[0][k] != TB_UNKNOWN && bytes[0][k] != bytes[1][k]))
	  return false;
    }
  return true;
}

/* Program NUMBER on ARCH with BITS bits turned over, in windows of WINDOW steps if
   that is not 0.  */
static struct tb_state *
open_tampered (struct world *w, unsigned number, enum tb_arch arch,
	       unsigned bits, unsigned assume, unsigned window)
{
  seed = 5000 + number;
  make (w);
  w->f->profile.arch = arch;
  give_registers (w);
  tamper (w, bits);
  w->f->options.assume = assume;
  w->f->options.window = window;
  struct tb_state *state = fake_open (w->f);
  if (!CHECK (state != NULL)
      || !CHECK (tb_state_prepare (state, 0, NULL, NULL, &w->f->diag)))
    abort ();
  return state;
}

static void
test_tampered (enum tb_arch arch, unsigned bits, unsigned programs)
{
  static struct world w, w2;
  unsigned found = 0;
  for (unsigned i = 0; i < programs; i++)
    {
      struct tb_state *certain = open_tampered (&w, i, arch, bits, 0, 0);
      bool out = tb_state_halt (certain) == TB_HALT_CONTRADICTED;
      found += out;
      CHECK_INT (w.f->diag.warnings != 0, out);
      bool ok = CHECK (consistent (&w, certain));
      ok &= CHECK (out || fits_halt (&w, certain));
      struct tb_state *assumed
	= open_tampered (&w2, i, arch, bits,
			 TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS, 0);
      CHECK_INT (tb_state_halt (assumed), tb_state_halt (certain));
      ok &= CHECK (consistent (&w2, assumed));
      ok &= CHECK (is_frozen (&w, certain, assumed));
      if (!ok)
	fprintf (stderr, "program %u, %u bits, architecture %d\n", i, bits,
		 arch);
      tb_state_close (certain);
      tb_state_close (assumed);
      fake_free (w.f);
      fake_free (w2.f);
    }
  printf ("%u of %u found out\n", found, programs);
  CHECK (found > programs / 20);
}

/* The same in windows: what one of them finds out counts in all.  */
static void
test_windows (unsigned bits, unsigned programs)
{
  static struct world w, w2;
  for (unsigned i = 0; i < programs; i++)
    {
      unsigned window = 1 + i % 40;
      struct tb_state *certain
	= open_tampered (&w, i, TB_ARCH_V6M, bits, 0, window);
      struct tb_state *assumed
	= open_tampered (&w2, i, TB_ARCH_V6M, bits,
			 TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS, window);
      bool out = tb_state_halt (certain) == TB_HALT_CONTRADICTED;
      bool ok = CHECK (consistent (&w, certain));
      ok &= CHECK (out || fits_halt (&w, certain));
      ok &= CHECK (consistent (&w2, assumed));
      ok &= CHECK (is_frozen (&w, certain, assumed));
      if (!ok)
	fprintf (stderr, "program %u, %u bits, windows of %u\n", i, bits,
		 window);
      tb_state_close (certain);
      tb_state_close (assumed);
      fake_free (w.f);
      fake_free (w2.f);
    }
}

/* The same where the registers count by assumption only.  */
static void
test_assumed_halt (unsigned bits, unsigned programs)
{
  static struct world w;
  unsigned found = 0;
  for (unsigned i = 0; i < programs; i++)
    {
      seed = 6000 + i;
      make (&w);
      give_registers (&w);
      tamper (&w, bits);
      w.f->regs[0].value += 64;	/* The PC.  */
      w.f->options.assume = TB_ASSUME_HALT;
      struct tb_state *state = fake_open (w.f);
      if (!CHECK (state != NULL))
	return;
      found += w.f->diag.warnings;
      CHECK_INT (tb_state_halt (state), TB_HALT_ELSEWHERE);
      if (!CHECK (consistent (&w, state)))
	fprintf (stderr, "program %u, %u bits\n", i, bits);
      tb_state_close (state);
      fake_free (w.f);
    }
  printf ("%u of %u assumed found out\n", found, programs);
  CHECK (bits == 0 ? found == 0 : found > programs / 20);
}

int
main (void)
{
  for (unsigned bits = 1; bits <= 4; bits *= 2)
    {
      test_tampered (TB_ARCH_V6M, bits, rounds_of (60));
      test_tampered (TB_ARCH_V7M, bits, rounds_of (40));
      test_windows (bits, rounds_of (20));
      test_assumed_halt (bits, rounds_of (40));
    }
  test_assumed_halt (0, rounds_of (40));
  return check_done ();
}
