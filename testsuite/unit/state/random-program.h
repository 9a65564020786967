/* Random programs for tests of state.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs are made as they run, with exceptions in between; loads and stores
   are thrown away where they would leave RAM.  A machine of its own runs them
   with tb_semantics_run.  Programs of ARMv7-M have IT blocks, which exceptions
   interrupt anywhere, and accesses that are not aligned; in some, another master
   writes to memory.  */

#ifndef TB_UNIT_RANDOM_PROGRAM_H
#define TB_UNIT_RANDOM_PROGRAM_H

#include <stdlib.h>

#include "arm/ir/semantics.h"
#include "check.h"
#include "decode/element.h"
#include "fake-recording.h"
#include "run-32.h"

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

/* What programs are made.  */
struct kind
{
  enum tb_arch arch;		/* ARMv6-M or ARMv7-M.  */
  unsigned changing;		/* At most so many words change at any time.  */
};

/* Everything that a run is.  */
struct world
{
  struct kind kind;
  unsigned changing_first, changing;	/* Words of RAM that another master writes.  */
  uint16_t flash[2048];
  uint32_t ram[RAM_WORDS];
  uint32_t p[TB_NPLACES];
  uint32_t pc;
  uint8_t it;			/* ITSTATE.  */
  unsigned cut;			/* So many IT blocks were interrupted.  */
  uint32_t next_handler;
  bool fault;
  bool dry;			/* Stores are checked, not done.  */
  bool unaligned;		/* Addresses need not be aligned.  */
  uint32_t guarded;		/* Eight bytes that no store may hit, or 0.  */
  uint64_t steps;
  /* The truth before each step.  */
  uint32_t truth[STEPS + 64][TB_NSLOTS];
  uint8_t truth_it[STEPS + 64];
  uint32_t truth_ram[STEPS + 64][RAM_WORDS];
  struct tb_recording *f;
};

static bool
outside (struct world *w, uint32_t address, unsigned size)
{
  uint32_t at = address - FAKE_RAM;
  bool bad = (!w->unaligned && (at & (size - 1)) != 0) || at > 4 * RAM_WORDS - size;
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
    value = (uint32_t) TARGET_LOAD (w->flash, address, size);
  else if (!outside (w, address, size))
    value = (uint32_t) TARGET_LOAD (w->ram, address - FAKE_RAM, size);
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
    TARGET_STORE (w->ram, address - FAKE_RAM, size, value);
}

static void
note (struct world *w)
{
  memcpy (w->truth[w->steps], w->p, sizeof w->truth[0]);
  w->truth_it[w->steps] = w->it;
  memcpy (w->truth_ram[w->steps], w->ram, sizeof w->ram);
}

/* What the other master does before a step.  */
static void
change_words (struct world *w)
{
  for (unsigned i = 0; i < w->changing; i++)
    if (random_number (2))
      w->ram[w->changing_first + i]
	= random_number (3) ? random_number (4)
	  : FAKE_RAM + 4 * random_number (RAM_WORDS);
}

/* Run the instruction at the PC if it does not fault.  */
static bool
step (struct world *w)
{
  struct tb_semantics s;
  struct tb_forward_memory memory = { load, store, w };
  struct tb_semantics_result result;
  uint32_t before[TB_NPLACES];
  uint16_t op = w->flash[w->pc / 2];
  bool is_cbz = (op & 0xf500) == 0xb100;	/* These may lead anywhere.  */

  tb_semantics_t32_it (&s, op, 2, w->pc, tb_it_condition (w->it), &w->f->profile);
  if (!s.modelled || is_cbz)
    return false;
  memcpy (before, w->p, sizeof before);
  w->fault = false;
  w->dry = true;
  /* Of the 16-bit instructions these access one register.  */
  w->unaligned = w->kind.arch != TB_ARCH_V6M && op >= 0x5000 && op < 0x9000;
  run_32 (&s, w->p, &memory, &result);
  memcpy (w->p, before, sizeof before);
  w->dry = false;
  if (!w->fault)
    {
      change_words (w);
      note (w);
      run_32 (&s, w->p, &memory, &result);
    }
  w->unaligned = false;
  if (w->fault)
    return false;
  fake_raw_step (w->f, w->pc, op, 2,
		 result.taken || result.indirect ? TB_STEP_TAKEN : 0);
  w->it = tb_it_next (w->it, op, 2);
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

/* Append instructions at the PC until COUNT have run; a handler leaves no IT block
   open.  */
static void
scribble (struct world *w, unsigned count, bool handler)
{
  uint32_t limit = (handler ? CODE : CONSTANTS) - 16;
  while ((count > 0 || (handler && w->it != 0)) && w->pc < limit)
    {
      if (w->kind.arch != TB_ARCH_V6M && w->it == 0 && random_number (6) == 0)
	w->flash[w->pc / 2] = (uint16_t) (0xbf01 + (random_number (14) << 4)
					  + random_number (15));
      else if (w->it == 0 && random_number (5) == 0)
	{
	  /* A branch over one instruction.  */
	  w->flash[w->pc / 2] = (uint16_t) (0xd000 | random_number (14) << 8);
	  w->flash[w->pc / 2 + 1] = 0xbf00;
	}
      else
	w->flash[w->pc / 2] = random_opcode (handler);
      if (step (w) && count > 0)
	count--;
    }
}

/* xPSR with the flags and the exception of P and ITSTATE IT.  */
static uint32_t
psr_of (const uint32_t *p, uint8_t it)
{
  return p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30 | p[TB_SLOT_C] << 29
	 | p[TB_SLOT_V] << 28 | 0x01000000 | p[TB_SLOT_IPSR]
	 | (it & 3u) << 25 | (it & 0xfcu) << 8;
}

static const uint8_t frame_slots[6] = { 0, 1, 2, 3, 12, TB_SLOT_LR };

/* An exception at the PC with a handler of its own, if the stack has room.  */
static void
interrupt (struct world *w)
{
  uint32_t resume = w->pc, sp = w->p[TB_SLOT_SP], *p = w->p;
  uint32_t frame = (sp & ~7u) - 32, spsel = p[TB_SLOT_SPSEL];
  uint32_t changing = FAKE_RAM + 4 * w->changing_first;
  if (w->next_handler == 0)
    w->next_handler = HANDLER;
  if (outside (w, frame, 4) || outside (w, frame + 28, 4)
      || (w->changing != 0 && frame + 32 > changing
	  && frame < changing + 4 * w->changing))
    return;
  for (unsigned i = 0; i < 6; i++)
    store (w, frame + 4 * i, 4, p[frame_slots[i]]);
  store (w, frame + 24, 4, resume);
  store (w, frame + 28, 4, psr_of (p, w->it) | (sp & 4) << 7);
  w->cut += w->it != 0;
  w->it = 0;
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
  w->it = (uint8_t) ((psr >> 25 & 3) | (psr >> 8 & 0xfc));
  w->pc = resume;
}

static void
make_kind (struct world *w, const struct kind *kind)
{
  bool is_v6m = kind->arch == TB_ARCH_V6M;
  memset (w, 0, sizeof *w);
  w->kind = *kind;
  if (kind->changing != 0)
    {
      w->changing = 1 + random_number (kind->changing);
      w->changing_first = random_number (RAM_WORDS - w->changing);
    }
  w->f = fake_new (kind->arch);
  w->flash[8] = 0xf380;		/* msr psp,r0: PSP may be in use.  */
  w->flash[9] = 0x8809;
  for (unsigned i = CONSTANTS / 2; i < sizeof w->flash / 2; i++)
    w->flash[i] = (uint16_t) random_number (0x10000);
  for (unsigned i = 0; i < RAM_WORDS; i++)
    w->ram[i] = random_number (4) ? random_number (1u << 31)
		: FAKE_RAM + 4 * random_number (RAM_WORDS);
  for (unsigned i = 0; i < 13; i++)
    {
      w->p[i] = random_number (3) ? FAKE_RAM + 4 * random_number (RAM_WORDS)
		: random_number (300);
      if (!is_v6m && random_number (4) == 0)
	w->p[i] += random_number (4);
    }
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

static inline void
make (struct world *w)
{
  static const struct kind v6m = { .arch = TB_ARCH_V6M };
  make_kind (w, &v6m);
}

static inline void
give_registers (struct world *w)
{
  static const char *const names[] = {
    "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11",
    "R12", "SP", "LR"
  };
  const uint32_t *p = w->p;
  for (unsigned i = 0; i < 15; i++)
    fake_reg (w->f, names[i], p[i]);
  fake_reg (w->f, "xPSR", psr_of (p, w->it));
}

#endif /* TB_UNIT_RANDOM_PROGRAM_H */
