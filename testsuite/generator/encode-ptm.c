/* A walk to PTM trace.  See encode-ptm.h; section numbers are those of IHI
   0035.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/encode-ptm.h"

#include <stdlib.h>
#include <string.h>

#define RETURN_STACK 15

enum { PERIODIC, TRACE_ON, OVERFLOW, DEBUG_EXIT };

struct encoder
{
  struct gen_trace *trace;
  const struct gen_walk *walk;
  const struct gen_ptm_options *options;
  struct gen_random *random;

  struct gen_v7_last last;
  uint64_t timestamp;		/* As sent.  */
  bool timestamp_sent;		/* Since the last A-sync.  */
  uint8_t atoms[5];		/* That wait for a packet; 1 is E.  */
  unsigned natoms;
  size_t known;			/* Facts that packets have told.  */
  struct gen_fact *open;	/* Steps since the last waypoint.  */
  size_t nopen, open_capacity;
  struct { uint32_t address; uint8_t isa; } stack[RETURN_STACK];
  unsigned nstack, stack_depth;
  uint64_t cycles;		/* Since the last count.  */
  struct gen_context context;
  uint32_t cid, vmid;		/* As told.  */
  bool begun;			/* There has been an I-sync packet.  */
  bool vmid_told;
  bool off;
  unsigned reason;		/* Of the next I-sync packet.  */
  bool sync_due;
};

/* All facts there are have been told.  */
static void
note (struct encoder *e)
{
  for (; e->known < e->trace->nfacts; e->known++)
    e->trace->facts[e->known].known_at = e->trace->nbytes;
}

/* Packets.  */

/* 4.5.3: a one above up to five atoms, 0 for E, the oldest on top.  */
static void
flush (struct encoder *e)
{
  if (e->natoms == 0)
    return;
  unsigned byte = 0x80;
  if (e->natoms > 1)
    byte |= 1u << (e->natoms + 1);
  for (unsigned i = 0; i < e->natoms; i++)
    byte |= (unsigned) !e->atoms[i] << (e->natoms - i);
  gen_put (e->trace, byte);
  e->natoms = 0;
  note (e);
}

/* A cycle count; LOW has the bits of the first byte that are not its own.  */
static void
put_cycles (struct encoder *e, unsigned low)
{
  uint32_t count = e->cycles < UINT32_MAX ? (uint32_t) e->cycles : UINT32_MAX;
  bool more = count > 0xf;
  gen_put (e->trace, low | (count & 0xf) << 2 | more << 6);
  if (more)
    gen_put_continued (e->trace, count >> 4);
  gen_add_fact (e->trace, GEN_FACT_CYCLES, count)->flags = GEN_WITH_PREVIOUS;
  e->cycles = 0;
}

/* The steps since the last waypoint are about to be told.  */
static void
close_steps (struct encoder *e)
{
  for (size_t i = 0; i < e->nopen; i++)
    *gen_add_fact (e->trace, GEN_FACT_STEP, 0) = e->open[i];
  e->nopen = 0;
}

static void
put_atom (struct encoder *e, bool taken)
{
  if (e->options->cycle_accurate)
    {
      /* One atom: 1CccccF0.  */
      close_steps (e);
      put_cycles (e, 0x80 | !taken << 1);
      note (e);
      return;
    }
  close_steps (e);
  e->atoms[e->natoms++] = taken;
  if (e->natoms == 5 || gen_chance (e->random, 20))
    flush (e);
}

/* 4.5.4: a branch to TARGET, the atom of which is implied.  */
static void
put_branch (struct encoder *e, uint32_t target, enum gen_isa isa)
{
  bool state = gen_chance (e->random, 3);
  flush (e);
  gen_v7_address (e->trace, GEN_V7_ALTERNATIVE, &e->last, target, isa, true,
		  state, e->random);
  if (state)
    gen_v7_exception (e->trace, 0, e->context.nonsecure, false, e->random);
  close_steps (e);
  if (e->options->cycle_accurate)
    put_cycles (e, 0);
  note (e);
}

/* 4.5.5: all up to and with the last open step ran.  */
static void
put_update (struct encoder *e)
{
  if (e->nopen == 0)
    return;
  const struct gen_fact *step = &e->open[e->nopen - 1];
  flush (e);
  gen_put (e->trace, 0x72);
  gen_v7_address (e->trace, GEN_V7_WAYPOINT, &e->last, step->a, step->isa,
		  gen_chance (e->random, 50), false, e->random);
  close_steps (e);
  note (e);
}

/* What a context element says now.  */
static struct gen_fact
context_fact (const struct encoder *e, bool cid, bool vmid)
{
  return (struct gen_fact) {
    .kind = GEN_FACT_CONTEXT,
    .flags = (cid ? GEN_HAS_CID : 0) | (vmid ? GEN_HAS_VMID : 0),
    .number = 0xff | e->context.nonsecure << 5,
    .a = (uint64_t) (vmid ? e->vmid : 0) << 32 | (cid ? e->cid : 0),
    .known_at = SIZE_MAX };
}

static uint32_t
current_cid (const struct encoder *e)
{
  unsigned bytes = e->options->cid_bytes;
  return bytes == 4 ? e->context.cid : e->context.cid & ((1u << 8 * bytes) - 1);
}

static void
put_vmid (struct encoder *e)
{
  flush (e);
  gen_put (e->trace, 0x3c);
  gen_put (e->trace, e->context.vmid & 0xff);
  if (!e->vmid_told || e->vmid != (e->context.vmid & 0xff))
    {
      e->vmid = e->context.vmid & 0xff;
      e->vmid_told = true;
      *gen_add_fact (e->trace, GEN_FACT_CONTEXT, 0)
	= context_fact (e, e->options->cid_bytes > 0, true);
    }
  note (e);
}

/* The context has changed.  */
static void
put_context (struct encoder *e)
{
  if (e->options->cid_bytes > 0 && e->cid != current_cid (e))
    {
      flush (e);
      e->cid = current_cid (e);
      gen_put (e->trace, 0x6e);
      gen_put_value (e->trace, e->cid, e->options->cid_bytes);
      *gen_add_fact (e->trace, GEN_FACT_CONTEXT, 0)
	= context_fact (e, true, e->vmid_told);
      note (e);
    }
  if (e->options->vmid && e->vmid != (e->context.vmid & 0xff))
    put_vmid (e);
}

/* 4.5.2: A-sync and I-sync at ADDRESS, where a block begins.  */
static void
synchronise (struct encoder *e, uint32_t address, enum gen_isa isa)
{
  const struct gen_ptm_options *o = e->options;
  struct gen_trace *t = e->trace;
  bool starts = e->reason != PERIODIC, async = e->sync_due || !e->begun;
  static const uint8_t on[] = {
    [PERIODIC] = GEN_ON_BEGIN, [TRACE_ON] = GEN_ON_BEGIN,
    [OVERFLOW] = GEN_ON_OVERFLOW, [DEBUG_EXIT] = GEN_ON_OTHER };
  struct gen_sync sync = { .offset = 0 };
  flush (e);
  if (async)
    {
      gen_v7_async (t, e->random);
      sync.offset = t->nbytes - 6;
      e->timestamp_sent = false;
    }
  gen_put (t, 0x08);
  gen_put_value (t, address | (isa == GEN_T32), 4);
  gen_put (t, e->reason << 5 | e->context.nonsecure << 3 | 1);
  size_t first = t->nfacts;
  struct gen_fact *f = gen_add_fact (t, GEN_FACT_ON, 0);
  f->number = on[e->reason];
  if (starts && o->cycle_accurate)
    put_cycles (e, 0);
  uint32_t cid = current_cid (e);
  gen_put_value (t, cid, o->cid_bytes);
  bool changed = o->cid_bytes > 0 && (!e->begun || cid != e->cid);
  /* The instruction set of the newest packet, not that of the code.  */
  bool isa_changed = !e->last.isa_known || e->last.isa != isa;
  e->cid = cid;

  /* Who begins here: all that the packet says.  */
  for (size_t i = first; i < t->nfacts; i++)
    sync.lead[sync.nlead++] = t->facts[i];
  sync.lead[sync.nlead++] = context_fact (e, o->cid_bytes > 0, false);
  if (!starts)
    t->nfacts = first;
  if (changed || (starts && (o->cid_bytes > 0 || isa_changed)))
    *gen_add_fact (t, GEN_FACT_CONTEXT, 0)
      = context_fact (e, o->cid_bytes > 0, e->vmid_told);
  e->begun = true;
  e->last = (struct gen_v7_last) { address, isa, true };
  e->nstack = 0;
  e->reason = PERIODIC;
  e->off = e->sync_due = false;
  note (e);
  if (o->vmid)
    {
      put_vmid (e);
      sync.lead[sync.nlead++] = context_fact (e, o->cid_bytes > 0, true);
    }
  if (!async)
    return;
  sync.fact = sync.address = t->nfacts;
  t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
		       sizeof *t->syncs);
  t->syncs[t->nsyncs++] = sync;
}

static void
put_time (struct encoder *e, uint64_t time)
{
  const struct gen_ptm_options *o = e->options;
  if (!o->wide)
    time &= (UINT64_C (1) << 48) - 1;
  uint64_t code = o->gray ? gen_gray (time) : time;
  flush (e);
  gen_put (e->trace, gen_chance (e->random, 50) ? 0x42 : 0x46);
  /* The first one after A-sync is whole.  */
  gen_v7_timestamp (e->trace, code,
		    e->timestamp_sent ? e->timestamp : ~code, o->wide,
		    e->random);
  e->timestamp = code;
  e->timestamp_sent = true;
  gen_add_fact (e->trace, GEN_FACT_TIME, time);
  if (o->cycle_accurate)
    put_cycles (e, 0);
  note (e);
}

/* What ran.  */

static void
push_return (struct encoder *e, const struct gen_insn *insn)
{
  if (!e->options->return_stack)
    return;
  if (e->nstack == e->stack_depth)
    memmove (e->stack, e->stack + 1, --e->nstack * sizeof e->stack[0]);
  e->stack[e->nstack].address = insn->address + insn->size;
  e->stack[e->nstack++].isa = insn->isa;
}

static void
waypoint (struct encoder *e, const struct gen_insn *insn,
	  const struct gen_item *item)
{
  const struct gen_ptm_options *o = e->options;
  bool indirect = insn->kind == GEN_INDIRECT || insn->kind == GEN_ERET;
  bool branches = indirect || insn->kind == GEN_DIRECT;
  if (insn->kind != GEN_BARRIER)
    e->open[e->nopen - 1].flags = item->passed ? GEN_TAKEN : GEN_NOT_TAKEN;
  if (!item->passed || !branches)
    put_atom (e, item->passed);
  else if (insn->kind == GEN_INDIRECT && !insn->link && !o->broadcast
	   && e->nstack > 0
	   && e->stack[e->nstack - 1].address == item->value
	   && e->stack[e->nstack - 1].isa == item->next_isa)
    {
      e->nstack--;
      put_atom (e, true);
    }
  else if (indirect || o->broadcast)
    put_branch (e, item->value, item->next_isa);
  else
    put_atom (e, true);
  if (branches && item->passed && insn->link)
    push_return (e, insn);
  if (insn->kind == GEN_ERET && gen_chance (e->random, 50))
    {
      flush (e);
      gen_put (e->trace, 0x76);
      gen_add_fact (e->trace, GEN_FACT_RETURN, 0);
      note (e);
    }
}

/* Before what runs at ADDRESS, if a block begins there.  */
static void
begin (struct encoder *e, uint32_t address, enum gen_isa isa)
{
  if (e->off && !e->sync_due)
    e->sync_due = gen_chance (e->random, 30);
  if (e->off || e->sync_due)
    synchronise (e, address, isa);
  else
    put_context (e);
}

static void
step (struct encoder *e, const struct gen_item *item)
{
  const struct gen_insn *insn = &e->walk->program->insns[item->insn];
  if (e->nopen > 0 && e->sync_due)
    put_update (e);
  if (e->nopen == 0)
    begin (e, insn->address, insn->isa);
  e->open = gen_grow (e->open, &e->open_capacity, e->nopen, sizeof *e->open);
  e->open[e->nopen++] = (struct gen_fact) {
    .kind = GEN_FACT_STEP, .isa = insn->isa, .a = insn->address,
    .known_at = SIZE_MAX };
  e->cycles += item->cycles;
  if (insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT
      || insn->kind == GEN_ERET || insn->kind == GEN_ISB
      || (insn->kind == GEN_BARRIER && e->options->barriers))
    waypoint (e, insn, item);
  else if (gen_chance (e->random, 1) && !insn->governed)
    put_update (e);
}

static void
exception (struct encoder *e, const struct gen_item *item)
{
  const struct gen_program *p = e->walk->program;
  bool halt = item->number == GEN_EXC_HALT;
  uint32_t target = halt ? item->value : item->handler;
  enum gen_isa isa = halt ? item->next_isa
		     : gen_program_at (p, item->handler)->isa;
  unsigned number = gen_v7_exception_number (item->number);
  put_update (e);
  begin (e, item->value, item->next_isa);
  flush (e);
  gen_v7_address (e->trace, GEN_V7_ALTERNATIVE, &e->last, target, isa, true,
		  true, e->random);
  gen_v7_exception (e->trace, number, e->context.nonsecure, false, e->random);
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_EXCEPTION,
				     item->value);
  f->number = number;
  f->flags = halt ? GEN_HALT : 0;
  if (e->options->cycle_accurate)
    put_cycles (e, 0);
  if (e->options->exception_empties)
    e->nstack = 0;
  note (e);
}

/* Tracing stops.  */
static void
stop (struct encoder *e, unsigned reason)
{
  if (reason != OVERFLOW && !e->off && gen_chance (e->random, 50))
    put_update (e);
  flush (e);
  e->nopen = 0;
  if (!e->off || reason == OVERFLOW)
    e->reason = reason;
  e->off = true;
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
      exception (e, item);
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
      flush (e);
      gen_put (e->trace, gen_chance (e->random, 50) ? 0x0c : 0x66);
      /* Ignore, or a trigger, which is no numbered event.  */
      if (e->trace->bytes[e->trace->nbytes - 1] == 0x0c)
	gen_add_fact (e->trace, GEN_FACT_TRIGGER, 0);
      note (e);
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
gen_ptm_encode (struct gen_trace *trace, const struct gen_walk *walk,
		const struct gen_ptm_options *options,
		struct gen_random *random)
{
  struct encoder e = {
    .trace = trace, .walk = walk, .options = options, .random = random,
    .stack_depth = gen_between (random, 1, RETURN_STACK),
    .context = walk->start, .off = true, .reason = TRACE_ON, .sync_due = true
  };
  gen_trace_init (trace);
  for (size_t i = 0; i < walk->count; i++)
    encode_item (&e, &walk->items[i]);
  if (gen_chance (random, 50))
    put_update (&e);
  flush (&e);
  free (e.open);
}

/* Options.  */

void
gen_ptm_choose (struct gen_ptm_options *o, struct gen_random *r)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };
  memset (o, 0, sizeof *o);
  o->return_stack = gen_chance (r, 50);
  o->timestamps = gen_chance (r, 60);
  o->cycle_accurate = gen_chance (r, 40);
  o->broadcast = gen_chance (r, 15);
  o->wide = gen_chance (r, 50);
  o->gray = gen_chance (r, 30);
  o->barriers = gen_chance (r, 50);
  o->vmid = gen_chance (r, 40);
  o->exception_empties = gen_chance (r, 50);
  o->cid_bytes = bytes[gen_below (r, 4)];
}

void
gen_ptm_registers (const struct gen_ptm_options *o, unsigned trace_id,
		   struct gen_register registers[GEN_PTM_REGISTERS])
{
  static const uint8_t sizes[] = { 0, 1, 2, 0, 3 };
  uint32_t cr = 0x400 | o->broadcast << 8 | o->cycle_accurate << 12
		| (uint32_t) sizes[o->cid_bytes] << 14
		| (uint32_t) o->timestamps << 28
		| (uint32_t) o->return_stack << 29 | (uint32_t) o->vmid << 30;
  uint32_t ccer = 1 << 22 | 1 << 23 | (uint32_t) o->barriers << 24
		  | (uint32_t) !o->gray << 28 | (uint32_t) o->wide << 29;
  const struct gen_register all[GEN_PTM_REGISTERS] = {
    { "ETMCR", 0x000, cr }, { "ETMTRACEIDR", 0x080, trace_id },
    { "ETMIDR", 0x079, 0x411cf312 }, { "ETMCCER", 0x07a, ccer } };
  memcpy (registers, all, sizeof all);
}
