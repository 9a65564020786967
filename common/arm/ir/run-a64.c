/* Semantics of A64: micro-operations on numbers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/semantics-a64.h"

#include <assert.h>
#include <stddef.h>

/* The place of SP_ELn in use or not; the caller's PLACES are those of EL1.  */
static unsigned
banked (const uint64_t *p, unsigned el)
{
  return el == p[TB_A64_SPSEL] && el < 2 ? TB_A64_SP : TB_A64_SP_EL0 + el;
}

/* One run.  */
struct run
{
  uint64_t *p;
  uint64_t unknown;		/* Places below 64 whose value is not told.  */
  uint64_t unknown_vectors[2];	/* The same from TB_A64_VECTOR on.  */
  struct tb_semantics_result_64 *result;
};

static bool
is_unknown (const struct run *run, unsigned place)
{
  return run->unknown >> place & 1;
}

static void
set (struct run *run, unsigned dst, uint64_t value, bool unknown)
{
  uint64_t bit = UINT64_C (1) << dst;
  run->p[dst] = unknown ? 0 : value;
  run->unknown = unknown ? run->unknown | bit : run->unknown & ~bit;
}

static void
write_spsel (struct run *run, uint64_t value)
{
  uint64_t *p = run->p;
  p[p[TB_A64_SPSEL] ? TB_A64_SP_EL1 : TB_A64_SP_EL0] = p[TB_A64_SP];
  p[TB_A64_SPSEL] = value;
  p[TB_A64_SP] = p[value ? TB_A64_SP_EL1 : TB_A64_SP_EL0];
}

static uint64_t
operand (const uint64_t *p, unsigned place, uint64_t imm)
{
  return place == TB_PLACE_IMM ? imm : p[place];
}

static void
step (struct run *run, const struct tb_uop *u,
      const struct tb_semantics_memory_64 *memory)
{
  uint64_t *p = run->p;
  uint64_t a = operand (p, u->a, u->imm), b = operand (p, u->b, u->imm);
  bool ua = is_unknown (run, u->a), ub = is_unknown (run, u->b), holds;
  bool unsure = u->when != TB_ALWAYS && is_unknown (run, u->when);
  if (u->when != TB_ALWAYS && !unsure && !p[u->when])
    return;
  if (unsure && tb_op_is (u->op, TB_WRITES))
    {
      set (run, u->dst, 0, true);
      return;
    }
  assert (!unsure || tb_op_is (u->op, TB_STORES));
  switch (u->op)
    {
    case TB_OP_UNKNOWN:
      set (run, u->dst, 0, true);
      break;
    case TB_OP_CONDITION:
      holds = tb_condition_holds (tb_uop_number (u), p[TB_A64_N], p[TB_A64_Z],
				  p[TB_A64_C], p[TB_A64_V]);
      set (run, u->dst, holds, false);
      break;
    case TB_OP_BRANCH_IF:
      run->result->conditional = true;
      run->result->taken = a == u->imm;
      break;
    case TB_OP_TARGET:
      run->result->indirect = !ua;
      run->result->target = a & u->imm;
      break;
    case TB_OP_ERET: case TB_OP_TRAP:
      run->result->leaves = true;
      break;
    case TB_OP_LOAD: case TB_OP_LOAD_LITERAL:
      set (run, u->dst, memory->load (memory->context, a, tb_uop_number (u)), ua);
      break;
    case TB_OP_STORE:
      memory->store (memory->context, a, tb_uop_number (u), b, !unsure && !ub);
      break;
    case TB_OP_READ_SP:
      set (run, u->dst, p[banked (p, tb_uop_number (u))], false);
      break;
    case TB_OP_WRITE_SP:
      p[banked (p, tb_uop_number (u))] = a;
      break;
    case TB_OP_WRITE_SPSEL:
      write_spsel (run, a);
      break;
    case TB_OP_COMPARED: case TB_OP_FORGET:
    case TB_OP_FORGET_SAVED:
      break;
    default:
      set (run, u->dst, tb_op_value (u->op, 64, a, b), ua || ub);
      break;
    }
}

/* As UNKNOWN of it has places below 64 only, these stand for others: of A, B and
   DST.  */
enum { STAND_A = TB_PLACE_NONE + 1, STAND_B, STAND_DST };
_Static_assert ((unsigned) STAND_DST < TB_A64_VECTOR, "places");

static void
stand (struct run *run, unsigned place, unsigned other)
{
  unsigned i = other - TB_A64_VECTOR;
  set (run, place, run->p[other], run->unknown_vectors[i / 64] >> i % 64 & 1);
}

static void
put (struct run *run, unsigned place, uint64_t value, bool unknown)
{
  unsigned i = place - TB_A64_VECTOR;
  uint64_t bit = UINT64_C (1) << i % 64, *word = &run->unknown_vectors[i / 64];
  run->p[place] = value;
  *word = unknown ? *word | bit : *word & ~bit;
}

/* U, which has to do with places from TB_A64_VECTOR on, with others standing for
   them, in *STANDING; NULL: it was done.  */
static __attribute__ ((noinline)) const struct tb_uop *
begin_vector (struct run *run, const struct tb_uop *u,
	      struct tb_uop *standing)
{
  *standing = *u;
  if (u->op == TB_OP_MERGED)
    {
      bool merges = run->unknown_vectors[1] & 1
		    || run->p[TB_A64_FPCR] >> TB_FPCR_NEP & 1;
      put (run, u->dst, 0, merges || u->imm != 0);
      return NULL;
    }
  if (u->op == TB_OP_FORGET_VECTORS || u->op == TB_OP_FPSR)
    {
      /* FPSR is the last one.  */
      for (unsigned place = u->dst; place < TB_A64_END; place++)
	put (run, place, 0, true);
      return NULL;
    }
  if (u->a >= TB_A64_VECTOR)
    stand (run, standing->a = STAND_A, u->a);
  if (u->b >= TB_A64_VECTOR)
    stand (run, standing->b = STAND_B, u->b);
  if (u->dst >= TB_A64_VECTOR)
    /* It stays where the predicate is 0.  */
    stand (run, standing->dst = STAND_DST, u->dst);
  return standing;
}

void
tb_semantics_run_64 (const struct tb_semantics *semantics, uint64_t *places,
		     const struct tb_semantics_memory_64 *memory,
		     struct tb_semantics_result_64 *result)
{
  struct run run = { .p = places, .result = result };
  struct tb_uop standing;
  *result = (struct tb_semantics_result_64) { 0 };
  /* They are read as others are.  */
  places[TB_PLACE_ZERO] = places[TB_PLACE_NONE] = 0;
  for (unsigned i = 0; i < semantics->count; i++)
    {
      const struct tb_uop *u = &semantics->uops[i];
      unsigned dst = u->dst;
      if ((dst | u->a | u->b) >= TB_A64_VECTOR)
	u = begin_vector (&run, u, &standing);
      if (u == NULL)
	continue;
      step (&run, u, memory);
      if (dst >= TB_A64_VECTOR)
	put (&run, dst, places[STAND_DST], is_unknown (&run, STAND_DST));
    }
  result->unknown = run.unknown & ((UINT64_C (1) << TB_A64_NSLOTS) - 1);
  result->unknown_vectors = run.unknown_vectors[0];
  result->unknown_fpcr = run.unknown_vectors[1] & 1;
  result->unknown_fpsr = run.unknown_vectors[1] >> 1 & 1;
}
