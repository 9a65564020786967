/* The operations of agent expressions.  See agent-ops.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The stack has 64-bit numbers; GDB extends them to the width of their type by
   itself.  Bits outside of a value's mask are 0.  */

#include "config.h"
#include "frame/agent-ops.h"

#define OP(operand, pops, pushes) { operand, pops, pushes, true, false }
#define BINARY { 0, 2, 1, true, false }
#define UNARY { 0, 1, 1, true, false }
#define FLOATS { .exists = true, .is_float = true }

static const struct tb_agent_op ops[AGENT_CODES] = {
  [AGENT_FLOAT] = FLOATS,
  [AGENT_ADD] = BINARY, [AGENT_SUB] = BINARY, [AGENT_MUL] = BINARY,
  [AGENT_DIV_SIGNED] = BINARY, [AGENT_DIV_UNSIGNED] = BINARY,
  [AGENT_REM_SIGNED] = BINARY, [AGENT_REM_UNSIGNED] = BINARY,
  [AGENT_LSH] = BINARY, [AGENT_RSH_SIGNED] = BINARY,
  [AGENT_RSH_UNSIGNED] = BINARY,
  [AGENT_TRACE] = OP (0, 2, 0),
  [AGENT_TRACE_QUICK] = OP (1, 1, 1),
  [AGENT_LOG_NOT] = UNARY,
  [AGENT_BIT_AND] = BINARY, [AGENT_BIT_OR] = BINARY,
  [AGENT_BIT_XOR] = BINARY, [AGENT_BIT_NOT] = UNARY,
  [AGENT_EQUAL] = BINARY, [AGENT_LESS_SIGNED] = BINARY,
  [AGENT_LESS_UNSIGNED] = BINARY,
  [AGENT_EXT] = OP (1, 1, 1),
  [AGENT_REF8] = OP (0, 1, 1), [AGENT_REF16] = OP (0, 1, 1),
  [AGENT_REF32] = OP (0, 1, 1), [AGENT_REF64] = OP (0, 1, 1),
  [AGENT_REF_FLOAT] = FLOATS, [AGENT_REF_DOUBLE] = FLOATS,
  [AGENT_REF_LONG_DOUBLE] = FLOATS, [AGENT_L_TO_D] = FLOATS,
  [AGENT_D_TO_L] = FLOATS,
  [AGENT_IF_GOTO] = OP (2, 1, 0),
  [AGENT_GOTO] = OP (2, 0, 0),
  [AGENT_CONST8] = OP (1, 0, 1), [AGENT_CONST16] = OP (2, 0, 1),
  [AGENT_CONST32] = OP (4, 0, 1), [AGENT_CONST64] = OP (8, 0, 1),
  [AGENT_REG] = OP (2, 0, 1),
  [AGENT_END] = OP (0, 0, 0),
  [AGENT_DUP] = OP (0, 1, 2),
  [AGENT_POP] = OP (0, 1, 0),
  [AGENT_ZERO_EXT] = OP (1, 1, 1),
  [AGENT_SWAP] = OP (0, 2, 2),
  [AGENT_GETV] = OP (2, 0, 1),
  [AGENT_SETV] = OP (2, 1, 1),
  [AGENT_TRACEV] = OP (2, 0, 0),
  [AGENT_TRACENZ] = OP (0, 2, 0),
  [AGENT_TRACE16] = OP (2, 1, 1),
  [AGENT_PICK] = OP (1, 0, 1),
  [AGENT_ROT] = OP (0, 3, 3),
  [AGENT_PRINTF] = OP (3, 0, 0)
};

const struct tb_agent_op *
tb_agent_op (unsigned code)
{
  return code < AGENT_CODES && ops[code].exists ? &ops[code] : NULL;
}

uint8_t
tb_agent_weaker (uint8_t a, uint8_t b)
{
  return a > b ? a : b;
}

void
tb_agent_extend (struct tb_value *a, unsigned bits, bool is_signed)
{
  if (bits == 64)
    return;
  uint64_t above = UINT64_MAX << bits, sign = UINT64_C (1) << (bits - 1);
  a->bits &= ~above;
  a->mask &= ~above;
  a->assumed &= ~above;
  if (!is_signed)
    a->mask |= above;
  else if (a->mask & sign)
    {
      a->mask |= above;
      if (a->assumed & sign)
	a->assumed |= above;
      if (a->bits & sign)
	a->bits |= above;
    }
}

/* The bits of MASK below its lowest 0.  */
static uint64_t
low_known (uint64_t mask)
{
  return mask & ~(mask + 1);
}

/* The values of *A and *B, all of whose bits are known, combined.  */
static enum tb_agent_status
arithmetic (enum tb_agent_code code, uint64_t a, uint64_t b, uint64_t *result)
{
  int64_t x = (int64_t) a, y = (int64_t) b;
  switch (code)
    {
    case AGENT_ADD: *result = a + b; break;
    case AGENT_SUB: *result = a - b; break;
    case AGENT_MUL: *result = a * b; break;
    case AGENT_LESS_SIGNED: *result = x < y; break;
    case AGENT_LESS_UNSIGNED: *result = a < b; break;
    case AGENT_DIV_SIGNED: case AGENT_REM_SIGNED:
      if (y == 0)
	return TB_AGENT_DIVIDED_BY_ZERO;
      /* By -1: the quotient may not fit, which C leaves undefined.  */
      if (code == AGENT_DIV_SIGNED)
	*result = y == -1 ? -a : (uint64_t) (x / y);
      else
	*result = y == -1 ? 0 : (uint64_t) (x % y);
      break;
    case AGENT_DIV_UNSIGNED: case AGENT_REM_UNSIGNED:
      if (b == 0)
	return TB_AGENT_DIVIDED_BY_ZERO;
      *result = code == AGENT_DIV_UNSIGNED ? a / b : a % b;
      break;
    default:
      return TB_AGENT_MALFORMED;
    }
  return TB_AGENT_DONE;
}

static void
shift (enum tb_agent_code code, struct tb_value *a, const struct tb_value *b)
{
  if (b->mask != UINT64_MAX)
    {
      *a = (struct tb_value) { 0 };
      return;
    }
  uint64_t by = b->bits, full = by > 63 ? 0 : UINT64_MAX;
  unsigned n = by & 63;
  if (code == AGENT_LSH)
    {
      a->bits = full & a->bits << n;
      a->mask = (full & a->mask << n) | ~(full & UINT64_MAX << n);
    }
  else if (code == AGENT_RSH_UNSIGNED)
    {
      a->bits = full & a->bits >> n;
      a->mask = (full & a->mask >> n) | ~(full & UINT64_MAX >> n);
    }
  else
    {
      /* The sign's bit, and whether it is known, fill what comes in.  */
      n = by > 63 ? 63 : n;
      a->bits = (uint64_t) ((int64_t) a->bits >> n);
      a->mask = (uint64_t) ((int64_t) a->mask >> n);
    }
}

static struct tb_value
truth (bool known, bool value)
{
  return known ? tb_value_stated (value, UINT64_MAX)
	       : tb_value_stated (0, ~UINT64_C (1));
}

/* Operations that know something where not all bits are known; false: CODE is none
   of them.  */
static bool
bitwise (enum tb_agent_code code, struct tb_value *a,
	 const struct tb_value *b)
{
  uint64_t both = a->mask & b->mask;
  switch (code)
    {
    case AGENT_BIT_AND:
      a->mask = both | (a->mask & ~a->bits) | (b->mask & ~b->bits);
      a->bits &= b->bits;
      break;
    case AGENT_BIT_OR:
      a->mask = both | a->bits | b->bits;
      a->bits |= b->bits;
      break;
    case AGENT_BIT_XOR:
      a->mask = both;
      a->bits = (a->bits ^ b->bits) & both;
      break;
    case AGENT_BIT_NOT:
      a->bits = ~a->bits & a->mask;
      break;
    case AGENT_LOG_NOT:
      *a = truth (tb_agent_truth (a) != TB_MAYBE,
		  tb_agent_truth (a) == TB_FALSE);
      break;
    case AGENT_EQUAL:
      /* One known bit that differs is enough.  */
      if (((a->bits ^ b->bits) & both) != 0)
	*a = truth (true, false);
      else
	*a = truth (both == UINT64_MAX, true);
      break;
    default:
      return false;
    }
  return true;
}

enum tb_agent_status
tb_agent_compute (enum tb_agent_code code, struct tb_value *a,
		  const struct tb_value *b)
{
  /* *B may be *A.  */
  const struct tb_value right = *b;
  uint8_t origin = tb_agent_weaker (a->origin, right.origin);
  enum tb_agent_status status = TB_AGENT_DONE;
  uint64_t known = a->mask & right.mask;
  if (code == AGENT_LSH || code == AGENT_RSH_SIGNED
      || code == AGENT_RSH_UNSIGNED)
    shift (code, a, &right);
  else if (!bitwise (code, a, &right))
    {
      uint64_t result = 0;
      bool is_order = code == AGENT_LESS_SIGNED || code == AGENT_LESS_UNSIGNED;
      if (known == UINT64_MAX)
	status = arithmetic (code, a->bits, right.bits, &result);
      else if (code == AGENT_ADD || code == AGENT_SUB || code == AGENT_MUL)
	{
	  /* Below the lowest unknown bit nothing depends on it.  */
	  known = low_known (known);
	  arithmetic (code, a->bits, right.bits, &result);
	}
      else
	known = 0;
      if (is_order && known == 0)
	known = ~UINT64_C (1);
      *a = tb_value_stated (result & known, known);
    }
  tb_value_set_origin (a, origin);
  return status;
}
