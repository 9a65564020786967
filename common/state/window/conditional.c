/* Naming of what is done under a condition: in IT blocks, by exclusive stores,
   conditional selections.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/fp.h"
#include "state/window/builder.h"

tb_vid
tb_build_holds_now (struct tb_builder *b, unsigned cc)
{
  struct tb_names *n = b->names;
  if (n->holds[0] == 0 || n->cc != (cc & 14))
    {
      n->cc = cc & 14;
      n->holds[0] = tb_build_holds (b, n->cc);
      n->holds[1] = tb_namer_opposite (&b->n, n->holds[0]);
      n->nchosen = 0;
    }
  return n->holds[cc & 1];
}

void
tb_build_forget_condition (struct tb_builder *b)
{
  b->names->holds[0] = 0;
  b->names->nchosen = 0;
}

/* THEN if condition CC (TB_IT_NONE: some other) of value CONDITION holds, else
   OTHERWISE.  */
static tb_vid
choose (struct tb_builder *b, unsigned cc, tb_vid condition, tb_vid then,
	tb_vid otherwise)
{
  struct tb_names *n = b->names;
  if (cc == TB_IT_NONE)
    return tb_namer_select (&b->n, condition, then, otherwise);
  /* What the opposite condition chose is then what it is where that held.  */
  for (unsigned i = 0; i < n->nchosen; i++)
    if (n->chosen[i].made == otherwise && n->chosen[i].cc == (cc ^ 1))
      otherwise = n->chosen[i].if1;
  tb_vid made = tb_namer_select (&b->n, condition, then, otherwise);
  if (n->nchosen < sizeof n->chosen / sizeof n->chosen[0])
    {
      n->chosen[n->nchosen].made = made;
      n->chosen[n->nchosen].if1 = then;
      n->chosen[n->nchosen++].cc = (uint8_t) cc;
    }
  return made;
}

static bool
same_rule (const struct tb_flag_rule *x, const struct tb_flag_rule *y)
{
  return x->op == y->op && x->a == y->a && x->b == y->b
	 && x->carry == y->carry && x->result == y->result;
}

/* The flags after an instruction that did what is named now if CONDITION is 1;
   OLD are the names before.  */
static void
choose_flags (struct tb_builder *b, const struct tb_names *old,
	      tb_vid condition, unsigned live)
{
  struct tb_names *n = b->names;
  bool same = n->nz == old->nz && same_rule (&n->c, &old->c)
	      && same_rule (&n->v, &old->v);
  tb_vid flags[4];
  for (unsigned i = 0; i < 4; i++)
    same = same && n->slot[TB_SLOT_N + i] == old->slot[TB_SLOT_N + i];
  if (same)
    return;
  tb_build_forget_condition (b);
  /* Those that are read later have names; the others are let go.  */
  for (unsigned i = 0; i < 4; i++)
    {
      tb_vid then = n->slot[TB_SLOT_N + i];
      tb_vid otherwise = old->slot[TB_SLOT_N + i];
      flags[i] = 0;
      if (live >> i & 1 && then != 0 && otherwise != 0)
	flags[i] = tb_namer_select (&b->n, condition, then, otherwise);
    }
  tb_build_name_flags (b, flags);
}

/* Name the operations of step I, T, from number K on that have the predicate of that one,
   which comes of condition CC (TB_IT_NONE: of none).  Returns the number of the next.  */
static unsigned
name_run (struct tb_builder *b, const struct tb_template *t, unsigned k, unsigned cc,
	  uint64_t i, uint32_t info)
{
  const struct tb_state *s = b->state;
  const struct tb_uop *u = &s->uops[t->first];
  struct tb_names *n = b->names;
  unsigned when = u[k].when;
  tb_vid condition = tb_build_read (b, when, 0);
  struct tb_names old = *n;
  b->condition = condition;
  for (; k < t->count && u[k].when == when; k++)
    tb_build_uop (b, &u[k], i, info);
  b->condition = 0;
  for (unsigned slot = 0; slot < TB_NSLOTS; slot++)
    if ((slot < TB_SLOT_N || slot > TB_SLOT_V)
	&& n->slot[slot] != old.slot[slot])
      n->slot[slot] = choose (b, cc, condition, n->slot[slot],
			      old.slot[slot]);
  for (unsigned w = 0; s->fp && w < TB_NFP; w++)
    if (n->fp[w] != old.fp[w])
      n->fp[w] = choose (b, cc, condition, n->fp[w], old.fp[w]);
  if (!s->profile->is_m)
    tb_build_merge_banks (b, condition, &old);
  choose_flags (b, &old, condition, info >> TB_INFO_LIVE);
  tb_fp_merge (b, condition, &old);
  return k;
}

bool
tb_build_told (const struct tb_state *s, const struct tb_template *t)
{
  return t->flags & TB_SEM_BRANCH || s->conditions_told;
}

void
tb_build_operations (struct tb_builder *b, const struct tb_template *t, uint64_t i)
{
  const struct tb_state *s = b->state;
  uint32_t info = s->info[i];
  bool taken = info & TB_INFO_TAKEN, told = false;
  unsigned cc = TB_IT_NONE;
  for (unsigned k = 0; k < t->count;)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (u->when != TB_ALWAYS && !(told && u->when == TB_PLACE_IF))
	{
	  k = name_run (b, t, k, u->when == TB_PLACE_IF ? cc : TB_IT_NONE, i, info);
	  continue;
	}
      k++;
      if (u->op != TB_OP_CONDITION || u->dst != TB_PLACE_IF)
	tb_build_uop (b, u, i, info);
      else if (tb_build_told (s, t))
	{
	  told = true;
	  tb_build_condition (b, tb_uop_number (u), taken);
	  tb_build_write (b, TB_PLACE_IF, tb_namer_constant (&b->n, 1), false);
	  if (!taken)
	    return;
	}
      else
	{
	  cc = tb_uop_number (u);
	  tb_build_uop (b, u, i, info);
	}
    }
}
