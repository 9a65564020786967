/* A walk to ETMv3 trace.  See encode-etmv3.h; section numbers are those of IHI
   0014.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv3-encoder.h"

#include <string.h>

enum { PERIODIC, TRACE_ON, OVERFLOW, DEBUG_EXIT };

/* Other packets.  All flush the atoms that wait.  */

/* 7.3.5; NUMBER 0: no exception.  */
static void
put_branch (struct gen_etmv3 *e, uint32_t target, enum gen_isa isa,
	    bool exception, unsigned number, bool cancel)
{
  gen_etmv3_flush (e);
  gen_v7_address (e->trace, e->options->alternative ? GEN_V7_ALTERNATIVE
						    : GEN_V7_ORIGINAL,
		  &e->last, target, isa, true, exception, e->random);
  if (exception)
    gen_v7_exception (e->trace, number, e->context.nonsecure, cancel,
		      e->random);
  gen_etmv3_note (e);
}

static uint32_t
current_cid (const struct gen_etmv3 *e)
{
  unsigned bytes = e->options->cid_bytes;
  return bytes == 4 ? e->context.cid : e->context.cid & ((1u << 8 * bytes) - 1);
}

/* What a context element says now.  */
static struct gen_fact
context_fact (const struct gen_etmv3 *e, bool vmid)
{
  bool cid = e->options->cid_bytes > 0;
  return (struct gen_fact) {
    .kind = GEN_FACT_CONTEXT,
    .flags = (cid ? GEN_HAS_CID : 0) | (vmid ? GEN_HAS_VMID : 0),
    .number = 0xff | e->context.nonsecure << 5,
    .a = (uint64_t) (vmid ? e->vmid : 0) << 32 | (cid ? e->cid : 0),
    .known_at = SIZE_MAX };
}

static void
put_vmid (struct gen_etmv3 *e)
{
  gen_etmv3_flush (e);
  e->vmid = e->context.vmid & 0xff;
  e->vmid_told = true;
  gen_put (e->trace, 0x3c);
  gen_put (e->trace, e->vmid);
  *gen_add_fact (e->trace, GEN_FACT_CONTEXT, 0) = context_fact (e, true);
  gen_etmv3_note (e);
}

static void
put_context (struct gen_etmv3 *e)
{
  if (e->options->cid_bytes > 0 && e->cid != current_cid (e))
    {
      gen_etmv3_flush (e);
      e->cid = current_cid (e);
      gen_put (e->trace, 0x6e);
      gen_put_value (e->trace, e->cid, e->options->cid_bytes);
      *gen_add_fact (e->trace, GEN_FACT_CONTEXT, 0)
	= context_fact (e, e->vmid_told);
      gen_etmv3_note (e);
    }
  if (e->options->vmid && e->vmid != (e->context.vmid & 0xff))
    put_vmid (e);
}

/* An instruction of ISA that may have been a load or store; NULL: none was
   found.  */
static const struct gen_insn *
any_load (struct gen_etmv3 *e, enum gen_isa isa)
{
  const struct gen_program *p = e->walk->program;
  const struct gen_insn *insn = &p->insns[gen_below (e->random, p->ninsns)];
  bool fit = insn->isa == isa && insn->kind == GEN_STRAIGHT
	     && !insn->conditional && !insn->governed
	     && !(e->options->halves && insn->size == 4);
  return fit ? insn : NULL;
}

/* An I-sync packet said that LOAD was in progress when trace began; the other
   address goes on from there as in a branch packet (7.10.5, "LSiP").  */
static void
put_in_progress (struct gen_etmv3 *e, const struct gen_insn *load,
		 uint32_t address, enum gen_isa isa)
{
  struct gen_trace *t = e->trace;
  e->last = (struct gen_v7_last) { (uint32_t) load->address, isa, true };
  gen_v7_address (t, e->options->alternative ? GEN_V7_ALTERNATIVE
					     : GEN_V7_ORIGINAL,
		  &e->last, address, isa, true, false, e->random);
}

/* A-sync and I-sync (7.10.5) before the instruction at ADDRESS.  */
static void
synchronise (struct gen_etmv3 *e, uint32_t address, enum gen_isa isa)
{
  const struct gen_etmv3_options *o = e->options;
  struct gen_trace *t = e->trace;
  bool starts = e->reason != PERIODIC, async = e->sync_due || !e->begun;
  bool counts = o->cycle_accurate && gen_chance (e->random, 50);
  uint32_t count = gen_scaled (e->random, 20);
  static const uint8_t on[] = {
    [PERIODIC] = GEN_ON_BEGIN, [TRACE_ON] = GEN_ON_BEGIN,
    [OVERFLOW] = GEN_ON_OVERFLOW, [DEBUG_EXIT] = GEN_ON_OTHER };
  struct gen_sync sync = { .nlead = 0 };
  gen_etmv3_flush (e);
  if (async)
    {
      gen_v7_async (t, e->random);
      sync.offset = t->nbytes - 6;
      e->timestamp_sent = false;
    }
  gen_put (t, counts ? 0x70 : 0x08);
  if (counts)
    gen_put_continued (t, count);
  e->cid = current_cid (e);
  gen_put_value (t, e->cid, o->cid_bytes);
  const struct gen_insn *load = starts && gen_chance (e->random, 20)
				? any_load (e, isa) : NULL;
  gen_put (t, (load != NULL) << 7 | e->reason << 5
	      | e->context.nonsecure << 3 | 1);
  gen_put_value (t, (load != NULL ? (uint32_t) load->address : address)
		    | (isa == GEN_T32), 4);
  e->last = (struct gen_v7_last) { address, isa, true };
  gen_etmv3_sync_data (e, starts, async || e->reason == OVERFLOW);
  if (load != NULL)
    put_in_progress (e, load, address, isa);

  struct gen_fact *f = gen_add_fact (t, GEN_FACT_ON, 0);
  f->number = on[e->reason];
  sync.lead[sync.nlead++] = *f;
  if (!starts)
    t->nfacts--;
  sync.lead[sync.nlead++] = context_fact (e, false);
  *gen_add_fact (t, GEN_FACT_CONTEXT, 0) = context_fact (e, e->vmid_told);
  if (counts)
    {
      gen_etmv3_cycles_fact (e, count, true);
      sync.lead[sync.nlead++] = t->facts[t->nfacts - 1];
    }
  e->begun = true;
  e->reason = PERIODIC;
  e->off = e->sync_due = false;
  gen_etmv3_note (e);
  sync.fact = sync.address = t->nfacts;
  if (load != NULL)
    {
      f = gen_add_fact (t, GEN_FACT_STEP, load->address);
      f->isa = isa;
      /* What ran in between is not told.  */
      if (load->address + load->size != address)
	gen_add_fact (t, GEN_FACT_ON, 0)->number = GEN_ON_BEGIN;
      gen_etmv3_note (e);
      e->data.told++;
      if (load->words > 0)
	gen_etmv3_own_data (e, GEN_INSN, (uint32_t) load->address);
      gen_etmv3_put_data (e);
    }
  if (o->vmid)
    put_vmid (e);
  if (!async)
    return;
  t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
		       sizeof *t->syncs);
  t->syncs[t->nsyncs++] = sync;
}

static void
put_time (struct gen_etmv3 *e, uint64_t time)
{
  const struct gen_etmv3_options *o = e->options;
  if (!o->wide)
    time &= (UINT64_C (1) << 48) - 1;
  uint64_t code = o->gray ? gen_gray (time) : time;
  gen_etmv3_flush (e);
  gen_put (e->trace, gen_chance (e->random, 50) ? 0x42 : 0x46);
  /* The first one after A-sync is whole.  */
  gen_v7_timestamp (e->trace, code,
		    e->timestamp_sent ? e->timestamp : ~code, o->wide,
		    e->random);
  e->timestamp = code;
  e->timestamp_sent = true;
  gen_add_fact (e->trace, GEN_FACT_TIME, time);
  gen_etmv3_note (e);
}

/* What ran.  */

static void
begin (struct gen_etmv3 *e, uint32_t address, enum gen_isa isa)
{
  if (e->off && !e->sync_due)
    e->sync_due = gen_chance (e->random, 30);
  if (e->off || e->sync_due)
    synchronise (e, address, isa);
  else
    put_context (e);
}

static void
step (struct gen_etmv3 *e, const struct gen_item *item)
{
  const struct gen_insn *insn = &e->walk->program->insns[item->insn];
  bool branches = insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT
		  || insn->kind == GEN_ERET;
  struct gen_etmv3_atom atom = {
    .passed = item->passed,
    .words = insn->words,
    .cycles = gen_chance (e->random, 20) ? 0 : item->cycles,
    .step = { .kind = GEN_FACT_STEP, .isa = insn->isa, .a = insn->address,
	      .known_at = SIZE_MAX } };
  begin (e, insn->address, insn->isa);
  if (branches || insn->kind == GEN_ISB)
    atom.step.flags = item->passed ? GEN_TAKEN : GEN_NOT_TAKEN;
  if (e->options->halves && insn->isa == GEN_T32 && insn->size == 4)
    {
      struct gen_etmv3_atom half = { .passed = item->passed, .half = true,
			   .cycles = gen_below (e->random, 3) };
      gen_etmv3_add_atom (e, &half);
    }
  gen_etmv3_add_atom (e, &atom);
  if (gen_chance (e->random, 5))
    gen_etmv3_flush (e);
  /* Where a return from an exception leads is told after it.  */
  if (!branches || !item->passed || item[1].kind == GEN_RETURN)
    return;
  if (insn->kind != GEN_DIRECT || e->options->broadcast)
    put_branch (e, item->value, item->next_isa, false, 0, false);
}

/* DDI 0337, table 14-8: the number of the M-profile exception VECTOR.  */
static unsigned
m_number (unsigned vector)
{
  static const uint8_t numbers[] = {
    [2] = 10, [3] = 19, [4] = 13, [5] = 21, [6] = 9, [11] = 11, [12] = 12,
    [14] = 14, [15] = 15, [16] = 8, [17] = 1, [18] = 2, [19] = 3, [20] = 4,
    [21] = 5, [22] = 6, [23] = 7 };
  return vector < sizeof numbers ? numbers[vector] : vector;
}

/* The instruction at the return address began, and is taken back.  Its atom is
   the only one of its packet.  */
static bool
put_cancelled (struct gen_etmv3 *e, const struct gen_insn *insn)
{
  if (insn->kind != GEN_STRAIGHT || (e->options->halves && insn->size == 4
				     && insn->isa == GEN_T32))
    return false;
  uint32_t cycles = gen_between (e->random, 1, 8);
  gen_etmv3_flush (e);
  if (e->options->cycle_accurate)
    {
      gen_put (e->trace, 0xe0 | (cycles - 1) << 2);
      gen_etmv3_cycles_fact (e, cycles, false);
    }
  else
    gen_put (e->trace, 0x84);
  /* Its data, if any, are not those of an instruction that ran.  */
  if (insn->words > 0)
    {
      gen_etmv3_own_data (e, GEN_NOBODY, 0);
      gen_etmv3_put_data (e);
    }
  return true;
}

static void
exception (struct gen_etmv3 *e, const struct gen_item *item)
{
  const struct gen_program *p = e->walk->program;
  bool halt = item->number == GEN_EXC_HALT, cancel = false;
  uint32_t target = halt ? item->value : item->handler;
  enum gen_isa isa = halt ? item->next_isa
		     : gen_program_at (p, item->handler)->isa;
  if (halt && e->is_m)
    return;			/* It is not traced.  */
  unsigned number = e->is_m ? m_number (item->number)
			    : gen_v7_exception_number (item->number);
  size_t from = 0;
  if (!item->tail_chain)
    {
      begin (e, item->value, item->next_isa);
      if (gen_chance (e->random, e->options->cancels))
	{
	  gen_etmv3_flush (e);
	  from = e->trace->nbytes;
	  cancel = put_cancelled (e, gen_program_at (p, item->value));
	}
    }
  /* An exception taken instead of a return is not told before its branch.  */
  gen_etmv3_flush (e);
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_EXCEPTION,
				     item->tail_chain ? 0 : item->value);
  f->number = e->is_m ? item->number : number;
  f->flags = (halt ? GEN_HALT : 0) | (item->tail_chain ? GEN_TAIL : 0);
  put_branch (e, target, isa, true, number, cancel);
  if (e->is_m && !item->tail_chain && gen_chance (e->random, 50))
    {
      gen_put (e->trace, 0x7e);
      gen_etmv3_own_data (e, GEN_ENTRY, 0);
      gen_etmv3_put_data (e);
    }
  if (cancel)
    gen_add_doubt (e->trace, from, e->trace->nbytes);
}

/* M profile: the branch before was the return from an exception.  */
static void
exception_return (struct gen_etmv3 *e, const struct gen_item *item)
{
  gen_etmv3_flush (e);
  size_t from = e->trace->nbytes;
  gen_put (e->trace, 0x76);
  gen_add_fact (e->trace, GEN_FACT_RETURN,
		item->tail_chain ? 0 : item->value);
  gen_etmv3_note (e);
  gen_etmv3_own_data (e, GEN_EXIT, 0);
  if (!item->tail_chain)
    {
      gen_etmv3_put_data (e);
      put_branch (e, item->value, GEN_T32, false, 0, false);
      gen_add_doubt (e->trace, from, e->trace->nbytes);
    }
}

static void
stop (struct gen_etmv3 *e, unsigned reason)
{
  gen_etmv3_flush (e);
  if (!e->off || reason == OVERFLOW)
    e->reason = reason;
  e->off = true;
}

static void
encode_item (struct gen_etmv3 *e, const struct gen_item *item)
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
      exception_return (e, item);
      break;
    case GEN_CONTEXT:
      e->context = item->context;
      break;
    case GEN_TIME:
      if (e->options->timestamps && e->begun && !e->sync_due)
	put_time (e, item->value);
      break;
    case GEN_TRIGGER:
      if (!e->begun)
	break;
      gen_etmv3_flush (e);
      gen_put (e->trace, gen_chance (e->random, 50) ? 0x0c : 0x66);
      /* Ignore, or a trigger, which is no numbered event.  */
      if (e->trace->bytes[e->trace->nbytes - 1] == 0x0c)
	gen_add_fact (e->trace, GEN_FACT_TRIGGER, 0);
      gen_etmv3_note (e);
      break;
    case GEN_SYNC:
      e->sync_due = true;
      break;
    case GEN_OFF:
      stop (e, TRACE_ON);
      break;
    case GEN_HALTED:
      stop (e, DEBUG_EXIT);
      break;
    case GEN_LOST:
      stop (e, OVERFLOW);
      break;
    }
}

void
gen_etmv3_encode (struct gen_trace *trace, const struct gen_walk *walk,
		  const struct gen_etmv3_options *options,
		  struct gen_random *random)
{
  struct gen_etmv3 e = {
    .trace = trace, .walk = walk, .options = options, .random = random,
    .is_m = gen_is_m (walk->program->arch), .context = walk->start,
    .off = true, .reason = TRACE_ON, .sync_due = true
  };
  gen_trace_init (trace);
  for (size_t i = 0; i < walk->count; i++)
    encode_item (&e, &walk->items[i]);
  gen_etmv3_flush (&e);
}

/* Options.  */

void
gen_etmv3_choose (struct gen_etmv3_options *o, enum gen_arch arch,
		  struct gen_random *r)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };
  bool is_m = gen_is_m (arch);
  memset (o, 0, sizeof *o);
  o->alternative = is_m || gen_chance (r, 50);
  o->timestamps = gen_chance (r, 60);
  o->cycle_accurate = gen_chance (r, 40);
  o->broadcast = gen_chance (r, 15);
  o->wide = gen_chance (r, 50);
  o->gray = gen_chance (r, 30);
  o->halves = gen_chance (r, 20);
  o->vmid = !is_m && gen_chance (r, 40);
  o->data_addresses = gen_chance (r, 30);
  o->data_values = gen_chance (r, 30);
  o->cancels = gen_chance (r, 60) ? gen_below (r, 60) : 0;
  o->cid_bytes = is_m ? 0 : bytes[gen_below (r, 4)];
}

void
gen_etmv3_registers (const struct gen_etmv3_options *o, unsigned trace_id,
		     struct gen_register registers[GEN_ETMV3_REGISTERS])
{
  static const uint8_t sizes[] = { 0, 1, 2, 0, 3 };
  uint32_t cr = 0x400 | o->data_values << 2 | o->data_addresses << 3
		| o->broadcast << 8 | o->cycle_accurate << 12
		| (uint32_t) sizes[o->cid_bytes] << 14
		| (uint32_t) o->timestamps << 28 | (uint32_t) o->vmid << 30;
  uint32_t idr = 0x4100f250 | (uint32_t) !o->halves << 18
		 | (uint32_t) o->alternative << 20;
  uint32_t ccer = 1 << 22 | (uint32_t) !o->gray << 28
		  | (uint32_t) o->wide << 29;
  const struct gen_register all[GEN_ETMV3_REGISTERS] = {
    { "ETMCR", 0x000, cr }, { "ETMTRACEIDR", 0x080, trace_id },
    { "ETMIDR", 0x079, idr }, { "ETMCCER", 0x07a, ccer } };
  memcpy (registers, all, sizeof all);
}
