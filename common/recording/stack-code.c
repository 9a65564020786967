/* Code and the stack pointer.  See stack-code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/stack-code.h"

#include "arm/ir/semantics.h"

/* Registers hold numbers that are so far from each other.  */
#define APART UINT32_C (0x00100000)
#define FIRST UINT32_C (0x40000000)

/* What is so near to the stack pointer is on the stack.  */
#define NEAR 0x1000

/* Twice as far a number is moved that what is made of it shows it.  */
#define MOVED UINT32_C (0x00020000)

/* Those that functions keep, and the two of them that point to frames (AAPCS32, 6.1.1; T32 code
   of GCC and LLVM).  */
enum { KEPT_FIRST = 4, FRAME = 7, KEPT_LAST = 11, OTHER_FRAME = 11 };

struct stack_run
{
  uint64_t places[TB_PLACE_END];
  uint64_t frames[2];		/* What those two held at first.  */
  uint32_t loaded;		/* Never the same twice.  */
  bool saved;
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct stack_run *r = context;
  (void) address;
  (void) size;
  return r->loaded += 0x01234560;
}

static bool
is_near (uint64_t address, uint64_t to)
{
  return (uint32_t) (address - to) + NEAR <= 2 * NEAR;
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value, bool certain)
{
  struct stack_run *r = context;
  (void) certain;
  r->saved |= size == 4 && is_near (value, r->places[TB_SLOT_SP])
	      && !is_near (address, r->places[TB_SLOT_SP])
	      && !is_near (address, r->frames[0]) && !is_near (address, r->frames[1]);
}

/* May S set the stack pointer, or give it to something that stores it, but by what moves it by
   a number that S has?  DDI 0403, A7.7: MOV (register), ADD (SP plus register), LDR and STR
   (immediate, T3 and T4; register, T2), MOV.W, SUB.W and the like.  */
static bool
is_strange (const struct tb_step *s)
{
  if (s->size == 2)
    return (s->opcode & 0xff87) == 0x4685 || (s->opcode & 0xff87) == 0x4485
	   || (s->opcode & 0xff78) == 0x4668;
  unsigned first = s->opcode >> 16, second = s->opcode & 0xffff;
  return ((first & 0xff60) == 0xf840 && second >> 12 == 13)
	 || ((first & 0xfe00) == 0xea00 && (second >> 8 & 15) == 13)
	 || ((first & 0xfa00) == 0xf000 && second < 0x8000 && (second >> 8 & 15) == 13
	     && (first & 15) != 13);
}

/* Run STEPS with the stack pointer moved by SP, and what functions keep by KEPT: what it is
   behind them.  */
static uint64_t
run (const struct tb_step *steps, size_t count, const struct tb_profile *profile,
     uint32_t sp, uint32_t kept, bool *saved)
{
  struct stack_run r = { .places = { 0 }, .loaded = UINT32_C (0x80000000) };
  const struct tb_semantics_memory memory = { load, store, &r };
  for (unsigned i = 0; i < 15; i++)
    r.places[i] = FIRST + APART * i
		  + (i == TB_SLOT_SP ? sp : i >= KEPT_FIRST && i <= KEPT_LAST ? kept : 0);
  r.places[TB_SLOT_SP_OTHER] = FIRST + APART * 16;
  r.places[TB_SLOT_NPRIV] = 1;
  r.frames[0] = r.places[FRAME];
  r.frames[1] = r.places[OTHER_FRAME];
  for (size_t i = 0; i < count; i++)
    {
      struct tb_semantics s;
      struct tb_semantics_result result;
      if (tb_semantics_of (&s, steps[i].isa, steps[i].opcode, steps[i].size, steps[i].pc,
			   TB_IT_NONE, profile))
	tb_semantics_run (&s, r.places, &memory, &result);
    }
  *saved = r.saved;
  return r.places[TB_SLOT_SP];
}

unsigned
tb_stack_code (const struct tb_step *steps, size_t count, const struct tb_profile *profile)
{
  bool strange = false, saved, ignored;
  for (size_t i = 0; i < count && !strange; i++)
    strange = steps[i].isa == TB_ISA_T32 && is_strange (&steps[i]);
  if (!strange)
    return 0;
  uint64_t sp = run (steps, count, profile, 0, 0, &saved);
  bool own = run (steps, count, profile, MOVED, 0, &ignored) != sp;
  bool made = own || run (steps, count, profile, 0, MOVED, &ignored) != sp;
  /* PUSH and POP alone leave it what it was, but for a number.  */
  bool moved = own && is_near (sp, FIRST + APART * TB_SLOT_SP);
  return (saved ? TB_SP_SAVED : 0u)
	 | (moved ? 0u : made ? TB_SP_KEPT : TB_SP_REPLACED);
}
