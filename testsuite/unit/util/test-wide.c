/* Tests of util/wide.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include "util/wide.h"

#define TOP (UINT64_C (1) << 63)

static const struct
{
  uint64_t a, b, high, low;
} products[] = {
  { 0, UINT64_MAX, 0, 0 },
  { 1, UINT64_MAX, 0, UINT64_MAX },
  { UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1 },
  { 0xffffffff, 0xffffffff, 0, UINT64_C (0xfffffffe00000001) },
  { TOP, 2, 1, 0 },
  { UINT64_C (0x123456789abcdef0), UINT64_C (0xfedcba9876543210),
    UINT64_C (0x121fa00ad77d7422), UINT64_C (0x236d88fe5618cf00) },
};

static void
test_products (void)
{
  for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
    {
      struct tb_u128 one = tb_wide_product (products[i].a, products[i].b);
      struct tb_u128 other
	= tb_wide_product_of_halves (products[i].b, products[i].a);
      CHECK_INT (one.high, products[i].high);
      CHECK_INT (one.low, products[i].low);
      CHECK_INT (other.high, products[i].high);
      CHECK_INT (other.low, products[i].low);
    }
  CHECK_INT (tb_wide_high_signed (-1, -1), 0);
  CHECK_INT (tb_wide_high_signed (-1, 1), UINT64_MAX);
  CHECK_INT (tb_wide_high_signed (INT64_MIN, INT64_MIN), UINT64_C (1) << 62);
  CHECK_INT (tb_wide_high_signed (INT64_MIN, INT64_MAX),
	     UINT64_C (0xc000000000000000));
}

static void
test_quotients (void)
{
  uint64_t quotient = 4711;
  struct tb_u128 n = { 7, 0 };
  CHECK (!tb_wide_divide (n, 7, &quotient));
  CHECK (!tb_wide_divide (n, 0, &quotient));
  CHECK (!tb_wide_divide_by_bits (n, 7, &quotient));
  CHECK (!tb_wide_divide_by_bits (n, 0, &quotient));
  CHECK_INT (quotient, 4711);
  CHECK (tb_wide_divide (n, 8, &quotient));
  CHECK_INT (quotient, UINT64_C (0xe000000000000000));
  n = (struct tb_u128) { UINT64_MAX - 1, UINT64_MAX };
  CHECK (tb_wide_divide_by_bits (n, UINT64_MAX, &quotient));
  CHECK_INT (quotient, UINT64_MAX);
}

/* Both ways agree, and a product and a rest below the divisor give the factor back.  */
static void
test_random (void)
{
  uint64_t x = 1;
  for (unsigned i = 0; i < 100000; i++)
    {
      uint64_t v[3];
      for (unsigned j = 0; j < 3; j++)
	{
	  x = x * UINT64_C (6364136223846793005) + 1442695040888963407;
	  v[j] = (x ^ x >> 33) >> (x >> 58);
	}
      if (v[1] == 0)
	continue;
      struct tb_u128 rest = { 0, v[2] % v[1] };
      struct tb_u128 n = tb_wide_product (v[0], v[1]);
      struct tb_u128 halves = tb_wide_product_of_halves (v[0], v[1]);
      CHECK_INT (halves.high, n.high);
      CHECK_INT (halves.low, n.low);
      n = tb_wide_add (n, rest);
      uint64_t one = 0, other = 0;
      CHECK (tb_wide_divide (n, v[1], &one));
      CHECK (tb_wide_divide_by_bits (n, v[1], &other));
      CHECK_INT (one, v[0]);
      CHECK_INT (other, v[0]);
    }
}

int
main (void)
{
  test_products ();
  test_quotients ();
  test_random ();
  return check_done ();
}
