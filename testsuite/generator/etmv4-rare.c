/* What few trace units tell: Q elements, function returns; of ETE, resets,
   transactions and instrumentation.  See etmv4-encoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv4-encoder.h"

/* Instrumentation (FEAT_ITE).  */
void
gen_etmv4_instrumentation (struct gen_etmv4 *e)
{
  uint64_t value = gen_next (e->random);
  unsigned el = gen_below (e->random, 4);
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x09);
  gen_put (e->trace, el);
  gen_put_value (e->trace, value, 8);
  gen_add_fact (e->trace, GEN_FACT_INSTRUMENTATION, value)->number = el;
}

/* Transactions (FEAT_TME).  */

void
gen_etmv4_transaction (struct gen_etmv4 *e)
{
  bool start = !e->in_transaction;
  bool p0 = start && e->options->start_is_p0;
  if (p0 && e->options->max_speculation > 0)
    gen_etmv4_make_room (e, 1);
  gen_etmv4_flush (e);
  gen_put (e->trace, start ? 0x0a : 0x0b);
  gen_add_fact (e->trace, GEN_FACT_TRANSACTION, 0)->number = start ? 1 : 2;
  e->in_transaction = start;
  if (!p0)
    return;
  gen_etmv4_add_p0 (e);
  gen_etmv4_note_excess (e);
}

void
gen_etmv4_transaction_fails (struct gen_etmv4 *e)
{
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x06);
  gen_put (e->trace, 0x31);
  gen_put (e->trace, 0x00);
  gen_add_fact (e->trace, GEN_FACT_TRANSACTION, 0)->number = 3;
  e->in_transaction = false;
  e->nopen = e->nstack = 0;
  e->need_address = true;
  e->may_match = e->after_branch = false;
}

/* The core is reset: what it did since the last P0 element nobody tells.  */
void
gen_etmv4_reset (struct gen_etmv4 *e)
{
  /* Nor whether they began where the return stack said.  */
  e->nopen = e->nstack = 0;
  if (e->options->max_speculation > 0)
    gen_etmv4_make_room (e, 1);
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x06);
  gen_put (e->trace, 0x01);
  gen_put (e->trace, 0x00);
  gen_add_fact (e->trace, GEN_FACT_EXCEPTION, 0)->flags = GEN_NO_RETURN;
  gen_etmv4_add_p0 (e);
  gen_etmv4_note_excess (e);
  e->need_address = true;
  e->may_match = e->after_branch = false;
}

void
gen_etmv4_function_return (struct gen_etmv4 *e)
{
  if (e->options->max_speculation > 0)
    gen_etmv4_make_room (e, 1);
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x05);
  gen_etmv4_add_p0 (e);
  gen_etmv4_note_excess (e);
  e->may_match = e->after_branch = false;
}

/* Q elements.  */

/* The steps up to the end of the block after the one that ends with ITEM, if
   nothing else is between; 0: there is.  */
static unsigned
steps_of_next_block (const struct gen_etmv4 *e, const struct gen_item *item)
{
  const struct gen_item *end = e->walk->items + e->walk->count;
  for (const struct gen_item *i = item + 1;
       i < end && i->kind == GEN_STEP && i - item < 100; i++)
    if (gen_etmv4_is_waypoint (e, &e->walk->program->insns[i->insn]))
      return i - item;
  return 0;
}

/* May a Q element stand for the block that ends with ITEM?  What is said of the
   waypoint must be what one would guess: it was taken, if it did not go
   straight on.  An ETE tells of its exception returns.  */
static bool
is_guessable (const struct gen_etmv4 *e, const struct gen_insn *insn,
	      const struct gen_item *item)
{
  if (insn->kind == GEN_ERET && e->options->ete)
    return false;
  if (insn->kind == GEN_ISB || insn->kind == GEN_WAIT)
    return item->passed;
  return !insn->conditional
	 || item->passed == (item->value != insn->address + insn->size);
}

bool
gen_etmv4_maybe_q (struct gen_etmv4 *e, const struct gen_insn *insn,
		   const struct gen_item *item)
{
  struct gen_random *r = e->random;
  if (e->resync > 0 || !gen_chance (r, e->options->q)
      || !is_guessable (e, insn, item))
    return false;
  bool branches = insn->kind != GEN_ISB && insn->kind != GEN_WAIT;
  bool counted = gen_chance (r, 70);
  unsigned more = branches && gen_chance (r, 30)
		  ? steps_of_next_block (e, item) : 0;
  unsigned count = e->nopen + more;
  const struct gen_item *last = item + more;
  if (e->options->max_speculation > 0)
    gen_etmv4_make_room (e, 1);
  e->skip = more;
  gen_etmv4_q (e, counted ? count : 0, last->value, last->next_isa);
  if (!counted || more > 0)
    {
      /* Nobody knows the way.  */
      e->nopen = 0;
      gen_add_fact (e->trace, GEN_FACT_Q, last->value)->number
	= counted ? count : 0;
    }
  gen_etmv4_add_p0 (e);
  gen_etmv4_note_excess (e);
  return true;
}
