/* What comparisons and overflows tell of their operands, and the other way
   round.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/rules.h"

/* A < B over intervals of numbers up to MOST; *TRUTH is 0, 1, or -1 for unknown.
   Narrows A and B when it is known; false when they cannot be so.  */
static bool
less (tb_word most, struct tb_known *a, struct tb_known *b, int *truth)
{
  if (*truth < 0)
    {
      if (a->hi < b->lo)
	*truth = 1;
      else if (a->lo >= b->hi)
	*truth = 0;
      return true;
    }
  if (*truth == 1)
    {
      if (b->hi == 0 || a->lo == most)
	return false;
      if (a->hi > b->hi - 1)
	a->hi = b->hi - 1;
      if (b->lo < a->lo + 1)
	b->lo = a->lo + 1;
    }
  else
    {
      if (a->lo < b->lo)
	a->lo = b->lo;
      if (b->hi > a->hi)
	b->hi = a->hi;
    }
  return a->lo <= a->hi && b->lo <= b->hi;
}

/* An interval in signed order (moved up by half of them).  */
static struct tb_known
biased (const struct rule *r, struct tb_known k)
{
  struct tb_known full = { 0, 0, 0, r->ones };
  if (k.lo >> r->top == k.hi >> r->top)
    {
      full.lo = k.lo ^ sign_of (r);
      full.hi = k.hi ^ sign_of (r);
    }
  return full;
}

static void
learn_biased (const struct rule *r, const struct operand *o, struct tb_known k)
{
  if (k.lo >> r->top == k.hi >> r->top)
    learn_range (r, o, k.lo ^ sign_of (r), k.hi ^ sign_of (r));
}

void
tb_rule_less (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  int truth = tb_known_all (r->d.k) ? (int) r->d.k.bits : -1;
  struct tb_known a = is_signed ? biased (r, r->a.k) : r->a.k;
  struct tb_known b = is_signed ? biased (r, r->b.k) : r->b.k;
  bool was_known = truth >= 0;
  tb_word k;

  if (!less (r->ones, &a, &b, &truth))
    {
      g->conflict = true;
      return;
    }
  if (!was_known && truth >= 0)
    learn (r, &r->d, (tb_word) truth);
  if (was_known && is_signed)
    {
      learn_biased (r, &r->a, a);
      learn_biased (r, &r->b, b);
    }
  else if (was_known)
    {
      learn_range (r, &r->a, a.lo, a.hi);
      learn_range (r, &r->b, b.lo, b.hi);
    }
  if (!tb_graph_difference (g, r->a.id, r->b.id, &k))
    return;
  if (k == 0)
    learn (r, &r->d, 0);
  else if (!is_signed)
    {
      /* A = B + K is less than B where the sum goes round.  */
      tb_word first = -k & r->ones;
      if (was_known && truth == 1)
	learn_range (r, &r->b, first, UINT64_MAX);
      else if (was_known)
	learn_range (r, &r->b, 0, first - 1);
      else if (r->b.k.lo >= first)
	learn (r, &r->d, 1);
      else if (r->b.k.hi < first)
	learn (r, &r->d, 0);
    }
}

/* Overflow at bit SIGN_BIT needs equal signs (addition) or different ones
   (subtraction).  */
void
tb_rule_overflow (struct rule *r, unsigned op, unsigned sign_bit, bool subtract)
{
  if (tb_known_all (r->a.k) && tb_known_all (r->b.k))
    learn (r, &r->d, compute (r, op, r->a.k.bits, r->b.k.bits));
  else if (r->a.k.mask & r->b.k.mask & ONE << sign_bit
	   && ((r->a.k.bits ^ r->b.k.bits) >> sign_bit & 1) != subtract)
    learn (r, &r->d, 0);
}
