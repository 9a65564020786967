/* What a node concludes of its values, in all directions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each rule reads what is known of D (computed), A and B (operands), and
   refines each of them by the others.  */

#include "config.h"
#include "state/solver/rules.h"

#define ONES(k) ((k).mask & (k).bits)
#define ZEROS(k) ((k).mask & ~(k).bits)

static inline void
learn_ones_zeros (const struct rule *r, const struct operand *o, tb_word ones,
		  tb_word zeros)
{
  learn_bits (r, o, ones | zeros, ones);
}

void
tb_rule_equal (struct tb_graph *graph, tb_vid d, tb_vid a)
{
  tb_graph_refine (graph, d, tb_graph_known (graph, a));
  tb_graph_refine (graph, a, tb_graph_known (graph, d));
  if (!graph->conflict)
    tb_graph_link (graph, d, a, 0);
}

/* O is A + B + CARRY.  A bit is known where both operands' bits and the carry into it
   are: the carry is where the smallest and the largest possible sum agree with the
   operands.  */
static inline void
learn_sum_bits (const struct rule *r, const struct operand *o, struct tb_known a,
		struct tb_known b, tb_word carry)
{
  tb_word most = ~ZEROS (a) + ~ZEROS (b) + carry;
  tb_word least = ONES (a) + ONES (b) + carry;
  tb_word carry_zero = ~(most ^ ZEROS (a) ^ ZEROS (b));
  tb_word carry_one = least ^ ONES (a) ^ ONES (b);
  learn_bits (r, o, r->ones & a.mask & b.mask & (carry_zero | carry_one), least);
}

/* O is A + B.  It is an interval, too, if the sum does not go round in between.  */
static inline void
learn_sum (const struct rule *r, const struct operand *o, struct tb_known a,
	   struct tb_known b)
{
  tb_word lo = (a.lo + b.lo) & r->ones, hi = (a.hi + b.hi) & r->ones;
  learn_sum_bits (r, o, a, b, 0);
  if ((lo < a.lo) == (hi < a.hi))
    learn_range (r, o, lo, hi);
}

/* O is A - B.  */
static inline void
learn_difference (const struct rule *r, const struct operand *o, struct tb_known a,
		  struct tb_known b)
{
  struct tb_known not_b = { .mask = b.mask, .bits = ~b.bits };
  learn_sum_bits (r, o, a, not_b, 1);
  if ((a.lo < b.hi) == (a.hi < b.lo))
    learn_range (r, o, (a.lo - b.hi) & r->ones, (a.hi - b.lo) & r->ones);
}

/* Is nothing known of ID, as far as that is quickly seen?  */
static inline bool
is_blank (const struct tb_graph *graph, tb_vid id)
{
  return tb_graph_open (graph, id)
	 && graph->values[id].kind == (graph->bits == 32 ? TB_KIND_LOW
				       : TB_KIND_NOTHING);
}

static bool
known_nothing (const struct rule *r, struct tb_known k)
{
  return (k.mask & r->ones) == 0 && k.lo == 0 && k.hi == r->ones;
}

/* True if all are known now.  */
static bool
rule_add (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word k;

  if (tb_known_all (r->b.k))
    {
      tb_graph_link (g, r->d.id, r->a.id, r->b.k.bits);
      if (tb_known_all (r->d.k))
	return true;
    }
  else if (tb_known_all (r->a.k))
    {
      tb_graph_link (g, r->d.id, r->b.id, r->a.k.bits);
      if (tb_known_all (r->d.k))
	return true;
    }
  else if (tb_graph_difference (g, r->d.id, r->a.id, &k))
    learn (r, &r->b, k);
  else if (tb_graph_difference (g, r->d.id, r->b.id, &k))
    learn (r, &r->a, k);

  if (known_nothing (r, r->a.k) + known_nothing (r, r->b.k)
      + known_nothing (r, r->d.k) > 1)
    return false;
  learn_sum (r, &r->d, r->a.k, r->b.k);
  learn_difference (r, &r->a, r->d.k, r->b.k);
  if (!tb_known_all (r->b.k))
    learn_difference (r, &r->b, r->d.k, r->a.k);
  return false;
}

static void
rule_and (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word least = r->a.k.hi < r->b.k.hi ? r->a.k.hi : r->b.k.hi;

  learn_ones_zeros (r, &r->d, ONES (r->a.k) & ONES (r->b.k),
		    ZEROS (r->a.k) | ZEROS (r->b.k));
  learn_range (r, &r->d, 0, least);
  learn_ones_zeros (r, &r->a, ONES (r->d.k),
		    ZEROS (r->d.k) & ONES (r->b.k));
  learn_ones_zeros (r, &r->b, ONES (r->d.k),
		    ZEROS (r->d.k) & ONES (r->a.k));
  /* A mask that takes nothing away.  */
  if ((ONES (r->b.k) | ZEROS (r->a.k)) == UINT64_MAX)
    tb_rule_equal (g, r->d.id, r->a.id);
  else if ((ONES (r->a.k) | ZEROS (r->b.k)) == UINT64_MAX)
    tb_rule_equal (g, r->d.id, r->b.id);
}

static void
rule_orr (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word most = r->a.k.lo > r->b.k.lo ? r->a.k.lo : r->b.k.lo;

  learn_ones_zeros (r, &r->d, ONES (r->a.k) | ONES (r->b.k),
		    ZEROS (r->a.k) & ZEROS (r->b.k));
  learn_range (r, &r->d, most, UINT64_MAX);
  learn_ones_zeros (r, &r->a, ONES (r->d.k) & ZEROS (r->b.k),
		    ZEROS (r->d.k));
  learn_ones_zeros (r, &r->b, ONES (r->d.k) & ZEROS (r->a.k),
		    ZEROS (r->d.k));
  if ((ZEROS (r->b.k) | ONES (r->a.k)) == UINT64_MAX)
    tb_rule_equal (g, r->d.id, r->a.id);
  else if ((ZEROS (r->a.k) | ONES (r->b.k)) == UINT64_MAX)
    tb_rule_equal (g, r->d.id, r->b.id);
}

static void
rule_eor (struct rule *r)
{
  struct tb_graph *g = r->graph;
  learn_bits (r, &r->d, r->a.k.mask & r->b.k.mask,
	      r->a.k.bits ^ r->b.k.bits);
  learn_bits (r, &r->a, r->d.k.mask & r->b.k.mask,
	      r->d.k.bits ^ r->b.k.bits);
  learn_bits (r, &r->b, r->d.k.mask & r->a.k.mask,
	      r->d.k.bits ^ r->a.k.bits);
  if (tb_known_all (r->b.k) && r->b.k.bits == 0)
    tb_rule_equal (g, r->d.id, r->a.id);
  else if (tb_known_all (r->a.k) && r->a.k.bits == 0)
    tb_rule_equal (g, r->d.id, r->b.id);
}

static void
shift_left (struct rule *r, unsigned n)
{
  learn_bits (r, &r->d,
	      (r->a.k.mask << n & r->ones) | ((ONE << n) - 1),
	      r->a.k.bits << n);
  learn_bits (r, &r->a, (r->d.k.mask & r->ones) >> n, r->d.k.bits >> n);
  if (r->a.k.hi <= r->ones >> n)
    {
      learn_range (r, &r->d, r->a.k.lo << n, r->a.k.hi << n);
      learn_range (r, &r->a, r->d.k.lo >> n, r->d.k.hi >> n);
    }
}

static void
shift_right (struct rule *r, unsigned n)
{
  tb_word top = r->ones >> n, low = (ONE << n) - 1;
  tb_word hi = r->d.k.hi < top ? r->d.k.hi : top;
  learn_bits (r, &r->d, r->a.k.mask >> n | ~top, r->a.k.bits >> n);
  learn_range (r, &r->d, r->a.k.lo >> n, r->a.k.hi >> n);
  learn_bits (r, &r->a, r->d.k.mask << n & r->ones, r->d.k.bits << n);
  if (r->d.k.lo <= hi)
    learn_range (r, &r->a, r->d.k.lo << n, hi << n | low);
}

static void
shift_arithmetic (struct rule *r, unsigned n)
{
  tb_word sign = sign_of (r);
  tb_word copies = (r->ones & ~(r->ones >> n)) | sign >> n;
  tb_word mask = (r->a.k.mask & r->ones) >> n, value = r->a.k.bits >> n;
  if (r->a.k.mask & sign)
    {
      mask |= copies;
      value |= r->a.k.bits & sign ? copies : 0;
    }
  learn_bits (r, &r->d, mask, value);
  learn_bits (r, &r->a, r->d.k.mask << n & r->ones, r->d.k.bits << n);
  if (r->d.k.mask & copies)
    {
      tb_word all = r->d.k.mask & copies & r->d.k.bits ? UINT64_MAX : 0;
      learn_bits (r, &r->a, sign, all);
      learn_bits (r, &r->d, copies, all);
    }
  if (r->a.k.lo >> r->top == r->a.k.hi >> r->top)
    learn_range (r, &r->d, compute (r, TB_OP_ASR, r->a.k.lo, n),
		 compute (r, TB_OP_ASR, r->a.k.hi, n));
}

/* Shifts by a known amount.  */
static void
rule_shift (struct rule *r, unsigned op)
{
  struct tb_graph *g = r->graph;
  unsigned n = r->b.k.bits & 255;

  if ((r->b.k.mask & 255) != 255)
    return;
  if (op == TB_OP_ROR)
    n &= r->top;
  if (op == TB_OP_ASR && n > r->top)
    n = r->top;
  if (n == 0)
    tb_rule_equal (g, r->d.id, r->a.id);
  else if (n > r->top)
    learn (r, &r->d, 0);
  else if (op == TB_OP_LSL)
    shift_left (r, n);
  else if (op == TB_OP_LSR)
    shift_right (r, n);
  else if (op == TB_OP_ASR)
    shift_arithmetic (r, n);
  else
    {
      learn_bits (r, &r->d,
		  compute (r, TB_OP_ROR, r->a.k.mask & r->ones, n),
		  compute (r, TB_OP_ROR, r->a.k.bits, n));
      n = r->top + 1 - n;
      learn_bits (r, &r->a,
		  compute (r, TB_OP_ROR, r->d.k.mask & r->ones, n),
		  compute (r, TB_OP_ROR, r->d.k.bits, n));
    }
}

/* D leading zeros.  */
static void
rule_clz (struct rule *r)
{
  learn_range (r, &r->d, compute (r, TB_OP_CLZ, r->a.k.hi, 0),
	       compute (r, TB_OP_CLZ, r->a.k.lo, 0));
  if (!tb_known_all (r->d.k) || r->d.k.bits > r->top + 1)
    return;
  if (r->d.k.bits == r->top + 1)
    learn (r, &r->a, 0);
  else
    learn_range (r, &r->a, sign_of (r) >> r->d.k.bits,
		 r->ones >> r->d.k.bits);
}

/* D is A limited to B bits.  Where A is within the limits they are the same, and
   where D is not one of the limits.  */
static void
rule_saturate (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  unsigned n = (unsigned) (r->b.k.bits & r->top);
  if (!tb_known_all (r->b.k) || r->b.k.bits > r->top || n == 0)
    return;
  tb_word most = is_signed ? (ONE << (n - 1)) - 1 : (ONE << n) - 1;
  if (!is_signed)
    learn_range (r, &r->d, 0, most);
  if (r->a.k.hi <= most || (r->d.k.lo > 0 && r->d.k.hi < most))
    tb_rule_equal (g, r->d.id, r->a.id);
}

/* D is the low N bits of A, sign-extended.  */
static void
sign_extend (struct rule *r, unsigned n)
{
  struct tb_graph *g = r->graph;
  tb_word low = (ONE << n) - 1, sign = ONE << (n - 1);
  tb_word copies = r->ones & ~(low >> 1);
  tb_word mask = r->a.k.mask & low, value = r->a.k.bits & low;
  if (mask & sign)
    {
      mask |= copies;
      value |= value & sign ? copies : 0;
    }
  learn_bits (r, &r->d, mask, value);
  learn_bits (r, &r->a, r->d.k.mask & low, r->d.k.bits);
  if (r->d.k.mask & copies)
    {
      tb_word all = r->d.k.bits & copies ? UINT64_MAX : 0;
      learn_bits (r, &r->a, sign, all);
      learn_bits (r, &r->d, copies, all);
    }
  if (r->a.k.hi <= low >> 1)
    tb_rule_equal (g, r->d.id, r->a.id);
}

/* Bit N of A is D.  */
static void
rule_bit (struct rule *r, unsigned n)
{
  learn_bits (r, &r->d, ~ONE | (r->a.k.mask >> n & 1),
	      r->a.k.bits >> n & 1);
  if (r->d.k.mask & 1)
    learn_bits (r, &r->a, ONE << n, (r->d.k.bits & 1) << n);
}

static void
rule_iszero (struct rule *r)
{
  tb_word open = ~r->a.k.mask;
  if (r->a.k.hi == 0)
    learn (r, &r->d, 1);
  if (r->a.k.lo > 0)
    learn (r, &r->d, 0);
  if (!tb_known_all (r->d.k))
    return;
  if (r->d.k.bits == 1)
    learn (r, &r->a, 0);
  else
    {
      learn_range (r, &r->a, 1, UINT64_MAX);
      /* The one bit that could make it so.  */
      if (r->a.k.bits == 0 && (open & (open - 1)) == 0)
	learn_bits (r, &r->a, open, open);
    }
}

/* The last bit shifted out; nothing follows from a shift by 0.  */
static void
rule_shift_out (struct rule *r, unsigned op)
{
  unsigned n = r->b.k.bits & 255, at;
  if ((r->b.k.mask & 255) != 255 || n == 0)
    return;
  if (op == TB_OP_C_ROR)
    at = (n - 1) & r->top;
  else if (n > r->top + 1)
    {
      if (op != TB_OP_C_ASR)
	{
	  learn (r, &r->d, 0);
	  return;
	}
      at = r->top;
    }
  else
    at = op == TB_OP_C_LSL ? r->top + 1 - n : n - 1;
  rule_bit (r, at);
}

/* KC is CASE implies D == A.  */
static void
rule_if (struct rule *r, tb_word when)
{
  struct tb_graph *g = r->graph;
  if (tb_known_all (r->b.k))
    {
      if (r->b.k.bits == when)
	tb_rule_equal (g, r->d.id, r->a.id);
    }
  else if (((r->d.k.bits ^ r->a.k.bits) & r->d.k.mask & r->a.k.mask) != 0
	   || r->d.k.lo > r->a.k.hi || r->a.k.lo > r->d.k.hi)
    learn (r, &r->b, !when);
}

/* D is A or B.  */
static void
rule_either (struct rule *r)
{
  tb_word same = r->a.k.mask & r->b.k.mask & ~(r->a.k.bits ^ r->b.k.bits);
  struct tb_known both = { same, r->a.k.bits & same,
			   r->a.k.lo < r->b.k.lo ? r->a.k.lo : r->b.k.lo,
			   r->a.k.hi > r->b.k.hi ? r->a.k.hi : r->b.k.hi };
  tb_graph_refine (r->graph, r->d.id, both);
}

static void
rule_byte (struct rule *r, unsigned x, unsigned y)
{
  tb_word a = r->a.k.mask >> 8 * y & 255, d = r->d.k.mask >> 8 * x & 255;
  learn_bits (r, &r->d, a << 8 * x,
	      (r->a.k.bits >> 8 * y & 255) << 8 * x);
  learn_bits (r, &r->a, d << 8 * y,
	      (r->d.k.bits >> 8 * x & 255) << 8 * y);
}

/* D is A with its bits in another order.  */
static void
rule_permute (struct rule *r, unsigned op)
{
  learn_bits (r, &r->d, compute (r, op, r->a.k.mask & r->ones, 0),
	      compute (r, op, r->a.k.bits, 0));
  learn_bits (r, &r->a, compute (r, op, r->d.k.mask & r->ones, 0),
	      compute (r, op, r->d.k.bits, 0));
}

bool
tb_rule_apply (struct tb_graph *graph, unsigned op, unsigned bytes, tb_vid d,
	       tb_vid a, tb_vid b)
{
  tb_word x, y;
  if (op <= TB_OP_LAST_VALUE && b != 0 && tb_graph_settled (graph, a, &x)
      && tb_graph_settled (graph, b, &y))
    {
      /* Nothing is said of what a shift by 0 shifts out.  */
      if (op < TB_OP_C_LSL || (y & 255) != 0)
	tb_graph_set (graph, d, tb_op_value (op, graph->bits, x, y));
      return true;
    }
  if (op == TB_OP_ADD && is_blank (graph, d) && is_blank (graph, a)
      && tb_graph_settled (graph, b, &y))
    {
      tb_graph_link (graph, d, a, y);
      return false;
    }
  struct rule r = {
    .graph = graph, .top = graph->bits - 1, .ones = graph->ones,
    .d = { d, tb_graph_known (graph, d) }, .a = { a, tb_graph_known (graph, a) },
    .b = { b, b != 0 ? tb_graph_known (graph, b)
	      : tb_graph_shapes[TB_KIND_NOTHING] }
  };
  switch (op)
    {
    case TB_OP_ADD: return rule_add (&r);
    case TB_OP_AND: rule_and (&r); break;
    case TB_OP_ORR: rule_orr (&r); break;
    case TB_OP_EOR: rule_eor (&r); break;
    case TB_OP_LSL: case TB_OP_LSR: case TB_OP_ASR: case TB_OP_ROR:
      rule_shift (&r, op);
      break;
    case TB_OP_MUL: tb_rule_mul (&r); break;
    case TB_OP_UMULH: tb_rule_mul_high (&r, false); break;
    case TB_OP_SMULH: tb_rule_mul_high (&r, true); break;
    case TB_OP_UDIV: tb_rule_divide (&r, false); break;
    case TB_OP_SDIV: tb_rule_divide (&r, true); break;
    case TB_OP_CLZ: rule_clz (&r); break;
    case TB_OP_RBIT: rule_permute (&r, op); break;
    case TB_OP_SSAT: rule_saturate (&r, true); break;
    case TB_OP_USAT: rule_saturate (&r, false); break;
    case TB_OP_SXTB: sign_extend (&r, 8); break;
    case TB_OP_SXTH: sign_extend (&r, 16); break;
    case TB_OP_REV: case TB_OP_REV16: rule_permute (&r, op); break;
    case TB_OP_SXTW: sign_extend (&r, 32); break;
    case TB_OP_REV32: rule_permute (&r, op); break;
    case TB_OP_V_ADD32: tb_rule_overflow (&r, op, 31, false); break;
    case TB_OP_V_SUB32: tb_rule_overflow (&r, op, 31, true); break;
    case TB_OP_BIT:
      if (tb_known_all (r.b.k))
	rule_bit (&r, (unsigned) (r.b.k.bits & r.top));
      break;
    case TB_OP_ISZERO: rule_iszero (&r); break;
    case TB_OP_LTU: tb_rule_less (&r, false); break;
    case TB_OP_LTS: tb_rule_less (&r, true); break;
    case TB_OP_V_ADD: tb_rule_overflow (&r, op, r.top, false); break;
    case TB_OP_V_SUB: tb_rule_overflow (&r, op, r.top, true); break;
    case TB_OP_C_LSL: case TB_OP_C_LSR: case TB_OP_C_ASR: case TB_OP_C_ROR:
      rule_shift_out (&r, op);
      break;
    case TB_NODE_IF0: rule_if (&r, 0); break;
    case TB_NODE_IF1: rule_if (&r, 1); break;
    case TB_NODE_EITHER: rule_either (&r); break;
    case TB_NODE_BYTE: rule_byte (&r, bytes & 15, bytes >> 4); break;
    }
  return false;
}
