/* A walk to ETMv4 trace.  See encode-etmv4.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv4-encoder.h"

#include <stdlib.h>
#include <string.h>

/* M profile: the address of an exception that was taken instead of a return. */
#define TAIL_CHAIN 0xfffffffeu

/* Exception types (6.4, "Exception packet").  */
static unsigned
exception_type (const struct gen_etmv4 *e, unsigned number)
{
  static const uint8_t types[] = {
    [GEN_EXC_CALL] = 2, [GEN_EXC_TRAP] = 3, [GEN_EXC_SYSTEM_ERROR] = 4,
    [GEN_EXC_FETCH_FAULT] = 11, [GEN_EXC_DATA_FAULT] = 12,
    [GEN_EXC_IRQ] = 14, [GEN_EXC_FIQ] = 15
  };
  if (number == GEN_EXC_HALT)
    return gen_is_m (e->arch) ? 24 : 1;
  if (!gen_is_m (e->arch))
    return types[number];
  /* M profile: IRQ 0 to 7 follow the system exceptions.  */
  return number < 16 + 8 ? number : 0x200 + (number - 16);
}

/* Context and address.  */

static bool
context_due (const struct gen_etmv4 *e)
{
  const struct gen_context *c = &e->context, *s = &e->sent;
  const struct gen_etmv4_options *o = e->options;
  return !e->context_sent || c->el != s->el || c->nonsecure != s->nonsecure
	 || (o->context_id && (!e->cid_sent || c->cid != s->cid))
	 || (o->vmid_bytes > 0 && (!e->vmid_sent || c->vmid != s->vmid));
}

/* The context has been told.  */
static void
note_context (struct gen_etmv4 *e)
{
  const struct gen_etmv4_options *o = e->options;
  const struct gen_context *c = &e->context;
  uint64_t vmid = o->vmid_bytes == 4 ? c->vmid
		  : c->vmid & ((1u << 8 * o->vmid_bytes) - 1);
  struct gen_fact *f
    = gen_add_fact (e->trace, GEN_FACT_CONTEXT,
		    vmid << 32 | (o->context_id ? c->cid : 0));
  f->flags = (o->vmid_bytes > 0 ? GEN_HAS_VMID : 0)
	     | (o->context_id ? GEN_HAS_CID : 0);
  f->number = c->el | (e->arch == GEN_AARCH64) << 4 | c->nonsecure << 5;
  e->sent = *c;
  e->context_sent = true;
  e->vmid_sent = e->cid_sent = true;
}

/* Tell the address, and the context if it is due.  */
static void
tell_address (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa)
{
  if (e->resync > 0)
    {
      /* Somebody may have begun here: all of the context.  */
      e->context_sent = e->vmid_sent = e->cid_sent = false;
      e->resync = 0;
    }
  bool context = context_due (e);
  unsigned how = gen_below (e->random, 10);
  gen_etmv4_flush (e);
  e->quiet = true;
  if (context && how == 0)
    gen_etmv4_context (e, &e->context);
  gen_etmv4_address (e, address, isa, context && how > 1 ? &e->context : NULL);
  for (size_t i = 0; i < e->trace->nsyncs; i++)
    if (e->trace->syncs[i].address == SIZE_MAX)
      e->trace->syncs[i].address = e->trace->nfacts;
  if (context && how == 1)
    gen_etmv4_context (e, &e->context);
  if (context)
    note_context (e);
  e->need_address = e->quiet = false;
  e->stack_waiting = false;
}

/* Does the return stack tell the address, that of the target of the branch
   before?  */
static bool
is_match (const struct gen_etmv4 *e, uint64_t address, enum gen_isa isa)
{
  return e->may_match && e->options->return_stack && e->nstack > 0
	 && e->stack[e->nstack - 1].address == address
	 && e->stack[e->nstack - 1].isa == isa;
}

/* Before anything that depends on the address: tell it and the context as far
   as they are not known.  */
static void
settle (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa)
{
  if (e->need_address && is_match (e, address, isa))
    {
      e->nstack--;
      e->need_address = false;
      e->matched = true;
    }
  if (e->need_address)
    tell_address (e, address, isa);
  else if (context_due (e))
    {
      if (e->resync > 0)
	e->vmid_sent = e->cid_sent = false;
      gen_etmv4_context (e, &e->context);
      note_context (e);
    }
}

/* Synchronisation.  */

/* A-Sync and Trace Info.  */
static void
synchronise (struct gen_etmv4 *e)
{
  struct gen_trace *t = e->trace;
  gen_etmv4_flush (e);
  t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
		       sizeof *t->syncs);
  t->syncs[t->nsyncs++] = (struct gen_sync) {
    .offset = t->nbytes, .fact = t->nfacts, .address = SIZE_MAX };
  e->quiet = true;
  gen_etmv4_async (e);
  if (e->in_transaction && !e->relearn)
    {
      struct gen_sync *sync = &t->syncs[t->nsyncs - 1];
      sync->lead[sync->nlead++] = (struct gen_fact) {
	.kind = GEN_FACT_TRANSACTION, .known_at = SIZE_MAX };
    }
  else if (gen_chance (e->random, 10))
    gen_etmv4_trigger (e, gen_between (e->random, 1, 15));
  gen_etmv4_info (e);
  e->quiet = false;
  if (e->in_transaction && e->relearn)
    gen_add_fact (t, GEN_FACT_TRANSACTION, 0);
  e->relearn = false;
  e->nstack = 0;
  e->stack_waiting = true;
  e->may_match = false;
  e->sync_due = false;
  /* The address should come at once; some take their time.  In an ETE source
     addresses and returns would then depend on it.  */
  e->resync = e->options->ete || gen_chance (e->random, 85)
	      ? 1 : gen_between (e->random, 2, 6);
}

static void
trace_on (struct gen_etmv4 *e)
{
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x04);
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_ON, 0);
  f->number = e->on_reason;
  f->cause = e->overflow_at;
  e->on_reason = GEN_ON_BEGIN;
  e->off = false;
  e->need_address = true;
  e->may_match = e->after_branch = false;
  e->nstack = 0;
  if (gen_chance (e->random, 50))
    e->context_sent = false;
}

/* A block begins at ADDRESS.  */
static void
begin_block (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa)
{
  if (e->sync_due)
    synchronise (e);
  if (e->off)
    trace_on (e);
  if (e->resync > 0 && --e->resync == 0)
    {
      e->resync = 1;		/* tell_address looks at it.  */
      e->need_address = true;
      e->may_match = e->after_branch = false;
    }
  settle (e, address, isa);
}

/* What ran.  */

bool
gen_etmv4_is_waypoint (const struct gen_etmv4 *e, const struct gen_insn *insn)
{
  return insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT
	 || insn->kind == GEN_ERET || insn->kind == GEN_ISB
	 || (insn->kind == GEN_WAIT && e->options->wait_is_branch)
	 || (insn->words > 0
	     && (insn->stores ? e->options->stores : e->options->loads));
}

static void
push_return (struct gen_etmv4 *e, const struct gen_insn *insn)
{
  if (!e->options->return_stack || e->stack_waiting)
    return;
  if (e->nstack == e->stack_depth)
    memmove (e->stack, e->stack + 1, --e->nstack * sizeof e->stack[0]);
  e->stack[e->nstack].address = insn->address + insn->size;
  e->stack[e->nstack++].isa = insn->isa;
}

/* An atom, or instead the address of a branch that was taken.  */
static void
tell_waypoint (struct gen_etmv4 *e, const struct gen_insn *insn, bool taken,
	       bool branches)
{
  const struct gen_etmv4_options *o = e->options;
  /* Where a source address follows a match with the return stack, what it means
     for that is not clear.  */
  bool source = branches && taken && !e->matched
		&& gen_chance (e->random, o->sources);
  bool wrong = !source && o->max_speculation > 0
	       && gen_below (e->random, 100) < o->wrong_paths;
  e->matched = false;
  if (wrong || (o->max_speculation > 0 && gen_chance (e->random, 70)))
    gen_etmv4_make_room (e, 1);
  if (source)
    {
      gen_etmv4_source (e, insn->address, insn->isa);
      gen_etmv4_add_p0 (e);
      gen_etmv4_note_excess (e);
      return;
    }
  gen_etmv4_add_p0 (e);
  e->atoms[e->natoms++] = taken;
  if (wrong)
    gen_etmv4_wrong_path (e, insn->conditional);
  if (e->natoms >= e->atom_limit)
    {
      gen_etmv4_flush (e);
      e->atom_limit = gen_chance (e->random, 30) ? 1
		      : gen_between (e->random, 1, 30);
    }
}

static void
waypoint (struct gen_etmv4 *e, const struct gen_insn *insn,
	  const struct gen_item *item)
{
  bool taken = item->passed;
  const struct gen_etmv4_options *o = e->options;
  bool branches = insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT
		  || insn->kind == GEN_ERET;
  if (insn->kind == GEN_STRAIGHT)
    taken |= o->accesses_pass;
  else if (insn->kind != GEN_WAIT)
    e->open[e->nopen - 1].flags = taken ? GEN_TAKEN : GEN_NOT_TAKEN;
  if (insn->kind == GEN_ERET && o->ete)
    {
      /* ETE: the instruction itself is what tells of the return.  */
      e->open = gen_grow (e->open, &e->open_capacity, e->nopen,
			  sizeof *e->open);
      e->open[e->nopen++] = (struct gen_fact) { .kind = GEN_FACT_RETURN,
						.known_at = SIZE_MAX };
    }
  if (gen_etmv4_maybe_q (e, insn, item))
    return;
  tell_waypoint (e, insn, taken, branches);
  if (!branches || !taken)
    return;
  if (insn->link)
    push_return (e, insn);
  if (insn->kind != GEN_DIRECT || o->broadcast)
    {
      e->need_address = e->after_branch = true;
      /* Where the branch links too, whether it is matched with the stack as it
	 was before is not clear; none is left out then.  */
      e->may_match = insn->kind == GEN_INDIRECT && !insn->link
		     && !o->broadcast;
    }
  if (o->function_returns && insn->kind == GEN_INDIRECT
      && gen_chance (e->random, 5))
    gen_etmv4_function_return (e);
}

static void
step (struct gen_etmv4 *e, const struct gen_item *item)
{
  const struct gen_insn *insn = &e->walk->program->insns[item->insn];
  if (e->skip > 0)
    {
      e->skip--;
      e->cycles += item->cycles;
      return;
    }
  if (e->nopen == 0)
    {
      begin_block (e, insn->address, insn->isa);
      if (e->options->transactions && gen_chance (e->random, 2))
	gen_etmv4_transaction (e);
    }
  e->open = gen_grow (e->open, &e->open_capacity, e->nopen, sizeof *e->open);
  e->open[e->nopen++] = (struct gen_fact) {
    .kind = GEN_FACT_STEP, .isa = insn->isa, .a = insn->address,
    .known_at = SIZE_MAX };
  e->cycles += item->cycles;
  if (gen_etmv4_is_waypoint (e, insn))
    {
      waypoint (e, insn, item);
      gen_etmv4_maybe_commit (e);
    }
}

static void
exception (struct gen_etmv4 *e, const struct gen_item *item)
{
  uint64_t address = item->value;
  enum gen_isa isa = item->next_isa;
  bool same = false;
  if (e->options->resets && !e->sync_due && !e->off && e->resync == 0
      && item->number != GEN_EXC_HALT && gen_chance (e->random, 10))
    {
      gen_etmv4_reset (e);
      gen_etmv4_maybe_commit (e);
      return;
    }
  if (item->tail_chain)
    {
      address = TAIL_CHAIN;
      isa = GEN_T32;
    }
  else if (e->nopen == 0)
    {
      if (e->need_address && e->after_branch && !e->sync_due && !e->off
	  && e->resync == 0 && !context_due (e) && gen_chance (e->random, 50))
	{
	  same = true;
	  e->need_address = false;
	  /* A unit with erratum 1185472 says so where the target is on its return
	     stack too.  */
	  if (is_match (e, address, isa))
	    e->nstack--;
	}
      else
	begin_block (e, address, isa);
    }
  if (e->options->max_speculation > 0 && gen_chance (e->random, 70))
    gen_etmv4_make_room (e, 1);
  unsigned type = exception_type (e, item->number);
  gen_etmv4_exception_header (e, type, same);
  gen_etmv4_address (e, address, isa, NULL);
  if (same)
    e->stack_waiting = false;
  struct gen_fact f = { .kind = GEN_FACT_EXCEPTION, .number = type,
			.a = address, .known_at = SIZE_MAX };
  if (gen_is_m (e->arch))
    f.number = item->number == GEN_EXC_HALT ? GEN_NO_VECTOR : item->number;
  f.flags = (same ? GEN_SAME : 0) | (item->tail_chain ? GEN_TAIL : 0)
	    | (item->number == GEN_EXC_HALT ? GEN_HALT : 0);
  e->open = gen_grow (e->open, &e->open_capacity, e->nopen, sizeof *e->open);
  e->open[e->nopen++] = f;
  gen_etmv4_add_p0 (e);
  gen_etmv4_note_excess (e);
  e->need_address = true;
  e->may_match = e->after_branch = false;
  gen_etmv4_maybe_commit (e);
}

/* M profile: the branch before was the return from an exception.  */
static void
exception_return (struct gen_etmv4 *e, bool tail_chain)
{
  /* Trace units differ in whether they tell a return that never comes to an end
     because another exception is taken.  */
  e->need_address = true;
  e->may_match = e->after_branch = false;
  if (tail_chain && !e->options->tail_returns)
    return;
  if (e->arch == GEN_V7M && e->options->max_speculation > 0)
    gen_etmv4_make_room (e, 1);
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x07);
  gen_add_fact (e->trace, GEN_FACT_RETURN, 0);
  /* It is a P0 element in ARMv7-M.  */
  if (e->arch == GEN_V7M)
    {
      gen_etmv4_add_p0 (e);
      gen_etmv4_note_excess (e);
    }
}

static void
encode_item (struct gen_etmv4 *e, const struct gen_item *item)
{
  switch (item->kind)
    {
    case GEN_STEP:
      step (e, item);
      break;
    case GEN_EXCEPTION:
      exception (e, item);
      break;
    case GEN_RETURN:
      exception_return (e, item->tail_chain);
      break;
    case GEN_CONTEXT:
      e->context = item->context;
      break;
    case GEN_TIME:
      /* Before the first synchronisation there is nothing.  */
      if (e->options->timestamps && !e->sync_due)
	gen_etmv4_timestamp (e, item->value);
      break;
    case GEN_TRIGGER:
      if (!e->sync_due && e->options->instrumentation
	  && gen_chance (e->random, 50))
	gen_etmv4_instrumentation (e);
      else if (!e->sync_due)
	gen_etmv4_trigger (e, item->number);
      break;
    case GEN_SYNC:
      e->sync_due = true;
      break;
    case GEN_OFF:
    case GEN_HALTED:
      if (e->in_transaction && !e->off && !e->sync_due && e->resync == 0
	  && gen_chance (e->random, 50))
	{
	  /* What ran meanwhile never happened.  */
	  gen_etmv4_transaction_fails (e);
	  break;
	}
      e->nopen = 0;
      if (gen_chance (e->random, 15))
	gen_etmv4_lose (e, false);
      e->off = true;
      break;
    case GEN_LOST:
      gen_etmv4_lose (e, true);
      break;
    }
}

void
gen_etmv4_encode (struct gen_trace *trace, const struct gen_walk *walk,
		  const struct gen_etmv4_options *options,
		  struct gen_random *random)
{
  struct gen_etmv4 e = {
    .trace = trace, .walk = walk, .options = options, .random = random,
    .arch = walk->program->arch, .atom_limit = 8,
    .stack_depth = gen_between (random, 1, GEN_RETURN_STACK),
    .context = walk->start, .off = true, .on_reason = GEN_ON_BEGIN,
    .sync_due = true
  };
  gen_trace_init (trace);
  gen_etmv4_forget_keys (&e);
  for (size_t i = 0; i < walk->count; i++)
    encode_item (&e, &walk->items[i]);
  gen_etmv4_finish (&e);
  free (e.open);
  free (e.p0);
}
