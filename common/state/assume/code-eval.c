/* Constants through one instruction, by its micro-operations, of all instruction sets.
   See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/code-graph.h"

#include "arm/ir/semantics-a64.h"

_Static_assert ((unsigned) TB_PLACE_FP == (unsigned) TB_A64_VECTOR, "places");

/* *VALUE is what PLACE holds; false: that is not known.  */
static bool
take (const struct tb_constants *c, const struct tb_code_places *p,
      unsigned place, uint64_t imm, uint64_t *value)
{
  *value = place == TB_PLACE_IMM ? imm : 0;
  if (place >= c->isa->places)
    return place < TB_PLACE_FP;
  *value = p->value[place];
  return p->known[place];
}

static void
put (const struct tb_constants *c, struct tb_code_places *p, unsigned place,
     bool is_known, uint64_t value)
{
  if (place >= c->isa->places)
    return;
  p->known[place] = is_known;
  p->value[place] = value;
}

/* A load by I of SIZE bytes from ADDRESS.  What is loaded relative to the instruction
   (LITERAL), and tables of targets beside the code, are code as it is.  */
static bool
load (const struct tb_constants *c, const struct tb_insn *i, bool literal,
      const struct tb_code_places *p, uint64_t address, unsigned size,
      uint64_t *value)
{
  if (tb_code_constant (c, address, size, value))
    return true;
  return (literal || p->table)
	 && tb_code_literal (c, i->pc, address, size, value);
}

/* What U, of system registers, may write is not known.  */
static void
forget (const struct tb_constants *c, struct tb_code_places *p,
	const struct tb_uop *u)
{
  struct tb_semantics_effect effect;
  tb_semantics_effect (u, 1, c->isa->width == 64, &effect);
  for (unsigned r = 0; r < c->isa->slots; r++)
    if (effect.may_write >> r & 1)
      put (c, p, r, false, 0);
}

/* What U, which computes no value of its operands alone, leaves of P.  LITERAL: its
   operand A is the PC plus a number; A holds VALUE, if that is KNOWN.  */
static void
act (const struct tb_constants *c, const struct tb_insn *i,
     const struct tb_uop *u, struct tb_code_places *p, bool literal, bool known,
     uint64_t value)
{
  uint64_t loaded = 0;
  switch (u->op)
    {
    case TB_OP_LOAD: case TB_OP_LOAD_LITERAL:
      known = known && load (c, i, literal || u->op == TB_OP_LOAD_LITERAL, p,
			     value, TB_ACCESS_SIZE (u->imm), &loaded);
      put (c, p, u->dst, known, loaded);
      break;
    case TB_OP_TARGET:
      p->has_target = true;
      p->target_known = known;
      p->target = value & u->imm;
      /* It stays in T32.  */
      if (!c->profile->is_m && i->pc & 1 && !(u->imm & 1))
	p->target |= 1;
      break;
    case TB_OP_MODE: case TB_OP_WRITE_BANKED: case TB_OP_WRITE_SPSEL:
      forget (c, p, u);
      break;
    case TB_OP_WRITE_SP:
      put (c, p, TB_A64_SP, false, 0);
      break;
    default:
      if (tb_op_is (u->op, TB_WRITES))
	put (c, p, u->dst, false, 0);
      break;
    }
}

void
tb_code_eval (const struct tb_constants *c, const struct tb_insn *i,
	      struct tb_code_places *p)
{
  const struct tb_uop *uops = c->uops + i->first;
  struct tb_code_places before;
  bool conditional = false, wide = c->isa->width == 64;
  uint64_t literals = 0;	/* Temporaries that hold the PC plus a number.  */
  for (unsigned k = 0; k < i->count; k++)
    {
      const struct tb_uop *u = &uops[k];
      uint64_t a, b;
      bool literal = u->a == TB_PLACE_IMM
		     || (u->a < c->isa->places && literals >> u->a & 1);
      bool has_a = take (c, p, u->a, u->imm, &a);
      bool has_b = take (c, p, u->b, u->imm, &b);
      /* What a store does is not followed.  */
      if (!conditional
	  && (u->op == TB_OP_PRIVILEGED
	      || (u->when != TB_ALWAYS && u->op != TB_OP_STORE && !wide)))
	{
	  before = *p;
	  conditional = true;
	}
      if (u->op <= TB_OP_LAST_VALUE)
	{
	  uint64_t value = tb_op_value (u->op, c->isa->width, a, b), old;
	  bool known = has_a && has_b;
	  /* Of A64 each by itself may not be done.  */
	  if (wide && u->when != TB_ALWAYS)
	    known = known && take (c, p, u->dst, 0, &old) && old == value;
	  put (c, p, u->dst, known, value);
	}
      else
	act (c, i, u, p, literal, has_a, a);
      if (u->dst < c->isa->places && u->dst >= c->isa->slots)
	{
	  uint64_t bit = UINT64_C (1) << u->dst;
	  literals &= ~bit;
	  literals |= u->op == TB_OP_MOV && literal ? bit : 0;
	}
    }
  if (conditional)
    tb_code_maybe (c, p, &before);
  /* Flags are not followed.  */
  for (unsigned flag = 0; flag < 4; flag++)
    p->known[c->isa->flags + flag] = false;
}

unsigned
tb_code_lr_use (const struct tb_constants *c, const struct tb_insn *i)
{
  const struct tb_uop *u = c->uops + i->first, *end = u + i->count;
  unsigned use = 0, lr = c->isa->lr;
  struct tb_flow flows;
  c->isa->flow (c, i, &flows);
  for (; u < end; u++)
    {
      /* As a number; to go there and to store it are no such uses, and MOV PC, LR, for
	 one, returns.  */
      bool reads = (u->a == lr && u->op != TB_OP_TARGET)
		   || (u->b == lr && !tb_op_is (u->op, TB_STORES));
      if (reads && flows.sub != TB_SUB_V7RETURN)
	use |= use & TB_LR_WRITTEN ? TB_LR_READ
	       : TB_LR_READ | TB_LR_READ_FIRST;
      if (u->dst == lr && tb_op_is (u->op, TB_WRITES) && u->when == TB_ALWAYS)
	use |= TB_LR_WRITTEN;
    }
  return use;
}
