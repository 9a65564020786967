/* Products of two words, and what is divided by a word: 128 bits.

   Where the compiler has no integers of 128 bits (machines of 32 bits), the same is
   computed from halves.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_WIDE_H
#define TB_UTIL_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct tb_u128
{
  uint64_t high, low;
};

static inline struct tb_u128
tb_wide_add (struct tb_u128 a, struct tb_u128 b)
{
  struct tb_u128 sum = { a.high + b.high, a.low + b.low };
  sum.high += sum.low < a.low;
  return sum;
}

/* A * B of numbers without a sign, from products of 32 bits.  */
static inline struct tb_u128
tb_wide_product_of_halves (uint64_t a, uint64_t b)
{
  uint64_t a0 = (uint32_t) a, a1 = a >> 32, b0 = (uint32_t) b, b1 = b >> 32;
  uint64_t low = a0 * b0, one = a1 * b0 + (low >> 32);
  uint64_t other = a0 * b1 + (uint32_t) one;
  struct tb_u128 product
    = { a1 * b1 + (one >> 32) + (other >> 32), other << 32 | (uint32_t) low };
  return product;
}

/* *QUOTIENT = N / K, bit by bit; false if it does not fit into a word, as where K is 0.  */
static inline bool
tb_wide_divide_by_bits (struct tb_u128 n, uint64_t k, uint64_t *quotient)
{
  uint64_t rest = n.high, q = 0;
  if (rest >= k)
    return false;
  for (unsigned i = 64; i-- > 0; )
    {
      bool carry = rest >> 63;
      rest = rest << 1 | (n.low >> i & 1);
      q <<= 1;
      if (carry || rest >= k)
	{
	  rest -= k;
	  q |= 1;
	}
    }
  *quotient = q;
  return true;
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 tb_native128;

/* A * B of numbers without a sign.  */
static inline struct tb_u128
tb_wide_product (uint64_t a, uint64_t b)
{
  tb_native128 product = (tb_native128) a * b;
  struct tb_u128 wide = { (uint64_t) (product >> 64), (uint64_t) product };
  return wide;
}

/* *QUOTIENT = N / K of numbers without a sign; false if it does not fit into a word, as
   where K is 0.  */
static inline bool
tb_wide_divide (struct tb_u128 n, uint64_t k, uint64_t *quotient)
{
  if (n.high >= k)
    return false;
  *quotient = (uint64_t) (((tb_native128) n.high << 64 | n.low) / k);
  return true;
}

#else

static inline struct tb_u128
tb_wide_product (uint64_t a, uint64_t b)
{
  return tb_wide_product_of_halves (a, b);
}

static inline bool
tb_wide_divide (struct tb_u128 n, uint64_t k, uint64_t *quotient)
{
  return tb_wide_divide_by_bits (n, k, quotient);
}

#endif

/* The upper half of A * B, both with a sign.  */
static inline uint64_t
tb_wide_high_signed (int64_t a, int64_t b)
{
  return tb_wide_product ((uint64_t) a, (uint64_t) b).high
	 - (a < 0 ? (uint64_t) b : 0) - (b < 0 ? (uint64_t) a : 0);
}

#endif /* TB_UTIL_WIDE_H */
