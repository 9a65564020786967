/* PTM packets to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/internal.h"

/* The cycle count of PACKET belongs to the element before.  */
static void
add_cycles (struct tb_ptm_decoder *d, struct tb_element **out,
	    const struct tb_ptm_packet *p)
{
  if (p->has_cycles)
    tb_v7_add_cycles (&d->v7, out, p->cycles);
}

/* Packets.  */

/* The ISA and the address of a packet with an address.  Short ones leave the
   ISA as the newest packet had it, whatever direct branches did since.  */
static uint32_t
packet_target (struct tb_ptm_decoder *d, const struct tb_ptm_packet *p,
	       enum tb_isa *isa)
{
  struct tb_v7_state *s = &d->v7.state;

  if (p->has_exception)
    s->alternative = p->exception.alternative;
  if (p->has_alternative)
    s->alternative = p->alternative;
  *isa = (enum tb_isa) (p->address.full ? p->address.isa : s->packet_isa);
  if (*isa == TB_ISA_T32 || *isa == TB_ISA_T32EE)
    *isa = s->alternative ? TB_ISA_T32EE : TB_ISA_T32;
  s->last = tb_v7_address_apply (&p->address, s->last, *isa);
  s->packet_isa = *isa;
  return s->last;
}

static void
decode_isync (struct tb_ptm_decoder *d, struct tb_element **out,
	      const struct tb_ptm_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;
  bool first = s->phase == TB_V7_SYNC;

  if (first)
    tb_v7_forget_context (&d->v7);
  bool starts = first || p->reason != TB_V7_PERIODIC;
  bool changed = p->nonsecure != s->context.nonsecure
		 || p->hyp != s->context.hyp
		 || (p->has_id && (!s->context.has_cid
				   || p->id != s->context.cid));
  bool context = changed
		 || (starts && (p->has_id || p->isa != s->packet_isa));
  if (!starts && s->have_address && s->address != p->value)
    tb_v7_jumped (&d->v7, out);
  s->phase = TB_V7_DECODE;
  s->context.nonsecure = p->nonsecure;
  s->context.hyp = p->hyp;
  if (p->has_id)
    {
      s->context.cid = p->id;
      s->context.has_cid = true;
    }
  s->alternative = p->alternative;
  s->halted = false;
  s->last = (uint32_t) p->value;
  s->packet_isa = p->isa;
  tb_v7_set_address (&d->v7, s->last, (enum tb_isa) p->isa);
  /* Who begins to decode here has an empty one.  */
  tb_return_stack_flush (&s->stack);
  if (starts)
    {
      tb_v7_emit (&d->v7, out, TB_ELEMENT_TRACE_ON)->reason
	= tb_v7_trace_on_reason (p->reason);
      add_cycles (d, out, p);
    }
  if (context)
    tb_v7_emit_context (&d->v7, out);
}

static void
decode_exception (struct tb_ptm_decoder *d, struct tb_element **out,
		  const struct tb_ptm_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;
  struct tb_element *e = tb_v7_emit (&d->v7, out, TB_ELEMENT_EXCEPTION);

  e->u.exception.number = p->exception.number;
  if (s->have_address)
    e->u.exception.return_address = s->address;
  else
    e->flags |= TB_EXCEPTION_NO_RETURN;
  s->halted = tb_exception_kind (TB_NUMBERS_V7, false, p->exception.number)
	      == TB_EXC_HALT;
  if (s->halted)
    e->flags |= TB_EXCEPTION_HALT;
  add_cycles (d, out, p);
}

/* A branch packet implies an E atom, unless it is an exception's (4.5.4).  */
static void
decode_branch (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_ptm_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;
  enum tb_isa isa;

  s->halted = false;
  if (p->has_exception && p->exception.number != 0)
    decode_exception (d, out, p);
  else
    tb_ptm_follow (d, out, 1, 1, true, p->has_cycles ? &p->cycles : NULL);
  uint32_t target = packet_target (d, p, &isa);
  /* A packet for a direct branch (ETMCR[8]) tells what the code does.  */
  if (!(p->has_exception && p->exception.number != 0) && s->have_address
      && s->address != target)
    tb_v7_count_jump (&d->v7);
  tb_v7_set_address (&d->v7, target, isa);
  if (!p->has_exception)
    return;
  const struct tb_v7_exception *x = &p->exception;
  bool hyp = x->has_hyp && d->table.has_hyp ? x->hyp : s->context.hyp;
  if (x->nonsecure != s->context.nonsecure || hyp != s->context.hyp)
    {
      s->context.nonsecure = x->nonsecure;
      s->context.hyp = hyp;
      tb_v7_emit_context (&d->v7, out);
    }
}

static void
decode_update (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_ptm_packet *p)
{
  enum tb_isa isa;
  uint32_t last = packet_target (d, p, &isa);

  if (d->v7.state.have_address)
    tb_ptm_follow_to (d, out, last);
}

static void
decode_context_id (struct tb_ptm_decoder *d, struct tb_element **out,
		   const struct tb_ptm_packet *p)
{
  struct tb_v7_context *c = &d->v7.state.context;

  if (!p->has_id || (c->has_cid && c->cid == p->id))
    return;
  c->cid = p->id;
  c->has_cid = true;
  tb_v7_emit_context (&d->v7, out);
}

static void
decode_vmid (struct tb_ptm_decoder *d, struct tb_element **out,
	     const struct tb_ptm_packet *p)
{
  struct tb_v7_context *c = &d->v7.state.context;

  if (c->has_vmid && c->vmid == p->id)
    return;
  c->vmid = p->id;
  c->has_vmid = true;
  tb_v7_emit_context (&d->v7, out);
}

static void
decode_synchronised (struct tb_ptm_decoder *d, struct tb_element **out,
		     const struct tb_ptm_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;

  switch ((enum tb_ptm_packet_type) p->type)
    {
    case TB_PTM_ATOM:
      tb_ptm_follow (d, out, p->natoms, p->atoms, false,
		     p->has_cycles ? &p->cycles : NULL);
      break;
    case TB_PTM_BRANCH:
      decode_branch (d, out, p);
      break;
    case TB_PTM_WAYPOINT_UPDATE:
      decode_update (d, out, p);
      break;
    case TB_PTM_ISYNC:
      decode_isync (d, out, p);
      break;
    case TB_PTM_ASYNC:
      s->stats.syncs++;
      break;
    case TB_PTM_TRIGGER:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_EVENT)->flags = TB_EVENT_TRIGGER;
      break;
    case TB_PTM_CONTEXT_ID:
      decode_context_id (d, out, p);
      break;
    case TB_PTM_VMID:
      decode_vmid (d, out, p);
      break;
    case TB_PTM_TIMESTAMP:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_TIMESTAMP)->u.value
	= tb_v7_timestamp (&s->timestamp, p->value, p->value_bits,
			   &d->v7.settings);
      add_cycles (d, out, p);
      break;
    case TB_PTM_EXCEPTION_RETURN:
      tb_v7_emit (&d->v7, out, TB_ELEMENT_EXCEPTION_RETURN);
      break;
    case TB_PTM_BAD:
      tb_v7_bad_packet (&d->v7, out);
      break;
    case TB_PTM_IGNORE:
      break;
    }
}

/* Between A-sync and the first I-sync packet nothing is known but the time and
   where each packet begins.  */
static void
decode_before_isync (struct tb_ptm_decoder *d, struct tb_element **out,
		     const struct tb_ptm_packet *p)
{
  struct tb_v7_state *s = &d->v7.state;

  switch ((enum tb_ptm_packet_type) p->type)
    {
    case TB_PTM_ISYNC:
    case TB_PTM_ASYNC:
    case TB_PTM_BAD:
      decode_synchronised (d, out, p);
      break;
    case TB_PTM_TIMESTAMP:
      tb_v7_timestamp (&s->timestamp, p->value, p->value_bits, &d->v7.settings);
      break;
    default:
      break;
    }
}

void
tb_ptm_decode_packet (struct tb_ptm_decoder *d, struct tb_element **out,
		      const struct tb_ptm_packet *p)
{
  if (d->v7.state.phase == TB_V7_SYNC)
    decode_before_isync (d, out, p);
  else
    decode_synchronised (d, out, p);
}
