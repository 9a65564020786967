/* PTM packets to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/internal.h"

#include <stdlib.h>
#include <string.h>

#define EXCEPTION_DEBUG_HALT 1

static void
lose_sync (struct tb_ptm_decoder *d, enum tb_reason reason)
{
  struct tb_ptm_state *s = &d->state;

  tb_ptm_lose_address (d);
  tb_return_stack_flush (&s->stack);
  s->packet_isa = TB_ISA_UNKNOWN;
  s->phase = TB_PTM_SEARCH;
  s->zeros = 0;
  s->report = true;
  s->lost = reason;
}

/* Nothing of what was before a break in the buffer counts behind it.  */
static void
start_over (struct tb_ptm_decoder *d)
{
  struct tb_ptm_state *s = &d->state;

  s->context = (struct tb_v7_context) { .cid = 0 };
  s->timestamp = 0;
  s->last = 0;
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  s->alternative = s->halted = false;
  /* Before the first byte there was nothing to lose.  */
  lose_sync (d, s->report ? (enum tb_reason) s->lost : TB_REASON_RESET);
}

static void
emit_context (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;

  d->block = NULL;
  tb_v7_context_element ((*out)++, &s->context, (enum tb_isa) s->isa,
			 s->index);
}

/* The cycle count of PACKET belongs to the element before.  */
static void
add_cycles (struct tb_ptm_decoder *d, struct tb_element **out,
	    const struct tb_ptm_packet *p)
{
  if (!p->has_cycles)
    return;
  struct tb_element *e = tb_ptm_emit (d, out, TB_ELEMENT_CYCLES);
  e->flags = TB_CYCLES_WITH_PREVIOUS;
  e->u.value = p->cycles;
}

/* Packets.  */

/* The ISA and the address of a packet with an address.  Short ones leave the
   ISA as the newest packet had it, whatever direct branches did since.  */
static uint32_t
packet_target (struct tb_ptm_decoder *d, const struct tb_ptm_packet *p,
	       enum tb_isa *isa)
{
  struct tb_ptm_state *s = &d->state;

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
  static const uint8_t reasons[] =
  {
    [TB_PTM_PERIODIC] = TB_REASON_BEGIN, [TB_PTM_TRACE_ON] = TB_REASON_BEGIN,
    [TB_PTM_OVERFLOW] = TB_REASON_OVERFLOW,
    [TB_PTM_DEBUG_EXIT] = TB_REASON_DEBUG
  };
  struct tb_ptm_state *s = &d->state;
  bool first = s->phase == TB_PTM_SYNC;

  if (first)
    s->context = (struct tb_v7_context) { .cid = 0 };
  bool starts = first || p->reason != TB_PTM_PERIODIC;
  bool changed = p->nonsecure != s->context.nonsecure
		 || p->hyp != s->context.hyp
		 || (p->has_id && (!s->context.has_cid
				   || p->id != s->context.cid));
  bool context = changed
		 || (starts && (p->has_id || p->isa != s->packet_isa));
  if (!starts && s->have_address && s->address != p->value)
    {
      /* Elsewhere than the atoms led: the code is not what ran.  */
      s->stats.bad_image++;
      tb_ptm_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = TB_REASON_BAD_IMAGE;
    }
  s->phase = TB_PTM_DECODE;
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
  tb_ptm_set_address (d, s->last, (enum tb_isa) p->isa);
  /* Who begins to decode here has an empty one.  */
  tb_return_stack_flush (&s->stack);
  if (starts)
    {
      tb_ptm_emit (d, out, TB_ELEMENT_TRACE_ON)->reason = reasons[p->reason];
      add_cycles (d, out, p);
    }
  if (context)
    emit_context (d, out);
}

static void
decode_exception (struct tb_ptm_decoder *d, struct tb_element **out,
		  const struct tb_ptm_packet *p)
{
  struct tb_ptm_state *s = &d->state;
  struct tb_element *e = tb_ptm_emit (d, out, TB_ELEMENT_EXCEPTION);

  e->u.exception.number = p->exception.number;
  if (s->have_address)
    e->u.exception.return_address = s->address;
  else
    e->flags |= TB_EXCEPTION_NO_RETURN;
  s->halted = p->exception.number == EXCEPTION_DEBUG_HALT;
  if (s->halted)
    e->flags |= TB_EXCEPTION_HALT;
  add_cycles (d, out, p);
}

/* A branch packet implies an E atom, unless it is an exception's (4.5.4).  */
static void
decode_branch (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_ptm_packet *p)
{
  struct tb_ptm_state *s = &d->state;
  enum tb_isa isa;

  s->halted = false;
  if (p->has_exception && p->exception.number != 0)
    decode_exception (d, out, p);
  else
    tb_ptm_follow (d, out, 1, 1, true, p->has_cycles ? &p->cycles : NULL);
  uint32_t target = packet_target (d, p, &isa);
  tb_ptm_set_address (d, target, isa);
  if (!p->has_exception)
    return;
  const struct tb_v7_exception *x = &p->exception;
  bool hyp = x->has_hyp && d->table.has_hyp ? x->hyp : s->context.hyp;
  if (x->nonsecure != s->context.nonsecure || hyp != s->context.hyp)
    {
      s->context.nonsecure = x->nonsecure;
      s->context.hyp = hyp;
      emit_context (d, out);
    }
}

static void
decode_update (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_ptm_packet *p)
{
  enum tb_isa isa;
  uint32_t last = packet_target (d, p, &isa);

  if (d->state.have_address)
    tb_ptm_follow_to (d, out, last);
}

static void
decode_context_id (struct tb_ptm_decoder *d, struct tb_element **out,
		   const struct tb_ptm_packet *p)
{
  struct tb_v7_context *c = &d->state.context;

  if (!p->has_id || (c->has_cid && c->cid == p->id))
    return;
  c->cid = p->id;
  c->has_cid = true;
  emit_context (d, out);
}

static void
decode_vmid (struct tb_ptm_decoder *d, struct tb_element **out,
	     const struct tb_ptm_packet *p)
{
  struct tb_v7_context *c = &d->state.context;

  if (c->has_vmid && c->vmid == p->id)
    return;
  c->vmid = p->id;
  c->has_vmid = true;
  emit_context (d, out);
}

static void
decode_packet (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_ptm_packet *p)
{
  struct tb_ptm_state *s = &d->state;

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
      tb_ptm_emit (d, out, TB_ELEMENT_EVENT)->flags = TB_EVENT_TRIGGER;
      break;
    case TB_PTM_CONTEXT_ID:
      decode_context_id (d, out, p);
      break;
    case TB_PTM_VMID:
      decode_vmid (d, out, p);
      break;
    case TB_PTM_TIMESTAMP:
      tb_ptm_emit (d, out, TB_ELEMENT_TIMESTAMP)->u.value
	= tb_v7_timestamp (&s->timestamp, p->value, p->value_bits,
			   &d->settings);
      add_cycles (d, out, p);
      break;
    case TB_PTM_EXCEPTION_RETURN:
      tb_ptm_emit (d, out, TB_ELEMENT_EXCEPTION_RETURN);
      break;
    case TB_PTM_BAD:
      tb_ptm_emit (d, out, TB_ELEMENT_BAD_PACKET);
      s->stats.bad_packets++;
      lose_sync (d, TB_REASON_BAD_PACKET);
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
  struct tb_ptm_state *s = &d->state;

  switch ((enum tb_ptm_packet_type) p->type)
    {
    case TB_PTM_ISYNC:
    case TB_PTM_ASYNC:
      decode_packet (d, out, p);
      break;
    case TB_PTM_TIMESTAMP:
      tb_v7_timestamp (&s->timestamp, p->value, p->value_bits, &d->settings);
      break;
    case TB_PTM_BAD:
      /* Nothing was known, so nothing is lost.  */
      s->stats.bad_packets++;
      s->phase = TB_PTM_SEARCH;
      s->zeros = 0;
      break;
    default:
      break;
    }
}

/* The stream.  */

/* Let the stream know what is done with.  */
static void
settle (struct tb_ptm_decoder *d)
{
  tb_stream_consume (d->stream, d->at);
  d->state.stats.bytes += d->at;
  d->at = d->length = 0;
}

static void
end (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;

  s->index = tb_stream_index (d->stream, d->at);
  struct tb_element *e = tb_ptm_emit (d, out, TB_ELEMENT_END);
  if (s->have_address && !s->halted)
    {
      e->flags = TB_END_ADDRESS;
      e->u.address = s->address;
    }
  s->phase = TB_PTM_ENDED;
}

/* Look for an A-sync packet in what the stream shows.  */
static void
search (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;
  bool found;

  /* Without a byte there is nothing to be out of synchronisation with.  */
  if (s->report)
    {
      s->index = tb_stream_index (d->stream, d->at);
      tb_ptm_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = s->lost;
      s->report = false;
    }
  size_t used = tb_v7_async_find (d->view + d->at, d->length - d->at,
				  &s->zeros, &found);
  d->at += used;
  s->stats.skipped += used;
  if (found)
    {
      s->stats.skipped -= used < TB_V7_ASYNC_ZEROS + 1 ? used
						       : TB_V7_ASYNC_ZEROS + 1;
      s->stats.packets++;
      s->stats.syncs++;
      s->phase = TB_PTM_SYNC;
    }
}

/* One packet, or one stretch of bytes without synchronisation.  */
static void
step (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;

  if (__builtin_expect (d->length - d->at < TB_STREAM_LOOKAHEAD
			&& !(d->last && d->at < d->length), 0))
    {
      settle (d);
      d->view = tb_stream_peek (d->stream, &d->length, &d->last);
      if (d->length == 0)
	{
	  if (tb_stream_pass_break (d->stream))
	    start_over (d);
	  else
	    end (d, out);
	  return;
	}
    }
  if (s->phase == TB_PTM_SEARCH)
    {
      search (d, out);
      return;
    }
  const struct tb_ptm_header *header = &d->table.header[d->view[d->at]];
  s->index = tb_stream_index (d->stream, d->at);
  if (__builtin_expect (header->type == TB_PTM_ATOM
			&& !d->table.cycle_accurate
			&& s->phase == TB_PTM_DECODE, 1))
    {
      d->at++;
      s->stats.packets++;
      tb_ptm_follow (d, out, header->natoms, header->atoms, false, NULL);
      return;
    }
  struct tb_ptm_packet packet;
  size_t size = tb_ptm_packet_read (&d->table, d->view + d->at,
				    d->length - d->at, &packet);
  if (size == 0)
    {
      /* The trace ends within a packet, which says nothing then.  */
      d->at = d->length;
      return;
    }
  /* After what is no packet, the next one may begin anywhere.  */
  d->at += packet.type == TB_PTM_BAD ? 1 : size;
  s->stats.packets += packet.type != TB_PTM_BAD;
  if (s->phase == TB_PTM_SYNC)
    decode_before_isync (d, out, &packet);
  else
    decode_packet (d, out, &packet);
}

/* The interface.  */

static size_t
ptm_read (struct tb_decoder *base, struct tb_element *elements,
	  size_t capacity)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;
  struct tb_ptm_state *s = &d->state;
  struct tb_element *out = elements, *stop = elements + capacity;

  d->length = d->at = 0;
  d->last = false;
  while (out < stop)
    {
      if (s->spill_at < s->spill_end)
	*out++ = s->spill[s->spill_at++];
      else if (s->phase == TB_PTM_ENDED)
	break;
      else if (stop - out >= TB_PTM_STEP)
	step (d, &out);
      else
	{
	  struct tb_element *spilled = s->spill;
	  step (d, &spilled);
	  s->spill_at = 0;
	  s->spill_end = spilled - s->spill;
	}
    }
  settle (d);
  base->stats = s->stats;
  return out - elements;
}

/* A copy has only those spilled elements that are still to be delivered.  */
static void *
ptm_save (const struct tb_decoder *base)
{
  const struct tb_ptm_decoder *d = (const struct tb_ptm_decoder *) base;
  const struct tb_ptm_state *s = &d->state;
  unsigned left = s->spill_end - s->spill_at;
  size_t head = offsetof (struct tb_ptm_state, spill);
  struct tb_ptm_state *copy = malloc (head + left * sizeof s->spill[0]);

  if (copy == NULL)
    return NULL;
  memcpy (copy, s, head);
  if (left > 0)
    memcpy ((char *) copy + head, s->spill + s->spill_at,
	    left * sizeof s->spill[0]);
  copy->spill_at = 0;
  copy->spill_end = left;
  tb_stream_tell (d->stream, &copy->place);
  return copy;
}

static void
ptm_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;
  const struct tb_ptm_state *from = saved;
  size_t head = offsetof (struct tb_ptm_state, spill);

  memcpy (&d->state, saved,
	  head + from->spill_end * sizeof d->state.spill[0]);
  d->base.stats = d->state.stats;
  d->block = NULL;
  tb_stream_seek (d->stream, &d->state.place);
}

static void
ptm_close (struct tb_decoder *base)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;

  tb_follow_free (d->base.follow);
  if (d->stream != NULL)
    tb_stream_close (d->stream);
  free (d);
}

static struct tb_decoder *
ptm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct tb_ptm_decoder *d = calloc (1, sizeof *d);

  if (d == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_ptm, .read = ptm_read, .save = ptm_save,
    .restore = ptm_restore, .close = ptm_close
  };
  tb_v7_settings_read (&d->settings, config->source, config->profile, true,
		       diag);
  tb_ptm_table_init (&d->table, &d->settings);
  tb_v7_spaces_find (&d->spaces, config->map);
  /* ETMCCER[24]: DMB and DSB are waypoints; ETMCCER[23] and ETMCR[29]: the
     return stack is there and in use.  */
  const struct tb_follow_options options = {
    .barrier_is_waypoint = d->settings.ccer >> 24 & 1,
    .it_is_unmarked = true
  };
  d->state.stack.enabled = (d->settings.ccer >> 23 & 1)
			   && (d->settings.cr >> 29 & 1);
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  d->stream = tb_v7_stream_open (config, diag);
  if (d->base.follow == NULL || d->stream == NULL)
    {
      if (d->base.follow == NULL)
	tb_error (diag, "no memory to decode %s", config->source->name);
      ptm_close (&d->base);
      return NULL;
    }
  d->state.report = true;
  d->state.lost = TB_REASON_INIT;
  d->state.isa = d->state.packet_isa = TB_ISA_UNKNOWN;
  return &d->base;
}

/* "PTM", "PTM1.1", "PFT1.1"; the second is the architecture's name.  */
static bool
ptm_matches (const char *type)
{
  return tb_v7_type_matches (type, "PTM", 0)
	 || tb_v7_type_matches (type, "PFT", 0);
}

const struct tb_protocol tb_protocol_ptm =
{
  .name = "PTM",
  .matches = ptm_matches,
  .trace_id = tb_v7_trace_id,
  .open = ptm_open
};
