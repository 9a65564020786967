/* State of random A32 programs with modes and exceptions: what is claimed must be
   what was.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs are made as they run; what would leave RAM is thrown away.  A machine of
   its own runs them: tb_semantics_run does an instruction, all that has to do with
   other modes is done here.  */

#include "config.h"

#include <stdlib.h>

#include "arm/ir/semantics.h"
#include "check.h"
#include "decode/element.h"
#include "fake-recording.h"
#include "rounds.h"
#include "run-32.h"

/* The vector table, handlers, code and its end.  */
#define HANDLERS 0x40u
#define CODE 0x800u
#define END 0x2000u
#define RAM_WORDS 64
#define STEPS 400
#define ROOM (STEPS + 100)

static uint64_t seed;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

static uint32_t
random_word (void)
{
  return random_number (1u << 16) << 16 | random_number (1u << 16);
}

/* The registers that a mode banks: SP, LR, SPSR.  */
struct bank
{
  uint32_t sp, lr, spsr;
};

struct world
{
  uint32_t flash[END / 4];
  uint32_t ram[RAM_WORDS];
  uint32_t p[TB_PLACE_END];
  struct bank bank[32];		/* By mode; those of the present one are old.  */
  uint32_t high[2][5];		/* r8 to r12: [1] of FIQ mode.  */
  uint32_t pc, next_handler;
  bool fault, dry;
  bool aligned;			/* The instruction faults where it is not.  */
  uint32_t guarded;		/* Eight bytes that no store may hit, or 0.  */
  /* Writes to registers of other modes that the instruction makes.  */
  struct { uint32_t imm, value; } banked[16];
  unsigned nbanked, nqueued;
  uint64_t steps;
  uint32_t truth[ROOM][TB_NSLOTS];
  uint32_t truth_ram[ROOM][RAM_WORDS];
  struct tb_recording *f;
};

static unsigned
bank_of (unsigned mode)
{
  return mode == TB_MODE_SYS ? TB_MODE_USR : mode;
}

static bool
outside (struct world *w, uint32_t address, unsigned size)
{
  uint32_t at = address - FAKE_RAM;
  bool bad = at > 4 * RAM_WORDS - size
	     || (w->aligned && (at & (size - 1)) != 0);
  w->fault |= bad;
  return bad;
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct world *w = context;
  uint32_t value = 0;
  if (!outside (w, address, size))
    value = (uint32_t) TARGET_LOAD (w->ram, address - FAKE_RAM, size);
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct world *w = context;
  if (address == 4 && w->nqueued < w->nbanked)	/* See prepare.  */
    {
      w->banked[w->nqueued++].value = value;
      return;
    }
  if (w->guarded != 0 && address + size > w->guarded
      && address < w->guarded + 8)
    w->fault = true;
  else if (!outside (w, address, size) && !w->dry)
    TARGET_STORE (w->ram, address - FAKE_RAM, size, value);
}

/* Register R (8 to 15: SPSR) of MODE.  */
static uint32_t *
banked_register (struct world *w, unsigned mode, unsigned r)
{
  unsigned now = bank_of (w->p[TB_SLOT_MODE]);
  if (r < 13)
    return (now == TB_MODE_FIQ) == (mode == TB_MODE_FIQ)
	   ? &w->p[r] : &w->high[mode == TB_MODE_FIQ][r - 8];
  if (bank_of (mode) == now)
    return &w->p[r == 15 ? TB_SLOT_SPSR : r];
  struct bank *b = &w->bank[bank_of (mode)];
  return r == 13 ? &b->sp : r == 14 ? &b->lr : &b->spsr;
}

/* The registers in place are of MODE from now on.  */
static void
switch_banks (struct world *w, unsigned from, unsigned to)
{
  uint32_t *p = w->p;
  from = bank_of (from);
  to = bank_of (to);
  if (from == to)
    return;
  w->bank[from] = (struct bank) { p[13], p[14], p[TB_SLOT_SPSR] };
  memcpy (w->high[from == TB_MODE_FIQ], p + 8, sizeof w->high[0]);
  memcpy (p + 8, w->high[to == TB_MODE_FIQ], sizeof w->high[0]);
  p[13] = w->bank[to].sp;
  p[14] = w->bank[to].lr;
  p[TB_SLOT_SPSR] = w->bank[to].spsr;
}

/* Put what reads registers of other modes into S as constants, and what writes
   them as stores to address 4.  */
static void
prepare (struct world *w, struct tb_semantics *s)
{
  w->nbanked = w->nqueued = 0;
  for (unsigned i = 0; i < s->count; i++)
    {
      struct tb_uop *u = &s->uops[i];
      unsigned mode = TB_SYS_REG_MODE (u->imm), r = TB_SYS_REG_R (u->imm);
      if (u->op == TB_OP_READ_BANKED && u->imm >= TB_SYS_REG (0, 0))
	*u = (struct tb_uop) { .op = TB_OP_MOV, .dst = u->dst,
			       .a = TB_PLACE_IMM, .b = TB_PLACE_NONE, .when = u->when,
			       .imm = *banked_register (w, mode, r) };
      else if (u->op == TB_OP_WRITE_BANKED && u->imm >= TB_SYS_REG (0, 0))
	{
	  w->banked[w->nbanked++].imm = u->imm;
	  *u = (struct tb_uop) { .op = TB_OP_STORE, .dst = TB_PLACE_NONE,
				 .a = TB_PLACE_IMM, .b = u->a, .when = u->when,
				 .imm = 4 };
	}
    }
}

static bool
is_mode (uint32_t mode)
{
  return mode >= TB_MODE_USR && mode != 0x14 && mode != 0x15
	 && mode != TB_MODE_MON && mode != 0x18 && mode != 0x19
	 && mode != TB_MODE_HYP && mode < 0x1c;
}

static void
note (struct world *w)
{
  memcpy (w->truth[w->steps], w->p, sizeof w->truth[0]);
  memcpy (w->truth_ram[w->steps], w->ram, sizeof w->ram);
}

/* Does S name a register of a mode that is not here?  */
static bool
is_foreign (const struct tb_semantics *s)
{
  bool foreign = false;
  for (unsigned i = 0; i < s->count; i++)
    {
      const struct tb_uop *u = &s->uops[i];
      foreign |= (u->op == TB_OP_READ_BANKED || u->op == TB_OP_WRITE_BANKED)
		 && u->imm >= TB_SYS_REG (0, 0)
		 && !is_mode (TB_SYS_REG_MODE (u->imm));
    }
  return foreign;
}

/* Does OPCODE use SPSR, or registers of other modes?  User and System mode have
   no SPSR and may not name the others.  */
static bool
is_system (uint32_t opcode, const struct tb_semantics *s)
{
  bool spsr = (opcode & 0xfe500000) == 0xf8400000;	/* SRS  */
  for (unsigned i = 0; i < s->count; i++)
    {
      const struct tb_uop *u = &s->uops[i];
      spsr |= u->a == TB_SLOT_SPSR || u->b == TB_SLOT_SPSR
	      || u->dst == TB_SLOT_SPSR
	      || ((u->op == TB_OP_READ_BANKED || u->op == TB_OP_WRITE_BANKED)
		  && u->imm >= TB_SYS_REG (0, 0));
    }
  return spsr;
}

/* Run the instruction at the PC if it does not fault.  */
static bool
step (struct world *w)
{
  struct tb_semantics s;
  struct tb_forward_memory memory = { load, store, w };
  struct tb_semantics_result result;
  uint32_t before[TB_PLACE_END], opcode = w->flash[w->pc / 4];

  tb_semantics_a32 (&s, opcode, w->pc, &w->f->profile);
  if (!s.modelled || w->steps >= ROOM - 2)
    return false;
  /* What of the CPSR is not defined MRS may read as 0 (in T0).  */
  bool unknown = false;
  for (unsigned i = 0; i < s.count; i++)
    unknown |= s.uops[i].op == TB_OP_UNKNOWN && s.uops[i].dst != TB_PLACE_T0;
  if (unknown || is_foreign (&s) || (bank_of (w->p[TB_SLOT_MODE]) == TB_MODE_USR
		  && is_system (opcode, &s)))
    return false;
  w->aligned = false;
  for (unsigned i = 0; i < s.count; i++)
    w->aligned |= (s.uops[i].op == TB_OP_LOAD || s.uops[i].op == TB_OP_STORE)
		  && s.uops[i].imm & TB_ACCESS_ALIGNED;
  memcpy (before, w->p, sizeof before);
  struct tb_semantics tried = s;
  prepare (w, &tried);
  w->fault = false;
  w->dry = true;
  run_32 (&tried, w->p, &memory, &result);
  uint32_t mode = w->p[TB_SLOT_MODE];
  memcpy (w->p, before, sizeof before);
  if (w->fault || !(is_mode (mode) || mode == TB_MODE_SYS))
    return false;
  note (w);
  w->dry = false;
  prepare (w, &s);
  run_32 (&s, w->p, &memory, &result);
  mode = w->p[TB_SLOT_MODE];
  w->p[TB_SLOT_MODE] = before[TB_SLOT_MODE];
  for (unsigned i = 0; i < w->nqueued; i++)
    *banked_register (w, TB_SYS_REG_MODE (w->banked[i].imm),
		      TB_SYS_REG_R (w->banked[i].imm)) = w->banked[i].value;
  switch_banks (w, before[TB_SLOT_MODE], mode);
  w->p[TB_SLOT_MODE] = mode;
  bool taken = result.indirect || result.taken || opcode >> 24 == 0xea;
  fake_raw_step (w->f, w->pc, opcode, 4, taken ? TB_STEP_TAKEN
		 : result.skipped ? TB_STEP_NOT_TAKEN : 0);
  w->steps++;
  if (result.indirect)
    w->pc = result.target & ~3u;
  else if (result.taken || opcode >> 24 == 0xea)
    w->pc += 8;
  else
    w->pc += 4;
  return true;
}

static uint32_t
low_register (void)
{
  return random_number (14);
}

/* An instruction; in a handler one that leaves what it returns with alone.  */
static uint32_t
random_opcode (bool handler)
{
  uint32_t rd = low_register (), rn = low_register (), rm = low_register ();
  uint32_t rs = low_register (), s = random_number (2) << 20;
  uint32_t cc = (random_number (4) ? 14 : random_number (14)) << 28;
  uint32_t two = rn << 16 | rd << 12 | cc, which = random_number (16) << 21;
  /* Most bases are where they were.  */
  bool updates = random_number (8) == 0;
  uint32_t up = random_number (2) << 23, offset = 4 * random_number (12);
  if (handler && rd == 13)
    two ^= 1 << 12;
  switch (random_number (handler ? 18 : 26))
    {
    case 0: case 1:
      return two | 0x02000000 | which | s | random_number (0x1000);
    case 2: case 3:
      return two | which | s | random_number (128) << 5 | rm;
    case 4:
      return two | which | s | rs << 8 | random_number (4) << 5 | 0x10 | rm;
    case 5: case 6: case 7:
      return two | 0x05900000 | offset;
    case 8: case 9: case 10:
      return two | 0x05800000 | offset;
    case 11:
      return two | 0x05400000 | up | s | random_number (8);
    case 12:
      return two | 0x014000b0 | up | s | random_number (8);
    case 13:
      return two | (updates && !handler ? 0x04000000 : 0x05000000) | up | s
	     | offset;
    case 14:
      return cc | rn << 16 | 0x08000000 | up | random_number (2) << 24 | s
	     | (updates && !handler) << 21
	     | (random_word () & random_word () & 0x1fff);
    case 15:
      return two | 0x00000090 | random_number (16) << 20 | rs << 8 | rm;
    case 16:
      return two | 0x06000010 | random_number (0x20) << 20
	     | random_number (0x1000);
    case 17:
      return (two & ~(handler ? UINT32_C (0x8000) : 0)) | 0x01c000d0
	     | random_number (3) << 4 | random_number (8);
    case 18:
      return 0xf1020000 | (16 + random_number (16));	/* cps  */
    case 19:
      return 0xf1000000 | (2 + random_number (2)) << 18
	     | (1 + random_number (7)) << 6;
    case 20:
      return cc | 0x010f0000 | random_number (2) << 22 | rd << 12;
    case 21:
      return cc | 0x0120f000 | random_number (2) << 22
	     | (1 + 2 * random_number (2) + 4 * random_number (4)) << 16 | rm;
    case 22:
      return cc | 0x0321f0d0 | random_number (16);	/* msr cpsr_c  */
    case 23:			/* User registers.  */
      return cc | 0x08c00000 | rn << 16 | s | up
	     | (random_word () & random_word () & 0x7fff);
    case 24:
      return 0xf84d0500 | random_number (4) << 23 | (16 + random_number (12));
    default:
      return cc | 0x01000200 | random_number (2) << 21 | random_number (2) << 8
	     | random_number (16) << 16 | random_number (2) << 22 | 0xf000
	     | rm;
    }
}

static void
scribble (struct world *w, unsigned count, bool handler)
{
  uint32_t limit = (handler ? CODE : END) - 32;
  for (unsigned tries = 0; count > 0 && tries < 400 && w->pc < limit; tries++)
    {
      if (random_number (6) == 0)
	{
	  /* A branch over one instruction.  */
	  w->flash[w->pc / 4] = random_number (15) << 28 | 0x0a000000;
	  w->flash[w->pc / 4 + 1] = 0xe320f000;
	}
      else
	w->flash[w->pc / 4] = random_opcode (handler);
      if (step (w))
	count--;
    }
}

static uint32_t
read_psr (const uint32_t *p)
{
  return p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30 | p[TB_SLOT_C] << 29
	 | p[TB_SLOT_V] << 28 | p[TB_SLOT_Q] << 27 | p[TB_SLOT_GE] << 16
	 | p[TB_SLOT_MASKS] << 6 | p[TB_SLOT_MODE];
}

/* Kinds of exceptions: PTM's number, the vector, the mode, what is added to the
   return address, the masks that are set.  */
static const struct
{
  uint8_t number, vector, mode, add, masks;
} kinds[] = {
  { 10, 0x08, TB_MODE_SVC, 0, 2 }, { 9, 0x04, TB_MODE_UND, 4, 2 },
  { 14, 0x18, TB_MODE_IRQ, 4, 6 }, { 15, 0x1c, TB_MODE_FIQ, 4, 7 },
  { 11, 0x0c, TB_MODE_ABT, 4, 6 }, { 12, 0x10, TB_MODE_ABT, 8, 6 }
};

/* An exception at the PC, with a handler of its own.  BUSY: the modes that are
   handling one, a bit each.  */
static void
interrupt (struct world *w, uint32_t busy)
{
  unsigned kind = random_number (6);
  uint32_t psr, *p = w->p;
  busy |= 1u << bank_of (p[TB_SLOT_MODE]);
  if ((busy >> kinds[kind].mode & 1) != 0
      || w->next_handler > CODE - 0x100 || w->steps > STEPS)
    return;
  if (kinds[kind].number == 10)
    {
      w->flash[w->pc / 4] = 0xef000000;	/* svc  */
      if (!step (w))
	return;
    }
  uint32_t resume = w->pc;
  psr = read_psr (p);
  switch_banks (w, p[TB_SLOT_MODE], kinds[kind].mode);
  p[TB_SLOT_MODE] = kinds[kind].mode;
  p[TB_SLOT_LR] = resume + kinds[kind].add;
  p[TB_SLOT_SPSR] = psr;
  p[TB_SLOT_MASKS] |= kinds[kind].masks;
  fake_event (w->f, TB_EVENT_EXCEPTION, resume)->exception
    = kinds[kind].number;

  uint32_t vector = kinds[kind].vector, handler = w->next_handler;
  w->pc = vector;
  w->flash[vector / 4] = 0xea000000 | ((handler - vector - 8) >> 2 & 0xffffff);
  note (w);
  fake_raw_step (w->f, vector, w->flash[vector / 4], 4, TB_STEP_TAKEN);
  w->steps++;
  w->pc = handler;
  w->next_handler += 0x80;
  uint32_t limit = w->next_handler - 0x20, before = w->guarded;
  bool on_stack = false;
  if (kinds[kind].add == 0 && random_number (2) && before == 0)
    {
      /* srsdb sp!, and later rfeia sp!  */
      w->flash[w->pc / 4] = 0xf96d0500 | kinds[kind].mode;
      uint32_t frame = p[TB_SLOT_SP] - 8;
      on_stack = step (w);
      if (on_stack)
	w->guarded = frame;
    }
  for (unsigned n = random_number (8); n > 0 && w->pc < limit; n--)
    {
      w->flash[w->pc / 4] = random_opcode (true);
      step (w);
    }
  if (random_number (3) == 0)
    interrupt (w, busy);
  w->flash[w->pc / 4] = on_stack ? 0xf8bd0a00
			: 0xe25ef000 | kinds[kind].add;	/* subs pc, lr, #  */
  if (!step (w))
    abort ();
  w->guarded = before;
  if (w->pc != resume)
    abort ();
}

static void
make (struct world *w, bool told)
{
  memset (w, 0, sizeof *w);
  w->f = fake_new (TB_ARCH_V7A);
  w->f->decoder = told ? &fake_etmv3 : &fake_ptm;
  for (unsigned i = 0; i < END / 4; i++)
    w->flash[i] = 0xe320f000;
  for (unsigned i = 0; i < RAM_WORDS; i++)
    w->ram[i] = random_number (4) ? random_word ()
		: FAKE_RAM + 4 * random_number (RAM_WORDS);
  for (unsigned i = 0; i < 15; i++)
    w->p[i] = random_number (3) ? FAKE_RAM + 4 * random_number (RAM_WORDS)
	      : random_number (300);
  for (unsigned i = 0; i < 32; i++)
    w->bank[i] = (struct bank) {
      FAKE_RAM + 4 * (16 + random_number (32)), random_word (),
      random_number (2) ? random_word () & ~0x1fu : 0x1f
    };
  for (unsigned i = 0; i < 10; i++)
    w->high[i / 5][i % 5] = random_number (2) ? random_word ()
			    : FAKE_RAM + 4 * random_number (RAM_WORDS);
  w->p[TB_SLOT_SP] = FAKE_RAM + 4 * (16 + random_number (32));
  w->p[TB_SLOT_MODE] = random_number (3) == 0 ? TB_MODE_USR : TB_MODE_SYS;
  w->p[TB_SLOT_MASKS] = random_number (8);
  w->pc = CODE;
  w->next_handler = HANDLERS;
  if (w->p[TB_SLOT_MODE] != TB_MODE_USR && random_number (2))
    {
      w->flash[CODE / 4] = 0xee0c0f10;	/* mcr p15, 0, r0, c12, c0, 0  */
      step (w);
    }
  unsigned rounds = 2 + random_number (12);
  for (unsigned i = 0; i < rounds && w->steps < STEPS - 60; i++)
    {
      scribble (w, 3 + random_number (25), false);
      if (random_number (2) == 0)
	interrupt (w, 0);
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
  for (unsigned i = 0; i < 15; i++)
    fake_reg (w->f, names[i], w->p[i]);
  fake_reg (w->f, "CPSR", read_psr (w->p));
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
      unsigned bad = 0;
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r < 15; r++)
	{
	  bad += v[r].bits != (t[r] & v[r].mask);
	  *known += v[r].mask == UINT32_MAX;
	}
      bad += v[TB_PSR].bits != (read_psr (t) & v[TB_PSR].mask);
      tb_state_memory (state, i, FAKE_RAM, bytes, origins, sizeof bytes);
      for (unsigned b = 0; b < sizeof bytes; b++)
	if (origins[b] != TB_UNKNOWN)
	  {
	    bad += bytes[b] != TARGET_LOAD (w->truth_ram[i], b, 1);
	    *known += 1;
	  }
      if (bad != 0 && wrong == 0)
	fprintf (stderr, "step %u, opcode %#x\n", (unsigned) i,
		 i > 0 ? w->f->steps[i - 1].opcode : 0);
      wrong += bad;
    }
  return wrong;
}

int
main (void)
{
  static struct world w;
  unsigned known[3] = { 0, 0, 0 }, steps = 0, events = 0;
  unsigned programs = getenv ("TB_PROGRAMS") != NULL
		      ? (unsigned) atoi (getenv ("TB_PROGRAMS")) : rounds_of (80);
  for (unsigned i = 0; i < programs; i++)
    for (unsigned how = 0; how < 3; how++)
      {
	seed = 77000 + i;
	make (&w, i & 1);
	if (how != 1)
	  give_registers (&w);
	if (how == 2)
	  {
	    w.f->options.window = 1 + random_number (100);
	    w.f->options.jobs = 2;
	  }
	struct tb_state *state = fake_open (w.f);
	if (!CHECK (state != NULL))
	  return check_done ();
	if (how == 2)
	  CHECK (tb_state_prepare (state, 0, NULL, NULL, &w.f->diag));
	bool ok = CHECK_INT (w.f->diag.warnings, 0);
	if (!CHECK_INT (compare (&w, state, &known[how]), 0) || !ok)
	  fprintf (stderr, "program %u, %u\n", i, how);
	steps += (unsigned) w.steps;
	events += (unsigned) w.f->nevents;
	tb_state_close (state);
	fake_free (w.f);
      }
  printf ("%u steps, %u exceptions, %u known values, %u without the halt state, "
	  "%u in a window\n", steps, events, known[0], known[1], known[2]);
  CHECK (events > programs);
  /* More may be known one day; less is a loss.  */
  if (programs != 80)
    return check_done ();
  CHECK (known[0] >= 374389);
  CHECK (known[1] >= 164194);
  CHECK (known[2] >= 374656);
  return check_done ();
}
