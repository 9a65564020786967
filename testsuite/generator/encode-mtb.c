/* A walk to MTB packets.  See encode-mtb.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/encode-mtb.h"

#include <stdlib.h>
#include <string.h>

/* Deeper nested exceptions than this are forgotten by decoders.  */
#define NESTING 32

#define POSITION_WRAP (1u << 2)
#define MASTER_EN (1u << 31)
#define FLOW_AUTOSTOP 1u

struct packet
{
  uint32_t source, destination;	/* With the A and the S bit.  */
  size_t fact;			/* The first fact that does not need the packets
				   before.  */
};

struct encoder
{
  struct gen_trace *trace;
  const struct gen_walk *walk;
  const struct gen_mtb_options *options;
  struct gen_random *random;
  struct packet *packets;
  size_t npackets, capacity;
  size_t mark;			/* Facts at the last packet.  */
  bool start;			/* The next packet is the first since tracing was
				   started.  */
  bool known;			/* Where execution stands at the last packet.  */
};

/* PC went from SOURCE to DESTINATION.  */
static void
packet (struct encoder *e, uint32_t source, bool a, uint32_t destination)
{
  if (e->start)
    {
      /* What ran since the last packet is not told, nor is the branch.  */
      e->trace->nfacts = e->mark;
      gen_add_fact (e->trace, GEN_FACT_ON, 0)->number = GEN_ON_PAUSED;
      e->known = false;
    }
  e->packets = gen_grow (e->packets, &e->capacity, e->npackets,
			 sizeof *e->packets);
  e->packets[e->npackets++] = (struct packet) {
    source | a, destination | e->start, e->trace->nfacts };
  e->start = false;
  e->mark = e->trace->nfacts;
}

static void
step (struct encoder *e, const struct gen_item *item)
{
  const struct gen_insn *insn = &e->walk->program->insns[item->insn];
  bool branches = insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT;
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_STEP, insn->address);
  f->isa = GEN_T32;
  if (branches)
    f->flags = item->passed ? GEN_TAKEN : GEN_NOT_TAKEN;
  else if (insn->kind == GEN_ISB)
    f->flags = GEN_TAKEN;
  if (branches && item->passed)
    {
      bool returns = item[1].kind == GEN_RETURN;
      uint32_t exc_return = 0xfffffff1 | gen_below (e->random, 4) << 2;
      packet (e, insn->address, false,
	      (returns ? exc_return : (uint32_t) item->value) & ~1u);
      e->known = !returns;
    }
  else if (!branches && gen_chance (e->random, e->options->extra))
    {
      packet (e, insn->address, false, insn->address + insn->size);
      e->known = true;
    }
}

static void
exception (struct encoder *e, const struct gen_item *item)
{
  bool same = e->known && e->trace->nfacts == e->mark && !e->start;
  if (!item->tail_chain)
    packet (e, item->value, true, item->handler);
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_EXCEPTION,
				     item->value);
  f->number = item->number;
  f->flags = item->tail_chain ? GEN_TAIL : same ? GEN_SAME : 0;
  e->mark = e->trace->nfacts;
  e->known = true;
}

/* The second packet of a return from an exception; a tail chain follows or
   not.  */
static void
exception_return (struct encoder *e, const struct gen_item *item)
{
  uint64_t to = item->tail_chain ? item[1].handler : item->value;
  packet (e, e->packets[e->npackets - 1].destination & ~1u, true, to);
  gen_add_fact (e->trace, GEN_FACT_RETURN, to);
  e->mark = e->trace->nfacts;
  e->known = true;
}

static void
encode_item (struct encoder *e, const struct gen_item *item)
{
  switch (item->kind)
    {
    case GEN_STEP:
      step (e, item);
      break;
    case GEN_EXCEPTION:
      if (item->number != GEN_EXC_HALT)
	exception (e, item);
      break;
    case GEN_RETURN:
      exception_return (e, item);
      break;
    case GEN_OFF:
    case GEN_HALTED:
    case GEN_LOST:
      e->start = true;
      break;
    }
}

/* Is ADDRESS in the vector table?  The function after the handlers is for
   reset.  */
static bool
is_handler (const struct gen_program *p, uint64_t address)
{
  for (unsigned i = 0; i <= GEN_HANDLERS; i++)
    if (p->insns[p->functions[i].first].address == address)
      return true;
  return false;
}

/* What the facts depend on that came before the window: where exceptions would
   return to, which is how a tail chain is known.  */
static void
resolve (struct gen_mtb *mtb, const struct gen_program *p)
{
  struct gen_trace *t = &mtb->trace;
  uint64_t returns[NESTING];
  unsigned depth = 0;
  for (size_t i = 0; i < t->nfacts; i++)
    {
      struct gen_fact *f = &t->facts[i];
      bool chained = i + 1 < t->nfacts && t->facts[i + 1].flags & GEN_TAIL
		     && t->facts[i + 1].kind == GEN_FACT_EXCEPTION;
      if (f->kind == GEN_FACT_ON)
	depth = 0;
      else if (f->kind == GEN_FACT_EXCEPTION && !(f->flags & GEN_TAIL))
	{
	  if (depth == NESTING)
	    memmove (returns, returns + 1, --depth * sizeof returns[0]);
	  returns[depth++] = f->a;
	}
      else if (f->kind == GEN_FACT_RETURN)
	{
	  bool expected = depth > 0 && returns[depth - 1] == f->a;
	  if (chained ? expected : !expected && is_handler (p, f->a))
	    mtb->ambiguous = true;
	  if (!chained && depth > 0)
	    depth--;
	  if (chained && depth == 0)
	    returns[depth++] = UINT64_MAX;
	}
      else if (f->kind == GEN_FACT_EXCEPTION)
	{
	  f->a = returns[depth - 1];
	  if (f->a == UINT64_MAX)
	    {
	      f->a = 0;
	      f->flags |= GEN_NO_RETURN;
	    }
	}
    }
}

/* Put the newest packets into the SRAM, and keep the facts that they tell.  */
static void
fill (struct gen_mtb *mtb, struct encoder *e)
{
  const struct gen_mtb_options *o = e->options;
  struct gen_trace *t = &mtb->trace;
  size_t length = (size_t) 1 << (o->mask + 4), fit = length / 8;
  size_t first = e->npackets >= fit ? e->npackets - fit : 0;
  size_t pointer = 8 * (e->npackets % fit);
  for (size_t i = 0; i < length * o->blocks; i++)
    gen_put (t, gen_next (e->random) & 0xff);
  for (size_t i = first; i < e->npackets; i++)
    {
      uint8_t *b = t->bytes + length * o->block + 8 * (i % fit);
      for (unsigned j = 0; j < 4; j++)
	{
	  b[j] = (uint8_t) (e->packets[i].source >> 8 * j);
	  b[4 + j] = (uint8_t) (e->packets[i].destination >> 8 * j);
	}
      t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
			   sizeof *t->syncs);
      t->syncs[t->nsyncs++] = (struct gen_sync) {
	.offset = length * o->block + 8 * (i % fit),
	.fact = e->packets[i].fact };
    }
  mtb->position = length * o->block + pointer;
  if (e->npackets >= fit)
    mtb->position |= POSITION_WRAP;

  /* The window's facts, after one that trace begins.  */
  size_t drop = e->npackets > 0 ? e->packets[first].fact : t->nfacts;
  if (e->npackets == 0)
    {
      t->nfacts = 0;
      return;
    }
  gen_add_fact (t, GEN_FACT_ON, 0);	/* For room.  */
  memmove (t->facts + 1, t->facts + drop,
	   (t->nfacts - 1 - drop) * sizeof *t->facts);
  t->facts[0] = (struct gen_fact) { .kind = GEN_FACT_ON,
				    .number = GEN_ON_BEGIN };
  t->nfacts -= drop;
  for (size_t i = 0; i < t->nsyncs; i++)
    t->syncs[i].fact -= drop - 1;
  if (e->packets[first].source & 1 && t->facts[1].kind == GEN_FACT_EXCEPTION)
    t->facts[1].flags &= ~GEN_SAME;
}

void
gen_mtb_encode (struct gen_mtb *mtb, const struct gen_walk *walk,
		const struct gen_mtb_options *options,
		struct gen_random *random)
{
  struct encoder e = { .trace = &mtb->trace, .walk = walk, .options = options,
		       .random = random, .start = true };
  memset (mtb, 0, sizeof *mtb);
  gen_trace_init (&mtb->trace);
  for (size_t i = 0; i < walk->count; i++)
    encode_item (&e, &walk->items[i]);
  /* Tracing was started again and there was no packet since: nobody can tell
     that from a walk straight on.  */
  bool stopped = options->stopped || e.start;
  if (stopped)
    mtb->trace.nfacts = e.mark;
  mtb->master = options->mask | (stopped ? 0 : MASTER_EN);
  mtb->flow = stopped && gen_chance (random, 50) ? FLOW_AUTOSTOP : 0;
  fill (mtb, &e);
  resolve (mtb, walk->program);
  free (e.packets);
}

void
gen_mtb_choose (struct gen_mtb_options *o, struct gen_random *r)
{
  o->mask = gen_below (r, 11);
  o->blocks = 1u << gen_below (r, 3);
  o->block = gen_below (r, o->blocks);
  o->stopped = gen_chance (r, 30);
  o->extra = gen_chance (r, 30) ? gen_below (r, 20) : 0;
  /* As large as the SRAM and more: its address does not get into the way.  */
  o->base = 0x60000000;
}
