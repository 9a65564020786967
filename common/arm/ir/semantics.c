/* Semantics: micro-operations on numbers, and what they read and write.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/semantics-a64.h"
#include "arm/ir/system-registers.h"

bool
tb_condition_holds (unsigned cc, bool n, bool z, bool c, bool v)
{
  bool holds;
  switch (cc >> 1)
    {
    case 0: holds = z; break;
    case 1: holds = c; break;
    case 2: holds = n; break;
    case 3: holds = v; break;
    case 4: holds = c && !z; break;
    case 5: holds = n == v; break;
    case 6: holds = n == v && !z; break;
    default: return true;
    }
  return holds != (cc & 1);
}

/* The slots of the flags that OP sets.  */
static uint32_t
sets_flags (unsigned op)
{
  return (tb_op_is (op, TB_SETS_NZ)
	  ? TB_SLOT_BIT (TB_SLOT_N) | TB_SLOT_BIT (TB_SLOT_Z) : 0)
	 | (tb_op_is (op, TB_SETS_C) ? TB_SLOT_BIT (TB_SLOT_C) : 0)
	 | (tb_op_is (op, TB_SETS_V) ? TB_SLOT_BIT (TB_SLOT_V) : 0);
}

/* Add the slots that U reads and may write where it deals with banked registers.  */
static void
add_banked (const struct tb_uop *u, uint64_t *reads, uint64_t *may)
{
  enum
  {
    STACKS = TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER)
	     | TB_SLOT_BIT (TB_SLOT_SPSEL),
    MODE = TB_SLOT_BIT (TB_SLOT_MODE),
    BANKED = 0x7f00 | TB_SLOT_BIT (TB_SLOT_SPSR)	/* r8 to r14, SPSR.  */
  };
  if (u->op == TB_OP_WRITE_SPSEL)
    {
      *reads |= STACKS;
      *may |= STACKS;
    }
  else if (u->op == TB_OP_MODE)
    {
      *reads |= MODE;
      *may |= MODE | BANKED;
    }
  else if (u->op == TB_OP_READ_BANKED)
    *reads |= MODE | BANKED;
  else if (u->op == TB_OP_WRITE_BANKED)
    {
      *reads |= MODE;
      *may |= TB_SLOT_BIT (TB_SYS_REG_R (u->imm)) & BANKED;
    }
}

/* The same of A64, where the return restores the flags.  */
static void
add_banked_a64 (const struct tb_uop *u, uint64_t *reads, uint64_t *writes, uint64_t *may)
{
  uint64_t sp = UINT64_C (1) << TB_A64_SP;
  if (u->op == TB_OP_ERET)
    *writes |= UINT64_C (15) << TB_A64_N;
  /* Perhaps to another stack pointer.  */
  if (u->op == TB_OP_ERET || u->op == TB_OP_WRITE_SPSEL)
    {
      *reads |= sp;
      *may |= sp;
    }
}

void
tb_semantics_effect (const struct tb_uop *uops, unsigned count, bool wide,
		     struct tb_semantics_effect *effect)
{
  unsigned slots = wide ? (unsigned) TB_A64_NSLOTS : (unsigned) TB_NSLOTS;
  unsigned flags = wide ? TB_A64_N - TB_SLOT_N : 0;
  *effect = (struct tb_semantics_effect) { 0, 0, 0 };
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_uop *u = &uops[i];
      uint64_t reads = 0, writes = 0, may = 0;

      if (u->a < slots)
	reads |= UINT64_C (1) << u->a;
      if (u->b < slots)
	reads |= UINT64_C (1) << u->b;
      if (u->when != TB_ALWAYS && u->when < slots)
	reads |= UINT64_C (1) << u->when;
      if (tb_op_is (u->op, TB_READS_DST) && u->dst < slots)
	reads |= UINT64_C (1) << u->dst;
      if (tb_op_is (u->op, TB_READS_FLAGS))
	reads |= (uint64_t) tb_condition_reads (tb_uop_number (u)) << flags;
      if (tb_op_is (u->op, TB_WRITES) && u->dst < slots)
	writes |= UINT64_C (1) << u->dst;
      /* A shift by 0 leaves C.  */
      if (u->op == TB_OP_C_SHIFT && u->b != TB_PLACE_IMM)
	may |= TB_SLOT_BIT (TB_SLOT_C);
      else
	writes |= sets_flags (u->op);
      if (wide)
	add_banked_a64 (u, &reads, &writes, &may);
      else
	add_banked (u, &reads, &may);
      effect->reads |= reads & ~effect->writes;
      if (u->when == TB_ALWAYS)
	effect->writes |= writes;
      effect->may_write |= writes | may;
    }
}

/* The mode that has the bank of MODE.  */
static unsigned
bank (unsigned mode)
{
  return mode == TB_MODE_SYS ? TB_MODE_USR : mode;
}

/* Go to MODE.  */
static void
set_mode (uint32_t *p, unsigned mode, struct tb_semantics_result *result)
{
  if (bank (mode) != bank (p[TB_SLOT_MODE]))
    result->banked = true;
  p[TB_SLOT_MODE] = mode;
}

/* Where register NUMBER (TB_SYS_REG) is now; TB_PLACE_NONE: in no place.  Their numbers
   are the places.  */
static unsigned
banked_place (const uint32_t *p, uint64_t number)
{
  unsigned r = TB_SYS_REG_R (number), mode = p[TB_SLOT_MODE];
  if (number == TB_SYS_RETURN)
    return mode == TB_MODE_HYP ? (unsigned) TB_PLACE_NONE : (unsigned) TB_SLOT_LR;
  if (bank (TB_SYS_REG_MODE (number)) != bank (mode) || r == 0)
    return TB_PLACE_NONE;
  return r;
}

/* CONTROL.SPSEL of the M profile becomes VALUE.  */
static void
write_spsel (uint32_t *p, uint32_t value)
{
  uint32_t sp = p[TB_SLOT_SP];
  if (value == p[TB_SLOT_SPSEL])
    return;
  p[TB_SLOT_SPSEL] = value;
  p[TB_SLOT_SP] = p[TB_SLOT_SP_OTHER];
  p[TB_SLOT_SP_OTHER] = sp;
}

/* C and V of A + B + CARRY.  */
static void
add_carry (uint32_t *p, uint32_t a, uint32_t b, uint32_t carry)
{
  uint64_t sum = (uint64_t) a + b + carry;
  uint32_t r = (uint32_t) sum;
  p[TB_SLOT_C] = (uint32_t) (sum >> 32);
  p[TB_SLOT_V] = (~(a ^ b) & (a ^ r)) >> 31;
}

void
tb_semantics_run (const struct tb_semantics *semantics, uint32_t *p,
		  const struct tb_semantics_memory *memory,
		  struct tb_semantics_result *result)
{
  unsigned banked;
  *result = (struct tb_semantics_result) { 0 };
  for (unsigned i = 0; i < semantics->count; i++)
    {
      const struct tb_uop *u = &semantics->uops[i];
      uint32_t imm = tb_uop_number (u);
      uint32_t a = tb_is_place (u->a) ? p[u->a] : imm;
      uint32_t b = tb_is_place (u->b) ? p[u->b] : imm;
      if (u->when != TB_ALWAYS && !p[u->when])
	continue;
      switch (u->op)
	{
	case TB_OP_UNKNOWN:
	  p[u->dst] = 0;
	  break;
	case TB_OP_NZ:
	  p[TB_SLOT_N] = a >> 31;
	  p[TB_SLOT_Z] = a == 0;
	  break;
	case TB_OP_CV_ADD:
	  add_carry (p, a, b, u->dst < TB_NPLACES ? p[u->dst] : 0);
	  break;
	case TB_OP_CV_SUB:
	  add_carry (p, a, ~b, u->dst < TB_NPLACES ? p[u->dst] : 1);
	  break;
	case TB_OP_C_SHIFT:
	  if ((b & 255) != 0)
	    p[TB_SLOT_C] = (uint32_t) tb_op_value (u->dst - TB_OP_LSL
						   + TB_OP_C_LSL, 32, a, b);
	  break;
	case TB_OP_LOAD:
	  p[u->dst] = memory->load (memory->context, a,
				  TB_ACCESS_SIZE (imm));
	  break;
	case TB_OP_STORE:
	  memory->store (memory->context, a, TB_ACCESS_SIZE (imm), b);
	  break;
	case TB_OP_BRANCH_IF:
	  result->conditional = true;
	  result->taken = a == imm;
	  break;
	case TB_OP_CONDITION:
	  p[u->dst] = tb_condition_holds (imm, p[TB_SLOT_N], p[TB_SLOT_Z],
					  p[TB_SLOT_C], p[TB_SLOT_V]);
	  result->skipped = !p[u->dst];
	  if (semantics->flags & TB_SEM_BRANCH)
	    {
	      result->conditional = true;
	      result->taken = p[u->dst];
	    }
	  break;
	case TB_OP_FP: case TB_OP_FORGET:
	case TB_OP_PRIVILEGED: case TB_OP_ERET:
	  break;
	case TB_OP_TARGET:
	  result->indirect = true;
	  result->target = a & imm;
	  break;
	case TB_OP_IS_PRIVILEGED:
	  p[u->dst] = tb_is_place (u->b) ? a || !b : a != TB_MODE_USR;
	  break;
	case TB_OP_FIELD:
	  p[u->dst] |= a << TB_FIELD_AT (u->imm);
	  break;
	case TB_OP_WRITE_SPSEL:
	  write_spsel (p, a);
	  break;
	case TB_OP_MODE:
	  set_mode (p, a & 31, result);
	  break;
	case TB_OP_READ_BANKED: case TB_OP_WRITE_BANKED:
	  banked = banked_place (p, imm);
	  if (banked == TB_PLACE_NONE)
	    result->banked = true;
	  if (u->op == TB_OP_READ_BANKED)
	    p[u->dst] = banked == TB_PLACE_NONE ? 0 : p[banked];
	  else if (banked != TB_PLACE_NONE)
	    p[banked] = a;
	  break;
	default:
	  p[u->dst] = (uint32_t) tb_op_value (u->op, 32, a, b);
	  break;
	}
    }
}
