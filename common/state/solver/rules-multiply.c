/* What products and quotients tell of their operands, and the other way round.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/rules.h"

/* The number of bits from bit 0 that are known without a hole.  */
static unsigned
low_known (struct tb_known k)
{
  return k.mask == TB_WORD_MAX ? TB_WORD_BITS : tb_word_ctz (~k.mask);
}

static tb_word
low_mask (unsigned n)
{
  return n >= TB_WORD_BITS ? TB_WORD_MAX : (ONE << n) - 1;
}

/* A by D = A * K, K known and not 0.  */
static void
divide (struct rule *r, tb_vid a, struct tb_known ka, tb_word k)
{
  struct tb_graph *g = r->graph;
  unsigned s = tb_word_ctz (k), t = low_known (r->kd);
  tb_word odd = k >> s, inverse = odd;
  /* Newton: each round doubles the bits that are right, from 3.  */
  for (unsigned i = 0; i < 5; i++)
    inverse *= 2 - odd * inverse;
  tb_graph_set_bits (g, r->d, low_mask (s), 0);
  if (t > s)
    tb_graph_set_bits (g, a, low_mask (t - s), (r->kd.bits >> s) * inverse);
  if ((tb_udouble) ka.hi * k <= TB_WORD_MAX)
    {
      tb_word lo = (tb_word) (((tb_udouble) r->kd.lo + k - 1) / k);
      tb_graph_set_range (g, a, lo, r->kd.hi / k);
    }
}

void
tb_rule_mul (struct rule *r)
{
  struct tb_graph *g = r->graph;
  unsigned na = low_known (r->ka), nb = low_known (r->kb);

  tb_graph_set_bits (g, r->d, low_mask (na < nb ? na : nb),
		     r->ka.bits * r->kb.bits);
  if ((tb_udouble) r->ka.hi * r->kb.hi <= TB_WORD_MAX)
    tb_graph_set_range (g, r->d, r->ka.lo * r->kb.lo, r->ka.hi * r->kb.hi);
  if (tb_known_all (r->kb) && r->kb.bits != 0)
    {
      if (r->kb.bits == 1)
	tb_rule_equal (g, r->d, r->a);
      divide (r, r->a, r->ka, r->kb.bits);
    }
  if (tb_known_all (r->ka) && r->ka.bits != 0)
    {
      if (r->ka.bits == 1)
	tb_rule_equal (g, r->d, r->b);
      divide (r, r->b, r->kb, r->ka.bits);
    }
}

/* D is the upper half of A * B; both 0 or positive where SIGNED.  */
void
tb_rule_mul_high (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  tb_word k = r->kb.bits;
  if (is_signed && ((r->ka.hi | r->kb.hi) & SIGN))
    return;
  tb_graph_set_range (g, r->d, (tb_udouble) r->ka.lo * r->kb.lo >> TB_WORD_BITS,
		      (tb_udouble) r->ka.hi * r->kb.hi >> TB_WORD_BITS);
  if (!tb_known_all (r->kb) || k == 0)
    return;
  tb_udouble lo = (((tb_udouble) r->kd.lo << TB_WORD_BITS) + k - 1) / k;
  tb_udouble hi = (((tb_udouble) r->kd.hi << TB_WORD_BITS) + TB_WORD_MAX) / k;
  if (lo > TB_WORD_MAX)
    g->conflict = true;
  else
    tb_graph_set_range (g, r->a, (tb_word) lo,
			hi > TB_WORD_MAX ? TB_WORD_MAX : (tb_word) hi);
}

/* D = A / B; both 0 or positive where SIGNED.  */
void
tb_rule_divide (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  tb_word k = r->kb.bits;
  if (is_signed && ((r->ka.hi | r->kb.hi) & SIGN))
    return;
  if (r->kb.lo > 0)
    tb_graph_set_range (g, r->d, r->ka.lo / r->kb.hi, r->ka.hi / r->kb.lo);
  if (!tb_known_all (r->kb) || k == 0)
    return;
  if (k == 1)
    tb_rule_equal (g, r->d, r->a);
  tb_udouble lo = (tb_udouble) r->kd.lo * k, hi = (tb_udouble) r->kd.hi * k + k - 1;
  if (lo > TB_WORD_MAX)
    g->conflict = true;
  else
    tb_graph_set_range (g, r->a, (tb_word) lo,
			hi > TB_WORD_MAX ? TB_WORD_MAX : (tb_word) hi);
}
