/* Semantics: micro-operations on numbers, and what they read and write.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/lift/emit.h"

static uint32_t
shift_value (unsigned op, uint32_t a, unsigned n)
{
  switch (op)
    {
    case TB_OP_LSL: return n < 32 ? a << n : 0;
    case TB_OP_LSR: return n < 32 ? a >> n : 0;
    case TB_OP_ASR: return (uint32_t) ((int32_t) a >> (n < 32 ? n : 31));
    default: n &= 31; return n == 0 ? a : a >> n | a << (32 - n);
    }
}

/* The last bit shifted out of A by N, 1 .. 255 (DDI 0419, A2.2.1).  */
static uint32_t
shift_out (unsigned op, uint32_t a, unsigned n)
{
  if (n == 0)
    return 0;
  switch (op)
    {
    case TB_OP_C_LSL: return n <= 32 ? a >> (32 - n) & 1 : 0;
    case TB_OP_C_LSR: return n <= 32 ? a >> (n - 1) & 1 : 0;
    case TB_OP_C_ASR: return a >> (n <= 32 ? n - 1 : 31) & 1;
    default: return a >> ((n - 1) & 31) & 1;
    }
}

/* A between -2^(N-1) and 2^(N-1) - 1.  */
static uint32_t
saturate_signed (uint32_t a, unsigned n)
{
  int32_t most = (int32_t) ((UINT32_C (1) << (n - 1)) - 1), least = -most - 1;
  int32_t value = (int32_t) a;
  return (uint32_t) (value > most ? most : value < least ? least : value);
}

/* A, signed, between 0 and 2^N - 1.  */
static uint32_t
saturate_unsigned (uint32_t a, unsigned n)
{
  uint32_t most = (UINT32_C (1) << (n & 31)) - 1;
  return a >> 31 ? 0 : a > most ? most : a;
}

static uint32_t
reverse_bits (uint32_t a)
{
  a = (a & 0x55555555) << 1 | (a >> 1 & 0x55555555);
  a = (a & 0x33333333) << 2 | (a >> 2 & 0x33333333);
  a = (a & 0x0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f);
  return __builtin_bswap32 (a);
}

/* The quotient is rounded towards zero (DDI 0403, A7.7.127).  */
static uint32_t
divide_signed (uint32_t a, uint32_t b)
{
  if (b == 0)
    return 0;
  /* The one quotient that has no place.  */
  if (b == UINT32_MAX)
    return -a;
  return (uint32_t) ((int32_t) a / (int32_t) b);
}

uint32_t
tb_op_value (unsigned op, uint32_t a, uint32_t b)
{
  switch (op)
    {
    case TB_OP_MOV: return a;
    case TB_OP_ADD: return a + b;
    case TB_OP_SUB: return a - b;
    case TB_OP_AND: return a & b;
    case TB_OP_BIC: return a & ~b;
    case TB_OP_ORR: return a | b;
    case TB_OP_EOR: return a ^ b;
    case TB_OP_LSL: case TB_OP_LSR: case TB_OP_ASR: case TB_OP_ROR:
      return shift_value (op, a, b & 255);
    case TB_OP_MUL: return a * b;
    case TB_OP_UMULH: return (uint32_t) ((uint64_t) a * b >> 32);
    case TB_OP_SMULH:
      return (uint32_t) ((uint64_t) ((int64_t) (int32_t) a * (int32_t) b)
			 >> 32);
    case TB_OP_UDIV: return b != 0 ? a / b : 0;
    case TB_OP_SDIV: return divide_signed (a, b);
    case TB_OP_CLZ: return a != 0 ? (uint32_t) __builtin_clz (a) : 32;
    case TB_OP_RBIT: return reverse_bits (a);
    case TB_OP_SSAT:
      return b >= 1 && b <= 32 ? saturate_signed (a, b) : 0;
    case TB_OP_USAT: return saturate_unsigned (a, b);
    case TB_OP_SXTB: return (uint32_t) (int8_t) a;
    case TB_OP_SXTH: return (uint32_t) (int16_t) a;
    case TB_OP_REV: return __builtin_bswap32 (a);
    case TB_OP_REV16: return (a & 0xff00ff00) >> 8 | (a & 0x00ff00ff) << 8;
    case TB_OP_REVSH: return (uint32_t) (int16_t) __builtin_bswap16 (a);
    case TB_OP_BIT: return a >> (b & 31) & 1;
    case TB_OP_ISZERO: return a == 0;
    case TB_OP_LTU: return a < b;
    case TB_OP_LTS: return (int32_t) a < (int32_t) b;
    case TB_OP_V_ADD: return (~(a ^ b) & (a ^ (a + b))) >> 31;
    case TB_OP_V_SUB: return ((a ^ b) & (a ^ (a - b))) >> 31;
    default: return shift_out (op, a, b & 255);
    }
}

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

uint32_t
tb_condition_reads (unsigned cc)
{
  enum
  {
    N = TB_SLOT_BIT (TB_SLOT_N), Z = TB_SLOT_BIT (TB_SLOT_Z),
    C = TB_SLOT_BIT (TB_SLOT_C), V = TB_SLOT_BIT (TB_SLOT_V)
  };
  static const uint32_t reads[8] = { Z, C, N, V, C | Z, N | V, N | Z | V, 0 };
  return reads[cc >> 1 & 7];
}

void
tb_semantics_effect (const struct tb_uop *uops, unsigned count,
		     struct tb_semantics_effect *effect)
{
  enum
  {
    NZ = TB_SLOT_BIT (TB_SLOT_N) | TB_SLOT_BIT (TB_SLOT_Z),
    CV = TB_SLOT_BIT (TB_SLOT_C) | TB_SLOT_BIT (TB_SLOT_V),
    C = TB_SLOT_BIT (TB_SLOT_C),
    MODE = TB_SLOT_BIT (TB_SLOT_HANDLER) | TB_SLOT_BIT (TB_SLOT_NPRIV),
    STACK = TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER)
	    | TB_SLOT_BIT (TB_SLOT_SPSEL),
    PRIMASK = TB_SLOT_BIT (TB_SLOT_PRIMASK),
    REST = TB_SLOT_BIT (TB_SLOT_Q) | TB_SLOT_BIT (TB_SLOT_GE)
	   | TB_SLOT_BIT (TB_SLOT_FPCA)
  };
  bool certain = true;

  *effect = (struct tb_semantics_effect) { 0, 0, 0 };
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_uop *u = &uops[i];
      uint32_t reads = 0, writes = 0, may = 0;
      unsigned dst = u->dst;

      if (u->a < TB_NSLOTS)
	reads |= TB_SLOT_BIT (u->a);
      if (u->b < TB_NSLOTS)
	reads |= TB_SLOT_BIT (u->b);
      switch (u->op)
	{
	case TB_OP_NZ:
	  writes |= NZ;
	  break;
	case TB_OP_CV_ADD: case TB_OP_CV_SUB:
	  if (dst < TB_NSLOTS)
	    reads |= TB_SLOT_BIT (dst);
	  writes |= CV;
	  dst = TB_PLACE_NONE;
	  break;
	case TB_OP_C_SHIFT:
	  if (u->b == TB_PLACE_IMM)
	    writes |= C;
	  else
	    may |= C;		/* A shift by 0 leaves it.  */
	  dst = TB_PLACE_NONE;
	  break;
	case TB_OP_COND:
	  reads |= tb_condition_reads (u->imm);
	  break;
	case TB_OP_IF:
	  reads |= tb_condition_reads (u->imm);
	  certain = false;
	  break;
	case TB_OP_BRANCH_IF: case TB_OP_IF_VALUE:
	  certain = false;
	  break;
	case TB_OP_CPS: case TB_OP_MRS: case TB_OP_MSR: case TB_OP_ERET:
	  if (u->op == TB_OP_ERET || u->imm >= TB_SYS_CPSR)
	    tb_sem_system_effect (u, &reads, &may);
	  else if (u->op == TB_OP_CPS)
	    {
	      reads |= MODE;
	      may |= PRIMASK;
	    }
	  else if (u->op == TB_OP_MRS)
	    reads |= MODE | STACK | PRIMASK | NZ | CV | REST
		     | TB_SLOT_BIT (TB_SLOT_IPSR);
	  else
	    {
	      reads |= MODE | STACK;
	      may |= u->imm < 4 ? NZ | CV
		     : STACK | PRIMASK | TB_SLOT_BIT (TB_SLOT_NPRIV);
	    }
	  break;
	}
      if (dst < TB_NSLOTS)
	writes |= TB_SLOT_BIT (dst);
      effect->reads |= reads & ~effect->writes;
      if (certain)
	effect->writes |= writes;
      effect->may_write |= writes | may;
    }
}

/* The stack pointer that is MSP (PSP) now.  */
static unsigned
banked (const uint32_t *p, bool psp)
{
  return (p[TB_SLOT_SPSEL] != 0) == psp ? TB_SLOT_SP : TB_SLOT_SP_OTHER;
}

/* DDI 0419, B5.2.2: MRS.  */
static uint32_t
read_system (const uint32_t *p, uint32_t number)
{
  bool privileged = p[TB_SLOT_HANDLER] || !p[TB_SLOT_NPRIV];
  uint32_t value = 0;
  switch (number)
    {
    case 0: case 1: case 2: case 3: case 5: case 6: case 7:
      if (number & 1)
	value |= p[TB_SLOT_IPSR];
      if (!(number & 4))
	value |= p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30 | p[TB_SLOT_C] << 29
		 | p[TB_SLOT_V] << 28 | p[TB_SLOT_Q] << 27
		 | p[TB_SLOT_GE] << 16;
      return value;
    case 8: case 9:
      return privileged ? p[banked (p, number == 9)] : 0;
    case 16:
      return privileged ? p[TB_SLOT_PRIMASK] : 0;
    case 20:
      return p[TB_SLOT_FPCA] << 2 | p[TB_SLOT_SPSEL] << 1 | p[TB_SLOT_NPRIV];
    }
  return 0;
}

/* DDI 0419, B5.2.3: MSR.  */
static void
write_system (uint32_t *p, uint32_t number, uint32_t value)
{
  bool privileged = p[TB_SLOT_HANDLER] || !p[TB_SLOT_NPRIV];
  if (number < 4)
    {
      p[TB_SLOT_N] = value >> 31;
      p[TB_SLOT_Z] = value >> 30 & 1;
      p[TB_SLOT_C] = value >> 29 & 1;
      p[TB_SLOT_V] = value >> 28 & 1;
    }
  else if (privileged && (number == 8 || number == 9))
    p[banked (p, number == 9)] = value & ~UINT32_C (3);
  else if (privileged && number == 16)
    p[TB_SLOT_PRIMASK] = value & 1;
  else if (privileged && number == 20)
    {
      uint32_t spsel = value >> 1 & 1;
      p[TB_SLOT_NPRIV] = value & 1;
      if (!p[TB_SLOT_HANDLER] && spsel != p[TB_SLOT_SPSEL])
	{
	  uint32_t sp = p[TB_SLOT_SP];
	  p[TB_SLOT_SP] = p[TB_SLOT_SP_OTHER];
	  p[TB_SLOT_SP_OTHER] = sp;
	  p[TB_SLOT_SPSEL] = spsel;
	}
    }
}

/* C and V of A + B + CARRY.  */
static void
add_carry (uint32_t *p, uint32_t a, uint32_t b, uint32_t carry)
{
  uint64_t sum = (uint64_t) a + b + carry;
  uint32_t r = (uint32_t) sum;
  p[TB_SLOT_C] = sum >> 32;
  p[TB_SLOT_V] = (~(a ^ b) & (a ^ r)) >> 31;
}

void
tb_semantics_run (const struct tb_semantics *semantics, uint32_t *p,
		  const struct tb_semantics_memory *memory,
		  struct tb_semantics_result *result)
{
  bool holds;
  *result = (struct tb_semantics_result) { 0 };
  for (unsigned i = 0; i < semantics->count; i++)
    {
      const struct tb_uop *u = &semantics->uops[i];
      uint32_t a = tb_is_place (u->a) ? p[u->a] : u->imm;
      uint32_t b = tb_is_place (u->b) ? p[u->b] : u->imm;
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
	    p[TB_SLOT_C] = shift_out (u->dst - TB_OP_LSL + TB_OP_C_LSL, a,
				      b & 255);
	  break;
	case TB_OP_LOAD:
	  p[u->dst] = memory->load (memory->context, a,
				  TB_ACCESS_SIZE (u->imm));
	  break;
	case TB_OP_STORE:
	  memory->store (memory->context, a, TB_ACCESS_SIZE (u->imm), b);
	  break;
	case TB_OP_COND:
	  result->conditional = true;
	  result->taken = tb_condition_holds (u->imm, p[TB_SLOT_N],
					      p[TB_SLOT_Z], p[TB_SLOT_C],
					      p[TB_SLOT_V]);
	  break;
	case TB_OP_BRANCH_IF:
	  result->conditional = true;
	  result->taken = a == u->imm;
	  if (result->taken)
	    return;
	  break;
	case TB_OP_IF: case TB_OP_IF_VALUE:
	  holds = u->op == TB_OP_IF_VALUE ? a == u->imm
		  : tb_condition_holds (u->imm, p[TB_SLOT_N], p[TB_SLOT_Z],
					p[TB_SLOT_C], p[TB_SLOT_V]);
	  result->skipped = !holds;
	  if (semantics->flags & TB_SEM_BRANCH)
	    {
	      result->conditional = true;
	      result->taken = holds;
	    }
	  if (!holds)
	    return;
	  break;
	case TB_OP_STORE_MAYBE: case TB_OP_FP: case TB_OP_FORGET:
	case TB_OP_PRIVILEGED:
	  break;
	case TB_OP_ERET:
	  tb_sem_run_eret (p, a, result);
	  break;
	case TB_OP_TARGET:
	  result->indirect = true;
	  result->target = a & u->imm;
	  break;
	case TB_OP_CPS:
	  if (u->imm >= TB_SYS_CPSR)
	    tb_sem_run_cps (p, u->imm, result);
	  else if (p[TB_SLOT_HANDLER] || !p[TB_SLOT_NPRIV])
	    p[TB_SLOT_PRIMASK] = u->imm;
	  break;
	case TB_OP_MRS:
	  p[u->dst] = u->imm >= TB_SYS_CPSR ? tb_sem_run_mrs (p, u->imm, result)
		      : read_system (p, u->imm);
	  break;
	case TB_OP_MSR:
	  if (u->imm >= TB_SYS_CPSR)
	    tb_sem_run_msr (p, u->imm, a, result);
	  else
	    write_system (p, u->imm, a);
	  break;
	default:
	  p[u->dst] = tb_op_value (u->op, a, b);
	  break;
	}
    }
}
