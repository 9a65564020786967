/* Commit, cancel and mispredict in an encoded ETMv4 trace (IHI 0064, 2.6
   "Speculation").  See etmv4-encoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv4-encoder.h"

void
gen_etmv4_note_commit (struct gen_etmv4 *e, size_t count)
{
  if (count == 0)
    return;
  size_t end = e->p0[count - 1];
  for (; e->known < end; e->known++)
    e->trace->facts[e->known].known_at = e->trace->nbytes;
  e->depth -= count;
  for (size_t i = 0; i < e->depth; i++)
    e->p0[i] = e->p0[i + count];
}

void
gen_etmv4_note_excess (struct gen_etmv4 *e)
{
  size_t told = gen_etmv4_told (e);
  if (told > e->options->max_speculation)
    gen_etmv4_note_commit (e, told - e->options->max_speculation);
}

/* Cycles that a packet may tell now, or 0.  */
static uint32_t
cycles_due (const struct gen_etmv4 *e)
{
  uint32_t most = (UINT32_C (1) << e->options->cycle_bits) - 1;
  if (!e->options->cycle_counts || e->cycles < e->options->threshold)
    return 0;
  return e->cycles < most ? (uint32_t) e->cycles : most;
}

void
gen_etmv4_commit (struct gen_etmv4 *e, size_t count)
{
  if (count == 0)
    return;
  gen_etmv4_flush (e);
  /* What was flushed may have committed some of them.  */
  if (count > e->depth)
    count = e->depth;
  if (count == 0)
    return;
  uint32_t cycles = cycles_due (e);
  if (cycles > 0 && !e->options->commit_mode_1 && gen_chance (e->random, 60))
    {
      gen_etmv4_cycles (e, cycles, count);
      e->cycles = 0;
    }
  else
    {
      gen_put (e->trace, 0x2d);
      gen_put_continued (e->trace, count);
    }
  gen_etmv4_note_commit (e, count);
}

void
gen_etmv4_make_room (struct gen_etmv4 *e, size_t count)
{
  size_t most = e->options->max_speculation;
  if (e->depth + count > most)
    gen_etmv4_commit (e, e->depth + count - most);
}

void
gen_etmv4_maybe_commit (struct gen_etmv4 *e)
{
  uint32_t cycles = cycles_due (e);
  /* One that commits elements is made where these are committed; this one stands behind the
     commit before it.  */
  bool with_commit = !e->options->commit_mode_1 && e->options->max_speculation > 0;
  if (cycles > 0 && gen_chance (e->random, with_commit ? 15 : 40))
    {
      gen_etmv4_flush (e);
      gen_etmv4_cycles (e, cycles, 0);
      e->cycles = 0;
    }
  if (e->options->max_speculation > 0 && e->depth > 0
      && gen_chance (e->random, 25))
    gen_etmv4_commit (e, gen_between (e->random, 1, e->depth));
}

/* A P0 element of the wrong path; it makes no facts.  What stands between the
   atom that stays and the first of them stays too, save an address after an
   atom that was mispredicted.  */
static void
wrong_element (struct gen_etmv4 *e, bool first, bool mispredict)
{
  const struct gen_program *p = e->walk->program;
  struct gen_random *r = e->random;
  const struct gen_insn *to = &p->insns[gen_below (r, p->ninsns)];
  uint64_t address = gen_chance (r, 80) ? to->address
		     : to->address ^ (gen_scaled (r, 20) << 2);
  if ((!first || mispredict) && gen_chance (r, 20))
    gen_etmv4_address (e, address, to->isa, NULL);
  if (!first && gen_chance (r, 5))
    {
      struct gen_context c = e->context;
      c.el = gen_below (r, 4);
      gen_etmv4_context (e, &c);
    }
  if (gen_chance (r, 5))
    gen_etmv4_trigger (e, gen_between (r, 1, 15));
  if (e->options->timestamps && gen_chance (r, 5))
    gen_etmv4_timestamp (e, e->timestamp + gen_scaled (r, 10));
  if (gen_chance (r, 10))
    {
      gen_etmv4_exception_header (e, gen_between (r, 2, 15), false);
      gen_etmv4_address (e, address, to->isa, NULL);
      e->p0 = gen_grow (e->p0, &e->p0_capacity, e->depth, sizeof *e->p0);
      e->p0[e->depth++] = e->trace->nfacts;
      return;
    }
  e->p0 = gen_grow (e->p0, &e->p0_capacity, e->depth, sizeof *e->p0);
  e->p0[e->depth++] = e->trace->nfacts;
  e->atoms[e->natoms++] = gen_chance (r, 60);
}

/* Take the newest atoms that wait out of the queue if they are one of what CODE
   stands for in packets of speculation: nothing, E, EE or N.  */
static bool
take_newest (struct gen_etmv4 *e, unsigned code)
{
  static const uint8_t counts[4] = { 0, 1, 2, 1 };
  unsigned n = counts[code];
  if (e->natoms < n)
    return false;
  for (unsigned i = 1; i <= n; i++)
    if (e->atoms[e->natoms - i] != (code != 3))
      return false;
  e->natoms -= n;
  /* They are told by the packet that is about to come.  */
  unsigned depth = e->depth;
  e->depth -= n;
  gen_etmv4_flush (e);
  e->depth = depth;
  return true;
}

/* Take back the newest COUNT P0 elements and, if MISPREDICT, turn the atom
   before them.  */
static void
take_back (struct gen_etmv4 *e, unsigned count, bool mispredict)
{
  struct gen_random *r = e->random;
  struct gen_trace *t = e->trace;
  if (mispredict && count <= 5 && gen_chance (r, 70))
    for (unsigned code = count < 2 ? 4 : 2; code-- > 0;)
      if ((code == 0 || gen_chance (r, 70)) && take_newest (e, code))
	{
	  if (code == 0)
	    gen_etmv4_flush (e);
	  if (count == 0)
	    gen_put (t, 0x30 | code);
	  else if (count == 1)
	    gen_put (t, 0x34 | code);
	  else
	    gen_put (t, 0x38 | (count - 2) << 1 | code);
	  return;
	}
  gen_etmv4_flush (e);
  if (count == 0)
    gen_put (t, 0x30);
  else
    {
      gen_put (t, mispredict ? 0x2f : 0x2e);
      gen_put_continued (t, count);
    }
}

void
gen_etmv4_wrong_path (struct gen_etmv4 *e, bool conditional)
{
  size_t most = e->options->max_speculation;
  bool mispredict = conditional && gen_chance (e->random, 70);
  unsigned count = gen_below (e->random, 7);
  /* The atom has been added; older ones may have to be committed.  */
  if (e->depth > most)
    return;
  if (count > most - 1)
    count = most - 1;
  if (count == 0 && !mispredict)
    return;
  e->quiet = true;
  if (mispredict)
    e->atoms[e->natoms - 1] ^= 1;
  for (unsigned i = 0; i < count; i++)
    {
      size_t older = e->depth - 1 - i;
      if (e->depth + 1 > most || gen_chance (e->random, 10))
	gen_etmv4_commit (e, older < 1 ? 0 : gen_between (e->random, 1, older));
      wrong_element (e, i == 0, mispredict);
    }
  take_back (e, count, mispredict);
  e->depth -= count;
  e->quiet = false;
  gen_etmv4_forget_keys (e);
}

/* Forget the facts of what is not committed.  */
static void
drop (struct gen_etmv4 *e)
{
  struct gen_trace *t = e->trace;
  size_t to = e->known;
  for (size_t j = 0; j < t->nsyncs; j++)
    if (t->syncs[j].fact >= e->known)
      t->syncs[j].nlead = 0;
  for (size_t i = e->known; i < t->nfacts; i++)
    {
      enum gen_fact_kind kind = t->facts[i].kind;
      if (gen_etmv4_is_plain (kind)
	  || (kind == GEN_FACT_CONDITIONAL && e->depth == 0))
	{
	  t->facts[to] = t->facts[i];
	  t->facts[to++].known_at = t->nbytes;
	  continue;
	}
      /* Nobody has heard of the overflow yet.  */
      if (kind == GEN_FACT_ON && t->facts[i].number == GEN_ON_OVERFLOW)
	e->on_reason = GEN_ON_OVERFLOW;
      for (size_t j = 0; j < t->nsyncs; j++)
	{
	  if (t->syncs[j].fact > to)
	    t->syncs[j].fact--;
	  if (t->syncs[j].address > to && t->syncs[j].address != SIZE_MAX)
	    t->syncs[j].address--;
	}
    }
  t->nfacts = e->known = to;
  e->depth = 0;
  e->nopen = 0;
}

void
gen_etmv4_lose (struct gen_etmv4 *e, bool overflow)
{
  e->nopen = 0;
  if (e->off && e->sync_due)
    return;			/* There is nothing to lose.  */
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x00);
  gen_put (e->trace, overflow ? 0x05 : 0x03);
  drop (e);
  if (overflow)
    {
      e->on_reason = GEN_ON_OVERFLOW;
      e->overflow_at = e->trace->nbytes - 2;
    }
  e->off = e->sync_due = e->relearn = true;
  e->context_sent = e->vmid_sent = e->cid_sent = false;
}

void
gen_etmv4_finish (struct gen_etmv4 *e)
{
  struct gen_trace *t = e->trace;
  e->nopen = 0;
  gen_etmv4_flush (e);
  /* What comes after a source address that is never committed is told or not.  */
  if (e->options->max_speculation > 0
      && (e->options->sources > 0 || gen_chance (e->random, 80)))
    gen_etmv4_commit (e, e->depth);
  size_t to = e->known;
  for (size_t i = e->known; i < t->nfacts; i++)
    {
      enum gen_fact_kind kind = t->facts[i].kind;
      bool ends = kind == GEN_FACT_TRANSACTION && t->facts[i].number >= 2
		  && e->depth == 0;
      /* They belong to what would follow.  */
      if (kind == GEN_FACT_CONTEXT
	  || (kind == GEN_FACT_CONDITIONAL && e->depth > 0)
	  || (kind == GEN_FACT_TRANSACTION && !ends
	      && (t->facts[i].number != 1 || !e->options->start_is_p0)))
	continue;
      if (!gen_etmv4_is_plain (kind) && !ends && kind != GEN_FACT_CONDITIONAL)
	break;
      t->facts[to] = t->facts[i];
      t->facts[to++].known_at = t->nbytes;
    }
  t->nfacts = to;
  for (size_t i = 0; i < t->nsyncs; i++)
    {
      if (t->syncs[i].fact > to)
	t->syncs[i].fact = to;
      /* Nothing is committed after it.  */
      if (t->syncs[i].fact >= e->known)
	t->syncs[i].nlead = 0;
    }
}
