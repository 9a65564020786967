/* The ETMv4 and ETE decoder: packets to items, and the decoder's interface.
   See internal.h; section numbers are those of IHI 0064.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The decoding of one packet may end the reading of packets, for what it wants
   done with the queue comes first.  */
static inline bool
must_resolve (const struct tb_etmv4_state *s)
{
  return s->commit | s->cancel | s->mispredict | s->discard
	 | s->atoms_left;
}

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
  s->have_address = s->have_context = s->walkable = false;
  s->gap_said = true;
  s->context.flags = 0;
  memset (&s->stack, 0, sizeof s->stack);
  s->stack.enabled = enabled;
  d->block = NULL;
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

static void
push (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
      struct tb_etmv4_item item)
{
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
  push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_ATOMS,
					 .atoms = atoms, .p0 = natoms });
}

static void
push_context (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      const struct tb_etmv4_context *c)
{
  if (!c->present)
    return;			/* The context is as it was.  */
  push (d, out, (struct tb_etmv4_item) {
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
    tb_etmv4_addresses_update (a, value, bits, is);
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
  push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_ADDRESS,
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
  tb_etmv4_addresses_reset (&s->addresses);
  s->timestamp_given = false;
  s->cycle_threshold = p->cycles;
  bool first = s->phase == TB_PHASE_INFO;
  if (first)
    {
      s->phase = TB_PHASE_DECODE;
      /* Of elements from before nothing is known but their number.  */
      uint32_t unseen = p->count < d->config.max_speculation
			? p->count : d->config.max_speculation;
      if (unseen > 0)
	push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_UNSEEN,
					       .p0 = unseen });
    }
  push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_TRACE_INFO });
  if (first && p->in_transaction)
    push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_TRANSACTION });
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
  push (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_TIMESTAMP, .value = s->timestamp, .number = p->cycles,
    .flags = p->has_cycles ? TB_ITEM_HAS_CYCLES : 0 });
}

static void
decode_cycles (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  uint32_t cycles = p->cycles;
  if (p->plus_threshold)
    cycles += s->cycle_threshold;
  push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_CYCLES,
					 .number = cycles });
  if (d->config.max_speculation > 0)
    s->commit = p->count;
}

static void
decode_exception (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		  const struct tb_etmv4_packet *p)
{
  bool reset = p->type == TB_ETMV4_PE_RESET;
  push (d, out, (struct tb_etmv4_item) {
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
  push (d, out, item);
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
    default:			/* IGNORE, conditionals, data: no item.  */
      return;
    }
  push (d, out, item);
}

static void
decode_packet (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
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
      push (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_SOURCE,
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
      s->cancel = p->count;
      break;
    case TB_ETMV4_CANCEL_1_MISPREDICT:
    case TB_ETMV4_CANCEL_2:
    case TB_ETMV4_CANCEL_3:
    case TB_ETMV4_MISPREDICT:
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

    case TB_ETMV4_BAD:
      tb_etmv4_bad (d, out);
      return;
    default:
      decode_plain (d, out, p);
    }
  commit_excess (d);
}

/* Synchronisation.  */

/* Find the alignment synchronisation packet, eleven or more zeros and 0x80, at
   or after P.  Returns the byte after it, or NULL; *KEEP is then where a later
   one may begin.  */
static const uint8_t *
find_async (const uint8_t *p, const uint8_t *end, const uint8_t **keep)
{
  const uint8_t *from = p;
  while (from < end)
    {
      const uint8_t *mark = memchr (from, 0x80, end - from);
      if (mark == NULL)
	break;
      const uint8_t *zero = mark;
      while (zero > p && mark - zero < 11 && zero[-1] == 0)
	zero--;
      if (mark - zero == 11)
	return mark + 1;
      from = mark + 1;
    }
  const uint8_t *zero = end;
  while (zero > from && end - zero < 11 && zero[-1] == 0)
    zero--;
  *keep = zero;
  return NULL;
}

/* Look for synchronisation in what the stream has.  */
static void
search (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  size_t length;
  bool last;
  const uint8_t *p = tb_stream_peek (d->stream, &length, &last), *keep;
  if (length > 0)
    s->packet_index = tb_stream_index (d->stream, 0);
  /* Without a byte there is nothing to be out of synchronisation with, unless
     the trace said that more was lost.  */
  if (s->report
      && (length > 0 || s->lost == TB_REASON_OVERFLOW
	  || s->lost == TB_REASON_DISCARD))
    {
      tb_etmv4_emit (out, TB_ELEMENT_NO_SYNC, s->packet_index)->reason
	= s->lost;
      s->report = false;
    }
  if (length == 0)
    {
      s->phase = TB_PHASE_DRAIN;
      return;
    }
  const uint8_t *found = find_async (p, p + length, &keep);
  size_t used = found != NULL ? (size_t) (found - p)
		: last ? length : (size_t) (keep - p);
  if (found != NULL)
    {
      s->phase = TB_PHASE_INFO;
      s->stats.syncs++;
      s->stats.packets++;
    }
  s->stats.skipped += found != NULL && used >= 12 ? used - 12 : used;
  s->stats.bytes += used;
  tb_stream_consume (d->stream, used);
}

/* The bytes end within a packet.  */
static void
end_truncated (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  if (s->phase == TB_PHASE_DECODE)
    tb_etmv4_bad (d, out);
  s->phase = TB_PHASE_DRAIN;
}

/* Addresses and atoms when nothing is in the queue and nothing is ever
   speculated.  Returns how many bytes at P they took, 0: another packet, or it
   may go on behind P.  */
static inline unsigned
decode_direct (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const uint8_t *p, size_t ahead)
{
  struct tb_etmv4_state *s = &d->state;
  const struct tb_etmv4_header *header = &d->table.header[p[0]];
  unsigned size;
  if (header->natoms > 0)
    {
      s->packet_index = s->atoms_index = tb_stream_index (d->stream, ahead);
      s->atoms = header->atoms;
      s->atoms_left = header->natoms;
      tb_etmv4_follow_atoms (d, out);
      return 1;
    }
  if (header->type == TB_ETMV4_ADDRESS_EXACT)
    {
      tb_etmv4_addresses_exact (&s->addresses, header->arg);
      size = 1;
    }
  else if (header->type == TB_ETMV4_ADDRESS_SHORT)
    {
      unsigned shift = header->arg ? 1 : 2, bits = 7;
      uint64_t value = p[1] & 0x7f;
      size = 2;
      if (p[1] & 0x80)
	{
	  value |= (uint64_t) p[2] << 7;
	  bits = 15;
	  size = 3;
	}
      tb_etmv4_addresses_update (&s->addresses, value << shift, bits + shift,
				 header->arg);
    }
  else
    return 0;
  s->packet_index = tb_stream_index (d->stream, ahead);
  if (!s->sf)
    s->addresses.value[0] &= UINT32_MAX;
  tb_etmv4_set_address (d, s->addresses.value[0], s->addresses.is[0]);
  return size;
}

/* Read packets until there is no room, something is to be done with the queue,
   or synchronisation is lost.  */
static void
decode_packets (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  bool can_be_direct = d->config.max_speculation == 0;
  size_t length, at = 0;
  bool last;
  const uint8_t *p = tb_stream_peek (d->stream, &length, &last);
  uint64_t packets = 0;

  while (out->at < out->stop)
    {
      if (length - at < TB_STREAM_LOOKAHEAD)
	{
	  tb_stream_consume (d->stream, at);
	  s->stats.bytes += at;
	  at = 0;
	  p = tb_stream_peek (d->stream, &length, &last);
	  if (length == 0)
	    {
	      s->phase = TB_PHASE_DRAIN;
	      break;
	    }
	}
      if (can_be_direct && tb_etmv4_queue_empty (d)
	  && s->phase == TB_PHASE_DECODE
	  && (!last || length - at >= TB_ETMV4_PACKET_MAX))
	{
	  unsigned size = decode_direct (d, out, p + at, at);
	  at += size;
	  if (size > 0)
	    {
	      packets++;
	      if (s->atoms_left > 0 || s->phase != TB_PHASE_DECODE)
		break;
	      continue;
	    }
	}
      struct tb_etmv4_packet packet;
      s->packet_index = tb_stream_index (d->stream, at);
      size_t size = tb_etmv4_packet_read (&d->table, p + at, length - at,
					  &packet);
      if (size == 0)
	{
	  at = length;
	  end_truncated (d, out);
	  break;
	}
      packets++;
      if (packet.type == TB_ETMV4_BAD)
	{
	  /* What comes next may begin anywhere.  */
	  at++;
	  if (s->phase == TB_PHASE_INFO)
	    {
	      s->stats.bad_packets++;
	      s->phase = TB_PHASE_SEARCH;
	    }
	  else
	    tb_etmv4_bad (d, out);
	  break;
	}
      at += size;
      /* Events may come between the two.  */
      if (s->phase == TB_PHASE_INFO && packet.type != TB_ETMV4_TRACE_INFO
	  && packet.type != TB_ETMV4_EVENT)
	continue;
      decode_packet (d, out, &packet);
      if (s->phase == TB_PHASE_SEARCH || must_resolve (s))
	break;
    }
  tb_stream_consume (d->stream, at);
  s->stats.bytes += at;
  s->stats.packets += packets;
}

/* The interface.  */

/* Fill OUT as far as whole steps fit, and as there is anything.  */
static void
advance (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  while (out->at < out->stop && s->phase != TB_PHASE_ENDED)
    {
      if (s->atoms_left > 0)
	tb_etmv4_follow_atoms (d, out);
      else if (must_resolve (s))
	tb_etmv4_resolve (d, out);
      else if (s->phase == TB_PHASE_SEARCH)
	search (d, out);
      else if (s->phase == TB_PHASE_DRAIN)
	tb_etmv4_drain (d, out);
      else
	decode_packets (d, out);
    }
}

static size_t
etmv4_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  struct tb_etmv4_state *s = &d->state;
  size_t n = 0;
  while (n < capacity)
    {
      if (s->spill_at < s->spill_end)
	{
	  elements[n++] = s->spill[s->spill_at++];
	  continue;
	}
      if (s->phase == TB_PHASE_ENDED)
	break;
      struct tb_etmv4_out out;
      if (capacity - n >= TB_ETMV4_STEP)
	{
	  out.at = elements + n;
	  out.stop = elements + capacity - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  n = out.at - elements;
	}
      else
	{
	  out.at = s->spill;
	  out.stop = s->spill + TB_ETMV4_SPILL - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  s->spill_at = 0;
	  s->spill_end = out.at - s->spill;
	}
    }
  base->stats = s->stats;
  return n;
}

/* A saved decoder: the state, then the queue.  */
struct saved
{
  struct tb_etmv4_state state;
  size_t nitems;
  struct tb_etmv4_item items[];
};

static void *
etmv4_save (const struct tb_decoder *base)
{
  const struct tb_etmv4_decoder *d = (const struct tb_etmv4_decoder *) base;
  size_t nitems = d->tail - d->head;
  struct saved *saved = malloc (sizeof *saved
				+ nitems * sizeof saved->items[0]);
  if (saved == NULL)
    return NULL;
  saved->state = d->state;
  tb_stream_tell (d->stream, &saved->state.place);
  saved->nitems = nitems;
  if (nitems > 0)
    memcpy (saved->items, d->items + d->head,
	    nitems * sizeof saved->items[0]);
  return saved;
}

static void
etmv4_restore (struct tb_decoder *base, const void *data)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  const struct saved *saved = data;
  /* The queue never shrinks, so what was in it once fits.  */
  d->state = saved->state;
  tb_stream_seek (d->stream, &saved->state.place);
  d->head = 0;
  d->tail = saved->nitems;
  if (saved->nitems > 0)
    memcpy (d->items, saved->items,
	    saved->nitems * sizeof saved->items[0]);
  d->block = NULL;
  base->stats = d->state.stats;
}

static void
etmv4_close (struct tb_decoder *base)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  tb_stream_close (d->stream);
  tb_follow_free (base->follow);
  free (d->items);
  free (d);
}

static bool
etmv4_matches (const char *type)
{
  return strncasecmp (type, "ETM4", 4) == 0
	 || strncasecmp (type, "ETMv4", 5) == 0
	 || strncasecmp (type, "ETE", 3) == 0;
}

static unsigned
etmv4_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, 0x010, "TRCTRACEIDR");
  return reg != NULL ? reg->value & 0x7f : TB_ID_NONE;
}

static struct tb_decoder *
etmv4_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  unsigned id = etmv4_trace_id (config->source);
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected TRCTRACEIDR (0x010), which says "
		"which of the buffer's bytes are this source's; found none",
		config->source->file);
      return NULL;
    }
  struct tb_etmv4_decoder *d = calloc (1, sizeof *d);
  if (d == NULL)
    goto no_memory;
  d->base.protocol = &tb_protocol_etmv4;
  d->base.read = etmv4_read;
  d->base.save = etmv4_save;
  d->base.restore = etmv4_restore;
  d->base.close = etmv4_close;
  tb_etmv4_config_read (&d->config, config->source, config->profile, diag);
  if (tb_etmv4_traces_loads_stores (&d->config))
    {
      tb_error (diag, "%s: [regs] TRCCONFIGR: expected INSTP0 0; found %u: "
		"trace in which loads or stores are P0 elements cannot be "
		"decoded", config->source->file,
		(unsigned) (d->config.configr >> 1 & 3));
      free (d);
      return NULL;
    }
  tb_etmv4_table_init (&d->table, &d->config);
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (config->map, &regions);
  for (size_t i = 0; i < nregions; i++)
    d->has_region[regions[i].space] = true;
  struct tb_follow_options options = {
    .wait_is_branch = tb_etmv4_wait_is_branch (&d->config),
    .tstart_is_waypoint = tb_etmv4_is_ete (&d->config)
  };
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  d->stream = tb_stream_open (config->buffer, id);
  d->capacity = 16;
  d->items = malloc (d->capacity * sizeof *d->items);
  if (d->base.follow == NULL || d->stream == NULL || d->items == NULL)
    {
      etmv4_close (&d->base);
      goto no_memory;
    }
  d->state.stack.enabled = tb_etmv4_uses_return_stack (&d->config);
  tb_etmv4_lose_sync (d, TB_REASON_INIT);
  return &d->base;

no_memory:
  tb_error (diag, "no memory to decode %s", config->source->name);
  return NULL;
}

const struct tb_protocol tb_protocol_etmv4 = {
  .name = "ETMv4",
  .matches = etmv4_matches,
  .trace_id = etmv4_trace_id,
  .open = etmv4_open
};
