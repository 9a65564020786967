/* The premises that a value rests on.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value may follow from much beside the values of its chain: that a store goes
   elsewhere, that the stack is RAM, what is known of it in part.  So its premises are not
   gathered, they are tried: the steps are worked out once more without some of them, and
   what is known then does not rest on these.  */

#include "config.h"
#include "state/explain/why.h"

#include "state/explain/variants.h"
#include "state/window/internal.h"

/* The premises that many values rest on: these are tried one by one.  */
#define OFTEN \
  (TB_PREMISE_CODE | TB_PREMISE_HALT | TB_PREMISE_READ_ONLY | TB_PREMISE_NO_WRITER \
   | TB_PREMISE_DUMPED_RAM | TB_PREMISE_ONE_ADDRESS | TB_PREMISE_ENDIAN)
/* These of them do nothing on the M profile.  */
#define OFTEN_NOT_M (TB_PREMISE_DUMPED_RAM | TB_PREMISE_ENDIAN)

/* A value, and the premises that it was shown not to rest on.  */
struct trial
{
  struct tb_state *state;	/* That has steps of its own.  */
  uint64_t step;
  const struct tb_why_query *query;
  struct tb_why_verdict verdict;	/* What is to be known.  */
  unsigned doubt;
  bool failed;			/* There was no memory.  */
};

static bool
is_same (const struct trial *t, struct tb_state *state)
{
  struct tb_why_verdict v
    = tb_why_find_verdict (state, t->step, t->query, state->profile);
  return v.whole && v.value == t->verdict.value
	 && (v.origin != TB_ASSUMED || t->verdict.origin == TB_ASSUMED);
}

/* Is the value known without the premises DOUBT?  */
static bool
holds (struct trial *t, unsigned doubt)
{
  struct tb_state *v = tb_variant_doubting (t->state, doubt);
  if (v == NULL)
    {
      t->failed = true;
      return false;
    }
  if (is_same (t, v))
    return true;
  /* Its windows may not have heard of each other what those of the state have.  */
  return v->windows != NULL && tb_variant_prepare (v) && is_same (t, v);
}

/* Doubt what can be doubted of SET, of which a part cannot if SURE.  */
static void
shed (struct trial *t, unsigned set, bool sure)
{
  if (set == 0)
    return;
  if (!sure && holds (t, t->doubt | set))
    {
      t->doubt |= set;
      return;
    }
  if ((set & (set - 1)) == 0)
    return;
  unsigned half = 0, count = (unsigned) __builtin_popcount (set) / 2;
  for (unsigned bit = 1; count > 0; bit <<= 1)
    if (set & bit)
      {
	half |= bit;
	count--;
      }
  shed (t, half, false);
  /* If that took all of the first half, the rest is what cannot be doubted.  */
  shed (t, set & ~half, (t->doubt & half) == half);
}

/* The premises of SET that T, whose value is known without the others, cannot do
   without.  */
static unsigned
needed (struct trial *t, unsigned set)
{
  unsigned often = set & OFTEN;
  if (t->state->profile->is_m)
    often &= ~(unsigned) OFTEN_NOT_M;
  /* What a file tells needs no premise.  */
  unsigned of_trace = TB_PREMISE_UNIT | TB_PREMISE_FOUND;
  t->doubt |= set & of_trace & ~tb_state_of_trace (&t->state->options);
  set &= ~t->doubt;
  often |= set & of_trace;
  shed (t, set & ~often, false);
  for (unsigned bit = 1; bit <= often; bit <<= 1)
    shed (t, often & bit, false);
  return set & ~t->doubt;
}

/* Is the value, which is assumed, not known without the assumption objects?  That an access is
   in an object clears others, so the chain of the value does not have it.  */
static bool
rests_on_objects (struct trial *t)
{
  if (t->verdict.origin != TB_ASSUMED || !(t->state->options.assume & TB_ASSUME_OBJECTS))
    return false;
  struct tb_state *v = tb_variant_without (t->state, TB_ASSUME_OBJECTS);
  t->failed |= v == NULL;
  return v != NULL && !is_same (t, v)
	 && (v->windows == NULL || (tb_variant_prepare (v) && !is_same (t, v)));
}

unsigned
tb_why_doubted (const struct tb_state *state)
{
  return state->derived != NULL ? state->derived->options.doubt : state->options.doubt;
}

struct tb_why_grounds
tb_why_find_grounds (struct tb_state *state, uint64_t step,
		     const struct tb_why_query *query)
{
  struct tb_why_grounds grounds = { .doubted = tb_why_doubted (state) };
  struct trial t = { .state = state, .step = step, .query = query };
  const struct tb_why_verdict verdict
    = tb_why_find_verdict (state, step, query, state->profile);
  if (state->log != NULL)
    {
      /* What lines tell rests on no premise.  */
      if (tb_why_is_told (state, step, query))
	return grounds;
      t.state = state->derived;
    }
  if (verdict.whole)
    {
      t.verdict = verdict;
      t.doubt = grounds.doubted;
      grounds.rests = needed (&t, TB_PREMISE_ALL & ~grounds.doubted);
      grounds.objects = rests_on_objects (&t);
    }
  else if (grounds.doubted != 0)
    {
      struct tb_state *all = tb_variant_relying (t.state);
      t.failed = all == NULL;
      if (all != NULL)
	t.verdict = tb_why_find_verdict (all, step, query, all->profile);
      grounds.otherwise = t.verdict;
      if (t.verdict.whole)
	grounds.missing = needed (&t, grounds.doubted);
    }
  grounds.failed = t.failed;
  return grounds;
}

void
tb_why_grounds_text (struct tb_buffer *text, const struct tb_why_grounds *g)
{
  if (g->failed)
    tb_buffer_printf (text, "  no memory to find out which premises that rests on\n");
  else if (g->missing != 0)
    {
      char value[60];
      tb_why_verdict_text (value, sizeof value, &g->otherwise);
      tb_buffer_printf (text, "  it is not known because of a doubt in ");
      tb_premise_names (text, g->missing);
      tb_buffer_printf (text, "; without that it is %s\n", value);
    }
  else if (g->rests != 0)
    {
      tb_buffer_printf (text, "  rests on ");
      tb_premise_names (text, g->rests);
      tb_buffer_printf (text, "\n");
    }
  if (g->objects)
    tb_buffer_printf (text, "  rests on the assumption objects: an access stays within the "
		      "object that its address was computed from\n");
  if (g->doubted != 0)
    {
      tb_buffer_printf (text, "  doubted: ");
      tb_premise_names (text, g->doubted);
      tb_buffer_printf (text, "\n");
    }
}
