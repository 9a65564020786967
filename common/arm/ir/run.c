/* Semantics: micro-operations on numbers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/semantics-a64.h"
#include "arm/ir/system-registers.h"

#include <assert.h>
#include <stddef.h>

/* One run.  */
struct run
{
  uint64_t *p;
  bool wide;
  unsigned flags;		/* The place of N; Z, C and V are behind it.  */
  unsigned does;		/* TB_SEM_...  */
  uint64_t unknown;		/* Places below 64 whose value is not told.  */
  uint64_t unknown_vectors[2];	/* The same from TB_PLACE_FP on.  */
  const struct tb_semantics_memory *memory;
  struct tb_semantics_result *result;
};

/* Of A32 and T32, which are not WIDE, what is not told counts as 0.  */
static inline bool
is_unknown (const struct run *run, bool wide, unsigned place)
{
  return wide && run->unknown >> place & 1;
}

static void
set (struct run *run, unsigned dst, uint64_t value, bool unknown)
{
  uint64_t bit = UINT64_C (1) << dst;
  run->p[dst] = unknown ? 0 : value;
  run->unknown = unknown ? run->unknown | bit : run->unknown & ~bit;
}

/* C and V of A + B + CARRY, of 32 bits.  */
static void
add_carry (struct run *run, uint64_t a, uint64_t b, uint64_t carry)
{
  uint64_t sum = a + b + carry;
  run->p[TB_SLOT_C] = sum >> 32;
  run->p[TB_SLOT_V] = (~(a ^ b) & (a ^ sum)) >> 31 & 1;
}

static void
put_condition (struct run *run, const struct tb_uop *u)
{
  const uint64_t *flag = run->p + run->flags;
  bool holds = tb_condition_holds (tb_uop_number (u), flag[0], flag[1], flag[2], flag[3]);
  set (run, u->dst, holds, false);
  run->result->skipped = !run->wide && !holds;
  if (run->does & TB_SEM_BRANCH)
    {
      run->result->conditional = true;
      run->result->taken = holds;
    }
}

/* The mode that has the bank of MODE.  */
static unsigned
bank (uint64_t mode)
{
  return mode == TB_MODE_SYS ? TB_MODE_USR : (unsigned) mode;
}

/* Go to MODE.  */
static void
set_mode (struct run *run, uint64_t mode)
{
  if (bank (mode) != bank (run->p[TB_SLOT_MODE]))
    run->result->banked = true;
  run->p[TB_SLOT_MODE] = mode;
}

/* Where register NUMBER (TB_SYS_REG) is now; TB_PLACE_NONE: in no place.  Their numbers
   are the places.  */
static unsigned
banked_place (const uint64_t *p, uint64_t number)
{
  unsigned r = TB_SYS_REG_R (number), mode = (unsigned) p[TB_SLOT_MODE];
  if (number == TB_SYS_RETURN)
    return mode == TB_MODE_HYP ? (unsigned) TB_PLACE_NONE : (unsigned) TB_SLOT_LR;
  if (bank (TB_SYS_REG_MODE (number)) != bank (mode) || r == 0)
    return TB_PLACE_NONE;
  return r;
}

/* U reads a banked register, or writes A to it.  */
static void
move_banked (struct run *run, const struct tb_uop *u, uint64_t a)
{
  unsigned place = banked_place (run->p, u->imm);
  bool is_there = place != TB_PLACE_NONE;
  run->result->banked |= !is_there;
  if (u->op == TB_OP_READ_BANKED)
    run->p[u->dst] = is_there ? run->p[place] : 0;
  else if (is_there)
    run->p[place] = a;
}

/* The place of SP_ELn in use or not; the caller's PLACES are those of EL1.  */
static unsigned
stack_place (const uint64_t *p, unsigned el)
{
  return el == p[TB_A64_SPSEL] && el < 2 ? TB_A64_SP : TB_A64_SP_EL0 + el;
}

/* PSTATE.SP or, of the M profile, CONTROL.SPSEL becomes VALUE.  */
static void
write_spsel (struct run *run, uint64_t value)
{
  uint64_t *p = run->p;
  if (run->wide)
    {
      p[p[TB_A64_SPSEL] ? TB_A64_SP_EL1 : TB_A64_SP_EL0] = p[TB_A64_SP];
      p[TB_A64_SPSEL] = value;
      p[TB_A64_SP] = p[value ? TB_A64_SP_EL1 : TB_A64_SP_EL0];
    }
  else if (value != p[TB_SLOT_SPSEL])
    {
      uint64_t sp = p[TB_SLOT_SP];
      p[TB_SLOT_SPSEL] = value;
      p[TB_SLOT_SP] = p[TB_SLOT_SP_OTHER];
      p[TB_SLOT_SP_OTHER] = sp;
    }
}

static uint64_t
operand (const uint64_t *p, unsigned place, uint64_t imm)
{
  return place == TB_PLACE_IMM ? imm : p[place];
}

/* Run U.  The compiler makes one of it for each width.  */
static inline __attribute__ ((always_inline)) void
step (struct run *run, bool wide, const struct tb_uop *u)
{
  uint64_t *p = run->p;
  uint64_t a = operand (p, u->a, u->imm), b = operand (p, u->b, u->imm);
  bool ua = is_unknown (run, wide, u->a), ub = is_unknown (run, wide, u->b);
  bool unsure = u->when != TB_ALWAYS && is_unknown (run, wide, u->when);
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
    case TB_OP_UNKNOWN: case TB_OP_ASPEN:
      set (run, u->dst, 0, true);
      break;
    case TB_OP_NZ:
      p[TB_SLOT_N] = a >> 31;
      p[TB_SLOT_Z] = a == 0;
      break;
    case TB_OP_CV_ADD:
      add_carry (run, a, b, u->dst < TB_NPLACES ? p[u->dst] : 0);
      break;
    case TB_OP_CV_SUB:
      add_carry (run, a, (uint32_t) ~b, u->dst < TB_NPLACES ? p[u->dst] : 1);
      break;
    case TB_OP_C_SHIFT:
      if ((b & 255) != 0)
	p[TB_SLOT_C] = tb_op_value (u->dst - TB_OP_LSL + TB_OP_C_LSL, 32, a, b);
      break;
    case TB_OP_CONDITION:
      put_condition (run, u);
      break;
    case TB_OP_IS_PRIVILEGED:
      p[u->dst] = tb_is_place (u->b) ? a || !b : a != TB_MODE_USR;
      break;
    case TB_OP_FIELD:
      p[u->dst] |= a << TB_FIELD_AT (u->imm);
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
      run->result->leaves = wide;
      break;
    case TB_OP_LOAD: case TB_OP_LOAD_LITERAL:
      set (run, u->dst, run->memory->load (run->memory->context, a, TB_ACCESS_SIZE (u->imm)),
	   ua);
      break;
    case TB_OP_STORE:
      run->memory->store (run->memory->context, a, TB_ACCESS_SIZE (u->imm), b,
			  !unsure && !ub);
      break;
    case TB_OP_MODE:
      set_mode (run, a & 31);
      break;
    case TB_OP_READ_BANKED: case TB_OP_WRITE_BANKED:
      move_banked (run, u, a);
      break;
    case TB_OP_READ_SP:
      set (run, u->dst, p[stack_place (p, tb_uop_number (u))], false);
      break;
    case TB_OP_WRITE_SP:
      p[stack_place (p, tb_uop_number (u))] = a;
      break;
    case TB_OP_WRITE_SPSEL:
      write_spsel (run, a);
      break;
    case TB_OP_COMPARED: case TB_OP_FORGET: case TB_OP_FORGET_SAVED: case TB_OP_FP:
    case TB_OP_PRIVILEGED:
      break;
    default:
      set (run, u->dst, tb_op_value (u->op, wide ? 64 : 32, a, b), ua || ub);
      break;
    }
}

/* As UNKNOWN of it has places below 64 only, these stand for others: of A, B and
   DST.  */
enum { STAND_A = TB_PLACE_NONE + 1, STAND_B, STAND_DST };
_Static_assert ((unsigned) STAND_DST < TB_PLACE_FP, "places");

static void
stand (struct run *run, unsigned place, unsigned other)
{
  unsigned i = other - TB_PLACE_FP;
  set (run, place, run->p[other], run->unknown_vectors[i / 64] >> i % 64 & 1);
}

static void
put (struct run *run, unsigned place, uint64_t value, bool unknown)
{
  unsigned i = place - TB_PLACE_FP;
  uint64_t bit = UINT64_C (1) << i % 64, *word = &run->unknown_vectors[i / 64];
  run->p[place] = value;
  *word = unknown ? *word | bit : *word & ~bit;
}

/* U, which has to do with places from TB_PLACE_FP on, with others standing for
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
  if (u->a >= TB_PLACE_FP)
    stand (run, standing->a = STAND_A, u->a);
  if (u->b >= TB_PLACE_FP)
    stand (run, standing->b = STAND_B, u->b);
  if (u->dst >= TB_PLACE_FP)
    /* It stays where the predicate is 0.  */
    stand (run, standing->dst = STAND_DST, u->dst);
  return standing;
}

static inline __attribute__ ((always_inline)) void
run_all (struct run *run, bool wide, const struct tb_semantics *semantics)
{
  struct tb_uop standing;
  for (unsigned i = 0; i < semantics->count; i++)
    {
      const struct tb_uop *u = &semantics->uops[i];
      unsigned dst = u->dst;
      if ((dst | u->a | u->b) >= TB_PLACE_FP)
	u = begin_vector (run, u, &standing);
      if (u == NULL)
	continue;
      step (run, wide, u);
      if (dst >= TB_PLACE_FP)
	put (run, dst, run->p[STAND_DST], is_unknown (run, wide, STAND_DST));
    }
}

void
tb_semantics_run (const struct tb_semantics *semantics, uint64_t *places,
		  const struct tb_semantics_memory *memory,
		  struct tb_semantics_result *result)
{
  bool wide = semantics->wide;
  struct run run = {
    .p = places, .memory = memory, .result = result, .wide = wide,
    .flags = wide ? (unsigned) TB_A64_N : (unsigned) TB_SLOT_N, .does = semantics->flags
  };
  *result = (struct tb_semantics_result) { 0 };
  /* They are read as others are.  */
  places[TB_PLACE_ZERO] = places[TB_PLACE_NONE] = 0;
  if (!wide)
    {
      run_all (&run, false, semantics);
      return;
    }
  run_all (&run, true, semantics);
  result->unknown = run.unknown & ((UINT64_C (1) << TB_A64_NSLOTS) - 1);
  result->unknown_vectors = run.unknown_vectors[0];
  result->unknown_fpcr = run.unknown_vectors[1] & 1;
  result->unknown_fpsr = run.unknown_vectors[1] >> 1 & 1;
}
