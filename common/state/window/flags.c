/* Naming of the condition flags, and what a branch tells of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Most flags that instructions set are never read.  Only those that are get a
   value of their own; for the others it is enough to remember the operands
   (struct tb_flag_rule).  Of A64 all flags have names, and conditions are the same.  */

#include "config.h"
#include "state/window/builder.h"

void
tb_build_name_flags (struct tb_builder *b, const tb_vid *flags)
{
  struct tb_names *n = b->names;
  for (unsigned i = 0; i < 4; i++)
    n->slot[TB_SLOT_N + i] = flags != NULL ? flags[i]
			     : tb_build_fresh (b, TB_SLOT_N + i);
  n->nz = 0;
  n->c.op = n->v.op = TB_OP_UNKNOWN;
}

void
tb_build_nz (struct tb_builder *b, tb_vid value, unsigned live)
{
  struct tb_names *n = b->names;
  n->nz = value;
  n->slot[TB_SLOT_N] = n->slot[TB_SLOT_Z] = 0;
  if (live & 1)
    n->slot[TB_SLOT_N] = tb_namer_valuei (&b->n, TB_OP_BIT, value, 31);
  if (live & 2)
    n->slot[TB_SLOT_Z] = tb_namer_value (&b->n, TB_OP_ISZERO, value, 0);
}

/* C by rule R.  */
static tb_vid
name_carry (struct tb_builder *b, const struct tb_flag_rule *r)
{
  bool subtract = r->op == TB_OP_CV_SUB;
  if (r->carry == 0)
    {
      tb_vid c;
      if (!subtract)		/* The sum went round.  */
	return tb_namer_value (&b->n, TB_OP_LTU, r->result, r->a);
      c = tb_namer_value (&b->n, TB_OP_LTU, r->a, r->b);
      return tb_namer_valuei (&b->n, TB_OP_EOR, c, 1);
    }
  tb_vid y = subtract ? tb_namer_valuei (&b->n, TB_OP_EOR, r->b, UINT32_MAX)
	     : r->b;
  tb_vid sum = tb_namer_value (&b->n, TB_OP_ADD, r->a, y);
  tb_vid first = tb_namer_value (&b->n, TB_OP_LTU, sum, r->a);
  tb_vid second = tb_namer_value (&b->n, TB_OP_LTU, r->result, sum);
  return tb_namer_value (&b->n, TB_OP_ORR, first, second);
}

/* V by rule R.  */
static tb_vid
name_overflow (struct tb_builder *b, const struct tb_flag_rule *r)
{
  bool subtract = r->op == TB_OP_CV_SUB;
  if (r->carry == 0)
    return tb_namer_value (&b->n, subtract ? TB_OP_V_SUB : TB_OP_V_ADD, r->a,
			   r->b);
  /* The result's sign differs from the first operand's, and that operand's is
     the other's (inverted for a subtraction).  */
  tb_vid x = tb_namer_value (&b->n, TB_OP_EOR, r->a, r->result);
  tb_vid y = subtract ? tb_namer_value (&b->n, TB_OP_EOR, r->a, r->b)
	     : tb_namer_value (&b->n, TB_OP_EOR, r->b, r->result);
  return tb_namer_valuei (&b->n, TB_OP_BIT,
			  tb_namer_value (&b->n, TB_OP_AND, x, y), 31);
}

void
tb_build_cv (struct tb_builder *b, const struct tb_uop *u, tb_vid x, tb_vid y,
	     unsigned live)
{
  struct tb_names *n = b->names;
  tb_vid carry = u->dst < TB_NPLACES ? tb_build_read (b, u->dst, 0) : 0;
  struct tb_flag_rule r = { .op = u->op, .a = x, .b = y, .carry = carry,
			    .result = n->nz };
  n->c = n->v = r;
  n->slot[TB_SLOT_C] = live & 4 ? name_carry (b, &r) : 0;
  n->slot[TB_SLOT_V] = live & 8 ? name_overflow (b, &r) : 0;
}

void
tb_build_shift (struct tb_builder *b, const struct tb_uop *u, tb_vid x,
		tb_vid y, unsigned live)
{
  struct tb_names *n = b->names;
  unsigned op = u->dst - TB_OP_LSL + TB_OP_C_LSL;
  tb_vid old = live & 4 ? tb_build_read (b, TB_SLOT_C, 0) : 0;
  n->c = (struct tb_flag_rule) { .op = u->dst, .a = x, .b = y };
  n->slot[TB_SLOT_C] = 0;
  if (!(live & 4))
    return;
  tb_vid out = tb_namer_value (&b->n, op, x, y);
  if (u->b != TB_PLACE_IMM)
    {
      tb_vid amount = tb_namer_valuei (&b->n, TB_OP_AND, y, 255);
      tb_vid none = tb_namer_value (&b->n, TB_OP_ISZERO, amount, 0);
      out = tb_namer_select (&b->n, none, old, out);
    }
  n->slot[TB_SLOT_C] = out;
}

/* Conditions come in pairs of opposites; these are by half their number.  */
enum { EQ, CS, MI, VS, HI, GE, GT, AL };

/* The flag by its place behind N.  */
static tb_vid
flag (struct tb_builder *b, unsigned number)
{
  return tb_build_read (b, (b->wide ? TB_A64_N : TB_SLOT_N) + number, 0);
}

/* The flag that condition PAIR, up to VS, is.  */
static tb_vid
flag_of (struct tb_builder *b, unsigned pair)
{
  static const uint8_t number[] = { [EQ] = 1, [CS] = 2, [MI] = 0, [VS] = 3 };
  return flag (b, number[pair]);
}

static tb_vid
not_equal (struct tb_builder *b)
{
  return tb_namer_opposite (&b->n, flag_of (b, EQ));
}

/* Is N not V?  */
static tb_vid
differ (struct tb_builder *b)
{
  return tb_namer_value (&b->n, TB_OP_EOR, flag_of (b, MI), flag_of (b, VS));
}

/* Are all flags those of one comparison, *X - *Y?  They become numbers that condition PAIR
   compares.  */
static bool
find_comparison (struct tb_builder *b, unsigned pair, tb_vid *x, tb_vid *y)
{
  const struct tb_names *n = b->names;
  const struct tb_flag_rule *r = &n->c;
  *x = b->wide ? n->x : r->a;
  *y = b->wide ? n->y : r->b;
  if (!b->wide)
    return r->op == TB_OP_CV_SUB && r->carry == 0 && n->v.op == r->op
	   && n->v.result == r->result && n->nz == r->result;
  if (pair != HI && n->bits == 32)
    {
      *x = tb_namer_value (&b->n, TB_OP_SXTW, *x, 0);
      *y = tb_namer_value (&b->n, TB_OP_SXTW, *y, 0);
    }
  return n->bits != 0;
}

/* D is condition PAIR, or of GE its opposite, of a comparison of X with Y: what does that say of
   the flags?  */
static void
tie_flags (struct tb_builder *b, unsigned pair, tb_vid d, tb_vid x, tb_vid y)
{
  if (pair == HI)
    tb_namer_node (&b->n, TB_OP_AND, d, flag_of (b, CS), not_equal (b));
  else if (pair == GE)
    tb_namer_node (&b->n, TB_OP_EOR, d, flag_of (b, MI), flag_of (b, VS));
  else
    tb_namer_node (&b->n, TB_OP_LTS, differ (b), x, y);
}

/* Of a comparison its operands say more than the flags.  */
tb_vid
tb_build_holds (struct tb_builder *b, unsigned cc)
{
  unsigned pair = cc >> 1;
  bool invert = cc & 1;
  tb_vid d, x, y;

  if (pair == AL)
    return tb_namer_constant (&b->n, 1);
  if (pair < HI)
    d = flag_of (b, pair);
  else if (find_comparison (b, pair, &x, &y))
    {
      d = pair == HI ? tb_namer_value (&b->n, TB_OP_LTU, y, x)
	  : pair == GE ? tb_namer_value (&b->n, TB_OP_LTS, x, y)
	  : tb_namer_value (&b->n, TB_OP_LTS, y, x);
      /* Of A64 all flags have names, and to tie them costs up to a twentieth of the time, for
	 a few flags more.  */
      if (!b->wide)
	tie_flags (b, pair, d, x, y);
      invert ^= pair == GE;
    }
  else if (pair == HI)
    d = tb_namer_value (&b->n, TB_OP_AND, flag_of (b, CS), not_equal (b));
  else
    {
      d = differ (b);
      if (pair == GT)
	d = tb_namer_value (&b->n, TB_OP_ORR, d, flag_of (b, EQ));
      invert = !invert;
    }
  return invert ? tb_namer_opposite (&b->n, d) : d;
}

/* State that flag ID is VALUE.  */
static void
set_flag (struct tb_builder *b, tb_vid id, bool value)
{
  tb_namer_bits (&b->n, id, UINT32_MAX, value);
}

/* State that X OP Y, a comparison, is VALUE.  */
static void
set_less (struct tb_builder *b, unsigned op, tb_vid x, tb_vid y, bool value)
{
  tb_namer_node (&b->n, op, tb_namer_constant (&b->n, value), x, y);
}

/* A branch tells the flags themselves, which takes fewer nodes than a value of the
   condition.  */
void
tb_build_condition (struct tb_builder *b, unsigned cc, bool holds)
{
  unsigned pair = cc >> 1;
  tb_vid x, y, d;
  bool compared = pair >= HI && find_comparison (b, pair, &x, &y);

  holds ^= cc & 1;
  if (pair < HI)
    set_flag (b, flag_of (b, pair), holds);
  else if (pair == GE)
    {
      set_flag (b, differ (b), !holds);
      if (compared)
	set_less (b, TB_OP_LTS, x, y, !holds);
    }
  else
    {
      /* HI is C, and GT that N is V, and not Z.  */
      d = pair == HI ? flag_of (b, CS) : differ (b);
      if (holds)
	{
	  set_flag (b, d, pair == HI);
	  set_flag (b, flag_of (b, EQ), false);
	}
      else
	tb_namer_node (&b->n, TB_OP_AND, tb_namer_constant (&b->n, 0),
		       pair == HI ? d : tb_namer_opposite (&b->n, d), not_equal (b));
      if (compared)
	set_less (b, pair == HI ? TB_OP_LTU : TB_OP_LTS, y, x, holds);
    }
}
