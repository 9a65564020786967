/* What comparisons and overflows tell of their operands, and the other way
   round.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/rules.h"

/* A < B over intervals; *TRUTH is 0, 1, or -1 for unknown.  Narrows A and B
   when it is known; false when they cannot be so.  */
static bool
less (struct tb_known *a, struct tb_known *b, int *truth)
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
      if (b->hi == 0 || a->lo == TB_WORD_MAX)
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
biased (struct tb_known k)
{
  struct tb_known full = { 0, 0, 0, TB_WORD_MAX };
  if (k.lo >> TOP == k.hi >> TOP)
    {
      full.lo = k.lo ^ SIGN;
      full.hi = k.hi ^ SIGN;
    }
  return full;
}

static void
set_biased (struct tb_graph *graph, tb_vid id, struct tb_known k)
{
  if (k.lo >> TOP == k.hi >> TOP)
    tb_graph_set_range (graph, id, k.lo ^ SIGN, k.hi ^ SIGN);
}

void
tb_rule_less (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  int truth = tb_known_all (r->kd) ? (int) r->kd.bits : -1;
  struct tb_known a = is_signed ? biased (r->ka) : r->ka;
  struct tb_known b = is_signed ? biased (r->kb) : r->kb;
  bool was_known = truth >= 0;
  tb_word k;

  if (!less (&a, &b, &truth))
    {
      g->conflict = true;
      return;
    }
  if (!was_known && truth >= 0)
    tb_graph_set (g, r->d, (tb_word) truth);
  if (was_known && is_signed)
    {
      set_biased (g, r->a, a);
      set_biased (g, r->b, b);
    }
  else if (was_known)
    {
      tb_graph_set_range (g, r->a, a.lo, a.hi);
      tb_graph_set_range (g, r->b, b.lo, b.hi);
    }
  if (!tb_graph_difference (g, r->a, r->b, &k))
    return;
  if (k == 0)
    tb_graph_set (g, r->d, 0);
  else if (!is_signed)
    {
      /* A = B + K is less than B where the sum goes round.  */
      tb_word first = -k;
      if (was_known && truth == 1)
	tb_graph_set_range (g, r->b, first, TB_WORD_MAX);
      else if (was_known)
	tb_graph_set_range (g, r->b, 0, first - 1);
      else if (r->kb.lo >= first)
	tb_graph_set (g, r->d, 1);
      else if (r->kb.hi < first)
	tb_graph_set (g, r->d, 0);
    }
}

/* Overflow at bit SIGN_BIT needs equal signs (addition) or different ones
   (subtraction).  */
void
tb_rule_overflow (struct rule *r, unsigned op, unsigned sign_bit, bool subtract)
{
  if (tb_known_all (r->ka) && tb_known_all (r->kb))
    tb_graph_set (r->graph, r->d, tb_word_op (op, r->ka.bits, r->kb.bits));
  else if (r->ka.mask & r->kb.mask & ONE << sign_bit
	   && ((r->ka.bits ^ r->kb.bits) >> sign_bit & 1) != subtract)
    tb_graph_set (r->graph, r->d, 0);
}
