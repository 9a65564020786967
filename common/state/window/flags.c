/* Naming of the condition flags, and what a branch tells of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Most flags that instructions set are never read.  Only those that are get a
   value of their own; for the others it is enough to remember the operands
   (struct tb_flag_rule).  */

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

/* State that flag SLOT is VALUE.  */
static void
set_flag (struct tb_builder *b, unsigned slot, bool value)
{
  tb_namer_bits (&b->n, tb_build_read (b, slot, 0), UINT32_MAX, value);
}

/* State whether A < B holds.  */
static void
set_less (struct tb_builder *b, unsigned op, tb_vid x, tb_vid y, bool value)
{
  tb_namer_node (&b->n, op, tb_namer_constant (&b->n, value), x, y);
}

/* Are all flags those of one comparison R->a - R->b?  */
static bool
is_comparison (const struct tb_names *n)
{
  const struct tb_flag_rule *r = &n->c;
  return r->op == TB_OP_CV_SUB && r->carry == 0 && n->v.op == r->op
	 && n->v.result == r->result && n->nz == r->result;
}

tb_vid
tb_build_holds (struct tb_builder *b, unsigned cc)
{
  struct tb_names *n = b->names;
  const struct tb_flag_rule *r = &n->c;
  static const uint8_t flag[4] = { TB_SLOT_Z, TB_SLOT_C, TB_SLOT_N,
				   TB_SLOT_V };
  tb_vid d, not_z;

  if (cc >> 1 < 4)
    d = tb_build_read (b, flag[cc >> 1], 0);
  else if (cc >> 1 == 4)
    {
      not_z = tb_namer_valuei (&b->n, TB_OP_EOR,
			       tb_build_read (b, TB_SLOT_Z, 0),
			       1);
      d = tb_namer_value (&b->n, TB_OP_AND, tb_build_read (b, TB_SLOT_C, 0),
			  not_z);
      if (is_comparison (n))
	tb_namer_node (&b->n, TB_OP_LTU, d, r->b, r->a);
    }
  else
    {
      tb_vid differ = tb_namer_value (&b->n, TB_OP_EOR,
				      tb_build_read (b, TB_SLOT_N, 0),
				      tb_build_read (b, TB_SLOT_V, 0));
      if (is_comparison (n))
	tb_namer_node (&b->n, TB_OP_LTS, differ, r->a, r->b);
      d = tb_namer_valuei (&b->n, TB_OP_EOR, differ, 1);
      if (cc >> 1 == 6)
	{
	  not_z = tb_namer_valuei (&b->n, TB_OP_EOR,
				   tb_build_read (b, TB_SLOT_Z, 0), 1);
	  d = tb_namer_value (&b->n, TB_OP_AND, d, not_z);
	  if (is_comparison (n))
	    tb_namer_node (&b->n, TB_OP_LTS, d, r->b, r->a);
	}
    }
  return cc & 1 ? tb_namer_valuei (&b->n, TB_OP_EOR, d, 1) : d;
}

void
tb_build_condition (struct tb_builder *b, unsigned cc, bool holds)
{
  struct tb_names *n = b->names;
  const struct tb_flag_rule *r = &n->c;
  bool compared = is_comparison (n);
  tb_vid one = tb_namer_constant (&b->n, 1);
  tb_vid zero = tb_namer_constant (&b->n, 0);
  tb_vid differ, not_z;

  if (cc & 1)
    holds = !holds;
  switch (cc >> 1)
    {
    case 0: case 1: case 2: case 3:
      {
	static const uint8_t flag[4] = { TB_SLOT_Z, TB_SLOT_C, TB_SLOT_N,
					 TB_SLOT_V };
	set_flag (b, flag[cc >> 1], holds);
	break;
      }
    case 4:			/* C and not Z.  */
      if (holds)
	{
	  set_flag (b, TB_SLOT_C, true);
	  set_flag (b, TB_SLOT_Z, false);
	}
      else
	{
	  not_z = tb_namer_value (&b->n, TB_OP_EOR,
				  tb_build_read (b, TB_SLOT_Z, 0),
				  one);
	  tb_namer_node (&b->n, TB_OP_AND, zero,
			 tb_build_read (b, TB_SLOT_C, 0),
			 not_z);
	}
      if (compared)
	set_less (b, TB_OP_LTU, r->b, r->a, holds);
      break;
    case 5: case 6:		/* N is V (and not Z).  */
      differ = tb_namer_value (&b->n, TB_OP_EOR,
			       tb_build_read (b, TB_SLOT_N, 0),
			       tb_build_read (b, TB_SLOT_V, 0));
      if (cc >> 1 == 5)
	{
	  tb_namer_bits (&b->n, differ, UINT32_MAX, !holds);
	  if (compared)
	    set_less (b, TB_OP_LTS, r->a, r->b, !holds);
	  break;
	}
      if (holds)
	{
	  set_flag (b, TB_SLOT_Z, false);
	  tb_namer_bits (&b->n, differ, UINT32_MAX, 0);
	}
      else
	{
	  not_z = tb_namer_value (&b->n, TB_OP_EOR,
				  tb_build_read (b, TB_SLOT_Z, 0),
				  one);
	  tb_namer_node (&b->n, TB_OP_AND, zero,
			 tb_namer_value (&b->n, TB_OP_EOR, differ, one), not_z);
	}
      if (compared)
	set_less (b, TB_OP_LTS, r->b, r->a, holds);
      break;
    }
}
