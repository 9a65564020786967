/* Compiling micro-operations, and running what comes of it.  See forward.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/forward.h"

/* Places have five bits; TB_PLACE_IF is none here: a condition is an operation.  */
#define PLACES 32
_Static_assert ((unsigned) TB_PLACE_IF == PLACES && TB_NPLACES == PLACES + 1, "It is last.");

/* Operations.  Those of enum tb_op up to TB_OP_LAST_VALUE are themselves; with
   IMMEDIATE their second operand is the immediate.  */
enum
{
  IMMEDIATE = 64,
  SET = 128,			/* DST = IMM.  */
  /* DST = A + B, A - B, with flags; the second one with IMM for B.  */
  ADD_FLAGS, ADD_FLAGS_IMM, SUB_FLAGS, SUB_FLAGS_IMM,
  /* DST = A shifted by IMM, 1 .. 31, with N, Z and C.  */
  LSL_FLAGS, LSR_FLAGS,
  /* As the micro-operations.  */
  NZ, CARRY_SHIFT, CARRY_SHIFT_IMM,
  /* C and V by A + B + the place DST; A - B - 1 + that.  */
  CARRY_ADD, CARRY_SUB,
  CARRY_ADD_IMM, CARRY_SUB_IMM,
  ZERO_ADD, ZERO_SUB,		/* The same without a carry in.  */
  ZERO_ADD_IMM, ZERO_SUB_IMM,
  /* DST = B bytes at A + IMM; IMM bytes at A + B; B bytes at IMM.  */
  LOAD, LOAD_INDEX, LOAD_AT,
  /* Likewise DST is stored.  */
  STORE, STORE_INDEX, STORE_AT,
  BRANCH_IF,			/* TB_OP_BRANCH_IF  */
  /* If condition B does not hold (A is 0), go on DST operations further.  */
  IF, IF_BRANCH, IF_VALUE,
  TARGET,
  END
};
_Static_assert ((unsigned) TB_OP_LAST_VALUE < IMMEDIATE, "IMMEDIATE is a bit.");

/* What is compiled.  */
struct source
{
  const struct tb_uop *uops;
  unsigned count, flags;
  unsigned when;		/* The predicate of what is being compiled.  */
};

static bool
is_temporary (unsigned place)
{
  return place >= TB_NSLOTS && place < TB_NPLACES;
}

/* Does U read PLACE?  */
static bool
reads (const struct tb_uop *u, unsigned place)
{
  return u->a == place || u->b == place || u->when == place
	 || (tb_op_is (u->op, TB_READS_DST) && u->dst == place);
}

/* Does U write PLACE, a temporary?  */
static bool
writes (const struct tb_uop *u, unsigned place)
{
  return u->dst == place && tb_op_is (u->op, TB_WRITES);
}

/* Is the temporary PLACE of no use from micro-operation K on?  */
static bool
is_dead (const struct source *s, unsigned place, unsigned k)
{
  for (; k < s->count; k++)
    if (reads (&s->uops[k], place))
      return false;
    else if (writes (&s->uops[k], place)
	     && (s->uops[k].when == TB_ALWAYS || s->uops[k].when == s->when))
      return true;
  return true;
}

/* Is micro-operation K OP, with the same predicate?  */
static bool
is (const struct source *s, unsigned k, unsigned op)
{
  return k < s->count && s->uops[k].op == op && s->uops[k].when == s->when;
}

/* Does micro-operation K move the temporary PLACE to where it stays, and is that
   all that is still done with it?  */
static bool
is_last_move (const struct source *s, unsigned k, unsigned place)
{
  return is (s, k, TB_OP_MOV) && s->uops[k].a == place
	 && is_temporary (place) && is_dead (s, place, k + 1);
}

static struct tb_forward_op
make (unsigned code, unsigned dst, unsigned a, unsigned b, uint64_t imm)
{
  return (struct tb_forward_op) { (uint8_t) code, (uint8_t) dst, (uint8_t) a,
				  (uint8_t) b, (uint32_t) imm };
}

/* A sum or difference with all flags.  Returns how many micro-operations from K
   on that takes; 0: there is none.  */
static unsigned
compile_add (const struct source *s, unsigned k, struct tb_forward_op *op)
{
  const struct tb_uop *u = &s->uops[k];
  bool subtract = u->op == TB_OP_SUB;
  if ((u->op != TB_OP_ADD && !subtract) || !is_temporary (u->dst)
      || !is (s, k + 1, TB_OP_NZ) || u[1].a != u->dst
      || !is (s, k + 2, subtract ? TB_OP_CV_SUB : TB_OP_CV_ADD)
      || u[2].dst != TB_PLACE_NONE || u[2].a != u->a || u[2].b != u->b
      || u[2].imm != u->imm || u->a == TB_PLACE_IMM)
    return 0;
  bool moved = is_last_move (s, k + 3, u->dst);
  bool imm = u->b == TB_PLACE_IMM;
  *op = make (subtract ? (imm ? SUB_FLAGS_IMM : SUB_FLAGS)
	      : imm ? ADD_FLAGS_IMM : ADD_FLAGS,
	      moved ? u[3].dst : u->dst, u->a, imm ? 0 : u->b, u->imm);
  return moved ? 4 : 3;
}

/* The same for a shift by a number.  */
static unsigned
compile_shift (const struct source *s, unsigned k, struct tb_forward_op *op)
{
  const struct tb_uop *u = &s->uops[k];
  if ((u->op != TB_OP_LSL && u->op != TB_OP_LSR) || u->b != TB_PLACE_IMM
      || u->imm == 0 || u->imm > 31 || u->a == TB_PLACE_IMM
      || !is (s, k + 1, TB_OP_C_SHIFT) || u[1].dst != u->op || u[1].a != u->a
      || u[1].b != u->b || u[1].imm != u->imm || !is (s, k + 2, TB_OP_NZ)
      || u[2].a != u->dst || !is_last_move (s, k + 3, u->dst))
    return 0;
  *op = make (u->op == TB_OP_LSL ? LSL_FLAGS : LSR_FLAGS, u[3].dst, u->a, 0,
	      u->imm);
  return 4;
}

/* The same for an access at a sum, or of its own.  */
static unsigned
compile_access (const struct source *s, unsigned k, struct tb_forward_op *op)
{
  const struct tb_uop *u = &s->uops[k], *access = u;
  bool sum = u->op == TB_OP_ADD || u->op == TB_OP_SUB, set = false;
  if ((sum && u->a != TB_PLACE_IMM && (u->op == TB_OP_ADD || u->b == TB_PLACE_IMM))
      || (u->op == TB_OP_MOV && u->a == TB_PLACE_IMM))
    {
      set = !sum;
      if (k + 1 == s->count || !is_temporary (u->dst) || u[1].a != u->dst
	  || u[1].b == u->dst || u[1].when != u->when)
	return 0;
      access = u + 1;
    }
  else
    sum = false;
  bool load = access->op == TB_OP_LOAD;
  if ((!load && access->op != TB_OP_STORE) || access->a == TB_PLACE_IMM
      || (!load && access->b == TB_PLACE_IMM))
    return 0;
  unsigned place = load ? access->dst : access->b;
  unsigned size = TB_ACCESS_SIZE (access->imm);
  if (access != u && !(load && place == u->dst)
      && !is_dead (s, u->dst, k + 2))
    return 0;
  if (set)
    *op = make (load ? LOAD_AT : STORE_AT, place, 0, size, u->imm);
  else if (!sum)
    *op = make (load ? LOAD : STORE, place, access->a, size, 0);
  else if (u->b == TB_PLACE_IMM)
    *op = make (load ? LOAD : STORE, place, u->a, size,
		u->op == TB_OP_SUB ? -u->imm : u->imm);
  else
    *op = make (load ? LOAD_INDEX : STORE_INDEX, place, u->a, u->b, size);
  return sum || set ? 2 : 1;
}

/* An operation that computes a value, straight to where it is moved to if it
   can be.  Returns how many micro-operations that takes.  */
static unsigned
compile_value (const struct source *s, unsigned k, struct tb_forward_op *op)
{
  const struct tb_uop *u = &s->uops[k];
  unsigned dst = u->dst, taken = 1;
  if (is_last_move (s, k + 1, dst))
    {
      dst = u[1].dst;
      taken = 2;
    }
  bool imm = u->b == TB_PLACE_IMM;
  if (u->op == TB_OP_MOV && u->a == TB_PLACE_IMM)
    *op = make (SET, dst, 0, 0, u->imm);
  else if (u->a == TB_PLACE_IMM)
    return 0;
  else
    *op = make (u->op | (imm ? IMMEDIATE : 0), dst, u->a,
		u->b < TB_NPLACES ? u->b : 0, u->imm);
  return taken;
}

/* The condition that the run of operations behind it has, and no other.  */
static bool
compile_condition (const struct source *s, unsigned k, struct tb_forward_op *op)
{
  const struct tb_uop *u = &s->uops[k];
  unsigned end = k + 1;
  while (end < s->count && s->uops[end].when == u->dst)
    end++;
  if (!is_dead (s, u->dst, end))
    return false;
  for (unsigned i = k + 1; i < end; i++)
    if (s->uops[i].a == u->dst || s->uops[i].b == u->dst)
      return false;
  *op = make (s->flags & TB_SEM_BRANCH ? IF_BRANCH : IF, 1, 0, tb_uop_number (u), 0);
  return true;
}

/* Any other micro-operation; false: it cannot be.  *NOTHING: it does nothing.  */
static bool
compile_other (const struct source *s, unsigned k, struct tb_forward_op *op,
	       bool *nothing)
{
  const struct tb_uop *u = &s->uops[k];
  bool imm = u->b == TB_PLACE_IMM;
  bool subtract = u->op == TB_OP_CV_SUB;
  /* What is A of these is a place.  */
  if (u->a == TB_PLACE_IMM)
    return false;
  switch (u->op)
    {
    case TB_OP_UNKNOWN: case TB_OP_ASPEN:
      *op = make (SET, u->dst, 0, 0, 0);
      return true;
    case TB_OP_NZ:
      *op = make (NZ, 0, u->a, 0, 0);
      return true;
    case TB_OP_CV_ADD: case TB_OP_CV_SUB:
      *op = make ((u->dst >= TB_NPLACES ? ZERO_ADD : CARRY_ADD) + (subtract ? 1u : 0)
		  + (imm ? 2u : 0), u->dst, u->a, imm ? 0 : u->b, u->imm);
      return true;
    case TB_OP_C_SHIFT:
      *op = make (imm ? CARRY_SHIFT_IMM : CARRY_SHIFT, u->dst, u->a,
		  imm ? 0 : u->b, u->imm);
      return true;
    case TB_OP_BRANCH_IF:
      *op = make (BRANCH_IF, 0, u->a, 0, u->imm);
      return true;
    case TB_OP_CONDITION:
      return compile_condition (s, k, op);
    case TB_OP_TARGET:
      *op = make (TARGET, 0, u->a, 0, u->imm);
      return true;
    case TB_OP_FP: case TB_OP_FORGET:
    case TB_OP_PRIVILEGED:
      *nothing = true;
      return true;
    default:
      return false;
    }
}

/* Where operation K begins a run of another predicate: *OPEN is the operation that
   passes over the present one if it is not done, to operation *N of OPS.  */
static void
change_run (struct source *s, unsigned k, struct tb_forward_op *ops, unsigned *n,
	    unsigned *open)
{
  unsigned when = k < s->count ? s->uops[k].when : (unsigned) TB_ALWAYS;
  if (when == s->when)
    return;
  if (s->when != TB_ALWAYS)
    ops[*open].dst = (uint8_t) (*n - *open);
  s->when = when;
  if (when == TB_ALWAYS)
    return;
  if (k == 0 || s->uops[k - 1].op != TB_OP_CONDITION || s->uops[k - 1].dst != when)
    ops[(*n)++] = make (IF_VALUE, 0, when, 0, 0);
  *open = *n - 1;
}

/* Has it to do with FP registers, whose places have more bits?  */
static bool
has_fp (const struct source *s)
{
  for (unsigned k = 0; k < s->count; k++)
    if (s->uops[k].dst >= TB_PLACE_FP || s->uops[k].a >= TB_PLACE_FP
	|| s->uops[k].b >= TB_PLACE_FP)
      return true;
  return false;
}

unsigned
tb_forward_compile (struct tb_forward_op *ops, const struct tb_uop *uops,
		    unsigned count, unsigned flags)
{
  struct source s = { uops, count, flags, TB_ALWAYS };
  unsigned n = 0, open = 0;
  if (has_fp (&s))
    return 0;
  for (unsigned k = 0; k < count;)
    {
      change_run (&s, k, ops, &n, &open);
      struct tb_forward_op *op = &ops[n];
      bool nothing = false;
      unsigned taken = compile_add (&s, k, op);
      if (taken == 0)
	taken = compile_shift (&s, k, op);
      if (taken == 0)
	taken = compile_access (&s, k, op);
      if (taken == 0 && uops[k].op <= TB_OP_LAST_VALUE)
	{
	  taken = compile_value (&s, k, op);
	  if (taken == 0)
	    return 0;
	}
      else if (taken == 0)
	{
	  if (!compile_other (&s, k, op, &nothing))
	    return 0;
	  taken = 1;
	}
      k += taken;
      n += !nothing;
    }
  change_run (&s, count, ops, &n, &open);
  ops[n] = make (END, 0, 0, 0, 0);
  return n + 1;
}

/* N and Z by VALUE.  */
static inline void
set_nz (uint32_t *p, uint32_t value)
{
  p[TB_SLOT_N] = value >> 31;
  p[TB_SLOT_Z] = value == 0;
}

/* C and V of A + B + CARRY; the sum.  */
static inline uint32_t
add_carry (uint32_t *p, uint32_t a, uint32_t b, uint32_t carry)
{
  uint64_t sum = (uint64_t) a + b + carry;
  uint32_t r = (uint32_t) sum;
  p[TB_SLOT_C] = (uint32_t) (sum >> 32);
  p[TB_SLOT_V] = (~(a ^ b) & (a ^ r)) >> 31;
  return r;
}

static inline bool
holds (const uint32_t *p, unsigned cc)
{
  return tb_condition_holds (cc, p[TB_SLOT_N], p[TB_SLOT_Z], p[TB_SLOT_C],
			     p[TB_SLOT_V]);
}

void
tb_forward_run (const struct tb_forward_op *op, uint32_t *p,
		const struct tb_forward_memory *memory,
		struct tb_forward_result *result)
{
  *result = (struct tb_forward_result) { 0 };
  for (;; op++)
    {
      uint32_t a = p[op->a & (PLACES - 1)], r;
      uint32_t b = p[op->b & (PLACES - 1)], imm = op->imm;
      switch (op->code)
	{
	case TB_OP_MOV: p[op->dst] = a; break;
	case TB_OP_ADD: p[op->dst] = a + b; break;
	case TB_OP_ADD | IMMEDIATE: p[op->dst] = a + imm; break;
	case TB_OP_SUB: p[op->dst] = a - b; break;
	case TB_OP_SUB | IMMEDIATE: p[op->dst] = a - imm; break;
	case TB_OP_AND: p[op->dst] = a & b; break;
	case TB_OP_AND | IMMEDIATE: p[op->dst] = a & imm; break;
	case TB_OP_ORR: p[op->dst] = a | b; break;
	case TB_OP_EOR: p[op->dst] = a ^ b; break;
	case TB_OP_MUL: p[op->dst] = a * b; break;
	case TB_OP_LSL | IMMEDIATE:
	  p[op->dst] = imm < 32 ? a << imm : 0;
	  break;
	case TB_OP_LSR | IMMEDIATE:
	  p[op->dst] = imm < 32 ? a >> imm : 0;
	  break;
	case SET: p[op->dst] = imm; break;
	case SUB_FLAGS:
	  imm = b;
	  /* FALLTHROUGH */
	case SUB_FLAGS_IMM:
	  r = add_carry (p, a, ~imm, 1);
	  set_nz (p, r);
	  p[op->dst] = r;
	  break;
	case ADD_FLAGS:
	  imm = b;
	  /* FALLTHROUGH */
	case ADD_FLAGS_IMM:
	  r = add_carry (p, a, imm, 0);
	  set_nz (p, r);
	  p[op->dst] = r;
	  break;
	case LSL_FLAGS:
	  p[TB_SLOT_C] = a >> (32 - imm) & 1;
	  p[op->dst] = r = a << imm;
	  set_nz (p, r);
	  break;
	case LSR_FLAGS:
	  p[TB_SLOT_C] = a >> (imm - 1) & 1;
	  p[op->dst] = r = a >> imm;
	  set_nz (p, r);
	  break;
	case NZ:
	  set_nz (p, a);
	  break;
	case CARRY_ADD: add_carry (p, a, b, p[op->dst]); break;
	case CARRY_SUB: add_carry (p, a, ~b, p[op->dst]); break;
	case CARRY_ADD_IMM: add_carry (p, a, imm, p[op->dst]); break;
	case CARRY_SUB_IMM: add_carry (p, a, ~imm, p[op->dst]); break;
	case ZERO_ADD: add_carry (p, a, b, 0); break;
	case ZERO_SUB: add_carry (p, a, ~b, 1); break;
	case ZERO_ADD_IMM: add_carry (p, a, imm, 0); break;
	case ZERO_SUB_IMM: add_carry (p, a, ~imm, 1); break;
	case CARRY_SHIFT:
	  imm = b;
	  /* FALLTHROUGH */
	case CARRY_SHIFT_IMM:
	  if ((imm & 255) != 0)
	    p[TB_SLOT_C] = (uint32_t) tb_op_value (op->dst - TB_OP_LSL
						   + TB_OP_C_LSL, 32, a, imm);
	  break;
	case LOAD:
	  p[op->dst] = memory->load (memory->context, a + imm, op->b);
	  break;
	case LOAD_INDEX:
	  p[op->dst] = memory->load (memory->context, a + b, imm);
	  break;
	case LOAD_AT:
	  p[op->dst] = memory->load (memory->context, imm, op->b);
	  break;
	case STORE:
	  memory->store (memory->context, a + imm, op->b, p[op->dst]);
	  break;
	case STORE_INDEX:
	  memory->store (memory->context, a + b, imm, p[op->dst]);
	  break;
	case STORE_AT:
	  memory->store (memory->context, imm, op->b, p[op->dst]);
	  break;
	case BRANCH_IF:
	  result->conditional = true;
	  result->taken = a == imm;
	  break;
	case IF_BRANCH: case IF:
	  r = holds (p, op->b);
	  result->skipped = !r;
	  if (op->code == IF_BRANCH)
	    {
	      result->conditional = true;
	      result->taken = r;
	    }
	  if (!r)
	    op += op->dst - 1;
	  break;
	case IF_VALUE:
	  if (!a)
	    op += op->dst - 1;
	  break;
	case TARGET:
	  result->indirect = true;
	  result->target = a & imm;
	  break;
	case END:
	  return;
	default:
	  p[op->dst] = (uint32_t) tb_op_value (op->code & (IMMEDIATE - 1), 32, a,
					       op->code & IMMEDIATE ? imm : b);
	  break;
	}
    }
}
