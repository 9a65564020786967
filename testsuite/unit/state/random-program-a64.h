/* Random A64 programs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs are made as they run, with exceptions in between; what would leave
   RAM or is not told by the semantics is thrown away.  A machine of its own runs
   them with tb_semantics_run.  */

#ifndef TB_UNIT_RANDOM_PROGRAM_A64_H
#define TB_UNIT_RANDOM_PROGRAM_A64_H

#include <stdlib.h>

#include "arm/ir/semantics-a64.h"
#include "check.h"
#include "fake-recording.h"

#define HANDLER 0x1000u
#define CODE 0x2000u
#define CONSTANTS 0x3000u
#define FLASH_END 0x3200u
#define RAM_WORDS 48
#define STEPS 400

static uint64_t seed;

static inline uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

static inline uint32_t
random_bits (unsigned n)
{
  return random_number (1u << n);
}

static inline uint64_t
random_64 (void)
{
  return (uint64_t) random_bits (30) << 40 ^ (uint64_t) random_bits (30) << 20
	 ^ random_bits (30);
}

/* Everything that a run is.  */
struct world
{
  uint32_t flash[(FLASH_END - HANDLER) / 4];
  uint64_t ram[RAM_WORDS];
  uint64_t p[TB_A64_END];
  uint32_t pc, next_handler;
  bool fault, dry, user, has_vectors;
  uint64_t steps;
  /* The truth before each step.  */
  uint64_t truth[STEPS + 64][TB_A64_V + 1];
  uint64_t truth_vectors[STEPS + 64][TB_A64_NVECTOR];
  uint64_t truth_ram[STEPS + 64][RAM_WORDS];
  struct tb_recording *f;
};

static inline uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct world *w = context;
  uint64_t value = 0, at = address - FAKE_RAM;
  if (at <= sizeof w->ram - size)
    value = TARGET_LOAD (w->ram, at, size);
  else if (address >= CONSTANTS && address <= FLASH_END - size)
    value = TARGET_LOAD (w->flash, address - HANDLER, size);
  else
    w->fault = true;
  return value;
}

static inline void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  struct world *w = context;
  uint64_t at = address - FAKE_RAM;
  if (!certain || at > sizeof w->ram - size)
    w->fault = true;
  else if (!w->dry)
    TARGET_STORE (w->ram, at, size, value);
}

static inline void
note (struct world *w)
{
  memcpy (w->truth[w->steps], w->p, sizeof w->truth[0]);
  memcpy (w->truth_vectors[w->steps], w->p + TB_A64_VECTOR,
	  sizeof w->truth_vectors[0]);
  memcpy (w->truth_ram[w->steps], w->ram, sizeof w->ram);
}

static inline uint32_t
word_at (const struct world *w, uint32_t address)
{
  return w->flash[(address - HANDLER) / 4];
}

static inline void
put (struct world *w, uint32_t address, uint32_t opcode)
{
  w->flash[(address - HANDLER) / 4] = opcode;
}

/* What S does not tell of the vector registers is anything that it may be; BEFORE are
   the places before it.  */
static inline void
choose_vectors (struct world *w, const struct tb_semantics *s,
		const struct tb_semantics_result *result,
		const uint64_t *before)
{
  uint64_t most[TB_A64_END];
  memset (most, 0xff, sizeof most);
  for (unsigned k = 0; k < s->count; k++)
    if (s->uops[k].op == TB_OP_UNKNOWN || s->uops[k].op == TB_OP_FPSR)
      most[s->uops[k].dst] = s->uops[k].imm;
    else if (s->uops[k].op == TB_OP_MERGED)
      most[s->uops[k].dst] = before[TB_A64_FPCR] >> TB_FPCR_NEP & 1
			     ? UINT64_MAX : s->uops[k].imm;
  for (unsigned i = 0; i < 64; i++)
    if (result->unknown_vectors >> i & 1)
      w->p[TB_A64_VECTOR + i] = random_64 () & most[TB_A64_VECTOR + i];
  uint32_t opcode = word_at (w, w->pc), rt = opcode & 31;
  uint64_t written = rt == 31 ? 0 : before[rt];
  if (result->unknown_fpcr)
    w->p[TB_A64_FPCR] = written & (random_64 () | 0x7c00000);
  if (result->unknown_fpsr && opcode >> 20 == 0xd51)
    w->p[TB_A64_FPSR] = written & (random_64 () | 0x800009f);
  else if (result->unknown_fpsr)
    w->p[TB_A64_FPSR] = before[TB_A64_FPSR]
			| (random_64 () & most[TB_A64_FPSR]);
}

/* Exclusive stores of S do or not.  */
static inline void
choose_status (struct tb_semantics *s)
{
  for (unsigned k = 0; k < s->count; k++)
    if (s->uops[k].op == TB_OP_UNKNOWN && s->uops[k].dst == TB_A64_T1)
      {
	s->uops[k].op = TB_OP_MOV;
	s->uops[k].a = TB_PLACE_IMM;
	s->uops[k].imm = random_number (2);
      }
}

/* Run the instruction at the PC if it does not fault.  */
static inline bool
step (struct world *w)
{
  struct tb_semantics s;
  struct tb_semantics_memory memory = { load, store, w };
  struct tb_semantics_result result;
  uint64_t before[TB_A64_END];

  tb_semantics_a64 (&s, word_at (w, w->pc), w->pc, 0);
  if (!s.modelled)
    return false;
  choose_status (&s);
  memcpy (before, w->p, sizeof before);
  w->fault = false;
  w->dry = true;
  tb_semantics_run (&s, w->p, &memory, &result);
  memcpy (w->p, before, sizeof before);
  /* Only a system register's value is let through.  */
  bool mrs = word_at (w, w->pc) >> 20 == 0xd53;
  if (w->fault || (result.unknown != 0 && !mrs))
    return false;
  note (w);
  w->dry = false;
  tb_semantics_run (&s, w->p, &memory, &result);
  for (unsigned r = 0; r < 31; r++)
    if (result.unknown >> r & 1)
      w->p[r] = random_64 ();
  choose_vectors (w, &s, &result, before);
  fake_raw_step (w->f, w->pc, word_at (w, w->pc), 4,
		 result.taken || result.leaves ? TB_STEP_TAKEN
		 : result.conditional ? TB_STEP_NOT_TAKEN : 0);
  w->steps++;
  w->pc += result.taken ? 8 : 4;
  return true;
}

/* A register: few, so that they meet.  */
static inline uint32_t
reg (void)
{
  static const uint8_t regs[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 29, 30, 31, 31 };
  return regs[random_number (12)];
}

/* Loads and stores that are exclusive or compare.  */
static inline uint32_t
random_exclusive (uint32_t rt, uint32_t rn, uint32_t rt2, uint32_t size)
{
  uint32_t rs = reg (), fields = rn << 5 | rt;
  bool clear = rs != rt && rs != rn && rs != rt2;
  switch (random_number (6))
    {
    case 0:
      return size << 30 | 0x085f7c00u | fields;
    case 1: case 2:
      return clear ? size << 30 | 0x08007c00u | rs << 16 | fields : 0xd503201f;
    case 3:
      return clear ? (size | 2) << 30 | 0x08200000u | rs << 16 | rt2 << 10 | fields
	     : 0xd503201f;
    case 4:			/* CAS  */
      return size << 30 | 0x08a07c00u | rs << 16 | fields;
    default:			/* CASP  */
      return (size & 1) << 30 | 0x08207c00u | (rs & 30) << 16 | (fields & ~1u);
    }
}

static inline uint32_t
random_memory (void)
{
  uint32_t rt = reg (), rn = reg (), rt2 = reg (), size = random_bits (2);
  switch (random_number (8))
    {
    case 6:
      return random_exclusive (rt, rn, rt2, size);
    case 7:			/* Atomic.  */
      return size << 30 | 0x38200000u | rt2 << 16 | random_number (9) << 12
	     | rn << 5 | rt;
    case 0:			/* Unsigned offset.  */
      return size << 30 | 0x39000000u | random_number (4) << 22
	     | random_bits (3) << 10 | rn << 5 | rt;
    case 1:			/* Unscaled, indexed.  */
      if (rn == rt)
	return 0xd503201f;
      return size << 30 | 0x38000000u | random_number (3) << 22
	     | ((random_bits (5) - 16) & 0x1ff) << 12
	     | (random_number (2) ? 0xc00 : 0x400) | rn << 5 | rt;
    case 2:			/* Register offset.  */
      return size << 30 | 0x38206800u | random_number (3) << 22 | rt2 << 16
	     | rn << 5 | rt;
    case 3: case 4:		/* Pairs.  */
      if (rt == rt2 || rt == rn || rt2 == rn)
	return 0xd503201f;
      return (random_number (2) ? 0x80000000u : 0) | 0x28000000u
	     | (1 + random_number (3)) << 23 | random_bits (1) << 22
	     | ((random_bits (3) - 4) & 0x7f) << 15 | rt2 << 10 | rn << 5
	     | rt;
    default:			/* Literal.  */
      return (random_number (2) ? 0x58000000u : 0x18000000u)
	     | ((CONSTANTS - CODE) / 4 - random_number (256)) << 5 | rt;
    }
}

static inline uint32_t
random_data (void)
{
  uint32_t sf = random_bits (1), s = sf << 31, rd = reg (), rn = reg ();
  uint32_t rm = reg () << 16, n5 = rn << 5, w = 5 + sf;
  switch (random_number (14))
    {
    case 0: case 1:
      return s | random_bits (2) << 29 | 0x11000000u
	     | random_bits (random_number (2) ? 4 : 12) << 10 | n5 | rd;
    case 2:
      return s | random_bits (2) << 29 | 0x12000000u | random_bits (12) << 10
	     | n5 | rd;
    case 3:
      return s | (random_number (2) ? 0x52800000u : 0x72800000u)
	     | random_bits (sf + 1) << 21 | random_bits (16) << 5 | rd;
    case 4:
      return s | random_number (3) << 29 | 0x13000000u | sf << 22
	     | random_bits (w) << 16 | random_bits (w) << 10 | n5 | rd;
    case 5:
      return s | 0x13800000u | sf << 22 | rm | random_bits (w) << 10 | n5
	     | rd;
    case 6: case 7:
      return s | random_bits (2) << 29 | 0x0a000000u | random_bits (3) << 21
	     | rm | (random_number (2) ? 0 : random_bits (w)) << 10 | n5 | rd;
    case 8:
      return s | random_bits (2) << 29 | 0x0b000000u | random_number (3) << 22
	     | rm | (random_number (2) ? 0 : random_bits (w)) << 10 | n5 | rd;
    case 9:
      return s | random_bits (2) << 29 | 0x0b200000u | rm
	     | random_bits (3) << 13 | random_number (5) << 10 | n5 | rd;
    case 10:
      return s | random_bits (2) << 29
	     | (random_number (2) ? 0x1a000000u : 0x1a400000u
		| random_bits (4) << 12 | random_bits (1) << 11)
	     | rm | n5 | (rd & 15);
    case 11:
      return s | random_bits (1) << 30 | 0x1a800000u | rm
	     | random_bits (4) << 12 | random_bits (1) << 10 | n5 | rd;
    case 12:
      return s | 0x1b000000u | (sf ? random_number (7) : 0) << 21 | rm
	     | random_bits (1) << 15 | reg () << 10 | n5 | rd;
    default:
      return s | (random_number (2) ? 0x1ac00000u | rm
		  | (2 + random_number (10)) << 10
		  : 0x5ac00000u | random_number (6) << 10) | n5 | rd;
    }
}

/* A vector register.  */
static inline uint32_t
vec (void)
{
  return random_number (6);
}

/* Loads and stores of vector registers.  */
static inline uint32_t
random_vector_memory (void)
{
  uint32_t rt = vec (), rn = reg (), size = random_bits (2);
  switch (random_number (6))
    {
    case 0:			/* Unsigned offset.  */
      return size << 30 | 0x3d000000u | random_bits (1) << 22
	     | (size == 0 ? random_bits (1) << 23 : 0) | random_bits (2) << 10
	     | rn << 5 | rt;
    case 1:			/* Unscaled, indexed.  */
      return size << 30 | 0x3c000000u | random_bits (1) << 22
	     | (size == 0 ? random_bits (1) << 23 : 0)
	     | ((random_bits (5) - 16) & 0x1ff) << 12
	     | random_bits (1) << 11 | random_bits (1) << 10 | rn << 5 | rt;
    case 2:			/* Pairs.  */
      return random_number (3) << 30 | 0x2c000000u
	     | (1 + random_number (3)) << 23 | random_bits (1) << 22
	     | ((random_bits (2) - 2) & 0x7f) << 15 | vec () << 10 | rn << 5
	     | rt;
    case 3:			/* Literal.  */
      return random_number (3) << 30 | 0x1c000000u
	     | ((CONSTANTS - CODE) / 4 - random_number (256)) << 5 | rt;
    case 4:			/* Multiple structures.  */
      return random_bits (1) << 30 | 0x0c800000u | random_bits (1) << 22
	     | 31u << 16 | random_bits (6) << 10 | rn << 5 | rt;
    default:			/* Single structures.  */
      return random_bits (1) << 30 | 0x0d000000u | random_bits (2) << 21
	     | random_bits (6) << 10 | rn << 5 | rt;
    }
}

/* Instructions on vector registers: bits that are given, and which.  */
static inline uint32_t
random_vector (void)
{
  static const struct { uint32_t mask, value; } rows[] = {
    { 0x9fe08400, 0x0e000400 },	/* Copies.  */
    { 0x9fe08400, 0x0e000400 },
    { 0xdfe08400, 0x5e000400 },
    { 0xbfe08400, 0x2e000000 },	/* EXT  */
    { 0xbf208c00, 0x0e000800 },	/* Permute.  */
    { 0x9ff80c00, 0x0f000400 },	/* Immediate.  */
    { 0x9f3e0c00, 0x0e200800 },	/* Two registers.  */
    { 0x9f20fc00, 0x0e201c00 },	/* Bitwise.  */
    { 0x9f20fc00, 0x0e201c00 },
    { 0x9f208400, 0x0e208400 },	/* Three the same.  */
    { 0x9f200c00, 0x0e200000 },	/* Three different.  */
    { 0x9f800400, 0x0f000400 },	/* Shifts.  */
    { 0xffff0000, 0x9e670000 },	/* FMOV to vectors.  */
    { 0xffff0000, 0x9eaf0000 },
    { 0xffff0000, 0x1e270000 },
    { 0xffff0000, 0x9e660000 },	/* And from there.  */
    { 0xffff0000, 0x9eae0000 },
    { 0xffff0000, 0x1e260000 },
    { 0xff3ffc00, 0x1e204000 },	/* FMOV  */
    { 0xff201fe0, 0x1e201000 },
    { 0xff200c00, 0x1e200c00 },	/* FCSEL  */
    { 0xff200c00, 0x1e200800 },	/* FADD and so on.  */
    { 0xffdfffe0, 0xd51b4400 }	/* msr fpcr, fpsr, and mrs  */
  };
  uint32_t which = random_number (sizeof rows / sizeof rows[0]);
  uint32_t any = random_bits (16) << 16 ^ random_bits (16);
  uint32_t opcode = (any & ~rows[which].mask) | rows[which].value;
  bool general = which < 2 || (which >= 12 && which < 18)
		 || which == sizeof rows / sizeof rows[0] - 1;
  opcode = (opcode & ~0x1f03ffu) | vec () << 16 | vec () << 5 | vec ();
  opcode = (opcode & ~(rows[which].mask & 0x1f03ffu))
	   | (rows[which].value & 0x1f03ffu);
  if (which < 4 || which == 5 || which == 11)
    opcode = (opcode & ~(~rows[which].mask & 0x1f0000u))
	     | (any & ~rows[which].mask & 0x1f0000u);
  if (general && random_number (2))
    opcode = (opcode & ~31u) | reg ();
  if (general && random_number (2))
    opcode = (opcode & ~0x3e0u) | (reg () << 5 & ~(rows[which].mask & 0x3e0))
	     | (rows[which].value & 0x3e0);
  return opcode;
}

/* Append instructions at the PC until COUNT have run.  */
static inline void
scribble (struct world *w, unsigned count, bool handler)
{
  uint32_t limit = (handler ? CODE : CONSTANTS) - 16;
  while (count > 0 && w->pc < limit)
    {
      uint32_t kind = random_number (16), opcode;
      if (kind < 2)		/* Over one instruction.  */
	{
	  static const uint32_t branches[3] = { 0x54000040, 0x34000040,
						0x36000040 };
	  uint32_t which = random_number (3);
	  opcode = branches[which];
	  if (which == 0)
	    opcode |= random_bits (4);
	  else if (which == 1)
	    opcode |= random_bits (1) << 31 | random_bits (1) << 24 | reg ();
	  else
	    opcode |= random_bits (1) << 31 | random_bits (1) << 24
		      | random_bits (5) << 19 | reg ();
	  put (w, w->pc + 4, 0xd503201f);
	}
      else if (kind == 2)	/* mrs tpidr_el0, nzcv; msr nzcv  */
	{
	  static const uint32_t moves[3] = { 0xd53bd040, 0xd53b4200,
					     0xd51b4200 };
	  opcode = moves[random_number (3)] | reg ();
	}
      else
	{
	  bool is_vector = w->has_vectors && random_number (2);
	  if (kind < 8)
	    opcode = is_vector ? random_vector_memory () : random_memory ();
	  else
	    opcode = is_vector ? random_vector () : random_data ();
	}
      put (w, w->pc, opcode);
      if (step (w))
	count--;
    }
}

/* An exception at the PC to EL1, with a handler of its own.  */
static inline void
interrupt (struct world *w)
{
  uint64_t *p = w->p, saved[4];
  uint32_t resume = w->pc;
  if (w->next_handler == 0)
    w->next_handler = HANDLER;
  /* The instruction that goes on after it must be there.  */
  put (w, resume, 0xd503201f);
  fake_event (w->f, TB_EVENT_EXCEPTION, resume);
  memcpy (saved, p + TB_A64_N, sizeof saved);
  for (unsigned i = 0; i < 4; i++)
    p[TB_A64_N + i] = random_number (2);
  if (w->user)
    {
      fake_event (w->f, TB_EVENT_CONTEXT, 0)->el = 1;
      p[TB_A64_SP_EL0] = p[TB_A64_SP];
      p[TB_A64_SP] = p[TB_A64_SP_EL1];
      p[TB_A64_SPSEL] = 1;
    }
  w->pc = w->next_handler;
  scribble (w, 1 + random_number (6), true);
  put (w, w->pc, 0xd69f03e0);	/* eret  */
  step (w);
  w->next_handler = w->pc;
  memcpy (p + TB_A64_N, saved, sizeof saved);
  if (w->user)
    {
      fake_event (w->f, TB_EVENT_CONTEXT, 0)->el = 0;
      p[TB_A64_SP_EL1] = p[TB_A64_SP];
      p[TB_A64_SP] = p[TB_A64_SP_EL0];
      p[TB_A64_SPSEL] = 0;
    }
  w->pc = resume;
  step (w);
}

static inline void
make (struct world *w)
{
  memset (w, 0, sizeof *w);
  w->f = fake_new (TB_ARCH_V8A);
  w->user = random_number (2);
  w->has_vectors = random_number (4) != 0;
  fake_event (w->f, TB_EVENT_CONTEXT, 0)->el = !w->user;
  for (unsigned i = (CONSTANTS - HANDLER) / 4; i < sizeof w->flash / 4; i++)
    w->flash[i] = random_bits (30) << 2;
  for (unsigned i = 0; i < RAM_WORDS; i++)
    w->ram[i] = random_number (4) ? random_64 ()
		: FAKE_RAM + 8 * random_number (RAM_WORDS);
  for (unsigned i = 0; i < 31; i++)
    w->p[i] = random_number (3) ? FAKE_RAM + 8 * random_number (RAM_WORDS)
	      : random_number (2) ? random_number (300) : random_64 ();
  w->p[TB_A64_SP] = FAKE_RAM + 16 * (8 + random_number (10));
  w->p[TB_A64_SP_EL1] = FAKE_RAM + 16 * (8 + random_number (10));
  w->p[TB_A64_SPSEL] = !w->user;
  for (unsigned i = TB_A64_VECTOR; i < TB_A64_END; i++)
    w->p[i] = random_64 ();
  w->pc = CODE;
  unsigned rounds = 2 + random_number (10);
  for (unsigned i = 0; i < rounds && w->steps < STEPS - 60; i++)
    {
      scribble (w, 5 + random_number (30), false);
      if (random_number (3) == 0)
	interrupt (w);
    }
  note (w);
  fake_dump (w->f, HANDLER, w->flash, sizeof w->flash);
  fake_dump (w->f, FAKE_RAM, w->ram, sizeof w->ram);
  fake_end (w->f, w->pc, true);
}

#endif /* TB_UNIT_RANDOM_PROGRAM_A64_H */
