/* Jumps through tables.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The bound is that of a comparison with a number just before the jump:

	cmp   rX, #n
	bhi   elsewhere			(or: bls to what follows)
	...				straight on
	the jump

   or the jump is an A32 instruction that is done if LS.

   With each of 0 to n in rX the instructions from there to the jump are run; all
   of them must end at a known place.  So no pattern of instructions but this is
   needed: TBB, TBH, LDR PC, MOV PC, ADD PC and the helpers that compilers call
   in Thumb-1 code, which read the table behind the call, are all alike.  */

#include "config.h"
#include "state/assume/code-graph.h"

/* Instructions from the comparison to the jump, at most.  */
#define CHAIN 16
/* Values of the index, at most; and those of all jumps together, before the
   others are taken for jumps to who knows where.  */
#define CASES 1024
#define ALL_CASES (UINT32_C (1) << 22)

/* A jump and how it is guarded.  */
struct guarded
{
  uint32_t chain[CHAIN];	/* The last one first: the jump.  */
  unsigned count;
  unsigned index;		/* The register that is compared ...  */
  uint64_t bound;		/* ... with this.  */
};

/* Find the comparison that the branch numbered I depends on.  */
static bool
find_compare (const struct tb_constants *c, uint32_t i, struct guarded *g)
{
  uint32_t between = 0;
  for (unsigned n = 0; n < 4; n++)
    {
      /* No one may get in between.  */
      if (c->code[i].flags & (TB_CODE_JUMPED | TB_CODE_ENTRY))
	return false;
      i = c->code[i].before;
      if (i == TB_CODE_NONE)
	return false;
      const struct tb_insn *code = &c->code[i];
      if (c->isa->compare (code, &g->index, &g->bound))
	return !(between >> g->index & 1);
      bool flags = false;
      if (!code->modelled || code->it != 0)
	return false;
      between |= c->isa->writes (c, code, &flags);
      if (flags)
	return false;
    }
  return false;
}

/* Find how the jump numbered I is guarded.  */
static bool
find_guard (const struct tb_constants *c, uint32_t i, struct guarded *g)
{
  enum { HI = 8, LS = 9 };
  g->chain[0] = i;
  g->count = 1;
  if (c->isa->governs != NULL && c->isa->governs (&c->code[i]) == LS)
    return find_compare (c, i, g);
  for (g->count = 0; g->count < CHAIN;)
    {
      const struct tb_insn *code = &c->code[i];
      struct tb_flow flow;
      g->chain[g->count++] = i;
      if (code->flags & (TB_CODE_ENTRY | TB_CODE_JUMPED_MORE))
	return false;
      if (code->flags & TB_CODE_JUMPED)
	return code->before == TB_CODE_NONE
	       && c->isa->condition (c, &c->code[code->from]) == LS
	       && find_compare (c, code->from, g);
      if (code->before == TB_CODE_NONE)
	return false;
      i = code->before;
      if (c->isa->condition (c, &c->code[i]) == HI)
	return find_compare (c, i, g);
      c->isa->flow (c, &c->code[i], &flow);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT
	  || !c->code[i].modelled || c->code[i].it != 0)
	return false;
    }
  return false;
}

/* Run the function at PC, which goes straight on to where it returns.  */
static bool
run_callee (struct tb_constants *c, uint64_t pc, struct tb_code_places *p)
{
  p->has_target = false;
  for (unsigned n = 0; n < CHAIN; n++)
    {
      uint32_t number = tb_code_at (c, pc);
      struct tb_flow flow;
      if (number == TB_CODE_NONE || !c->code[number].modelled)
	return false;
      const struct tb_insn *i = &c->code[number];
      c->isa->flow (c, i, &flow);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_UNDEFINED
	  || flow.it_length != 0)
	return false;
      tb_code_eval (c, i, p);
      if (p->has_target)
	return p->target_known;
      pc += i->size;
    }
  return false;
}

/* Where the jump G leads with INDEX.  */
static bool
run_case (struct tb_constants *c, const struct guarded *g, uint32_t index,
	  struct tb_code_places *p)
{
  tb_code_load (c, g->chain[g->count - 1], p);
  p->table = true;
  p->known[g->index] = true;
  p->value[g->index] = index;
  for (unsigned k = g->count; k-- > 0;)
    {
      const struct tb_insn *i = &c->code[g->chain[k]];
      tb_code_eval (c, i, p);
    }
  struct tb_flow flow;
  c->isa->flow (c, &c->code[g->chain[0]], &flow);
  if (tb_code_is_call (&flow))
    return run_callee (c, flow.target, p);
  return p->has_target && p->target_known;
}

bool
tb_code_switch (struct tb_constants *c, uint32_t number,
		const struct tb_code_places *p)
{
  struct guarded g;
  struct tb_code_places after = *p, one;
  if (!find_guard (c, number, &g) || g.bound >= CASES
      || c->cases > ALL_CASES)
    return false;
  c->cases += (uint32_t) g.bound + 1;
  /* A helper is a callee; it keeps no less than any.  */
  struct tb_flow flow;
  c->isa->flow (c, &c->code[number], &flow);
  if (tb_code_is_call (&flow))
    tb_code_after_call (c, &after);
  for (uint32_t index = 0; index <= g.bound; index++)
    if (!run_case (c, &g, index, &one)
	|| tb_code_at (c, one.target & ~c->isa->pointer_bit) == TB_CODE_NONE)
      return false;
  for (uint32_t index = 0; index <= g.bound; index++)
    {
      run_case (c, &g, index, &one);
      uint32_t to = tb_code_edge (c, number, one.target & ~c->isa->pointer_bit,
				  &after, true, 0);
      if (to == TB_CODE_NONE)
	return false;
      c->code[to].flags |= TB_CODE_CASE;
    }
  c->code[number].flags |= TB_CODE_SWITCH;
  return true;
}
