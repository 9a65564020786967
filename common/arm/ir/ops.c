/* Operations on numbers.  See ops.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/ops.h"

#include "util/wide.h"

const struct tb_op_row tb_ops[TB_OP_COUNT] =
{
#define TB_OP(name, operands, size, properties) \
  { #name, operands, TB_SIZE_##size, properties },
#include "arm/ir/ops.def"
};

bool
tb_uops_same (const struct tb_uop *x, const struct tb_uop *y, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (x[i].op != y[i].op || x[i].dst != y[i].dst || x[i].a != y[i].a
	|| x[i].b != y[i].b || x[i].when != y[i].when || x[i].imm != y[i].imm)
      return false;
  return true;
}

/* The functions below are made for each width (WIDTH is a constant where they are
   used); what they return may have bits above it.  */
#define BY_WIDTH __attribute__ ((always_inline)) static inline

/* The number that A is where its highest bit is a sign.  */
BY_WIDTH int64_t
with_sign (unsigned width, uint64_t a)
{
  return (int64_t) (a << (64 - width)) >> (64 - width);
}

BY_WIDTH uint64_t
shift_value (unsigned op, unsigned width, uint64_t a, unsigned n)
{
  switch (op)
    {
    case TB_OP_LSL: return n < width ? a << n : 0;
    case TB_OP_LSR: return n < width ? a >> n : 0;
    case TB_OP_ASR:
      return (uint64_t) (with_sign (width, a) >> (n < width ? n : width - 1));
    default:
      n &= width - 1;
      return n == 0 ? a : a >> n | a << (width - n);
    }
}

/* The last bit shifted out of A by N, 1 .. 255 (DDI 0419, A2.2.1).  */
BY_WIDTH uint64_t
shift_out (unsigned op, unsigned width, uint64_t a, unsigned n)
{
  if (n == 0)
    return 0;
  switch (op)
    {
    case TB_OP_C_LSL: return n <= width ? a >> (width - n) & 1 : 0;
    case TB_OP_C_LSR: return n <= width ? a >> (n - 1) & 1 : 0;
    case TB_OP_C_ASR: return a >> (n <= width ? n - 1 : width - 1) & 1;
    default: return a >> ((n - 1) & (width - 1)) & 1;
    }
}

/* VALUE between -2^(N-1) and 2^(N-1) - 1.  */
BY_WIDTH uint64_t
saturate_signed (int64_t value, unsigned n)
{
  int64_t most = (INT64_C (1) << (n - 1)) - 1, least = -most - 1;
  return (uint64_t) (value > most ? most : value < least ? least : value);
}

/* VALUE between 0 and 2^N - 1.  */
BY_WIDTH uint64_t
saturate_unsigned (int64_t value, unsigned n)
{
  int64_t most = (INT64_C (1) << n) - 1;
  return (uint64_t) (value > most ? most : value < 0 ? 0 : value);
}

BY_WIDTH uint64_t
reverse_bits (unsigned width, uint64_t a)
{
  a = (a & UINT64_C (0x5555555555555555)) << 1
      | (a >> 1 & UINT64_C (0x5555555555555555));
  a = (a & UINT64_C (0x3333333333333333)) << 2
      | (a >> 2 & UINT64_C (0x3333333333333333));
  a = (a & UINT64_C (0x0f0f0f0f0f0f0f0f)) << 4
      | (a >> 4 & UINT64_C (0x0f0f0f0f0f0f0f0f));
  return __builtin_bswap64 (a) >> (64 - width);
}

/* The quotient is rounded towards zero (DDI 0403, A7.7.127).  */
BY_WIDTH uint64_t
divide_signed (int64_t a, int64_t b)
{
  if (b == 0)
    return 0;
  /* The one quotient that has no place.  */
  return b == -1 ? -(uint64_t) a : (uint64_t) (a / b);
}

BY_WIDTH uint64_t
multiply_high (unsigned width, uint64_t a, uint64_t b)
{
  return width <= 32 ? a * b >> width : tb_wide_product (a, b).high;
}

BY_WIDTH uint64_t
multiply_high_signed (unsigned width, int64_t a, int64_t b)
{
  return width <= 32 ? (uint64_t) (a * b >> width)
	 : tb_wide_high_signed (a, b);
}

/* Does A + B overflow where the sign is bit number AT?  */
BY_WIDTH uint64_t
overflow_add (unsigned at, uint64_t a, uint64_t b)
{
  return (~(a ^ b) & (a ^ (a + b))) >> at & 1;
}

/* Does A - B?  */
BY_WIDTH uint64_t
overflow_subtract (unsigned at, uint64_t a, uint64_t b)
{
  return ((a ^ b) & (a ^ (a - b))) >> at & 1;
}

BY_WIDTH uint64_t
value_of (unsigned op, unsigned width, uint64_t a, uint64_t b)
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
      return shift_value (op, width, a, b & 255);
    case TB_OP_MUL: return a * b;
    case TB_OP_UMULH: return multiply_high (width, a, b);
    case TB_OP_SMULH:
      return multiply_high_signed (width, with_sign (width, a),
				   with_sign (width, b));
    case TB_OP_UDIV: return b != 0 ? a / b : 0;
    case TB_OP_SDIV:
      return divide_signed (with_sign (width, a), with_sign (width, b));
    case TB_OP_CLZ:
      return a != 0 ? (unsigned) __builtin_clzll (a) - (64 - width) : width;
    case TB_OP_RBIT: return reverse_bits (width, a);
    case TB_OP_SSAT:
      return b >= 1 && b <= 32 ? saturate_signed (with_sign (width, a), (unsigned) b) : 0;
    case TB_OP_USAT: return saturate_unsigned (with_sign (width, a), b & 31);
    case TB_OP_SXTB: return (uint64_t) (int8_t) a;
    case TB_OP_SXTH: return (uint64_t) (int16_t) a;
    case TB_OP_SXTW: return (uint64_t) (int32_t) a;
    case TB_OP_REV: return __builtin_bswap64 (a) >> (64 - width);
    case TB_OP_REV16:
      return (a & UINT64_C (0xff00ff00ff00ff00)) >> 8
	     | (a & UINT64_C (0x00ff00ff00ff00ff)) << 8;
    case TB_OP_REV32:
      return shift_value (TB_OP_ROR, 64, __builtin_bswap64 (a), 32);
    case TB_OP_REVSH: return (uint64_t) (int16_t) __builtin_bswap16 ((uint16_t) a);
    case TB_OP_BIT: return a >> (b & (width - 1)) & 1;
    case TB_OP_ISZERO: return a == 0;
    case TB_OP_LTU: return a < b;
    case TB_OP_LTS: return with_sign (width, a) < with_sign (width, b);
    case TB_OP_V_ADD: return overflow_add (width - 1, a, b);
    case TB_OP_V_SUB: return overflow_subtract (width - 1, a, b);
    case TB_OP_V_ADD32: return overflow_add (31, a, b);
    case TB_OP_V_SUB32: return overflow_subtract (31, a, b);
    default: return shift_out (op, width, a, b & 255);
    }
}

uint64_t
tb_op_value (unsigned op, unsigned width, uint64_t a, uint64_t b)
{
  if (width == 64)
    return value_of (op, 64, a, b);
  return (uint32_t) value_of (op, 32, a, b);
}
