/* ETMv3 packets to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

/* Packets.  */

/* A load or store ran before tracing began, and was not done when it did
   (7.14.2: only there an I-sync packet implies that an instruction was
   executed).  What ran between it and the address of the packet is not told. */
static void
decode_in_progress (struct tb_etmv3_decoder *d, struct tb_element **out,
		    const struct tb_etmv3_packet *p)
{
  static const struct tb_etmv3_header one = { .natoms = 1, .atoms = 1 };
  struct tb_v7_state *s = &d->v7.state;
  enum tb_isa isa;
  uint32_t target = tb_etmv3_branch_target (d, p, &isa);
  bool cycle_accurate = d->cycle_accurate;

  d->cycle_accurate = false;
  tb_etmv3_follow (d, out, &one);
  d->cycle_accurate = cycle_accurate;
  if (!s->have_address || s->address != target)
    tb_v7_emit (&d->v7, out, TB_ELEMENT_TRACE_ON)->reason = TB_REASON_BEGIN;
  s->last = target;
  s->packet_isa = isa;
  tb_v7_set_address (&d->v7, target, isa);
}

static void
decode_isync (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_etmv3_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;
  bool first = s->phase == TB_V7_SYNC;

  if (first)
    {
      s->phase = TB_V7_DECODE;
      tb_v7_forget_context (&d->v7);
    }
  if (first || p->reason != TB_V7_PERIODIC)
    tb_v7_emit (&d->v7, out, TB_ELEMENT_TRACE_ON)->reason = tb_v7_trace_on_reason (p->reason);
  else if (p->has_address && s->have_address && s->address != p->value)
    tb_v7_jumped (&d->v7, out);
  /* What was lost may have been addresses and values that others wait for.  */
  if (p->reason == TB_V7_OVERFLOW)
    s->data = (struct tb_v7_data) { .now.count = 0 };
  else if (p->reason != TB_V7_PERIODIC)
    tb_etmv3_disown_data (d);
  s->context.nonsecure = p->nonsecure;
  s->context.hyp = p->hyp;
  if (p->has_id)
    {
      s->context.cid = p->id;
      s->context.has_cid = true;
    }
  s->alternative = p->alternative;
  s->returned = s->halted = false;
  if (p->has_address)
    {
      s->last = (uint32_t) p->value;
      s->packet_isa = p->isa;
      tb_v7_set_address (&d->v7, s->last, (enum tb_isa) p->isa);
    }
  tb_v7_emit_context (&d->v7, out);
  if (p->has_cycles)
    tb_v7_add_cycles (&d->v7, out, p->cycles);
  if (p->in_progress)
    decode_in_progress (d, out, p);
}

/* An exception is taken: is it the first one behind the newest instruction?  */
static void
count_entry (struct tb_v7_data *data)
{
  struct tb_v7_transfer *taken = &data->taken;
  bool again = taken->owner == TB_V7_ENTRY && taken->at == data->now.count;
  *taken = (struct tb_v7_transfer) {
    .at = data->now.count, .owner = TB_V7_ENTRY,
    .entry = again ? (uint8_t) (taken->entry + (taken->entry < UINT8_MAX)) : 0
  };
}

/* Exception information; the address is not yet the branch's.  */
static void
decode_exception (struct tb_etmv3_decoder *d, struct tb_element **out,
		  const struct tb_v7_exception *x)
{
  struct tb_v7_state *s = &d->v7.state;
  bool is_m = d->v7.settings.is_m;

  if (x->number == 0)
    return;
  count_entry (&s->data);
  struct tb_element *e = tb_v7_emit (&d->v7, out, TB_ELEMENT_EXCEPTION);
  e->u.exception.number = x->number;
  if (s->returned)
    e->flags |= TB_EXCEPTION_TAIL_CHAIN;
  else if (s->have_address)
    e->u.exception.return_address = s->address + (s->half ? 2 : 0);
  else
    e->flags |= TB_EXCEPTION_NO_RETURN;
  s->halted = tb_exception_kind (TB_NUMBERS_V7, is_m, x->number) == TB_EXC_HALT;
  if (s->halted)
    e->flags |= TB_EXCEPTION_HALT;
}

static void
decode_branch (struct tb_etmv3_decoder *d, struct tb_element **out,
	       const struct tb_etmv3_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_v7_exception *x = &p->exception;
  enum tb_isa isa;
  uint32_t target = tb_etmv3_branch_target (d, p, &isa);

  if (p->has_exception && !p->address.old_exception)
    {
      bool hyp = x->has_hyp && d->table.has_hyp ? x->hyp : s->context.hyp;
      if (x->nonsecure != s->context.nonsecure || hyp != s->context.hyp)
	{
	  s->context.nonsecure = x->nonsecure;
	  s->context.hyp = hyp;
	  tb_v7_emit_context (&d->v7, out);
	}
      s->alternative = x->alternative;
    }
  s->halted = false;
  if (p->has_exception)
    decode_exception (d, out, x);
  if (!p->has_exception || x->number == 0)
    tb_etmv3_check_target (d, target);
  s->returned = false;
  s->last = target;
  s->packet_isa = isa;
  tb_v7_set_address (&d->v7, target, isa);
}

/* Data are now those that the core moves by itself (7.5.3).  */
static void
own_by_exception (struct tb_etmv3_decoder *d, enum tb_v7_owner owner)
{
  struct tb_v7_data *data = &d->v7.state.data;

  bool entered = owner == TB_V7_ENTRY && data->taken.at == data->now.count;
  data->now.next = (struct tb_v7_transfer) {
    .at = data->now.count, .owner = owner, .entry = entered ? data->taken.entry : 0
  };
}

static void
decode_return (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->v7.state;
  uint32_t resume = 0;
  bool known, cancelled = tb_etmv3_return_cancelled (d, &resume, &known);

  s->returned = d->v7.settings.is_m;
  if (d->v7.settings.is_m)
    own_by_exception (d, cancelled ? TB_V7_NOBODY : TB_V7_RETURN);
  if (cancelled)
    return;
  struct tb_element *e
    = tb_v7_emit (&d->v7, out, TB_ELEMENT_EXCEPTION_RETURN);
  e->u.ret.resume = known ? resume : 0;
}

static void
decode_synchronised (struct tb_etmv3_decoder *d, struct tb_element **out,
		     const struct tb_etmv3_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;

  switch ((enum tb_etmv3_packet_type) p->type)
    {
    case TB_ETMV3_P_HEADER:
      tb_etmv3_follow (d, out, &p->atoms);
      break;
    case TB_ETMV3_BRANCH:
      decode_branch (d, out, p);
      break;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_ISYNC_CYCLES:
      decode_isync (d, out, p);
      break;
    case TB_ETMV3_ASYNC:
      s->stats.syncs++;
      break;
    case TB_ETMV3_CYCLES:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_CYCLES)->u.value = p->cycles;
      break;
    case TB_ETMV3_TRIGGER:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_EVENT)->flags = TB_EVENT_TRIGGER;
      break;
    case TB_ETMV3_CONTEXT_ID:
      if (p->has_id)
	{
	  s->context.cid = p->id;
	  s->context.has_cid = true;
	  tb_v7_emit_context (&d->v7, out);
	}
      break;
    case TB_ETMV3_VMID:
      s->context.vmid = p->id;
      s->context.has_vmid = true;
      tb_v7_emit_context (&d->v7, out);
      break;
    case TB_ETMV3_TIMESTAMP:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_TIMESTAMP)->u.value
	= tb_v7_timestamp (&s->timestamp, p->value, p->value_bits,
			   &d->v7.settings);
      break;
    case TB_ETMV3_EXCEPTION_RETURN:
      decode_return (d, out);
      break;
    case TB_ETMV3_BAD:
      tb_v7_bad_packet (&d->v7, out);
      break;
    case TB_ETMV3_EXCEPTION_ENTRY:
      own_by_exception (d, TB_V7_ENTRY);
      break;
    case TB_ETMV3_DATA:
    case TB_ETMV3_DATA_LATE:
    case TB_ETMV3_DATA_PLACEHOLDER:
    case TB_ETMV3_DATA_NOT_TRACED:
    case TB_ETMV3_DATA_SUPPRESSED:
    case TB_ETMV3_STORE_FAILED:
      tb_etmv3_decode_data (d, out, p);
      break;
    case TB_ETMV3_IGNORE:
      break;
    }
}

/* Between A-sync and the first I-sync packet the time is known, and where each
   packet begins.  */
static void
decode_before_isync (struct tb_etmv3_decoder *d, struct tb_element **out,
		     const struct tb_etmv3_packet *p)
{
  switch ((enum tb_etmv3_packet_type) p->type)
    {
    case TB_ETMV3_P_HEADER:
    case TB_ETMV3_CYCLES:
      if (d->cycle_accurate)
	decode_synchronised (d, out, p);
      break;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_TIMESTAMP:
    case TB_ETMV3_ASYNC:
    case TB_ETMV3_BAD:
      decode_synchronised (d, out, p);
      break;
    default:
      break;
    }
}

void
tb_etmv3_decode_packet (struct tb_etmv3_decoder *d, struct tb_element **out,
			const struct tb_etmv3_packet *p)
{
  if (d->v7.state.phase == TB_V7_SYNC)
    decode_before_isync (d, out, p);
  else
    decode_synchronised (d, out, p);
}
