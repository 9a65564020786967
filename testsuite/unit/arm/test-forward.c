/* Compiled instructions, and what is said of their operands, against their micro-operations:
   the same from any state.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All 16-bit instructions, and many of 32 bits, each outside of an IT block and
   under some condition, from states with numbers that are corner cases.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arm/ir/forward.h"
#include "arm/ir/operands.h"
#include "check.h"
#include "run-32.h"

static uint64_t seed = 1;

static uint32_t
random_number (void)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 32);
}

/* What a run did with memory.  */
struct accesses
{
  unsigned count;
  struct { uint32_t address, size, value; bool store; } list[64];
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct accesses *all = context;
  uint32_t value = address * UINT32_C (2654435761) >> (32 - 8 * size);
  if (CHECK (all->count < 64))
    {
      all->list[all->count].address = address;
      all->list[all->count].size = size;
      all->list[all->count].value = value;
      all->list[all->count++].store = false;
    }
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct accesses *all = context;
  if (CHECK (all->count < 64))
    {
      all->list[all->count].address = address;
      all->list[all->count].size = size;
      all->list[all->count].value = value;
      all->list[all->count++].store = true;
    }
}

/* A number for a register.  */
static uint32_t
number (void)
{
  static const uint32_t corners[] = {
    0, 1, 2, 31, 32, 33, 63, 64, 255, 256, 0x7fffffff, 0x80000000, 0x80000001,
    0xffffffff, 0xfffffffe, 0x7fff8000, 0xffff, 0x20000000
  };
  uint32_t r = random_number ();
  return r & 1 ? corners[(r >> 1) % (sizeof corners / sizeof corners[0])]
	 : random_number ();
}

static void
random_state (uint32_t *p, bool is_m)
{
  for (unsigned i = 0; i < TB_NPLACES; i++)
    p[i] = i >= TB_SLOT_N && i < TB_NSLOTS ? random_number () & 1 : number ();
  p[TB_SLOT_GE] = random_number () & 15;
  if (!is_m)
    p[TB_SLOT_MODE] = random_number () & 1 ? TB_MODE_USR : TB_MODE_SVC;
}

static struct
{
  unsigned described, compiled, accesses, based;
} seen;

/* The instruction S ran from registers P and did ALL: were its accesses to where the operands
   say, with what they say?  AFTER: the places then.  */
static bool
check_operands (const struct tb_semantics *s, const uint32_t *p, const uint32_t *after,
		const struct accesses *all)
{
  for (unsigned k = 0; k < all->count; k++)
    {
      uint32_t offset;
      const struct tb_uop *u = tb_operands_access (s->uops, s->count, k);
      if (u == NULL || tb_op_is (u->op, TB_STORES) != all->list[k].store)
	return false;
      seen.accesses++;
      unsigned data = tb_operands_data (u);
      if (all->list[k].store && data < TB_NSLOTS && all->list[k].size == 4
	  && after[data] == p[data] && all->list[k].value != p[data])
	return false;
      unsigned base = tb_operands_base (s->uops, u, &offset);
      if (base == TB_PLACE_NONE)
	continue;
      seen.based++;
      if (base >= TB_NSLOTS || p[base] + offset != all->list[k].address)
	return false;
    }
  return true;
}

/* Compare from TIMES states.  */
static bool
compare (const struct tb_semantics *s, bool is_m, unsigned times)
{
  struct tb_forward_op ops[TB_FORWARD_MOST (TB_SEM_MAX)];
  if (!s->modelled)
    return true;
  unsigned n = tb_forward_compile (ops, s->uops, s->count, s->flags);
  for (unsigned i = 0; i < s->count; i++)
    if (s->uops[i].dst >= TB_PLACE_FP || s->uops[i].a >= TB_PLACE_FP
	|| s->uops[i].b >= TB_PLACE_FP)
      return CHECK_INT (n, 0);
  seen.described++;
  if (n == 0)
    return true;
  seen.compiled++;
  if (!CHECK (n <= TB_FORWARD_MOST (s->count + 0u)))
    return false;
  for (unsigned i = 0; i < times; i++)
    {
      uint32_t p[TB_PLACE_END], q[TB_PLACE_END];
      struct accesses one = { .count = 0 }, other = { .count = 0 };
      struct tb_forward_memory memory = { load, store, &one };
      struct tb_semantics_result x;
      struct tb_forward_result y;
      uint32_t first[TB_PLACE_END];
      random_state (p, is_m);
      memcpy (q, p, sizeof q);
      memcpy (first, p, sizeof first);
      run_32 (s, p, &memory, &x);
      if (!CHECK (check_operands (s, first, p, &one)))
	return false;
      memory.context = &other;
      tb_forward_run (ops, q, &memory, &y);
      if (memcmp (p, q, TB_NSLOTS * sizeof *p) != 0
	  || x.conditional != y.conditional || x.taken != y.taken
	  || x.skipped != y.skipped || x.indirect != y.indirect
	  || x.target != y.target || x.banked
	  || one.count != other.count
	  || memcmp (one.list, other.list, one.count * sizeof one.list[0]) != 0)
	return false;
    }
  return true;
}

static void
test_one (uint32_t opcode, unsigned size, bool is_a32,
	  const struct tb_profile *profile, unsigned times)
{
  struct tb_semantics s;
  unsigned it = random_number () & 1 ? TB_IT_NONE : random_number () % 15;
  if (profile->arch == TB_ARCH_V6M)
    it = TB_IT_NONE;
  memset (&s, 0, sizeof s);
  if (is_a32)
    tb_semantics_a32 (&s, opcode, 0x1000, profile);
  else
    tb_semantics_t32_it (&s, opcode, size, 0x1000, it, profile);
  if (!CHECK (compare (&s, profile->is_m, times)))
    fprintf (stderr, "%s %#x, condition %u\n", is_a32 ? "A32" : "T32", opcode,
	     it);
}

static void
test_profile (const char *core, unsigned many)
{
  struct tb_profile profile;
  if (!CHECK (tb_profile_find (&profile, core)))
    return;
  memset (&seen, 0, sizeof seen);
  for (uint32_t op = 0; op < 0xe800; op++)
    test_one (op, 2, false, &profile, 8);
  for (unsigned i = 0; i < many; i++)
    test_one ((0xe8000000 + random_number () % 0x18000000)
	      & ((random_number () & 1) ? UINT32_MAX : 0xfffff0ff), 4, false,
	      &profile, 4);
  for (unsigned i = 0; i < many && !profile.is_m; i++)
    test_one (random_number (), 4, true, &profile, 4);
  /* Few are not compiled.  */
  CHECK (seen.compiled > 50000);
  CHECK (seen.compiled > seen.described - seen.described / 10);
  CHECK (seen.based > seen.accesses / 2);
}

int
main (void)
{
  test_profile ("Cortex-M0+", 20000);
  test_profile ("Cortex-M4", 300000);
  test_profile ("Cortex-M33", 100000);
  test_profile ("Cortex-A15", 300000);
  return check_done ();
}
