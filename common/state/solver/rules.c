/* What a node concludes of its values, in all directions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each rule reads what is known of D (computed), A and B (operands), and
   refines each of them by the others.  */

#include "config.h"
#include "state/solver/rules.h"

#define ONES(k) ((k).mask & (k).bits)
#define ZEROS(k) ((k).mask & ~(k).bits)

static struct tb_known
bits (tb_word mask, tb_word value)
{
  return (struct tb_known) { mask, value & mask, 0, TB_WORD_MAX };
}

static struct tb_known
ones_zeros (tb_word ones, tb_word zeros)
{
  return (struct tb_known) { ones | zeros, ones, 0, TB_WORD_MAX };
}

void
tb_rule_equal (struct tb_graph *graph, tb_vid d, tb_vid a)
{
  tb_graph_refine (graph, d, tb_graph_known (graph, a));
  tb_graph_refine (graph, a, tb_graph_known (graph, d));
  if (!graph->conflict)
    tb_graph_link (graph, d, a, 0);
}

/* Known bits of A + B + CARRY.  A bit is known where both operands' bits and
   the carry into it are: the carry is where the smallest and the largest
   possible sum agree with the operands.  */
static struct tb_known
sum_bits (struct tb_known a, struct tb_known b, tb_word carry)
{
  tb_word most = ~ZEROS (a) + ~ZEROS (b) + carry;
  tb_word least = ONES (a) + ONES (b) + carry;
  tb_word carry_zero = ~(most ^ ZEROS (a) ^ ZEROS (b));
  tb_word carry_one = least ^ ONES (a) ^ ONES (b);
  tb_word mask = a.mask & b.mask & (carry_zero | carry_one);
  return bits (mask, least);
}

static bool
known_nothing (struct tb_known k)
{
  return k.mask == 0 && k.lo == 0 && k.hi == TB_WORD_MAX;
}

static struct tb_known
inverted (struct tb_known k)
{
  return bits (k.mask, ~k.bits);
}

/* The interval LO .. HI modulo the word if it does not go round in between.  */
static void
narrow (struct tb_graph *graph, tb_vid id, tb_double lo, tb_double hi)
{
  if (lo >> TB_WORD_BITS == hi >> TB_WORD_BITS)
    tb_graph_set_range (graph, id, (tb_word) lo, (tb_word) hi);
}

/* True if all are known now.  */
static bool
rule_add (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word k;

  if (tb_known_all (r->kb))
    {
      tb_graph_link (g, r->d, r->a, r->kb.bits);
      if (tb_known_all (r->kd))
	return true;
    }
  else if (tb_known_all (r->ka))
    {
      tb_graph_link (g, r->d, r->b, r->ka.bits);
      if (tb_known_all (r->kd))
	return true;
    }
  else if (tb_graph_difference (g, r->d, r->a, &k))
    tb_graph_set (g, r->b, k);
  else if (tb_graph_difference (g, r->d, r->b, &k))
    tb_graph_set (g, r->a, k);

  if (known_nothing (r->ka) + known_nothing (r->kb) + known_nothing (r->kd)
      > 1)
    return false;
  tb_graph_refine (g, r->d, sum_bits (r->ka, r->kb, 0));
  tb_graph_refine (g, r->a, sum_bits (r->kd, inverted (r->kb), 1));
  narrow (g, r->d, (tb_double) r->ka.lo + r->kb.lo,
	  (tb_double) r->ka.hi + r->kb.hi);
  narrow (g, r->a, (tb_double) r->kd.lo - r->kb.hi,
	  (tb_double) r->kd.hi - r->kb.lo);
  if (tb_known_all (r->kb))
    return false;
  tb_graph_refine (g, r->b, sum_bits (r->kd, inverted (r->ka), 1));
  narrow (g, r->b, (tb_double) r->kd.lo - r->ka.hi,
	  (tb_double) r->kd.hi - r->ka.lo);
  return false;
}

static void
rule_and (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word least = r->ka.hi < r->kb.hi ? r->ka.hi : r->kb.hi;

  tb_graph_refine (g, r->d, ones_zeros (ONES (r->ka) & ONES (r->kb),
					ZEROS (r->ka) | ZEROS (r->kb)));
  tb_graph_set_range (g, r->d, 0, least);
  tb_graph_refine (g, r->a, ones_zeros (ONES (r->kd),
					ZEROS (r->kd) & ONES (r->kb)));
  tb_graph_refine (g, r->b, ones_zeros (ONES (r->kd),
					ZEROS (r->kd) & ONES (r->ka)));
  /* A mask that takes nothing away.  */
  if ((ONES (r->kb) | ZEROS (r->ka)) == TB_WORD_MAX)
    tb_rule_equal (g, r->d, r->a);
  else if ((ONES (r->ka) | ZEROS (r->kb)) == TB_WORD_MAX)
    tb_rule_equal (g, r->d, r->b);
}

static void
rule_orr (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word most = r->ka.lo > r->kb.lo ? r->ka.lo : r->kb.lo;

  tb_graph_refine (g, r->d, ones_zeros (ONES (r->ka) | ONES (r->kb),
					ZEROS (r->ka) & ZEROS (r->kb)));
  tb_graph_set_range (g, r->d, most, TB_WORD_MAX);
  tb_graph_refine (g, r->a, ones_zeros (ONES (r->kd) & ZEROS (r->kb),
					ZEROS (r->kd)));
  tb_graph_refine (g, r->b, ones_zeros (ONES (r->kd) & ZEROS (r->ka),
					ZEROS (r->kd)));
  if ((ZEROS (r->kb) | ONES (r->ka)) == TB_WORD_MAX)
    tb_rule_equal (g, r->d, r->a);
  else if ((ZEROS (r->ka) | ONES (r->kb)) == TB_WORD_MAX)
    tb_rule_equal (g, r->d, r->b);
}

static void
rule_eor (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_graph_refine (g, r->d, bits (r->ka.mask & r->kb.mask,
				  r->ka.bits ^ r->kb.bits));
  tb_graph_refine (g, r->a, bits (r->kd.mask & r->kb.mask,
				  r->kd.bits ^ r->kb.bits));
  tb_graph_refine (g, r->b, bits (r->kd.mask & r->ka.mask,
				  r->kd.bits ^ r->ka.bits));
  if (tb_known_all (r->kb) && r->kb.bits == 0)
    tb_rule_equal (g, r->d, r->a);
  else if (tb_known_all (r->ka) && r->ka.bits == 0)
    tb_rule_equal (g, r->d, r->b);
}

static void
shift_left (struct rule *r, unsigned n)
{
  struct tb_graph *g = r->graph;
  tb_graph_refine (g, r->d, bits (r->ka.mask << n | ((ONE << n) - 1),
				  r->ka.bits << n));
  tb_graph_set_bits (g, r->a, r->kd.mask >> n, r->kd.bits >> n);
  if (r->ka.hi <= TB_WORD_MAX >> n)
    {
      tb_graph_set_range (g, r->d, r->ka.lo << n, r->ka.hi << n);
      tb_graph_set_range (g, r->a, r->kd.lo >> n, r->kd.hi >> n);
    }
}

static void
shift_right (struct rule *r, unsigned n)
{
  struct tb_graph *g = r->graph;
  tb_word top = TB_WORD_MAX >> n, low = (ONE << n) - 1;
  tb_word hi = r->kd.hi < top ? r->kd.hi : top;
  tb_graph_refine (g, r->d, bits (r->ka.mask >> n | ~top, r->ka.bits >> n));
  tb_graph_set_range (g, r->d, r->ka.lo >> n, r->ka.hi >> n);
  tb_graph_set_bits (g, r->a, r->kd.mask << n, r->kd.bits << n);
  if (r->kd.lo <= hi)
    tb_graph_set_range (g, r->a, r->kd.lo << n, hi << n | low);
}

static void
shift_arithmetic (struct rule *r, unsigned n)
{
  struct tb_graph *g = r->graph;
  tb_word copies = ~(TB_WORD_MAX >> n) | SIGN >> n;
  tb_word mask = r->ka.mask >> n, value = r->ka.bits >> n;
  if (r->ka.mask & SIGN)
    {
      mask |= copies;
      value = (tb_word) ((tb_sword) r->ka.bits >> n);
    }
  tb_graph_set_bits (g, r->d, mask, value);
  tb_graph_set_bits (g, r->a, r->kd.mask << n, r->kd.bits << n);
  if (r->kd.mask & copies)
    {
      tb_word sign = r->kd.mask & copies & r->kd.bits ? TB_WORD_MAX : 0;
      tb_graph_set_bits (g, r->a, SIGN, sign);
      tb_graph_set_bits (g, r->d, copies, sign);
    }
  if (r->ka.lo >> TOP == r->ka.hi >> TOP)
    tb_graph_set_range (g, r->d, (tb_word) ((tb_sword) r->ka.lo >> n),
			(tb_word) ((tb_sword) r->ka.hi >> n));
}

/* Shifts by a known amount.  */
static void
rule_shift (struct rule *r, unsigned op)
{
  struct tb_graph *g = r->graph;
  unsigned n = r->kb.bits & 255;

  if ((r->kb.mask & 255) != 255)
    return;
  if (op == TB_OP_ROR)
    n &= TOP;
  if (op == TB_OP_ASR && n > TOP)
    n = TOP;
  if (n == 0)
    tb_rule_equal (g, r->d, r->a);
  else if (n > TOP)
    tb_graph_set (g, r->d, 0);
  else if (op == TB_OP_LSL)
    shift_left (r, n);
  else if (op == TB_OP_LSR)
    shift_right (r, n);
  else if (op == TB_OP_ASR)
    shift_arithmetic (r, n);
  else
    {
      tb_graph_set_bits (g, r->d, tb_word_op (TB_OP_ROR, r->ka.mask, n),
			 tb_word_op (TB_OP_ROR, r->ka.bits, n));
      n = TB_WORD_BITS - n;
      tb_graph_set_bits (g, r->a, tb_word_op (TB_OP_ROR, r->kd.mask, n),
			 tb_word_op (TB_OP_ROR, r->kd.bits, n));
    }
}

/* D leading zeros.  */
static void
rule_clz (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_graph_set_range (g, r->d, tb_word_op (TB_OP_CLZ, r->ka.hi, 0),
		      tb_word_op (TB_OP_CLZ, r->ka.lo, 0));
  if (!tb_known_all (r->kd) || r->kd.bits > TB_WORD_BITS)
    return;
  if (r->kd.bits == TB_WORD_BITS)
    tb_graph_set (g, r->a, 0);
  else
    tb_graph_set_range (g, r->a, SIGN >> r->kd.bits,
			TB_WORD_MAX >> r->kd.bits);
}

/* D is A limited to B bits.  Where A is within the limits they are the same, and
   where D is not one of the limits.  */
static void
rule_saturate (struct rule *r, bool is_signed)
{
  struct tb_graph *g = r->graph;
  unsigned n = r->kb.bits & TOP;
  if (!tb_known_all (r->kb) || r->kb.bits > TOP || n == 0)
    return;
  tb_word most = is_signed ? (ONE << (n - 1)) - 1 : (ONE << n) - 1;
  if (!is_signed)
    tb_graph_set_range (g, r->d, 0, most);
  if (r->ka.hi <= most || (r->kd.lo > 0 && r->kd.hi < most))
    tb_rule_equal (g, r->d, r->a);
}

/* D is the low N bits of A, sign-extended.  */
static void
sign_extend (struct rule *r, unsigned n)
{
  struct tb_graph *g = r->graph;
  tb_word low = (ONE << n) - 1, sign = ONE << (n - 1), copies = ~(low >> 1);
  tb_word mask = r->ka.mask & low, value = r->ka.bits & low;
  if (mask & sign)
    {
      mask |= copies;
      value |= value & sign ? copies : 0;
    }
  tb_graph_set_bits (g, r->d, mask, value);
  tb_graph_set_bits (g, r->a, r->kd.mask & low, r->kd.bits);
  if (r->kd.mask & copies)
    {
      tb_word all = r->kd.bits & copies ? TB_WORD_MAX : 0;
      tb_graph_set_bits (g, r->a, sign, all);
      tb_graph_set_bits (g, r->d, copies, all);
    }
  if (r->ka.hi <= low >> 1)
    tb_rule_equal (g, r->d, r->a);
}

/* Bit N of A is D.  */
static void
rule_bit (struct rule *r, unsigned n)
{
  tb_graph_set_bits (r->graph, r->d, ~ONE | (r->ka.mask >> n & 1),
		     r->ka.bits >> n & 1);
  if (r->kd.mask & 1)
    tb_graph_set_bits (r->graph, r->a, ONE << n, (r->kd.bits & 1) << n);
}

static void
rule_iszero (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word open = ~r->ka.mask;
  if (r->ka.hi == 0)
    tb_graph_set (g, r->d, 1);
  if (r->ka.lo > 0)
    tb_graph_set (g, r->d, 0);
  if (!tb_known_all (r->kd))
    return;
  if (r->kd.bits == 1)
    tb_graph_set (g, r->a, 0);
  else
    {
      tb_graph_set_range (g, r->a, 1, TB_WORD_MAX);
      /* The one bit that could make it so.  */
      if (r->ka.bits == 0 && (open & (open - 1)) == 0)
	tb_graph_set_bits (g, r->a, open, open);
    }
}

/* The last bit shifted out; nothing follows from a shift by 0.  */
static void
rule_shift_out (struct rule *r, unsigned op)
{
  unsigned n = r->kb.bits & 255, at;
  if ((r->kb.mask & 255) != 255 || n == 0)
    return;
  if (op == TB_OP_C_ROR)
    at = (n - 1) & TOP;
  else if (n > TB_WORD_BITS)
    {
      if (op != TB_OP_C_ASR)
	{
	  tb_graph_set (r->graph, r->d, 0);
	  return;
	}
      at = TOP;
    }
  else
    at = op == TB_OP_C_LSL ? TB_WORD_BITS - n : n - 1;
  rule_bit (r, at);
}

/* KC is CASE implies D == A.  */
static void
rule_if (struct rule *r, tb_word when)
{
  struct tb_graph *g = r->graph;
  if (tb_known_all (r->kb))
    {
      if (r->kb.bits == when)
	tb_rule_equal (g, r->d, r->a);
    }
  else if (((r->kd.bits ^ r->ka.bits) & r->kd.mask & r->ka.mask) != 0
	   || r->kd.lo > r->ka.hi || r->ka.lo > r->kd.hi)
    tb_graph_set (g, r->b, !when);
}

/* D is A or B.  */
static void
rule_either (struct rule *r)
{
  struct tb_graph *g = r->graph;
  tb_word same = r->ka.mask & r->kb.mask & ~(r->ka.bits ^ r->kb.bits);
  struct tb_known both = { same, r->ka.bits & same,
			   r->ka.lo < r->kb.lo ? r->ka.lo : r->kb.lo,
			   r->ka.hi > r->kb.hi ? r->ka.hi : r->kb.hi };
  tb_graph_refine (g, r->d, both);
}

static void
rule_byte (struct rule *r, unsigned x, unsigned y)
{
  tb_word a = r->ka.mask >> 8 * y & 255, d = r->kd.mask >> 8 * x & 255;
  tb_graph_set_bits (r->graph, r->d, a << 8 * x,
		     (r->ka.bits >> 8 * y & 255) << 8 * x);
  tb_graph_set_bits (r->graph, r->a, d << 8 * y,
		     (r->kd.bits >> 8 * x & 255) << 8 * y);
}

/* D is A with its bits in another order.  */
static void
rule_permute (struct rule *r, unsigned op)
{
  tb_graph_set_bits (r->graph, r->d, tb_word_op (op, r->ka.mask, 0),
		     tb_word_op (op, r->ka.bits, 0));
  tb_graph_set_bits (r->graph, r->a, tb_word_op (op, r->kd.mask, 0),
		     tb_word_op (op, r->kd.bits, 0));
}

bool
tb_rule_apply (struct tb_graph *graph, unsigned op, unsigned bytes, tb_vid d,
	       tb_vid a, tb_vid b)
{
  if (op <= TB_OP_LAST_VALUE && b != 0
      && !tb_graph_open (graph, a) && !tb_graph_open (graph, b))
    {
      tb_word x = tb_graph_known (graph, a).bits;
      tb_word y = tb_graph_known (graph, b).bits;
      /* Nothing is said of what a shift by 0 shifts out.  */
      if (op < TB_OP_C_LSL || (y & 255) != 0)
	tb_graph_set (graph, d, tb_word_op (op, x, y));
      return true;
    }
  struct rule r = { .graph = graph, .d = d, .a = a, .b = b };
  r.kd = tb_graph_known (graph, r.d);
  r.ka = tb_graph_known (graph, r.a);
  r.kb = r.b != 0 ? tb_graph_known (graph, r.b)
	 : (struct tb_known) { .hi = TB_WORD_MAX };
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
#ifdef TB_STATE_WIDE
    case TB_OP_SXTW: sign_extend (&r, 32); break;
    case TB_OP_REV32: rule_permute (&r, op); break;
    case TB_OP_V_ADD32: tb_rule_overflow (&r, op, 31, false); break;
    case TB_OP_V_SUB32: tb_rule_overflow (&r, op, 31, true); break;
#endif
    case TB_OP_BIT:
      if (tb_known_all (r.kb))
	rule_bit (&r, r.kb.bits & TOP);
      break;
    case TB_OP_ISZERO: rule_iszero (&r); break;
    case TB_OP_LTU: tb_rule_less (&r, false); break;
    case TB_OP_LTS: tb_rule_less (&r, true); break;
    case TB_OP_V_ADD: tb_rule_overflow (&r, op, TOP, false); break;
    case TB_OP_V_SUB: tb_rule_overflow (&r, op, TOP, true); break;
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
