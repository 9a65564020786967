/* What products and quotients tell of their operands, and the other way round.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/rules.h"

#include "util/wide.h"

/* The number of bits from bit 0 that are known without a hole.  */
static unsigned
low_known (struct tb_known k)
{
  return tb_known_all (k) ? 64 : (unsigned) __builtin_ctzll (~k.mask);
}

static tb_word
low_mask (unsigned n)
{
  return n >= 64 ? UINT64_MAX : (ONE << n) - 1;
}

/* Does A * B + C fit into a word?  Then it is *VALUE.  */
static bool
fits (const struct rule *r, tb_word a, tb_word b, tb_word c, tb_word *value)
{
  return !__builtin_mul_overflow (a, b, value)
	 && !__builtin_add_overflow (*value, c, value) && *value <= r->ones;
}

/* O by D = O * K, K known and not 0.  */
static void
divide (const struct rule *r, const struct operand *o, tb_word k)
{
  unsigned s = (unsigned) __builtin_ctzll (k), t = low_known (r->d.k);
  tb_word odd = k >> s, inverse = odd, most;
  /* Newton: each round doubles the bits that are right, from 3.  */
  for (unsigned i = 0; i < 5; i++)
    inverse *= 2 - odd * inverse;
  learn_bits (r, &r->d, low_mask (s), 0);
  if (t > s)
    learn_bits (r, o, low_mask (t - s) & r->ones >> s,
		(r->d.k.bits >> s) * inverse);
  if (fits (r, o->k.hi, k, 0, &most))
    learn_range (r, o, r->d.k.lo / k + (r->d.k.lo % k != 0), r->d.k.hi / k);
}

void
tb_rule_mul (struct rule *r)
{
  struct tb_graph *g = r->graph;
  unsigned na = low_known (r->a.k), nb = low_known (r->b.k);
  tb_word most;

  learn_bits (r, &r->d, low_mask (na < nb ? na : nb) & r->ones,
	      r->a.k.bits * r->b.k.bits);
  if (fits (r, r->a.k.hi, r->b.k.hi, 0, &most))
    learn_range (r, &r->d, r->a.k.lo * r->b.k.lo, most);
  if (tb_known_all (r->b.k) && r->b.k.bits != 0)
    {
      if (r->b.k.bits == 1)
	tb_rule_equal (g, r->d.id, r->a.id);
      divide (r, &r->a, r->b.k.bits);
    }
  if (tb_known_all (r->a.k) && r->a.k.bits != 0)
    {
      if (r->a.k.bits == 1)
	tb_rule_equal (g, r->d.id, r->b.id);
      divide (r, &r->b, r->a.k.bits);
    }
}

/* The product of which HIGH is the upper half, of the width of words here, and LOW the
   lower.  */
static struct tb_u128
upper_half (const struct rule *r, tb_word high, tb_word low)
{
  unsigned width = r->top + 1;
  return width == 64 ? (struct tb_u128) { high, low }
	 : (struct tb_u128) { 0, high << width | low };
}

/* D is the upper half of A * B; both 0 or positive where SIGNED.  */
void
tb_rule_mul_high (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  tb_word k = r->b.k.bits;
  if (is_signed && ((r->a.k.hi | r->b.k.hi) & sign_of (r)))
    return;
  learn_range (r, &r->d, compute (r, TB_OP_UMULH, r->a.k.lo, r->b.k.lo),
	       compute (r, TB_OP_UMULH, r->a.k.hi, r->b.k.hi));
  if (!tb_known_all (r->b.k) || k == 0)
    return;
  tb_word lo, hi;
  if (!tb_wide_divide (upper_half (r, r->d.k.lo, k - 1), k, &lo)
      || lo > r->ones)
    g->conflict = true;
  else
    learn_range (r, &r->a, lo,
		 tb_wide_divide (upper_half (r, r->d.k.hi, r->ones), k, &hi)
		 && hi < r->ones ? hi : r->ones);
}

/* D = A / B; both 0 or positive where SIGNED.  */
void
tb_rule_divide (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  tb_word k = r->b.k.bits;
  tb_word lo, hi;
  if (is_signed && ((r->a.k.hi | r->b.k.hi) & sign_of (r)))
    return;
  if (r->b.k.lo > 0)
    learn_range (r, &r->d, r->a.k.lo / r->b.k.hi, r->a.k.hi / r->b.k.lo);
  if (!tb_known_all (r->b.k) || k == 0)
    return;
  if (k == 1)
    tb_rule_equal (g, r->d.id, r->a.id);
  if (!fits (r, r->d.k.lo, k, 0, &lo))
    g->conflict = true;
  else
    learn_range (r, &r->a, lo,
		 fits (r, r->d.k.hi, k, k - 1, &hi) ? hi : r->ones);
}
