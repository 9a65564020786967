/* ETMv4 and ETE packets to items.  See internal.h; section numbers are those of
   IHI 0064.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <string.h>

void
tb_etmv4_lose_sync (struct tb_etmv4_decoder *d, enum tb_reason reason)
{
  struct tb_etmv4_state *s = &d->state;
  bool enabled = s->stack.enabled;
  s->phase = TB_PHASE_SEARCH;
  s->report = true;
  s->lost = reason;
  d->head = d->tail = 0;
  s->depth = s->commit = s->cancel = 0;
  s->mispredict = s->discard = s->address_pending = false;
  s->atoms_left = 0;
  s->have_address = s->have_context = s->walkable = s->locked_up = false;
  s->gap_said = true;
  s->context.flags = 0;
  s->context.cid = s->context.vmid = 0;
  s->sf = true;			/* Until a context says that it is not.  */
  memset (&s->stack, 0, sizeof s->stack);
  s->stack.enabled = enabled;
  d->block = NULL;
  tb_etmv4_forget_keys (d);
}

void
tb_etmv4_start_over (struct tb_etmv4_decoder *d)
{
  struct tb_etmv4_state *s = &d->state;
  tb_etmv4_addresses_reset (&s->addresses);
  s->timestamp = 0;
  s->cycle_threshold = 0;
  s->timestamp_given = s->sf = s->overflow = s->marker_seen = false;
  s->is = 0;
  tb_etmv4_lose_sync (d, tb_break_reason (s->report, s->lost));
}

void
tb_etmv4_bad (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  tb_etmv4_emit (out, TB_ELEMENT_BAD_PACKET, s->packet_index);
  s->stats.bad_packets++;
  s->overflow = false;
  tb_etmv4_lose_sync (d, TB_REASON_BAD_PACKET);
}

/* Items.  */

void
tb_etmv4_add (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      struct tb_etmv4_item item)
{
  if (d->state.phase == TB_PHASE_SEARCH)
    return;
  item.index = d->state.packet_index;
  tb_etmv4_push (d, out, &item);
}

/* Elements beyond the greatest speculation depth are committed without being
   asked to (2.6).  */
static void
commit_excess (struct tb_etmv4_decoder *d)
{
  if (d->state.depth > d->config.max_speculation)
    d->state.commit = d->state.depth - d->config.max_speculation;
}

static void
push_atoms (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    uint32_t atoms, unsigned natoms)
{
  tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_ATOMS,
					 .atoms = atoms, .p0 = natoms });
}

static void
push_context (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      const struct tb_etmv4_context *c)
{
  if (!c->present)
    return;			/* The context is as it was.  */
  tb_etmv4_add (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_CONTEXT, .is = c->el,
    .flags = (c->ns ? TB_ITEM_NS : 0) | (c->nse ? TB_ITEM_NSE : 0)
	     | (c->sf ? TB_ITEM_SF : 0) | (c->has_vmid ? TB_ITEM_HAS_VMID : 0)
	     | (c->has_cid ? TB_ITEM_HAS_CID : 0),
    .value = (uint64_t) c->vmid << 32 | c->cid });
}

/* The address registers after an address of TYPE, and the address.  */
static uint64_t
update_addresses (struct tb_etmv4_state *s, unsigned type, uint64_t value,
		  unsigned bits, unsigned is)
{
  struct tb_etmv4_addresses *a = &s->addresses;
  if (type == TB_ETMV4_ADDRESS_EXACT || type == TB_ETMV4_SOURCE_EXACT)
    tb_etmv4_addresses_exact (a, is);
  else
    tb_etmv4_addresses_update (a, value, bits, (uint8_t) is);
  /* In AArch32 state addresses have 32 bits, whatever was in the upper half
     of the register.  */
  if (!s->sf && bits <= 32)
    a->value[0] &= UINT32_MAX;
  return a->value[0];
}

static void
push_address (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      uint64_t value)
{
  struct tb_etmv4_state *s = &d->state;
  tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_ADDRESS,
					 .is = s->addresses.is[0],
					 .value = value });
}

/* An address has come: the P0 item that waited for one is whole now.  */
static void
address_came (struct tb_etmv4_decoder *d)
{
  struct tb_etmv4_state *s = &d->state;
  if (!s->address_pending)
    return;
  s->address_pending = false;
  s->depth++;
  for (size_t i = d->tail; i > d->head; i--)
    {
      struct tb_etmv4_item *item = &d->items[i - 1];
      if (item->kind == TB_ITEM_EXCEPTION || item->kind == TB_ITEM_Q)
	{
	  item->p0 = 1;
	  return;
	}
    }
  s->depth--;			/* It was cancelled.  */
}

/* Packets.  */

static void
decode_trace_info (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		   const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  uint32_t waiting = p->count < d->config.max_speculation
		     ? p->count : d->config.max_speculation;
  if (s->phase == TB_PHASE_DECODE && waiting != s->depth)
    {
      /* What waits is not what the trace unit sent, and would never be in step
	 with what it commits: begin anew, here.  */
      tb_etmv4_bad (d, out);
      tb_etmv4_emit (out, TB_ELEMENT_NO_SYNC, s->packet_index)->reason
	= s->lost;
      s->report = false;
      s->phase = TB_PHASE_INFO;
    }
  tb_etmv4_addresses_reset (&s->addresses);
  tb_etmv4_forget_keys (d);
  s->timestamp_given = false;
  s->cycle_threshold = p->cycles;
  bool first = s->phase == TB_PHASE_INFO;
  if (first)
    {
      s->phase = TB_PHASE_DECODE;
      /* Of elements from before nothing is known but their number.  */
      if (waiting > 0)
	tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_UNSEEN,
					       .p0 = waiting });
    }
  tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_TRACE_INFO });
  if (first && p->in_transaction)
    tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_TRANSACTION });
}

static void
decode_timestamp (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		  const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  /* Bits that are not given are those of the timestamp before; of the first
     one after Trace Info they are zero (6.4, "Timestamp packet").  */
  uint64_t mask = p->bits < 64 && s->timestamp_given
		  ? (UINT64_C (1) << p->bits) - 1 : UINT64_MAX;
  s->timestamp = (s->timestamp & ~mask) | (p->value & mask);
  s->timestamp_given = true;
  tb_etmv4_add (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_TIMESTAMP, .value = s->timestamp, .number = p->cycles,
    .flags = p->has_cycles ? TB_ITEM_HAS_CYCLES : 0 });
}

static void
decode_cycles (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  uint32_t cycles = p->cycles;
  /* The packet is a Commit element, and a Cycle Count element behind it, which is of the time of
     that commit.  It waits behind all that was told before it, as timestamps do: its place is
     when it was made (DDI 0487, D4.3.7.1, K10.5.2.16, K10.5.3.1).  */
  if (p->plus_threshold)
    cycles += s->cycle_threshold;
  tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_CYCLES,
					 .number = cycles });
  if (d->config.max_speculation > 0)
    s->commit = p->count;
}

static void
decode_exception (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		  const struct tb_etmv4_packet *p)
{
  bool reset = p->type == TB_ETMV4_PE_RESET;
  tb_etmv4_add (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_EXCEPTION, .number = p->exception,
    .flags = (p->same_address ? TB_ITEM_SAME_ADDRESS : 0)
	     | (reset ? TB_ITEM_RESET : 0),
    .p0 = reset });
  d->state.address_pending = !reset;
}

static void
decode_q (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	  const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  struct tb_etmv4_item item = { .kind = TB_ITEM_Q, .number = p->count };
  if (p->has_address)
    {
      item.value = update_addresses (s, p->address_type, p->value, p->bits,
				     p->is);
      item.is = s->addresses.is[0];
      item.flags = TB_ITEM_HAS_ADDRESS;
      item.p0 = 1;
    }
  tb_etmv4_add (d, out, item);
  s->address_pending = !p->has_address;
}

/* Packets whose meaning does not depend on the queue.  */
static void
decode_plain (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_item item = { .value = p->value, .is = p->el };
  switch (p->type)
    {
    case TB_ETMV4_TRACE_ON:
      item.kind = TB_ITEM_TRACE_ON;
      break;
    case TB_ETMV4_EVENT:
      item.kind = TB_ITEM_EVENT;
      break;
    case TB_ETMV4_TIMESTAMP_MARKER:
      item.kind = TB_ITEM_MARKER;
      break;
    case TB_ETMV4_EXCEPTION_RETURN:
      item.kind = TB_ITEM_EXCEPTION_RETURN;
      item.p0 = tb_etmv4_return_is_p0 (&d->config);
      break;
    case TB_ETMV4_FUNCTION_RETURN:
      item.kind = TB_ITEM_FUNCTION_RETURN;
      item.p0 = 1;
      break;
    case TB_ETMV4_INSTRUMENTATION:
      item.kind = TB_ITEM_INSTRUMENTATION;
      break;
    case TB_ETMV4_TRANSACTION_START:
      item.kind = TB_ITEM_TRANSACTION;
      item.is = 1;
      item.p0 = tb_etmv4_transaction_is_p0 (&d->config);
      break;
    case TB_ETMV4_TRANSACTION_COMMIT:
    case TB_ETMV4_TRANSACTION_FAIL:
      item.kind = TB_ITEM_TRANSACTION;
      item.is = p->type == TB_ETMV4_TRANSACTION_COMMIT ? 2 : 3;
      break;
    default:			/* IGNORE, data: no item.  */
      return;
    }
  tb_etmv4_add (d, out, item);
}

void
tb_etmv4_decode_packet (struct tb_etmv4_decoder *d,
			struct tb_etmv4_out *out,
			const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t address;
  switch (p->type)
    {
    case TB_ETMV4_ASYNC:
      s->stats.syncs++;
      break;
    case TB_ETMV4_TRACE_INFO:
      decode_trace_info (d, out, p);
      break;
    case TB_ETMV4_ATOM:
      push_atoms (d, out, p->atoms, p->natoms);
      break;
    case TB_ETMV4_CONTEXT:
      if (p->context.present)
	s->sf = p->context.sf;
      push_context (d, out, &p->context);
      break;

    case TB_ETMV4_ADDRESS_CONTEXT_32:
    case TB_ETMV4_ADDRESS_CONTEXT_64:
      s->sf = p->context.sf;
      /* Fall through.  */
    case TB_ETMV4_ADDRESS_EXACT:
    case TB_ETMV4_ADDRESS_SHORT:
    case TB_ETMV4_ADDRESS_32:
    case TB_ETMV4_ADDRESS_64:
      address = update_addresses (s, p->type, p->value, p->bits, p->is);
      push_address (d, out, address);
      if (p->context.present)
	push_context (d, out, &p->context);
      address_came (d);
      break;

    case TB_ETMV4_SOURCE_EXACT:
    case TB_ETMV4_SOURCE_SHORT:
    case TB_ETMV4_SOURCE_32:
    case TB_ETMV4_SOURCE_64:
      address = update_addresses (s, p->type, p->value, p->bits, p->is);
      tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_SOURCE,
					     .is = s->addresses.is[0],
					     .p0 = 1, .value = address });
      break;

    case TB_ETMV4_TIMESTAMP:
      decode_timestamp (d, out, p);
      break;
    case TB_ETMV4_CYCLES_1:
    case TB_ETMV4_CYCLES_2:
    case TB_ETMV4_CYCLES_3:
      decode_cycles (d, out, p);
      break;
    case TB_ETMV4_EXCEPTION:
    case TB_ETMV4_PE_RESET:
      decode_exception (d, out, p);
      break;
    case TB_ETMV4_Q:
      decode_q (d, out, p);
      break;

    case TB_ETMV4_COMMIT:
      s->commit = p->count;
      break;
    case TB_ETMV4_CANCEL_1:
    case TB_ETMV4_CANCEL_1_MISPREDICT:
    case TB_ETMV4_CANCEL_2:
    case TB_ETMV4_CANCEL_3:
    case TB_ETMV4_MISPREDICT:
      if (s->address_pending)
	{
	  /* Where the address of an exception is missing nobody knows whether it is one
	     of those that are cancelled, and which atom was the newest.  */
	  tb_etmv4_bad (d, out);
	  return;
	}
      tb_etmv4_forget_keys (d);
      if (p->type == TB_ETMV4_CANCEL_1)
	{
	  s->cancel = p->count;
	  break;
	}
      if (p->natoms > 0)
	push_atoms (d, out, p->atoms, p->natoms);
      s->cancel = p->count;
      s->mispredict = true;
      break;

    case TB_ETMV4_OVERFLOW:
      s->overflow = true;
      s->discard = true;
      return;
    case TB_ETMV4_DISCARD:
      s->discard = true;
      return;

    case TB_ETMV4_CONDITIONAL_1:
    case TB_ETMV4_CONDITIONAL_2:
    case TB_ETMV4_CONDITIONAL_3:
    case TB_ETMV4_CONDITIONAL_FLUSH:
    case TB_ETMV4_RESULT_1:
    case TB_ETMV4_RESULT_2:
    case TB_ETMV4_RESULT_3:
    case TB_ETMV4_RESULT_4:
      tb_etmv4_decode_conditional (d, out, p);
      break;

    case TB_ETMV4_BAD:
      tb_etmv4_bad (d, out);
      return;
    default:
      decode_plain (d, out, p);
    }
  if (s->phase == TB_PHASE_SEARCH)
    {
      s->commit = s->cancel = 0;
      s->mispredict = s->address_pending = false;
      return;
    }
  commit_excess (d);
}
