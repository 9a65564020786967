/* State on random programs: what is claimed must be what was, and a halt state
   that was tampered with must be found out or lead to claims that fit it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs are made as they run, with exceptions in between; loads and stores
   are thrown away where they would leave RAM.  A machine of its own runs them
   with tb_semantics_run.  */

#include "config.h"

#include <stdlib.h>

#include "arm/semantics.h"
#include "check.h"
#include "decode/element.h"
#include "fake-recording.h"

/* Handlers, code, and constants up to the end of flash.  */
#define HANDLER 0x100u
#define CODE 0x400u
#define CONSTANTS 0x800u
#define RAM_WORDS 64
#define STEPS 400

static uint64_t seed;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

/* Everything that a run is.  */
struct world
{
  uint16_t flash[2048];
  uint32_t ram[RAM_WORDS];
  uint32_t p[TB_NPLACES];
  uint32_t pc;
  uint32_t next_handler;
  bool fault;
  bool dry;			/* Stores are checked, not done.  */
  uint32_t guarded;		/* Eight bytes that no store may hit, or 0.  */
  uint64_t steps;
  /* The truth before each step.  */
  uint32_t truth[STEPS + 64][TB_NSLOTS];
  uint32_t truth_ram[STEPS + 64][RAM_WORDS];
  struct tb_recording *f;
};

static bool
outside (struct world *w, uint32_t address, unsigned size)
{
  uint32_t at = address - FAKE_RAM;
  bool bad = (at & (size - 1)) != 0 || at > 4 * RAM_WORDS - size;
  w->fault |= bad;
  return bad;
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct world *w = context;
  uint32_t value = 0;
  if (address >= CONSTANTS && address <= sizeof w->flash - size
      && (address & (size - 1)) == 0)
    memcpy (&value, (uint8_t *) w->flash + address, size);
  else if (!outside (w, address, size))
    memcpy (&value, (uint8_t *) w->ram + (address - FAKE_RAM), size);
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct world *w = context;
  if (w->guarded != 0 && address + size > w->guarded
      && address < w->guarded + 8)
    w->fault = true;
  else if (!outside (w, address, size) && !w->dry)
    memcpy ((uint8_t *) w->ram + (address - FAKE_RAM), &value, size);
}

static void
note (struct world *w)
{
  memcpy (w->truth[w->steps], w->p, sizeof w->truth[0]);
  memcpy (w->truth_ram[w->steps], w->ram, sizeof w->ram);
}

/* Run the instruction at the PC if it does not fault.  */
static bool
step (struct world *w)
{
  struct tb_semantics s;
  struct tb_semantics_memory memory = { load, store, w };
  struct tb_semantics_result result;
  uint32_t before[TB_NPLACES];

  tb_semantics_t32 (&s, w->flash[w->pc / 2], 2, w->pc,
		    &w->f->profile);
  if (!s.modelled)
    return false;
  memcpy (before, w->p, sizeof before);
  w->fault = false;
  w->dry = true;
  tb_semantics_run (&s, w->p, &memory, &result);
  memcpy (w->p, before, sizeof before);
  if (w->fault)
    return false;
  note (w);
  w->dry = false;
  tb_semantics_run (&s, w->p, &memory, &result);
  fake_raw_step (w->f, w->pc, w->flash[w->pc / 2], 2,
		 result.taken || result.indirect ? TB_STEP_TAKEN : 0);
  w->steps++;
  w->pc += result.taken ? 4 : 2;
  return true;
}

/* An opcode of any kind but a branch, a system instruction or, in a handler,
   one that touches SP or LR.  */
static uint16_t
random_opcode (bool handler)
{
  for (;;)
    {
      uint16_t op = (uint16_t) random_number (0xd000);
      if (random_number (3) == 0)
	op = (uint16_t) (0x6000 + random_number (0x2000));
      else if (!handler && random_number (6) == 0)
	op = (uint16_t) (random_number (2) ? 0xb400 : 0xbc00)
	     | (uint16_t) random_number (64);
      bool special = (op & 0xff00) == 0x4700 || (op & 0xff87) == 0x4487
		     || (op & 0xff87) == 0x4687 || (op & 0xff00) == 0xbd00
		     || (op & 0xff80) == 0xb600 || (op & 0xfe00) == 0xbe00;
      bool high = (op & 0xfc80) == 0x4480 && (op & 0x0300) != 0x0100;
      bool stack = (op & 0xf600) == 0xb400 || (op & 0xff00) == 0xb000;
      if (!special && !(handler && (high || stack)))
	return op;
    }
}

/* Append instructions at the PC until COUNT have run.  */
static void
scribble (struct world *w, unsigned count, bool handler)
{
  uint32_t limit = (handler ? CODE : CONSTANTS) - 16;
  while (count > 0 && w->pc < limit)
    {
      if (random_number (5) == 0)
	{
	  /* A branch over one instruction.  */
	  w->flash[w->pc / 2] = (uint16_t) (0xd000 | random_number (14) << 8);
	  w->flash[w->pc / 2 + 1] = 0xbf00;
	}
      else
	w->flash[w->pc / 2] = random_opcode (handler);
      if (step (w))
	count--;
    }
}

static const uint8_t frame_slots[6] = { 0, 1, 2, 3, 12, TB_SLOT_LR };

/* An exception at the PC with a handler of its own, if the stack has room.  */
static void
interrupt (struct world *w)
{
  uint32_t resume = w->pc, sp = w->p[TB_SLOT_SP], *p = w->p;
  uint32_t frame = (sp & ~7u) - 32, spsel = p[TB_SLOT_SPSEL];
  if (w->next_handler == 0)
    w->next_handler = HANDLER;
  if (outside (w, frame, 4) || outside (w, frame + 28, 4))
    return;
  for (unsigned i = 0; i < 6; i++)
    store (w, frame + 4 * i, 4, p[frame_slots[i]]);
  store (w, frame + 24, 4, resume);
  store (w, frame + 28, 4, p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30
	 | p[TB_SLOT_C] << 29 | p[TB_SLOT_V] << 28 | 0x01000000
	 | (sp & 4) << 7);
  for (unsigned i = 0; i < 5; i++)
    p[frame_slots[i]] = random_number (1u << 31);
  for (unsigned i = TB_SLOT_N; i <= TB_SLOT_V; i++)
    p[i] = random_number (2);
  p[TB_SLOT_LR] = spsel ? 0xfffffffd : 0xfffffff9;
  p[TB_SLOT_SP] = frame;
  if (spsel)
    {
      p[TB_SLOT_SP] = p[TB_SLOT_SP_OTHER];
      p[TB_SLOT_SP_OTHER] = frame;
    }
  p[TB_SLOT_SPSEL] = 0;
  p[TB_SLOT_HANDLER] = 1;
  p[TB_SLOT_IPSR] = 16;
  fake_event (w->f, TB_EVENT_EXCEPTION, resume)->exception = 16;

  /* A handler that changed where its frame returns to would be another
     story.  */
  w->guarded = frame + 24;
  w->pc = w->next_handler;
  scribble (w, 1 + random_number (6), true);
  w->flash[w->pc / 2] = 0x4770;	/* bx lr  */
  w->next_handler = w->pc + 2;
  step (w);
  w->guarded = 0;
  uint32_t exc_return = p[TB_SLOT_LR], psr = load (w, frame + 28, 4);
  fake_event (w->f, TB_EVENT_EXCEPTION_RETURN, resume)->value = exc_return;

  if (spsel)
    p[TB_SLOT_SP_OTHER] = p[TB_SLOT_SP];
  for (unsigned i = 0; i < 6; i++)
    p[frame_slots[i]] = load (w, frame + 4 * i, 4);
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = psr >> (31 - i) & 1;
  p[TB_SLOT_SP] = (frame + 32) | (psr >> 7 & 4);
  p[TB_SLOT_SPSEL] = spsel;
  p[TB_SLOT_HANDLER] = 0;
  p[TB_SLOT_IPSR] = psr & 0x3f;
  w->pc = resume;
}

static void
make (struct world *w)
{
  memset (w, 0, sizeof *w);
  w->f = fake_new (TB_ARCH_V6M);
  w->flash[8] = 0xf380;		/* msr psp,r0: PSP may be in use.  */
  w->flash[9] = 0x8809;
  for (unsigned i = CONSTANTS / 2; i < sizeof w->flash / 2; i++)
    w->flash[i] = (uint16_t) random_number (0x10000);
  for (unsigned i = 0; i < RAM_WORDS; i++)
    w->ram[i] = random_number (4) ? random_number (1u << 31)
		: FAKE_RAM + 4 * random_number (RAM_WORDS);
  for (unsigned i = 0; i < 13; i++)
    w->p[i] = random_number (3) ? FAKE_RAM + 4 * random_number (RAM_WORDS)
	      : random_number (300);
  w->p[TB_SLOT_LR] = 0x1235;
  w->p[TB_SLOT_SP] = FAKE_RAM + 4 * (20 + random_number (20));
  w->p[TB_SLOT_SP_OTHER] = FAKE_RAM + 8 * (15 + random_number (15));
  w->p[TB_SLOT_SPSEL] = random_number (2);
  w->pc = CODE;
  unsigned rounds = 2 + random_number (10);
  for (unsigned i = 0; i < rounds && w->steps < STEPS - 60; i++)
    {
      scribble (w, 5 + random_number (30), false);
      if (random_number (3) == 0)
	interrupt (w);
    }
  note (w);
  fake_dump (w->f, 0, w->flash, sizeof w->flash);
  fake_dump (w->f, FAKE_RAM, w->ram, sizeof w->ram);
  fake_end (w->f, w->pc, true);
}

static void
give_registers (struct world *w)
{
  static const char *const names[] = {
    "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11",
    "R12", "SP", "LR"
  };
  const uint32_t *p = w->p;
  for (unsigned i = 0; i < 15; i++)
    fake_reg (w->f, names[i], p[i]);
  fake_reg (w->f, "xPSR", p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30
	    | p[TB_SLOT_C] << 29 | p[TB_SLOT_V] << 28 | 0x01000000);
}

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
      uint32_t psr = t[TB_SLOT_N] << 31 | t[TB_SLOT_Z] << 30
		     | t[TB_SLOT_C] << 29 | t[TB_SLOT_V] << 28 | 0x01000000
		     | t[TB_SLOT_IPSR];
      wrong += v[TB_PSR].bits != (psr & v[TB_PSR].mask);
      uint32_t msp = t[t[TB_SLOT_SPSEL] ? TB_SLOT_SP_OTHER : TB_SLOT_SP];
      wrong += v[TB_MSP].bits != (msp & v[TB_MSP].mask);
      wrong += v[TB_CONTROL].bits
	       != (t[TB_SLOT_SPSEL] << 1 & v[TB_CONTROL].mask);
      tb_state_memory (state, i, FAKE_RAM, bytes, origins, sizeof bytes);
      for (unsigned b = 0; b < sizeof bytes; b++)
	if (origins[b] != TB_UNKNOWN)
	  {
	    wrong += bytes[b] != ((uint8_t *) w->truth_ram[i])[b];
	    *known += 1;
	  }
    }
  return wrong;
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
      uint32_t p[TB_NPLACES] = { 0 };
      const struct tb_step *at = &w->f->steps[i];
      bool events = false;
      for (size_t e = 0; e < w->f->nevents; e++)
	events |= w->f->events[e].step == i + 1;
      tb_semantics_t32 (&s, at->opcode, at->size, (uint32_t) at->pc,
			&w->f->profile);
      tb_semantics_effect (s.uops, s.count, &effect);
      if (events || (s.flags & (TB_SEM_LOADS | TB_SEM_STORES)))
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
      if ((effect.reads & ~have) != 0)
	continue;
      tb_semantics_run (&s, p, NULL, &result);
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

/* As it was, with and without the halt state and in a window.  */
static void
test_true (unsigned programs)
{
  unsigned known = 0, known_without = 0, steps = 0;
  static struct world w;
  for (unsigned i = 0; i < programs; i++)
    for (unsigned how = 0; how < 3; how++)
      {
	seed = 1000 + i;
	make (&w);
	if (how != 1)
	  give_registers (&w);
	if (how == 2)
	  w.f->options.window = 1 + random_number (100);
	struct tb_state *state = fake_open (w.f);
	if (!CHECK (state != NULL))
	  return;
	CHECK_INT (w.f->diag.warnings, 0);
	if (!CHECK_INT (compare (&w, state, how ? &known_without : &known), 0))
	  fprintf (stderr, "program %u, %u\n", i, how);
	steps += (unsigned) w.steps;
	tb_state_close (state);
	fake_free (w.f);
      }
  printf ("%u steps, %u known values, %u without the halt state or in a "
	  "window\n", steps, known, known_without);
  CHECK (known > steps * 10);
  CHECK (known_without > steps);
}

/* With one bit of the halt state turned over.  */
static void
test_tampered (unsigned programs)
{
  static struct world w;
  unsigned found = 0;
  for (unsigned i = 0; i < programs; i++)
    {
      seed = 5000 + i;
      make (&w);
      give_registers (&w);
      if (random_number (2))
	{
	  unsigned r = random_number (15);
	  w.f->regs[w.f->core.nregs - 16 + r].value ^= 1u << random_number (32);
	}
      else
	w.ram[random_number (RAM_WORDS)] ^= 1u << random_number (32);
      struct tb_state *state = fake_open (w.f);
      if (!CHECK (state != NULL))
	return;
      found += w.f->diag.warnings;
      if (!CHECK (w.f->diag.warnings != 0 || consistent (&w, state)))
	fprintf (stderr, "program %u\n", i);
      CHECK_INT (w.f->diag.warnings != 0,
		 tb_state_halt (state) == TB_HALT_CONTRADICTED);
      tb_state_close (state);
      fake_free (w.f);
    }
  printf ("%u of %u found out\n", found, programs);
  CHECK (found > programs / 20);
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
	  CHECK (tb_state_accesses (state, at, a, 20) <= 20);
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
  test_true (300);
  test_tampered (300);
  test_nonsense (200);
  return check_done ();
}
