/* Random numbers that a seed repeats.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_RANDOM_H
#define GEN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct gen_random
{
  uint64_t state;
};

/* SplitMix64 (Steele, Lea, Flood 2014).  */
static inline uint64_t
gen_next (struct gen_random *r)
{
  uint64_t z = r->state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* 0 to LIMIT - 1; 0 where LIMIT is 0.  */
static inline uint32_t
gen_below (struct gen_random *r, uint32_t limit)
{
  return (uint32_t) ((gen_next (r) >> 32) * limit >> 32);
}

/* LOW to HIGH.  */
static inline uint32_t
gen_between (struct gen_random *r, uint32_t low, uint32_t high)
{
  return low + gen_below (r, high - low + 1);
}

static inline bool
gen_chance (struct gen_random *r, unsigned percent)
{
  return gen_below (r, 100) < percent;
}

/* Up to 2^BITS - 1, small ones as likely as large ones.  */
static inline uint64_t
gen_scaled (struct gen_random *r, unsigned bits)
{
  unsigned width = gen_between (r, 0, bits);
  return width == 0 ? 0 : gen_next (r) >> (64 - width);
}

#endif /* GEN_RANDOM_H */
