/* What the table of operations says of each one that computes a value is what its
   values show.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <string.h>

#include "check.h"

#include "arm/ir/ops.h"

/* Numbers at which operations differ, and some others.  */
static const uint64_t numbers[] = {
  0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff,
  0x8000, 0xffff, 0x10000, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001,
  0xfffffffe, 0xffffffff, UINT64_C (0x100000000), UINT64_C (0x123456789abcdef0),
  UINT64_C (0x7fffffffffffffff), UINT64_C (0x8000000000000000),
  UINT64_C (0xfedcba9876543210), UINT64_C (0xffffffff00000000),
  UINT64_C (0xfffffffffffffffe), UINT64_C (0xffffffffffffffff)
};
enum { N = sizeof numbers / sizeof numbers[0] };

/* What all values of an operation have in common.  */
struct shown
{
  bool flag, zero_keeps, one_operand, reversible;
  bool size[TB_SIZE_FEW + 1];
};

static uint64_t
number (unsigned width, unsigned i)
{
  return width == 64 ? numbers[i] : (uint32_t) numbers[i];
}

/* Look at operation OP of WIDTH with A and B.  */
static void
look_at (struct shown *shown, unsigned op, unsigned width, uint64_t a, uint64_t b)
{
  uint64_t value = tb_op_value (op, width, a, b);
  CHECK (width == 64 || value <= UINT32_MAX);
  shown->flag &= value <= 1;
  shown->zero_keeps &= b != 0 || value == a;
  shown->one_operand &= value == tb_op_value (op, width, a, 0);
  for (unsigned i = 0; i < N; i++)
    shown->reversible &= number (width, i) == a
			 || tb_op_value (op, width, number (width, i), b) != value;
  if (width != 64 || value <= UINT32_MAX)
    return;
  shown->size[TB_SIZE_FEW] = false;
  shown->size[TB_SIZE_A] &= a > UINT32_MAX;
  shown->size[TB_SIZE_LEAST] &= a > UINT32_MAX && b > UINT32_MAX;
  shown->size[TB_SIZE_MOST] &= a > UINT32_MAX || b > UINT32_MAX;
}

static void
check_row (unsigned op)
{
  const struct tb_op_row *row = &tb_ops[op];
  struct shown s = { true, true, true, true, { true, true, true, true, true } };
  for (unsigned width = 32; width <= 64; width += 32)
    for (unsigned i = 0; i < N; i++)
      for (unsigned k = 0; k < N; k++)
	look_at (&s, op, width, number (width, i), number (width, k));
  bool right = s.flag == tb_op_is (op, TB_FLAG)
	       && s.one_operand == (row->operands == 1)
	       && s.reversible == tb_op_is (op, TB_REVERSIBLE) && s.size[row->size]
	       && (row->operands == 1
		   || s.zero_keeps == tb_op_is (op, TB_ZERO_KEEPS));
  if (!right)
    printf ("%s: flag %d, zero keeps %d, one operand %d, reversible %d\n",
	    row->name, s.flag, s.zero_keeps, s.one_operand, s.reversible);
  CHECK (right);
  CHECK (tb_op_is (op, TB_WRITES) && tb_op_is (op, TB_EXACT)
	 && tb_op_is (op, TB_PLAIN));
  CHECK (!tb_op_is (op, TB_LOADS | TB_STORES | TB_SWITCHES | TB_READS_DST));
}

/* Of these the low half of a value of 64 bits is the value of 32 bits.  */
static void
check_halves (void)
{
  static const uint8_t ops[] = {
    TB_OP_MOV, TB_OP_ADD, TB_OP_SUB, TB_OP_AND, TB_OP_BIC, TB_OP_ORR, TB_OP_EOR,
    TB_OP_MUL, TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW, TB_OP_REV16, TB_OP_REV32,
    TB_OP_REVSH, TB_OP_V_ADD32, TB_OP_V_SUB32
  };
  for (unsigned o = 0; o < sizeof ops; o++)
    for (unsigned i = 0; i < N; i++)
      for (unsigned k = 0; k < N; k++)
	{
	  uint64_t a = numbers[i], b = numbers[k];
	  uint64_t low = tb_op_value (ops[o], 32, (uint32_t) a, (uint32_t) b);
	  CHECK (low == (uint32_t) tb_op_value (ops[o], 64, a, b));
	}
}

int
main (void)
{
  for (unsigned op = 0; op <= TB_OP_LAST_VALUE; op++)
    check_row (op);
  check_halves ();
  /* By the row's name, and one number for each.  */
  CHECK (strcmp (tb_ops[TB_OP_ROR].name, "ROR") == 0);
  CHECK_INT (tb_op_value (TB_OP_ROR, 32, 0x80000001, 4), 0x18000000);
  CHECK (tb_op_value (TB_OP_ROR, 64, 0x80000001, 4) == UINT64_C (0x1000000008000000));
  CHECK (tb_op_value (TB_OP_ASR, 64, UINT64_C (1) << 63, 99) == UINT64_MAX);
  CHECK_INT (tb_op_value (TB_OP_ASR, 32, 0x80000000, 4), 0xf8000000);
  CHECK_INT (tb_op_value (TB_OP_SMULH, 32, 0x80000000, 2), 0xffffffff);
  CHECK (tb_op_value (TB_OP_SMULH, 64, UINT64_C (1) << 63, 2) == UINT64_MAX);
  CHECK (tb_op_value (TB_OP_UMULH, 64, UINT64_C (1) << 63, 6) == 3);
  CHECK_INT (tb_op_value (TB_OP_SDIV, 32, 0x80000000, UINT32_MAX), 0x80000000);
  CHECK_INT (tb_op_value (TB_OP_SDIV, 32, (uint32_t) -7, 2), (uint32_t) -3);
  CHECK_INT (tb_op_value (TB_OP_CLZ, 32, 1, 0), 31);
  CHECK_INT (tb_op_value (TB_OP_CLZ, 64, 1, 0), 63);
  CHECK_INT (tb_op_value (TB_OP_RBIT, 32, 0xb, 0), 0xd0000000);
  CHECK_INT (tb_op_value (TB_OP_SSAT, 32, 300, 8), 127);
  CHECK_INT (tb_op_value (TB_OP_USAT, 32, (uint32_t) -300, 8), 0);
  /* Where signs overflow, of all bits or of the low 32.  */
  CHECK_INT (tb_op_value (TB_OP_V_ADD, 32, 0x7fffffff, 1), 1);
  CHECK_INT (tb_op_value (TB_OP_V_ADD, 64, 0x7fffffff, 1), 0);
  CHECK_INT (tb_op_value (TB_OP_V_ADD32, 64, 0x7fffffff, 1), 1);
  CHECK_INT (tb_op_value (TB_OP_V_ADD32, 64, 0x80000000, 1), 0);
  CHECK_INT (tb_op_value (TB_OP_V_SUB, 32, 0x80000000, 1), 1);
  CHECK_INT (tb_op_value (TB_OP_V_SUB, 64, 0x80000000, 1), 0);
  CHECK_INT (tb_op_value (TB_OP_V_SUB32, 64, 0x80000000, 1), 1);
  CHECK_INT (tb_op_value (TB_OP_V_SUB32, 64, 0x7fffffff, 1), 0);
  /* A shift by nothing puts nothing out; one by more than there is, what stands beyond. */
  for (unsigned op = TB_OP_C_LSL; op <= TB_OP_C_ROR; op++)
    for (unsigned width = 32; width <= 64; width += 32)
      CHECK_INT (tb_op_value (op, width, width == 32 ? UINT32_MAX : UINT64_MAX, 0), 0);
  CHECK_INT (tb_op_value (TB_OP_C_LSL, 32, 1, 32), 1);
  CHECK_INT (tb_op_value (TB_OP_C_LSL, 32, UINT32_MAX, 33), 0);
  CHECK_INT (tb_op_value (TB_OP_C_LSR, 32, 0x80000000, 32), 1);
  CHECK_INT (tb_op_value (TB_OP_C_LSR, 32, UINT32_MAX, 33), 0);
  CHECK_INT (tb_op_value (TB_OP_C_ASR, 64, UINT64_C (1) << 63, 70), 1);
  CHECK_INT (tb_op_value (TB_OP_C_LSL, 64, UINT64_C (1) << 60, 4), 1);
  return check_done ();
}
